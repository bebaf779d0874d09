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

    Each player gets one reminder, a day before the night. E-mails contain a link for answering
    without a sign-in. Push notifications open the page for signed-in users.
    """
    now = timezone.now()
    nights = PlannedNight.objects.filter(
        state=PlannedNight.State.PLANNED, starts_at__gt=now, starts_at__lte=now + REMIND_BEFORE
    )
    for planned in with_answers(nights).order_by("starts_at", "pk"):
        answered = [answer.player_id for answer in planned.answers.all() if answer.player_id]
        rows = Player.objects.filter(league=planned.league_id, user__is_active=True)
        rows = rows.exclude(pk__in=answered).select_related("user")
        silent = list(rows.order_by("name"))
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
