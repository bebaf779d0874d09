"""The fewest payments that settle a table: pure numbers, no database.

Whoever won or lost nothing pays nothing. People whose balances add up to zero can settle among
themselves, a group of k with k - 1 payments; so the fewest payments come from the most groups.
"""

from collections.abc import Mapping
from dataclasses import dataclass

# Up to here every grouping is weighed (2^16 of them); above, the largest debts go first.
MOST_EXACT = 16


@dataclass(frozen=True, slots=True, order=True)
class Payment:
    """One payment of whole chips, with what the two had won or lost."""

    payer: str
    payee: str
    amount: int
    lost: int
    won: int


class Unbalanced(Exception):
    """Balances that do not add up to zero can't be settled among those who have them."""

    def __init__(self, left: int) -> None:
        super().__init__(f"the balances add up to {left}, not to zero")
        self.left = left


def fewest_payments(balances: Mapping[str, int]) -> list[Payment]:
    """Payments after which nobody is owed anything; positive balances are owed to their owners.

    As few as can be for up to 16 people with a balance, never more than their number less one.
    The same balances give the same payments. Raises Unbalanced.
    """
    _require_zero(balances)
    open_balances = {name: balances[name] for name in sorted(balances) if balances[name]}
    pairs, rest = _opposites(open_balances)
    groups = _most_groups(rest) if len(rest) <= MOST_EXACT else [rest]
    found = [_settle(group, balances) for group in [*pairs, *groups]]
    return sorted((p for some in found for p in some), key=lambda p: (-p.amount, p.payer, p.payee))


def payments_through(banker: str, balances: Mapping[str, int]) -> list[Payment]:
    """Payments that all go to or from one person. Raises Unbalanced."""
    _require_zero(balances)
    others = {name: chips for name, chips in sorted(balances.items()) if chips and name != banker}
    of_banker = balances.get(banker, 0)
    lost, won = max(-of_banker, 0), max(of_banker, 0)
    return [
        Payment(name, banker, -chips, -chips, won)
        if chips < 0
        else Payment(banker, name, chips, lost, chips)
        for name, chips in others.items()
    ]


def _require_zero(balances: Mapping[str, int]) -> None:
    if left := sum(balances.values()):
        raise Unbalanced(left)


Balances = dict[str, int]


def _opposites(balances: Balances) -> tuple[list[Balances], Balances]:
    """Pairs who settle with one payment, and the others.

    Taking a pair out never costs a group: what is left of the two groups it was in is one.
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
    """As many groups as can be whose balances each add up to zero."""
    if not balances:
        return []
    # Everybody is in some group and the order of groups is free: so the last person leaves first,
    # and half of the sets are never weighed.
    *names, first = balances
    chips = [balances[name] for name in names]
    sums, groups = _weigh(chips)
    found = []
    group: Balances = {first: balances[first]}
    people = (1 << len(names)) - 1
    while people:
        # leave by the person whose going keeps the most groups; a sum of zero closes a group
        index = max(_members(people), key=lambda index: groups[people ^ 1 << index])
        group[names[index]] = chips[index]
        people ^= 1 << index
        if sums[people] == 0:
            found.append(group)
            group = {}
    return found


def _weigh(chips: list[int]) -> tuple[list[int], list[int]]:
    """For every set of people, as bits: its sum, and the most zero groups met on a way to it."""
    size = 1 << len(chips)
    sums, groups = [0] * size, [0] * size
    for people in range(1, size):
        lowest = people & -people
        sums[people] = sums[people ^ lowest] + chips[lowest.bit_length() - 1]
        best, left = 0, people
        while left:
            one = left & -left
            best = max(best, groups[people ^ one])
            left ^= one
        groups[people] = best + (sums[people] == 0)
    return sums, groups


def _members(people: int) -> list[int]:
    return [index for index in range(people.bit_length()) if people >> index & 1]


def _settle(group: Balances, balances: Mapping[str, int]) -> list[Payment]:
    """The largest debt pays the largest due until one group is even."""
    left = dict(group)
    payments = []
    while any(left.values()):
        payer = min(left, key=lambda name: (left[name], name))
        payee = max(left, key=lambda name: (left[name], name))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments.append(Payment(payer, payee, amount, -balances[payer], balances[payee]))
    return payments
