"""Count the bets of each player in a hand as trackers do (docs/decisions/0054-trackers.md).

In all games the first betting round counts as preflop and all later rounds as postflop.
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
    """The betting statistics of one player in a hand with known betting.

    In the first round a player `entered` by putting in chips voluntarily, `raised` by a bet or
    raise, and `three_bet` by a second raise. Each of the three is None if the player had no such
    choice. `saw_second` is true if the player was still in after the first round. `stayed` is true
    if the player was in at the end with opponents. `bets` (including raises) and `calls` are
    counted in later rounds.
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
    """Replay a record once. Return the final record, and the betting counts, keyed by player.

    The record is None if the actions do not complete the hand. The counts are None if no player
    bet, called or folded.
    """
    table, _ = setup.begin(record) if "actions" in record else (None, [])
    if table is None:
        return None, None
    counts = _counts_of(table, record["actions"])
    return record_at_end(table, record)[0], counts


def _counts_of(table: Table, actions: Iterable[str]) -> list[BettingCounts] | None:
    """Play the actions and count the bets of each player."""
    counts = [BettingCounts() for _ in table.seats]
    # late: the player acted after the first round
    level, acted, late = 0, False, [False] * len(counts)
    for text in actions:
        action = read_action(text)
        if not isinstance(action, Action) or not (
            action.verb in BETTING and DEALER < action.seat < len(counts)
        ):
            replay.act(table, text)
            continue
        before = _TableBefore(table)
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
            if level == 2:  # there has been exactly one raise up to now
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


class _TableBefore:
    """The state of the table before an action."""

    def __init__(self, table: Table) -> None:
        betting = table.stage.kind == "bet"
        self.round = table.rounds if betting else table.rounds + 1
        self.paid = [seat.paid for seat in table.seats]
        self.bets = [seat.bet for seat in table.seats]
        self.high = max(table.high, *self.bets) if betting else max(self.bets)
        self.blinds = self.round < 2 and any(seat.blind for seat in table.seats)
        self.blinds |= self.round < 2 and bool(table.stakes.blinds) and not table.own_blinds

    def compared(self, table: Table, at: int) -> tuple[bool, bool]:
        """Return whether the player put in chips, and whether they raised the bet."""
        moved = table.seats[at].paid - self.paid[at]
        return moved > 0, self.bets[at] + moved > self.high
