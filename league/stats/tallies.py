"""What a hand adds to each of the sums.

A hand adds and takes away by the same function, so taking away undoes exactly what was added.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from league.stats.facts import Facts, HandRow, ResultRow
from league.stats.scopes import choices_of
from league.stats.sums import (
    ALL_INS,
    BETTING,
    CALLS,
    CHOICES,
    DEALERS,
    DECLARES,
    FLOWS,
    LUCK,
    NIGHTS,
    PLAYERS,
    SEATS,
    SUMS,
    Sum,
)
from ledger.sql import parsed

Key = tuple[Any, ...]
Kept = dict[Key, list[int]]  # sums by key, hands first
Shares = Mapping[str, list[int]]  # of a revision's luck, by player


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
        kept, ended = self.of[LUCK], self.of[ALL_INS]
        for player, (won, expected, variance, *all_in) in shares.items():
            _add(kept[hand.season, hand.verified, player], (1, won, expected, variance), sign)
            if all_in:
                row = ended[hand.season, hand.verified, hand.night, player]
                _add(row, (1, won, *all_in), sign)

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


def _choices(kept: Kept, found: Facts, sign: int) -> None:
    hand = found.hand
    season, verified, night = hand.season, hand.verified, hand.night
    for each in found.results:
        key = season, verified, night, each.player
        for choice in choices_of(hand, each):
            row = kept[*key, *choice]
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
    (CHOICES, _choices),
)
