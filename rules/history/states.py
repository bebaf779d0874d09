"""The table after every action, frozen: what the replayer shows and the dealer would say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.cards import format_cards
from rules.history import replay, setup
from rules.history.action_text import Before, tell
from rules.history.table import Seat, Table, board_rows
from rules.settlement import pots


@dataclass(frozen=True, slots=True)
class SeatState:
    """One player as the table sees him. `stack` is None where nobody counted it."""

    name: str
    stack: int | None
    bet: int
    paid: int
    live: bool
    all_in: bool
    declared: str | None
    shown: bool | None  # False: mucked
    down: tuple[str, ...]
    up: tuple[str, ...]
    out: tuple[str, ...]
    piles: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PotState:
    """A pot as it stands, and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The table after one action.

    `index` is the action's place in the record (-1: before the first), `text` what happened in
    words, `calls` what the dealer says, `actor` whose turn it is (None: the dealer's, or nobody's),
    `pot` all chips that were put in, bets in front of the players included, `pots` without those.
    `stacks + pot` is the same in every state, carried chips apart.
    """

    index: int
    action: str
    text: str
    stage: str
    round: int
    actor: int | None
    waiting: tuple[int, ...]
    pot: int
    pots: tuple[PotState, ...]
    seats: tuple[SeatState, ...]
    board: tuple[tuple[str, ...], ...]
    calls: tuple[str, ...]
    irregularities: tuple[Mapping[str, Any], ...]
    over: bool


def states(record: Mapping[str, Any]) -> Iterator[State]:
    """The state before the first action and after every one; none when there is no table.

    `setup.begin(record)` says why.
    """
    table, _ = setup.begin(record)
    if table is None:
        return
    table.calls = []
    yield _state(table, "", "", 0)
    for action in record["actions"]:
        known, before = len(table.irregularities), Before(table.high, [s.paid for s in table.seats])
        table.calls = []
        replay.act(table, action)
        text = tell(table, action, before)
        yield _state(table, action, text, known)


def _state(table: Table, action: str, text: str, known: int) -> State:
    waiting = tuple(table.waiting)
    in_turn = waiting[0] if waiting and not table.owed else None
    stakes = [seat.paid - seat.dead - seat.bet for seat in table.seats]
    live = [at for at, seat in enumerate(table.seats) if seat.live]
    extra = table.pot - sum(seat.paid for seat in table.seats) + sum(s.dead for s in table.seats)
    return State(
        index=table.index,
        action=action,
        text=text,
        stage=table.stage.text,
        round=table.stage.round,
        actor=in_turn,
        waiting=waiting,
        pot=table.pot,
        pots=tuple(PotState(pot.amount, pot.seats) for pot in pots.split(stakes, live, extra)),
        seats=tuple(_seat(seat) for seat in table.seats),
        board=tuple(tuple(format_cards(row)) for row in board_rows(table)),
        calls=tuple(table.calls or ()),
        irregularities=tuple(
            {"code": irregularity.code, "text": irregularity.text, "stands": irregularity.stands}
            for irregularity in table.irregularities[known:]
        ),
        over=table.over,
    )


def _seat(seat: Seat) -> SeatState:
    return SeatState(
        name=seat.name,
        stack=None if seat.start is None else seat.stack,
        bet=seat.bet,
        paid=seat.paid,
        live=seat.live,
        all_in=seat.all_in,
        declared=seat.declared,
        shown=seat.shown,
        down=tuple(format_cards(seat.down)),
        up=tuple(format_cards(seat.up)),
        out=tuple(format_cards(seat.out)),
        piles={pile: tuple(format_cards(cards)) for pile, cards in seat.piles.items()},
    )
