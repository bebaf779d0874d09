"""The lines of one hand of PokerStars' text, sorted: who sat there, what was done, what is odd.

Each line is taken apart at its words, never by an expression over names: a name may hold anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.formats.amounts import Number
from rules.formats.pokerstars.line_words import (
    BESIDE_ENDS,
    BESIDE_HOLDS,
    POSTS,
    read_cards,
    read_chips,
)

ALL_IN = (" and is all-in", " and is all in")
MOST_SEATS = 23  # of a table: each line is held against their names
BETS = frozenset(("calls", "bets", "raises"))  # a raise tells by how much, and to what


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player, the number of the chair, and the chips at the start."""

    number: int
    name: str
    chips: Number


@dataclass(frozen=True, slots=True)
class Said:
    """What one player did: a verb of ours or of the text, chips and cards; or a street's cards."""

    seat: str
    verb: str
    chips: Number = 0
    cards: tuple[int, ...] = ()


@dataclass(slots=True)
class HandLines:
    """One hand's lines, read."""

    seats: list[Seat] = field(default_factory=list)
    posts: list[Said] = field(default_factory=list)
    acts: list[Said] = field(default_factory=list)
    known: dict[str, tuple[int, ...]] = field(default_factory=dict)
    collected: dict[str, list[Number]] = field(default_factory=dict)
    rake: Number = 0
    twice: bool = False
    crowded: bool = False  # more seats than a table has: nothing behind them is read
    unread: list[Line] = field(default_factory=list)


def sort_lines(lines: Sequence[Line]) -> HandLines:
    """Read the lines behind the first two."""
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
            good = _street(hand, text)
        elif summary:
            good = _of_summary(hand, text)
        elif text.startswith("Seat ") and not hand.posts and not hand.acts:
            good = _seat(hand, text) or _said(hand, text)
        else:
            good = _said(hand, text)
        if not good:
            hand.unread.append(line)
    return hand


def _seat(hand: HandLines, text: str) -> bool:
    number, mark, rest = text.removeprefix("Seat ").partition(": ")
    end = rest.rfind(" in chips")
    start = rest.rfind(" (", 0, end) if end > 0 else -1
    chips = read_chips(rest[start + 2 : end]) if start > 0 else None
    good = mark and number.isascii() and number.isdigit() and len(number) <= 3
    if not good or chips is None:
        return False
    hand.crowded = len(hand.seats) >= MOST_SEATS
    hand.seats.append(Seat(int(number), rest[:start], chips))
    return True


def _street(hand: HandLines, text: str) -> bool:
    """A line of stars: the cards that a street brings lie in its last brackets."""
    name, _, rest = text.removeprefix("*** ").partition(" ***")
    if name.startswith(("FIRST", "SECOND")):
        hand.twice = True
    if name not in {"FLOP", "TURN", "RIVER"}:
        return True
    cards = read_cards(rest[rest.rfind("[") :].strip()) if "[" in rest else None
    if cards is None:
        return False
    hand.acts.append(Said("", "board", cards=tuple(cards)))
    return True


def _of_summary(hand: HandLines, text: str) -> bool:
    """Of the summary only what stands nowhere else: the rake, and cards that were mucked."""
    if text.startswith("Total pot "):
        _, mark, told = text.partition("| Rake ")
        hand.rake = read_chips(told.split()[0]) or 0 if mark and told.split() else 0
    elif text.startswith("Hand was run"):
        hand.twice = True
    elif text.startswith("Seat ") and text.endswith("]") and " mucked [" in text:
        before, _, told = text.rpartition(" mucked ")
        cards = read_cards(told)
        name = before.partition(": ")[2]
        for mark in (" (big blind)", " (small blind)", " (button)"):
            name = name.removesuffix(mark)
        if cards and any(seat.name == name for seat in hand.seats):
            hand.known.setdefault(name, tuple(cards))
    return True


# --- what players do ----------------------------------------------------------------------------


def _said(hand: HandLines, text: str) -> bool:
    if text.startswith("Uncalled bet ("):  # the rules return it themselves
        return True
    if text.startswith("Dealt to "):
        return _dealt(hand, text.removeprefix("Dealt to "))
    name = _name(hand, text, ": ")
    if name is not None and _did(hand, name, text[len(name) + 2 :]):
        return True
    name = _name(hand, text, " collected ")
    if name is not None:
        chips = read_chips(text[len(name) + len(" collected ") :].partition(" ")[0])
        if chips is not None:
            hand.collected.setdefault(name, []).append(chips)
            return True
    return text.endswith(BESIDE_ENDS) or any(each in text for each in BESIDE_HOLDS)


def _name(hand: HandLines, text: str, mark: str) -> str | None:
    """The player with whose name a line begins: of several the longest."""
    found = [seat.name for seat in hand.seats if text.startswith(seat.name + mark)]
    return max(found, key=len) if found else None


def _dealt(hand: HandLines, text: str) -> bool:
    name, mark, told = text.rpartition(" [")
    cards = read_cards(f"[{told}") if mark else None
    if cards is None or all(seat.name != name for seat in hand.seats):
        return not mark  # some rooms name those whose cards they do not tell
    hand.known[name] = tuple(cards)
    return True


def _did(hand: HandLines, name: str, what: str) -> bool:
    for end in ALL_IN:
        what = what.removesuffix(end)
    verb, _, rest = what.partition(" ")
    if verb in {"posts", "straddle"}:
        return _posted(hand, name, rest if verb == "posts" else what)
    if verb == "shows":
        return _showed(hand, name, rest)
    if what == "mucks hand":
        hand.acts.append(Said(name, "mucks"))
    elif verb in {"folds", "checks"}:
        hand.acts.append(Said(name, verb))
    elif verb in BETS and (chips := read_chips(rest.rpartition(" to ")[2])) is not None:
        hand.acts.append(Said(name, verb, chips))
    else:
        return False
    return True


def _posted(hand: HandLines, name: str, rest: str) -> bool:
    kind, _, told = rest.rpartition(" ")
    chips = read_chips(told)
    if kind not in POSTS or chips is None:
        return False
    hand.posts.append(Said(name, kind, chips))
    return True


def _showed(hand: HandLines, name: str, rest: str) -> bool:
    told, mark, _ = rest.partition("]")
    cards = read_cards(told + mark)
    if cards is None:
        return False
    hand.known.setdefault(name, tuple(cards))
    hand.acts.append(Said(name, "shows", cards=tuple(cards)))
    return True
