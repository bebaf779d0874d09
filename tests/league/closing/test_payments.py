"""Payments are promised, confirmed or disputed. Confirming a payment moves the chips."""

from uuid import uuid4

import pytest

from league.closing.close import Decisions, close_night
from league.closing.notifications import payments_of, sentence
from league.closing.payment_plans import settle_season, unplanned
from league.closing.payments import (
    LIVE,
    confirm,
    dispute,
    promise,
    receive,
    unpaid,
    withdraw,
)
from league.closing.standings import standings
from league.common.errors import IdReusedError, RefusedError
from league.models import Payment, PlannedPayment
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.corrections import void_hand
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.nights import a_table, again, closed, dealt, tabs

pytestmark = pytest.mark.django_db


def a_debt() -> PlannedPayment:
    """Close a night and return the planned payment of 10 from bob to ann."""
    night = a_night()
    dealt(night)
    return closed(night).plan.payments.get()


def book_tabs(debt: PlannedPayment) -> dict[str, int]:
    return tabs(debt.plan.season.league)


def test_chips_move_between_tabs_when_the_payee_confirms() -> None:
    debt, bob = a_debt(), a_user("bob")
    payment = promise(debt, uuid4(), 10, by=bob)
    assert book_tabs(debt) == {"ann": 10, "bob": -10}
    confirm(payment, by=None)
    assert book_tabs(debt) == {}
    steps = payment.steps.order_by("number").values_list("state", "made_by")
    assert list(steps) == [("promised", bob.pk), ("confirmed", None)]


def test_payment_confirmed_twice_moves_the_chips_once() -> None:
    debt = a_debt()
    payment = promise(debt, uuid4(), 10, by=None)
    confirm(payment, by=None)
    confirm(payment, by=None)
    assert book_tabs(debt) == {}
    assert payment.steps.count() == 2


def test_repeated_promise_is_stored_once() -> None:
    debt, key = a_debt(), uuid4()
    assert promise(debt, key, 10, by=None) == promise(debt, key, 10, by=None)
    with pytest.raises(IdReusedError):
        promise(debt, key, 9, by=None)


def test_partial_payment_keeps_the_rest_planned() -> None:
    debt = a_debt()
    receive(debt, uuid4(), 4, by=None)
    assert book_tabs(debt) == {"ann": 6, "bob": -6}
    assert debt.open_chips() == 6
    assert [each.pk for each in unpaid()] == [debt.pk]
    receive(debt, uuid4(), 6, by=None)
    assert not unpaid()


def test_promise_above_the_open_amount_is_refused() -> None:
    debt = a_debt()
    promise(debt, uuid4(), 7, by=None)
    with pytest.raises(RefusedError, match=r"only 3 chips \(0.03 USD\) of this payment"):
        promise(debt, uuid4(), 4, by=None)


def test_missing_payment_is_disputed_and_can_be_promised_again() -> None:
    debt = a_debt()
    payment = promise(debt, uuid4(), 10, by=None)
    assert dispute(payment, by=None, note="nothing came").state == Payment.State.DISPUTED
    second = promise(debt, uuid4(), 10, by=None)
    confirm(second, by=None)
    with pytest.raises(RefusedError, match="only 0"):
        confirm(payment, by=None)
    assert book_tabs(debt) == {}


def test_disputed_payment_that_arrives_is_confirmed() -> None:
    debt = a_debt()
    payment = dispute(promise(debt, uuid4(), 10, by=None), by=None)
    confirm(payment, by=None)
    assert book_tabs(debt) == {}


def test_confirmed_payment_is_undone_instead_of_disputed() -> None:
    debt = a_debt()
    payment = receive(debt, uuid4(), 10, by=None)
    with pytest.raises(RefusedError, match="received"):
        dispute(payment, by=None)
    withdraw(payment, by=None, note="wrong bob")
    withdraw(payment, by=None)
    assert book_tabs(debt) == {"ann": 10, "bob": -10}
    with pytest.raises(RefusedError, match="undone"):
        confirm(payment, by=None)
    assert promise(debt, uuid4(), 10, by=None).state == Payment.State.PROMISED


def test_undone_receipt_keeps_the_promise_of_the_payer() -> None:
    debt, bob, ann = a_debt(), a_user("bob"), a_user("ann")
    promised = promise(debt, uuid4(), 10, by=bob, note="in cash")
    withdraw(confirm(promised, by=ann), by=ann)
    assert book_tabs(debt) == {"ann": 10, "bob": -10}
    [again] = Payment.objects.exclude(pk=promised.pk)
    assert (again.state, again.chips) == (Payment.State.PROMISED, 10)
    [step], first = again.steps.all(), promised.steps.get(number=1)
    assert (step.made_by, step.note, step.made_at) == (bob, "in cash", first.made_at)
    assert debt.open_chips(*LIVE) == 0
    confirm(again, by=ann)
    assert book_tabs(debt) == {}


def test_undone_receipt_of_a_disputed_payment_leaves_it_disputed() -> None:
    debt, bob, ann = a_debt(), a_user("bob"), a_user("ann")
    disputed = dispute(promise(debt, uuid4(), 10, by=bob), by=ann, note="nothing came")
    withdraw(confirm(disputed, by=ann), by=ann)
    [again] = Payment.objects.exclude(pk=disputed.pk)
    assert list(again.steps.order_by("number").values_list("state", "note")) == [
        ("promised", ""),
        ("disputed", "nothing came"),
    ]


def test_undone_receipt_without_a_promise_leaves_the_payment_unpaid() -> None:
    debt, ann = a_debt(), a_user("ann")
    for by in (ann, None):
        withdraw(receive(debt, uuid4(), 10, by=by), by=by)
    assert debt.open_chips(*LIVE) == 10


def test_payment_that_was_received_in_the_meantime_is_not_withdrawn() -> None:
    """The payer may withdraw a promise, but not a payment that the payee has confirmed."""
    promised = promise(a_debt(), uuid4(), 10, by=None)
    confirmed = confirm(Payment.objects.get(pk=promised.pk), by=None)
    with pytest.raises(RefusedError, match="already marked as received"):
        withdraw(promised, by=None)
    assert withdraw(confirmed, by=None).state == Payment.State.WITHDRAWN


@pytest.mark.parametrize("chips", [0, -3, 11, 2.5, True])
def test_zero_or_excessive_payment_is_refused(chips: int) -> None:
    with pytest.raises(RefusedError):
        promise(a_debt(), uuid4(), chips, by=None)


def test_paid_amount_stays_paid_after_a_correction() -> None:
    debt = a_debt()
    receive(debt, uuid4(), 10, by=None)
    night = again(debt.plan.closing.night)  # type: ignore[union-attr]
    assert tabs(night.league) == {}
    hand = night.hands.get()
    void_hand(hand, by=None)
    # The chips were counted, so nothing changes; see test_close.
    assert tabs(night.league) == {}


# A running tab


def test_running_tab_is_planned_when_the_season_is_settled() -> None:
    night = a_table(settles="season")
    dealt(night)
    assert not hasattr(closed(night), "plan")
    later = open_night(night.league, players=[player(night, name) for name in ("ann", "bob")])
    with pytest.raises(RefusedError, match="Night 2 is not closed"):
        settle_season(night.season, uuid4(), by=None)
    closed(later)
    key = uuid4()
    plan = settle_season(night.season, key, by=None, end=True)
    assert settle_season(night.season, key, by=None, end=True) == plan
    assert [str(each) for each in plan.payments.all()] == ["bob pays ann 10"]
    assert unplanned(night.season, night) == {}
    assert settle_season(night.season, uuid4(), by=None).payments.count() == 0


def test_correction_made_after_settling_the_season_is_planned_immediately() -> None:
    night = a_table(settles="season")
    hand = dealt(night)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    plan = settle_season(night.season, uuid4(), by=None, end=True)
    receive(plan.payments.get(), uuid4(), 6, by=None)
    void_hand(hand, by=None)
    assert [str(each) for each in unpaid()] == ["ann pays bob 6"]


def test_standings_are_sorted_by_net_and_include_nights_and_tabs() -> None:
    night = a_table(settles="season")
    dealt(night)
    closed(night)
    later = open_night(night.league, players=[player(night, name) for name in ("ann", "bob")])
    dealt(later)
    closed(later, ann=12, bob=-0, bears="bob")
    table = [(line.place, line.name, line.net, line.tab) for line in standings(night.season)]
    assert table == [(1, "ann", 22, 22), (2, "cat", 0, 0), (2, "dan", 0, 0), (4, "bob", -22, -22)]
    assert [line.nights for line in standings(night.season)] == [1, 1, 1, 1]


def test_reason_of_a_payment_includes_cash_kept_for_a_player() -> None:
    """Ann keeps bob's 50 in cash and wins 10 from him, so she owes him 40."""
    night = a_night()
    bob = player(night, "bob")
    buy_in(night, bob, 50, buy_in_id=uuid4(), by=None, banker=player(night, "ann"))
    dealt(night)
    plan = closed(night).plan
    assert [sentence(each) for each in payments_of(plan)] == [
        "ann won 10 and received 50 in cash, bob lost 10 and paid 50 in cash: ann pays bob 40"
    ]


def test_night_after_a_season_ends_starts_the_next_season() -> None:
    night = a_night()
    closed(night)
    settle_season(night.season, uuid4(), by=None, end=True)
    later = [open_night(night.league) for _ in range(2)]
    assert [str(each.season) for each in later] == ["Season 2", "Season 2"]
    assert [each.number for each in later] == [1, 2]
    assert night.season.nights.count() == 1
