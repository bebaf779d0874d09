"""The table while a hand is replayed: seats, chips, what is waited for, what went wrong.

Plain data. What may be done with it stands in the modules beside this one; chips move in
`pay` alone, so that what was put in is always what is in the pot.
"""

from dataclasses import dataclass, field

from rules.cards import UNSEEN
from rules.game.game import Game
from rules.game.steps import Limit
from rules.history.script import TABLE, Script, Stage
from rules.history.stakes import Stakes

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


@dataclass(slots=True, eq=False)
class Seat:
    """One player. `bet` is what lies in front in this round, `paid` all of the hand."""

    name: str
    start: int | None
    stack: int
    bet: int = 0
    paid: int = 0
    dead: int = 0
    blind: int = 0  # what of the first bet moves who opens
    took: int = 0
    live: bool = True
    late: bool = False
    killed: bool = False
    bought: bool = False
    shown: bool | None = None  # False: mucked
    declared: str | None = None
    down: list[int] = field(default_factory=list)
    up: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    owed: tuple[str, ...] = ()  # zones of the cards still to come
    piles: dict[str, list[int]] = field(default_factory=dict)
    earned: int = 0  # cards that came for cards turned up
    extras: int = 0  # cards taken on top at this step, in all of its rounds
    stood: int = 0  # rounds of this step in which no card was taken
    tolls: dict[frozenset[int], int] = field(default_factory=dict)  # cards that were paid for

    @property
    def all_in(self) -> bool:
        return self.stack == 0 and self.paid > 0


@dataclass(slots=True, eq=False)
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
    pot: int = 0
    at: int = -1
    stage: Stage = START
    waiting: list[int] = field(default_factory=list)
    owed: int = 0
    slots_due: tuple[str, ...] = ()
    board: dict[str, int] = field(default_factory=dict)  # cards by slot
    rounds: int = 0  # of betting that were begun
    left: int = 0
    over: bool = False
    # the betting of this round
    limit: Limit = TABLE
    high: int = 0
    size: int = 0  # of the last full bet or raise
    whole: int = 0  # the bet of the round, where it is fixed
    full: int = 0  # the level of the last full bet
    raises: int = 0
    brought: bool = False
    anyone: bool = False  # who opens can't be told
    opened: bool = False
    acted: int = 0
    closed: set[int] = field(default_factory=set)  # seats that may not raise any more
    opener: int = -1
    raiser: int = -1
    alone: int = -1  # who was not asked, there being nobody to bet against
    wrong_opener: Irregularity | None = None  # a wrong opener that may yet stand
    # cards that are offered, pushed on and bid for
    offered: bool = False  # who is in turn has a card to keep or to push
    bids: dict[int, int] = field(default_factory=dict)
    # cards taken in rounds, hands that are swapped
    hit: bool = False  # somebody took a card in this round
    asked: int | None = None  # who was to swap a hand at last; DECK for the deck
    refused: bool = False  # and had a card that refuses it
    drawing: tuple[int, int] | None = None  # who gets a hand of the deck, how many are held
    # the turning of cards
    holder: int = -1
    to_beat: tuple[int, int] | None = None
    # the rest
    own_antes: bool = False  # antes and blinds come as actions, not from the stakes
    own_blinds: bool = False
    common_due: bool = False  # a card for all who bought is still to come
    shared: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    tiebreaks: list[dict[int, list[int]]] = field(default_factory=list)
    dealt: int = 0  # a bit for each card that has been dealt
    again: bool = False  # a card was dealt that had been dealt before
    index: int = -1
    irregularities: list[Irregularity] = field(default_factory=list)
    calls: list[str] | None = None  # what the dealer says, when somebody listens


def wrong(table: Table, code: str, text: str, *, fatal: bool = False) -> Irregularity:
    """Note what an action did against the rules."""
    irregularity = Irregularity(table.index, code, text, fatal)
    table.irregularities.append(irregularity)
    return irregularity


def pay(table: Table, seat: Seat, amount: int) -> int:
    """Chips from a stack to the pot, as many as there are. The only place where chips move."""
    paid = min(amount, seat.stack)
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
