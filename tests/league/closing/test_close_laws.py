"""After any actions over several nights, the ledger is correct and closed nights are settled."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.closing.chip_count import tally
from league.closing.close import Decisions, close_night
from league.closing.payment_plans import settle_season, unplanned
from league.closing.payments import confirm, promise, withdraw
from league.integrity.audit import audit
from league.models import (
    Closing,
    ClosingLine,
    Night,
    Payment,
    PlannedPayment,
)
from league.nights.carried_pots import read_pots, shares
from ledger.balances import balances
from tests.helpers.laws.examples import examples
from tests.helpers.league.books import total
from tests.helpers.league.night_acts import Act, Table, a_table, acts, options, play

pytestmark = pytest.mark.django_db


def end(table: Table) -> None:
    """Close all nights, plan all debts, and pay and confirm everything."""
    for night in Night.objects.filter(season__league=table.league).order_by("started_at"):
        everybody = [line.player for line in tally(night).lines]
        close_night(
            night, uuid4(), by=None, decisions=Decisions(by_hands=True, shared_by=everybody)
        )
    settle_season(table.league.seasons.get(), uuid4(), by=None)
    rows = PlannedPayment.objects.filter(plan__season__league=table.league)
    for planned in rows.order_by("-payee__is_box"):  # cash goes into the box before it comes out
        for payment in planned.paid.filter(state=Payment.State.PROMISED):
            withdraw(payment, by=None)
        if chips := planned.open_chips():
            confirm(promise(planned, uuid4(), chips, by=None), by=None)


def staying_pots(table: Table) -> dict[str, int]:
    """Return the chips on tabs that belong to pots carried to a later night."""
    lying = balances(table.league.book, kind="carry", nonzero=True)
    standing = Closing.objects.filter(league=table.league, posting__reversal=None)
    left = [pot for each in standing if f"carry:{each.night_id}" in lying for pot in each.kept]
    assert sum(pot["amount"] for pot in left) == sum(lying.values())
    return {f"tab:{who}": -chips for who, chips in shares(read_pots(left)).items() if chips}


@settings(max_examples=examples(30))
@given(st.lists(acts, max_size=22), options)
def test_any_sequence_of_actions_leaves_correct_books(
    sequence: list[Act], chosen: dict[str, Any]
) -> None:
    table = a_table(**chosen)
    play(table, sequence)
    assert audit(table.league) == []
    end(table)
    book = table.league.book
    assert audit(table.league) == []
    assert total(book) == 0
    for kind in ("stack", "pot", "drift"):
        assert not any(balances(book, kind=kind).values())
    assert unplanned(table.league.seasons.get(), table.league) == {}
    assert balances(book, kind="tab", nonzero=True) == staying_pots(table)


@settings(max_examples=examples(20))
@given(st.lists(acts, max_size=16))
def test_nets_of_a_closed_night_add_up_to_its_carried_pots(
    sequence: list[Act],
) -> None:
    table = a_table(leftover="stays")
    play(table, sequence)
    for closing in Closing.objects.filter(league=table.league):
        lines = list(ClosingLine.objects.filter(closing=closing))
        assert sum(line.settles for line in lines) == 0
        opened = sum(pot["amount"] for pot in closing.night.opening_pots)
        stays = sum(pot["amount"] for pot in closing.kept)
        if not closing.night.opening_pots and closing.number == 1:
            assert sum(line.net for line in lines) == opened - stays
