"""What pots and their shares are called at a table."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.settlement.story.wording import count

Reason = Mapping[str, Any]

BAR = "-or-better"
LOW_BAR = re.compile(r"(10|[2-9TJQKA])-or-better")
LOW_SCALES = frozenset(("best", "worst", "ace-to-six", "lowest"))
PLACE = re.compile(r"(row|board|line) \d+")


def pot_words(pot: Reason) -> str:
    """`the pot`, `side pot 2`, `the nine carried pots`."""
    many = pot.get("count", 1)
    match pot["kind"]:
        case "carried":
            return "the carried pot" if many == 1 else f"the {count(many)} carried pots"
        case "side":
            return f"side pot {pot['number']}" if "number" in pot else "the side pot"
        case "main":
            return "the main pot"
    return "the pot"


@lru_cache(maxsize=1024)
def share_word(way: str) -> str:
    """What players call a share; one that is named by its bar or its scale is the high or low."""
    plain = " ".join(word for word in way.split() if not word.endswith(BAR))
    if not plain:
        return (
            "low"
            if LOW_BAR.fullmatch(way)
            else "badugi"
            if way.endswith(f"-cards{BAR}")
            else "high"
        )
    return "low" if plain in LOW_SCALES else "high" if plain == "highest" else plain


@lru_cache(maxsize=1024)
def the_share(way: str) -> str:
    word = share_word(way)
    return word if PLACE.fullmatch(word) else f"the {word}"
