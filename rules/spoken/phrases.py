"""Read cards, hands and numbers at a position in a sentence.

Each method returns the value and its number of words, or None.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from rules.cards import RANKS
from rules.spoken.sentence import JOKER, LOW, NUT_LOW, HandClass
from rules.spoken.vocabulary import Vocabulary, Word

MOST_CHIPS = 10**12  # same limit as in a record
LOW_RANKS = 5  # maximum number of ranks in a low hand
MOST_RANKS = 20  # maximum number of ranks in a run, so that parsing takes linear time
HUNDRED = 100

_UNIT = r"(?:10|[2-9tjqka])"
_CARDS = re.compile(f"(?:{_UNIT}[cdhs])+")
_RANKS = re.compile(f"{_UNIT}+")
_CARD = re.compile(f"({_UNIT})([cdhs])")
_RANK = re.compile(_UNIT)
_PLURAL = re.compile(f"({_UNIT})s")
Meaning = TypeVar("Meaning")
Found = tuple[Meaning, int] | None


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words of a sentence, and their meaning at a position."""

    words: Sequence[Word]
    vocabulary: Vocabulary

    def at(self, place: int, kind: str) -> Found[str]:
        return self.vocabulary.at(self.words, place, kind)

    def follows(self, place: int, kind: str, *meanings: str) -> int:
        """Return a phrase's number of words if it has one of these meanings, or 0 otherwise."""
        phrase = self.at(place, kind)
        return phrase[1] if phrase and (not meanings or phrase[0] in meanings) else 0

    def skip(self, place: int) -> int:
        """Return the position after any filler words."""
        while place < len(self.words) and not self.words[place].begins:
            if not (count := self.follows(place, "filler")):
                break
            place += count
        return place

    # Numbers

    def number(self, place: int) -> Found[int]:
        """Return an amount of chips in digits or words ("two hundred and ten")."""
        if place >= len(self.words):
            return None
        text = self.words[place].text
        if text.isascii() and text.isdecimal():
            value, after = int(text[:14]), place + 1
        elif (in_words := self._number_in_words(place)) is not None:
            value, after = in_words
        else:
            return None
        more = after < len(self.words) and not self.words[after].begins
        unclear = more and (self.at(after, "number") or self.words[after].text.isdecimal())
        return None if unclear or value > MOST_CHIPS else (value, after - place)

    def _number_in_words(self, place: int) -> Found[int]:
        """Return a number in words and the position after it."""
        total, part, last, after = 0, 0, 0, place
        while phrase := self.at(after, "number"):
            value = int(phrase[0])
            if value >= HUNDRED:
                part = max(part, 1) * value
                total, part = (total + part, 0) if value > HUNDRED else (total, part)
            elif after == place or part % HUNDRED == 0 or (value < 10 <= last and last >= 20):
                part += value
            else:
                break
            last, after = value, after + phrase[1]
            link = self.follows(after, "link", "and") if value >= HUNDRED else 0
            after += link if self.at(after + link, "number") else 0
        return (total + part, after) if after > place else None

    # Cards

    def card_run(self, place: int) -> Found[list[str]]:
        """Return cards that are written together ("AhKh") or spelled out ("ace of spades")."""
        text = self.words[place].text if place < len(self.words) else ""
        if _CARDS.fullmatch(text):
            return [_rank(rank) + suit for rank, suit in _CARD.findall(text)], 1
        if count := self.follows(place, "joker"):
            return [JOKER], count
        if not (rank := self.rank(place)):
            return None
        at = place + rank[1]
        at += self.follows(at, "link", "of")
        if suit := self.at(at, "suit"):
            return [rank[0] + suit[0]], at + suit[1] - place
        letter = self.words[at].text if at < len(self.words) else ""
        if at > place + rank[1] and letter in {"c", "d", "h", "s"}:  # "a of s"
            return [rank[0] + letter], at + 1 - place
        return None

    def rank(self, place: int) -> Found[str]:
        """Return a single rank. A small "a" is a rank only before a suit."""
        if place >= len(self.words):
            return None
        if phrase := self.at(place, "rank"):
            return phrase
        word = self.words[place]
        if not _RANK.fullmatch(word.text):
            return None
        if word.text == "a" and not word.is_upper:
            after = place + 1 + self.follows(place + 1, "link", "of")
            return ("A", 1) if self.at(after, "suit") else None
        return _rank(word.text), 1

    def rank_run(self, place: int, *, with_digits: bool = False) -> Found[list[str]]:
        """Return several ranks without suits: "AK", "77", "ace king".

        Different digits could be an amount of chips, so digits are ranks only if they are equal or
        if `with_digits` is true.
        """
        ranks: list[str] = []
        at = place
        while at < len(self.words) and len(ranks) < MOST_RANKS:
            if at > place and self.words[at].begins:
                break
            if (single := self.rank(at)) and not self.card_run(at):
                ranks.append(single[0])
                at += single[1]
            elif (together := self._together(at, with_digits=with_digits)) is not None:
                ranks += together
                at += 1
            else:
                break
        digits = at == place + 1 and self.words[place].text.isdecimal() and len(ranks) == 1
        return (ranks, at - place) if ranks and (with_digits or not digits) else None

    def _together(self, place: int, *, with_digits: bool) -> list[str] | None:
        word = self.words[place]
        if not _RANKS.fullmatch(word.text) or self.vocabulary.has(word.text):
            return None
        ranks = [_rank(rank) for rank in _RANK.findall(word.text)]
        if len(ranks) == 1 or len(set(ranks)) == 1:
            return ranks
        if word.text.isdecimal():
            return ranks if with_digits else None
        return ranks if word.is_upper or len(ranks) == 2 else None

    # Hands

    def hand(self, place: int) -> Found[HandClass]:
        """Return a kind of hand: "kings and nines", "trip sevens", "nine low"."""
        for read in (self._low, self._named, self._grouped, self._many, self._topped):
            if hand := read(place):
                return hand
        return None

    def _low(self, place: int) -> Found[HandClass]:
        if count := self.follows(place, "hand", NUT_LOW):
            return HandClass(NUT_LOW), count
        if not (run := self.rank_run(place, with_digits=True)):
            return None
        ranks, count = run
        way = self.follows(place + count, "way", LOW)
        ordered = sorted(ranks, key="A23456789TJQK".index, reverse=True)
        if not way or len(set(ranks)) < len(ranks) or len(ranks) > LOW_RANKS or ordered != ranks:
            return None
        return HandClass(LOW, tuple(ranks)), count + way

    def _named(self, place: int) -> Found[HandClass]:
        """Return a hand whose category comes first: "pair of sevens", "flush", "boat"."""
        if not (phrase := self.at(place, "hand")):
            return None
        category, after = phrase[0], place + phrase[1]
        if category == "royal-flush":
            return HandClass("straight-flush", ("A",)), phrase[1]
        if category in {"two-pair", "full-house"}:
            ranks, after = self._two_groups(after)
        elif category in {"straight", "flush", "straight-flush"}:
            ranks, after = self._top(after)
        else:
            ranks, after = self._one_group(after)
        return HandClass(category, ranks), after - place

    def _one_group(self, place: int) -> tuple[tuple[str, ...], int]:
        at = place + self.follows(place, "link", "of")
        if plural := self._plural(at, spelled=True):
            return (plural[0],), at + plural[1]
        return (), place

    def _two_groups(self, place: int) -> tuple[tuple[str, ...], int]:
        """Return the ranks of two pair or a full house: "kings and nines"."""
        first, at = self._one_group(place)
        if not first:
            return (), place
        link = self.follows(at, "link", "over", "full", "of", "and")
        second = self._plural(at + link, spelled=True) if link else None
        return ((*first, second[0]), at + link + second[1]) if second else (first, at)

    def _top(self, place: int) -> tuple[tuple[str, ...], int]:
        """Return the top rank that follows the name of a flush or a straight: "to the ten"."""
        to = self.follows(place, "link", "to")
        if not (rank := self.rank(place + to)):
            return (), place
        after = place + to + rank[1]
        high = self.follows(after, "way", "high")
        return ((rank[0],), after + high) if to or high else ((), place)

    def _grouped(self, place: int) -> Found[HandClass]:
        """Return a number of cards of one rank: "three sevens"."""
        if not (group := self.at(place, "group")):
            return None
        if not (many := self._plural(place + group[1], spelled=True)):
            return None
        return HandClass(group[0], (many[0],)), group[1] + many[1]

    def _many(self, place: int) -> Found[HandClass]:
        """Return a hand that begins with a rank in the plural: "kings full of nines"."""
        if not (first := self._plural(place)):
            return None
        after = place + first[1]
        if full := self.follows(after, "link", "full"):
            second = self._plural(after + full, spelled=True)
            ranks = (first[0], second[0]) if second else (first[0],)
            return HandClass("full-house", ranks), first[1] + full + (second[1] if second else 0)
        link = self.follows(after, "link", "and")
        if link and (second := self._plural(after + link, spelled=True)):
            pairs = sorted((first[0], second[0]), key=RANKS.index, reverse=True)
            return HandClass("two-pair", tuple(pairs)), first[1] + link + second[1]
        up = self.follows(after, "zone", "up")
        if up and (after + up == len(self.words) or not self.card_run(after + up)):
            return HandClass("two-pair", (first[0],)), first[1] + up
        return HandClass("pair", (first[0],)), first[1]

    def _topped(self, place: int) -> Found[HandClass]:
        """Return a hand that begins with its top card: "ace high flush", "king high"."""
        if not (rank := self.rank(place)):
            return None
        after = place + rank[1]
        if not (high := self.follows(after, "way", "high")):
            return None
        after += high
        named = self.at(after, "hand")
        if named and named[0] in {"straight", "flush", "straight-flush"}:
            return HandClass(named[0], (rank[0],)), after + named[1] - place
        return HandClass("high-card", (rank[0],)), after - place

    def _plural(self, place: int, *, spelled: bool = False) -> Found[str]:
        """Return a rank in the plural.

        If `spelled` is true, this includes "9s", which is otherwise read as a card.
        """
        if place >= len(self.words):
            return None
        if phrase := self.at(place, "ranks"):
            return phrase
        match = _PLURAL.fullmatch(self.words[place].text) if spelled else None
        return (_rank(match[1]), 1) if match else None


def _rank(text: str) -> str:
    return "T" if text == "10" else text.upper()
