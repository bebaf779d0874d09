"""Charges (costs, tips, the fund) are whole chips, add up to zero and can be undone.

Costs are split as in Splitwise or Spliit: evenly or by parts. There may be several payers, and a
payer may also owe a share.
"""

from uuid import UUID, uuid4, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.charges.charging import NewCharge, Share, by_parts, charge, fund_of, undo
from league.closing.close import Decisions, close_night
from league.closing.payments import confirm, promise
from league.common.errors import IdReusedError, RefusedError
from league.integrity.audit import audit
from league.models import Charge, Closing, Night, PlannedPayment, Player
from ledger.balances import balances
from tests.helpers.league.leagues import a_league, a_night, player
from tests.helpers.league.nights import again, chosen, closed, dealt, nets, planned, tabs

pytestmark = pytest.mark.django_db
Kind = Charge.Kind


def shares(night: Night, **chips: tuple[int, int]) -> dict[Player, Share]:
    return {player(night, name): Share(*each) for name, each in chips.items()}


def pizza(night: Night, charge_id: UUID | None = None, **chips: tuple[int, int]) -> Charge:
    """Charge a cost. By default bob paid 12 for ann, bob and cat."""
    told = shares(night, **(chips or {"ann": (0, 4), "bob": (12, 4), "cat": (0, 4)}))
    wanted = NewCharge(kind=Kind.COST, title="pizza", shares=told)
    return charge(night, wanted, charge_id=charge_id or uuid4(), by=None)


def into_fund(night: Night, chips: int, name: str = "ann", keeper: str = "bob") -> Charge:
    share = Share(owes=chips) if chips > 0 else Share(gets=-chips)
    wanted = NewCharge(
        kind=Kind.FUND if chips > 0 else Kind.PRIZE,
        shares={player(night, name): share},
        fund=chips,
        keeper=player(night, keeper),
    )
    return charge(night, wanted, charge_id=uuid4(), by=None)


def refused(night: Night, **keys: object) -> list[str]:
    wanted = NewCharge(**{"kind": Kind.COST, "title": "pizza", **keys})  # type: ignore[arg-type]
    with pytest.raises(RefusedError) as refusal:
        charge(night, wanted, charge_id=uuid4(), by=None)
    return [f"{each['where']} {each['code']}" for each in refusal.value.errors]


@given(st.integers(0, 10**6), st.dictionaries(st.integers(), st.integers(0, 50), max_size=12))
def test_cost_shares_add_up_and_differ_by_at_most_one_chip(
    chips: int, parts: dict[int, int]
) -> None:
    owes = by_parts(chips, parts)
    together = sum(parts.values())
    assert sum(owes.values()) == (chips if together else 0)
    assert all(
        abs(owes.get(who, 0) - chips * parts[who] / together) < 1 for who in parts if together
    )


def test_first_players_owe_the_odd_chips_of_a_cost() -> None:
    assert by_parts(10, {"ann": 1, "bob": 1, "cat": 1}) == {"ann": 4, "bob": 3, "cat": 3}
    assert by_parts(10, {"ann": 2, "bob": 1}) == {"ann": 7, "bob": 3}


def test_cost_changes_the_payment_plan_but_not_the_nets() -> None:
    night = a_night()
    dealt(night)
    pizza(night)
    closing = closed(night)
    assert nets(closing) == {"ann": 10, "bob": -10, "cat": 0, "dan": 0}
    lines = {line.player.name: (line.charged, line.settles) for line in closing.lines.all()}
    assert lines == {"ann": (-4, 6), "bob": (8, -2), "cat": (-4, -4), "dan": (0, 0)}
    assert sorted(planned(closing)) == ["bob pays ann 2", "cat pays ann 4"]
    assert audit(night.league) == []


def test_payer_without_a_seat_is_paid_back() -> None:
    night = a_night()
    eve = Player.objects.create(league=night.league, name="eve")
    told = {eve: Share(gets=9), player(night, "ann"): Share(owes=9)}
    charge(night, NewCharge(kind=Kind.TIP, shares=told), charge_id=uuid4(), by=None)
    assert planned(closed(night)) == ["ann pays eve 9"]
    assert audit(night.league) == []


def test_repeated_cost_is_charged_once() -> None:
    night, key = a_night(), uuid4()
    assert pizza(night, key) == pizza(night, key)
    assert Charge.objects.count() == 1
    with pytest.raises(IdReusedError):
        pizza(night, key, ann=(0, 5), bob=(5, 0))


def test_undone_cost_is_not_planned_but_stays_stored() -> None:
    night = a_night()
    done = pizza(night)
    undo(done, by=None)
    undo(done, by=None)
    assert planned(closed(night)) == []
    assert Charge.objects.count() == 1
    assert audit(night.league) == []


def test_adding_a_cost_to_a_closed_night_closes_it_again() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    done = pizza(again(night))
    assert again(night).state == Night.State.CLOSED
    assert night.closings.count() == 2
    response = Closing.objects.get(night=night, posting__reversal=None)
    # Before, bob pays ann 10. With the pizza, ann and cat owe bob 4 each.
    assert sorted(planned(response)) == ["bob pays ann 2", "cat pays ann 4"]
    undo(done, by=None)
    assert audit(night.league) == []
    assert night.closings.count() == 3


def test_keeper_owes_the_fund() -> None:
    night = a_night()
    into_fund(night, 6)
    assert fund_of(night) == 6
    closing = closed(night)
    assert planned(closing) == ["ann pays bob 6"]
    for each in PlannedPayment.objects.all():
        confirm(promise(each, uuid4(), each.chips, by=None), by=None)
    assert tabs(night.league) == {}
    held = balances(night.league.book, nonzero=True)
    assert sorted(held.values()) == [-6, 6]
    into_fund(again(night), -6, name="cat")
    assert fund_of(night) == 0
    response = Closing.objects.get(night=night, posting__reversal=None)
    assert planned(response) == ["bob pays cat 6"]
    assert audit(night.league) == []


def test_fund_cannot_pay_out_more_than_its_balance() -> None:
    night = a_night()
    put = into_fund(night, 6)
    with pytest.raises(RefusedError):
        into_fund(night, -7)
    into_fund(night, -6, name="cat")
    with pytest.raises(RefusedError):
        undo(put, by=None)
    assert audit(night.league) == []


def test_all_errors_in_a_charge_are_reported_together() -> None:
    night = a_night()
    stranger = Player.objects.create(league=a_league(), name="eve")
    ann = player(night, "ann")
    assert refused(night, kind="gift", title="", shares={}) == [
        "kind bad-kind",
        "shares bad-shares",
    ]
    assert refused(night, title="", shares={ann: Share(owes=1), stranger: Share(gets=2)}) == [
        "title missing",
        "shares unknown-player",
        "shares does-not-add-up",
    ]
    assert refused(night, shares={ann: Share(-1, -1)}) == ["shares bad-chips"]
    assert refused(night, shares={ann: Share(0, 0)}) == ["shares bad-chips"]
    assert refused(night, shares={ann: Share(0, 5)}, fund=5) == ["keeper no-keeper"]
    assert refused(night, shares={ann: Share(0, 5)}, fund=5, keeper=ann) == ["fund bad-fund"]
    hand = dealt(a_night(a_league()))
    assert refused(night, shares={ann: Share(5, 5)}, hand=hand) == [
        "shares bad-chips",  # what the player gets and owes cancels out
        "hand unknown-hand",
    ]


def test_small_debts_wait_for_the_next_plan() -> None:
    night = chosen(a_night(), waits_below=5)
    pizza(night, ann=(0, 4), bob=(12, 0), cat=(0, 8))
    closing = closed(night)
    assert planned(closing) == ["cat pays bob 8"]
    assert tabs(night.league) == {"ann": -4, "bob": 12, "cat": -8}
    pizza(again(night), ann=(0, 3), bob=(3, 0))
    response = Closing.objects.get(night=night, posting__reversal=None)
    assert planned(response) == ["cat pays bob 8", "ann pays bob 7"]
    assert audit(night.league) == []


def test_closing_a_closed_night_returns_the_first_closing() -> None:
    night = a_night()
    closed(night)
    assert close_night(again(night), uuid4(), by=None).number == 1


def test_charge_can_be_undone_even_if_the_id_of_its_reclosing_is_taken() -> None:
    """A client could predict the id of the reclosing and use it for an earlier closing."""
    night = a_night()
    done = pizza(night)
    first = close_night(
        night, uuid5(done.pk, "undone"), by=None, decisions=Decisions(by_hands=True)
    )
    undo(done, by=None)
    last = Closing.objects.exclude(pk=first.pk).get()
    assert last.night == night
    assert again(night).state == Night.State.CLOSED
    assert not any(tabs(night.league).values())
    assert audit(night.league) == []
