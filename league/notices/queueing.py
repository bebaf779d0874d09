"""The kinds of notifications, and functions that queue notifications for users."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import League, Notice, NoticeChoice, PushMessage, PushSubscription, User
from league.sending import mail
from league.sending.sender import KEEP, wake_on_commit

SOON, TODAY, THIS_WEEK = timedelta(minutes=10), timedelta(hours=12), timedelta(days=7)


class Part(StrEnum):
    """The parts of an evening, used to group kinds of notifications."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


PARTS: Mapping[Part, Promise] = {
    Part.BEFORE: _("Before the night"),
    Part.DURING: _("At the table"),
    Part.AFTER: _("After the night"),
}


class NoticeKind(StrEnum):
    NIGHT_PLANNED = "night-planned"
    ANSWER_WANTED = "answer-wanted"
    MOVED_UP = "moved-up"
    NIGHT_CHANGED = "night-changed"
    NIGHT_CANCELLED = "night-cancelled"
    DEAL_NEXT = "deal-next"
    DECLARE = "declare"
    COUNT = "count"
    NIGHT_CLOSED = "night-closed"
    NIGHT_UNSETTLED = "night-unsettled"
    PAYMENT_DUE = "payment-due"
    PAID = "paid"
    CONFIRMED = "confirmed"
    HAND_CORRECTED = "hand-corrected"
    HAND_OBJECTED = "hand-objected"
    OBJECTION_ANSWERED = "objection-answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeType:
    """A kind of notification: how it is sent by default, and how long it stays current."""

    title: Promise
    part: Part
    lasts: timedelta
    push: bool = True
    mail: bool = False
    mailed: bool = True  # whether e-mail is available as a channel


KINDS: Mapping[NoticeKind, NoticeType] = {
    NoticeKind.NIGHT_PLANNED: NoticeType(
        title=_("A new night is planned"), part=Part.BEFORE, lasts=THIS_WEEK
    ),
    NoticeKind.ANSWER_WANTED: NoticeType(
        title=_("Reminder to answer before a night"),
        part=Part.BEFORE,
        lasts=TODAY,
        mail=True,
    ),
    NoticeKind.MOVED_UP: NoticeType(
        title=_("You get a seat from the waiting list"),
        part=Part.BEFORE,
        lasts=THIS_WEEK,
        mail=True,
    ),
    NoticeKind.NIGHT_CHANGED: NoticeType(
        title=_("The time or place changes"),
        part=Part.BEFORE,
        lasts=THIS_WEEK,
        mail=True,
    ),
    NoticeKind.NIGHT_CANCELLED: NoticeType(
        title=_("A night is cancelled"), part=Part.BEFORE, lasts=THIS_WEEK, mail=True
    ),
    NoticeKind.DEAL_NEXT: NoticeType(
        title=_("It's your turn to deal"), part=Part.DURING, lasts=SOON, mailed=False
    ),
    NoticeKind.DECLARE: NoticeType(
        title=_("It's your turn to declare"), part=Part.DURING, lasts=SOON, mailed=False
    ),
    NoticeKind.COUNT: NoticeType(
        title=_("Time to count your chips"), part=Part.DURING, lasts=TODAY
    ),
    NoticeKind.NIGHT_CLOSED: NoticeType(
        title=_("Your result and payments when a night closes"),
        part=Part.AFTER,
        lasts=THIS_WEEK,
        mail=True,
    ),
    NoticeKind.NIGHT_UNSETTLED: NoticeType(
        title=_("A night needs a decision from you as host"),
        part=Part.AFTER,
        lasts=THIS_WEEK,
        mail=True,
    ),
    NoticeKind.PAYMENT_DUE: NoticeType(
        title=_("Reminder of unpaid debts"), part=Part.AFTER, lasts=THIS_WEEK, mail=True
    ),
    NoticeKind.PAID: NoticeType(
        title=_("Someone sent you a payment"), part=Part.AFTER, lasts=THIS_WEEK
    ),
    NoticeKind.CONFIRMED: NoticeType(
        title=_("Your payment was received"), part=Part.AFTER, lasts=THIS_WEEK
    ),
    NoticeKind.HAND_CORRECTED: NoticeType(
        title=_("One of your hands was corrected"), part=Part.AFTER, lasts=THIS_WEEK
    ),
    NoticeKind.HAND_OBJECTED: NoticeType(
        title=_("A player disputes a hand, if you are a host"), part=Part.AFTER, lasts=THIS_WEEK
    ),
    NoticeKind.OBJECTION_ANSWERED: NoticeType(
        title=_("A host answers your dispute"), part=Part.AFTER, lasts=THIS_WEEK
    ),
}


LONGEST_TITLE, LONGEST_BODY = 200, 300
QUEUE = "pushes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A message to one user. `key` is unique per user, and `lines` is the text of the e-mail."""

    user: User
    key: str
    title: str
    body: str
    link: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels through which a user receives a kind of notification."""

    push: bool
    mail: bool


def notify(kind: NoticeKind, league: League, messages: Iterable[Notification]) -> None:
    """Queue the messages in the caller's transaction, which should include their cause."""
    queued = list(messages)
    if not queued:
        return
    users = [message.user for message in queued]
    choices = NoticeChoice.objects.filter(kind=kind, user__in=users)
    chosen = {choice.user_id: choice for choice in choices}
    ways = {user.pk: _channels(kind, chosen.get(user.pk)) for user in users}
    for message in queued:
        if ways[message.user.pk].mail:
            lines = [*(message.lines or [message.body])]
            if settings.SITE_URL:
                lines.append(f"{settings.SITE_URL}{message.link}")
            mail.write(
                message.key, message.user.email, f"{league}: {message.title}", lines, league=league
            )
    pushed = [message for message in queued if ways[message.user.pk].push]
    if pushed:
        _push(kind, league, pushed)


def channels_of(user: User) -> dict[NoticeKind, Channels]:
    chosen = {each.kind: each for each in NoticeChoice.objects.filter(user=user)}
    return {kind: _channels(kind, chosen.get(kind)) for kind in KINDS}


@transaction.atomic
def choose(user: User, ways: Mapping[NoticeKind, Channels]) -> None:
    for kind, way in ways.items():
        chosen = {"by_push": way.push, "by_mail": way.mail and KINDS[kind].mailed}
        NoticeChoice.objects.update_or_create(user=user, kind=kind, defaults=chosen)


def delete_old() -> None:
    """Delete old notifications, and phones that were removed long ago."""
    before = timezone.now() - KEEP
    Notice.objects.filter(made_at__lt=before).delete()
    PushSubscription.objects.filter(gone_at__lt=before).delete()


def _channels(kind: NoticeKind, chosen: NoticeChoice | None) -> Channels:
    about = KINDS[kind]
    if chosen is None:
        return Channels(about.push, about.mail)
    return Channels(chosen.by_push, chosen.by_mail and about.mailed)


def _push(kind: NoticeKind, league: League, notifications: Sequence[Notification]) -> None:
    users = [notification.user for notification in notifications]
    keys = [notification.key for notification in notifications]
    phones = list(PushSubscription.objects.filter(user__in=users, gone_at=None))
    if not phones:
        return
    notices = Notice.objects.filter(user__in=users, key__in=keys)
    before = set(notices.values_list("key", flat=True))
    reached = {phone.user_id for phone in phones}
    rows = [
        Notice(
            user=notification.user,
            league=league,
            kind=kind,
            key=notification.key,
            title=notification.title[:LONGEST_TITLE],
            body=notification.body[:LONGEST_BODY],
            link=notification.link,
        )
        for notification in notifications
        if notification.key not in before and notification.user.pk in reached
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    now, new = timezone.now(), list(notices.exclude(key__in=before))
    pushes = [
        PushMessage(notice=notice, subscription=phone, due_at=now)
        for notice in new
        for phone in phones
        if phone.user_id == notice.user_id
    ]
    PushMessage.objects.bulk_create(pushes, ignore_conflicts=True)
    if pushes:
        wake_on_commit(QUEUE)
