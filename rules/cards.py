"""Cards as small integers, and their notation.

A card is `4 * rank + suit`. Ranks go from the deuce (0) to the ace (12). Suits have the order of
single-card scoring: diamonds, clubs, hearts, spades (Munk's house rules, docs/rulings.md 9). The
number of a card is therefore also its rank when single cards are compared. The numbers of four
jokers and of the unseen card come last.
"""

from collections.abc import Iterable

import numpy as np

from rules.errors import quoted

RANKS = "23456789TJQKA"
SUITS = "dchs"
JOKERS = ("*1", "*2", "*3", "*4")
UNSEEN_TEXT = "??"

ACE = 12
NATURAL_CARDS = 52
FIRST_JOKER = 52
UNSEEN = 56
CARD_KINDS = 57

TEXTS: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), *JOKERS, UNSEEN_TEXT)

RANK_NAMES = (
    "two three four five six seven eight nine ten jack queen king ace".split()
)  # fmt: skip
RANK_PLURALS = (
    "twos threes fours fives sixes sevens eights nines tens jacks queens kings aces".split()
)
SUIT_NAMES = ("diamonds", "clubs", "hearts", "spades")

RANK_OF = np.array([*(card // 4 for card in range(NATURAL_CARDS)), *[-1] * 5], dtype=np.int8)


# every accepted spelling of a card: upper or lower case, and 10 for the ten
CARDS: dict[str, int] = {text: card for card, text in enumerate(TEXTS)} | {
    rank + suit: card
    for card, text in enumerate(TEXTS[:NATURAL_CARDS])
    for rank in (text[0], text[0].lower(), "10" if text[0] == "T" else text[0])
    for suit in (text[1], text[1].upper())
}


SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_SIGNS = dict(zip("♦♣♥♠", SUITS, strict=True)) | dict(zip("♢♧♡♤", SUITS, strict=True))


def usual_spelling(text: str) -> str | None:
    """Return the usual spelling of a card that is written with a sign or with the suit first.

    Examples are `2♣`, `♣2`, `c2`, `10♥` and `h10`. Return None if the string is not a card.
    """
    plain = "".join(SUIT_SIGNS.get(letter, letter) for letter in text.strip() if letter != "\ufe0f")
    for spelled in (plain, plain[1:] + plain[:1]):
        if spelled in CARDS and CARDS[spelled] < NATURAL_CARDS:
            return TEXTS[CARDS[spelled]]
    return None


def not_a_card(text: str) -> str:
    """Return why a string is not a card. Suggest the correct spelling if it resembles a card."""
    usual = usual_spelling(text)
    return f"{quoted(text)} is not a card" + (f"; write {usual}" if usual else "")


def parse_card(text: str) -> int:
    """Return the number of a card. Raises KeyError if the string is not a card."""
    return CARDS[text]


def format_cards(cards: Iterable[int]) -> list[str]:
    return [TEXTS[card] for card in cards]


def rank_text(rank: str) -> str:
    """Return `10` for T. Other ranks are spelled as in a record."""
    return "10" if rank == "T" else rank


def sign(card: str) -> str:
    """Return the spelling of a card in sentences: `10♦` for Td. Jokers are unchanged."""
    return rank_text(card[:-1]) + SIGNS[card[-1]] if card[-1] in SIGNS else card
