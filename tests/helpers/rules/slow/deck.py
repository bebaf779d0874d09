"""Cards and kinds of hands in a document: the deck, the points, the order of hands."""

from collections.abc import Mapping
from typing import Any

from tests.helpers.rules.slow.hands import DECK, ORDER, RANKS

Document = Mapping[str, Any]
PER_RANK = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}


def named_by(card: str, word: str) -> bool:
    """Return whether the word in a document refers to the card."""
    if word in {"joker", "jokers"}:
        return card[0] == "*"
    if card[0] == "*":
        return False
    if word == "face":
        return card[0] in "JQK"
    if word in {"red", "black"}:
        return card[1] in {"red": "dh", "black": "cs"}[word]
    suit = word[0] if word in {"c", "d", "h", "s"} or len(word) > 3 else ""
    return card == word or card[0] == word.replace("10", "T") or card[1] == suit


def deck_of(document: Document) -> list[str]:
    text = str(document.get("deck", "52"))
    words, _, jokers = text.partition("+")
    deck = [*DECK]
    without = words.partition("without")[2]
    for word in without.split():
        low, _, high = word.replace("10", "T").partition("-")
        gone = RANKS[RANKS.index(low) : RANKS.index(high or low) + 1]
        deck = [card for card in deck if card[0] not in gone]
    return deck + [f"*{n + 1}" for n in range(int(jokers.split()[0]) if jokers else 0)]


def order_of(document: Document) -> list[str]:
    named: list[str] = []
    dropped: set[str] = set()
    for text in document.get("order", ()):
        words = text.split()
        if words[0] == "without":
            dropped |= {*words[1:], "straight-flush", *(f"four-{word}" for word in words[1:])}
        elif words[0] != "with":
            named += words  # together, these strings form one order, strongest first
    moved = iter([word for word in named if word in ORDER])
    order = [next(moved) if kind in named else kind for kind in reversed(ORDER)]
    above = ""
    for word in named:
        if word not in ORDER:
            order.insert(order.index(above) + 1 if above else 0, word)
        above = word
    return [kind for kind in reversed(order) if kind not in dropped]


def points_of(document: Document) -> dict[str, list[float]]:
    points: dict[str, list[float]] = {card: [PER_RANK.get(card[0], 10)] for card in DECK}
    points |= {card: [1] for card in DECK if card[0] == "A"} | {f"*{n}": [0] for n in "1234"}
    minus: set[str] = set()
    for text in document.get("points", ()):
        words = text.split()
        if words[-1] == "minus":
            minus |= {card for card in DECK if named_by(card, words[0])}
            continue
        is_count = [bool(at) and (w.isdigit() or w == "half") for at, w in enumerate(words)]
        named = [word for word, counts in zip(words, is_count, strict=True) if not counts]
        counts = [0.5 if word == "half" else int(word) for word in words[len(named) :]]
        for card in points:
            if any(named_by(card, name) for name in named):
                points[card] = counts
    return {
        card: [-c for c in counts] if card in minus else counts for card, counts in points.items()
    }


def top_of(document: Document) -> dict[str, int]:
    top: dict[str, int] = {}
    for above, text in enumerate(reversed(document.get("top", ()))):
        top |= dict.fromkeys(text.split(), 100 + above)
    return top
