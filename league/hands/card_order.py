"""The order in which the cards of a hand are shown."""

from collections import Counter
from collections.abc import Iterable, Mapping


def as_made(cards: Iterable[str], plays_as: Mapping[str, str], name: str) -> list[str]:
    """Return the cards of a hand in the order in which its name lists them.

    Frequent ranks come first, then high ranks. An ace below a two comes last.
    """
    ranks = {card: plays_as.get(card, card)[0] for card in cards}
    often = Counter(ranks.values())
    listed = name.rpartition(" ")[2].replace("10", "T").split("-")
    order = "KQJT98765432A" if name.endswith("five high") else "AKQJT98765432"
    if len(listed) > 1 and set(listed) <= set(order):  # a low hand, such as `7-5-4-3-A`
        order = "".join(listed)
    return sorted(ranks, key=lambda card: (-often[ranks[card]], order.find(ranks[card]) % 99))
