"""How each player bet in a hand, counted as trackers do (docs/decisions/0054-trackers.md).

The first round of betting counts as preflop, all later ones as postflop, in games of any kind.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.history import replay, setup
from rules.history.actions import DEALER, Action, read_action
from rules.history.replay import record_at_end
from rules.history.table import Table

BETTING = frozenset(("f", "cc", "cbr"))


@dataclass(slots=True)
class BettingCounts:
    """One player's part in a hand whose betting is known.

    In the first round: `entered` put chips in of free will, `raised` bet or raised, `three_bet`
    raised who had raised; None where there was no choice, or nobody had raised. `saw_second`: in
    when the first round was over; `stayed`: in at the end beside others. `bets` and `calls` are
    those of later rounds, raises among the bets.
    """

    entered: bool | None = None
    raised: bool | None = None
    three_bet: bool | None = None
    saw_second: bool = False
    stayed: bool = False
    bets: int = 0
    calls: int = 0


def final_record_and_betting(
    record: Mapping[str, Any],
) -> tuple[dict[str, Any] | None, list[BettingCounts] | None]:
    """The end that a record's actions came to, and the counts by player, of one replay.

    None for an end that they do not come to, and for counts where nobody bet, called or folded.
    """
    table, _ = setup.begin(record) if "actions" in record else (None, [])
    if table is None:
        return None, None
    counts = _counts_of(table, record["actions"])
    return record_at_end(table, record)[0], counts


def _counts_of(table: Table, actions: Iterable[str]) -> list[BettingCounts] | None:
    """Play the actions, and count."""
    counts = [BettingCounts() for _ in table.seats]
    level, acted, late = 0, False, [False] * len(counts)  # late: folded behind the first round
    for text in actions:
        action = read_action(text)
        if not isinstance(action, Action) or not (
            action.verb in BETTING and DEALER < action.seat < len(counts)
        ):
            replay.act(table, text)
            continue
        before = _Before(table)
        replay.act(table, text)
        acted = True
        first = before.round < 2
        late[action.seat] |= not first
        level = max(level, 1 if first and before.blinds else 0)
        put, higher = before.compared(table, action.seat)
        if first:
            count = counts[action.seat]
            count.entered = bool(count.entered) or put
            count.raised = bool(count.raised) or higher
            if level == 2:  # somebody has raised, and nobody again
                count.three_bet = bool(count.three_bet) or higher
            level += higher
        else:
            counts[action.seat].bets += higher
            counts[action.seat].calls += put and not higher
    if not acted:
        return None
    left = sum(seat.live for seat in table.seats)
    went_on = any(late) or left > 1
    for seat, count, was_late in zip(table.seats, counts, late, strict=True):
        count.saw_second = was_late or (seat.live and went_on)
        count.stayed = seat.live and left > 1
    return counts


class _Before:
    """What an action is told against."""

    def __init__(self, table: Table) -> None:
        betting = table.stage.kind == "bet"
        self.round = table.rounds if betting else table.rounds + 1
        self.paid = [seat.paid for seat in table.seats]
        self.bets = [seat.bet for seat in table.seats]
        self.high = max(table.high, *self.bets) if betting else max(self.bets)
        self.blinds = self.round < 2 and any(seat.blind for seat in table.seats)
        self.blinds |= self.round < 2 and bool(table.stakes.blinds) and not table.own_blinds

    def compared(self, table: Table, at: int) -> tuple[bool, bool]:
        """Whether chips were put in, and whether that made the bet higher."""
        moved = table.seats[at].paid - self.paid[at]
        return moved > 0, self.bets[at] + moved > self.high
