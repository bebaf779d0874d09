"""The sums that are kept, as data: what each one counts, and what a hand adds to each.

A hand adds and takes away by the same function, so taking away undoes exactly what was added.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Model

from league.models import (
    BettingTally,
    CallTally,
    DealerTally,
    DeclareTally,
    FlowTally,
    LuckTally,
    NightTally,
    PlayerTally,
    SeatTally,
)
from league.stats.facts import Facts, HandRow, ResultRow
from ledger.sql import parsed

Key = tuple[Any, ...]
Kept = dict[Key, list[int]]  # sums by key, hands first
Shares = Mapping[str, list[int]]  # of a revision's luck, by player


@dataclass(frozen=True)
class Sum:
    """A table of sums: its key after season and verified, its columns after hands.

    Each column has the SQL by which it follows from facts f and their results r, for the check;
    there is none for what is kept as JSON.
    """

    model: type[Model]
    keys: tuple[str, ...]
    sources: tuple[tuple[str, str], ...]
    of_results: bool = True  # a row of r for each hand and player, or f alone
    only: str = "NOT f.voided"

    @cached_property
    def table(self) -> str:
        return str(self.model._meta.db_table)  # noqa: SLF001 (made to be read)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.sources)

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        return ("season_id", "verified", *self.keys)

    @cached_property
    def all_columns(self) -> tuple[str, ...]:
        return (*self.key_columns, "hands", *self.columns)


def _sum(column: str) -> str:
    return f"sum({column})"


def _count(condition: str) -> str:
    return f"count(*) FILTER (WHERE {condition})"


PLAYERS = Sum(
    PlayerTally,
    ("player_id", "game"),
    (
        ("net", _sum("r.net")),
        ("put", _sum("r.put")),
        ("won", _sum("r.won")),
        ("showdowns", _count("r.showdown")),
        ("showdowns_won", _count("r.showdown AND r.won > 0")),
        ("highs", _count("r.won_high IS NOT NULL")),
        ("highs_won", _count("r.won_high")),
        ("lows", _count("r.won_low IS NOT NULL")),
        ("lows_won", _count("r.won_low")),
        ("splits", _count("r.scooped IS NOT NULL")),
        ("scoops", _count("r.scooped")),
        ("mistakes", _count("r.moved <> 0")),
        ("moved", _sum("r.moved")),
    ),
)
DECLARES = Sum(
    DeclareTally,
    ("player_id", "way"),
    (("times_right", _count("r.was_right")), ("net", _sum("r.net"))),
    only="NOT f.voided AND r.declared <> ''",
)
CALLS = Sum(CallTally, ("dealer_id", "game", "player_id"), (("net", _sum("r.net")),))
DEALERS = Sum(
    DealerTally,
    ("dealer_id", "game"),
    (
        ("pot", _sum("f.pot")),
        ("carried", _sum("f.carried")),
        ("carry", _sum("f.carry")),
        ("carries", _count("f.carry > 0")),
        ("showdowns", _count("f.showdown")),
        ("mistakes", _count("f.mistaken")),
        ("moved", _sum("f.moved")),
    ),
    of_results=False,
)
BETTING = Sum(
    BettingTally,
    ("player_id", "game", "position"),
    (
        ("choices", _count("r.entered IS NOT NULL")),
        ("entered", _count("r.entered")),
        ("raised", _count("r.raised")),
        ("three_bet_choices", _count("r.three_bet IS NOT NULL")),
        ("three_bets", _count("r.three_bet")),
        ("saw_second", _count("r.saw_second")),
        ("stayed", _count("r.stayed")),
        ("stayed_won", _count("r.stayed AND r.won > 0")),
        ("bets", _sum("r.bets")),
        ("calls", _sum("r.calls")),
    ),
    only="NOT f.voided AND r.bets IS NOT NULL",
)
SEATS = Sum(SeatTally, ("player_id", "position"), (("net", _sum("r.net")),))
FLOWS = Sum(FlowTally, ("loser_id", "winner_id"), (("chips", ""),))
NIGHTS = Sum(NightTally, ("night_id", "player_id"), (("net", _sum("r.net")),))
LUCK = Sum(
    LuckTally,
    ("player_id",),
    (("won", ""), ("expected", ""), ("variance", "")),
)
SUMS = (PLAYERS, DECLARES, BETTING, CALLS, DEALERS, SEATS, FLOWS, NIGHTS, LUCK)


class Tallies:
    """Sums in memory: what is to be added to each table, by key; hands come first."""

    def __init__(self) -> None:
        self.of: dict[Sum, Kept] = {each: _nothing_yet(each) for each in SUMS}
        self.adders = [(adder, self.of[table]) for table, adder in _ADDERS]

    def add(self, found: Facts, luck: Shares | None = None, *, sign: int = 1) -> None:
        """Add what a hand counts for, or take it away again; a voided hand counts for nothing."""
        if found.hand.voided:
            return
        for adder, kept in self.adders:
            adder(kept, found, sign)
        if luck:
            self.add_luck(found.hand, luck, sign=sign)

    def add_luck(self, hand: HandRow, shares: Shares, *, sign: int = 1) -> None:
        """Add what a hand dealt again said of each player."""
        kept = self.of[LUCK]
        for player, numbers in shares.items():
            _add(kept[hand.season, hand.verified, player], (1, *numbers), sign)

    def changed(self, table: Sum) -> Kept:
        """Return what differs from nothing."""
        return {key: numbers for key, numbers in self.of[table].items() if any(numbers)}


def _nothing_yet(table: Sum) -> Kept:
    width = 1 + len(table.columns)
    return defaultdict(lambda: [0] * width)


def _add(row: list[int], numbers: Sequence[int], sign: int) -> None:
    for place, number in enumerate(numbers):
        if number:
            row[place] += sign * number


# Most of all rows get one hand and chips: these loops are where a rebuild spends its time, so
# they call nothing.


def _players(kept: Kept, found: Facts, sign: int) -> None:
    season, verified, game = found.hand.season, found.hand.verified, found.hand.game
    for each in found.results:
        row = kept[season, verified, each.player, game]
        row[0] += sign
        row[1] += sign * each.net
        row[2] += sign * each.put
        row[3] += sign * each.won
        if each.showdown or each.moved:
            _add(row, (0, 0, 0, 0, *_at_showdown(each), *_moved(each)), sign)


_NOT_SHOWN = (0,) * 8


def _at_showdown(each: ResultRow) -> tuple[int, ...]:
    if not each.showdown:
        return _NOT_SHOWN
    return (
        1,
        int(each.won > 0),
        int(each.won_high is not None),
        int(bool(each.won_high)),
        int(each.won_low is not None),
        int(bool(each.won_low)),
        int(each.scooped is not None),
        int(bool(each.scooped)),
    )


def _moved(each: ResultRow) -> tuple[int, int]:
    return (1, each.moved) if each.moved else (0, 0)


def _declares(kept: Kept, found: Facts, sign: int) -> None:
    hand = found.hand
    for each in found.results:
        if each.declared:
            row = kept[hand.season, hand.verified, each.player, each.declared]
            _add(row, (1, int(bool(each.was_right)), each.net), sign)


def _betting(kept: Kept, found: Facts, sign: int) -> None:
    season, verified, game = found.hand.season, found.hand.verified, found.hand.game
    for each in found.results:
        if each.bets is None or each.calls is None:
            continue
        told = (
            *(True, each.entered is not None, each.entered, each.raised),
            *(each.three_bet is not None, each.three_bet, each.saw_second),
            *(each.stayed, each.stayed and each.won > 0),
        )
        numbers = (*map(int, map(bool, told)), each.bets, each.calls)
        _add(kept[season, verified, each.player, game, each.position], numbers, sign)


def _calls(kept: Kept, found: Facts, sign: int) -> None:
    hand = found.hand
    season, verified, dealer, game = hand.season, hand.verified, hand.dealer, hand.game
    for each in found.results:
        row = kept[season, verified, dealer, game, each.player]
        row[0] += sign
        row[1] += sign * each.net


def _dealers(kept: Kept, found: Facts, sign: int) -> None:
    hand = found.hand
    numbers = (
        1,
        hand.pot,
        hand.carried,
        hand.carry,
        int(hand.carry > 0),
        int(hand.showdown),
        int(hand.mistaken),
        hand.moved,
    )
    _add(kept[hand.season, hand.verified, hand.dealer, hand.game], numbers, sign)


def _seats(kept: Kept, found: Facts, sign: int) -> None:
    season, verified = found.hand.season, found.hand.verified
    for each in found.results:
        row = kept[season, verified, each.player, each.position]
        row[0] += sign
        row[1] += sign * each.net


def _flows(kept: Kept, found: Facts, sign: int) -> None:
    hand, results = found
    if hand.flows == "[]":
        return
    season, verified = hand.season, hand.verified
    for loser, winner, chips in parsed(hand.flows):
        row = kept[season, verified, results[loser].player, results[winner].player]
        row[0] += sign
        row[1] += sign * chips


def _nights(kept: Kept, found: Facts, sign: int) -> None:
    season, verified, night = found.hand.season, found.hand.verified, found.hand.night
    for each in found.results:
        row = kept[season, verified, night, each.player]
        row[0] += sign
        row[1] += sign * each.net


_ADDERS: tuple[tuple[Sum, Callable[[Kept, Facts, int], None]], ...] = (
    (PLAYERS, _players),
    (DECLARES, _declares),
    (BETTING, _betting),
    (CALLS, _calls),
    (DEALERS, _dealers),
    (SEATS, _seats),
    (FLOWS, _flows),
    (NIGHTS, _nights),
)
