"""A game's order of hand categories, excluded categories, and unusual straights and flushes."""

from collections.abc import Iterable

from rules.game.grammar import GrammarError
from rules.ranking import (
    CATEGORIES,
    FOUR_FLUSH,
    FOUR_STRAIGHT,
    HOUSE_KINDS,
    LONG_KINDS,
    of_one_rank,
)

GrammarErrors = list[tuple[str, GrammarError]]
QUICK_QUADS = "quick-quads"
NOT_USUAL = frozenset((FOUR_FLUSH, FOUR_STRAIGHT, *HOUSE_KINDS, *LONG_KINDS))


def category_order(texts: Iterable[str], misreads: GrammarErrors) -> tuple[str, ...]:
    """Return the categories, weakest first, from the strongest-first list in a document.

    Only the usual categories in the list change places. An unusual category (a four-flush, `333`)
    ranks right below the category listed before it.
    """
    usual = list(reversed(CATEGORIES))
    named: list[str] = []
    dropped: set[str] = set()
    for index, text in enumerate(texts):
        words = text.split()
        if words[:1] == ["without"]:  # such as `without straight`
            dropped.update(*(DROPPED.get(word, ()) for word in words[1:]))
        if words[:1] in (["without"], ["with"]):
            is_added = words[0] == "with"
            known = (QUICK_QUADS,) if is_added else tuple(DROPPED)
            for word in words[1:] or ([""] if is_added else []):
                if word not in known:
                    reason = f"{word!r} can't be {'added' if is_added else 'left out'}"
                    misreads.append((f"order/{index}", GrammarError(word, reason, known)))
            continue
        for word in words:
            is_kind = word in CATEGORIES or word in NOT_USUAL or of_one_rank(word) is not None
            if not is_kind or word in named:
                categories = (*usual, *sorted(NOT_USUAL))
                misread = GrammarError(
                    word, f"{word!r} is not a category, or is named twice", categories
                )
                misreads.append((f"order/{index}", misread))
            else:
                named.append(word)
    moved = iter([word for word in named if word in usual])
    order = [next(moved) if word in named else word for word in usual]
    for place, word in enumerate(named):
        if word not in CATEGORIES:
            before = named[place - 1] if place else None
            order.insert(order.index(before) + 1 if before in order else 0, word)
    return tuple(category for category in reversed(order) if category not in dropped)


def ways(straights: frozenset[str], order: Iterable[str]) -> frozenset[str]:
    """Return the unusual ways to make straights, flushes and quads."""
    quick = any(text.split()[:1] == ["with"] for text in order)
    return straights | {QUICK_QUADS} if quick else straights


# sizes of straights and flushes that don't have five cards
SIZES = {"three cards": 3, "four cards": 4}
WHEELS = {
    "wheel first": 15,
    "wheel second": 13,
}  # straights that rank above the ace-high straight, or right below it
STRAIGHTS = ("skip gaps", "no wheel", *SIZES, *WHEELS)


def read_straights(text: str) -> frozenset[str]:
    """Parse `usual`, `skip gaps`, `no wheel` or `three cards and wheel first`."""
    parts = frozenset(part.strip() for part in text.split(" and "))
    if parts == {"usual"}:
        return frozenset()
    for part in sorted(parts - {*STRAIGHTS}):
        raise GrammarError(part, f"{part!r} is not a rule of straights", ("usual", *STRAIGHTS))
    placed = sorted(parts & {"no wheel", *WHEELS})
    if len(placed) > 1:
        raise GrammarError(
            placed[1], f"{placed[0]!r} and {placed[1]!r} can't be combined", placed[:1]
        )
    return parts


DROPPED = {  # maps a category to the categories that do not count if it is missing
    "straight": (
        *("straight", "straight-flush", FOUR_STRAIGHT),
        *(name for name, kind in LONG_KINDS.items() if kind.straight),
    ),
    "flush": (
        *("flush", "straight-flush", FOUR_FLUSH),
        *(name for name, kind in LONG_KINDS.items() if kind.flush),
    ),
}
