"""Whatever happens over some nights, in whatever order: the books hold, closed nights are even."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.audits import audit
from league.cashing import cash_out, undo
from league.closing import Decisions, close_night, reopen_night
from league.counts import count, tally
from league.leagues import add_player
from league.leftovers import read_pots, shares
from league.models import (
    BuyIn,
    CashOut,
    Closing,
    Hand,
    League,
    Leftover,
    Line,
    Night,
    Payment,
    PlannedPayment,
    Player,
    Uncounted,
)
from league.nights import buy_in, open_night, seat, stacks
from league.options import Options, choose
from league.paying import confirm, dispute, open_chips, promise, take_back
from league.plans import settle_season, unplanned
from league.recording import record_hand, revise_hand, void_hand
from league.refusals import NightClosed, Refused
from ledger.balances import balances, total
from tests.league.tables import NAMES, a_league, holdem, qualifiers

pytestmark = pytest.mark.django_db


@dataclass
class Table:
    """A league with four players, and the night that they are at."""

    league: League
    players: dict[str, Player]
    nights: list[Night] = field(default_factory=list)

    @property
    def night(self) -> Night:
        return Night.objects.select_related("season__league__book").get(pk=self.nights[-1].pk)


Act = Callable[[Table], object]


def a_table(**options: Any) -> Table:
    league = choose(a_league(), Options(**options))
    table = Table(league, {name: add_player(league, name) for name in NAMES})
    opens()(table)
    return table


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A hand that is won or carried, with chips carried into it and a table that may be wrong."""
    paid = draw(st.integers(0, 60))
    made = draw(st.sampled_from([holdem, qualifiers]))()
    for each in made["players"]:
        each["paid"] = paid
    made["players"].append({"name": "cat", "paid": draw(st.integers(0, paid)), "folded": True})
    made["carried"] = draw(st.sampled_from([0, 0, 5, 20, 40]))
    if draw(st.booleans()):
        made["took"] = {"bob": sum(each["paid"] for each in made["players"]) + made["carried"]}
    return made


def opens() -> Act:
    def act(table: Table) -> None:
        if not table.nights or table.night.state == Night.State.CLOSED:
            players = list(table.players.values())[:3]
            table.nights.append(open_night(table.league, players=players))

    return act


def sits(name: str) -> Act:
    return lambda table: seat(table.night, table.players[name])


def buys(name: str, chips: int, banker: str | None) -> Act:
    def act(table: Table) -> None:
        pays = table.players[banker] if banker else None
        player = table.players[name]
        seat(table.night, player)
        buy_in(table.night, player, chips, buy_in_id=uuid4(), by=None, banker=pays)

    return act


def cashes(name: str, banker: str | None) -> Act:
    def act(table: Table) -> None:
        player = table.players[name]
        pays = table.players[banker] if banker else None
        if (chips := stacks(table.night).get(player.pk, 0)) > 0:
            cash_out(table.night, player, chips, cash_out_id=uuid4(), by=None, banker=pays)

    return act


def undoes(place: int) -> Act:
    def act(table: Table) -> None:
        rows = [
            row
            for kind in (BuyIn, CashOut)
            for row in kind.objects.filter(night=table.night).order_by("made_at", "pk")
        ]
        if rows:
            undo(rows[place % len(rows)], by=None)

    return act


def deals(record: dict[str, Any]) -> Act:
    return lambda table: record_hand(table.night, uuid4(), record, by=None)


def revises(place: int, record: dict[str, Any]) -> Act:
    def act(table: Table) -> None:
        if hand := _some(table, place):
            revise_hand(hand, uuid4(), record, by=None)

    return act


def voids(place: int) -> Act:
    return lambda table: (hand := _some(table, place)) and void_hand(hand, by=None)


def counts(name: str, off: int) -> Act:
    def act(table: Table) -> None:
        player = table.players[name]
        if player.pk in (standing := stacks(table.night)):
            chips = max(0, standing[player.pk] + off)
            count(table.night, player, chips, count_id=uuid4(), by=None)

    return act


def closes(bears: tuple[str, ...]) -> Act:
    def act(table: Table) -> None:
        sat = {line.player for line in tally(table.night).lines}
        bearing = [table.players[name].pk for name in bears if table.players[name].pk in sat]
        decisions = Decisions(by_hands=True, bears=bearing)
        close_night(table.night, uuid4(), by=None, decisions=decisions)

    return act


def reopens() -> Act:
    return lambda table: reopen_night(table.night, by=None)


def promises(place: int, part: int) -> Act:
    def act(table: Table) -> None:
        rows = PlannedPayment.objects.filter(plan__season__league=table.league).order_by("pk")
        if found := list(rows):
            planned = found[place % len(found)]
            promise(planned, uuid4(), min(part, planned.chips), by=None)

    return act


def answers(place: int, answer: Callable[..., Any]) -> Act:
    def act(table: Table) -> None:
        rows = Payment.objects.filter(planned__plan__season__league=table.league)
        if found := list(rows.order_by("made_at", "pk")):
            answer(found[place % len(found)], by=None)

    return act


def settles() -> Act:
    return lambda table: settle_season(table.league.seasons.get(), uuid4(), by=None)


def _some(table: Table, place: int) -> Hand | None:
    hands = Hand.objects.filter(night__season__league=table.league)
    found = list(hands.select_related("night__season__league__book").order_by("made_at", "pk"))
    return found[place % len(found)] if found else None


names = st.sampled_from(NAMES[:3])
bankers = st.sampled_from([None, None, *NAMES])
places = st.integers(0, 9)
acts = st.one_of(
    st.builds(buys, names, st.integers(1, 200), bankers),
    st.builds(cashes, names, bankers),
    st.builds(undoes, places),
    st.builds(deals, records()),
    st.builds(deals, records()),
    st.builds(revises, places, records()),
    st.builds(voids, places),
    st.builds(counts, names, st.integers(-5, 5)),
    st.builds(closes, st.sampled_from([(), ("ann",), ("bob", "ann"), NAMES[:3]])),
    st.builds(opens),
    st.builds(reopens),
    st.builds(promises, places, st.integers(1, 50)),
    st.builds(answers, places, st.sampled_from([confirm, confirm, dispute, take_back])),
    st.builds(settles),
)
options = st.fixed_dictionaries({
    "settles": st.sampled_from(["night", "season"]),
    "uncounted": st.sampled_from(list(Uncounted)),
    "leftover": st.sampled_from(list(Leftover)),
})  # fmt: skip


def play(table: Table, sequence: list[Act]) -> None:
    """Do what can be done of it; what is refused is refused whole."""
    for act in sequence:
        try:
            act(table)
        except (Refused, NightClosed):
            continue


def end(table: Table) -> None:
    """Close what is open, plan what is not planned, pay and confirm everything."""
    for night in Night.objects.filter(season__league=table.league).order_by("started_at"):
        everybody = [line.player for line in tally(night).lines]
        close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True, bears=everybody))
    settle_season(table.league.seasons.get(), uuid4(), by=None)
    for planned in PlannedPayment.objects.filter(plan__season__league=table.league):
        for payment in planned.paid.filter(state=Payment.State.PROMISED):
            take_back(payment, by=None)
        if chips := open_chips(planned):
            confirm(promise(planned, uuid4(), chips, by=None), by=None)


def kept(table: Table) -> dict[str, int]:
    """What the tabs hold of pots that stay for a next night."""
    lying = balances(table.league.book, kind="carry", nonzero=True)
    standing = Closing.objects.filter(league=table.league, posting__reversal=None)
    left = [pot for each in standing if f"carry:{each.night_id}" in lying for pot in each.kept]
    assert sum(pot["amount"] for pot in left) == sum(lying.values())
    return {f"tab:{who}": -chips for who, chips in shares(read_pots(left)).items() if chips}


@settings(max_examples=30)
@given(st.lists(acts, max_size=22), options)
def test_any_sequence_at_the_table_leaves_the_books_right_and_in_the_end_even(
    sequence: list[Act], chosen: dict[str, Any]
) -> None:
    table = a_table(**chosen)
    play(table, sequence)
    assert audit(table.league) == []
    end(table)
    book = table.league.book
    assert audit(table.league) == []
    assert total(book) == 0
    for kind in ("stack", "pot", "drift"):
        assert not any(balances(book, kind=kind).values())
    assert unplanned(table.league.seasons.get(), table.league) == {}
    assert balances(book, kind="tab", nonzero=True) == kept(table)


@settings(max_examples=20)
@given(st.lists(acts, max_size=16))
def test_what_players_win_and_lose_at_a_closed_night_sums_to_what_its_pots_passed_on(
    sequence: list[Act],
) -> None:
    table = a_table(leftover="stays")
    play(table, sequence)
    for closing in Closing.objects.filter(league=table.league):
        lines = list(Line.objects.filter(closing=closing))
        assert sum(line.settles for line in lines) == 0
        opened = sum(pot["amount"] for pot in closing.night.opening_pots)
        stays = sum(pot["amount"] for pot in closing.kept)
        if not closing.night.opening_pots and closing.number == 1:
            assert sum(line.net for line in lines) == opened - stays
