"""The table during a replay: its stakes (docs/history.md), seats, chips and irregularities.

Plain data. Chips move in `pay` alone, so the pot always holds what the players put in.
"""

import marshal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from rules.cards import UNSEEN
from rules.errors import Problem
from rules.game.game import Betting, Game, Limit
from rules.game.grammar import GrammarError, read_betting
from rules.game.hand import MOST_CHIPS, MOST_PLAYERS
from rules.game.workload import MOST_PROBLEMS
from rules.history.script import TABLE, Script, Stage

AMOUNTS = ("bring_in", "small", "big", "min", "unit", "mid", "bomb", "cap")
SWITCHES = ("dead_ante", "short_blind")
MOST_KNOWN = 4096
KEYS = (*AMOUNTS, *SWITCHES, "ante", "blinds", "betting")


@dataclass(frozen=True, slots=True)
class Stakes:
    """Sizes in chips. Lists go by seat from the dealer's left; heads up they are turned round.

    A blind below zero is a post that does not move who opens. `dead_ante`: antes are no stakes,
    so a short one can win all of them. `short_blind`: a blind that is short lowers the call.
    """

    ante: int = 0
    antes: tuple[int, ...] = ()
    dead_ante: bool = False
    short_blind: bool = False
    blinds: tuple[int, ...] = ()
    bring_in: int = 0
    small: int = 0
    big: int = 0
    min: int = 0
    unit: int = 1
    mid: int = 0
    bomb: int = 0
    cap: int = 0  # the most bets and raises of a round; 0: any number
    betting: Betting | None = None
    largest_blind: int = field(init=False)

    def __post_init__(self) -> None:
        largest = max(map(abs, self.blinds), default=0)
        object.__setattr__(self, "largest_blind", largest)


NO_STAKES = Stakes()


# Only good stakes are remembered: a stranger's mistakes may be as long as they like.
_known: dict[bytes, Stakes] = {}


def read_stakes(raw: Any) -> tuple[Stakes, list[Problem]]:
    """The stakes of a record, and everything that is wrong with them; the same are read once."""
    try:
        told = marshal.dumps(raw, 2)  # 1, 1.0 and true are told apart
    except ValueError:
        return _read(raw)
    if told in _known:
        return _known[told], []
    stakes, wrong = _read(raw)
    if not wrong:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[told] = stakes
    return stakes, wrong


def _read(raw: Any) -> tuple[Stakes, list[Problem]]:
    if raw is None:
        return NO_STAKES, []
    if not isinstance(raw, Mapping):
        return NO_STAKES, [Problem("stakes", "wrong-type", "stakes are an object")]
    good = all(map(_is_good, raw, raw.values()))
    wrong = [] if good else list(islice(_problems(raw), MOST_PROBLEMS))
    betting = _betting(raw, wrong)
    if wrong:
        return NO_STAKES, wrong
    told = {**raw, "betting": betting}
    if type(raw.get("ante", 0)) is not int:
        told["antes"] = tuple(told.pop("ante"))
    if "blinds" in raw:
        told["blinds"] = tuple(raw["blinds"])
    return Stakes(**told), []


def _is_good(key: object, value: object) -> bool:
    return key in GOOD and GOOD[key](value)


def _problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    for key in raw:
        if key not in KEYS:
            yield Problem(f"stakes/{str(key)[:40]}", "unknown-key", f"stakes are {', '.join(KEYS)}")
    for key, (is_good, code, text) in FORMS.items():
        if key in raw and not is_good(raw[key]):
            yield Problem(f"stakes/{key}", code, text)


def _is_chips(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value <= MOST_CHIPS


def _is_list(value: object, least: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_PLAYERS
        and all(_is_chips(item, least) for item in value)
    )


CHIPS = (_is_chips, "bad-chips", "a whole number of chips is needed here")
SWITCH = (lambda value: type(value) is bool, "wrong-type", "true or false is needed here")
FORMS: dict[str, tuple[Callable[[object], bool], str, str]] = {
    **dict.fromkeys(AMOUNTS, CHIPS),
    "unit": (lambda value: _is_chips(value, least=1), *CHIPS[1:]),
    **dict.fromkeys(SWITCHES, SWITCH),
    "ante": (
        lambda value: _is_chips(value) or _is_list(value, least=0),
        "bad-chips",
        "chips, or a list of them by seat",
    ),
    "blinds": (
        lambda value: _is_list(value, least=-MOST_CHIPS),
        "bad-chips",
        "a list of chips by seat is needed here",
    ),
}


GOOD: dict[object, Callable[[object], bool]] = {key: form[0] for key, form in FORMS.items()}


def _betting(raw: Mapping[str, Any], wrong: list[Problem]) -> Betting | None:
    text = raw.get("betting")
    if text is None:
        return None
    if not isinstance(text, str) or len(text) > 200:
        wrong.append(Problem("stakes/betting", "wrong-type", "limits are a text, as in a game"))
        return None
    try:
        return read_betting(text)
    except GrammarError as misread:
        wrong.append(Problem("stakes/betting", "bad-option", f"{text[:60]!r}: {misread}"))
        return None


Seats = tuple[int, ...]

DECK = -1  # where a seat is told
UNKNOWN_STACK = 1 << 60  # of a player whose chips nobody counted
END = Stage("end", "")
START = Stage("start", "")


@dataclass(slots=True)
class Irregularity:
    """What an action did that the rules do not say.

    `fatal`: it could not be carried out at all. `stands`: the house rules let it stand.
    """

    at: int  # the action's place in the list; -1 for the hand as a whole
    code: str
    text: str
    fatal: bool = False
    stands: bool = False


@dataclass(slots=True, eq=False, init=False)  # a default for each would take twice as long to set
class Seat:
    """One player. `bet` is what lies in front in this round, `paid` all of the hand."""

    name: str
    start: int | None
    stack: int
    bet: int
    paid: int
    dead: int
    blind: int  # what of the first bet moves who opens
    took: int
    live: bool
    late: bool
    killed: bool
    bought: bool
    shown: bool | None  # False: mucked
    declared: str | None
    down: list[int]
    up: list[int]
    out: list[int]
    passed: list[int]
    owed: tuple[str, ...]  # zones of the cards still to come
    piles: dict[str, list[int]]
    earned: int  # cards that came for cards turned up
    extras: int  # cards taken on top at this step, in all of its rounds
    stood: int  # rounds of this step in which no card was taken
    tolls: dict[frozenset[int], int]  # cards that were paid for

    def __init__(self, name: str, start: int | None) -> None:
        self.name, self.start = name, start
        self.stack = UNKNOWN_STACK if start is None else start
        self.bet = self.paid = self.dead = self.blind = self.took = 0
        self.live = True
        self.late = self.killed = self.bought = False
        self.shown = self.declared = None
        self.down, self.up, self.out, self.passed = [], [], [], []
        self.owed = ()
        self.piles, self.tolls = {}, {}
        self.earned = self.extras = self.stood = 0

    @property
    def all_in(self) -> bool:
        return self.stack == 0 and self.paid > 0


@dataclass(slots=True, eq=False, init=False)
class Table:
    """A hand in play. `order` are the seats from the first to be dealt to; `waiting` those who
    still have to act at this stage, in turn; `owed` the cards still to be dealt in it."""

    game: Game
    script: Script
    stakes: Stakes
    button: int
    seats: list[Seat]
    order: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]  # the seats behind each seat, in turn
    pot: int
    at: int
    stage: Stage
    waiting: list[int]
    owed: int
    slots_due: tuple[str, ...]
    board: dict[str, int]  # cards by slot
    rounds: int  # of betting that were begun
    left: int
    over: bool
    # the betting of this round
    limit: Limit
    high: int
    size: int  # of the last full bet or raise
    whole: int  # the bet of the round, where it is fixed
    full: int  # the level of the last full bet
    raises: int
    brought: bool
    anyone: bool  # who opens can't be told
    opened: bool
    acted: int
    closed: set[int]  # seats that may not raise any more
    opener: int
    raiser: int
    alone: int  # who was not asked, there being nobody to bet against
    wrong_opener: Irregularity | None  # a wrong opener that may yet stand
    # cards that are offered, pushed on and bid for
    offered: bool  # who is in turn has a card to keep or to push
    bids: dict[int, int]
    # cards taken in rounds, hands that are swapped
    hit: bool  # somebody took a card in this round
    asked: int | None  # who was to swap a hand at last; DECK for the deck
    refused: bool  # and had a card that refuses it
    drawing: tuple[int, int] | None  # who gets a hand of the deck, how many are held
    # the turning of cards
    holder: int
    to_beat: tuple[int, int] | None
    # the rest
    own_antes: bool  # antes and blinds come as actions, not from the stakes
    own_blinds: bool
    common_due: bool  # a card for all who bought is still to come
    shared: list[tuple[int, tuple[int, ...]]]
    tiebreaks: list[dict[int, list[int]]]
    dealt: int  # a bit for each card that has been dealt
    again: bool  # a card was dealt that had been dealt before
    index: int
    irregularities: list[Irregularity]
    calls: list[str] | None  # what the dealer says, when somebody listens

    def __init__(self, script: Script, stakes: Stakes, button: int, seats: list[Seat]) -> None:
        game = self.game = script.game
        self.script, self.stakes, self.button, self.seats = script, stakes, button, seats
        self.order, self.after = seating(len(seats), button, 1 if game.clockwise else -1)
        self.at = self.index = self.opener = self.raiser = self.alone = self.holder = -1
        self.stage, self.limit = START, TABLE
        self.waiting, self.closed, self.irregularities = [], set(), []
        self.shared, self.tiebreaks, self.board, self.bids = [], [], {}, {}
        self.left = len(seats)
        self.pot = self.owed = self.rounds = self.dealt = self.acted = self.raises = 0
        self.high = self.size = self.whole = self.full = 0
        self.slots_due = ()
        self.over = self.again = self.common_due = self.own_antes = self.own_blinds = False
        self.brought = self.anyone = self.opened = False
        self.offered = self.hit = self.refused = False
        self.wrong_opener = self.asked = self.drawing = self.to_beat = self.calls = None


@lru_cache(maxsize=1024)
def seating(count: int, button: int, step: int) -> tuple[Seats, tuple[Seats, ...]]:
    """The seats from the first to be dealt to, and those behind each seat, in turn."""
    order = tuple([(button + step * at) % count for at in range(1, count + 1)])
    after = {seat: order[at + 1 :] + order[:at] for at, seat in enumerate(order)}
    return order, tuple([after[seat] for seat in range(count)])


def wrong(table: Table, code: str, text: str, *, fatal: bool = False) -> Irregularity:
    """Note what an action did against the rules."""
    irregularity = Irregularity(table.index, code, text, fatal)
    table.irregularities.append(irregularity)
    return irregularity


def pay(table: Table, seat: Seat, amount: int) -> int:
    """Chips from a stack to the pot, as many as there are. The only place where chips move."""
    paid = min(seat.stack, amount)
    seat.stack -= paid
    seat.paid += paid
    table.pot += paid
    return paid


def live_in_turn(table: Table) -> list[int]:
    return [seat for seat in table.order if table.seats[seat].live]


def must_throw(table: Table, seat: Seat) -> list[int] | None:
    """The cards of a player whose rank lies on the board; None where some cards are not known."""
    stage = table.stage
    held = [card for zone in zones_of(stage) for card in (seat.down, seat.up)[zone == "up"]]
    if UNSEEN in held or any(table.board.get(slot, UNSEEN) == UNSEEN for slot in stage.table_slots):
        return None
    ranks = {table.board[slot] // 4 for slot in stage.table_slots}
    return [card for card in held if card // 4 in ranks]


def zones_of(stage: Stage) -> tuple[str, ...]:
    """Where the cards lie that a player parts with."""
    return {"any": ("down", "up"), "up": ("up",)}.get(stage.zone, ("down",))


def untolled(table: Table, seat: Seat) -> int:
    """How many cards of a player are still to be paid for."""
    cards = table.stage.cards
    return sum(card in cards for card in seat.up) - seat.tolls.get(cards, 0)


def toll_of(table: Table, seat: Seat) -> int:
    """What a player's cards ask for: each matches the pot as the one before has left it."""
    count = untolled(table, seat)
    if table.stage.word != "pot":
        return int(table.stage.word) * count
    return table.pot * ((1 << count) - 1)


def may_hit(table: Table, stage: Stage) -> list[int]:
    """Who may take a card in a round of them: nobody who has them all, or stood too often."""
    seats, stands = table.seats, stage.stands
    return [
        index
        for index in live_in_turn(table)
        if seats[index].extras < stage.most and not 0 < stands <= seats[index].stood
    ]


def round_from(table: Table, side: str) -> list[int]:
    """Those who are in, in turn; to the right it begins on the dealer's right, who is last too."""
    waiting = live_in_turn(table)
    if side != "right":
        return waiting
    first = [seat for seat in waiting if seat != table.button]
    return [*reversed(first), *(seat for seat in waiting if seat == table.button)]


def can_still_be_beaten(table: Table) -> bool:
    """Whether somebody is left who can turn a card to beat the best hand."""
    if table.left < 2:
        return False
    return any(i != table.holder and table.seats[i].down for i in live_in_turn(table))


def fold(table: Table, seat_index: int) -> None:
    """Out of the hand: nothing is waited for and nothing is owed any more."""
    seat = table.seats[seat_index]
    seat.live = False
    seat.late = table.at > table.script.last_cards
    table.left -= 1
    table.owed -= len(seat.owed)
    seat.owed = ()
    if seat_index in table.waiting:
        table.waiting.remove(seat_index)
    if table.left < (1 if table.game.must_show else 2):
        end(table)


def end(table: Table) -> None:
    """Nothing is left to be done."""
    table.over = True
    table.at = len(table.script.stages)
    table.stage = END
    table.waiting = []
    table.slots_due = ()
    table.owed = 0


def place(table: Table, seat: Seat, zone: str, card: int) -> None:
    """A card into a zone of a player."""
    if zone == "down":
        seat.down.append(card)
    elif zone == "up":
        seat.up.append(card)
    else:
        seat.piles.setdefault(zone.removeprefix("pile "), []).append(card)


def board_rows(table: Table) -> list[list[int]]:
    """The board as a record has it: a row each, the cards that are out in the order of the
    slots."""
    rows = [[table.board[s] for s in row if s in table.board] for row in table.game.board]
    return rows if any(rows) else []
