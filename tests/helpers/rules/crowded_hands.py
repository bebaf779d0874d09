"""Random hands with many ties and strong combinations."""

import numpy as np
from numpy.typing import NDArray


def crowded(size: int, seed: int) -> NDArray[np.int64]:
    """Return hands with few ranks or suits, where straights, flushes and full houses are common."""
    chance = np.random.default_rng(seed)
    hands = []
    for _ in range(500):
        low = chance.integers(0, 8)
        ranks = range(4 * low, 4 * low + 24)
        suit = [*range(int(chance.integers(0, 4)), 52, 4), int(chance.integers(0, 52))]
        hands.append(chance.choice(list(ranks), size, replace=False))
        hands.append(chance.choice(sorted(set(suit)), size, replace=False))
        wheel = [*range(20), *range(48, 52)]
        hands.append(chance.choice(wheel, size, replace=False))
    return np.array(hands)
