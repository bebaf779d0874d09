"""The export of a person's data."""

from uuid import uuid4

import pytest

from league.charges.charging import NewCharge, Share, charge
from league.charges.charging import undo as undo_charge
from league.closing.close import reopen_night
from league.models import Charge
from league.nights.buy_ins import buy_in, undo
from league.privacy.data_export import of_player
from tests.helpers.league.leagues import player
from tests.helpers.league.nights import a_table, closed, dealt

pytestmark = pytest.mark.django_db


def test_export_marks_what_was_undone() -> None:
    night = a_table()
    ann, bob = player(night, "ann"), player(night, "bob")
    undo(buy_in(night, ann, 50, buy_in_id=uuid4(), by=None), by=None)
    shares = {ann: Share(owes=5), bob: Share(gets=5)}
    cost = NewCharge(kind=Charge.Kind.COST, title="pizza", shares=shares)
    pizza = charge(night, cost, charge_id=uuid4(), by=None)
    undo_charge(pizza, by=None)
    dealt(night)
    closed(night)
    reopen_night(night, by=None)
    data = of_player(ann)
    assert [(each["chips"], each["undone"]) for each in data["bought"]] == [
        (100, False),
        (50, True),
    ]
    assert [each["undone"] for each in data["charged"]] == [True]
    assert [each["undone"] for each in data["closed"]] == [True]
    assert [each["undone"] for each in data["hands"]] == [False]
