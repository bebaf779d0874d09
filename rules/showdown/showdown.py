"""What every player shows: the strength of the best hand on every measure of every share.

Hands of one game are looked at together. A player whose wild cards can be read in two ways has a
row for each reading and takes the better one, for each measure on its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rules.game.game import Game
from rules.game.hand import Hand, Player
from rules.ranking import IMPOSSIBLE
from rules.showdown.best_hands import Best, best_hands, choices
from rules.showdown.evaluation import tested
from rules.showdown.rows import Cards
from rules.showdown.selections import Layout, Shape
from rules.showdown.symbols import Reading, decided_rules
from rules.showdown.wilds import lay_out, readings


@dataclass(slots=True)
class Played:
    """The cards of a best hand: as dealt, and the symbols under which they were read."""

    cards: list[int]
    symbols: list[int]


@dataclass(slots=True)
class Showdown:
    """One hand's strengths: `strengths[share][alternative][seat]`, negative where none qualifies.

    `played` has the cards behind them, when they were asked for.
    """

    strengths: list[list[dict[int, int]]]
    played: dict[tuple[int, int, int], Played] = field(default_factory=dict)


@dataclass(slots=True)
class _Rows:
    """Rows of one shape and whose they are."""

    shape: Shape
    cards: list[list[int]] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    owners: list[tuple[int, int]] = field(default_factory=list)  # index of the hand, seat


def compare_hands(game: Game, hands: Sequence[Hand], *, with_cards: bool) -> list[Showdown]:
    """The showdown of each hand, all of the same game."""
    found = [Showdown([[{} for _ in s.alternatives] for s in game.shares]) for _ in hands]
    measures = [
        (share, alt, alternative)
        for share, one in enumerate(game.shares)
        for alt, alternative in enumerate(one.alternatives)
    ]
    for rows in _rows(game, hands):
        cards = lay_out(game, rows.shape, rows.cards, rows.readings)
        best = best_hands(game, [m[2] for m in measures], cards, with_cards=with_cards)
        for (share, alt, _), one in zip(measures, best, strict=True):
            strengths: list[int] = tested(one, game.shares[share].tests, cards).tolist()
            _keep(found, rows, strengths, share, alt)
            if with_cards:
                _keep_played(found, rows, one, cards, (share, alt))
    return found


def _rows(game: Game, hands: Sequence[Hand]) -> list[_Rows]:
    by_size: dict[tuple[int, int], _Rows] = {}
    several = bool(decided_rules(game))
    for index, hand in enumerate(hands):
        board = [card for row in hand.board for card in row]
        for seat in hand.live:
            player = hand.players[seat]
            down = player.held_down
            size = len(down), len(player.up)
            rows = by_size.get(size)
            if rows is None:
                rows = by_size[size] = _Rows(Shape(*size, tuple(game.pile_cards.values())))
            cards = [*down, *player.up, *_laid(game, player), *board]
            for reading in readings(game, Layout(game, rows.shape), cards) if several else ((),):
                rows.cards.append(cards)
                rows.readings.append(reading)
                rows.owners.append((index, seat))
    return list(by_size.values())


def _laid(game: Game, player: Player) -> Iterable[int]:
    """The cards in a player's piles, in the order of the game's."""
    return [card for pile in game.piles for card in player.piles[pile]] if game.piles else ()


def _keep(found: list[Showdown], rows: _Rows, strengths: list[int], share: int, alt: int) -> None:
    for (index, seat), strength in zip(rows.owners, strengths, strict=True):
        seats = found[index].strengths[share][alt]
        if strength > seats.get(seat, IMPOSSIBLE - 1):
            seats[seat] = strength


def highest_singles(hand: Hand, seat: int, measure: tuple[int, int], strength: int) -> list[int]:
    """How high the cards stand of a player's hand that is this strong, the highest first.

    Of several that are, the one with the highest cards.
    """
    game = hand.game
    share, alt = measure
    found = []
    for rows in _rows(game, [replace(hand, live=[seat])]):
        cards = lay_out(game, rows.shape, rows.cards, rows.readings)
        for row, held in enumerate(rows.cards):
            singles = np.array([game.singles.get(card, 0) for card in held])
            equal = choices(game.shares[share].alternatives[alt], cards, row, strength)
            found += [_highest_first(singles[positions]) for positions in equal if len(positions)]
    return max(found)


def _highest_first(singles: NDArray[np.int64]) -> list[int]:
    """The highest of these hands (hands, cards), compared card by card."""
    ordered = -np.sort(-singles, axis=1)
    for place in range(ordered.shape[1]):
        ordered = ordered[ordered[:, place] == ordered[:, place].max()]
    highest: list[int] = ordered[0].tolist()
    return highest


def _keep_played(
    found: list[Showdown], rows: _Rows, best: Best, cards: Cards, measure: tuple[int, int]
) -> None:
    """The cards behind the strengths that were kept: of the first reading that reaches them."""
    share, alt = measure
    strengths, symbols = best.strengths.tolist(), cards.symbols
    for row, ((index, seat), positions) in enumerate(zip(rows.owners, best.positions, strict=True)):
        key = (share, alt, seat)
        showdown = found[index]
        kept = showdown.strengths[share][alt][seat]
        if key not in showdown.played and strengths[row] == kept:
            showdown.played[key] = Played(
                [rows.cards[row][position] for position in positions],
                [int(symbols[position, row]) for position in positions],
            )
