"""Cards of PokerNow logs and their strength, without code of the engine."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

RANKS = "2 3 4 5 6 7 8 9 10 J Q K A".split()
SUITS = str.maketrans("♣♦♥♠", "cdhs")
DECK = [rank + suit for rank in RANKS for suit in "♣♦♥♠"]


def in_record(cards: Iterable[str]) -> list[str]:
    """Return the cards as they are written in a record: "10♠" is "Ts"."""
    return [card.replace("10", "T").translate(SUITS) for card in cards]


def strength(held: Sequence[str], row: Sequence[str]) -> tuple[int, ...]:
    """Return the best hand, using exactly two of four hole cards and three board cards."""
    if len(held) == 2:
        return max(five(cards) for cards in combinations([*held, *row], 5))
    return max(
        five([*own, *common]) for own in combinations(held, 2) for common in combinations(row, 3)
    )


def five(cards: Sequence[str]) -> tuple[int, ...]:
    ranks = Counter(RANKS.index(card[:-1]) for card in cards)
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    counts = sorted(ranks.values(), reverse=True)
    suited = len({card[-1] for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    if order == [12, 3, 2, 1, 0]:
        straight, order = True, [3, 2, 1, 0, -1]
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(counts), 0)
    if straight and suited:
        kind = 8
    elif suited:
        kind = max(kind, 5)
    elif straight:
        kind = max(kind, 4)
    return (kind, *order)
