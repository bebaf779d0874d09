"""Chips that pass from hand to hand of a night, in the order in which the hands were dealt.

A hand may only take what the hands before it left; what a record claims beyond that comes from
drift, so that the carry never goes below zero.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from league.models import Hand, Night, Revision
from league.nights import accounts, nights
from ledger.posting import Move, post


@dataclass(frozen=True, slots=True)
class CarriedChips:
    """The chips that a hand took from the ones before it and left to the ones after it."""

    number: int
    carried: int
    carry: int


def carries(night: Night) -> list[CarriedChips]:
    """Return the carried chips of each valid hand, in the order of the hands."""
    rows = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
    ordered = rows.order_by("hand__number").values_list("hand__number", "carried", "carry")
    return [CarriedChips(*row) for row in ordered]


def opening(night: Night) -> int:
    """Return the chips that nights before had left to the first hand."""
    return sum(pot["amount"] for pot in night.opening_pots)


def left_by(carried: Iterable[CarriedChips], start: int = 0) -> int:
    """Return the chips that are still carried after these hands, of as many before them."""
    chips = start
    for hand in carried:
        chips = max(0, chips - hand.carried) + hand.carry
    return chips


def left_before(hand: Hand) -> int:
    """Return the chips that the hands before this one left to it."""
    before = (earlier for earlier in carries(hand.night) if earlier.number < hand.number)
    return left_by(before, opening(hand.night))


@dataclass(frozen=True, slots=True)
class Carry:
    """The carry before a correction: the chips in it, and what the hands had left there."""

    night: Night
    chips: int
    left: int


def carry_now(night: Night) -> Carry:
    """Return the carry as the hands that stand and the ledger have it."""
    return Carry(night, nights.carry(night), left_by(carries(night), opening(night)))


def correct_carry(before: Carry, revision: Revision) -> None:
    """Bring the carry to where the hands as they now stand would have left it.

    Whatever else moved into it or out of it stays moved.
    """
    night = before.night
    wanted = max(0, before.chips - before.left + left_by(carries(night), opening(night)))
    excess = nights.carry(night) - wanted
    if not excess:
        return
    carry, drift = accounts.carry(night.pk), accounts.drift(night.pk)
    payer, payee = (carry, drift) if excess > 0 else (drift, carry)
    post(
        night.league.book,
        f"carry:{revision.pk}",
        [Move(payer, payee, abs(excess))],
        memo=f"carry after a correction of hand {revision.hand.number}",
        actor=nights.actor_of(revision.made_by),
    )
