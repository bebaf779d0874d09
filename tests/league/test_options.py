"""League settings. The chip value cannot change between buy-in and payment."""

from dataclasses import replace
from uuid import uuid4

import pytest

from league.closing.close import Decisions, close_night
from league.closing.payment_plans import settle_season
from league.closing.payments import receive
from league.closing.standings import standings
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import League, Night, PaymentPlan
from league.nights import accounts
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.options import change, choose, options_of
from league.recording.corrections import void_hand
from ledger.models import NewTransfer
from ledger.posting import post
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.nights import a_table, again, closed, dealt

pytestmark = pytest.mark.django_db


def with_chips(league: League, value: int, currency: str = "USD") -> League:
    return choose(league, replace(options_of(league), chip_value=value, currency=currency))


def refused(league: League) -> list[str]:
    with pytest.raises(RefusedError) as caught:
        with_chips(league, 50)
    return [f"{each['where']} {each['code']}" for each in caught.value.errors]


def paid(plan: PaymentPlan) -> None:
    for each in plan.payments.all():
        receive(each, uuid4(), each.chips, by=None)


def a_paid_night(**options: str) -> Night:
    """A settled and paid night in which ann won 10 from bob."""
    night = a_table(**options)
    dealt(night)
    closing = close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    running = options.get("settles") == "season"
    paid(settle_season(night.season, uuid4(), by=None) if running else closing.plan)
    return again(night)


def test_change_keeps_what_another_host_changed_meanwhile() -> None:
    league = a_night().league
    stale = League.objects.get(pk=league.pk)
    change(league, {"leave_notice": 30})
    changed = change(stale, {"stand_up": 5})
    assert (changed.leave_notice, changed.stand_up) == (30, 5)


def test_chip_value_cannot_change_while_a_night_is_open() -> None:
    assert refused(a_night().league) == ["chip_value night-open", "chip_value owed"]


def test_chip_value_cannot_change_until_everything_is_paid() -> None:
    night = a_table()
    dealt(night)
    closing = closed(night)
    assert refused(night.league) == ["chip_value owed"]
    paid(closing.plan)
    assert with_chips(night.league, 50).chip_value == 50


def test_tabs_that_happen_to_cancel_out_are_still_owed() -> None:
    night = a_table()
    dealt(night)
    closed(night)
    ann, bob = (accounts.tab(player(night, name).pk) for name in ("ann", "bob"))
    post(night.league.book, "by hand", [NewTransfer(ann, bob, 10)])
    assert refused(night.league) == ["chip_value owed"]


def test_payment_plan_uses_the_chip_value_of_its_night() -> None:
    """The standings add up money, since chips from different nights may differ in value."""
    night = a_paid_night()
    league = with_chips(night.league, 50, "EUR")
    later = open_night(league, players=[player(night, name) for name in ("ann", "bob")])
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 100, buy_in_id=uuid4(), by=None)
    dealt(later)
    closed(later)
    first, last = PaymentPlan.objects.order_by("made_at")
    assert (first.chip_value, first.currency) == (1, "USD")
    assert (last.chip_value, last.currency) == (50, "EUR")
    assert standings(night.season)[0].worth == "5.00 EUR, 0.10 USD"


def test_correction_with_a_different_chip_value_is_planned_separately() -> None:
    """In a running tab, the correction would be added to chips that are worth more."""
    night = a_paid_night(settles="season")
    league = with_chips(night.league, 50)
    later = open_night(league, players=[player(night, name) for name in ("ann", "bob")])
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 100, buy_in_id=uuid4(), by=None)
    dealt(later)
    closed(later)
    void_hand(night.hands.get(), by=None)
    plan = PaymentPlan.objects.get(closing__night=night)
    assert plan.chip_value == 1
    assert [str(each) for each in plan.payments.all()] == ["ann pays bob 10"]
    assert audit() == []
