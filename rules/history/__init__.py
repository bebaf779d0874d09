"""Full hand histories: every action from the first card to the last (docs/history.md).

`replay_many` says what came of records with actions, `states` steps through one, `begin`, `act`
and `choices` keep a table while a hand is recorded.
"""

from rules.history.legal_actions import Choice, choices
from rules.history.replay import act, final_record, replay_many, replay_record
from rules.history.setup import begin
from rules.history.states import PotState, SeatState, State, states
from rules.history.table import Table

__all__ = [
    "Choice",
    "PotState",
    "SeatState",
    "State",
    "Table",
    "act",
    "begin",
    "choices",
    "final_record",
    "replay_many",
    "replay_record",
    "states",
]
