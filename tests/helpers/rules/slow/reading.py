"""A document read word by word: places, patterns, shares, wild cards; and hands settled by it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

from tests.helpers.rules.slow.hands import (
    DECK,
    ORDER,
    RANKS,
    Ranking,
    Strength,
    badugi,
    rank_of,
    totals,
)

Document = Mapping[str, Any]
Record = Mapping[str, Any]
PER_RANK = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
POINT_SCALES = {"most points", "least points", "closest", "nearest"}
TOO_MANY = 3  # wild cards of a hand: to try all cards for each takes too long


class Unread(Exception):
    """A word that this reading does not know."""


@dataclass
class Seat:
    """The cards of a player by place, the board as slots."""

    zones: dict[str, list[str]]
    board: dict[str, str]
    wild: set[str] = field(default_factory=set)
    unused: list[str] = field(default_factory=list)  # by the hand of the share before


class Game:
    """A document under one choice of its options."""

    def __init__(self, document: Document, chosen: Mapping[str, object]) -> None:
        self.options = {}
        for table in ("options", "asked"):
            for name, choices in document.get(table, {}).items():
                told = {}
                for choice in choices:
                    word, equals, text = choice.partition("=")
                    told[word.strip()] = text.strip() if equals else word.strip()
                first = next(iter(told))
                if len(choices) == 1 and re.fullmatch(r"\d+-\d+", choices[0]):
                    value = str(chosen.get(name, first.partition("-")[0]))
                    self.options[name] = (value, value)
                else:
                    word = str(chosen.get(name, first))
                    self.options[name] = (word, told[word])
        self.document = {
            key: [self._put_in(item) for item in value]
            if isinstance(value, list) and key != "players"
            else self._put_in(value)
            for key, value in document.items()
            if key not in {"options", "asked"}
        }
        self.board = [text.split() for text in self._when("board")]
        self.lines = [text.split() for text in self._when("lines")] or self.board
        self.deck = self._deck()
        order = self._order()
        straights = self.document.get("straights", "")
        quick = " ".join(text for text in self.document.get("order", ()) if text[:5] == "with ")
        self.ranking = Ranking(self.deck, order, straights, quick)
        self.points = self._points()
        self.top = self._top()

    def _put_in(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return re.sub(r"\{(\w+)\}", lambda found: self.options[found[1]][1], value)

    def _when(self, key: str) -> list[str]:
        """The texts of a key that the options let stand, without their condition."""
        found = []
        for text in self.document.get(key, ()):
            said, _, condition = text.partition(" when ")
            if self._holds(condition):
                found.append(said)
        return found

    def _holds(self, condition: str) -> bool:
        """Whether the options allow it; a condition on cards is left to the hand."""
        for part in filter(None, condition.split(" and ")):
            words = part.split()
            negated = words[0] == "not"
            words = words[negated:]
            if words[0] not in self.options:
                raise Unread(condition)
            if (self.options[words[0]][0] == " ".join(words[1:])) == negated:
                return False
        return True

    def hands(self) -> list[str]:
        """The patterns that the options let stand, each with what its cards must be."""
        found = []
        for text in self.document.get("hand", ()):
            said, _, condition = text.partition(" when ")
            parts = [part for part in condition.split(" and ") if part]
            of_options = [p for p in parts if p.removeprefix("not ").split()[0] in self.options]
            if self._holds(" and ".join(of_options)):
                rest = " and ".join(part for part in parts if part not in of_options)
                found.append(f"{said} when {rest}" if rest else said)
        return found

    def cards_are(self, seat: Seat, condition: str) -> bool:
        """Whether so many cards lie in a place: all, of a colour, or faces."""
        for part in filter(None, condition.split(" and ")):
            words = part.split()
            negated = words[0] == "not" and bool(words.pop(0))
            cards = self.place(seat, words, ())
            group = words.pop(0) if words[0] in {"red", "black", "face"} else ""
            low, _, high = words[0].partition("-")
            count = sum(not group or _is(card, group) for card in cards)
            if (int(low) <= count <= int(high or low)) == negated:
                return False
        return True

    # --- cards that kill --------------------------------------------------------------------------

    def killed(self, record: Record) -> set[str]:
        """Those whose hand a card kills."""
        seats = self.seats(record).items() if self._when("kill") else ()
        return {name for name, seat in seats if self._kills(self._when("kill"), seat)}

    def ends_for_all(self, record: Record) -> bool:
        """Whether a card that ends the deal for all lies up before anybody."""
        enders = [text for text in self._when("kill") if " for all" in text]
        return bool(enders) and any(self._kills(enders, s) for s in self.seats(record).values())

    def _kills(self, texts: list[str], seat: Seat) -> bool:
        for text in texts:
            named, *where = text.partition(" for ")[0].split()
            if where not in ([], ["up"], ["down"]):
                raise Unread(text)
            cards = [card for zone in where or ("down", "up") for card in seat.zones[zone]]
            if any(_is(card, named) for card in cards):
                return True
        return False

    def share_names(self) -> list[str]:
        """What the shares that are played are called."""
        found = []
        for text in self._when("shares"):
            name, colon, _ = text.partition(":")
            found.append(name.strip() if colon else text.partition(" of ")[0].strip())
        return found

    def _deck(self) -> list[str]:
        text = str(self.document.get("deck", "52"))
        said, _, jokers = text.partition("+")
        deck = [*DECK]
        without = said.partition("without")[2]
        for word in without.split():
            low, _, high = word.replace("10", "T").partition("-")
            gone = RANKS[RANKS.index(low) : RANKS.index(high or low) + 1]
            deck = [card for card in deck if card[0] not in gone]
        return deck + [f"*{n + 1}" for n in range(int(jokers.split()[0]) if jokers else 0)]

    def _order(self) -> list[str]:
        named: list[str] = []
        dropped: set[str] = set()
        for text in self.document.get("order", ()):
            words = text.split()
            if words[0] == "without":
                dropped |= {*words[1:], "straight-flush", *(f"four-{word}" for word in words[1:])}
            elif words[0] != "with":
                named += words  # all texts are one order, the strongest first
        moved = iter([word for word in named if word in ORDER])
        order = [next(moved) if kind in named else kind for kind in reversed(ORDER)]
        above = ""
        for word in named:
            if word not in ORDER:
                order.insert(order.index(above) + 1 if above else 0, word)
            above = word
        return [kind for kind in reversed(order) if kind not in dropped]

    def _points(self) -> dict[str, list[float]]:
        points: dict[str, list[float]] = {card: [PER_RANK.get(card[0], 10)] for card in DECK}
        points |= {card: [1] for card in DECK if card[0] == "A"} | {f"*{n}": [0] for n in "1234"}
        minus: set[str] = set()
        for text in self.document.get("points", ()):
            words = text.split()
            if words[-1] == "minus":
                minus |= {card for card in DECK if _is(card, words[0])}
                continue
            is_count = [bool(at) and (w.isdigit() or w == "half") for at, w in enumerate(words)]
            named = [word for word, counts in zip(words, is_count, strict=True) if not counts]
            counts = [0.5 if word == "half" else int(word) for word in words[len(named) :]]
            for card in points:
                if any(_is(card, name) for name in named):
                    points[card] = counts
        return {
            card: [-c for c in counts] if card in minus else counts
            for card, counts in points.items()
        }

    def _top(self) -> dict[str, int]:
        top: dict[str, int] = {}
        for above, text in enumerate(reversed(self.document.get("top", ()))):
            top |= dict.fromkeys(text.split(), 100 + above)
        return top

    # --- cards ------------------------------------------------------------------------------------

    def seats(self, record: Record) -> dict[str, Seat]:
        slots = [slot for row in self.board for slot in row]
        board = dict(zip(slots, (c for row in record.get("board", ()) for c in row), strict=True))
        found = {}
        for player in record["players"]:
            shared = [s["card"] for s in record.get("shared", ()) if player["name"] in s["for"]]
            zones = {"down": [*player.get("down", ()), *shared], "up": [*player.get("up", ())]}
            zones |= {pile: [*cards] for pile, cards in player.get("piles", {}).items()}
            found[player["name"]] = Seat(zones, board)
        return found

    def place(self, seat: Seat, words: list[str], line: Sequence[str]) -> list[str]:
        """The cards of the place that the words begin with, which are taken off."""
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
        raise Unread(word)

    def choices(
        self, seat: Seat, pattern: str, on_line: int, size: int
    ) -> Iterator[tuple[str, ...]]:
        """Every hand that a pattern lets a player make; `rest` fills it up to its size."""
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

    def mark_wild(self, seat: Seat) -> None:
        """Which of the cards that a player may play are wild."""
        held = [card for cards in seat.zones.values() for card in cards]
        for text in self._when("wild"):
            seat.wild |= self._named(seat, [*held, *seat.board.values()], text)
        if self.document.get("bug"):
            raise Unread("bug")

    def _named(self, seat: Seat, cards: list[str], text: str) -> set[str]:
        words = text.split()
        if text == "none":
            return set()
        if " for " in text or words[0] == "card":
            raise Unread(text)
        if words[:2] == ["rank", "of"]:
            which = words[2] if words[2] in {"lowest", "highest", "first", "last"} else ""
            if words[2] == "middle":
                raise Unread(text)
            lying = [c for c in self.place(seat, words[3 if which else 2 :], ()) if c[0] in RANKS]
            if not lying:
                return set()
            by_rank = sorted(lying, key=rank_of)
            card = {"lowest": by_rank[0], "highest": by_rank[-1], "first": lying[0]}.get(which)
            return {c for c in cards if c[0] == (card or lying[-1])[0]}
        zone = set(seat.zones["down"] if words[-1] == "down" else seat.zones["up"])
        where = zone if words[-1] in {"down", "up"} else set(cards)
        return {card for card in cards if card in where and _is(card, words[0])}


def _is(card: str, word: str) -> bool:
    """Whether a card is what a word names."""
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


# --- measures -------------------------------------------------------------------------------------


@dataclass
class Measure:
    """One way to measure a share, in pieces."""

    scale: str
    bar: str
    cards: str  # what the scale names: `s down`, `As Js`, 21
    patterns: list[str]
    line: int


def read_measure(text: str) -> Measure:
    """`high trips-or-better of 2 down + 3 board | 5 down on line 1`."""
    for word in (" beating ", " and "):
        if word in text:
            raise Unread(text)
    line = re.search(r" on line (\d+)$", text)
    said = text[: line.start()] if line else text
    head, _, patterns = said.partition(" of ")
    words = head.split()
    bar = next((word for word in words if word.endswith("-or-better")), "")
    words = [word for word in words if word != bar]
    if words[:1] in (["most"], ["least"]):
        scale, named = " ".join(words[:2]), words[2:]
    else:
        scale, named = (words or ["best"])[0], words[1:]
    if not words and bar[:-10] not in {*RANKS, "10"}:
        raise Unread(text)
    found = [each.strip() for each in patterns.split("|")] if patterns else []
    return Measure(
        scale, bar[:-10] if bar else "", " ".join(named), found, int(line[1]) if line else 0
    )


def strength(
    game: Game, seat: Seat, measure: Measure, before: Measure | None = None
) -> Strength | None:
    """The best that a player can make of a measure; of what the hand `before` leaves, if it says
    so: of equal hands that which leaves the most."""
    if before is not None and any("unused" in pattern.split() for pattern in measure.patterns):
        left = [replace(seat, unused=cards) for cards in _unused(game, seat, before)]
        found = [strength(game, one, measure) for one in left]
        return max((value for value in found if value is not None), default=None)
    return max((value for value, _ in _hands(game, seat, measure)), default=None)


def _unused(game: Game, seat: Seat, before: Measure) -> list[list[str]]:
    """The player's own cards that each of his best hands does not play, whatever the bar."""
    own = [card for cards in seat.zones.values() for card in cards]
    hands = [*_hands(game, seat, replace(before, bar=""))]
    best = max((value for value, _ in hands), default=None)
    return [[card for card in own if card not in hand] for value, hand in hands if value == best]


def _hands(game: Game, seat: Seat, measure: Measure) -> Iterator[tuple[Strength, tuple[str, ...]]]:
    """Every hand that a player can make of a measure and that qualifies."""
    patterns = measure.patterns or game.hands() or ["any 5"]
    size = _size([pattern.partition(" when ")[0] for pattern in patterns])
    for pattern in patterns:
        said, _, condition = pattern.partition(" when ")
        if not game.cards_are(seat, condition):
            continue
        for hand in game.choices(seat, said, measure.line, size):
            if not hand and measure.scale not in POINT_SCALES:
                continue  # nothing left to be played
            value = _of_hand(game, seat, measure, hand)
            if value is not None:
                yield value, hand


def _size(patterns: Sequence[str]) -> int:
    """Five, unless the patterns that fix a size all fix another."""
    fixed = [re.findall(r"(?:^|\+ )(?:any )?(\d+) ", pattern) for pattern in patterns]
    whole = [len(pattern.split(" + ")) for pattern in patterns]
    sizes = {
        sum(map(int, counts))
        for counts, terms in zip(fixed, whole, strict=True)
        if len(counts) == terms
    }
    return sizes.pop() if len(sizes) == 1 else 5


def _of_hand(game: Game, seat: Seat, measure: Measure, hand: tuple[str, ...]) -> Strength | None:
    natural = [card for card in hand if card not in seat.wild]
    wild = len(hand) - len(natural)
    if wild >= TOO_MANY:
        raise Unread("too many wild cards")
    found: list[Strength] = []
    for stands in _stands(natural, wild):
        value = _value(game, seat, measure, [*natural, *stands], hand)
        if value is not None and _qualifies(game, measure, value):
            found.append(value)
    return max(found, default=None)


def _stands(natural: list[str], wild: int) -> Iterator[tuple[str, ...]]:
    """What wild cards may stand for: cards that are not there; a fifth of four that are."""
    free = [card for card in DECK if card not in natural]
    yield from combinations(free, wild)
    ranks = {card[0] for card in natural}
    if wild and len(natural) + wild == 5 and len(ranks) == 1:
        yield (next(iter(natural)),) * wild  # five of a kind


def _value(
    game: Game, seat: Seat, measure: Measure, cards: list[str], hand: tuple[str, ...]
) -> Strength | None:
    scale = measure.scale
    if scale in {"high", "best", "worst", "ace-to-six", "reversed"}:
        ranking = game.ranking
        return ranking.longest(cards) if len(cards) > 5 else ranking.poker(cards, scale)
    if scale in {"badugi", "badugi-ace-high", "hidugi"}:
        return badugi(cards, scale)
    if scale in POINT_SCALES:
        if any(card in seat.wild for card in hand):
            raise Unread("wild points")
        found = totals(cards, game.points)
        if scale == "closest":
            limit = int(measure.cards)
            return max(((total,) for total in found if total <= limit), default=None)
        if scale == "nearest":
            number = int(measure.cards)
            return max((-abs(total - number), total <= number) for total in found)
        return max((total if scale == "most points" else -total,) for total in found)
    if scale in {"highest", "lowest"}:
        if measure.cards and any(card in seat.wild for card in hand):
            raise Unread("a wild card among named ones")
        return _singles(game, seat, measure, cards)
    if scale == "holds":
        return (1,) if set(measure.cards.split()) <= set(cards) else None
    raise Unread(scale)


def _singles(game: Game, seat: Seat, measure: Measure, cards: list[str]) -> Strength | None:
    words = measure.cards.split()
    if words and words[-1] in {"down", "up"}:
        zone = seat.zones[words.pop()]
        cards = [card for card in cards if card in zone]
    if words:
        cards = [card for card in cards if _is(card, words[0])]
    sign = 1 if measure.scale == "highest" else -1
    places = [
        game.top.get(
            card, -1 if card[0] == "*" else 4 * RANKS.index(card[0]) + "dchs".index(card[1])
        )
        for card in cards
    ]
    return tuple(sorted((sign * place for place in places if place >= 0), reverse=True)) or None


def _qualifies(game: Game, measure: Measure, value: Strength) -> bool:
    bar, scale = measure.bar, measure.scale
    if not bar:
        return True
    plain = bar.replace("10", "T")
    order = game.ranking.order
    if scale in {"high", "reversed"}:
        sign = 1 if scale == "high" else -1
        if bar in order and plain[0] not in RANKS:
            return bool(value[0] >= sign * order.index(bar))
        kinds = {1: "high-card", 2: "pair", 3: "trips", 4: "quads"}
        rank = rank_of(plain[0], 14 if scale == "high" else 1)
        return bool(value[:2] >= (sign * order.index(kinds[len(plain)]), rank))
    if scale in {"best", "worst", "ace-to-six"} and len(plain) == 1:
        ace = 14 if scale == "worst" else 1
        return bool(value[0] == 0 and -value[1] <= rank_of(plain, ace))
    if scale.startswith(("badugi", "hidugi")) and bar.endswith("-cards"):
        return bool(value[0] >= {"two": 2, "three": 3, "four": 4}[bar[:-6]])
    if scale in {"most points", "closest"} and bar.isdigit():
        return bool(value[0] >= int(bar))
    if scale == "least points" and bar.isdigit():
        return bool(-value[0] <= int(bar))
    raise Unread(bar)
