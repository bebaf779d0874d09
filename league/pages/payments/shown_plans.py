"""Plans of payments as their page shows them, to the visitor who looks."""

from dataclasses import dataclass
from uuid import UUID

from league.models import Payment, PaymentStep, PlannedPayment
from league.pages.payments.ways import ShownWay


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
class Planned:
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
