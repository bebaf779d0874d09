"""Payment plans as the visitor sees them, with the ways to pay each payment."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from django.http import HttpResponse
from django.utils.safestring import SafeString

from league.access import Visitor
from league.closing.payments import LIVE
from league.common.text import tidy
from league.models import Payment, PaymentStep, PlannedPayment
from league.pages.parts.qr_code import drawn
from league.payment_methods.kinds import PaymentDetails
from league.payment_methods.methods import (
    WayToPay,
    may_see_ways,
    methods_of_payees,
    ways_to_pay,
)

# By which ways the visitor pays what is open, or is paid, beside each planned payment.


# The worker of the pages leaves a page that says so alone: nobody's handles stay on a phone.
NOT_KEPT = "Not-Kept"


@dataclass(frozen=True, slots=True)
class ShownWay:
    """A way with its code as a picture."""

    way: WayToPay
    picture: SafeString | None = field(repr=False)


def unsaid_chips(planned: PlannedPayment) -> int:
    """Return the chips that are neither paid nor promised."""
    said = (each.chips for each in planned.paid.all() if each.state in LIVE)
    return planned.chips - sum(said)


def ways_of(visitor: Visitor, rows: Iterable[PlannedPayment]) -> dict[int, list[ShownWay]]:
    """Return the ways by planned payment, of those that are open and the visitor's; one query."""
    unpaid = [each for each in rows if unsaid_chips(each)]
    known = methods_of_payees(visitor, unpaid)
    return {
        each.pk: [
            ShownWay(way, drawn(way.code) if way.code else None)
            for way in ways_to_pay(known[each.payee.user_id], asked_of(each))
        ]
        for each in unpaid
        if each.payee.user_id in known and may_see_ways(visitor, each)
    }


def asked_of(planned: PlannedPayment) -> PaymentDetails:
    """Return what is left to pay, with the night or the season as the note."""
    plan = planned.plan
    return PaymentDetails(
        minor=unsaid_chips(planned) * plan.chip_value,
        currency=plan.currency,
        payee=planned.payee.name,
        note=note_of(planned),
    )


def note_of(planned: PlannedPayment) -> str:
    """Return what the money is for: the night, or the season where it is settled as a whole."""
    plan = planned.plan
    return tidy(str(plan.closing.night if plan.closing else plan.season))


def not_kept(answer: HttpResponse, *, shows: bool) -> HttpResponse:
    """Mark a page that shows by which ways somebody is paid."""
    if shows:
        answer[NOT_KEPT] = "1"
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A payment made of a planned one, and what the visitor may say to it."""

    payment: Payment
    worth: str
    steps: list[PaymentStep]
    may_confirm: bool
    may_dispute: bool
    may_take_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A planned payment; `unsaid` chips are neither paid nor promised.

    `own` says whether the visitor "pays" or "gets" it; it is empty where it is between others.
    """

    planned: PlannedPayment
    why: str
    worth: str
    open_chips: int
    open_worth: str
    unsaid: int
    unsaid_worth: str
    own: str
    parts: list[Part]
    ways: list[ShownWay]
    note: str
    may_promise: bool
    may_receive: bool
    key: UUID

    @property
    def has_codes(self) -> bool:
        return any(each.picture for each in self.ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """A plan with the reason for it, where it is not the first."""

    title: str
    reason: str
    dues: list[Due]

    @property
    def own(self) -> list[Due]:
        """The visitor's, those that are open first."""
        return sorted(
            (each for each in self.dues if each.own), key=lambda each: not each.open_chips
        )

    @property
    def others(self) -> list[Due]:
        return [each for each in self.dues if not each.own]

    @property
    def shows_ways(self) -> bool:
        return any(each.ways for each in self.dues)
