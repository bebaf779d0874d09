"""Notifications about nights that are planned, changed or cancelled, and about free seats."""

from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Membership, NightAnswer, PlannedNight, User
from league.notices.queueing import NoticeKind, Notification, notify
from league.planned_nights.waiting_list import Attendance


def date_and_time(planned: PlannedNight) -> str:
    """Return the day and time in the league's time zone, without the year."""
    there = planned.starts_at.astimezone(ZoneInfo(planned.league.time_zone))
    return date_format(there, "l, j F, H:i")


def link_to(planned: PlannedNight) -> str:
    return f"/planned-nights/{planned.pk}"


def notify_planned(planned: PlannedNight, *, by: User | None) -> None:
    """Notify the league's members about a new night, except the user who planned it."""
    members = Membership.objects.filter(league=planned.league, user__is_active=True)
    users = [each.user for each in members.select_related("user") if each.user != by]
    messages = [
        Notification(
            user=user,
            key=f"night-planned:{planned.pk}:{user.pk}",
            title=_("New night planned"),
            body=_("%(when)s. Are you coming?") % {"when": date_and_time(planned)},
            link=link_to(planned),
        )
        for user in users
    ]
    notify(NoticeKind.NIGHT_PLANNED, planned.league, messages)


def notify_changed(planned: PlannedNight, *, by: User | None) -> None:
    """Notify players who answered "yes" or "maybe" about a changed time or place.

    The user who made the change is not notified.
    """
    where = f", {planned.place}" if planned.place else ""
    messages = [
        Notification(
            user=user,
            key=f"night-changed:{planned.pk}:{planned.sequence}:{user.pk}",
            title=_("A night has changed"),
            body=_("%(when)s%(where)s. Are you still coming?")
            % {"when": date_and_time(planned), "where": where},
            link=link_to(planned),
        )
        for user in _possible_attendees(planned)
        if user != by
    ]
    notify(NoticeKind.NIGHT_CHANGED, planned.league, messages)


def notify_cancelled(planned: PlannedNight) -> None:
    """Notify players who answered "yes" or "maybe" that the night is cancelled."""
    messages = [
        Notification(
            user=user,
            key=f"night-cancelled:{planned.pk}:{user.pk}",
            title=_("Night cancelled"),
            body=f"{date_and_time(planned)}.",
            link=link_to(planned),
        )
        for user in _possible_attendees(planned)
    ]
    notify(NoticeKind.NIGHT_CANCELLED, planned.league, messages)


def notify_moved_up(planned: PlannedNight, before: Attendance, after: Attendance) -> None:
    """Notify players on the waiting list who now have a seat."""
    waited = {each.answer.pk for each in before.waiting if not each.guest}
    moved = [each.answer for each in after.seated if not each.guest and each.answer.pk in waited]
    since = {each.player.user: each.since for each in moved if each.player and each.player.user}
    messages = [
        Notification(
            user=user,
            key=f"moved-up:{planned.pk}:{user.pk}:{int(since[user].timestamp())}",
            title=_("You have a seat"),
            body=_("A seat opened up, so you're in: %(when)s.") % {"when": date_and_time(planned)},
            link=link_to(planned),
        )
        for user in since
    ]
    notify(NoticeKind.MOVED_UP, planned.league, messages)


def _possible_attendees(planned: PlannedNight) -> list[User]:
    coming = planned.answers.exclude(says=NightAnswer.Says.NO).filter(player__user__is_active=True)
    answers = coming.select_related("player__user")
    return [each.player.user for each in answers if each.player and each.player.user]
