"""The hands that players show, with the best strength on every measure of every share.

Hands of the same game are evaluated together. A player whose wild cards have several readings has a
row for each reading, and the best row counts for each measure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARD_KINDS
from rules.game.game import Alternative, Game
from rules.game.hand import Hand
from rules.ranking import IMPOSSIBLE, SCALES
from rules.showdown.best_hands import Best, best_hands, choices
from rules.showdown.evaluation import tested
from rules.showdown.rows import (
    Cards,
    Reading,
    ShareGames,
    decided_rules,
    game_of_share,
    lay_out,
    readings,
    share_games,
)
from rules.showdown.selections import Layout, Shape
from rules.showdown.tables import WILD


@dataclass(slots=True)
class PlayedHand:
    """The cards of a best hand as dealt, their symbols and zones (down, up or elsewhere)."""

    cards: list[int]
    symbols: list[int]
    zones: list[str]


@dataclass(slots=True)
class Showdown:
    """The strengths of one hand: `strengths[share][alternative][seat]`, negative if not qualified.

    `played` contains the cards of the hands, if they were requested.
    """

    strengths: list[list[dict[int, int]]]
    played: dict[tuple[int, int, int], PlayedHand] = field(default_factory=dict)


@dataclass(slots=True)
class _Rows:
    """Rows of one shape with their owners, in the order of hands and seats.

    `readings` is empty if wild cards have only one reading. Otherwise a seat has a row for each
    reading.
    """

    shape: Shape
    cards: list[bytes] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    # pairs of a hand's index and the seats that have it
    owners: list[tuple[int, list[int]]] = field(default_factory=list)

    def laid_out(self, game: Game) -> Cards:
        width = len(self.cards[0])
        codes = np.frombuffer(b"".join(self.cards), dtype=np.uint8).reshape(len(self.cards), width)
        return lay_out(game, self.shape, codes, self.readings)

    def store_strengths(
        self, showdowns: list[Showdown], strengths: list[int], measure: tuple[int, int]
    ) -> None:
        """Store the strengths of a measure. Of several readings, the strongest counts."""
        share, index = measure
        at = 0
        for hand, seats in self.owners:
            best = showdowns[hand].strengths[share][index]
            own = strengths[at : at + len(seats)]
            at += len(seats)
            if self.readings:
                for seat, strength in zip(seats, own, strict=True):
                    best[seat] = max(strength, best.get(seat, IMPOSSIBLE))
            else:
                best.update(zip(seats, own, strict=True))

    def store_played(
        self,
        showdowns: list[Showdown],
        best: Best,
        symbols: list[list[int]],
        measure: tuple[int, int],
    ) -> None:
        """Store the cards of the first reading that reaches the strength."""
        share, index = measure
        untested = best.strengths.tolist()  # strengths before the share's conditions are applied
        owners = [(hand, seat) for hand, seats in self.owners for seat in seats]
        for row, (hand, seat) in enumerate(owners):
            key = (share, index, seat)
            showdown = showdowns[hand]
            strength = showdown.strengths[share][index][seat]
            if key not in showdown.played and untested[row] == strength:
                showdown.played[key] = self.played(row, best.positions[row], symbols[row])

    def played(self, row: int, places: Sequence[int], symbols: Sequence[int]) -> PlayedHand:
        cards, shape = self.cards[row], self.shape
        return PlayedHand(
            [cards[place] for place in places],
            [symbols[place] for place in places],
            [
                "down" if place < shape.down else "up" if place < shape.down + shape.up else ""
                for place in places
            ],
        )


def compare_hands(game: Game, hands: Sequence[Hand], *, with_cards: bool) -> list[Showdown]:
    """Return the showdown of each hand. All hands have the same game."""
    if seen := share_games(game):
        return _share_by_share(game, seen, hands, with_cards=with_cards)
    shares = game.shares
    showdowns = [Showdown([[{} for _ in share.alternatives] for share in shares]) for _ in hands]
    measures = [
        (at, index) for at, share in enumerate(shares) for index in range(len(share.alternatives))
    ]
    alternatives = [shares[at].alternatives[index] for at, index in measures]
    for rows in _rows(game, hands):
        cards = rows.laid_out(game)
        best_by_measure = best_hands(game, alternatives, cards, with_cards=with_cards)
        symbols = cards.symbols.T.tolist() if with_cards else []
        for measure, best in zip(measures, best_by_measure, strict=True):
            strengths = tested(best, shares[measure[0]].tests, cards).tolist()
            rows.store_strengths(showdowns, strengths, measure)
            if with_cards:
                rows.store_played(showdowns, best, symbols, measure)
    return showdowns


def _share_by_share(
    game: Game, seen: ShareGames, hands: Sequence[Hand], *, with_cards: bool
) -> list[Showdown]:
    """Return the showdowns for a game in which the wild cards differ between shares."""
    showdowns = [Showdown([[] for _ in game.shares]) for _ in hands]
    for shares, part_game in seen:
        compared = compare_hands(part_game, hands, with_cards=with_cards)
        for whole, part in zip(showdowns, compared, strict=True):
            for share, strengths in zip(shares, part.strengths, strict=True):
                whole.strengths[share] = strengths
            for (share, alternative, seat), played in part.played.items():
                whole.played[shares[share], alternative, seat] = played
    return showdowns


MOST_COMPARED = 4096  # maximum number of games cached by their comparison
_compared: dict[object, Game] = {}


@lru_cache(maxsize=MOST_COMPARED)
def compared_as(game: Game) -> Game:
    """Return a game that represents all games with the same comparison of hands.

    Games that differ only in chips, bets and declarations share it, so their hands are evaluated
    together.
    """
    key = (
        *(game.deck, game.board, game.for_taking, game.lines, game.piles),
        *(tuple(game.pile_cards.items()), game.hand, game.shares, game.order, game.ways),
        *(game.wild, game.bug),
        *(tuple(game.values.items()), game.per_point, tuple(game.singles.items())),
    )
    if len(_compared) >= MOST_COMPARED:
        _compared.clear()
    return _compared.setdefault(key, game)


def _rows(game: Game, hands: Sequence[Hand]) -> list[_Rows]:
    by_size: dict[tuple[int, int], _Rows] = {}
    several = bool(decided_rules(game))
    for index, hand in enumerate(hands):
        board = [card for row in hand.common_rows for card in row]
        last = None
        seats: list[int] = []
        for seat in hand.live:
            player = hand.players[seat]
            down, up = player.held_down if player.shared else player.down, player.up
            rows = by_size.get((len(down), len(up)))
            if rows is None:
                shape = Shape(len(down), len(up), tuple(game.pile_cards.values()))
                rows = by_size[len(down), len(up)] = _Rows(shape)
            if rows is not last:
                last, seats = rows, []
                rows.owners.append((index, seats))
            laid = [card for pile in game.piles for card in player.piles[pile]]
            cards = bytes([*down, *up, *laid, *board])
            if not several:
                rows.cards.append(cards)
                seats.append(seat)
                continue
            for reading in readings(game, Layout(game, rows.shape), cards):
                rows.cards.append(cards)
                rows.readings.append(reading)
                seats.append(seat)
    return list(by_size.values())


# --- the cards of tied hands --------------------------------------------------------------------


def highest_cards(hand: Hand, seat: int, measure: tuple[int, int], strength: int) -> list[int]:
    """Return the cards of a player's hand of this strength, highest first.

    If several hands have this strength, the one with the highest cards counts.
    """
    singles = np.array([hand.game.singles.get(card, 0) for card in range(CARD_KINDS)])
    equal = _equal_hands(hand, seat, measure, strength)
    highest: list[list[int]] = []
    for cards, _ in equal:
        order = np.argsort(-singles[cards], axis=1, kind="stable")
        ordered = np.take_along_axis(singles[cards], order, axis=1)
        left = np.arange(len(ordered))
        for place in range(ordered.shape[1]):
            column = ordered[left, place]
            left = left[column == column.max()]
        highest.append(cards[left[0]][order[left[0]]].tolist())
    return max(highest, key=lambda cards: singles[cards].tolist())


def lowest_wins(game: Game, measure: tuple[int, int]) -> tuple[bool, bool]:
    """Return whether the lowest hand wins on a measure, and whether its aces are low."""
    game, share = game_of_share(game, measure[0])
    name = game.shares[share].alternatives[measure[1]].scale
    scale = SCALES.get(name)
    if scale is None:
        return name in {"badugi", "badugi-ace-high"}, name == "badugi"
    return scale.lowest_wins, scale.ace == 1


def best_as(
    hand: Hand, seats: Sequence[int], measure: tuple[int, int], **changes: Any
) -> tuple[Alternative, dict[int, tuple[int, PlayedHand]]]:
    """Return a modified measure, with each seat's best strengths and cards on it."""
    game, share = game_of_share(hand.game, measure[0])
    alternative = replace(game.shares[share].alternatives[measure[1]], **changes)
    best: dict[int, tuple[int, PlayedHand]] = {}
    for rows in _rows(game, [replace(hand, live=[*seats])]):
        cards = rows.laid_out(game)
        [best_hand] = best_hands(game, [alternative], cards, with_cards=True)
        owners = [seat for _, row_seats in rows.owners for seat in row_seats]
        for row, (seat, strength) in enumerate(
            zip(owners, best_hand.strengths.tolist(), strict=True)
        ):
            if strength > best.get(seat, (IMPOSSIBLE,))[0]:
                symbols = cards.symbols[:, row].tolist()
                best[seat] = strength, rows.played(row, best_hand.positions[row], symbols)
    return alternative, best


def fewest_wild(hand: Hand, seat: int, measure: tuple[int, int], strength: int) -> int:
    """Return the fewest wild cards that a player's hand of this strength needs."""
    equal = _equal_hands(hand, seat, measure, strength)
    return min(int((symbols >= WILD).sum(axis=1).min()) for _, symbols in equal)


def _equal_hands(
    hand: Hand, seat: int, measure: tuple[int, int], strength: int
) -> Iterator[tuple[NDArray[np.int16], NDArray[np.int8]]]:
    """Yield the cards and symbols of a player's hands of this strength, as arrays by hand size."""
    game, share = game_of_share(hand.game, measure[0])
    alternative = game.shares[share].alternatives[measure[1]]
    for rows in _rows(game, [replace(hand, live=[seat])]):
        cards = rows.laid_out(game)
        for row in range(len(rows.cards)):
            for positions in choices(alternative, cards, row, strength):
                if len(positions):
                    yield cards.codes[:, row][positions], cards.symbols[:, row][positions]
