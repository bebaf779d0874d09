"""The fewest payments that settle a table (docs/architecture.md, "The ledger")."""

from functools import cache
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.fewest_payments import DebtPayment, UnbalancedError, fewest_payments, payments_through

CHIPS = st.integers(-40, 40)


@st.composite
def tables(draw: st.DrawFn, most: int = 7) -> dict[str, int]:
    chips = draw(st.lists(CHIPS, min_size=1, max_size=most - 1))
    return {f"p{index}": amount for index, amount in enumerate([*chips, -sum(chips)])}


def settled(balances: dict[str, int], payments: list[DebtPayment]) -> dict[str, int]:
    left = dict(balances)
    for payment in payments:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    return left


def fewest_by_trying(balances: dict[str, int]) -> int:
    """Return the fewest payments, trying every payment by the first person with a balance."""

    @cache
    def fewest(chips: tuple[int, ...]) -> int:
        left = [amount for amount in chips if amount]
        if not left:
            return 0
        first, rest = left[0], left[1:]
        tries = []
        for index, other in enumerate(rest):
            if first * other < 0:
                after = [*rest[:index], other + first, *rest[index + 1 :]]
                tries.append(1 + fewest(tuple(sorted(after))))
        return min(tries)

    return fewest(tuple(sorted(balances.values())))


@given(tables())
def test_payments_settle_all_debts(balances: dict[str, int]) -> None:
    assert not any(settled(balances, fewest_payments(balances)).values())


@given(tables())
def test_number_of_payments_matches_an_exhaustive_search(balances: dict[str, int]) -> None:
    assert len(fewest_payments(balances)) == fewest_by_trying(balances)


@given(tables(most=30))
def test_there_are_fewer_payments_than_people_with_a_balance(balances: dict[str, int]) -> None:
    payments = fewest_payments(balances)
    people = sum(1 for chips in balances.values() if chips)
    assert len(payments) <= max(people - 1, 0)
    assert not any(settled(balances, payments).values())


@given(tables(), st.randoms(use_true_random=False))
def test_order_of_people_does_not_change_the_payments(
    balances: dict[str, int], random: object
) -> None:
    names = list(balances)
    random.shuffle(names)  # type: ignore[attr-defined]
    assert fewest_payments({name: balances[name] for name in names}) == fewest_payments(balances)


def test_groups_that_add_up_to_zero_settle_separately() -> None:
    """5 = 3 + 2 and 11 = 7 + 4: two groups of three people need four payments instead of five."""
    balances = {"ann": 5, "bob": -3, "cat": -2, "dan": 11, "eve": -7, "fay": -4}
    assert len(fewest_payments(balances)) == 4


def test_payment_includes_the_results_of_payer_and_payee() -> None:
    assert fewest_payments({"ann": 55, "bob": -40, "cat": -15}) == [
        DebtPayment("bob", "ann", 40, lost=40, won=55),
        DebtPayment("cat", "ann", 15, lost=15, won=55),
    ]


def test_payments_of_sixteen_people_are_planned_exactly() -> None:
    """No two balances cancel out, and at most four groups of four are possible."""
    groups = [
        (10, 1, -4, -7),
        (100, 20, -50, -70),
        (1000, 300, -600, -700),
        (9000, 10, -8000, -1010),
    ]
    balances = {f"p{g}{i}": chips for g, four in enumerate(groups) for i, chips in enumerate(four)}
    payments = fewest_payments(balances)
    assert len(payments) == 12
    assert not any(settled(balances, payments).values())


@given(tables(), st.sampled_from(["p0", "somebody else"]))
def test_every_payment_goes_to_or_from_the_banker(balances: dict[str, int], banker: str) -> None:
    payments = payments_through(banker, balances)
    assert all(banker in (payment.payer, payment.payee) for payment in payments)
    assert not any(settled({banker: 0} | balances, payments).values())


@pytest.mark.parametrize("plan", [fewest_payments, lambda some: payments_through("ann", some)])
def test_balances_that_do_not_add_up_are_refused(plan: object) -> None:
    with pytest.raises(UnbalancedError, match="add up to 3"):
        plan({"ann": 5, "bob": -2})  # type: ignore[operator]


def test_payments_among_sixteen_people_are_planned_in_half_a_second() -> None:
    """No two of the sixteen balances cancel out, so every grouping is evaluated."""
    balances = {f"p{number}": (-3) ** number for number in range(15)}
    balances["p15"] = -sum(balances.values())
    times = []
    for _ in range(3):
        began = process_time()
        fewest_payments(balances)
        times.append(process_time() - began)
    assert min(times) < 0.5
