"""Usual hands of a batch side by side: what is said of each once, the cards of all in one array.

No object stands for a card or a player. A law holds that what is taken here is answered as others
would have it (tests/laws/test_quick_ways.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from json import JSONEncoder
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARDS, UNSEEN
from rules.game.game import Game
from rules.game.hand import MOST_NAME, Carried, from_left
from rules.settlement.checks import declarations
from rules.settlement.chips.entries import contested
from rules.showdown.showdown import compared_as

MOST_TABLES, MOST_LETTERS = 4096, 200  # tables whose names are remembered, which are no longer
NO_CARD = UNSEEN + 1  # of no deck either
MOST_CARDS = NO_CARD  # more are never all different; and so many bits never add up beyond 64
in_json = JSONEncoder().encode


@dataclass(frozen=True, slots=True)
class Names:
    """Who sits at a table: good names, where each sits, and how JSON tells them."""

    told: tuple[str, ...]
    seats: dict[str, int]
    quoted: tuple[str, ...]
    chips: str  # an object with a number to be filled in for each
    nothing: str  # the same, none for all


_tables: dict[tuple[Any, ...], Names] = {}


def names_of(told: tuple[Any, ...]) -> Names:
    """The names of a table. Raises ValueError where one is none or stands there twice."""
    found = _tables.get(told)
    if found is not None:
        return found
    for name in told:
        if type(name) is not str or not (0 < len(name) <= MOST_NAME and name.isprintable()):
            raise ValueError
    seats = {name: seat for seat, name in enumerate(told)}
    if len(seats) < len(told):
        raise ValueError
    said = tuple([in_json(name) for name in told])
    chips = "{" + ", ".join([name.replace("%", "%%") + ": %d" for name in said]) + "}"
    found = Names(told, seats, said, chips, chips % ((0,) * len(said)))
    if sum(map(len, said)) <= MOST_LETTERS:
        if len(_tables) >= MOST_TABLES:
            _tables.clear()
        _tables[told] = found
    return found


@dataclass(frozen=True, slots=True)
class Rules:
    """What the columns must know of a game."""

    game: Game
    compared: Game  # under which its hands are compared
    strange: int  # a bit for each card that is not of its deck
    card_bounds: tuple[int, int, int, int]
    row_lengths: list[int]
    on_board: int
    declares: bool
    declarations: dict[str, frozenset[int]]  # the shares that each word contests
    must_show: bool
    ways: tuple[str, ...]  # as JSON tells them


@lru_cache(maxsize=4096)
def rules_of(game: Game) -> Rules | None:
    """The rules by which hands of a game are settled in columns, None where they can't be."""
    if game.for_taking or game.loses_cards or not (game.is_plain and game.hands_decide):
        return None
    return Rules(
        game,
        compared_as(game),
        ((1 << NO_CARD + 1) - 1) & ~sum(1 << card for card in game.deck),
        game.card_bounds,
        game.row_lengths,
        sum(game.row_lengths),
        game.declares,
        {word: contested(game, word) for word in declarations(game)},
        game.must_show,
        tuple([in_json(way) for way in game.share_names]),
    )


@dataclass(slots=True)
class ColumnHand:
    """A hand that was taken: chips and what is said by seat; its cards lie in the columns."""

    rules: Rules
    variant: str
    button: int
    names: Names
    paid: list[int]
    carried: Sequence[Carried] = ()
    took: dict[str, int] | None = None
    count: int = 0  # of all its cards, those of the board last
    live: list[int] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)  # of those: cards down and up
    places: list[int] = field(default_factory=list)  # where theirs begin in the hand, or the copies
    copied: bool = False  # some hold cards together, so theirs are laid out once more
    # what is told of some
    dead: dict[int, int] = field(default_factory=dict)
    declared: dict[int, str] = field(default_factory=dict)
    late: list[int] = field(default_factory=list)
    all_in: list[int] = field(default_factory=list)

    def from_dealers_left(self, seat: int) -> int:
        """See `Hand.from_dealers_left`."""
        return from_left(self.rules.game, self.button, len(self.paid), seat)

    def stakes(self) -> list[int]:
        """What each put in that is no dead chip."""
        stakes = [*self.paid]
        for seat, chips in self.dead.items():
            stakes[seat] -= chips
        return stakes


# --- cards --------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    """The cards of a batch: of all hands, and behind them the copies. Where each hand begins,
    whether its cards are good, and where the copies begin."""

    codes: NDArray[np.int8]
    starts: list[int]
    good: list[bool]
    copies: int


def dealt(hands: Sequence[ColumnHand], cards: Sequence[str], copies: Sequence[str]) -> Dealt:
    """The cards of hands, told for each such as `As Kd`, and the copies of some of them."""
    codes = codes_of(cards)
    counts = np.array([hand.count for hand in hands])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    bits = _BITS[codes]
    together = np.bitwise_or.reduceat(bits, starts)
    once = together == np.add.reduceat(bits, starts)
    strange = np.array([hand.rules.strange for hand in hands], dtype=np.uint64)
    good = once & (together & strange == 0)
    laid = np.concatenate([codes, codes_of(copies)]) if copies else codes
    return Dealt(laid, starts.tolist(), good.tolist(), len(codes))


# A card of two letters is one number of two bytes; whatever else, it is no card.
_CODES = np.full(1 << 16, NO_CARD, dtype=np.int8)
for _text, _card in CARDS.items():
    if len(_text) == len("As"):
        _CODES[ord(_text[0]) << 8 | ord(_text[1])] = _card
_BITS = np.array([1 << card for card in range(NO_CARD + 1)], dtype=np.uint64)


def are_twos(text: str, count: int) -> bool:
    """Whether so many cards that were joined by spaces may be two letters each."""
    return len(text) == 3 * count - 1 and text.isascii()


def codes_of(texts: Sequence[str]) -> NDArray[np.int8]:
    """The cards of texts that may be `As Kd`; NO_CARD for what is none.

    No card has a space in it, so where every third letter is one and all between are cards, no
    space was among what was joined.
    """
    letters = np.frombuffer((" ".join(texts) + " ").encode(), dtype=np.uint8).reshape(-1, 3)
    codes: NDArray[np.int8] = _CODES[letters[:, 0].astype(np.uint16) << 8 | letters[:, 1]]
    codes[letters[:, 2] != ord(" ")] = NO_CARD
    return codes
