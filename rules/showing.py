"""What every player shows: the strength of the best hand on every measure of every share.

Hands of one game are looked at together. A player whose wild cards can be read in two ways has a
row for each reading and takes the better one, for each measure on its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules.game import CardsAre, Game
from rules.hands import Best, Cards, best_hands, holds
from rules.ranking import IMPOSSIBLE
from rules.record import Hand, Player
from rules.selections import Layout, Shape
from rules.wilds import Reading, lay_out, readings


@dataclass(slots=True)
class Played:
    """The cards of a best hand: as dealt, and the symbols under which they were read."""

    cards: list[int]
    symbols: list[int]


@dataclass(slots=True)
class Showing:
    """One hand's strengths: `strengths[share][alternative][seat]`, negative where none qualifies.

    `played` has the cards behind them, when they were asked for.
    """

    strengths: list[list[dict[int, int]]]
    played: dict[tuple[int, int, int], Played] = field(default_factory=dict)


@dataclass(slots=True)
class _Rows:
    """Rows of one shape and whose they are."""

    cards: list[list[int]] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    owners: list[tuple[int, int]] = field(default_factory=list)  # index of the hand, seat


def show(game: Game, hands: Sequence[Hand], *, with_cards: bool) -> list[Showing]:
    """The showing of each hand, all of the same game."""
    found = [Showing([[{} for _ in s.alternatives] for s in game.shares]) for _ in hands]
    measures = [
        (share, alt, alternative)
        for share, one in enumerate(game.shares)
        for alt, alternative in enumerate(one.alternatives)
    ]
    for shape, rows in _rows(game, hands).items():
        cards = lay_out(game, shape, rows.cards, rows.readings)
        best = best_hands(game, [m[2] for m in measures], cards, with_cards=with_cards)
        for (share, alt, _), one in zip(measures, best, strict=True):
            strengths = _tested(one, game.shares[share].tests, cards)
            _keep(found, rows, strengths, share, alt)
            if with_cards:
                _keep_played(found, rows, strengths, one, cards, share, alt)
    return found


def _rows(game: Game, hands: Sequence[Hand]) -> dict[Shape, _Rows]:
    by_shape: dict[Shape, _Rows] = {}
    several = bool(game.wild or game.bug)
    for index, hand in enumerate(hands):
        board = [card for row in hand.board for card in row]
        for seat in hand.live:
            shape, cards = _row(game, hand.players[seat], board)
            rows = by_shape.get(shape)
            if rows is None:
                rows = by_shape[shape] = _Rows()
            read = readings(game, Layout(game, shape), cards) if several else [()]
            for reading in read:
                rows.cards.append(cards)
                rows.readings.append(reading)
                rows.owners.append((index, seat))
    return by_shape


def _row(game: Game, player: Player, board: list[int]) -> tuple[Shape, list[int]]:
    down = player.held_down
    if not game.piles:
        return Shape(len(down), len(player.up)), down + player.up + board
    piles = [player.piles[pile] for pile in game.piles]
    laid = [card for pile in piles for card in pile]
    return Shape(len(down), len(player.up), tuple(map(len, piles))), [*down, *player.up, *laid, *board]


def _tested(best: Best, tests: Iterable[CardsAre], cards: Cards) -> list[int]:
    """Strengths, with those out for whom a condition of the share does not hold."""
    strengths = best.strengths
    for test in tests:
        strengths = strengths.copy()
        strengths[~holds(test, cards)] = IMPOSSIBLE
    found: list[int] = strengths.tolist()
    return found


def _keep(
    found: list[Showing], rows: _Rows, strengths: list[int], share: int, alt: int
) -> None:
    for (index, seat), strength in zip(rows.owners, strengths, strict=True):
        seats = found[index].strengths[share][alt]
        if strength > seats.get(seat, IMPOSSIBLE - 1):
            seats[seat] = strength


def _keep_played(
    found: list[Showing],
    rows: _Rows,
    strengths: list[int],
    best: Best,
    cards: Cards,
    share: int,
    alt: int,
) -> None:
    assert best.positions is not None
    for row, ((index, seat), strength) in enumerate(zip(rows.owners, strengths, strict=True)):
        showing = found[index]
        key = (share, alt, seat)
        best_of_seat = showing.strengths[share][alt][seat]
        if strength == best_of_seat and key not in showing.played:
            positions = best.positions[row]
            showing.played[key] = Played(
                [rows.cards[row][position] for position in positions],
                [int(cards.symbols[position, row]) for position in positions],
            )


