"""The cash box takes and pays cash at the table, and the payment plan empties it."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from league.audit_log import logged_actions
from league.charges.cash_count import CashCount, close_counted
from league.charges.charging import NewCharge, Share, charge
from league.charges.charging import undo as undo_charge
from league.closing.cash_outs import Terms, cash_out
from league.closing.chip_count import tally
from league.closing.close import Decisions, reopen_night
from league.closing.payment_plans import unplanned
from league.closing.payments import confirm, promise, receive, repeated_id, withdraw
from league.closing.receipts import as_csv, left_in_box, player_lines, receipt
from league.closing.standings import standings
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import (
    BuyIn,
    Charge,
    ChargeShare,
    Closing,
    Night,
    Payment,
    PlannedPayment,
    Player,
)
from league.nights.buy_ins import buy_in, undo
from league.nights.cash_box import box_chips, cash_box, find_cash_box
from league.nights.nights import stacks
from league.nights.opening import open_night
from league.people.leagues import add_player
from ledger.balances import balances, statement
from ledger.fewest_payments import fewest_payments
from ledger.models import Account
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import NAMES, a_league, a_night, a_user, player
from tests.helpers.league.night_acts import (
    Act,
    a_table,
    buys,
    cashes,
    deals,
    play,
    records,
    starts,
    takes_charge_back,
    undoes,
)
from tests.helpers.league.nights import again, closed, dealt, nets, planned

pytestmark = pytest.mark.django_db


def buy_for_cash(night: Night, name: str, chips: int) -> BuyIn:
    box = cash_box(night.league)
    return buy_in(night, player(night, name), chips, buy_in_id=uuid4(), by=None, banker=box)


def pay_out(night: Night, name: str, chips: int) -> None:
    terms = Terms(banker=cash_box(night.league))
    cash_out(night, player(night, name), chips, cash_out_id=uuid4(), by=None, terms=terms)


def bring(night: Night, name: str, chips: int) -> Charge:
    shares = {player(night, name): Share(gets=chips), cash_box(night.league): Share(owes=chips)}
    wanted = NewCharge(kind=Charge.Kind.STARTING_CASH, shares=shares)
    return charge(night, wanted, charge_id=uuid4(), by=None)


def close_with(night: Night, counted: int, *names: str, expected: int | None = None) -> Closing:
    bears = [player(night, name).pk for name in names]
    cash = CashCount(counted=counted, expected=expected, shared_by=bears)
    decisions = Decisions(by_hands=True)
    return close_counted(again(night), uuid4(), by=None, cash=cash, decisions=decisions)


def test_starting_cash_is_given_back_by_the_plan() -> None:
    night = a_night()
    bring(night, "bob", 100)
    buy_for_cash(night, "cat", 50)
    dealt(night)
    pay_out(night, "dan", 80)
    # ann won 10 from bob, who brought 100, cat paid 50 and dan took 80
    closing = close_with(night, 70)
    assert nets(closing)["bob"] == -10
    assert left_in_box(closing) == box_chips(night.league) == 70
    assert sum(row.chips for row in closing.plan.payments.filter(payee__name="bob")) == 90
    for payment in closing.plan.payments.all():
        receive(payment, uuid4(), payment.chips, by=None)
    assert box_chips(night.league) == 0
    assert not balances(night.league.book, kind="tab", nonzero=True)
    assert audit(night.league) == []


def test_starting_cash_that_was_paid_out_cannot_be_undone() -> None:
    night = a_night()
    brought = bring(night, "bob", 20)
    pay_out(night, "dan", 15)
    with pytest.raises(RefusedError, match=r"the cash box has only 0.05 USD, 0.15 USD short"):
        undo_charge(brought, by=None)
    assert box_chips(night.league) == 5


def test_missing_cash_is_paid_by_the_players_whom_the_host_names() -> None:
    night = a_night()
    buy_for_cash(night, "cat", 120)
    text = r"should hold 1.20 USD. You counted 1.15 USD. Who pays the missing 0.05 USD\?"
    with pytest.raises(RefusedError, match=text):
        close_with(night, 115)
    with pytest.raises(RefusedError, match=text):
        close_with(night, 115, "bob", expected=119)
    closing = close_with(night, 115, "bob", "ann")
    assert box_chips(night.league) == left_in_box(closing) == 115
    assert {line.player.name: line.charged for line in closing.lines.all() if line.charged} == {
        "ann": -2,
        "bob": -3,
        "Cash box": 5,
    }
    assert nets(closing)["bob"] == 0
    [logged] = [each for each in logged_actions(night.league) if each.kind == "cash-counted"]
    assert logged.about == {"night": 1, "chips": 115, "expected": 120}
    made = receipt(again(night))
    assert made is not None
    assert 'cash-count,"counted 1.15 USD, expected 1.20 USD",bob,0,3' in as_csv(made)
    close_with(again(reopen_night(again(night), by=None)), 115)
    assert audit(night.league) == []


def test_surplus_cash_goes_to_the_players_whom_the_host_names() -> None:
    night = a_night()
    buy_for_cash(night, "cat", 40)
    with pytest.raises(RefusedError, match=r"Who gets the extra 0.02 USD\?"):
        close_with(night, 42)
    closing = close_with(night, 42, "ann")
    assert planned(closing) == ["Cash box pays cat 40", "Cash box pays ann 2"]


def test_all_open_decisions_are_named_together() -> None:
    night = a_night()
    buy_for_cash(night, "cat", 40)
    cash = CashCount(counted=30)
    with pytest.raises(RefusedError) as refused:
        close_counted(night, uuid4(), by=None, cash=cash, decisions=Decisions())
    assert [each["code"] for each in refused.value.errors] == ["box-differs", "not-counted"]
    assert box_chips(night.league) == 40


@pytest.mark.parametrize("kind", [Charge.Kind.COST, Charge.Kind.STARTING_CASH])
def test_no_other_charge_changes_the_box(kind: str) -> None:
    night = a_night()
    buy_for_cash(night, "cat", 40)
    shares = {player(night, "ann"): Share(owes=5), cash_box(night.league): Share(gets=5)}
    with pytest.raises(RefusedError, match="cash box"):
        charge(night, NewCharge(kind=kind, title="x", shares=shares), charge_id=uuid4(), by=None)


def test_audit_finds_other_charges_with_a_share_of_the_box() -> None:
    night = a_night()
    bring(night, "bob", 20)
    shares = {player(night, "ann"): Share(owes=5), player(night, "cat"): Share(gets=5)}
    wanted = NewCharge(kind=Charge.Kind.TIP, shares=shares)
    tip = charge(night, wanted, charge_id=uuid4(), by=None)
    assert audit(night.league) == []
    ChargeShare.objects.create(charge=tip, player=cash_box(night.league), owes=1)
    assert "box-charged" in {finding.code for finding in audit(night.league)}


def test_plan_pays_winners_from_box_before_players_pay() -> None:
    night = a_night()
    buy_for_cash(night, "cat", 50)
    dealt(night)
    pay_out(night, "dan", 20)
    assert box_chips(night.league) == 30
    # ann won 10 from bob, cat paid 50 and dan took 20 in cash; bob owes 10 and dan owes 20
    closing = closed(night)
    assert nets(closing)["ann"] == 10
    assert sum(line.settles for line in closing.lines.all()) == 0
    assert left_in_box(closing) == 30
    assert sorted(planned(closing)) == [
        "Cash box pays cat 30",
        "bob pays ann 10",
        "dan pays cat 20",
    ]
    for payment in closing.plan.payments.all():
        receive(payment, uuid4(), payment.chips, by=None)
    assert box_chips(night.league) == 0
    assert not balances(night.league.book, kind="tab", nonzero=True)
    assert audit(night.league) == []


@pytest.mark.django_db(transaction=True)
def test_cash_is_paid_once_to_phones_that_cash_out_at_once() -> None:
    """Each cash-out takes more than half of the cash. The nights have their own locks."""
    first = a_night()
    cat = player(first, "cat")
    second = open_night(first.league, night_id=uuid4(), players=[cat])
    buy_in(second, cat, 100, buy_in_id=uuid4(), by=None)
    buy_for_cash(first, "bob", 100)

    def take(number: int) -> str:
        night, name = ((first, "ann"), (first, "bob"), (second, "cat"))[number % 3]
        try:
            pay_out(night, name, 60)
        except RefusedError as refused:
            return refused.errors[0]["code"]
        finally:
            connection.close()
        return "paid"

    with ThreadPoolExecutor(4) as threads:
        assert Counter(threads.map(take, range(9))) == {"paid": 1, "box-short": 8}
    assert box_chips(first.league) == 40
    assert audit(first.league) == []


def test_box_pays_no_more_than_it_has() -> None:
    night = a_night()
    bought = buy_for_cash(night, "cat", 30)
    with pytest.raises(RefusedError, match=r"the cash box has only 0.30 USD, 0.20 USD short"):
        pay_out(night, "dan", 50)
    pay_out(night, "dan", 20)
    with pytest.raises(RefusedError, match=r"the cash box has only 0.10 USD, 0.20 USD short"):
        undo(bought, by=None)
    assert box_chips(night.league) == 10


def test_cash_out_cannot_use_chips_planned_for_others() -> None:
    night = a_night()
    bought = buy_for_cash(night, "cat", 30)
    closing = closed(night)
    assert planned(closing) == ["Cash box pays cat 30"]
    [first] = PlannedPayment.objects.filter(plan=closing.plan)
    promised = promise(first, uuid4(), 30, by=a_user("cat"))
    again_open = again(reopen_night(again(night), by=None))
    short = r"the cash box has 0.30 USD, all of it promised to cat: 0.05 USD short"
    with pytest.raises(RefusedError, match=short):
        pay_out(again_open, "dan", 5)
    # cat never paid the cash, so the box owes cat nothing, and cat pays in what the plan gave cat.
    undo(BuyIn.objects.get(pk=bought.pk), by=None)
    second = closed(again(night))
    assert planned(second) == ["cat pays Cash box 30"]
    with pytest.raises(RefusedError, match=r"the cash box has only 0.00 USD, 0.30 USD short"):
        confirm(promised, by=None)
    paid_in = receive(second.plan.payments.get(), uuid4(), 30, by=None)
    taken = confirm(promised, by=None)
    with pytest.raises(RefusedError, match=r"the cash box has only 0.00 USD"):
        withdraw(paid_in, by=None)
    withdraw(taken, by=None)
    confirm(Payment.objects.get(pk=repeated_id(taken.pk)), by=None)
    assert box_chips(night.league) == 0
    assert audit(night.league) == []


def test_cash_box_is_not_listed_as_a_player() -> None:
    league = a_league()
    add_player(league, "Cash Box")
    night = a_night(league)
    assert find_cash_box(league) is None
    buy_for_cash(night, "cat", 40)
    box = cash_box(league)
    assert (box.name, cash_box(league)) == ("Cash box 2", box)
    assert not league.players.filter(pk=box.pk).exists()
    with pytest.raises(RefusedError, match="already has a player"):
        add_player(league, "cash box 2")
    closing = closed(night)
    names = [line.player.name for line in player_lines(closing)]
    assert names == ["ann", "bob", "cat", "dan"]
    assert "Cash box 2" not in {row.name for row in standings(night.season)}
    made = receipt(again(night))
    assert made is not None
    assert "in the cash box,40" in as_csv(made).splitlines()


at_table = st.sampled_from(["ann", "bob", "cat"])
in_cash = st.sampled_from([None, "box", "box", "dan"])
evenings = st.lists(
    st.one_of(
        st.builds(starts, at_table, st.integers(1, 90)),
        st.builds(takes_charge_back, st.integers(0, 9)),
        st.builds(buys, at_table, st.integers(1, 90), in_cash),
        st.builds(cashes, at_table, st.sampled_from([None, "box", "box"])),
        st.builds(undoes, st.integers(0, 9)),
        st.builds(deals, records()),
    ),
    max_size=14,
)


@settings(max_examples=examples(20))
@given(evenings, st.integers(-30, 30), st.lists(st.sampled_from(NAMES[:3]), unique=True))
def test_plan_empties_counted_box_with_fewest_payments(
    sequence: list[Act], difference: int, payers: list[str]
) -> None:
    table = a_table()
    box = cash_box(table.league)
    for act in sequence:
        play(table, [act])
        assert box_chips(table.league) == cash_of(table.night, box) >= 0
    night, book = table.night, table.league.book
    before = box_chips(table.league)
    counted = max(0, before + difference)
    decided = bool(payers) or counted == before
    cash = CashCount(counted=counted, shared_by=[table.players[name].pk for name in payers])
    bears = [line.player for line in tally(night).lines]
    decisions = Decisions(by_hands=True, shared_by=bears)
    if not decided:
        with pytest.raises(RefusedError, match="the cash box should hold"):
            close_counted(night, uuid4(), by=None, cash=cash, decisions=decisions)
        return
    tabs = Counter(balances(book, kind="tab"))
    tabs.update({f"tab:{who}": chips for who, chips in stacks(night).items()})
    closing = close_counted(night, uuid4(), by=None, cash=cash, decisions=decisions)
    assert box_chips(table.league) == counted == cash_of(night, box)
    assert left_in_box(closing) in {counted, None}
    rows = PlannedPayment.objects.filter(plan__closing=closing)
    if not any(line.back or line.bears for line in closing.lines.all()) and counted == before:
        assert len(rows) == len(fewest_payments(tabs))
    assert not rows.filter(payee=box).exists()
    for payment in rows:
        receive(payment, uuid4(), payment.chips, by=None)
        assert box_chips(table.league) >= 0
    assert not balances(book, kind="tab", nonzero=True)
    assert unplanned(night.season, night) == {}
    entries = statement(account) if (account := tab_of(box)) else []
    assert all(entry.balance <= 0 for entry in entries)
    assert audit(table.league) == []


def cash_of(night: Night, box: Player) -> int:
    """Return the cash paid into the box minus the cash paid from it, computed from the rows."""
    bought = night.buy_ins.filter(banker=box, posting__reversal=None)
    out = night.cash_outs.filter(banker=box, posting__reversal=None)
    charged = ChargeShare.objects.filter(player=box, charge__posting__reversal=None)
    exchanged = sum(row.chips for row in bought) - sum(row.chips for row in out)
    return exchanged - sum(share.net for share in charged)


def tab_of(box: Player) -> Account | None:
    return Account.objects.filter(key=f"tab:{box.pk}").first()
