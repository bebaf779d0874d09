"""All kinds of requests with their frequencies."""

from tests.simulation.hands import Hands
from tests.simulation.house import House
from tests.simulation.money import Money
from tests.simulation.plans import Plans

MAKES = {
    "record": 30,
    "record_several": 6,
    "buy_in": 10,
    "cash_out": 4,
    "undo_exchange": 3,
    "revise": 10,
    "void": 4,
    "undo": 4,
    "object_to": 4,
    "answer_objection": 4,
    "count": 6,
    "close": 7,
    "reopen": 4,
    "charge": 5,
    "undo_charge": 3,
    "settle_payment": 6,
    "bring_in": 2,
    "plan": 2,
    "answer": 14,
    "hold_tournament": 1,
    "enter": 3,
    "go_out": 2,
    "end_tournament": 2,
    "give_notice": 4,
    "leave": 4,
    "sit_down": 5,
    "change_settings": 2,
    "write_rule": 2,
    "open_night": 3,
    "start_night": 2,
    "cancel_night": 3,
}
WITHOUT_A_NIGHT = {"plan", "answer", "bring_in", "change_settings", "write_rule", "start_night"}


class Everything(Hands, Money, Plans, House):
    """Creates all kinds of requests."""
