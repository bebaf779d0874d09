"""Strengths of hands with wild cards, found by trying every card.

The module shares no code with the engine. Cards are strings, and strengths are tuples.
"""

from collections.abc import Iterator
from itertools import combinations, product

from tests.helpers.rules.slow.hands import DECK, RANKS, Strength, badugi

BUST = (-(10**6),)


def readings(hand: list[str], wild: list[str]) -> Iterator[list[str]]:
    """Yield the hand with wild cards replaced by absent cards."""
    natural = [card for card in hand if card not in wild]
    free = [card for card in DECK if card not in natural]
    for stands in combinations(free, len(wild)):
        yield [*natural, *stands]


def best_badugi(hand: list[str], scale: str, wild: list[str]) -> Strength:
    return max(badugi(cards, scale) for cards in readings(hand, wild))


def best_points(hand: list[str], scale: str, wild: list[str]) -> Strength:
    """Return the best points. A wild card counts as any card, present or absent."""
    natural = [card for card in hand if card not in wild]
    counts = [_points(card) for card in natural] + [list(range(1, 12))] * len(wild)
    return max(_total(sum(each), scale) for each in product(*counts))


def _points(card: str) -> list[int]:
    if card[0] == "A":
        return [1, 11]
    return [10] if card[0] in "TJQK" else [int(card[0])]


def _total(total: int, scale: str) -> Strength:
    if scale == "least points":
        return (-total,)
    if scale == "most points":
        return (total,)
    return (total,) if total <= int(scale.split()[1]) else BUST


def best_singles(hand: list[str], scale: str, wild: list[str]) -> Strength:
    """Return the best single card. One-eyed jacks rank above aces and tie with each other."""
    return max(_singles(cards, scale) for cards in readings(hand, wild))


def _singles(cards: list[str], scale: str) -> Strength:
    sign = 1 if scale == "highest" else -1
    return tuple(sorted((sign * _card_order(card) for card in cards), reverse=True))


def _card_order(card: str) -> int:
    if card in {"Jh", "Js"}:
        return 100
    return 4 * RANKS.index(card[0]) + "dchs".index(card[1])  # clubs rank above diamonds
