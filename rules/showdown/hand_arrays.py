"""Hands that come as an array: numbers or texts of cards, a row a hand, believed in nothing."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARDS, NATURAL_CARDS, TEXTS
from rules.error_text import quoted
from rules.errors import BadHands
from rules.game.game import Game
from rules.showdown.selections import Shape

Codes = NDArray[np.int16]  # (hands, cards)


def read_hands(cards: object) -> NDArray[Any]:
    """The numbers of cards (hands, cards), as wide as they came. Raises BadHands."""
    if not isinstance(cards, np.ndarray):
        return _from_rows(cards)
    if cards.ndim != 2:
        raise BadHands(f"hands are an array of two dimensions, a row each, not of {cards.ndim}")
    if cards.dtype.kind == "U":
        return _numbered(cards.ravel().tolist(), cards.shape)
    if cards.dtype.kind not in "iu":
        raise BadHands(f"cards are whole numbers or texts, not {cards.dtype}")
    return cards


def _from_rows(cards: object) -> NDArray[Any]:
    if isinstance(cards, str) or not isinstance(cards, Iterable):
        raise BadHands("hands are an array or a list of rows, a row a hand")
    rows: list[list[object]] = []
    for number, row in enumerate(cards):
        if not isinstance(row, list | tuple | np.ndarray):
            raise BadHands(f"hand {number} is no row of cards: {quoted(row)}")
        if rows and len(row) != len(rows[0]):
            raise BadHands(f"hand {number} has {len(row)} cards, hand 0 has {len(rows[0])}")
        rows.append([*row])
    flat = [card for row in rows for card in row]
    return _numbered(flat, (len(rows), len(rows[0]) if rows else 0))


def _numbered(cards: list[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    numbers = []
    for at, card in enumerate(cards):
        number = CARDS.get(card) if isinstance(card, str) else _whole(card)
        if number is None:
            raise BadHands(f"hand {at // shape[1]}: {quoted(card)} is no card")
        numbers.append(number)
    return np.array(numbers, dtype=np.int16).reshape(shape)


def _whole(card: object) -> int | None:
    """The number of a card as a number, None for what is none; true is no card."""
    whole = isinstance(card, int | np.integer) and not isinstance(card, bool)
    return int(card) if whole and 0 <= card < len(TEXTS) else None  # type: ignore[call-overload, operator]


def dealt_shape(game: Game) -> Shape:
    """The cards of a player when all are dealt, in games of turning all turned up."""
    piles = tuple(game.pile_cards.values())
    if game.turned is not None:
        return Shape(0, game.turned, piles)
    extra = len(game.extra_cards)  # counted in both zones, and earned by chance only
    return Shape(game.down.most - extra, game.up.most - extra, piles)


def shape_of(game: Game, width: int, down: int | None) -> Shape:
    """How many of so many cards a player holds where, the board taken off. Raises BadHands."""
    dealt = dealt_shape(game)
    board = sum(map(len, game.common_rows))
    face_down = dealt.down if down is None else down
    up = width - board - sum(dealt.piles) - face_down
    if game.down.holds(face_down) and game.up.holds(up):
        return Shape(face_down, up, dealt.piles)
    raise BadHands(f"{game.name}: a hand has {_told(game, board)}; {width} cards do not fit")


def _told(game: Game, board: int) -> str:
    zones = [("down", game.down.least, game.down.most), ("up", game.up.least, game.up.most)]
    zones += [(f"in pile {name}", count, count) for name, count in game.pile_cards.items()]
    zones += [("on the board", board, board)]
    return ", ".join(
        f"{least} {zone}" if least == most else f"{least} to {most} {zone}"
        for zone, least, most in zones
        if most
    )


def check_hands(game: Game, cards: NDArray[Any], first: int) -> Codes:
    """Some hands, the first of them of this number: of the game's deck, no card twice."""
    strange = _strange(game, cards)
    if strange.any():
        raise _refusal(first, cards, strange, "is no card of the deck")
    columns = np.ascontiguousarray(cards.T, dtype=np.int8)
    for apart in range(1, len(columns)):
        same = columns[apart:] == columns[:-apart]
        if same.any():
            twice = np.zeros(cards.shape, dtype=bool)
            twice[:, apart:] = same.T
            raise _refusal(first, cards, twice, "stands there twice")
    return columns.astype(np.int16).T


def _strange(game: Game, cards: NDArray[Any]) -> NDArray[np.bool_]:
    """Which cards are not of the game's deck, looked at one by one where any may be."""
    lowest, highest = int(cards.min()), int(cards.max())
    if 0 <= lowest <= highest < NATURAL_CARDS and game.deck.issuperset(range(NATURAL_CARDS)):
        return np.zeros(0, dtype=bool)
    return np.isin(cards, [*game.deck], invert=True)


def _refusal(first: int, cards: NDArray[Any], wrong: NDArray[np.bool_], why: str) -> BadHands:
    row, place = np.argwhere(wrong)[0].tolist()
    number = int(cards[row, place])
    card = TEXTS[number] if 0 <= number < len(TEXTS) else str(number)
    return BadHands(f"hand {first + row}: {card} {why}")
