"""A season file's closings, plans and payments must be possible results of the writers."""

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from league.archive.export_season import export_season
from league.archive.import_season import import_season
from league.closing import closing_hash
from league.closing.close import Decisions, close_night
from league.closing.payment_plans import settle_season
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import Closing, ClosingLine, League, PaymentPlan, PlannedPayment
from league.nights.opening import open_night
from league.people.leagues import make_league
from league.recording.corrections import void_hand
from tests.helpers.league.leagues import a_user
from tests.helpers.league.nights import a_table, chosen, dealt
from tests.helpers.security.seasons import (
    Json,
    a_full_season,
    a_running_tab,
    everything,
    file_of,
    lines_of,
)

pytestmark = pytest.mark.django_db

HUGE = 10**12


@pytest.fixture(scope="module")
def exported(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, list[Json]]:
    """Season files from two leagues, which are deleted after the export."""
    with django_db_blocker.unblock(), transaction.atomic():
        files = {"file": file_of(a_full_season()), "tab": file_of(a_running_tab())}
        transaction.set_rollback(True)
    return files


@pytest.fixture
def file(exported: dict[str, list[Json]]) -> list[Json]:
    """A file with nights' plans, carried pots, and missing chips."""
    return copy.deepcopy(exported["file"])


@pytest.fixture
def tab(exported: dict[str, list[Json]]) -> list[Json]:
    """A file with season plans, one of them empty, and a later night."""
    return copy.deepcopy(exported["tab"])


def rows(file: list[Json], table: str) -> list[Json]:
    return [row for row in file if row.get("row") == table]


def refused(file: list[Json]) -> set[tuple[str, str]]:
    """Return the path and code of each error, after checking that nothing has changed."""
    empty = make_league(a_user(), "Empty")
    before = everything()
    with pytest.raises(RefusedError) as error:
        import_season(empty, lines_of(file))
    assert everything() == before
    return {(each["where"], each["code"]) for each in error.value.errors}


def at(file: list[Json], row: Json, where: str) -> str:
    return f"lines/{file.index(row) + 1}/{where}".rstrip("/")


# --- plans ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("chips", [21, 19, HUGE, 10**15])
@pytest.mark.parametrize("fixture", ["file", "tab"])
def test_plan_whose_amounts_differ_from_the_debts_is_refused(
    chips: int, fixture: str, request: pytest.FixtureRequest
) -> None:
    """A file with 10^15 planned chips, partly confirmed, used to pass the audit."""
    file = request.getfixturevalue(fixture)
    for planned in rows(file, "PlannedPayment"):
        was, planned["chips"] = planned["chips"], chips
        if was != chips:
            assert (at(file, planned, "chips"), "bad-plan") in refused(file)
        planned["chips"] = was


@pytest.mark.parametrize("fixture", ["file", "tab"])
def test_plan_that_sends_chips_back_and_forth_is_refused(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    """Each player's total is right, but the payments are not."""
    file = request.getfixturevalue(fixture)
    first = rows(file, "PlannedPayment")[0]
    plan = next(row for row in rows(file, "Plan") if row["id"] == first["plan"])
    used = [row["position"] for row in rows(file, "PlannedPayment") if row["plan"] == plan["id"]]
    back = {"payer": first["payee"], "payee": first["payer"], "position": max(used) + 1}
    first["chips"] += HUGE
    file.insert(file.index(first) + 1, first | back | {"id": 99, "chips": HUGE})
    assert (at(file, plan, ""), "bad-plan") in refused(file)


def test_plan_with_more_payments_than_needed_is_refused(file: list[Json]) -> None:
    first = rows(file, "PlannedPayment")[0]
    first["chips"] -= 1
    file.insert(file.index(first) + 1, first | {"id": 99, "chips": 1, "position": 9})
    plan = rows(file, "Plan")[0]
    assert {(at(file, plan, ""), "bad-plan"), (at(file, plan, ""), "not-whole")} <= refused(file)


def test_plan_without_its_payments_is_refused(tab: list[Json]) -> None:
    """A plan without payments does not balance the debts."""
    planned = rows(tab, "PlannedPayment")
    plan = next(row for row in rows(tab, "Plan") if row["id"] == planned[0]["plan"])
    gone = {row["id"] for row in planned}
    paid = {row["id"] for row in rows(tab, "Payment") if row["planned"] in gone}
    kinds = {"PlannedPayment": gone, "Payment": paid}
    left = [
        row
        for row in tab
        if row.get("id") not in kinds.get(str(row.get("row")), ())
        and row.get("payment") not in paid
        and not str(row.get("kind")).startswith("payment")
    ]
    assert (at(left, plan, ""), "bad-plan") in refused(left)


def test_season_plan_without_a_settlement_time_is_refused(tab: list[Json]) -> None:
    plan = rows(tab, "Plan")[0]
    assert plan["closing"] is None
    assert plan["after"] == 1
    plan["after"] = None
    assert {code for _, code in refused(tab)} == {"bad-plan"}


@pytest.mark.parametrize(
    ("hours", "sealed", "after"), [(-1, False, None), (1, False, 1), (-1, True, 1)]
)
def test_settlement_time_comes_from_the_journal_if_possible(
    hours: int, sealed: bool, after: int | None
) -> None:
    """The clock is used only for plans that are older than the journal."""
    season = a_running_tab().seasons.get()
    closing = Closing.objects.get(night__season=season)
    moment = closing.made_at + timedelta(hours=hours)
    plan = PaymentPlan.objects.create(
        id=uuid4(), season=season, chip_value=1, currency="USD", made_at=moment
    )
    if sealed:
        closing_hash.seal_plan(plan)
    file = file_of(season.league)
    times = [row["after"] for row in rows(file, "Plan") if row["made_at"] == moment.isoformat()]
    assert times == [after]
    import_season(make_league(a_user(), "Copy"), lines_of(file))


def test_season_settled_during_an_open_night_is_refused(tab: list[Json]) -> None:
    """A second night begins before the closing, and the plan is made after the closing."""
    night = rows(tab, "Night")[0]
    tab.insert(tab.index(night) + 1, night | {"id": 2, "number": 2})
    seat = rows(tab, "Seat")[0]
    tab.insert(tab.index(seat) + 1, seat | {"id": 99, "night": 2})
    bought = rows(tab, "BuyIn")[0]
    tab.insert(tab.index(bought) + 1, bought | {"id": 99, "night": 2})
    first = rows(tab, "Posting")[0]
    tab.insert(
        tab.index(first), {"row": "Posting", "id": 99, "kind": "buy-in", "of": 99, "chips": 0}
    )
    plans = {(at(tab, plan, "after"), "night-open") for plan in rows(tab, "Plan")}
    assert refused(tab) == plans


def test_correction_of_a_settled_season_during_an_open_night_is_imported() -> None:
    night = a_table(settles="season")
    hand = dealt(night)
    dealt(night)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    settle_season(night.season, uuid4(), by=None)
    open_night(chosen(night, settles="night").league)
    void_hand(hand, by=None)
    season = import_season(make_league(a_user(), "Copy"), export_season(night.season))
    assert stakes(season) == stakes(night.season)
    assert season.plans.filter(closing=None).count() == 2


def test_closing_plan_with_a_different_chip_value_is_refused(file: list[Json]) -> None:
    plan = rows(file, "Plan")[0]
    plan["chip_value"] += 1
    assert (at(file, plan, "chip_value"), "bad-plan") in refused(file)
    plan["chip_value"] -= 1
    plan["after"] = 1
    assert refused(file) == {(at(file, plan, "after"), "bad-plan")}


@pytest.mark.parametrize("banker", ["ann", "cat", "dan"])
def test_plans_using_a_banker_are_accepted(banker: str) -> None:
    league = a_running_tab(banker=banker)
    season = import_season(make_league(a_user(), "Copy"), export_season(league.seasons.get()))
    assert stakes(season) == stakes(league.seasons.get())
    planned = PlannedPayment.objects.filter(plan__season=season)
    assert all(banker in (each.payer.name, each.payee.name) for each in planned)
    assert audit(season.league) == []


def stakes(season: Any) -> set[Any]:
    rows = PlannedPayment.objects.filter(plan__season=season)
    return set(rows.values_list("payer__name", "payee__name", "chips", "lost", "won"))


# --- closings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["bought", "cashed", "stack", "put_right", "cash", "settles", "lost", "won"]
)
def test_derived_data_is_neither_exported_nor_accepted(name: str, file: list[Json]) -> None:
    """A receipt used to show the bought and owed chips from the file without checking them."""
    row = rows(file, "PlannedPayment" if name in ("lost", "won") else "Line")[0]
    assert name not in row
    row[name] = 0
    assert refused(file) == {(at(file, row, name), "unknown-field")}


def test_derived_data_is_recomputed_on_import() -> None:
    league = a_full_season()
    season = import_season(make_league(a_user(), "Copy"), lines_of(file_of(league)))
    derived = [sums(one) for one in (league, season.league)]
    assert derived[0] == derived[1]
    assert any(each[5] for each in derived[0])  # the data includes a correction


def sums(league: League) -> list[Any]:
    lines = ClosingLine.objects.filter(closing__league=league).order_by("closing__sequence", "pk")
    names = ("player__name", "bought", "cashed", "stack", "back", "put_right", "cash", "settles")
    return list(lines.values_list(*names))


def shift(name: str, chips: int) -> Callable[[list[Json]], tuple[Json, str]]:
    """Move chips from one line in a closing to another."""

    def change(file: list[Json]) -> tuple[Json, str]:
        one, other = rows(file, "Line")[:2]
        one[name] += chips
        other[name] -= chips
        return one, name

    return change


def change_kept(**changed: Any) -> Callable[[list[Json]], tuple[Json, str]]:
    def change(file: list[Json]) -> tuple[Json, str]:
        closing = rows(file, "Closing")[0]
        closing["kept"][0] |= changed
        return closing, "kept"

    return change


def opened(**changed: Any) -> Callable[[list[Json]], tuple[Json, str]]:
    def change(file: list[Json]) -> tuple[Json, str]:
        night = next(row for row in rows(file, "Night") if row["opening_pots"])
        night["opening_pots"][0] |= changed
        return night, "opening_pots"

    return change


@pytest.mark.parametrize(
    "change",
    [
        shift("bears", HUGE),
        shift("bears", 1),
        shift("counted", 1),
        change_kept(amount=HUGE),
        change_kept(amount=21),
        change_kept(amount=19),
        change_kept(**{"for": [1]}),
        change_kept(**{"for": [3, 4]}),
        change_kept(**{"for": [1, 2]}),
        opened(amount=HUGE),
        opened(amount=19),
        opened(**{"for": [3]}),
        opened(**{"for": [1, 2]}),
        opened(**{"from": None}),
    ],
)
def test_closing_with_shifted_chips_is_refused(
    change: Callable[[list[Json]], tuple[Json, str]], file: list[Json]
) -> None:
    row, name = change(file)
    assert at(file, row, name) in {where for where, _ in refused(file)}


def test_carried_pot_posted_after_its_night_opened_is_refused(file: list[Json]) -> None:
    posting = next(row for row in rows(file, "Posting") if row["kind"] == "pots handed on")
    place = file.index(posting)
    file[place], file[place + 1] = file[place + 1], file[place]
    assert (at(file, posting, "of"), "bad-posting") in refused(file)


def test_pot_that_is_only_partly_carried_or_returned_is_refused(file: list[Json]) -> None:
    """A carried pot can't also be returned, or be returned to players who have no part in it."""
    closing, line = rows(file, "Closing")[0], rows(file, "Line")[3]
    line["back"] = 20
    assert (at(file, closing, "kept"), "bad-pot") in refused(file)
    closing["kept"] = []
    assert (at(file, line, "back"), "bad-pot") in refused(file)
    line["back"] = 0
    assert (at(file, closing, "kept"), "bad-pot") in refused(file)


def test_chip_count_that_contradicts_the_closing_is_refused(file: list[Json]) -> None:
    line, closing = rows(file, "Line")[3], rows(file, "Closing")[0]
    line["counted"] = None
    assert (at(file, closing, "by_hands"), "not-counted") in refused(file)
    line["counted"] = 81
    assert (at(file, line, "counted"), "not-counted") in refused(file)
    line["counted"], closing["by_hands"] = 80, True
    assert refused(file) == {(at(file, closing, "by_hands"), "not-counted")}


def test_closing_with_a_missing_or_extra_player_is_refused(file: list[Json]) -> None:
    dan = rows(file, "Line")[3]
    closing = rows(file, "Closing")[0]
    without = [row for row in file if row is not dan]
    assert (at(without, closing, ""), "not-whole") in refused(without)
    nobody = {"player": 4, "position": 0, "back": 0, "counted": None, "bears": 0}
    line = rows(file, "Line")[5]
    stranger = line | nobody | {"id": 99}
    file.insert(file.index(line) + 1, stranger)
    assert refused(file) == {(at(file, stranger, "player"), "unknown-player")}


# --- payments ------------------------------------------------------------------------------------


def test_payment_above_its_planned_amount_is_refused(file: list[Json]) -> None:
    """Disputed and withdrawn payments were reported earlier, so they are limited as well."""
    for payment in rows(file, "Payment"):
        payment["chips"] = HUGE
        assert (at(file, payment, "chips"), "too-much") in refused(file)
        payment["chips"] = 1


def test_payment_state_that_contradicts_its_history_is_refused(file: list[Json]) -> None:
    step = rows(file, "PaymentStep")[4]
    for state in ("disputed", "withdrawn"):
        step["state"] = state
        assert (at(file, step, "state"), "bad-payment") in refused(file)


def test_payment_that_is_older_than_its_plan_is_refused(file: list[Json]) -> None:
    paid = next(row for row in rows(file, "Posting") if row["kind"] == "payment")
    file.remove(paid)
    file.insert(file.index(rows(file, "Posting")[0]), paid)
    assert (at(file, paid, "of"), "bad-posting") in refused(file)


def test_concurrent_confirmations_cannot_exceed_the_plan(file: list[Json]) -> None:
    """Two payments of the full amount. The first is undone only after the second is confirmed."""
    planned, payments = rows(file, "PlannedPayment")[0], rows(file, "Payment")
    for payment in (payments[0], payments[2]):
        payment["chips"] = planned["chips"]
    posting = [row for row in rows(file, "Posting") if row["kind"] == "payment"][1]
    assert (at(file, posting, "of"), "bad-posting") in refused(file)


def test_all_errors_in_closings_and_plans_are_reported_together(file: list[Json]) -> None:
    planned, line = rows(file, "PlannedPayment")[3], rows(file, "Line")[3]
    closing = rows(file, "Closing")[0]
    planned["chips"], line["counted"], closing["kept"][0]["amount"] = HUGE, 99, 7
    wanted = [(planned, "chips"), (line, "counted"), (closing, "kept")]
    paths = {where for where, _ in refused(file)}
    assert {at(file, row, name) for row, name in wanted} <= paths
