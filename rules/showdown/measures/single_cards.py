"""Single cards, compared one by one, and cards that one must hold."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARD_KINDS, NATURAL_CARDS
from rules.game.game import Alternative, Game
from rules.ranking import IMPOSSIBLE
from rules.showdown.measures.measured import Measured, wild_in
from rules.showdown.rows import Cards
from rules.showdown.selections import Selection

SINGLE_BITS = 6
MOST_SINGLES = 10  # single cards of a hand that are compared


def by_singles(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Cards compared one by one, from the best down; only those of the set count."""
    singles = cards.picked(_single_table(cards.game, alternative.scale), selection)
    wild = wild_in(cards, selection.explicit)
    counted = _counted(alternative, selection, cards, wild)
    singles = np.where(counted, singles, 0)
    if (wild & counted).any():
        natural = np.where(wild, -1, cards.codes[selection.explicit])
        singles = _stand_in(singles, wild & counted, natural, alternative, cards.game)
    ordered = -np.sort(-singles, axis=1)
    strengths = np.zeros((ordered.shape[0], ordered.shape[2]), dtype=np.int64)
    for place in range(MOST_SINGLES):  # hands of fewer cards compare with those of more
        card = ordered[:, place] if place < ordered.shape[1] else 0
        strengths = strengths << SINGLE_BITS | card
    return Measured(np.where(ordered[:, 0] > 0, strengths, IMPOSSIBLE), selection.pick)


@lru_cache(maxsize=256)
def _single_table(game: Game, scale: str) -> NDArray[np.int64]:
    best = max(game.singles.values()) + 1
    values = [game.singles.get(card, 0) for card in range(CARD_KINDS)]
    if scale == "lowest":
        values = [best - value if value else 0 for value in values]
    return np.array(values, dtype=np.int64)


def _counted(
    alternative: Alternative, selection: Selection, cards: Cards, wild: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which cards of each choice belong to the set that the scale names, in its zone; a wild card
    may be any of the set, and lies where it lies."""
    explicit = selection.explicit
    if alternative.cards is None:
        return np.ones((*explicit.shape, cards.rows), dtype=bool)
    member = np.zeros(CARD_KINDS, dtype=bool)
    member[list(alternative.cards.cards)] = True
    down = explicit < cards.shape.down
    up = (explicit >= cards.shape.down) & (explicit < cards.shape.down + cards.shape.up)
    in_zone = {"": np.ones_like(down), "down": down, "up": up}[alternative.cards.zone]
    found: NDArray[np.bool_] = (member[cards.codes[explicit]] | wild) & in_zone[:, :, None]
    return found


def stand_in_cards(game: Game, alternative: Alternative) -> list[int]:
    """The cards that a wild one may stand for when single cards are compared, the best first."""
    table = _single_table(game, alternative.scale)
    named = alternative.cards.cards if alternative.cards else range(NATURAL_CARDS)
    return sorted((card for card in named if card < NATURAL_CARDS), key=lambda card: -table[card])


def _stand_in(
    singles: NDArray[np.int64],
    wild: NDArray[np.bool_],
    natural: NDArray[np.int16],
    alternative: Alternative,
    game: Game,
) -> NDArray[np.int64]:
    """Each wild card becomes the best natural card that is not there yet (docs/rulings.md 1,
    10)."""
    found = np.where(wild, 0, singles)
    waiting = wild.copy()
    table = _single_table(game, alternative.scale)
    for card in stand_in_cards(game, alternative):
        if not waiting.any():
            break
        first = waiting & (waiting.cumsum(axis=1) == 1)
        first &= ~(natural == card).any(axis=1)[:, None, :]
        found[first] = table[card]
        waiting &= ~first
    return found


def by_holding(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Whether the cards are there; a wild card may be one that is missing."""
    wanted = list(alternative.cards.cards) if alternative.cards else []
    codes = cards.codes[selection.explicit]
    missing = np.zeros((codes.shape[0], codes.shape[2]), dtype=np.int64)
    for card in wanted:
        missing += ~(codes == card).any(axis=1)
    wild = wild_in(cards, selection.explicit) & ~np.isin(codes, wanted)
    return Measured(np.where(missing <= wild.sum(axis=1), 1, IMPOSSIBLE), selection.pick)
