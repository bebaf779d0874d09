"""Read and write the log of users' actions in a league. No other module writes it.

Hands, closings and payments already record their users in rows that can't be changed either. The
log reads those rows instead of storing the actions again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nlargest
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from league.journal import entries
from league.models import (
    Closing,
    Erasure,
    HouseRule,
    League,
    LogbookEntry,
    Membership,
    Objection,
    ObjectionAnswer,
    PaymentStep,
    Revision,
    User,
)
from ledger.models import Posting

Kind = LogbookEntry.Kind
MOST = 100
ACTOR = "user:"  # prefix of the actor in `nights.actor_of`
# Account actions by members. Members' other actions outside the league are not shown.
AT_THE_DOOR = (
    Kind.SIGNED_IN,
    Kind.WRONG_PASSWORD,
    Kind.LOCKED_OUT,
    Kind.PASSWORD_CHANGED,
    Kind.PASSWORD_RESET,
    Kind.PASSWORD_LINK_USED,
    Kind.USERNAME_CHANGED,
    Kind.EMAIL_CHANGED,
    Kind.SECOND_FACTOR_ADDED,
    Kind.SECOND_FACTOR_REMOVED,
    Kind.RECOVERY_CODES_MADE,
    Kind.PASSKEY_ADDED,
    Kind.PASSKEY_REMOVED,
    Kind.PUSH_ADDED,
    Kind.PUSH_ENDED,
    Kind.SESSIONS_ENDED,
    Kind.SIGN_IN_LINKED,
    Kind.SIGN_IN_UNLINKED,
    Kind.PAYMENT_METHOD_ADDED,
    Kind.PAYMENT_METHOD_REMOVED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAction:
    """An action. `by` and `of` are None if no user was involved."""

    at: datetime
    kind: str
    by: User | None = None
    of: User | None = None
    about: dict[str, Any] = field(default_factory=dict)


@transaction.atomic
def log_action(
    kind: LogbookEntry.Kind,
    *,
    by: User | None,
    league: League | None = None,
    of: User | None = None,
    **about: Any,
) -> None:
    """Log an action.

    The transaction must not lock any other rows afterwards (`league.journal.entries`).
    """
    entry = LogbookEntry.objects.create(kind=kind, league=league, made_by=by, of=of, about=about)
    entries.append(league, entries.Kind.NOTED, LogbookEntry.objects.filter(pk=entry.pk))


def logged_actions(
    league: League, *, before: datetime | None = None, most: int = MOST
) -> list[LoggedAction]:
    """Return up to `most` actions in the league, latest first."""
    actions: list[LoggedAction] = []
    for source in SOURCES:
        actions += source(league, before, most)
    return nlargest(most, actions, key=lambda each: each.at)


def _entries(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    members = Membership.objects.filter(league=league).values("user")
    own = Q(league=league) | Q(league=None, kind__in=AT_THE_DOOR, made_by__in=members)
    own |= Q(league=None, made_by=None, of__in=members)  # actions by the operator
    rows = LogbookEntry.objects.filter(own).select_related("made_by", "of")
    for row in _latest(rows, before, most):
        yield LoggedAction(
            at=row.made_at, kind=row.kind, by=row.made_by, of=row.of, about=row.about
        )


def _hands(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Revision.objects.filter(hand__night__season__league=league, number__gt=1)
    for row in _latest(rows.select_related("hand__night", "made_by"), before, most):
        about = _of_night(row.hand.night) | {"hand": row.hand.number, "reason": row.reason}
        kind = "hand-voided" if row.voids else "hand-revised"
        yield LoggedAction(at=row.made_at, kind=kind, by=row.made_by, about=about)


def _objections(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Objection.objects.filter(hand__night__season__league=league)
    for row in _latest(rows.select_related("hand__night", "made_by"), before, most):
        about = _of_night(row.hand.night) | {"hand": row.hand.number, "reason": row.reason}
        yield LoggedAction(at=row.made_at, kind="hand-objected", by=row.made_by, about=about)


def _answers(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = ObjectionAnswer.objects.filter(objection__hand__night__season__league=league)
    rows = rows.select_related("objection__hand__night", "made_by")
    for row in _latest(rows, before, most):
        hand = row.objection.hand
        about = _of_night(hand.night) | {"hand": hand.number, "reason": row.text}
        kind = f"objection-{row.kind}"
        yield LoggedAction(at=row.made_at, kind=kind, by=row.made_by, about=about)


def _house_rules(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = HouseRule.objects.filter(league=league).select_related("made_by")
    for row in _latest(rows, before, most):
        about = {"topic": row.topic, "version": row.number}
        yield LoggedAction(at=row.made_at, kind="house-rules", by=row.made_by, about=about)


def _closings(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Closing.objects.filter(league=league).select_related("night", "made_by")
    for row in _latest(rows, before, most):
        about = _of_night(row.night) | {"reason": row.reason}
        yield LoggedAction(at=row.made_at, kind="night-closed", by=row.made_by, about=about)


def _reopened(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Posting.objects.filter(book=league.book_id, reverses__closing__isnull=False)
    rows = rows.select_related("reverses__closing__night")
    taken_back = list(_latest(rows, before, most))
    numbers = [row.actor.removeprefix(ACTOR) for row in taken_back if row.actor]
    users = User.objects.in_bulk([int(number) for number in numbers])
    for row in taken_back:
        by = users.get(int(row.actor.removeprefix(ACTOR))) if row.actor else None
        about = _of_night(row.reverses.closing.night) if row.reverses else {}
        yield LoggedAction(at=row.made_at, kind="night-reopened", by=by, about=about)


def _payments(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = PaymentStep.objects.filter(payment__planned__plan__season__league=league)
    rows = rows.select_related("payment__planned__payer", "payment__planned__payee", "made_by")
    for row in _latest(rows, before, most):
        planned = row.payment.planned
        about = {"payer": str(planned.payer), "payee": str(planned.payee)}
        about |= {"chips": row.payment.chips}
        yield LoggedAction(at=row.made_at, kind=f"payment-{row.state}", by=row.made_by, about=about)


def _erasures(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Erasure.objects.filter(player__league=league).select_related("made_by")
    for row in _latest(rows, before, most):
        yield LoggedAction(at=row.made_at, kind="erased", by=row.made_by)


SOURCES = (
    _entries,
    _hands,
    _objections,
    _answers,
    _house_rules,
    _closings,
    _reopened,
    _payments,
    _erasures,
)


def _of_night(night: Any) -> dict[str, Any]:
    return {"night": str(night), "night_id": str(night.pk)}


def _latest(rows: "QuerySet[Any]", before: datetime | None, most: int) -> "QuerySet[Any]":
    rows = rows.filter(made_at__lt=before) if before else rows
    return rows.order_by("-made_at", "-pk")[:most]
