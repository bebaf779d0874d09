"""Remind players to answer the invitation to a planned night."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import PlannedNight, Player
from league.notices.queueing import NoticeKind, Notification, notify
from league.planned_nights.answer_links import give_links
from league.planned_nights.messages import date_and_time, link_to
from league.planned_nights.planning import with_answers

REMIND_BEFORE = timedelta(days=1)


def remind_all() -> None:
    """Remind players with an account who have not answered.

    Each player gets one reminder, a day before the night.
    """
    now = timezone.now()
    rows = PlannedNight.objects.filter(
        state=PlannedNight.State.PLANNED, starts_at__gt=now, starts_at__lte=now + REMIND_BEFORE
    )
    for planned in with_answers(rows).order_by("starts_at", "pk"):
        _remind(planned)


def _remind(planned: PlannedNight) -> None:
    """Send the night's reminders.

    E-mails contain a link for answering without a sign-in. Push notifications open the page for
    signed-in users.
    """
    answered = [each.player_id for each in planned.answers.all()]
    rows = Player.objects.filter(league=planned.league_id, user__is_active=True)
    rows = rows.exclude(pk__in=[each for each in answered if each])
    silent = list(rows.select_related("user").order_by("name"))
    tokens = give_links(planned.league, silent) if silent else {}
    when = f"{planned}: {date_and_time(planned)}"
    lines = [line for line in (when, planned.place, _("You haven't answered yet.")) if line]
    answers = f"{settings.SITE_URL}/answers"
    messages = [
        Notification(
            user=player.user,
            key=f"planned:{planned.pk}:{player.pk}",
            title=_("Are you coming?"),
            body=when,
            link=link_to(planned),
            lines=[*lines, f"{answers}/{tokens[player.pk]}"] if settings.SITE_URL else lines,
        )
        for player in silent
        if player.user
    ]
    notify(NoticeKind.ANSWER_WANTED, planned.league, messages)
