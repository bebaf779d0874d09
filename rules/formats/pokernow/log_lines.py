"""What the lines of PokerNow's log look like.

A line is taken apart at its quotes and words first, so that every part is read once: an expression
over the whole line would try each " @ " of a name against each way to read the rest.
"""

import re
from dataclasses import dataclass

from rules.cards import CARDS

SUITS = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "\ufe0f": ""})
STARTS, ENDS = "-- starting hand #", "-- ending hand #"
STACKS = "Player stacks:"
LONGEST_NUMBER = 18
ID = re.compile(r'[^"@\s]+')
CHIPS = r"(?P<chips>\d+(?:\.\d+)?)"
ALL_IN = r"(?: and go(?:es)? all[- ]in)?"
AMOUNT = re.compile(rf"\b{CHIPS}")
# what somebody did, behind the name
POST = re.compile(rf"posts an? (?P<what>[a-z ]+?) of {CHIPS}{ALL_IN}")
BET = re.compile(rf"(?:bets|raises to) {CHIPS}{ALL_IN}")
CALL = re.compile(rf"(?:calls {CHIPS}{ALL_IN}|checks)")
FOLD = re.compile("folds")
SHOW = re.compile(r"shows an? (?P<cards>[^.]+)\.?")
COLLECT = re.compile(rf"collected {CHIPS} from pot(?: with .*)?")
# and what the table did
BOARD = re.compile(r"(?:Flop|Turn|River):[^\[\]]*\[(?P<cards>[^\]]+)\]", re.IGNORECASE)
RETURNED = re.compile(rf"Uncalled bet of {CHIPS} returned to ")
RUN_TWICE = re.compile(r"(?:Flop|Turn|River) \((?:second|third) run\)", re.IGNORECASE)
POSTS = {
    "ante": "ante",
    "small blind": "blind",
    "big blind": "blind",
    "straddle": "straddle",
    "missing small blind": "dead",
    "missed big blind": "post",
    "missing big blind": "post",
}
# what happens at a table beside the hands: how such a line begins, and what may stand in it
BESIDE_BEGINS = (
    *("The player", "The admin", "The game", "Your hand is", "Undealt cards", "Dead Small Blind"),
    *("Remaining players", "WARNING", "IMPORTANT"),
)
BESIDE_HOLDS = (
    *("joined the game", "quits the game", "stand up", "sit back", "requested a seat"),
    *("choose to", "chooses to", "chose to", "run it twice"),
)


@dataclass(frozen=True, slots=True)
class Start:
    """The first line of a hand; behind a dead button the dealer's id is empty."""

    number: int
    game: str
    dealer: str


@dataclass(frozen=True, slots=True)
class Stack:
    """A player, and the chips that were there at the start."""

    id: str
    name: str
    chips: str


@dataclass(frozen=True, slots=True)
class Said:
    """Who did something, and what stands behind the name."""

    id: str
    what: str


@dataclass(frozen=True, slots=True)
class Post:
    """Chips put in before the cards: whose, for what, how many."""

    id: str
    what: str
    chips: str


def read_start(text: str) -> Start | None:
    """`-- starting hand #7 (id: x1)  No Limit Texas Hold'em (dealer: "Al @ aaa") --`."""
    if not (text.startswith(STARTS) and text.endswith(" --")):
        return None
    number, _, rest = text[len(STARTS) : -len(" --")].partition(" ")
    rest = rest.lstrip(" ")
    if rest.startswith("(id: "):
        rest = rest.partition(") ")[2].lstrip(" ")
    game, mark, dealer = rest.partition(" (dealer: ")
    who = _read_who(dealer.removesuffix(")")) if mark and dealer.endswith(")") else None
    if not mark:
        game, mark, _ = rest.partition(" (dead button)")
    game = game.strip(" ").removeprefix("(").removesuffix(")").strip()
    if not (mark and _is_number(number) and _is_game(game)) or (dealer and who is None):
        return None
    return Start(int(number), game, who[1] if who else "")


def is_end(text: str) -> bool:
    number = text.removeprefix(ENDS).removesuffix(" --")
    return _is_number(number) and text == f"{ENDS}{number} --"


def is_beside(text: str) -> bool:
    """Whether a line tells what happens at a table beside the hands."""
    first = text.partition("\n")[0]
    return text.startswith(BESIDE_BEGINS) or any(each in first for each in BESIDE_HOLDS)


def read_stacks(text: str) -> tuple[list[Stack], list[str]]:
    """`Player stacks: #1 "Al @ aaa" (100) | #4 "Bob @ bbb" (200)`, and what of it is no stack."""
    parts = [part.strip() for part in text.removeprefix(STACKS).split(" | ")]
    read = [(part, _read_stack(part)) for part in parts if part]
    return [found for _, found in read if found], [part for part, found in read if not found]


def read_said(text: str) -> Said | None:
    """`"Al @ aaa" folds`, taken apart at the last quote, since a name may hold some."""
    told, mark, what = text.rpartition('" ')
    who = _read_who(f'{told}"') if mark else None
    return Said(who[1], what) if who else None


def read_post(text: str) -> Post | None:
    """`"Al @ aaa" posts a small blind of 1`."""
    said = read_said(text)
    found = POST.fullmatch(said.what) if said else None
    return Post(said.id, found["what"], found["chips"]) if said and found else None


def read_returned(text: str) -> str | None:
    """The id of whom an uncalled bet goes back to; None where that is not what the line says."""
    found = RETURNED.match(text)
    who = _read_who(text[found.end() :]) if found else None
    return who[1] if who else None


def read_cards(text: str) -> list[int] | None:
    """`10♥, Kd` as cards, None when one of them is none."""
    words = [word.strip().translate(SUITS) for word in text.split(",")]
    return [CARDS[word] for word in words] if all(word in CARDS for word in words) else None


def _read_who(text: str) -> tuple[str, str] | None:
    """The name and the id of `"Bob @ home @ bbb"`."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    name, _, id_ = text[1:-1].rpartition(" @ ")
    return (name, id_) if name and "\n" not in name and ID.fullmatch(id_) else None


def _read_stack(text: str) -> Stack | None:
    seat, _, rest = text.removeprefix("#").partition(" ")
    told, _, chips = rest.rpartition(" (")
    who = _read_who(told)
    amount = AMOUNT.fullmatch(chips.removesuffix(")"))
    if not (text.startswith("#") and seat.isdecimal() and who and amount and chips[-1] == ")"):
        return None
    return Stack(who[1], who[0], amount["chips"])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def _is_game(text: str) -> bool:
    return "A" <= text[:1] <= "Z" and "(" not in text and ")" not in text
