"""Words that sentences are made of: lists, chips, numbers, cards, ranks."""

from collections.abc import Sequence

from rules.cards import CARDS, RANK_NAMES, RANK_PLURALS, RANKS
from rules.showdown.naming import JOKER_NAME, card_name

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
COUNTS = "no one two three four five six seven eight nine ten".split()
ORDINALS = "0th first second third fourth fifth sixth seventh eighth ninth tenth".split()
RANK_WORDS = dict(zip(RANKS, RANK_NAMES, strict=True))
RANKS_WORDS = dict(zip(RANKS, RANK_PLURALS, strict=True))


def listed(words: Sequence[str]) -> str:
    """`ann`, `ann and bob`, `ann, bob and cat`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def chips(amount: int) -> str:
    """`1 chip`, `2,500 chips`."""
    return "1 chip" if amount == 1 else f"{amount:,} chips"


def count(number: int) -> str:
    """`two`; numbers above ten in figures."""
    return COUNTS[number] if number < len(COUNTS) else f"{number:,}"


def ordinal(number: int) -> str:
    """`third`; numbers above ten as `11th`."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"


def points_words(points: float) -> str:
    """`1 point`, `7.5 points`."""
    return "1 point" if points == 1 else f"{points:,} points"


def rank_text(rank: str) -> str:
    """`10` for T; other ranks as in a record."""
    return "10" if rank == "T" else rank


def sign(card: str) -> str:
    """`10♦` for Td; a joker as it is."""
    return rank_text(card[:-1]) + SIGNS[card[-1]] if card[-1] in SIGNS else card


def with_article(words: str) -> str:
    """`an eight-high straight`, `a full house`."""
    return f"an {words}" if words.startswith(("a", "e", "i", "o")) else f"a {words}"


def the_card(card: str) -> str:
    """`the three of clubs`, `a joker`."""
    name = card_name(CARDS[card])
    return with_article(name) if name == JOKER_NAME else f"the {name}"
