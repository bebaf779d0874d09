"""A season file is untrusted. Importing it affects nothing outside the new league."""

import copy
import json
import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID
from zlib import crc32

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from league.archive.file_format import MEDIA_TYPE, MOST_ERRORS
from league.archive.import_season import import_season
from league.common.errors import RefusedError
from league.games.documents import listed_hash, store_document, wrong_document
from league.integrity.audit import audit
from league.models import (
    BuyIn,
    ClosingLine,
    GameDocument,
    JournalEntry,
    League,
    Night,
    Payment,
    PlannedPayment,
    Role,
    Seat,
    SigningKey,
)
from league.people.leagues import make_league
from league.stats.count import rebuild
from ledger.balances import balances
from tests.helpers.api.clients import member, refusal
from tests.helpers.league.leagues import a_user
from tests.helpers.security.seasons import (
    Json,
    a_full_season,
    everything,
    file_of,
    lines_of,
    of_others,
)

pytestmark = pytest.mark.django_db

FILES_A_FIELD = 6  # a run with 16 files per field (4,155 files) did not find any errors
SEED = 15


@pytest.fixture(scope="module")
def neighbours(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[League]:
    """Leagues with every kind of row, used as targets of an attack."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_full_season()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def exported(neighbours: League) -> list[Json]:
    return file_of(neighbours)


@pytest.fixture
def file(exported: list[Json]) -> list[Json]:
    """A file with every kind of row, for the tests to modify."""
    return copy.deepcopy(exported)


@pytest.fixture
def empty() -> League:
    return make_league(a_user(), "Empty")


def refused(league: League, rows: list[Json] | list[str]) -> set[str]:
    """Return the codes of the errors, after checking that nothing has changed."""
    before = everything()
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    with pytest.raises(RefusedError) as error:
        import_season(league, lines)
    assert everything() == before
    return {each["code"] for each in error.value.errors}


# --- attacks on an older version -----------------------------------------------------------------

OLD: list[Json] = [
    {
        "format": "dealers-choice season",
        "version": 1,
        "league": {
            "currency": "USD",
            "time_zone": "UTC",
            "chip_value": 1,
            "closing_hour": 6,
            "settles": "night",
            "uncounted": "wait",
            "leftover": "back",
        },
    },
    {
        "row": "Season",
        "id": "00000000-0000-4000-8000-000000000001",
        "league_id": "00000000-0000-4000-8000-000000000000",
        "name": "Season 1",
        "starts_on": "2026-01-01",
        "ends_on": None,
        "scoring": "net",
        "points": [],
        "best_nights": None,
    },
    {
        "row": "Player",
        "id": "00000000-0000-4000-8000-000000000002",
        "league_id": "00000000-0000-4000-8000-000000000000",
        "name": "Ghost",
        "is_guest": False,
    },
]
SPELLINGS = {
    "as it is": str,
    "in capitals": lambda key: str(key).upper(),
    "as a urn": lambda key: f"urn:uuid:{key}",
    "in braces": lambda key: f"{{{key}}}",
    "as digits": lambda key: getattr(key, "hex", str(key)),
    "with spaces": lambda key: f" {key}",
}


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_no_spelling_of_an_id_reaches_a_player_in_another_league(
    spelling: str, neighbours: League, empty: League
) -> None:
    night = Night.objects.get(season__league=neighbours, name="the last one")
    seat = {
        "row": "Seat",
        "night_id": SPELLINGS[spelling](night.pk),
        "player_id": OLD[-1]["id"],
        "position": 9,
        "joined_at": "2026-01-01T00:00:00+00:00",
        "left_at": None,
    }
    before = of_others(empty)
    with pytest.raises(RefusedError):
        import_season(empty, lines_of([*OLD, seat]))
    assert not Seat.objects.filter(night=night).exists()
    assert of_others(empty) == before


def test_file_cannot_redefine_a_catalog_game(empty: League) -> None:
    poisoned = {
        "row": "GameDocument",
        "hash": listed_hash("texas-holdem"),
        "slug": "texas-holdem",
        "name": "Mine takes all",
        "document": {"name": "Mine takes all"},
    }
    with pytest.raises(RefusedError):
        import_season(empty, lines_of([*OLD, poisoned]))
    document = store_document("texas-holdem")
    assert GameDocument.objects.get(pk=document.pk).name == "Texas Hold'em"
    assert audit() == []


# --- documents and answers -----------------------------------------------------------------------


def document_of(file: list[Json], slug: str) -> Json:
    numbers = [row["document"] for row in file if _variant(row) == slug]
    return next(r for r in file if (r.get("row"), r.get("id")) == ("GameDocument", numbers[0]))


def _variant(row: Json) -> object:
    return (row.get("record") or {}).get("variant")


def test_rules_named_after_a_catalog_game_affect_only_their_league(
    file: list[Json], empty: League
) -> None:
    """The rules are stored under a hash that the import computes, so no other game changes."""
    document_of(file, "texas-holdem")["document"]["name"] = "Mine"
    before = of_others(empty)
    import_season(empty, lines_of(file))
    added = GameDocument.objects.exclude(pk__in=before["GameDocument"])
    assert [row.name for row in added] == ["Mine"]
    assert [(row.slug, wrong_document(row)) for row in added] == [("", "")]
    after = of_others(empty)
    assert {**after, "GameDocument": {}} == {**before, "GameDocument": {}}
    assert after["GameDocument"].items() >= before["GameDocument"].items()
    assert audit() == []


def test_rules_that_change_a_hands_result_are_refused(file: list[Json], empty: League) -> None:
    document_of(file, "texas-holdem")["document"]["shares"] = ["low"]
    assert refused(empty, file) <= {"answer-differs", "bad-game", "bad-variant"}


def test_altered_result_in_a_file_is_refused(file: list[Json], empty: League) -> None:
    place, row = next((at, r) for at, r in enumerate(file) if _variant(r) == "texas-holdem")
    won = row["answer"]["won"]
    row["answer"]["won"] = {name: chips + 1 for name, chips in won.items()}
    with pytest.raises(RefusedError) as wrong:
        import_season(empty, lines_of(file))
    [error] = wrong.value.errors
    assert (error["code"], error["where"]) == ("answer-differs", f"lines/{place + 1}/answer/won")


def test_file_contains_no_database_ids(file: list[Json], neighbours: League) -> None:
    """The exceptions are seals and keys, which are meant to be compared elsewhere."""
    text = json.dumps(file)
    for model in {*apps.get_models()} - {JournalEntry, SigningKey}:
        for key in model._base_manager.values_list("pk", flat=True):
            if isinstance(key, UUID) or len(str(key)) > 20:
                assert str(key) not in text
                assert getattr(key, "hex", str(key)) not in text


# --- bounds --------------------------------------------------------------------------------------


def test_line_length_is_checked_before_parsing(empty: League, file: list[Json]) -> None:
    head = json.dumps(file[0])
    assert refused(empty, [head, "x" * 3_000_000]) == {"too-long"}
    assert refused(empty, [head, '{"row": ' + "[" * 200_000]) == {"not-json"}
    assert refused(empty, [head, '{"row": ' + "9" * 5_000 + "}"]) == {"not-json"}
    with pytest.raises(RefusedError) as wrong:
        import_season(empty, _endless(head))
    assert [each["code"] for each in wrong.value.errors] == ["too-long"]


def test_short_lines_take_no_more_memory_than_long_ones(empty: League) -> None:
    """16 MB of short lines used to take 700 MB, because all lines were listed before parsing."""
    host, body = member(empty, Role.HOST), b"ab\n" * 500_000
    assert _sent(host, empty, ["ab"]) == 400  # ignores what the first request loads
    tracemalloc.start()
    try:
        refusal(host.post(f"/api/v1/leagues/{empty.pk}/season-file", body, MEDIA_TYPE), 400)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(body)
    finally:
        tracemalloc.stop()


def _endless(head: str) -> Iterator[str]:
    yield head
    while True:
        yield ""


def test_errors_in_a_season_file_are_reported_together_up_to_a_limit(
    file: list[Json], empty: League
) -> None:
    for row in file[1:]:
        row["more"] = 1
    with pytest.raises(RefusedError) as error:
        import_season(empty, lines_of(file))
    assert len(error.value.errors) == MOST_ERRORS
    assert [each["where"] for each in error.value.errors[:2]] == ["lines/2/more", "lines/3/more"]


def test_import_that_exceeds_its_time_limit_is_refused(file: list[Json], empty: League) -> None:
    with pytest.raises(RefusedError) as wrong:
        import_season(empty, lines_of(file), seconds=1e-9)
    assert [each["code"] for each in wrong.value.errors] == ["too-much"]


# --- corrupted fields -----------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    3,
    2,
    1.5,
    1e999,
    10**12,
    2**31,
    2**63,
    -(10**30),
    "",
    "x",
    "a\x00b",
    "\x1b[31m\x07",
    "\ud800",
    "x" * 5_000,
    [],
    [[]],
    {},
    {"a": None},
    "9999-12-31T23:59:59+00:00",
    "0001-01-01",
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return every path in a row, including nested ones."""
    if path:
        yield path
    inside: Any = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, each in inside:
        yield from paths(each, (*path, key))


def corrupted(row: Json, path: tuple[Any, ...], value: Any) -> str:
    fresh = json.loads(json.dumps(row))
    inner = fresh
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(fresh)


def foreign_ids() -> dict[str, list[Any]]:
    """Return another league's row keys and unused keys, by table."""
    ids = {}
    for model in apps.get_models():
        if keys := list(model._base_manager.values_list("pk", flat=True)[:3]):
            ids[model.__name__] = keys
    assert len(ids) >= 25
    return ids


def places(file: list[Json]) -> list[tuple[int, tuple[Any, ...]]]:
    """Return one row for each shape of each table, with all of its paths, ordered by hash."""
    rows_by_shape: dict[tuple[str, ...], tuple[int, tuple[Any, ...]]] = {}
    for at, row in enumerate(file):
        for path in paths(row):
            shape = (row.get("row"), row.get("kind"), *(key for key in path if key != 0))
            if not (path[0] == "document" and len(path) > 3):
                rows_by_shape.setdefault(tuple(map(str, shape)), (at, path))
    return [
        rows_by_shape[shape]
        for shape in sorted(rows_by_shape, key=lambda each: crc32(str(each).encode()))
    ]


@pytest.mark.parametrize(
    ("fields", "least_refused", "least_harmless"),
    [
        pytest.param(20, 20, 0, id="some fields"),
        pytest.param(None, 1_000, 20, id="all fields", marks=pytest.mark.scheduled),
    ],
)
@pytest.mark.slow
def test_corrupted_field_is_either_refused_or_harmless(
    neighbours: League,
    file: list[Json],
    empty: League,
    fields: int | None,
    least_refused: int,
    least_harmless: int,
) -> None:
    """The file is rejected without changes, or the change is harmless.

    Harmless means that other leagues' rows stay, all checks pass, and all players have won, owe and
    have paid the same as in the original file.
    """
    chance = random.Random(SEED)
    ids, lines = foreign_ids(), lines_of(file)
    whole, others = everything(), of_others(empty)
    right = money_of(empty, lines)
    counts: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    for number, (at, path) in enumerate(places(file)[:fields]):
        spoils = [*VALUES, *_ids(ids, chance)]
        for value in chance.sample(spoils, FILES_A_FIELD if fields is None else 2):
            line = corrupted(file[at], path, value)
            if line != lines[at]:
                corrupted_lines = [*lines[:at], line, *lines[at + 1 :]]
                once = (file[at].get("row"), path[0]) in SAID_ONCE
                audited = not counts["harmless"] % 4
                effect = outcome(
                    empty, corrupted_lines, others, None if once else right, audited=audited
                )
                counts[effect] += 1
                if effect == "harmless":
                    harmless[f"{file[at].get('row', '')}.{path[0]}"] += 1
        if not number % 10:
            assert everything() == whole, (at, path)
    assert everything() == whole
    print(f"season files, by what came of them: {dict(counts)}")  # noqa: T201 (for the record)
    print(f"harmless were: {dict(harmless)}")  # noqa: T201 (for the record)
    assert counts["refused"] >= least_refused
    assert counts["harmless"] >= least_harmless
    assert counts["unforeseen"] == 0


def _ids(ids: dict[str, list[Any]], chance: random.Random) -> Iterator[Any]:
    """Return the keys of every table in every spelling."""
    for keys in ids.values():
        key = chance.choice(keys)
        yield key if isinstance(key, int) else str(key)
        yield chance.choice(list(SPELLINGS.values()))(key)


# Values that no other row contains: the paid amount and the planned payment. If they are different
# but within the plan, the file is a valid file of a different season.
SAID_ONCE = {("Payment", "chips"), ("Payment", "planned")}
NUMBERS = ("bought", "cashed", "stack", "back", "put_right", "bears", "cash", "settles")
PLANNED = ("payer", "payee", "chips", "lost", "won")


def money_of(league: League, lines: list[str]) -> list[Any]:
    """Return the file's winnings, debts and payments. The import is rolled back."""
    with transaction.atomic():
        import_season(league, lines)
        chips = money(league)
        transaction.set_rollback(True)
    return chips


def money(league: League) -> list[Any]:
    """Return all players' winnings, debts and payments, by their position in the file.

    The position identifies a player, because a changed file may contain different names.
    """
    bought = BuyIn.objects.filter(night__season__league=league).order_by("posting")
    order = dict.fromkeys(bought.values_list("player", flat=True))
    who = {player: number for number, player in enumerate(order)}
    tabs = balances(league.book, kind="tab")
    lines = ClosingLine.objects.filter(closing__league=league).order_by("closing__sequence", "pk")
    planned = PlannedPayment.objects.filter(plan__season__league=league)
    paid = Payment.objects.filter(planned__in=planned).order_by("chips", "state")
    return [
        {number: tabs[f"tab:{player}"] for player, number in who.items()},
        sorted(balances(league.book, nonzero=True).values()),
        [(who[one], *numbers) for one, *numbers in lines.values_list("player", *NUMBERS)],
        sorted((who[one], who[two], *more) for one, two, *more in planned.values_list(*PLANNED)),
        list(paid.values_list("chips", "state")),
    ]


def outcome(
    league: League, lines: list[str], others: Any, right: list[Any] | None, *, audited: bool
) -> str:
    """Import a file, roll the import back, and return the result. `right` is the expected money."""
    try:
        with transaction.atomic():
            import_season(league, lines)
            rows = everything()
            assert _without_documents(of_others(league, rows)) == _without_documents(others)
            assert rows["GameDocument"].items() >= others["GameDocument"].items()
            assert right is None or money(league) == right
            assert not audited or audit() == []  # nothing outside the new league has changed
            transaction.set_rollback(True)
    except RefusedError as wrong:
        unforeseen = ("file", "not-whole")
        rows = {(each["where"], each["code"]) for each in wrong.errors}
        return "unforeseen" if unforeseen in rows else "refused"
    return "harmless"


def test_changed_payment_moves_exactly_its_chips(file: list[Json], empty: League) -> None:
    """The chips move from the payer to the payee. Plans and winnings stay the same.

    A later plan replaced the chips that were not reported.
    """
    chips = 2
    before = money_of(empty, lines_of(file))
    payment = next(row for row in file if row.get("row") == "Payment")
    assert (payment["state"], payment["chips"]) == (Payment.State.CONFIRMED, 1)
    payment["chips"] = chips
    after = money_of(empty, lines_of(file))
    assert after[2:4] == before[2:4]
    moved = {who: after[0][who] - before[0][who] for who in before[0]}
    assert sorted(moved.values()) == [1 - chips, 0, 0, chips - 1]
    assert sum(after[1]) == sum(before[1]) == 0


@pytest.mark.parametrize("chips", [3, 30])
def test_payment_never_exceeds_the_plan(chips: int, file: list[Json], empty: League) -> None:
    next(row for row in file if row.get("row") == "Payment")["chips"] = chips
    assert "too-much" in refused(empty, file)


@pytest.mark.parametrize(
    ("name", "value", "code"), [("chips", 1, "bad-plan"), ("plan", 1, "bad-plan")]
)
def test_changed_replacement_is_refused(
    name: str, value: int, code: str, file: list[Json], empty: League
) -> None:
    row = next(row for row in file if row.get("row") == "PaymentReplacement")
    assert row[name] != value
    row[name] = value
    assert code in refused(empty, file)


def _without_documents(rows: Any) -> Any:
    return {**rows, "GameDocument": {}}


@pytest.mark.parametrize("files", [10, pytest.param(40, marks=pytest.mark.scheduled)])
@pytest.mark.slow
def test_corrupted_file_never_causes_a_server_error(
    file: list[Json], empty: League, files: int
) -> None:
    """Neither the import nor a page of the imported season may fail."""
    chance, host, lines = random.Random(SEED), member(empty, Role.HOST), lines_of(file)
    ids, seen = foreign_ids(), Counter[int]()
    for at, path in chance.sample(places(file), files):
        value = chance.choice([*VALUES, 1, 2, 3, 4, 5, *_ids(ids, chance)])
        corrupted_lines = [*lines[:at], corrupted(file[at], path, value), *lines[at + 1 :]]
        with transaction.atomic():
            seen[_sent(host, empty, corrupted_lines)] += 1
            transaction.set_rollback(True)
    assert seen.keys() <= {201, 400}
    with transaction.atomic():
        assert _sent(host, empty, lines) == 201
        transaction.set_rollback(True)


def _sent(host: Client, league: League, lines: list[str]) -> int:
    address = f"/api/v1/leagues/{league.pk}/season-file"
    answer = host.post(address, "\n".join(lines), content_type=MEDIA_TYPE)
    if answer.status_code == 201:
        rebuild(league.pk)
        pages = [f"/seasons/{league.seasons.get().pk}", f"/leagues/{league.pk}/stats"]
        pages += [f"/nights/{night.pk}" for night in Night.objects.filter(season__league=league)]
        for page in pages:
            assert host.get(page).status_code == 200, page
    return answer.status_code
