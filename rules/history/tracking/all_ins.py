"""What players could expect of a pot when all betting had ended before the last card.

The board is dealt on in every way that is left, the rules settle each, and the mean is what
trackers call the all-in adjusted result (docs/decisions/0056-stories.md). Where the strengths of
hands decide, one board is settled for all on which the players stand alike, so that there may be
millions. Nothing is drawn by chance: an end that has too many ways is not reckoned.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.cards import UNSEEN, format_cards
from rules.game.hand import Hand
from rules.game.workload import MOST_BOARDS, MOST_LOOKED_AT, MOST_WAYS_TO_STAND
from rules.history import ending, replay, setup
from rules.history.actions import DEALER, Action, read_action
from rules.history.results import record_at_end
from rules.history.table import Table
from rules.history.tracking.betting_counts import BETTING
from rules.history.tracking.boards import Boards, alike
from rules.history.tracking.standings import standings, strengths_decide, work

# What may come after the last bet: cards of the board, and what changes no hand.
BY_CHANCE = frozenset(("", "db", "burn", "shuffle", "sm"))

Settle = Callable[[Iterable[Mapping[str, Any]]], Sequence[Mapping[str, Any]]]
Counted = Sequence[tuple[Sequence[int], int]]  # boards, each with how many it stands for


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
    boards = _boards(table, board)
    if not boards.missing:
        return None
    hand, _ = ending.final_hand(table, record)
    if hand is None:
        return None
    counted = _counted(hand, boards)
    return AllIn(None) if counted is None else _mean(end, counted, settle)


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


def _boards(table: Table, board: Mapping[str, int]) -> Boards:
    """Every board that could come; of what lies there at the end only this was known."""
    slots = [slot for row in table.game.board for slot in row if slot in table.board]
    missing = alike(table.game, [slot for slot in slots if slot not in board])
    held = set(board.values())
    for seat in table.seats:
        held.update(seat.down, seat.up, seat.out, *seat.piles.values())
    held.update(card for card, _ in table.shared)
    return Boards(
        [board.get(slot) for slot in slots],
        [[slots.index(slot) for slot in some] for some in missing],
        sorted(table.game.deck - held),
    )


def _counted(hand: Hand, boards: Boards) -> Counted | None:
    """Boards that stand for all that can come; None where that is too much work."""
    whole = len(boards.known) == sum(hand.game.row_lengths)
    if whole and strengths_decide(hand.game):
        too_much = not boards.count or work(hand, boards) > MOST_LOOKED_AT
        return None if too_much else standings(hand, boards, most=MOST_WAYS_TO_STAND)
    if not 0 < boards.count <= MOST_BOARDS:
        return None
    return [(board, 1) for some in boards.parts(MOST_BOARDS) for board in some.T.tolist()]


def _mean(end: Mapping[str, Any], counted: Counted, settle: Settle) -> AllIn | None:
    kept = {key: value for key, value in end.items() if key != "took"}
    lengths = [*map(len, end["board"])]
    sums = dict.fromkeys([player["name"] for player in end["players"]], 0)
    for first in range(0, len(counted), MOST_BOARDS):  # so that few answers are held at once
        some = counted[first : first + MOST_BOARDS]
        answers = settle(kept | {"board": _in_rows(board, lengths)} for board, _ in some)
        if any("errors" in each for each in answers):
            return None
        for answer, (_, count) in zip(answers, some, strict=True):
            for name in sums:
                sums[name] += count * answer["won"][name]
    whole = sum(count for _, count in counted)
    return AllIn({name: _thousandths(won, whole) for name, won in sums.items()})


def _in_rows(board: Sequence[int], lengths: Iterable[int]) -> list[list[str]]:
    cards = iter(format_cards(board))
    return [[next(cards) for _ in range(length)] for length in lengths]


def _thousandths(whole: int, parts: int) -> int:
    """Return the mean in thousandths, to the nearest, without a fraction on the way."""
    return (2000 * whole + parts) // (2 * parts)
