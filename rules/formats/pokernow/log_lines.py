"""The lines of PokerNow's log.

A line is first split at its quotes and known words, so that every part is read once. A regular
expression for the whole line would try each " @ " in a name with each way to match the rest.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.cards import CARDS
from rules.formats.hands import Kind

# The parsed lines of a PokerNow log.


@dataclass(frozen=True, slots=True)
class Start:
    """The first line of a hand. The dealer's id is empty for a dead button."""

    number: int
    game: str
    dealer: str


@dataclass(frozen=True, slots=True)
class Stack:
    """A player with the starting stack."""

    id: str
    name: str
    chips: str


@dataclass(frozen=True, slots=True)
class Stacks:
    """The stacks of all players at the start of a hand, and the parts that can't be read."""

    players: list[Stack]
    unread: list[str]


@dataclass(frozen=True, slots=True)
class Act:
    """A player's action with its verb and its chips or cards."""

    id: str
    verb: str  # post, bet, call, check, fold, show, collect, return, bounty
    chips: str = ""
    what: str = ""  # the kind of post
    cards: tuple[int, ...] = ()
    to: str = ""  # for a bounty, the id of the other player


@dataclass(frozen=True, slots=True)
class Board:
    """Cards dealt to the first or second board, or to a board that is run again."""

    cards: tuple[int, ...]
    note: str


@dataclass(frozen=True, slots=True)
class OwnCards:
    """The cards of the player who exported the log."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StackLine:
    """A stack stated by a line between hands."""

    kind: Kind
    id: str
    name: str
    chips: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class NewId:
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line that does not move chips."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that can't be read. If it contains a number, it may move chips."""

    has_number: bool


Parsed = Stacks | Act | Board | OwnCards | StackLine | NewId | OtherLine | Unread


@dataclass(slots=True)
class LoggedHand:
    """The lines of a hand, with the first id of each player."""

    start: Start
    dealer: str
    line: int
    at: str
    stacks: list[Stacks] = field(default_factory=list)
    seats: dict[str, int] = field(default_factory=dict)
    lines: list[Act | Board | OwnCards] = field(default_factory=list)
    # line numbers of lines that contain a number but can't be parsed
    unread: list[int] = field(default_factory=list)

    def add(self, line: Stacks | Act | Board | OwnCards, ids: Mapping[str, str]) -> None:
        if isinstance(line, Stacks):
            self.stacks.append(line)
            for player in line.players:
                self.seats.setdefault(ids.get(player.id, player.id), len(self.seats))
        elif isinstance(line, Act):
            to = ids.get(line.to, line.to)
            id_ = ids.get(line.id, line.id)
            self.lines.append(Act(id_, line.verb, line.chips, line.what, line.cards, to))
        else:
            self.lines.append(line)


SUITS = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "\ufe0f": ""})
STARTS, ENDS = "-- starting hand #", "-- ending hand #"
STACKS = "Player stacks:"
LONGEST_NUMBER = 18
ID = re.compile(r'[^"@\s]+')
CHIPS = r"(?P<chips>\d+(?:\.\d+)?)"
ALL_IN = r"(?: and go(?:es)? all[- ]in)?"
BOMB = r"(?P<bomb> \(bomb pot bet\))?"
AMOUNT = re.compile(rf"\b{CHIPS}")
QUOTED = re.compile(r'"[^"]*+"')
# patterns for an action after the player's name
POST = re.compile(rf"posts an? (?P<what>[a-z ]+?) of {CHIPS}{ALL_IN}{BOMB}{ALL_IN}")
BET = re.compile(rf"(?:bets|raises to) {CHIPS}{ALL_IN}")
CALL = re.compile(rf"calls {CHIPS}{ALL_IN}{BOMB}{ALL_IN}")
SHOW = re.compile(r"shows an? (?P<cards>[^.]+)\.?")
COLLECT = re.compile(rf"collected {CHIPS} from pot(?: with .*)?")
BOUNTY = re.compile(
    rf'" (?P<verb>pays|paid|collects|collected|receives|received|wins|won) {CHIPS}'
    r"[a-z ]* 7-2 bounty(?P<rest>.*)"
)
PAYS = frozenset(("pays", "paid"))
# patterns for lines about the table
BOARD = re.compile(
    r"(?:Flop|Turn|River)(?: \((?P<note>[a-z ]+)\))?:[^\[\]]*\[(?P<cards>[^\]]+)\]", re.IGNORECASE
)
RETURNED = re.compile(rf"Uncalled bet of {CHIPS} returned to ")
OWN_CARDS = "Your hand is "
SECOND_BOARD = "second board"
RUNS = frozenset(("second run", "third run"))
# for each post: the verb used in records, and whether a second post by the same player reports
# their total for the
# street
POSTS = {
    "ante": "ante",
    "small blind": "blind",
    "big blind": "blind",
    "straddle": "straddle",
    "missing small blind": "dead",
    "missed small blind": "dead",
    "missed big blind": "post",
    "missing big blind": "post",
    "bet": "ante",
}
NOT_OF_STREET = frozenset(("ante", "missing small blind", "missed small blind"))
# patterns for a stack after the player's name
STACK_LINES: tuple[tuple[str, re.Pattern[str], Kind], ...] = (
    ("The player ", re.compile(rf"joined the game with a stack of {CHIPS}\.?"), "takes"),
    ("The player ", re.compile(rf"quits the game with a stack of {CHIPS}\.?"), "holds"),
    ("The player ", re.compile(rf"stands? up with the stack of {CHIPS}\.?"), "holds"),
    ("The player ", re.compile(rf"sits? back with the stack of {CHIPS}\.?"), "holds"),
    ("The player ", re.compile(rf"rebought\. New stack:? {CHIPS}\.?"), "takes"),
    (
        "The admin approved the player ",
        re.compile(rf"participation with a stack of {CHIPS}\.?"),
        "approved",
    ),
    (
        "The admin updated the player ",
        re.compile(rf"stack from (?P<before>\d+(?:\.\d+)?) to {CHIPS}\.?"),
        "changes",
    ),
)
NEW_ID = re.compile(r"changed the ID from (?P<old>\S+) to (?P<new>[^\s.]+)(?: because .*|\.)?")
# lines with these first words do not move chips, even if they contain numbers
WITHOUT_CHIPS = (
    *("The game", "Game Config Changes", "IMPORTANT", "Undealt cards"),
    "WARNING: the admin queued the stack change",
)
# lines with these first words can move chips only if they contain a number outside a name
BESIDE_BEGINS = (
    *("The player", "The admin", "Dead Small Blind", "Remaining players", "WARNING"),
    *("Asking to busted players", "Waiting for the game owner"),
)
BESIDE_HOLDS = (
    *("requested a seat", "choose to", "chooses to", "chose to", "run it twice"),
    "requested a rebuy of",
)


def read_line(text: str) -> Parsed:
    """Return the contents of any line except the first and the last of a hand."""
    if text.startswith(STACKS):
        return _read_stacks(text)
    for read in (_read_table_line, _read_act, _read_stack_line):
        if (parsed := read(text)) is not None:
            return parsed
    has_number = any(char.isdigit() for char in QUOTED.sub("", text))
    first = text.partition("\n")[0]
    if text.startswith(WITHOUT_CHIPS):
        return OtherLine()
    is_beside = text.startswith(BESIDE_BEGINS) or any(each in first for each in BESIDE_HOLDS)
    if is_beside and (not has_number or "requested a rebuy of" in first):
        return OtherLine()
    return Unread(has_number)


def read_start(text: str) -> Start | None:
    """Parse `-- starting hand #7 (id: x1)  No Limit Texas Hold'em (dealer: "Al @ aaa") --`."""
    if not (text.startswith(STARTS) and text.endswith(" --")):
        return None
    number, _, rest = text[len(STARTS) : -len(" --")].partition(" ")
    rest = rest.lstrip(" ")
    if rest.startswith("(id: "):
        rest = rest.partition(") ")[2].lstrip(" ")
    game, mark, dealer = rest.partition(" (dealer: ")
    who = _read_player(dealer.removesuffix(")")) if mark and dealer.endswith(")") else None
    if not mark:
        game, mark, _ = rest.partition(" (dead button)")
    game = game.strip(" ").removeprefix("(").removesuffix(")").strip()
    is_game = "A" <= game[:1] <= "Z" and "(" not in game and ")" not in game
    if not (mark and _is_number(number) and is_game) or (dealer and who is None):
        return None
    return Start(int(number), game, who[1] if who else "")


def is_end(text: str) -> bool:
    number = text.removeprefix(ENDS).removesuffix(" --")
    return _is_number(number) and text == f"{ENDS}{number} --"


def read_cards(text: str) -> tuple[int, ...] | None:
    """Parse cards such as `10♥, Kd`. Return None if one of them is not a card."""
    words = [word.strip().translate(SUITS) for word in text.split(",")]
    return tuple(CARDS[word] for word in words) if all(word in CARDS for word in words) else None


# --- lines of the table -------------------------------------------------------------------------


def _read_table_line(text: str) -> Parsed | None:
    if text.startswith(OWN_CARDS):
        cards = read_cards(text.removeprefix(OWN_CARDS).removesuffix("."))
        return None if cards is None else OwnCards(cards)
    if board := BOARD.fullmatch(text):
        cards, note = read_cards(board["cards"]), (board["note"] or "").lower()
        known = note in {"", SECOND_BOARD} or note in RUNS
        return Board(cards, note) if cards is not None and known else None
    if returned := RETURNED.match(text):
        who = _read_player(text[returned.end() :])
        return Act(who[1], "return", returned["chips"]) if who else None
    return None


def _read_stacks(text: str) -> Stacks:
    """Parse `Player stacks: #1 "Al @ aaa" (100) | #4 "Bob @ bbb" (200)`."""
    stacks, unread = [], []
    for part in map(str.strip, text.removeprefix(STACKS).split(" | ")):
        seat, _, rest = part.removeprefix("#").partition(" ")
        quoted, _, chips = rest.rpartition(" (")
        who = _read_player(quoted)
        amount = AMOUNT.fullmatch(chips.removesuffix(")"))
        if part.startswith("#") and seat.isdecimal() and who and amount and chips[-1] == ")":
            stacks.append(Stack(who[1], who[0], amount["chips"]))
        elif part:
            unread.append(part)
    return Stacks(stacks, unread)


# --- lines of players ---------------------------------------------------------------------------


def _read_act(text: str) -> Act | None:
    """Parse `"Al @ aaa" folds`. Split at the last quote, since names may contain quotes."""
    if not text.startswith('"'):
        return None
    if "7-2 bounty" in text:
        return _read_bounty(text)
    quoted, mark, what = text.rpartition('" ')
    who = _read_player(f'{quoted}"') if mark else None
    if who is None:
        return None
    if what in {"folds", "checks"}:
        return Act(who[1], what.removesuffix("s"))
    for verb, pattern in ACTS.items():
        if match := pattern.fullmatch(what):
            return _act(who[1], verb, match)
    return None


ACTS = {"post": POST, "bet": BET, "call": CALL, "show": SHOW, "collect": COLLECT}


def _act(id_: str, verb: str, match: re.Match[str]) -> Act | None:
    if verb == "post":
        what = match["what"]
        is_valid = what in POSTS and (what == "bet") == bool(match["bomb"])
        return Act(id_, verb, match["chips"], what) if is_valid else None
    if verb == "call" and match["bomb"]:
        return Act(id_, "post", match["chips"], "bet")
    if verb == "show":
        cards = read_cards(match["cards"])
        return None if cards is None else Act(id_, verb, cards=cards)
    return Act(id_, verb, match["chips"])


def _read_bounty(text: str) -> Act | None:
    """Parse a line about the 7-2 bounty.

    Examples are `"Al @ aaa" collected 10 from the 7-2 bounty of "Bob @ bbb"` and a line with `pays
    ... to "Bob @ bbb"`. A line without the other player describes one side of the payment.
    """
    bounty = BOUNTY.search(text)
    who = _read_player(text[: bounty.start() + 1]) if bounty else None
    if bounty is None or who is None:
        return None
    _, mark, other = bounty["rest"].partition('"')
    rival = _read_player(f'"{other.removesuffix(".")}') if mark else None
    if mark and rival is None:
        return None
    sign = "-" if bounty["verb"] in PAYS else ""
    return Act(who[1], "bounty", f"{sign}{bounty['chips']}", to=rival[1] if rival else "")


def _read_stack_line(text: str) -> StackLine | NewId | None:
    quoted, mark, what = text.rpartition('" ')
    if not mark:
        return None
    for prefix, pattern, kind in STACK_LINES:
        if not quoted.startswith(prefix):
            continue
        who = _read_player(f'{quoted.removeprefix(prefix)}"')
        if who and (match := pattern.fullmatch(what)):
            before = match["before"] if kind == "changes" else ""
            return StackLine(kind, who[1], who[0], match["chips"], before)
    if quoted.startswith("The player ") and (changed := NEW_ID.fullmatch(what)):
        return NewId(changed["old"], changed["new"])
    return None


def _read_player(text: str) -> tuple[str, str] | None:
    """Return the name and the id in `"Bob @ home @ bbb"`."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    name, _, id_ = text[1:-1].rpartition(" @ ")
    return (name, id_) if name and "\n" not in name and ID.fullmatch(id_) else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
