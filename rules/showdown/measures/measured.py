"""The strengths of every choice of a selection."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.showdown.rows import Cards
from rules.showdown.selections import Block
from rules.showdown.strength_tables import WILD

Strengths = NDArray[np.int64]


@dataclass(frozen=True)
class Measured:
    """The strengths of every choice of a selection and the positions that a choice plays."""

    strengths: NDArray[np.int64] | NDArray[np.int32]
    positions: Callable[[int], list[int]]


def wild_in(cards: Cards, choices: Block) -> NDArray[np.bool_]:
    """Which cards of each choice are wild: (choices, cards, rows)."""
    if not (cards.game.wild or cards.game.bug):
        return np.zeros((*choices.shape, cards.rows), dtype=np.bool_)
    return np.asarray(cards.symbols[choices] >= WILD)
