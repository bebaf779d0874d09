"""The table after each action as an immutable state, with a description of the action."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.cards import TEXTS, UNSEEN, format_cards
from rules.history import replay, setup
from rules.history.actions import DEALER, Unreadable, read_action, read_cards
from rules.history.table import DECK, Table, board_rows
from rules.settlement import pots


@dataclass(frozen=True, slots=True)
class SeatState:
    """A player as seen by the table. `stack` is None if the chips were not counted."""

    name: str
    stack: int | None
    bet: int
    paid: int
    live: bool
    all_in: bool
    declared: str | None
    shown: bool | None  # false if mucked, None if neither shown nor mucked
    down: tuple[str, ...]
    up: tuple[str, ...]
    out: tuple[str, ...]
    piles: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PotState:
    """A pot and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The table after one action.

    `index` is the index of the action in the record, or -1 before the first action. `text`
    describes the action, and `calls` contains the dealer's calls. `actor` is the seat that has to
    act, or None for the dealer or no player. `pot` contains all chips put in, including bets in
    front of the players. `pots` excludes those bets. The sum of the stacks and `pot` is constant,
    apart from carried chips.
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
    """Yield the state before the first action and after each action.

    Yields nothing if the record can't be set up. `setup.begin(record)` then returns the errors.
    """
    table, _ = setup.begin(record)
    if table is None:
        return
    table.calls = []
    yield _state(table, "", "", 0)
    for action in record["actions"]:
        problem_count = len(table.irregularities)
        before = TableBefore(table.high, [seat.paid for seat in table.seats])
        table.calls = []
        replay.act(table, action)
        text = describe(table, action, before)
        yield _state(table, action, text, problem_count)


def _state(table: Table, action: str, text: str, problem_count: int) -> State:
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
        seats=tuple(
            SeatState(
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
            for seat in table.seats
        ),
        board=tuple(tuple(format_cards(row)) for row in board_rows(table)),
        calls=tuple(table.calls or ()),
        irregularities=tuple(
            {"code": irregularity.code, "text": irregularity.text, "stands": irregularity.stands}
            for irregularity in table.irregularities[problem_count:]
        ),
        over=table.over,
    )


Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableBefore:
    """The bet and the chips of each player before an action, needed to describe the action."""

    high: int
    paid: list[int]


def describe(table: Table, text: str, before: TableBefore) -> str:
    """Describe the effect of an action. The table must have the state after the action."""
    action = read_action(text)
    if isinstance(action, Unreadable):
        return text.strip()
    if action.seat >= len(table.seats):
        return text.strip()
    if not action.verb:
        return action.comment
    if action.seat == DEALER:
        words = action.words
        if action.verb in BOARD:
            return f"{_shown(words)} {BOARD[action.verb]}"
        if action.verb in {"dh", "dd", "du", "dt"} and words:
            number = int(words[0][1:]) if words[0][1:].isdigit() else 0
            name = table.seats[number - 1].name if 1 <= number <= len(table.seats) else words[0]
            return f"{name} is dealt {_shown(words[1:])}"
        phrases = {"burn": "a card is burnt", "shuffle": "the discards are shuffled in"}
        return phrases.get(action.verb, " ".join((action.verb, *words)))
    seat = table.seats[action.seat]
    moved = seat.paid - before.paid[action.seat]
    if action.verb == "cbr":
        description = (
            f"{'raises to' if before.high else 'bets'} {moved + max(seat.bet - moved, 0):,}"
        )
    elif action.verb == "swap":
        description = _swapped(table, action.words)
    else:
        description = PLAYER[action.verb](action.words, moved)
    return f"{seat.name} {description}{' and is all in' if moved and seat.all_in else ''}"


def _swapped(table: Table, words: Words) -> str:
    if table.asked is None:  # true if the action was not carried out
        return "asks for a swap"
    if table.asked == DECK:
        return "swaps with the deck"
    name = table.seats[table.asked].name
    if not table.refused:
        return f"swaps with {name}"
    card = _shown(words)
    return f"asks {name} to swap and is refused" + (f" by {card}" if card else "")


def _shown(words: Words) -> str:
    cards = read_cards("".join(words)) if words else ()
    if not cards:
        return ""
    if all(card == UNSEEN for card in cards):
        return "a card" if len(cards) == 1 else f"{len(cards)} cards"
    return " ".join(TEXTS[card] for card in cards)


def _cards(verb: str, nothing: str) -> Callable[[Words, int], str]:
    return lambda words, moved: f"{verb} {_shown(words)}" if _shown(words) else nothing


def _chips(verb: str) -> Callable[[Words, int], str]:
    return lambda words, moved: f"{verb} {moved:,}"


def _plain(words: str) -> Callable[[Words, int], str]:
    return lambda _words, moved: words


def _picks(words: Words, moved: int) -> str:
    cards = [_shown((word,)) for word in words if not word.isdigit()]
    return f"takes {', putting down '.join(cards)}" + (f" for {moved:,}" if moved else "")


PLAYER: dict[str, Callable[[Words, int], str]] = {
    "f": _plain("folds"),
    "cc": lambda words, moved: f"calls {moved:,}" if moved else "checks",
    "pb": _chips("brings it in for"),
    "ante": _chips("antes"),
    "blind": _chips("posts a blind of"),
    "straddle": _chips("straddles for"),
    "post": _chips("posts"),
    "dead": _chips("posts dead chips,"),
    "mid": _chips("puts in a mid of"),
    "penalty": _chips("pays a penalty of"),
    "put": _chips("puts in"),
    "take": lambda words, moved: f"takes {' '.join(words)}",
    "sd": _cards("throws away", "stands pat"),
    "buy": lambda words, moved: f"buys a card for {moved:,}" if moved else "takes a card",
    "pick": _picks,
    "keep": _plain("keeps the card"),
    "push": lambda words, moved: "pushes the card on" + (f" for {moved:,}" if moved else ""),
    "bid": lambda words, moved: f"bids {' '.join(words)}" if words != ("0",) else "bids nothing",
    "pass": _cards("passes", "passes nothing"),
    "tu": _cards("turns over", "turns nothing over"),
    "set": lambda words, moved: f"lays {_shown(words[1:])} into {words[0] if words else ''}",
    "in": _plain("stays in"),
    "out": _plain("drops out"),
    "declare": lambda words, moved: f"declares {' '.join(words)}",
    "sm": _cards("shows", "mucks"),
}
BOARD = {"db": "to the board", "tb": "turned over on the board", "dc": "for all who bought"}
