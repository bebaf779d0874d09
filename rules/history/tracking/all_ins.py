"""What players could expect of a pot when all betting had ended before the last card.

The board is dealt on in every way that is left, the rules settle each, and the mean is what
trackers call the all-in adjusted result (docs/decisions/0056-stories.md). Nothing is drawn by
chance: an end that has too many ways is not reckoned.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, perm
from typing import Any

from rules.cards import UNSEEN, format_cards
from rules.game.game import Game
from rules.history import replay, setup
from rules.history.actions import DEALER, Action, read_action
from rules.history.results import record_at_end
from rules.history.table import Table
from rules.history.tracking.betting_counts import BETTING

MOST_BOARDS = 2_000  # the two cards after a flop are 990 boards, in whatever order at most 1,980
# What may come after the last bet: cards of the board, and what changes no hand.
BY_CHANCE = frozenset(("", "db", "burn", "shuffle", "sm"))

Settle = Callable[[Iterable[Mapping[str, Any]]], Sequence[Mapping[str, Any]]]
Rows = list[list[str | None]]  # a board, with None for each card that was still to come


@dataclass(frozen=True, slots=True)
class AllIn:
    """An end without choices: by name what each player could expect, in thousandths of a chip.

    Nothing is expected where the board could be dealt on in too many ways.
    """

    expected: Mapping[str, int] | None


def all_in(record: Mapping[str, Any], settle: Settle) -> AllIn | None:
    """Reckon a hand whose betting ended before its last card, its players' cards being known.

    None of a hand that did not, or whose players still had something to choose.
    """
    table, _ = setup.begin(record) if "actions" in record else (None, [])
    if table is None:
        return None
    board = _board_at_last_bet(table, record["actions"])
    end = record_at_end(table, record)[0]
    if board is None or end is None or not _are_known(table):
        return None
    rows = _rows(table, board)
    missing = sum(card is None for row in rows for card in row)
    if not missing:
        return None
    deck = _unseen(table, board)
    if not missing <= len(deck) or _count(table.game, rows, len(deck)) > MOST_BOARDS:
        return AllIn(None)
    return _mean(end, _boards(table.game, rows, deck), settle)


def _board_at_last_bet(table: Table, actions: Sequence[str]) -> dict[str, int] | None:
    """Play the actions; the board at the last bet if chance alone went on from there."""
    board: dict[str, int] | None = None
    for text in actions:
        action = read_action(text)
        replay.act(table, text)
        if not isinstance(action, Action):
            return None
        if action.verb in BETTING and action.seat != DEALER:
            left = [seat for seat in table.seats if seat.live]
            ended = len(left) > 1 and sum(seat.stack > 0 for seat in left) < 2
            board = dict(table.board) if ended else None
        elif action.verb not in BY_CHANCE:
            board = None
    return board


def _are_known(table: Table) -> bool:
    """Tell whether everybody who was in to the end has cards that are known, and shows them."""
    left = [seat for seat in table.seats if seat.live]
    seen = all(UNSEEN not in (*seat.down, *seat.up) and seat.shown is not False for seat in left)
    return len(left) > 1 and seen and not table.tiebreaks


def _rows(table: Table, board: Mapping[str, int]) -> Rows:
    def card(slot: str) -> str | None:
        return format_cards([board[slot]])[0] if slot in board else None

    return [[card(slot) for slot in row if slot in table.board] for row in table.game.board]


def _unseen(table: Table, board: Mapping[str, int]) -> list[str]:
    """Return the cards that nobody is known to have held: what is known can't come any more."""
    held = set(board.values())
    for seat in table.seats:
        held.update(seat.down, seat.up, seat.out, *seat.piles.values())
    held.update(card for card, _ in table.shared)
    return format_cards(sorted(table.game.deck - held))


def _in_any_order(game: Game, rows: Rows) -> bool:
    """Tell whether a row is what it is in whichever order its cards came."""
    plain = len(rows) == 1 and game.lines == game.board
    return plain and not (game.wild or game.bug or game.kill)


def _count(game: Game, rows: Rows, deck: int) -> int:
    missing = sum(card is None for row in rows for card in row)
    return (comb if _in_any_order(game, rows) else perm)(deck, missing)


def _boards(game: Game, rows: Rows, deck: Sequence[str]) -> Iterator[list[list[str]]]:
    missing = sum(card is None for row in rows for card in row)
    ways = combinations if _in_any_order(game, rows) else permutations
    for cards in ways(deck, missing):
        coming = iter(cards)
        yield [[card or next(coming) for card in row] for row in rows]


def _mean(
    end: Mapping[str, Any], boards: Iterator[list[list[str]]], settle: Settle
) -> AllIn | None:
    kept = {key: value for key, value in end.items() if key != "took"}
    answers = settle(kept | {"board": board} for board in boards)
    if any("errors" in each for each in answers):
        return None
    names = [player["name"] for player in end["players"]]
    sums = {name: sum(each["won"][name] for each in answers) for name in names}
    return AllIn({name: _thousandths(sums[name], len(answers)) for name in names})


def _thousandths(whole: int, parts: int) -> int:
    """Return the mean in thousandths, to the nearest, without a fraction on the way."""
    return (2000 * whole + parts) // (2 * parts)
