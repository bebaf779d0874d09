"""Compute the fewest payments that settle a table. This is pure arithmetic without a database.

People with a balance of zero pay nothing. A group of k people whose balances sum to zero settles
with k - 1 payments, so the largest number of groups gives the fewest payments.
"""

from collections.abc import Mapping
from dataclasses import dataclass

# With up to this many people, the sets of all people but one (2^15) are compared. With more people,
# the largest debts are settled first.
MOST_EXACT = 16
Balances = dict[str, int]  # keyed by person, only for people with a balance


@dataclass(frozen=True, slots=True, order=True)
class DebtPayment:
    """A payment of whole chips. `lost` is the payer's debt, `won` the payee's credit."""

    payer: str
    payee: str
    amount: int
    lost: int
    won: int


class UnbalancedError(Exception):
    """The balances do not add up to zero, so they can't be settled."""

    def __init__(self, left: int) -> None:
        super().__init__(f"the balances add up to {left}, not to zero")
        self.left = left


def fewest_payments(balances: Mapping[str, int]) -> list[DebtPayment]:
    """Return payments that settle these balances. A positive balance is owed to its owner.

    The number of payments is minimal for up to 16 people with a balance, and at most n - 1 for more
    people. The same balances always give the same payments. Raises UnbalancedError.
    """
    _require_zero(balances)
    open_balances = {name: balances[name] for name in sorted(balances) if balances[name]}
    pairs, rest = _opposites(open_balances)
    groups = _most_groups(rest) if len(rest) <= MOST_EXACT else [rest]
    payments = [payment for group in [*pairs, *groups] for payment in _settle(group, balances)]
    return sorted(payments, key=lambda payment: (-payment.amount, payment.payer, payment.payee))


def payments_through(banker: str, balances: Mapping[str, int]) -> list[DebtPayment]:
    """Return payments that are all to or from the banker. Raises UnbalancedError."""
    _require_zero(balances)
    others = {name: chips for name, chips in sorted(balances.items()) if chips and name != banker}
    of_banker = balances.get(banker, 0)
    lost, won = max(-of_banker, 0), max(of_banker, 0)
    return [
        DebtPayment(name, banker, -chips, -chips, won)
        if chips < 0
        else DebtPayment(banker, name, chips, lost, chips)
        for name, chips in others.items()
    ]


def _require_zero(balances: Mapping[str, int]) -> None:
    if left := sum(balances.values()):
        raise UnbalancedError(left)


def _opposites(balances: Balances) -> tuple[list[Balances], Balances]:
    """Return pairs that settle with one payment, and the remaining balances.

    Removing a pair never costs a group: if the two people were in different groups, the pair is one
    group and the rest of both groups is another.
    """
    waiting: dict[int, list[str]] = {}
    pairs = []
    for name, chips in balances.items():
        if partners := waiting.get(-chips):
            partner = partners.pop(0)
            pairs.append({partner: -chips, name: chips})
        else:
            waiting.setdefault(chips, []).append(name)
    left = {name for names in waiting.values() for name in names}
    return pairs, {name: chips for name, chips in balances.items() if name in left}


def _most_groups(balances: Balances) -> list[Balances]:
    """Return the largest number of groups whose balances each add up to zero."""
    if not balances:
        return []
    # Each person is in one group, and the order of the groups does not matter. Therefore, the last
    # person is removed first, and `sums` and `groups` need only the sets of the others. Both are
    # filled before the groups are read from them, from the largest set down to the empty one.
    *names, last = balances
    chips = [balances[name] for name in names]
    sums, groups = _weigh(chips)
    zero_groups = []
    group: Balances = {last: balances[last]}
    people = (1 << len(names)) - 1
    while people:
        # Remove the person whose removal leaves the most groups. If the remaining people sum to
        # zero, so do the people removed since the last group, and they are a group.
        index = max(
            [index for index in range(people.bit_length()) if people >> index & 1],
            key=lambda index: groups[people ^ 1 << index],
        )
        group[names[index]] = chips[index]
        people ^= 1 << index
        if sums[people] == 0:
            zero_groups.append(group)
            group = {}
    return zero_groups


def _weigh(chips: list[int]) -> tuple[list[int], list[int]]:
    """Return the sum of each set of people, and its maximum number of zero-sum groups.

    The indexes of both lists are bit masks of people.
    """
    size = 1 << len(chips)
    sums, groups = [0] * size, [0] * size
    for people in range(1, size):
        lowest = people & -people
        sums[people] = sums[people ^ lowest] + chips[lowest.bit_length() - 1]
        best, left = 0, people
        while left:
            person = left & -left
            best = max(best, groups[people ^ person])
            left ^= person
        groups[people] = best + (sums[people] == 0)
    return sums, groups


def _settle(group: Balances, balances: Mapping[str, int]) -> list[DebtPayment]:
    """Return payments for one group. The largest debtor repeatedly pays the largest creditor."""
    left = dict(group)
    payments = []
    while any(left.values()):
        payer = min(left, key=lambda name: (left[name], name))
        payee = max(left, key=lambda name: (left[name], name))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments.append(DebtPayment(payer, payee, amount, -balances[payer], balances[payee]))
    return payments
