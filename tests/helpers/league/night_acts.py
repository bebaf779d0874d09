"""All actions in a league over several nights, in random order."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from hypothesis import strategies as st

from league.charges.charging import NewCharge, Share, by_parts, charge
from league.charges.charging import undo as undo_charge
from league.closing.cash_outs import Terms, cash_out, cash_out_and_leave
from league.closing.chip_count import count, tally
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, dispute, promise, withdraw
from league.common.errors import NightClosedError, RefusedError
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    Hand,
    League,
    LeftoverPolicy,
    Night,
    Payment,
    PlannedPayment,
    Player,
    SettlementPeriod,
    UncountedPolicy,
)
from league.nights.buy_ins import buy_in, undo
from league.nights.cash_box import cash_box
from league.nights.nights import leave, seat, stacks
from league.nights.opening import open_night
from league.options import Options, choose, options_of
from league.people.leagues import add_player, latest_season
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from tests.helpers.league.leagues import NAMES, a_league, holdem, qualifiers


@dataclass
class Table:
    """A league with four players, and its current night."""

    league: League
    players: dict[str, Player]
    nights: list[Night] = field(default_factory=list)

    @property
    def night(self) -> Night:
        return Night.objects.select_related("season__league__book").get(pk=self.nights[-1].pk)

    def banker(self, name: str | None) -> Player | None:
        """Return the player who takes the cash, or the cash box for "box"."""
        if name == "box":
            return cash_box(self.league)
        return self.players[name] if name else None


Act = Callable[[Table], object]


def a_table(**options: Any) -> Table:
    league = choose(a_league(), Options(**options))
    table = Table(league, {name: add_player(league, name) for name in NAMES})
    opens()(table)
    return table


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a hand that is won or carried over, possibly with wrong table payouts."""
    paid = draw(st.integers(0, 60))
    made = draw(st.sampled_from([holdem, qualifiers]))()
    for dealt in made["players"]:
        dealt["paid"] = paid
    made["players"].append({"name": "cat", "paid": draw(st.integers(0, paid)), "folded": True})
    made["carried"] = draw(st.sampled_from([0, 0, 5, 20, 40]))
    if draw(st.booleans()):
        made["took"] = {"bob": sum(dealt["paid"] for dealt in made["players"]) + made["carried"]}
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
        pays = table.banker(banker)
        player = table.players[name]
        seat(table.night, player)
        buy_in(table.night, player, chips, buy_in_id=uuid4(), by=None, banker=pays)

    return act


def cashes(name: str, banker: str | None) -> Act:
    def act(table: Table) -> None:
        player = table.players[name]
        pays = table.banker(banker)
        if (chips := stacks(table.night).get(player.pk, 0)) > 0:
            cash_out(
                table.night, player, chips, cash_out_id=uuid4(), by=None, terms=Terms(banker=pays)
            )

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


def splits(payer: str, chips: int, parts: dict[str, int]) -> Act:
    """Charge these players for a pizza that ann paid."""

    def act(table: Table) -> None:
        shares = {
            table.players[name]: Share(owes=owes) for name, owes in by_parts(chips, parts).items()
        }
        paid = table.players[payer]
        shares[paid] = Share(gets=chips, owes=shares.get(paid, Share()).owes)
        wanted = NewCharge(kind=Charge.Kind.COST, title="pizza", shares=shares)
        charge(table.night, wanted, charge_id=uuid4(), by=None)

    return act


def funds(keeper: str, name: str, chips: int) -> Act:
    """Move chips into the season fund. A negative amount moves them out."""

    def act(table: Table) -> None:
        share = Share(owes=chips) if chips > 0 else Share(gets=-chips)
        wanted = NewCharge(
            kind=Charge.Kind.FUND,
            shares={table.players[name]: share},
            fund=chips,
            keeper=table.players[keeper],
        )
        charge(table.night, wanted, charge_id=uuid4(), by=None)

    return act


def starts(name: str, chips: int) -> Act:
    """Put a player's cash into the cash box."""

    def act(table: Table) -> None:
        shares = {
            table.players[name]: Share(gets=chips),
            cash_box(table.league): Share(owes=chips),
        }
        wanted = NewCharge(kind=Charge.Kind.STARTING_CASH, shares=shares)
        charge(table.night, wanted, charge_id=uuid4(), by=None)

    return act


def takes_charge_back(place: int) -> Act:
    def act(table: Table) -> None:
        rows = Charge.objects.filter(night__season__league=table.league)
        if found := list(rows.order_by("made_at", "pk")):
            undo_charge(found[place % len(found)], by=None)

    return act


def deals(record: dict[str, Any]) -> Act:
    return lambda table: record_hand(table.night, uuid4(), record, by=None)


def revises(place: int, record: dict[str, Any]) -> Act:
    def act(table: Table) -> None:
        if hand := _pick_hand(table, place):
            revise_hand(hand, uuid4(), record, by=None)

    return act


def voids(place: int) -> Act:
    return lambda table: (hand := _pick_hand(table, place)) and void_hand(hand, by=None)


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
        decisions = Decisions(by_hands=True, shared_by=bearing)
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


def settles(*, end: bool = False) -> Act:
    return lambda table: settle_season(latest_season(table.league), uuid4(), by=None, end=end)


def chooses(name: str, value: Any) -> Act:
    """Change a league setting. The banker is given by name."""

    def act(table: Table) -> None:
        found = table.players.get(value) if name == "banker" else value
        choose(table.league, replace(options_of(table.league), **{name: found}))

    return act


def leaves(name: str) -> Act:
    return lambda table: leave(table.night, table.players[name])


def goes_home(name: str, off: int) -> Act:
    def act(table: Table) -> None:
        player = table.players[name]
        if (chips := stacks(table.night).get(player.pk, 0) + off) >= 0:
            beyond = Terms(beyond_stack=True)
            cash_out_and_leave(
                table.night, player, chips, cash_out_id=uuid4(), by=None, terms=beyond
            )

    return act


def _pick_hand(table: Table, place: int) -> Hand | None:
    hands = Hand.objects.filter(night__season__league=table.league)
    found = list(hands.select_related("night__season__league__book").order_by("made_at", "pk"))
    return found[place % len(found)] if found else None


names = st.sampled_from(NAMES[:3])
bankers = st.sampled_from([None, None, "box", "box", *NAMES])
places = st.integers(0, 9)
acts = st.one_of(
    st.builds(buys, names, st.integers(1, 200), bankers),
    st.builds(cashes, names, bankers),
    st.builds(undoes, places),
    st.builds(
        splits,
        names,
        st.integers(1, 90),
        st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3), min_size=1),
    ),
    st.builds(starts, names, st.integers(1, 90)),
    st.builds(funds, names, names, st.integers(-9, 20).filter(bool)),
    st.builds(takes_charge_back, places),
    st.builds(deals, records()),
    st.builds(deals, records()),
    st.builds(revises, places, records()),
    st.builds(voids, places),
    st.builds(counts, names, st.integers(-5, 5)),
    st.builds(closes, st.sampled_from([(), ("ann",), ("bob", "ann"), NAMES[:3]])),
    st.builds(opens),
    st.builds(reopens),
    st.builds(promises, places, st.integers(1, 50)),
    st.builds(answers, places, st.sampled_from([confirm, confirm, dispute, withdraw])),
    st.builds(settles),
)
# Actions that change league settings during a season, and actions that end a season.
changes = st.one_of(
    st.builds(chooses, st.just("banker"), st.sampled_from([None, *NAMES])),
    st.builds(chooses, st.just("settles"), st.sampled_from(list(SettlementPeriod))),
    st.builds(chooses, st.just("leftover"), st.sampled_from(list(LeftoverPolicy))),
    st.builds(chooses, st.just("chip_value"), st.sampled_from([1, 5])),
    st.builds(chooses, st.just("waits_below"), st.sampled_from([0, 10, 50])),
    st.builds(leaves, names),
    st.builds(goes_home, names, st.integers(-3, 3)),
    st.builds(settles, end=st.booleans()),
)
options = st.fixed_dictionaries({
    "settles": st.sampled_from(["night", "season"]),
    "uncounted": st.sampled_from(list(UncountedPolicy)),
    "leftover": st.sampled_from(list(LeftoverPolicy)),
})  # fmt: skip


def play(table: Table, sequence: list[Act]) -> None:
    """Perform the actions in order. A rejected action changes nothing."""
    for act in sequence:
        try:
            act(table)
        except (RefusedError, NightClosedError):
            continue
