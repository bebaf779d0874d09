"""Parse the lines of one hand in PokerStars' text: seats, actions and unread lines.

Each line is split at known words instead of matched by a regular expression, because a name may
contain any text.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from rules.cards import CARDS, UNSEEN, format_cards
from rules.errors import Problem
from rules.formats.amounts import Chip, Number, read_number
from rules.history import Table
from rules.history.actions import Action, read_action
from rules.history.betting_round import by_position

# The tokens of PokerStars' text: numbers, cards, times and names. The format has no specification.
# These tokens are the ones that existing parsers agree on: fpdb's PokerStarsToFpdb, the parsers of
# pokerregion and PokerKit, and their test files.


AMOUNT = re.compile(r"[$€£¥₹]?(\d[\d,]{0,24}(?:\.\d{1,12})?)", re.ASCII)
TIME = re.compile(
    r"(\d{4})/(\d{1,2})/(\d{1,2})[ -]{1,3}(\d{1,2}):(\d{2}):(\d{2}) \(?(\w{1,5})", re.ASCII
)
ZONES = {"ET": "America/New_York", "UTC": "UTC", "GMT": "UTC"}
UNKNOWN_TIME = (
    "2000/01/01 00:00:00 ET"  # placeholder for an unknown time, because every hand needs a time
)
LONGEST_NUMBER = 20
POSTS = {
    "small blind": "blind",
    "big blind": "blind",
    "small & big blinds": "post",
    "the ante": "ante",
    "straddle": "straddle",
}
# endings of lines about the table rather than the hand; chat may contain any text
BESIDE_ENDS = (
    *(" leaves the table", " is disconnected", " is connected", " has timed out", " has returned"),
    *(" has timed out while disconnected", " has timed out while being disconnected"),
    *(" will be allowed to play after the button", " was removed from the table for failing to"),
    *(": sits out", ": is sitting out", " is sitting out", ": doesn't show hand"),
    *(" was moved from another table to this table", "No low hand qualified"),
)
BESIDE_HOLDS = (
    *(' said, "', " joins the table at seat #", " finished the tournament", " wins the tournament"),
    *(" bounty for eliminating ", " for eliminating ", " was removed from the table "),
    *(" re-buys and receives ", " takes the add-on and receives "),
)
# characters with a meaning in the format, which are replaced in names
GRAMMAR = str.maketrans(dict.fromkeys(":[](){}<>|*#,;\"'`\\/", "_"))


def chips(units: int, chip: Chip, sign: str = "") -> str:
    """Format an amount: two decimal places for cents, none for whole amounts."""
    number = chip.amount(units)
    if isinstance(number, int):
        return f"{sign}{number}"
    return f"{sign}{number:.{max(chip.places, 2)}f}"


def read_chips(text: str) -> Number | None:
    """Parse an amount such as `$1,234.50`. Return None for any other string."""
    match = AMOUNT.fullmatch(text)
    return read_number(match[1].replace(",", "")) if match else None


def cards(codes: Iterable[int]) -> str:
    return f"[{' '.join(format_cards(codes))}]"


def read_cards(text: str) -> list[int] | None:
    """Parse a list such as `[As Kd]`. Return None for any other string or an unknown card."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    words = text[1:-1].split()
    codes = [CARDS.get(word, UNSEEN) for word in words]
    return None if UNSEEN in codes else codes


def format_time(at: datetime | None) -> str:
    """Format a time in the time zone that all parsers expect."""
    return f"{at.astimezone(ZoneInfo(ZONES['ET'])):%Y/%m/%d %H:%M:%S} ET" if at else UNKNOWN_TIME


def read_time(text: str) -> str:
    """Return the last time in a known time zone as ISO 8601 in UTC, or an empty string."""
    times = [time for time in TIME.finditer(text[-120:]) if time[7] in ZONES]
    if not times or UNKNOWN_TIME in text:
        return ""
    *numbers, zone = times[-1].groups()
    try:
        at = datetime(*map(int, numbers), tzinfo=ZoneInfo(ZONES[zone]))  # type: ignore[misc,arg-type]
        return at.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return ""


def names(texts: Sequence[str]) -> list[str]:
    """Make each name a unique single word, so that no parser reads a name as syntax."""
    words: list[str] = []
    for number, name in enumerate(texts, 1):
        seen = (" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in name)
        word = "_".join("".join(seen).translate(GRAMMAR).split()) or f"player_{number}"
        words.append(word if word not in words else f"{word}_{number}")
    if len(set(words)) < len(words):  # `ann_2` is already in use
        words = [f"{name}_{number}" for number, name in enumerate(words, 1)]
    return words


ALL_IN = (" and is all-in", " and is all in")
STREETS = frozenset(("FLOP", "TURN", "RIVER"))
MOST_SEATS = 23  # limits how many names are compared with each line
BETS = frozenset(("calls", "bets", "raises"))  # a raise has an amount and a new total


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player with the seat number and the starting chips."""

    number: int
    name: str
    chips: Number


@dataclass(frozen=True, slots=True)
class Act:
    """An action of a player with a verb, chips and cards, or the cards of a street."""

    seat: str
    verb: str
    chips: Number = 0
    cards: tuple[int, ...] = ()


@dataclass(slots=True)
class HandLines:
    """The parsed lines of one hand. `runs` maps the word of each run to the cards it deals."""

    seats: list[Seat] = field(default_factory=list)
    posts: list[Act] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    known: dict[str, tuple[int, ...]] = field(default_factory=dict)
    collected: dict[str, list[Number]] = field(default_factory=dict)
    rake: Number = 0
    runs: dict[str, list[int]] = field(default_factory=dict)
    is_run: bool = False  # the text says that the board was dealt several times
    crowded: bool = False  # the text has more seats than a table; the remaining lines are not read
    unread: list[Line] = field(default_factory=list)

    def read_seat(self, text: str) -> bool:
        number, mark, rest = text.removeprefix("Seat ").partition(": ")
        end = rest.rfind(" in chips")
        start = rest.rfind(" (", 0, end) if end > 0 else -1
        chips = read_chips(rest[start + 2 : end]) if start > 0 else None
        good = mark and number.isascii() and number.isdigit() and len(number) <= 3
        if not good or chips is None:
            return False
        self.crowded = len(self.seats) >= MOST_SEATS
        self.seats.append(Seat(int(number), rest[:start], chips))
        return True

    def read_street(self, text: str) -> bool:
        """Parse a line that begins with stars. The new cards of a street are in its last brackets.

        A word before the street, such as `FIRST`, is the run to which the street belongs.
        """
        name, _, rest = text.removeprefix("*** ").partition(" ***")
        run, _, street = name.rpartition(" ")
        if street not in STREETS:
            return True
        cards = read_cards(rest[rest.rfind("[") :].strip()) if "[" in rest else None
        if cards is None:
            return False
        if run:
            self.is_run = True
            self.runs.setdefault(run, []).extend(cards)
        else:
            self.acts.append(Act("", "board", cards=tuple(cards)))
        return True

    def read_summary(self, text: str) -> bool:
        """Read the parts that only the summary contains: the rake and mucked cards."""
        if text.startswith("Total pot "):
            _, mark, rest = text.partition("| Rake ")
            self.rake = read_chips(rest.split()[0]) or 0 if mark and rest.split() else 0
        elif text.startswith("Hand was run") and not text.endswith(" once"):
            self.is_run = True
        elif text.startswith("Seat ") and text.endswith("]") and " mucked [" in text:
            before, _, rest = text.rpartition(" mucked ")
            cards = read_cards(rest)
            name = before.partition(": ")[2]
            for mark in (" (big blind)", " (small blind)", " (button)"):
                name = name.removesuffix(mark)
            if cards and any(seat.name == name for seat in self.seats):
                self.known.setdefault(name, tuple(cards))
        return True

    def read_player_line(self, text: str) -> bool:
        if text.startswith("Uncalled bet ("):  # settling returns the uncalled bet anyway
            return True
        if text.startswith("Dealt to "):
            name, mark, shown = text.removeprefix("Dealt to ").rpartition(" [")
            cards = read_cards(f"[{shown}") if mark else None
            if cards is None or all(seat.name != name for seat in self.seats):
                return not mark  # some rooms write `Dealt to` without a player's cards
            self.known[name] = tuple(cards)
            return True
        actor = self._name_at_start(text, ": ")
        if actor is not None and self._read_act(actor, text[len(actor) + 2 :]):
            return True
        winner = self._name_at_start(text, " collected ")
        if winner is not None:
            chips = read_chips(text[len(winner) + len(" collected ") :].partition(" ")[0])
            if chips is not None:
                self.collected.setdefault(winner, []).append(chips)
                return True
        return text.endswith(BESIDE_ENDS) or any(each in text for each in BESIDE_HOLDS)

    def _read_act(self, name: str, what: str) -> bool:
        for end in ALL_IN:
            what = what.removesuffix(end)
        verb, _, rest = what.partition(" ")
        if verb in {"posts", "straddle"}:
            kind, _, amount = (rest if verb == "posts" else what).rpartition(" ")
            chips = read_chips(amount)
            if kind not in POSTS or chips is None:
                return False
            self.posts.append(Act(name, kind, chips))
        elif verb == "shows":
            shown, mark, _ = rest.partition("]")
            cards = read_cards(shown + mark)
            if cards is None:
                return False
            self.known.setdefault(name, tuple(cards))
            self.acts.append(Act(name, "shows", cards=tuple(cards)))
        elif what == "mucks hand":
            self.acts.append(Act(name, "mucks"))
        elif verb in {"folds", "checks"}:
            self.acts.append(Act(name, verb))
        elif verb in BETS and (chips := read_chips(rest.rpartition(" to ")[2])) is not None:
            self.acts.append(Act(name, verb, chips))
        else:
            return False
        return True

    def _name_at_start(self, text: str, mark: str) -> str | None:
        """Return the player whose name starts the line, the longest name if several match."""
        names = [seat.name for seat in self.seats if text.startswith(seat.name + mark)]
        return max(names, key=len) if names else None


def sort_lines(lines: Sequence[Line]) -> HandLines:
    """Parse the lines after the first two."""
    hand = HandLines()
    summary = False
    for line in lines:
        text = line.text.strip()
        if not text or text.startswith("# "):
            continue
        if hand.crowded:
            break
        if text.startswith("*** "):
            summary = summary or text.startswith("*** SUMMARY")
            good = hand.read_street(text)
        elif summary:
            good = hand.read_summary(text)
        elif text.startswith("Seat ") and not hand.posts and not hand.acts:
            good = hand.read_seat(text) or hand.read_player_line(text)
        else:
            good = hand.read_player_line(text)
        if not good:
            hand.unread.append(line)
    return hand


# A record's antes and blinds in the format's terms.


Record = Mapping[str, Any]
SMALL, BIG, BOTH, ANTE, STRADDLE = (
    *("small blind", "big blind", "small & big blinds", "the ante", "straddle"),
)
POSTING = frozenset(("ante", "blind", "straddle", "post", "dead"))
KINDS = {  # the kind of post for each verb
    "ante": ANTE,
    "blind": SMALL,
    "big": BIG,
    "post": BIG,
    "straddle": STRADDLE,
    "dead": "dead",
}
NO_WORD = frozenset(("penalty", "mid", "pb", "buy", "sd", "pick", "declare", "put", "take"))


@dataclass(frozen=True, slots=True)
class Post:
    """Chips posted before the deal: the amount paid and the nominal amount."""

    seat: int
    kind: str
    amount: int
    nominal: int
    all_in: bool = False


def posts_of(record: Record, table: Table) -> tuple[list[Post], list[Problem]]:
    """Return all posts before the deal in order, and problems for posts unknown to the format.

    Each post is limited to the player's stack.
    """
    # poker rooms list antes first
    payments = sorted(_payments(record, table), key=lambda each: each[1] != "ante")
    problems: list[Problem] = []
    posts: list[Post] = []
    for seat, verb, amount in payments:
        kind, chips = KINDS[verb], amount
        if verb == "blind" and any(post.kind == SMALL for post in posts):
            kind = BIG
        elif verb == "post":  # a live post includes the player's dead chips
            dead = sum(each.amount for each in posts if (each.seat, each.kind) == (seat, "dead"))
            if dead:
                kind, chips = BOTH, amount + dead
                posts = [each for each in posts if (each.seat, each.kind) != (seat, "dead")]
        posts.append(Post(seat, kind, chips, chips))
    if any(post.kind == "dead" for post in posts):
        text = "the format has dead chips only with a blind"
        problems.append(Problem("actions", "no-such-word", text))
    if not any(post.kind == BIG for post in posts):
        problems.append(Problem("stakes/blinds", "missing", "the format requires a big blind"))
    stacks = record.get("stacks") or []
    left = {at: stack for at, stack in enumerate(stacks) if stack is not None}
    paid_posts = []
    for post in posts:
        there = left.get(post.seat, post.amount)
        paid = min(post.amount, there)
        left[post.seat] = there - paid
        if paid:
            paid_posts.append(replace(post, amount=paid, all_in=there == paid))
    return paid_posts, problems


def _payments(record: Record, table: Table) -> Iterator[tuple[int, str, int]]:
    """Yield the antes and blinds that follow from the stakes, then those that are actions."""
    stakes = table.stakes
    if not table.own_antes:
        antes = by_position(table.order, stakes.antes) if stakes.antes else {}
        for seat in table.order:
            if amount := antes.get(seat, 0) if stakes.antes else stakes.ante:
                yield seat, "ante", amount
    if any(stakes.blinds) and not table.own_blinds:
        places = by_position(table.order, tuple(range(len(stakes.blinds))))
        for seat, place in sorted(places.items(), key=lambda each: each[1]):
            if blind := stakes.blinds[place]:
                verb = "post" if blind < 0 else "straddle" if place > 1 else "blind"
                yield seat, "big" if verb == "blind" and place == 1 else verb, abs(blind)
    for action in map(read_action, record["actions"]):
        if isinstance(action, Action) and action.verb in POSTING:
            chips = action.amount
            if chips is None and action.verb == "ante":
                ante = record.get("stakes", {}).get("ante", 0)
                chips = ante if type(ante) is int else 0
            yield action.seat, action.verb, chips or 0
