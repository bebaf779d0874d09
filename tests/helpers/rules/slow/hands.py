"""Strengths of cards on each scale as tuples. Higher is better, and None does not qualify."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Any

from tests.helpers.rules.slow.house_kinds import (
    RANKS,
    Kinds,
    Ranks,
    kinds_of_many,
    kinds_of_the_house,
    rank_of,
)

SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
ORDER = ["high-card", "pair", "two-pair", "trips", "straight", "flush", "full-house", "quads",
         "straight-flush", "five-of-a-kind"]  # fmt: skip
Strength = tuple[Any, ...]
Cards = Sequence[str]


LOWS = {"best", "ace-to-six", "reversed"}  # scales on which the ace counts as one


class Ranking:
    """The rules for poker hands with a given deck and game."""

    def __init__(
        self, deck: Iterable[str], order: Sequence[str], straights: str, quick: str
    ) -> None:
        self.order = [*order]
        self.of_the_house = {*order} - {*ORDER}
        self.ranks = sorted({rank_of(card) for card in deck if card[0] in RANKS})
        self.skips, self.wheel = "skip gaps" in straights, "no wheel" not in straights
        self.sizes = {5} | {n for n, word in ((3, "three"), (4, "four")) if word in straights}
        self.wheel_top = {"first": 15, "second": 13.5}.get(straights.rpartition("wheel ")[2])
        self.quick = bool(quick)

    def is_run(self, ranks: Sequence[int], scale: str) -> float:
        """Return the highest rank of the straight that these ranks (ace 14) form, or 0."""
        size = len(ranks)
        if len(set(ranks)) != size or size not in self.sizes or "straight" not in self.order:
            return 0
        values = [1 if rank == 14 else rank for rank in self.ranks] if scale == "ace-to-six" else []
        values = sorted(values or self.ranks)
        if not self.skips:
            values = list(range(1 if scale == "ace-to-six" else 2, 15))
        held = sorted(1 if rank == 14 and scale == "ace-to-six" else rank for rank in ranks)
        runs = [values[at : at + size] for at in range(len(values) - size + 1)]
        if scale == "ace-to-six" and not self.skips:
            runs = [run for run in runs if run[-1] != 14]
        if scale == "ace-to-six" and not self.wheel:
            runs = [run for run in runs if run[0] != 1]
        if held in runs:
            return held[-1]
        lowest = self.ranks if self.skips else list(range(self.ranks[0], self.ranks[0] + size - 1))
        if scale == "high" and self.wheel and held == sorted([*lowest[: size - 1], 14]):
            return self.wheel_top or held[-2]
        return 0

    def poker(self, cards: Cards, scale: str) -> Strength:
        """Return the hand that up to five cards form, on a scale of poker hands."""
        ace = 1 if scale in LOWS else 14
        ranks = [rank_of(card, ace) for card in cards]
        counts = Counter(ranks)
        groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
        kind = self._kind([count for count, _ in groups])
        deciding: Ranks = [rank for _, rank in groups]
        kinds: Kinds = {kind: deciding}
        if scale == "high" and self.quick and kind in {"trips", "full-house"}:
            kinds = self._quick(cards, groups) or kinds
        if scale == "high" and self.of_the_house:
            kinds |= kinds_of_the_house(self.order, cards, groups, next(iter(kinds)))
        if scale not in {"best", "reversed"} and len(cards) in self.sizes:
            run = self.is_run([rank_of(card) for card in cards], scale)
            flush = len({card[1] for card in cards}) == 1 and "flush" in self.order
            kinds |= (
                {"straight-flush": [run]} if run and flush else {"flush": deciding} if flush else {}
            )
            kinds |= {"straight": [run]} if run and not flush else {}
            if run and flush:
                kinds.pop("four-straight", None)
        kind = max((one for one in kinds if one in self.order), key=self.order.index)
        place, deciding = self.order.index(kind), kinds[kind]
        padded = [*deciding, 0, 0, 0, 0, 0][:5]  # a missing card is lower than any card
        if scale in {"high", "reversed"}:
            return (-place if scale == "reversed" else place, *padded)
        return (-place, *(-rank for rank in padded))

    def longest(self, cards: Cards) -> Strength:
        """Return the best five-, six- or seven-card hand from a hand of n cards."""
        strengths = [self.poker(five, "high") for five in combinations(cards, 5)]
        for size in range(6, len(cards) + 1):
            for chosen in combinations(cards, size):
                run = self._is_long_run([rank_of(card) for card in chosen])
                for kind, deciding in kinds_of_many(chosen, run).items():
                    if kind in self.order:
                        strengths.append((self.order.index(kind), *deciding))
        return max(strengths)

    def _is_long_run(self, ranks: Sequence[int]) -> float:
        sizes, self.sizes = self.sizes, {len(ranks)}
        top = self.is_run(ranks, "high")
        self.sizes = sizes
        return top

    @staticmethod
    def _quick(cards: Cards, groups: list[tuple[int, int]]) -> Kinds:
        """Return quads without a kicker for trips plus two cards that add up to their rank."""
        rank = groups[0][1]
        others = [card for card in cards if rank_of(card) != rank]
        worth = [
            {"A": 1, "T": 10}.get(card[0]) or int(card[0])
            for card in others
            if card[0] not in "JQK"
        ]
        if rank > 10 or len(worth) != 2 or sum(worth) != rank:
            return {}
        return {"quads": [rank]}

    @staticmethod
    def _kind(counts: list[int]) -> str:
        counts = [*counts, 0]
        if counts[0] == 5:
            return "five-of-a-kind"
        if counts[0] == 4:
            return "quads"
        if counts[0] == 3:
            return "full-house" if counts[1] == 2 else "trips"
        if counts[0] == 2:
            return "two-pair" if counts[1] == 2 else "pair"
        return "high-card"


def badugi(cards: Cards, scale: str) -> Strength:
    strengths: list[Strength] = []
    for size in range(1, 5):
        for chosen in combinations(cards, size):
            if len({card[0] for card in chosen}) == len({card[1] for card in chosen}) == size:
                ranks = sorted(rank_of(c, 1 if scale == "badugi" else 14) for c in chosen)[::-1]
                strengths.append(
                    (size, *(ranks if scale == "hidugi" else [-rank for rank in ranks]))
                )
    return max(strengths)


def totals(cards: Cards, points: Kinds) -> list[float]:
    return [sum(each) for each in product(*(points[card] for card in cards))]
