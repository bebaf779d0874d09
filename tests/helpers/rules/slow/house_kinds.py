"""Kinds of hands that only some tables play, and how two hands of the same kind compare."""

from collections import Counter
from collections.abc import Iterator, Sequence

RANKS = "23456789TJQKA"
Ranks = list[float]
Kinds = dict[str, Ranks]
ENDS = {"big-cat": (8, 13), "little-cat": (3, 8), "big-dog": (9, 14), "little-dog": (2, 7),
        "five-and-dime": (5, 10)}  # lowest and highest of five cards without a pair  # fmt: skip


def rank_of(card: str, ace: int = 14) -> int:
    rank = RANKS.index(card[0]) + 2
    return ace if rank == 14 else rank


def kinds_of_the_house(
    order: Sequence[str], cards: Sequence[str], groups: list[tuple[int, int]], usual: str
) -> Kinds:
    """Return the special kinds in `order` that these cards form."""
    ranks: Ranks = [rank for _, rank in groups]
    kinds = {kind: ranks for kind in order if _is_of_one_rank(kind, usual, groups[0][1])}
    if len(cards) == 5:
        kinds |= dict(_of_five(cards, ranks))
    return {kind: ranks for kind, ranks in kinds.items() if kind in order}


def _is_of_one_rank(kind: str, usual: str, rank: int) -> bool:
    """Return whether the kind, a word such as `333`, is of this rank."""
    plain = kind.replace("10", "T")
    if plain[0] not in RANKS or usual != {2: "pair", 3: "trips", 4: "quads"}.get(len(plain)):
        return False
    return rank_of(plain) == rank


def _of_five(cards: Sequence[str], order: Ranks) -> Iterator[tuple[str, Ranks]]:
    ranks = sorted(order)
    if all(card[0] in "JQK" for card in cards):
        yield "blaze", order
    if max(Counter(card[1] for card in cards).values()) == 4:
        yield "four-flush", order
    runs = [{14 if rank == 1 else rank for rank in range(low, low + 4)} for low in range(1, 12)]
    if any(run <= {*ranks} for run in runs):
        yield "four-straight", order
    if len(ranks) == 5:
        yield from ((name, order) for name, ends in ENDS.items() if (ranks[0], ranks[4]) == ends)
        yield from _of_five_ranks(ranks, order)


def _of_five_ranks(ranks: Ranks, order: Ranks) -> Iterator[tuple[str, Ranks]]:
    if ranks[::2] == [2, 5, 9]:
        yield "skeet", order
    for low in range(1, 7):
        if {14 if rank == 1 else rank for rank in range(low, low + 9, 2)} == {*ranks}:
            yield "skip-straight", [low + 8]
    for top in (2, 3, 4):
        if sorted(top - n if top > n + 1 else top - n + 13 for n in range(5)) == ranks:
            yield "round-straight", [top]


GROUPS = {
    (2, 2, 2): "three-pair",
    (3, 3): "two-trips",
    (4, 2): "quads-and-pair",
    (3, 2, 2): "trips-and-two-pair",
    (4, 3): "quads-and-trips",
}


def kinds_of_many(cards: Sequence[str], run: float) -> Kinds:
    """Return the kinds that six or seven cards form together.

    `run` is the top of a straight, if any.
    """
    counts = Counter(rank_of(card) for card in cards)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    kinds: Kinds = {}
    if kind := GROUPS.get(tuple(count for count, _ in groups)):
        kinds[kind] = [rank for _, rank in groups]
    size = {6: "six", 7: "seven"}[len(cards)]
    flush = len({card[1] for card in cards}) == 1
    if run:
        kinds[f"{size}-straight-flush" if flush else f"{size}-straight"] = [run]
    elif flush:
        kinds[f"{size}-flush"] = sorted((rank_of(card) for card in cards), reverse=True)
    return kinds
