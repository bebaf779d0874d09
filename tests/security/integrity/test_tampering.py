"""The audit finds every change to sealed data that a database owner can make.

All tests use one league with every kind of event. Each change is made without triggers, checked,
and rolled back. Most of the audit does not depend on the database, so every run also makes changes
to columns and checks the guards on PostgreSQL. The other changes are made there at night.
"""

import copy
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4
from zlib import crc32

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from pytest_django import DjangoDbBlocker

from config.data.backups.file_format import tables
from league.integrity import triggers
from league.integrity.audit import audit, broken_links, broken_proofs
from league.integrity.sealed_audit import broken_seals, read_journal
from league.journal.sealed_rows import BY_MODEL, BY_NAME, FOLLOWS, TABLES, sealed
from league.models import (
    Announcement,
    Closing,
    ClosingSignature,
    GameDocument,
    Hand,
    JournalEntry,
    JournalHead,
    League,
    LogbookEntry,
    Night,
    Objection,
    ObjectionAnswer,
    PaymentStep,
    Player,
    Revision,
    SigningKey,
)
from ledger import guards
from ledger.audit import Finding
from ledger.models import Account, Posting, Transfer
from tests.helpers.security.season import a_whole_league
from tests.helpers.stages import sample

pytestmark = pytest.mark.django_db

Model = type[models.Model]

# Unsealed columns of sealed tables, each with the reason. The same as in `sealed`.
LEFT_OUT = {
    ("league_night", "imported"): "decides how an open night is shown, not its result",
    ("league_night", "version"): "counts what phones have to look at again, and says nothing",
    ("league_player", "added_at"): (
        "orders lists; players of before it was stored have the migration's"
    ),
    ("league_player", "user_id"): "goes from phone to phone; the logbook says when",
    ("league_seat", "leaving_at"): (
        "announces when a player leaves; left_at is when the player left"
    ),
}
# Tables without seals, each with the reason.
NOT_SEALED = {
    "ledger_book": "its name is how it is shown; its accounts and postings are sealed",
    "league_league": "what hosts choose anew at any time; a night and a plan keep their terms",
    "league_season": "hosts name and end it; a night is sealed with the season that it is of",
    "league_membership": "roles come and go; the logbook, which is sealed, says when",
    "league_user": "people change their own accounts",
    "league_paymentmethod": "people change how they are paid; the logbook says that they did",
    "league_housegame": "what it is called and whether it is offered; each version is sealed",
    "league_formername": "what phones may still send; records have the current names",
    "league_favourite": "people star games as they like",
    "league_receiptlink": "opens a receipt and says nothing; the logbook has who made it",
    "league_handlink": "opens a hand and says nothing; the logbook has who made it",
    "league_screenlink": "opens a screen and says nothing; the logbook has who made it",
    "league_plannednight": "a plan moves no chips; the night that is started is sealed",
    "league_tournament": "what was paid and won is a charge, which is sealed; the audit compares",
    "league_tournamentevent": "what follows from it is a charge, which is sealed",
    "league_nightseries": "a plan moves no chips; the night that is started is sealed",
    "league_answer": "people change what they say; who played in the night is sealed",
    "league_answerlink": "opens a page to answer on; the logbook has who made it",
    "league_demoleague": "who tries the service; a demo league is deleted after a day",
    "league_device": "phones come and go; the logbook says when",
    "league_deal": "notes of a hand that is being dealt; the hand is sealed",
    "league_dealtplayer": "notes of a hand that is being dealt; the hand is sealed",
    "league_showncards": "notes of a hand that is being dealt; the hand is sealed",
    "league_chiprequest": "moves no chips; what it is accepted as is sealed",
    "league_invitation": "lets somebody in; the logbook says who and when",
    "league_joinrequest": "lets somebody in; the logbook says who and when",
    "league_token": "keys come and go; the logbook says when",
    "league_feedlink": "keys come and go; the logbook says when",
    "league_chatchannel": "hosts change them; the logbook says when",
    "league_chatpost": "what is on its way to chats, told from sealed rows",
    "league_webhook": "hosts change them; the logbook says when",
    "league_event": "what is on its way to webhooks, told from sealed rows",
    "league_delivery": "what is on its way to webhooks",
    "league_deliverytry": "what is on its way to webhooks",
    "league_outgoingmail": "what is on its way to people",
    "league_pushkey": "by which push services know us; encrypted",
    "league_signingkey": "a signature says whether it is of its key; the other half is encrypted",
    "league_pushsubscription": "phones come and go; the logbook says when",
    "league_noticechoice": "people choose anew at any time",
    "league_notice": "what is on its way to people",
    "league_push": "what is on its way to people",
    "league_closingjob": "work that waits",
    "league_stalemark": "work that waits",
    "league_odds": "computed from games",
    "league_renderedchart": "computed from hands",
    "league_luck": "computed from hands",
    "league_handfact": "computed from hands",
    "league_result": "computed from hands",
    "league_statsstate": "computed from hands",
    "league_playertally": "computed from hands",
    "league_declaretally": "computed from hands",
    "league_bettingtally": "computed from hands",
    "league_calltally": "computed from hands",
    "league_dealertally": "computed from hands",
    "league_seattally": "computed from hands",
    "league_flowtally": "computed from hands",
    "league_nighttally": "computed from hands",
    "league_lucktally": "computed from hands",
    "league_allintally": "computed from hands",
    "league_choicetally": "computed from hands",
}
BESIDE: tuple[Model, ...] = (Transfer, Account, JournalEntry, JournalHead, ClosingSignature)
MODELS: tuple[Model, ...] = (*(table.model for table in TABLES), *BESIDE)
# Unsealed rows of these models have no effect, because sealed rows can't refer to them. A closing
# is signed only once.
HARMLESS = {GameDocument, Player, Account, JournalHead, ClosingSignature}
FAR = 10_000
PARTS = 4
SOMETHING = {"DateTimeField": datetime(2020, 1, 1, tzinfo=UTC)}


@pytest.fixture(scope="module")
def league(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[League]:
    """A league with every kind of event, in a transaction around the test transactions."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_whole_league()
        transaction.set_rollback(True)


def name(model: Model) -> str:
    return str(model._meta.db_table)


def audit_findings(league: League) -> list[Finding]:
    return [*broken_links(league), *broken_seals(league), *broken_proofs(league)]


def is_found(league: League) -> bool:
    """Return whether the audit finds anything. It stops at the first finding."""
    checks = (broken_links, broken_seals, broken_proofs)
    return any(True for check in checks for _ in check(league))


class RollbackError(Exception):
    """Raised to roll back a change after checking it."""


@contextmanager
def tampering() -> Iterator[None]:
    """Make a change inside the block, then roll it back."""
    with suppress(RollbackError), transaction.atomic():
        yield
        raise RollbackError


@contextmanager
def unguarded() -> Iterator[None]:
    """Remove all triggers of both apps inside the block. Restore triggers and rows afterwards."""
    connection.check_constraints()
    with tampering():
        for each in guards.REGISTERED:
            guards.remove(connection, each)
        yield


_READ: dict[UUID, Any] = {}


def read_once(league: League) -> Any:
    if league.pk not in _READ:
        _READ.clear()
        _READ[league.pk] = read_journal(league)
    return _READ[league.pk]


def rows(league: League, model: Model) -> Any:
    """Return the league's rows that are sealed or that contain seals."""
    every = model._default_manager.order_by("pk")
    if model is JournalHead:
        return every.filter(pk=league.pk)
    if model is JournalEntry:
        return every.filter(chain=league.pk)
    if model is ClosingSignature:
        return every.filter(closing__league=league)
    if model is Transfer:
        return every.filter(posting__in=rows(league, Posting).values("pk"))
    if model is Account:
        moved = rows(league, Transfer)
        return every.filter(models.Q(debits__in=moved) | models.Q(credits__in=moved)).distinct()
    keys = [key for table, key in read_once(league).known if table == name(model)]
    return every.filter(pk__in=keys)


def sample_keys(league: League, model: Model) -> list[Any]:
    """Return the keys of the first, middle and last rows, and of one row per enum value."""
    keys = list(rows(league, model).values_list("pk", flat=True))
    return sorted({keys[0], keys[len(keys) // 2], keys[-1]}, key=keys.index)


# --- changes to single values ---------------------------------------------------------------------


def other(field: Any, value: Any) -> Any:
    """Return a valid database value that differs by one byte or one unit."""
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    if isinstance(value, bool):
        return not value
    if value is None:
        return SOMETHING.get(field.get_internal_type(), 1)
    if isinstance(field, models.JSONField):
        return next(changed(value))
    if isinstance(value, str):
        return other_text(field, value)
    if isinstance(value, UUID):
        return UUID(int=value.int ^ 1)
    if isinstance(value, datetime):
        return value + timedelta(microseconds=1)
    # In a unique column, the next number may already be used.
    return value + (FAR if field.unique or is_numbered(field) else 1)


def other_text(field: Any, value: str) -> str:
    if field.choices:
        return str(next(choice for choice, _ in field.choices if choice != value))
    return chr(ord(value[0]) ^ 1) + value[1:] if value else "x"


def is_numbered(field: Any) -> bool:
    unique = [each for each in field.model._meta.constraints if hasattr(each, "fields")]
    return any(field.name in each.fields for each in unique)


def changed(value: Any) -> Iterator[Any]:
    """Yield copies of a JSON value in which one leaf differs by one unit."""
    places = value.items() if isinstance(value, dict) else enumerate(value)
    for place, item in places:
        if isinstance(item, dict | list):
            for deeper in changed(item):
                yield put(value, place, deeper)
        elif isinstance(item, bool) or item is None:
            yield put(value, place, not item)
        elif isinstance(item, str):
            yield put(value, place, chr(ord(item[0]) ^ 1) + item[1:] if item else "x")
        else:
            yield put(value, place, item + 1)
    yield put(value, "more", 1) if isinstance(value, dict) else [*value, 1]


def put(value: Any, place: Any, new: Any) -> Any:
    made = copy.copy(value)
    made[place] = new
    return made


def columns() -> Iterator[tuple[Model, Any]]:
    """Return every column of every sealed table, read from the models."""
    for model in MODELS:
        for field in model._meta.concrete_fields:
            yield model, field


def test_every_table_is_sealed_or_exempt() -> None:
    ours = {name(model) for model in tables() if model._meta.app_label in {"league", "ledger"}}
    assert {name(model) for model in MODELS} | NOT_SEALED.keys() == ours
    assert not {name(model) for model in MODELS} & NOT_SEALED.keys()


def test_every_exempt_column_is_listed() -> None:
    listed = {
        (table.name, column): why
        for table in TABLES
        for column, why in table.left.items()
        if why != FOLLOWS
    }
    assert listed | {key: LEFT_OUT[key] for key in LEFT_OUT if key[0] not in BY_NAME} == LEFT_OUT


@pytest.mark.database
@pytest.mark.parametrize("part", sample(range(PARTS), 1))
def test_changing_any_column_by_one_unit_is_found(part: int, league: League) -> None:
    """Each column of each sealed table is changed in the first, the middle and the last row.

    Every run changes a part of the columns, which is chosen by a hash of their names.
    """
    assert audit_findings(league) == audit() == []
    counts, silent = Counter[str](), []
    with unguarded():
        for model, field in columns():
            if (name(model), field.attname) in LEFT_OUT or part != part_of(model, field):
                continue
            counts["columns"] += 1
            with tampering():
                done = [key for key in sample_keys(league, model) if changes(model, field, key)]
                findings = audit_findings(league)
            counts["changes"] += len(done)
            silent += [(name(model), field.attname, key) for key in unfound(model, done, findings)]
    assert silent == []
    assert counts["columns"] > 180 / PARTS / 2
    assert counts["changes"] > 500 / PARTS / 2


def part_of(model: Model, field: Any) -> int:
    return crc32(f"{name(model)}.{field.attname}".encode()) % PARTS


def changes(model: Model, field: Any, key: Any) -> bool:
    """Return whether the database accepts a change to this column."""
    row = model._default_manager.filter(pk=key)
    [before] = row.values()
    try:
        with transaction.atomic():
            return bool(row.update(**{field.attname: other(field, before[field.attname])}))
    except IntegrityError:
        return False


def unfound(model: Model, keys: list[Any], findings: list[Finding]) -> list[Any]:
    """Return the rows that no finding mentions.

    For tables that contain seals, any finding is enough.
    """
    named = {number for finding in findings for number in finding.ids}
    if model in BESIDE:
        return [] if findings else keys
    if model is Revision and any(finding.code == "state-differs" for finding in findings):
        named |= {str(key) for key in keys}  # the finding gives the id of the revision's hand
    return [key for key in keys if str(key) not in named]


def test_changing_any_value_in_a_record_or_its_answer_is_found(league: League) -> None:
    """The values include a board card that does not affect the winner, a name, and an amount."""
    silent, leaves = [], 0
    with unguarded():
        for column in ("record", "answer", "names"):
            for key in rows(league, Revision).values_list("pk", flat=True):
                row = Revision.objects.filter(pk=key)
                for value in changed(row.values_list(column, flat=True)[0]):
                    leaves += 1
                    with tampering():
                        row.update(**{column: value})
                        if not seal_of(league, Revision, key):
                            silent.append((column, value))
    assert silent == []
    assert leaves > 300


def seal_of(league: League, model: Model, key: Any) -> bool:
    """Return whether a single row's seal is broken. A different test checks all rows."""
    reading = read_once(league)
    table = BY_MODEL[model]
    [row] = sealed(table.rows.filter(pk=key), reading.salt)
    was = reading.known[(table.name, str(key))]
    return (row.fixed, row.words) != (was.fixed, was.words)


# --- deleted and inserted rows -------------------------------------------------------------------


def test_any_deleted_row_is_found(league: League) -> None:
    silent, deleted = [], 0
    with unguarded():
        for model in MODELS:
            for key in sample_keys(league, model):
                deleted += 1
                with tampering():
                    model._default_manager.filter(pk=key)._raw_delete("default")  # type: ignore[attr-defined]
                    if not is_found(league):
                        silent.append((name(model), key))
    assert silent == []
    assert deleted > 60


@pytest.mark.database
def test_deletion_of_the_last_log_entry_and_its_seal_is_found(league: League) -> None:
    """The journal's head contains the number of entries."""
    last = LogbookEntry.objects.filter(league=league).latest("pk")
    with unguarded():
        LogbookEntry.objects.filter(pk=last.pk)._raw_delete("default")  # type: ignore[attr-defined]
        noted = JournalEntry.objects.filter(chain=league.pk).latest("sequence")
        JournalEntry.objects.filter(pk=noted.pk)._raw_delete("default")  # type: ignore[attr-defined]
        codes = {each.code for each in audit_findings(league)}
    assert "journal-broken" in codes


def test_any_forged_row_is_found(league: League) -> None:
    """Inserts a copy under a different key, in each table where new rows have an effect."""
    silent, forged = [], 0
    with unguarded():
        for model in MODELS:
            if model in HARMLESS:
                continue
            for key in sample_keys(league, model):
                forged += 1
                with tampering():
                    forge(model, key)
                    if not is_found(league):
                        silent.append((name(model), key))
    assert silent == []
    assert forged > 50


def forge(model: Model, key: Any) -> None:
    [row] = model._default_manager.filter(pk=key).values()
    for field in model._meta.concrete_fields:
        if field.attname in told_apart(model):
            row[field.attname] = fresh(row[field.attname])
    if model is Posting:
        row["key"] = f"open:{uuid4()}"  # other rows are sealed by the next closing
    if model is Revision:
        row["current"] = False
    if model is Announcement:  # its hand leads to the league
        hands = Hand.objects.filter(night__season__league=League.objects.get(), announcement=None)
        row["hand_id"] = hands.latest("made_at").pk
    if model is ObjectionAnswer:  # its objection leads to the league
        row["objection_id"] = Objection.objects.filter(answer=None).latest("made_at").pk
    model._default_manager.bulk_create([model(**row)])


def told_apart(model: Model) -> Iterator[str]:
    """Return the columns that identify a row in the model."""
    for field in model._meta.concrete_fields:
        if field.unique:
            yield field.attname
    for constraint in model._meta.constraints:
        if (
            isinstance(constraint, models.UniqueConstraint)
            and constraint.name != "league_revision_current_once"
        ):
            named = [model._meta.get_field(name) for name in constraint.fields]
            numbers = [field for field in named if not field.is_relation]
            yield (numbers or named)[-1].attname  # type: ignore[union-attr]


def fresh(value: Any) -> Any:
    if isinstance(value, int):
        return value + FAR
    if isinstance(value, UUID):
        return uuid4()
    return value and value[1:] + "0"


# --- the guards ----------------------------------------------------------------------------------


def guarded() -> Iterator[Model]:
    by_table = {name(model): model for model in apps.get_models()}
    for each in guards.REGISTERED:
        for table in each.tables:
            yield by_table[table]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has no OR REPLACE")
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.usefixtures("league")
def test_guards_prevent_insert_or_replace_on_every_table(recursive: str) -> None:
    """The guards also work for other programs whose connection has no recursive triggers."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA recursive_triggers = {recursive}")
        try:
            for model in guarded():
                assert model._default_manager.exists(), model
                table, key = name(model), model._meta.pk.column
                last = f"SELECT max({key}) FROM {table}"  # noqa: S608 (names of models)
                rows_of = f"SELECT * FROM {table} WHERE {key} = ({last})"  # noqa: S608
                refused(cursor, f"INSERT OR REPLACE INTO {table} {rows_of}")
        finally:
            cursor.execute("PRAGMA recursive_triggers = ON")


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has no OR REPLACE")
@pytest.mark.usefixtures("league")
def test_guards_prevent_update_or_replace_from_displacing_a_row() -> None:
    pushing = (
        "league_revision SET current = 1 WHERE NOT current",
        "league_seat SET position = 1, left_at = NULL WHERE position = 2",
        "league_payment SET posting_id = (SELECT max(posting_id) FROM league_payment)",
        "league_hand SET number = 1",
        "league_journalhead SET sequence = 1",
    )
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers = OFF")
        try:
            for each in pushing:
                refused(cursor, f"UPDATE OR REPLACE {each}")
        finally:
            cursor.execute("PRAGMA recursive_triggers = ON")


def refused(cursor: Any, sql: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        cursor.execute(sql)


@pytest.mark.database
def test_guards_prevent_invalid_changes_to_existing_rows(league: League) -> None:
    nights = Night.objects.filter(season__league=league, state=Night.State.CLOSED)
    steps: list[tuple[Any, dict[str, Any]]] = [
        (nights, {"state": Night.State.OPEN}),
        (nights, {"chip_value": 7}),
        (nights, {"name": "another"}),
        (Revision.objects.filter(current=False), {"current": True}),
        (Revision.objects.all(), {"answer": {}}),
        (Closing.objects.all(), {"hash": "0" * 64}),
        (PaymentStep.objects.all(), {"note": "otherwise"}),
        (ClosingSignature.objects.all(), {"statement": "{}"}),
        (SigningKey.objects.all(), {"private": ""}),
        (GameDocument.objects.all(), {"name": "otherwise"}),
        (JournalEntry.objects.all(), {"rows": []}),
        (JournalHead.objects.all(), {"hash": ""}),
    ]
    for state, others in {
        "confirmed": ("promised", "disputed"),
        "withdrawn": ("promised", "confirmed", "disputed"),
        "disputed": ("promised",),
    }.items():
        paid = apps.get_model("league", "Payment")._default_manager.filter(state=state)
        assert paid.exists()
        steps += [(paid, {"state": new}) for new in others]
    for rows_of, change in steps:
        with pytest.raises(IntegrityError, match="kept as it was"), transaction.atomic():
            rows_of.update(**change)


@pytest.mark.database
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="SQLite lifts all, the seals find it")
def test_erasure_can_rewrite_only_text_columns(league: League) -> None:
    closed = Closing.objects.filter(league=league)
    with triggers.renaming():
        with pytest.raises(IntegrityError), transaction.atomic():
            closed.update(made_at=datetime(2020, 1, 1, tzinfo=UTC))
        closed.update(reason="rewritten")
    with pytest.raises(IntegrityError), transaction.atomic():
        closed.update(reason="once more")
