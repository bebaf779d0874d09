"""The ranking of hands: kinds, scales, and strengths as numbers and in words."""

from rules.ranking.kinds import (
    HOUSE_KINDS,
    LONG_KINDS,
    LONG_SIZES,
    long_strengths,
    of_one_rank,
    usual_name,
)
from rules.ranking.scales import (
    CATEGORIES,
    CEILING,
    FIRST_RANK,
    FOUR_FLUSH,
    FOUR_STRAIGHT,
    FULL_HAND,
    IMPOSSIBLE,
    REVERSED,
    SCALES,
    Scale,
    bar_strength,
    describe,
    read_strength,
    runs,
)

__all__ = [
    "CATEGORIES",
    "CEILING",
    "FIRST_RANK",
    "FOUR_FLUSH",
    "FOUR_STRAIGHT",
    "FULL_HAND",
    "HOUSE_KINDS",
    "IMPOSSIBLE",
    "LONG_KINDS",
    "LONG_SIZES",
    "REVERSED",
    "SCALES",
    "Scale",
    "bar_strength",
    "describe",
    "long_strengths",
    "of_one_rank",
    "read_strength",
    "runs",
    "usual_name",
]
