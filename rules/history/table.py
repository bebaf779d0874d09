"""The table during a replay: its stakes (docs/history.md), seats, chips and irregularities.

These classes hold plain data. Only `pay` moves chips, so the pot always equals what the players put
in.
"""

import marshal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
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
    """The stakes in chips. Lists start at the dealer's left or, heads up, at the dealer.

    A negative blind is a post that does not change who opens. If `dead_ante` is true, antes are not
    part of the stakes, so a player with a short ante can win all antes. If `short_blind` is true, a
    short blind lowers the call.
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
    cap: int = 0  # maximum number of bets and raises per round; 0 means no limit
    betting: Betting | None = None
    largest_blind: int = field(init=False)

    def __post_init__(self) -> None:
        largest = max(map(abs, self.blinds), default=0)
        object.__setattr__(self, "largest_blind", largest)


NO_STAKES = Stakes()


# Only valid stakes are cached, because invalid stakes may be large.
_known: dict[bytes, Stakes] = {}


def read_stakes(raw: Any) -> tuple[Stakes, list[Problem]]:
    """Parse the stakes of a record. Return them with all problems. Valid stakes are cached."""
    try:
        key = marshal.dumps(raw, 2)  # the key distinguishes 1, 1.0 and true
    except ValueError:
        return _read(raw)
    if key in _known:
        return _known[key], []
    stakes, wrong = _read(raw)
    if not wrong:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = stakes
    return stakes, wrong


def _read(raw: Any) -> tuple[Stakes, list[Problem]]:
    if raw is None:
        return NO_STAKES, []
    if not isinstance(raw, Mapping):
        return NO_STAKES, [Problem("stakes", "wrong-type", "stakes must be an object")]
    wrong: list[Problem] = []
    if not all(key in GOOD and GOOD[key](value) for key, value in raw.items()):
        reason = f"there is no such key; the keys of stakes are {', '.join(KEYS)}"
        unknown = (
            Problem(f"stakes/{str(key)[:40]}", "unknown-key", reason)
            for key in raw
            if key not in KEYS
        )
        bad = (
            Problem(f"stakes/{key}", code, form)
            for key, (is_good, code, form) in FORMS.items()
            if key in raw and not is_good(raw[key])
        )
        wrong += islice(chain(unknown, bad), MOST_PROBLEMS)
    betting, text = None, raw.get("betting")
    if text is not None and (not isinstance(text, str) or len(text) > 200):
        reason = "betting must be a string with the limits, as in a game"
        wrong.append(Problem("stakes/betting", "wrong-type", reason))
    elif text is not None:
        try:
            betting = read_betting(text)
        except GrammarError as misread:
            wrong.append(Problem("stakes/betting", "bad-option", f"{text[:60]!r}: {misread}"))
    if wrong:
        return NO_STAKES, wrong
    fields = {**raw, "betting": betting}
    if type(raw.get("ante", 0)) is not int:
        fields["antes"] = tuple(fields.pop("ante"))
    if "blinds" in raw:
        fields["blinds"] = tuple(raw["blinds"])
    return Stakes(**fields), []


def _is_chips(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value <= MOST_CHIPS


def _is_list(value: object, least: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_PLAYERS
        and all(_is_chips(item, least) for item in value)
    )


CHIPS = (_is_chips, "bad-chips", "a whole number of chips is required")
SWITCH = (lambda value: type(value) is bool, "wrong-type", "true or false is required")
FORMS: dict[str, tuple[Callable[[object], bool], str, str]] = {
    **dict.fromkeys(AMOUNTS, CHIPS),
    "unit": (lambda value: _is_chips(value, least=1), *CHIPS[1:]),
    **dict.fromkeys(SWITCHES, SWITCH),
    "ante": (
        lambda value: _is_chips(value) or _is_list(value, least=0),
        "bad-chips",
        "a number of chips or a list of them by seat is required",
    ),
    "blinds": (
        lambda value: _is_list(value, least=-MOST_CHIPS),
        "bad-chips",
        "a list of chips by seat is required",
    ),
}


GOOD: dict[object, Callable[[object], bool]] = {key: form[0] for key, form in FORMS.items()}


Seats = tuple[int, ...]

DECK = -1  # used in place of a seat number
UNKNOWN_STACK = 1 << 60  # the stack of a player whose chips have not been counted
END = Stage("end", "")
START = Stage("start", "")


@dataclass(slots=True)
class Irregularity:
    """An action or omission that the rules do not allow.

    If `fatal` is true, the action could not be carried out. If `stands` is true, the house rules
    accept the irregularity.
    """

    at: int  # index of the action, or -1 for the hand as a whole
    code: str
    text: str
    fatal: bool = False
    stands: bool = False


# generated defaults for each field would take twice as long
@dataclass(slots=True, eq=False, init=False)
class Seat:
    """One player.

    `bet` is the player's bet in this betting round, and `paid` is the total for the hand.
    """

    name: str
    start: int | None
    stack: int
    bet: int
    paid: int
    dead: int
    blind: int  # the part of the first bet that determines who opens
    took: int
    live: bool
    late: bool
    killed: bool
    bought: bool
    shown: bool | None  # false if mucked, None if neither shown nor mucked
    declared: str | None
    down: list[int]
    up: list[int]
    out: list[int]
    passed: list[int]
    owed: tuple[str, ...]  # zones of the cards that have not been dealt yet
    piles: dict[str, list[int]]
    earned: int  # number of extra cards earned by cards that were dealt face up
    extras: int  # number of additional cards taken during this step, in all rounds
    stood: int  # number of rounds during this step in which the player took no card
    # number of cards already paid for, keyed by the toll's cards
    tolls: dict[frozenset[int], int]

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
    """A hand in play.

    `order` lists the seats in the order of the deal. `waiting` lists the seats that still have to
    act at this stage, in turn. `owed` is the number of cards that are still due at this stage.
    """

    game: Game
    script: Script
    stakes: Stakes
    button: int
    seats: list[Seat]
    order: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]  # for each seat, the following seats in order
    pot: int
    at: int
    stage: Stage
    waiting: list[int]
    owed: int
    slots_due: tuple[str, ...]
    board: dict[str, int]  # cards by slot
    rounds: int  # number of betting rounds that have begun
    left: int
    over: bool
    # the state of this betting round
    limit: Limit
    high: int
    size: int  # size of the last full bet or raise
    whole: int  # size of a bet in this round if the limit is fixed
    full: int  # total bet after the last full bet or raise
    raises: int
    brought: bool
    anyone: bool  # whether anyone may open, because the opener can't be determined
    opened: bool
    acted: int
    closed: set[int]  # seats that may not raise again
    opener: int
    raiser: int
    alone: int  # seat of a player who did not act because there was no opponent left to bet against
    wrong_opener: Irregularity | None  # an irregularity about the opener that may yet be accepted
    # state of pushing and bidding
    offered: bool  # whether the acting player has a card to keep or push
    bids: dict[int, int]
    # state of taking cards and swapping hands
    hit: bool  # whether a player took a card in this round
    asked: int | None  # the last seat asked to swap its hand; DECK for the deck
    refused: bool  # whether the other hand had a card that blocks the swap
    # the seat that receives a hand from the deck, and the number of cards in that hand
    drawing: tuple[int, int] | None
    # state of turning cards
    holder: int
    to_beat: tuple[int, int] | None
    # other state
    own_antes: bool  # whether antes are recorded as actions instead of being part of the stakes
    own_blinds: bool
    common_due: bool  # whether a card still has to be dealt to all players who bought one
    shared: list[tuple[int, tuple[int, ...]]]
    tiebreaks: list[dict[int, list[int]]]
    dealt: int  # bit mask of the cards dealt
    again: bool  # whether a card was dealt twice
    index: int
    irregularities: list[Irregularity]
    calls: list[str] | None  # the dealer's announcements, or None if they were not recorded

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
    """Return the seats in the order of the deal, and for each seat the seats after it in turn."""
    order = tuple([(button + step * at) % count for at in range(1, count + 1)])
    after = {seat: order[at + 1 :] + order[:at] for at, seat in enumerate(order)}
    return order, tuple([after[seat] for seat in range(count)])


def report(table: Table, code: str, text: str, *, fatal: bool = False) -> Irregularity:
    """Record that an action broke a rule."""
    irregularity = Irregularity(table.index, code, text, fatal)
    table.irregularities.append(irregularity)
    return irregularity


def pay(table: Table, seat: Seat, amount: int) -> int:
    """Move up to `amount` chips from a stack to the pot. No other function moves chips."""
    paid = min(seat.stack, amount)
    seat.stack -= paid
    seat.paid += paid
    table.pot += paid
    return paid


def live_in_turn(table: Table) -> list[int]:
    return [seat for seat in table.order if table.seats[seat].live]


def must_throw(table: Table, seat: Seat) -> list[int] | None:
    """Return the player's cards whose rank is on the board, or None if some cards are unknown."""
    stage = table.stage
    held = [card for zone in zones_of(stage) for card in (seat.down, seat.up)[zone == "up"]]
    if UNSEEN in held or any(table.board.get(slot, UNSEEN) == UNSEEN for slot in stage.table_slots):
        return None
    ranks = {table.board[slot] // 4 for slot in stage.table_slots}
    return [card for card in held if card // 4 in ranks]


def zones_of(stage: Stage) -> tuple[str, ...]:
    """Return the zones from which a player gives up cards."""
    return {"any": ("down", "up"), "up": ("up",)}.get(stage.zone, ("down",))


def untolled(table: Table, seat: Seat) -> int:
    """Return how many cards a player still has to pay for."""
    cards = table.stage.cards
    return sum(card in cards for card in seat.up) - seat.tolls.get(cards, 0)


def toll_of(table: Table, seat: Seat) -> int:
    """Return the price of a player's cards. Each card matches the pot at its current size."""
    count = untolled(table, seat)
    if table.stage.word != "pot":
        return int(table.stage.word) * count
    return table.pot * ((1 << count) - 1)


def may_hit(table: Table, stage: Stage) -> list[int]:
    """Return the players who may take a card in a round.

    Players with the maximum number of additional cards, or who stood too often, are excluded.
    """
    seats, stands = table.seats, stage.stands
    return [
        index
        for index in live_in_turn(table)
        if seats[index].extras < stage.most and not 0 < stands <= seats[index].stood
    ]


def round_from(table: Table, side: str) -> list[int]:
    """Return the players left, in turn. If play goes to the right, the dealer is last."""
    waiting = live_in_turn(table)
    if side != "right":
        return waiting
    first = [seat for seat in waiting if seat != table.button]
    return [*reversed(first), *(seat for seat in waiting if seat == table.button)]


def can_still_be_beaten(table: Table) -> bool:
    """Return whether a different player can still turn over a card to beat the best hand."""
    if table.left < 2:
        return False
    return any(i != table.holder and table.seats[i].down for i in live_in_turn(table))


def fold(table: Table, seat_index: int) -> None:
    """Remove a player from the hand. Pending actions and due cards of the player are dropped."""
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
    table.over = True
    table.at = len(table.script.stages)
    table.stage = END
    table.waiting = []
    table.slots_due = ()
    table.owed = 0


def place(table: Table, seat: Seat, zone: str, card: int) -> None:
    """Put a card into one of a player's zones."""
    if zone == "down":
        seat.down.append(card)
    elif zone == "up":
        seat.up.append(card)
    else:
        seat.piles.setdefault(zone.removeprefix("pile "), []).append(card)


def board_rows(table: Table, *, gaps: bool = False) -> list[list[int]]:
    """Return the board as a record contains it: for each row, the dealt cards in slot order.

    With `gaps`, slots that are skipped before the last dealt card of a row are unseen cards.
    """
    rows = []
    for row in table.game.board:
        dealt = [at for at, slot in enumerate(row) if slot in table.board]
        slots = row[: dealt[-1] + 1] if gaps and dealt else [row[at] for at in dealt]
        rows.append([table.board.get(slot, UNSEEN) for slot in slots])
    return rows if any(rows) else []
