"""Full hand histories: every action from the first card to the last (docs/history.md).

`replay_many` returns the results of records with actions. `states` steps through one record.
`begin`, `act` and `choices` maintain a table while a hand is recorded.
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
