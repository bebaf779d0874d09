"""A parser for documents, word by word: places, patterns, conditions and wild cards."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from tests.helpers.rules.slow.deck import deck_of, named_by, order_of, points_of, top_of
from tests.helpers.rules.slow.hands import RANKS, Ranking, rank_of

Document = Mapping[str, Any]
Record = Mapping[str, Any]
Wilds = tuple[frozenset[str], frozenset[str]]  # a player's wild cards and bugs


class UnsupportedWordError(Exception):
    """Raised for a word that this parser does not support."""


@dataclass
class Seat:
    """A player's cards by place, and the slots of the board."""

    zones: dict[str, list[str]]
    board: dict[str, str]
    # cards that the previous share's hand does not use
    unused: list[str] = field(default_factory=list)


class Game:
    """A document with one choice of its options."""

    def __init__(self, document: Document, chosen: Mapping[str, object]) -> None:
        self.options = {}
        for table in ("options", "asked"):
            for name, choices in document.get(table, {}).items():
                words = {}
                for choice in choices:
                    word, equals, text = choice.partition("=")
                    words[word.strip()] = text.strip() if equals else word.strip()
                first = next(iter(words))
                if len(choices) == 1 and re.fullmatch(r"\d+-\d+", choices[0]):
                    value = str(chosen.get(name, first.partition("-")[0]))
                    self.options[name] = (value, value)
                else:
                    word = str(chosen.get(name, first))
                    self.options[name] = (word, words[word])
        self.document = {
            key: [self._put_in(item) for item in value]
            if isinstance(value, list) and key != "players"
            else self._put_in(value)
            for key, value in document.items()
            if key not in {"options", "asked"}
        }
        self.board = [text.split() for text in self.when("board")]
        self.lines = [text.split() for text in self.when("lines")] or self.board
        self.deck = deck_of(self.document)
        order = order_of(self.document)
        straights = self.document.get("straights", "")
        quick = " ".join(text for text in self.document.get("order", ()) if text[:5] == "with ")
        self.ranking = Ranking(self.deck, order, straights, quick)
        self.points = points_of(self.document)
        self.top = top_of(self.document)

    def _put_in(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return re.sub(r"\{(\w+)\}", lambda found: self.options[found[1]][1], value)

    def when(self, key: str) -> list[str]:
        """Return a key's entries that the options allow, without their conditions."""
        texts = []
        for text in self.document.get(key, ()):
            rule, _, condition = text.partition(" when ")
            if self._holds(condition):
                texts.append(rule)
        return texts

    def _holds(self, condition: str) -> bool:
        """Return whether the options meet a condition.

        Conditions on cards are checked for each hand.
        """
        for part in filter(None, condition.split(" and ")):
            words = part.split()
            negated = words[0] == "not"
            words = words[negated:]
            if words[0] not in self.options:
                raise UnsupportedWordError(condition)
            if (self.options[words[0]][0] == " ".join(words[1:])) == negated:
                return False
        return True

    def of_cards(self, key: str) -> list[str]:
        """Return the entries that the options allow, each with its condition on cards."""
        texts = []
        for text in self.document.get(key, ()):
            words, _, condition = text.partition(" when ")
            parts = [part for part in condition.split(" and ") if part]
            of_options = [p for p in parts if p.removeprefix("not ").split()[0] in self.options]
            if self._holds(" and ".join(of_options)):
                rest = " and ".join(part for part in parts if part not in of_options)
                texts.append(f"{words} when {rest}" if rest else words)
        return texts

    def cards_are(self, seat: Seat, condition: str) -> bool:
        """Return whether a place has n cards, optionally of one colour, or faces."""
        for part in filter(None, condition.split(" and ")):
            words = part.split()
            negated = words[0] == "not" and bool(words.pop(0))
            cards = self.place(seat, words, ())
            group = words.pop(0) if words[0] in {"red", "black", "face"} else ""
            low, _, high = words[0].partition("-")
            count = sum(not group or named_by(card, group) for card in cards)
            if (int(low) <= count <= int(high or low)) == negated:
                return False
        return True

    # --- killing cards ----------------------------------------------------------------------------

    def killed(self, record: Record) -> set[str]:
        """Return the players whose hands are killed by a card."""
        seats = self.seats(record).items() if self.when("kill") else ()
        return {name for name, seat in seats if self._kills(self.when("kill"), seat)}

    def ends_for_all(self, record: Record) -> bool:
        """Return whether a card that ends the deal for all players is face up."""
        enders = [text for text in self.when("kill") if " for all" in text]
        return bool(enders) and any(self._kills(enders, s) for s in self.seats(record).values())

    def _kills(self, texts: list[str], seat: Seat) -> bool:
        for text in texts:
            words = text.partition(" for ")[0].split()
            zone = words.pop() if words[-1] in {"up", "down"} else ""
            held = [card for some in seat.zones.values() for card in some if card != "??"]
            cards = self._lying(seat, zone) if zone else held
            if not {*cards}.isdisjoint(self._named(seat, held, words)[0]):
                return True
        return False

    def single(self, card: str) -> int:
        """Return the rank of a single card. Jokers without a rank are below all cards."""
        plain = -1 if card[0] == "*" else 4 * RANKS.index(card[0]) + "dchs".index(card[1])
        return self.top.get(card, plain)

    # --- cards ------------------------------------------------------------------------------------

    def seats(self, record: Record) -> dict[str, Seat]:
        slots = [slot for row in self.board for slot in row]
        board = dict(zip(slots, (c for row in record.get("board", ()) for c in row), strict=True))
        players = {}
        for player in record["players"]:
            shared = [s["card"] for s in record.get("shared", ()) if player["name"] in s["for"]]
            zones = {"down": [*player.get("down", ()), *shared], "up": [*player.get("up", ())]}
            zones |= {pile: [*cards] for pile, cards in player.get("piles", {}).items()}
            players[player["name"]] = Seat(zones, board)
        return players

    def place(self, seat: Seat, words: list[str], line: Sequence[str]) -> list[str]:
        """Return the cards at the place named by the first words, and remove these words."""
        word = words.pop(0)
        if word in seat.board:
            slots = [word]
            while words and words[0] in seat.board:
                slots.append(words.pop(0))
            return [seat.board[slot] for slot in slots]
        if word == "unused":
            return seat.unused
        if word == "own":
            return [card for cards in seat.zones.values() for card in cards]
        if word == "board":
            return [*seat.board.values()]
        if word in {"row", "line"}:
            rows = self.board if word == "row" else self.lines
            if words and words[0].isdigit():
                return [seat.board[slot] for slot in rows[int(words.pop(0)) - 1]]
            return [seat.board[slot] for slot in line]
        if word in seat.zones:
            return seat.zones[word]
        raise UnsupportedWordError(word)

    def choices(
        self, seat: Seat, pattern: str, on_line: int, size: int
    ) -> Iterator[tuple[str, ...]]:
        """Yield every hand that a pattern allows. `rest` completes a hand to its size."""
        lines = self.lines if re.search(r"\bline\b(?! \d)", pattern) else [()]
        if on_line:
            lines = [self.lines[on_line - 1]]
        for line in lines:
            terms = [self._term(seat, text.split(), line) for text in pattern.split(" + ")]
            fixed = sum(len(cards) for cards, least, most in terms if least == most == -1)
            fixed += sum(most for _, least, most in terms if most > 0)
            picks = []
            for cards, least, most in terms:
                if least == -1 and most == -1:
                    counts = [len(cards)]
                elif least == -2:
                    counts = [size - fixed] if fixed <= size else []
                else:
                    counts = [n for n in range(least, most + 1) if n <= len(cards)][-1:]
                    if least == most and len(cards) < least:
                        counts = []
                picks.append([c for n in counts for c in combinations(cards, n)] if counts else [])
            for chosen in product(*picks):
                hand = tuple(card for some in chosen for card in some)
                if len(set(hand)) == len(hand):
                    yield hand

    def _term(
        self, seat: Seat, words: list[str], line: Sequence[str]
    ) -> tuple[list[str], int, int]:
        word = words.pop(0)
        if word == "any":
            number = int(words[0])
            return [*self.place(seat, ["own"], line), *seat.board.values()], number, number
        cards = []
        if word == "all":
            least = most = -1
        elif word == "rest":
            least, most = -2, 0
        else:
            low, _, high = word.partition("-")
            least, most = int(low), int(high or low)
        while True:
            cards += self.place(seat, words, line)
            if not words or words.pop(0) != "or":
                return cards, least, most

    def wilds(self, seat: Seat, share: str) -> list[Wilds]:
        """Return the wild cards for a share and the bugs, for every reading of the rules."""
        cards = [*(card for some in seat.zones.values() for card in some), *seat.board.values()]
        ways: list[Wilds] = [(frozenset(), frozenset())]
        for key in ("wild", "bug"):
            for text in self.document.get(key, ()):
                words, _, only = text.partition(" for ")
                if words == "none" or only not in {"", share}:
                    continue
                named = self._named(seat, cards, words.split())
                ways = [
                    (wild | more, bug) if key == "wild" else (wild, bug | more)
                    for (wild, bug), more in product(ways, named)
                ]
        return [(wild, bug - wild) for wild, bug in dict.fromkeys(ways)]

    def _named(self, seat: Seat, cards: list[str], words: list[str]) -> list[frozenset[str]]:
        """Return the cards that a rule refers to, in one or more readings."""
        if words[:2] == ["rank", "of"]:
            which = words[2] if words[2] in WHICH else ""
            lying = [c for c in self.place(seat, words[3 if which else 2 :], ()) if c[0] in RANKS]
            ranks = _ranks(which, lying)
            return [frozenset(c for c in cards if c[0] in RANKS and rank_of(c) == r) for r in ranks]
        if words[:2] == ["card", "of"]:
            first = words[2] == "first"
            lying = self.place(seat, words[3 if words[2] in {"first", "last"} else 2 :], ())
            return [frozenset([lying[0 if first else -1]] if lying else [])]
        where = self._lying(seat, words[-1]) if words[-1] in {"down", "up"} else cards
        return [frozenset(card for card in where if named_by(card, words[0]))]

    @staticmethod
    def _lying(seat: Seat, zone: str) -> list[str]:
        """Return the cards dealt up or down. Cards in piles were dealt down."""
        if zone == "up":
            return seat.zones["up"]
        return [card for name, some in seat.zones.items() if name != "up" for card in some]


WHICH = ("lowest", "highest", "first", "last", "middle")


def _ranks(which: str, lying: list[str]) -> list[int]:
    """Return the rank that a rule refers to. Aces can give the middle rank two readings."""
    if not lying:
        return [0]
    by_rank = sorted(map(rank_of, lying))
    if which == "middle":
        aces = by_rank.count(14)
        others = by_rank[: len(by_rank) - aces]
        middle = len(lying) // 2
        return sorted(
            {([14] * low + others + [14] * (aces - low))[middle] for low in range(aces + 1)}
        )
    if which == "lowest":
        return [by_rank[0]]
    if which == "highest":
        return [by_rank[-1]]
    return [rank_of(lying[0 if which == "first" else -1])]
