"""A league's unreadable data does not stop other leagues' audit, backup or restore."""

import gzip
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from config.data.backups.reading import restore
from league.integrity import triggers
from league.integrity.audit import audit
from league.integrity.row_owners import owned, rows_of
from league.models import (
    BuyIn,
    Closing,
    GameDocument,
    Hand,
    League,
    Night,
    Payment,
    PlannedPayment,
    Revision,
    Seat,
)
from league.people.leagues import make_league
from league.stats.count import rebuild
from league.stats.figures.games import games_with_a_bank
from league.stats.scopes import of_all_time
from ledger import guards
from rules.documents import catalog
from tests.helpers.league.tampering import unguarded
from tests.helpers.security.seasons import a_full_season, everything
from tests.helpers.stages import sample

NOWHERE = "00000000-0000-4000-8000-000000000009"

pytestmark = [pytest.mark.django_db, pytest.mark.database]

sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL takes no such row")


@pytest.fixture(scope="module")
def neighbours(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[League, League]]:
    """Two leagues with every kind of row, in a transaction around the test transactions."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_full_season("Good"), a_full_season("Bad")
        transaction.set_rollback(True)


@pytest.fixture
def good(neighbours: tuple[League, League]) -> League:
    """The valid league.

    Sequences are set above its rows' ids, because a rollback does not reset them.
    """
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), list(apps.get_models())):
            cursor.execute(sql)
    return League.objects.get(pk=neighbours[0].pk)


@pytest.fixture
def bad(neighbours: tuple[League, League]) -> League:
    return League.objects.get(pk=neighbours[1].pk)


def run(*arguments: str) -> tuple[str, int]:
    """Return a command's output and exit code."""
    out = StringIO()
    try:
        call_command(*arguments, stdout=out)
    except SystemExit as ended:
        return out.getvalue(), int(str(ended.code))
    return out.getvalue(), 0


def revisions(league: League) -> Any:
    return Revision.objects.filter(hand__night__season__league=league)


def raw(sql: str, *values: Any) -> None:
    """Execute SQL without triggers, which allows corrupted data to be stored."""
    guards.remove(connection, triggers.league())
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    if connection.vendor == "postgresql":
        connection.check_constraints()
    guards.install(connection, triggers.league())


# Kinds of corruption that writers never create.
SPOILT: dict[str, Callable[[League], object]] = {
    "an answer of another type": lambda league: revisions(league).update(answer=[7]),
    "no names": lambda league: revisions(league).update(names={}),
    "names of no player": lambda league: revisions(league).update(names={"ann": "nobody"}),
    "a record of another type": lambda league: revisions(league).update(record="x"),
    "pots of another type": lambda league: Night.objects.filter(season__league=league).update(
        opening_pots={"a": [None]}
    ),
    "pots from nowhere": lambda league: Night.objects.filter(season__league=league).update(
        opening_pots=[{"amount": "x", "for": 3}]
    ),
    "kept chips of another type": lambda league: Closing.objects.filter(league=league).update(
        kept=[{"amount": None}]
    ),
    "numbers past all bounds": lambda league: PlannedPayment.objects.filter(
        plan__season__league=league
    ).update(chips=2**63 - 1, lost=2**63 - 1),
}


@pytest.mark.parametrize("what", sample(sorted(SPOILT), 3))
def test_audit_reports_the_corrupted_league_and_still_checks_all_others(
    what: str, good: League, bad: League
) -> None:
    with unguarded():
        SPOILT[what](bad)
        BuyIn.objects.filter(pk=BuyIn.objects.filter(night__season__league=good)[0].pk).update(
            chips=7
        )
    texts = [each.text for each in audit()]
    assert any("Bad" in text for text in texts)
    assert any("Good" in text for text in texts)
    output, code = run("audit")
    assert code == 1
    assert "Bad" in output


@sqlite
@pytest.mark.parametrize("column", ["answer", "record", "names"])
def test_audit_continues_past_invalid_json(column: str, good: League, bad: League) -> None:
    spoil_text(bad, column, "no json")
    findings = audit()
    assert {each.text.partition(",")[0].partition(":")[0] for each in findings} == {"Bad"}
    assert audit(good) == []


def spoil_text(league: League, column: str, text: str) -> None:
    hand = Hand.objects.filter(night__season__league=league, voided=False)[0]
    raw("PRAGMA ignore_check_constraints = ON")
    raw(
        f"UPDATE league_revision SET {column} = %s WHERE hand_id = %s",  # noqa: S608
        text,
        hand.pk.hex,
    )
    raw("PRAGMA ignore_check_constraints = OFF")


def test_audit_finds_rows_that_refer_to_another_league(good: League, bad: League) -> None:
    night = Night.objects.filter(season__league=good, name="the last one").get()
    seat = Seat.objects.create(night=night, player=bad.players.get(name="ann"), position=1)
    assert [(finding.code, finding.ids) for finding in audit()] == [("stray", (str(seat.pk),))]
    assert [finding.code for finding in audit(good)] == ["stray"]
    payment = Payment.objects.filter(planned__plan__season__league=bad)[0]
    planned = PlannedPayment.objects.filter(plan__season__league=good)[0]
    with unguarded():
        Payment.objects.filter(pk=payment.pk).update(planned=planned)
    assert {"stray", "balance-differs"} <= {finding.code for finding in audit(good)}


@pytest.mark.parametrize("changed", ["document", "name", "slug"])
def test_audit_finds_a_changed_document(changed: str, good: League) -> None:
    row = GameDocument.objects.get(slug="texas-holdem")
    values = {
        "document": row.document | {"shares": ["low"]},
        "name": "Mine takes all",
        "slug": next(slug for slug in catalog.slugs() if slug != "texas-holdem"),
    }
    with unguarded():
        GameDocument.objects.filter(pk=row.pk).update(**{changed: values[changed]})
    assert "document-changed" in {finding.code for finding in audit()}
    assert "document-changed" in {finding.code for finding in audit(good)}
    codes = {finding.code for finding in audit() if "Good" in finding.text}
    assert codes == {"hand-differs", "seal-broken"}


def test_another_leagues_rules_with_the_same_name_are_ignored(good: League, bad: League) -> None:
    """That league's records may contain rules with the same name."""
    rebuild(good.pk)
    game = good.house_games.get().slug
    GameDocument.objects.create(hash="0" * 64, name=game, document={"dues": ["bank 1"]})
    assert games_with_a_bank(of_all_time(good)) == []


# --- backups -------------------------------------------------------------------------------------


@sqlite
@pytest.mark.parametrize(
    ("column", "text"),
    [("answer", '{"a": "\\u0000"}'), ("reason", "a\0b"), ("carry", "x")],
)
def test_backup_skips_only_the_corrupted_league(
    column: str, text: str, good: League, bad: League, tmp_path: Path
) -> None:
    before = rows_by_league(good)
    spoil_text(bad, column, text)
    file = tmp_path / "all.backup"
    output, code = run("backup", str(file))
    assert code == 1
    assert str(bad.pk) in output
    assert str(good.pk) not in output
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", str(file))
    gone()
    output, code = run("restore", str(file))
    assert code == 1
    assert str(bad.pk) in output
    assert rows_by_league(good) == before
    assert list(League.objects.all()) == [good]
    assert audit() == []


def rows_by_league(league: League) -> dict[str, list[Any]]:
    return {
        model.__name__: list(rows_of(model, league.pk).order_by("pk").values())
        for model in owned()
        if model.__name__ != "LogbookEntry"
    }


def gone() -> None:
    """Delete all rows in the database."""
    tables = connection.introspection.table_names()
    ours = [table for table in tables if table.startswith(("ledger_", "league_", "api_"))]
    with transaction.atomic(), connection.cursor() as cursor:
        for guard in guards.REGISTERED:
            guards.remove(connection, guard)
        for table in ours:
            if table != "ledger_guard":
                cursor.execute(f'DELETE FROM "{table}"')  # noqa: S608
        connection.check_constraints()
        for guard in guards.REGISTERED:
            guards.install(connection, guard)


def backup_lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()[:-1]]


def write(file: Path, lines: list[Any], **also: Any) -> None:
    """Write a backup with a valid checksum and the given content."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    foot = {
        "rows": sum(isinstance(line, list) for line in lines),
        "sha256": sha256(text.encode()).hexdigest(),
        **also,
    }
    file.write_bytes(gzip.compress(f"{text}{json.dumps(foot)}\n".encode()))


def spoil_rows(lines: list[Any], league: League, table: str, value: Any, column: str) -> None:
    """Put a value into the first row of a league's table."""
    section, columns, name = "", [], ""
    for line in lines:
        if isinstance(line, dict):
            section, name = line.get("section", section), line.get("table", name)
            columns = line.get("columns", columns)
        elif (section, name) == (str(league.pk), table):
            line[columns.index(column)] = value
            return
    raise AssertionError(table)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    sample(
        [
            ("league_revision", "answer", {"a": "\x00"}),
            ("league_revision", "answer", [7]),
            ("league_revision", "reason", "a\x00b"),
            ("league_revision", "made_at", "yesterday"),
            ("league_revision", "hand_id", "00000000-0000-4000-8000-000000000009"),
            ("league_revision", "document_id", "0" * 64),
            ("league_night", "opening_pots", {"a": None}),
            ("league_night", "name", "x" * 500),
            ("league_closing", "hash", "0" * 64),
            ("league_seat", "position", 10**9),
            ("league_league", "code", "\ud800"),
            ("league_league", "book_id", None),
            ("ledger_transfer", "amount", -1),
            ("ledger_transfer", "amount", 10**40),
            ("league_buyin", "id", "no id"),
        ],
        3,
    ),
)
def test_backup_with_a_corrupted_league_is_restored_without_it(
    table: str, column: str, value: Any, good: League, bad: League, tmp_path: Path
) -> None:
    """The corrupted data includes values that only one of the two databases accepts."""
    file, before = tmp_path / "all.backup", rows_by_league(good)
    assert run("backup", str(file))[1] == 0
    lines = backup_lines(file)
    spoil_rows(lines, bad, table, value, column)
    write(file, lines)
    gone()
    output, code = run("restore", str(file))
    assert code == 1
    assert f"league {bad.pk} is left out" in output
    assert rows_by_league(good) == before
    assert list(League.objects.all()) == [good]
    assert audit() == []


def test_row_in_the_wrong_section_of_a_backup_is_detected(
    good: League, bad: League, tmp_path: Path
) -> None:
    file = tmp_path / "all.backup"
    run("backup", str(file))
    lines, night = backup_lines(file), Night.objects.filter(season__league=good)[0]
    spoil_rows(lines, bad, "league_seat", str(night.pk), "night_id")
    write(file, lines)
    gone()
    output, _ = run("restore", str(file))
    assert f"league {bad.pk} is left out" in output
    assert list(League.objects.all()) == [good]
    assert audit() == []


def test_altered_document_is_not_restored(good: League, tmp_path: Path) -> None:
    empty = make_league(good.created_by, "Empty")  # type: ignore[arg-type]
    file = tmp_path / "all.backup"
    run("backup", str(file))
    lines = backup_lines(file)
    at = next(i for i, each in enumerate(lines) if each_table(each) == "league_gamedocument")
    document = lines[at]["columns"].index("document")
    lines[at + 1][document] |= {"shares": ["low"]}
    write(file, lines)
    gone()
    output, code = run("restore", str(file))
    assert code == 1
    assert "league_gamedocument is left out" in output
    assert list(League.objects.all()) == [empty]


def each_table(line: Any) -> str:
    return str(line.get("table", "")) if isinstance(line, dict) else ""


def test_replacing_with_an_incomplete_backup_is_refused(
    good: League, bad: League, tmp_path: Path
) -> None:
    file = tmp_path / "all.backup"
    run("backup", str(file))
    lines = backup_lines(file)
    spoil_rows(lines, bad, "league_revision", [7], "answer")
    write(file, lines)
    before = everything()
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("restore", "--replace", str(file))
    assert everything() == before
    assert not any(
        guards.missing(connection, each) for each in (*guards.REGISTERED, triggers.league())
    )


def test_replacing_with_a_backup_that_skipped_an_existing_league_is_refused(
    good: League, bad: League, tmp_path: Path
) -> None:
    file, before = tmp_path / "all.backup", everything()
    run("backup", str(file))
    lines = backup_lines(file)
    start = lines.index({"section": str(bad.pk)})
    end = next((at for at in range(start + 1, len(lines)) if "section" in lines[at]), len(lines))
    write(file, [*lines[:start], *lines[end:]], skipped=["Bad"], leagues=[str(bad.pk)])
    with pytest.raises(CommandError, match=r"not in the backup: Bad\. Nothing was changed"):
        call_command("restore", "--replace", str(file))
    assert everything() == before


@pytest.mark.parametrize(
    "lines",
    sample(
        [
            [{"section": "no id"}, {"table": "league_league", "columns": ["id"]}, ["x"]],
            [{"table": "no_table", "columns": ["id"]}, ["x"]],
            [{"section": NOWHERE}, {"table": "no_table", "columns": ["id"]}, ["x"]],
            [{"table": "league_league", "columns": ["no column"]}, ["x"]],
            [{"table": "league_league", "columns": 3}, ["x"]],
            [{"section": NOWHERE}, {"table": "league_league", "columns": ["id"]}, ["x", "y"]],
        ],
        2,
    ),
)
def test_backup_with_unknown_content_is_refused(
    lines: list[Any], good: League, tmp_path: Path
) -> None:
    file, before = tmp_path / "all.backup", everything()
    run("backup", str(file))
    write(file, [backup_lines(file)[0], *lines])
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("restore", "--replace", str(file))
    assert everything() == before


def test_restore_progress_ends_at_the_number_of_rows(
    good: League, bad: League, tmp_path: Path
) -> None:
    file, seen = tmp_path / "all.backup", []
    run("backup", str(file))
    gone()
    outcome = restore(file, lambda done, whole: seen.append((done, whole)))
    assert seen[-1] == (outcome.rows, outcome.rows)
    assert set(League.objects.all()) == {good, bad}
