"""Closing a night: the chip count decides who pays."""

from dataclasses import replace
from uuid import uuid4

import pytest

from league.closing.cash_outs import Terms, cash_out, cash_out_and_leave
from league.closing.chip_count import count
from league.closing.close import Decisions, close_night, current_closing, reopen_night
from league.closing.notifications import payments_of, short_reason
from league.closing.payment_plans import settle_season, unplanned
from league.closing.payments import receive, unpaid
from league.common.errors import NightClosedError, RefusedError
from league.integrity.audit import audit
from league.models import (
    Closing,
    ClosingJob,
    LeftoverPolicy,
    Night,
    PaymentPlan,
    PlannedPayment,
)
from league.nights import accounts
from league.nights.buy_ins import buy_in
from league.nights.nights import carry, hands
from league.nights.opening import open_night
from league.options import choose, options_of
from league.people.leagues import add_player
from league.recording.corrections import revise_hand, void_hand
from ledger.balances import balances
from tests.helpers.league.leagues import a_night, holdem, player, qualifiers
from tests.helpers.league.nights import (
    a_table,
    again,
    chosen,
    closed,
    counted,
    dealt,
    ids,
    nets,
    planned,
    tabs,
)
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db

THREE = [
    {"name": "ann", "paid": 40, "down": ["Ac", "Ad"]},
    {"name": "bob", "paid": 40, "down": ["Kc", "Kd"]},
    {"name": "cat", "paid": 15, "folded": True},
]


def codes(refused: pytest.ExceptionInfo[RefusedError]) -> list[str]:
    return [each["code"] for each in refused.value.errors]


def test_losses_are_settled_with_the_fewest_payments() -> None:
    night = a_night()
    dealt(night, holdem(players=THREE))
    closing = closed(night)
    assert nets(closing) == {"ann": 55, "bob": -40, "cat": -15, "dan": 0}
    assert planned(closing) == ["bob pays ann 40", "cat pays ann 15"]
    assert tabs(night.league) == {"ann": 55, "bob": -40, "cat": -15}
    assert again(night).state == Night.State.CLOSED


def test_counted_chips_decide_and_the_difference_is_posted_to_drift() -> None:
    night = a_night()
    dealt(night)
    closing = closed(night, ann=105, bob=95)
    assert nets(closing) == {"ann": 5, "bob": -5, "cat": 0, "dan": 0}
    held = balances(night.league.book, nonzero=True)
    assert all(key.startswith("tab:") for key in held)


def test_payments_follow_the_rules_if_the_table_paid_differently() -> None:
    night = a_night()
    dealt(night, holdem(took={"bob": 20}))
    closing = closed(night)
    assert {line.player.name: line.put_right for line in closing.lines.all()} == {
        "ann": 20,
        "bob": -20,
        "cat": 0,
        "dan": 0,
    }
    assert nets(closing) == {"ann": 10, "bob": -10, "cat": 0, "dan": 0}


def test_host_chooses_the_players_who_bear_missing_chips() -> None:
    night = a_night()
    dealt(night)
    counted(night, ann=107)
    with pytest.raises(RefusedError) as refused:
        close_night(night, uuid4(), by=None)
    assert codes(refused) == ["does-not-add-up"]
    assert refused.value.errors[0]["text"] == "3 chips are missing. Who should get them back?"
    closing = close_night(
        night, uuid4(), by=None, decisions=Decisions(shared_by=ids(night, "dan", "bob"))
    )
    assert nets(closing) == {"ann": 7, "bob": -9, "cat": 0, "dan": 2}


def test_host_chooses_the_players_who_pay_surplus_chips() -> None:
    night = a_night()
    closing = closed(night, ann=101, bears="bob")
    assert nets(closing) == {"ann": 1, "bob": -1, "cat": 0, "dan": 0}


def test_decision_about_an_outdated_difference_is_refused() -> None:
    night = a_night()
    counted(night, ann=98)
    bears = ids(night, "bob")
    with pytest.raises(RefusedError) as refused:
        close_night(night, uuid4(), by=None, decisions=Decisions(shared_by=bears, missing=1))
    assert codes(refused) == ["does-not-add-up"]
    close_night(night, uuid4(), by=None, decisions=Decisions(shared_by=bears, missing=2))


def test_only_seated_players_can_bear_missing_chips() -> None:
    night, other = a_night(), a_night()
    counted(night, ann=98)
    bears = ids(other, "bob")
    with pytest.raises(RefusedError) as refused:
        close_night(night, uuid4(), by=None, decisions=Decisions(shared_by=bears))
    assert codes(refused) == ["unknown-player"]


def test_uncounted_night_closes_by_its_hands_only_on_request() -> None:
    night = a_night()
    dealt(night)
    count(night, player(night, "ann"), 110, count_id=uuid4(), by=None)
    with pytest.raises(RefusedError) as refused:
        close_night(night, uuid4(), by=None)
    assert codes(refused) == ["not-counted"]
    assert "bob, cat, dan" in refused.value.errors[0]["text"]
    closing = close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert closing.by_hands
    assert nets(closing) == {"ann": 10, "bob": -10, "cat": 0, "dan": 0}


def test_hand_that_cannot_be_replayed_prevents_closing() -> None:
    night = a_night()
    hand = dealt(night)
    revision = hand.revisions.get()
    revision.answer["net"]["ann"] = 11
    with unguarded():
        revision.save()
    with pytest.raises(RefusedError) as refused:
        closed(night)
    assert codes(refused) == ["hand-differs"]


def test_negative_stack_becomes_a_debt() -> None:
    """According to the hands, bob has -10 chips, so a buy-in may be missing."""
    night = a_night(chips=0)
    dealt(night)
    closing = close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert tabs(night.league) == {"ann": 10, "bob": -10}
    assert planned(closing) == ["bob pays ann 10"]


def test_empty_night_closes_without_payments() -> None:
    night = a_night(chips=0)
    close_night(night, uuid4(), by=None)
    assert not PaymentPlan.objects.exists()


def test_closing_an_empty_night_plans_nothing_of_other_nights() -> None:
    """The first night's result is too small to be paid alone."""
    night = a_table(waits_below=11)
    dealt(night)
    closed(night)
    choose(night.league, replace(options_of(night.league), waits_below=0))
    empty = open_night(night.league, players=night.league.players.all())
    for number in range(2):
        close_night(empty, uuid4(), by=None)
        assert unplanned(night.season, night) != {}
        if not number:
            reopen_night(empty, by=None)
    assert not PlannedPayment.objects.exists()
    plan = settle_season(night.season, uuid4(), by=None)
    assert [str(each) for each in plan.payments.all()] == ["bob pays ann 10"]


def test_night_that_was_closed_empty_is_planned_once_it_was_played() -> None:
    night = a_night(chips=0)
    close_night(night, uuid4(), by=None)
    reopen_night(night, by=None)
    dealt(night)
    closing = close_night(again(night), uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert planned(closing) == ["bob pays ann 10"]


def test_banker_pays_back_chips_bought_for_cash() -> None:
    """Bob paid ann 100 for his chips and wins 10. She owes him 110 and has lost 10."""
    night = a_night(chips=0)
    ann, bob = player(night, "ann"), player(night, "bob")
    buy_in(night, ann, 100, buy_in_id=uuid4(), by=None)
    buy_in(night, bob, 100, buy_in_id=uuid4(), by=None, banker=ann)
    closing = closed(night, ann=90, bob=110)
    assert nets(closing) == {"ann": -10, "bob": 10, "cat": 0, "dan": 0}
    assert tabs(night.league) == {"ann": -110, "bob": 110}
    assert planned(closing) == ["ann pays bob 110"]


def test_cashed_out_chips_leave_no_debt() -> None:
    night = a_night(chips=0)
    ann, bob = player(night, "ann"), player(night, "bob")
    buy_in(night, ann, 100, buy_in_id=uuid4(), by=None)
    buy_in(night, bob, 100, buy_in_id=uuid4(), by=None, banker=ann)
    dealt(night, holdem(took={"bob": 20}, depth="result"))
    cash_out_and_leave(night, bob, 110, cash_out_id=uuid4(), by=None, terms=Terms(banker=ann))
    closing = closed(night)
    assert nets(closing)["bob"] == 10
    assert tabs(night.league) == {}
    assert planned(closing) == []


def test_banker_without_a_seat_is_included_in_the_payment_plan() -> None:
    night = a_night(chips=0)
    eve, bob = add_player(night.league, "eve"), player(night, "bob")
    buy_in(night, bob, 100, buy_in_id=uuid4(), by=None, banker=eve)
    closing = closed(night)
    assert planned(closing) == ["eve pays bob 100"]
    assert nets(closing) == {"ann": 0, "bob": 0, "cat": 0, "dan": 0, "eve": 0}


def test_cash_out_on_a_closed_night_is_refused() -> None:
    night = a_night()
    closed(night)
    with pytest.raises(NightClosedError):
        cash_out(night, player(night, "ann"), 5, cash_out_id=uuid4(), by=None)


def test_all_payments_go_through_the_banker_if_there_is_one() -> None:
    night = a_night()
    night = chosen(night, banker=player(night, "dan"))
    dealt(night, holdem(players=THREE))
    closing = closed(night)
    assert sorted(planned(closing)) == [
        "bob pays dan 40",
        "cat pays dan 15",
        "dan pays ann 55",
    ]
    assert sorted(short_reason(each) for each in payments_of(closing.plan)) == [
        "ann won 0.55 USD, through dan",
        "bob lost 0.40 USD, through dan",
        "cat lost 0.15 USD, through dan",
    ]


# Once


def test_closing_is_idempotent() -> None:
    night, key = a_night(), uuid4()
    counted(night)
    first = close_night(night, key, by=None)
    assert close_night(night, key, by=None) == first
    assert close_night(again(night), uuid4(), by=None) == first
    assert Closing.objects.count() == 1


def test_closing_a_night_completes_its_scheduled_job() -> None:
    night = a_night()
    assert ClosingJob.objects.get(night=night).done_at is None
    closed(night)
    assert ClosingJob.objects.get(night=night).done_at is not None


# Carried pots at the closing


def test_carried_pot_is_returned_to_its_players() -> None:
    night = a_table()
    dealt(night, qualifiers())
    closing = closed(night)
    assert nets(closing) == {"ann": 0, "bob": 0, "cat": 0, "dan": 0}
    assert carry(night) == 0


def test_odd_chips_of_a_returned_pot_go_to_players_left_of_the_dealer() -> None:
    """Ann deals, so bob gets the odd chip when 21 carried chips are returned."""
    night = a_table()
    hand = qualifiers()
    hand["players"].append({"name": "cat", "paid": 1, "folded": True})
    dealt(night, hand)
    assert nets(closed(night)) == {"ann": 0, "bob": 1, "cat": -1, "dan": 0}


def test_kept_pot_opens_the_next_night_and_is_paid_there() -> None:
    night = a_table(leftover="stays")
    dealt(night, qualifiers())
    closing = closed(night)
    assert planned(closing) == []
    assert tabs(night.league) == {"ann": -10, "bob": -10}
    later = open_night(night.league, players=[player(night, name) for name in ("ann", "cat")])
    assert (carry(night), carry(later)) == (0, 20)
    for name in ("ann", "cat"):
        buy_in(later, player(night, name), 100, buy_in_id=uuid4(), by=None)
    dealt(later, holdem(carried=20, button=0, players=[
        {"name": "ann", "paid": 5, "down": ["Kc", "Kd"]},
        {"name": "cat", "paid": 5, "down": ["Ac", "Ad"]},
    ]))  # fmt: skip
    assert not standing_findings(later)
    end = closed(later)
    assert nets(end) == {"ann": -5, "bob": 0, "cat": 25}
    assert planned(end) == ["ann pays cat 15", "bob pays cat 10"]


def standing_findings(night: Night) -> list[str]:
    return [each["code"] for one in hands(night) for each in one.answer["findings"]]


def test_kept_pot_returned_on_the_next_night_leaves_no_debts() -> None:
    night = a_table(leftover="stays")
    dealt(night, qualifiers())
    closed(night)
    later = open_night(night.league, players=[player(night, "cat")])
    end = closed(chosen(later, leftover="back"))
    assert tabs(night.league) == {}
    assert planned(end) == []


# Corrections of closed nights


def test_correction_after_closing_replaces_the_unsent_payments() -> None:
    night = a_night()
    hand = dealt(night, holdem(players=THREE))
    first = close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    cheaper = [each | {"paid": min(each["paid"], 30)} for each in THREE]
    revise_hand(hand, uuid4(), holdem(players=cheaper), by=None, reason="30, not 40")
    second = current_closing(again(night))
    assert planned(first) == ["bob pays ann 40", "cat pays ann 15"]
    assert planned(second) == ["bob pays ann 30", "cat pays ann 15"]
    assert list(unpaid().values_list("plan", flat=True).distinct()) == [second.plan.pk]
    assert second.reason == "hand 1 was corrected"
    assert nets(second) == {"ann": 45, "bob": -30, "cat": -15, "dan": 0}
    assert tabs(night.league) == {"ann": 45, "bob": -30, "cat": -15}


def test_only_received_chips_are_paid_back_if_a_hand_is_voided_after_closing() -> None:
    night = a_night()
    hand = dealt(night)
    first = close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    receive(first.plan.payments.get(), uuid4(), 4, by=None)
    void_hand(hand, by=None, reason="misdealt")
    assert planned(current_closing(again(night))) == ["ann pays bob 4"]
    assert [str(each) for each in unpaid()] == ["ann pays bob 4"]
    assert tabs(night.league) == {"ann": -4, "bob": 4}
    assert again(night).state == Night.State.CLOSED


def test_restored_hand_is_settled_by_hands_as_before() -> None:
    """After the void there are no chips to count. The host's decision to use the hands remains."""
    night = a_night(chips=0)
    hand = dealt(night)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    void_hand(hand, by=None, reason="misdealt")
    revise_hand(hand, uuid4(), holdem(), by=None, reason="it was dealt well")
    assert again(night).state == Night.State.CLOSED
    assert tabs(night.league) == {"ann": 10, "bob": -10}
    assert audit() == []


def test_restored_hand_is_closed_by_hands_if_no_player_had_chips() -> None:
    night = a_night(chips=0)
    hand = dealt(night)
    void_hand(hand, by=None, reason="misdealt")
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    revise_hand(hand, uuid4(), holdem(), by=None, reason="it was dealt well")
    assert again(night).state == Night.State.CLOSED
    assert tabs(night.league) == {"ann": 10, "bob": -10}
    assert audit() == []


def test_correction_on_a_counted_night_does_not_change_payments() -> None:
    """The counted chips remain valid, and the correction only explains them."""
    night = a_night()
    hand = dealt(night)
    first = closed(night, ann=90, bob=110)
    other = holdem(players=[
        {"name": "ann", "paid": 10, "down": ["Kc", "Kd"]},
        {"name": "bob", "paid": 10, "down": ["Ac", "Ad"]},
    ])  # fmt: skip
    revise_hand(hand, uuid4(), other, by=None)
    second = current_closing(again(night))
    assert nets(first) == nets(second) == {"ann": -10, "bob": 10, "cat": 0, "dan": 0}
    assert planned(second) == []
    assert not any(line.drift for line in second.lines.all())


def test_correction_of_a_table_mistake_changes_payments_on_a_counted_night() -> None:
    night = a_night()
    hand = dealt(night)
    closed(night, ann=90, bob=110)
    revise_hand(hand, uuid4(), holdem(took={"bob": 20}), by=None)
    assert planned(current_closing(again(night))) == ["bob pays ann 10"]


def test_correction_keeps_the_player_who_bears_missing_chips() -> None:
    night = a_night()
    hand = dealt(night)
    closed(night, ann=109, bears="dan")
    revise_hand(hand, uuid4(), holdem(took={"bob": 20}), by=None)
    second = current_closing(again(night))
    assert {line.player.name: line.bears for line in second.lines.all() if line.bears} == {"dan": 1}


def test_correction_that_changes_the_missing_chips_reopens_the_night() -> None:
    """The corrected hand carries five chips, so the night has five chips too many."""
    night = a_night()
    hand = dealt(night)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    revise_hand(hand, uuid4(), holdem(carried=5), by=None)
    night = again(night)
    assert night.state == Night.State.OPEN
    job = ClosingJob.objects.get(night=night)
    assert (job.asks, job.done_at) == ("does-not-add-up", None)


def test_night_can_be_reopened_and_continued() -> None:
    night = a_night()
    dealt(night)
    first = closed(night)
    night = reopen_night(night, by=None)
    assert night.state == Night.State.OPEN
    assert balances(night.league.book, keys=[accounts.stack(night.pk, ids(night, "ann")[0]).key])
    dealt(night)
    second = closed(night)
    assert (planned(first), planned(second)) == (["bob pays ann 10"], ["bob pays ann 20"])
    assert [str(each) for each in unpaid()] == ["bob pays ann 20"]
    assert (second.number, second.sequence, second.previous_hash) == (2, 2, first.hash)


def test_reopening_an_open_night_changes_nothing() -> None:
    night = a_night()
    reopen_night(night, by=None)
    assert Closing.objects.count() == 0


def test_closing_uses_the_leagues_current_settings() -> None:
    """With the old setting, the closing would return the carried pot to its players."""
    night = a_night()
    dealt(night, qualifiers())
    before = again(night)
    assert before.league.leftover == LeftoverPolicy.BACK
    chosen(night, leftover=LeftoverPolicy.STAYS)
    closing = close_night(before, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert sum(line.settles for line in closing.lines.all()) == 0
    assert closing.kept
    assert audit() == []
