"""Planned nights, their series, and the players' answers."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.nights import Night
from league.models.people import League, Player, User
from league.models.shared import LONGEST_NAME, LONGEST_PLACE, LONGEST_REASON, ClientKeyed

MOST_SEATS = 100
MOST_WEEKS_APART = 8


class PlannedNightBase(ClientKeyed):
    """The details of a planned night: its name, place and number of seats."""

    id = models.UUIDField(primary_key=True, default=uuid4)
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    place = models.CharField(max_length=LONGEST_PLACE, blank=True)
    note = models.CharField(max_length=LONGEST_REASON, blank=True)
    seats = models.PositiveSmallIntegerField(null=True, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(
                condition=Q(seats=None) | Q(seats__gte=1, seats__lte=MOST_SEATS),
                name="league_%(class)s_seats_are_some",
            ),
        )


class NightSeries(PlannedNightBase):
    """Nights that repeat every n weeks on the weekday of `starts_on`, at a local time.

    The series continues until `ends_on`, if set, or until a user ends it.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="night_series")
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    every_weeks = models.PositiveSmallIntegerField(default=1)
    at = models.TimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta(PlannedNightBase.Meta):
        constraints = (
            *PlannedNightBase.Meta.constraints,
            models.CheckConstraint(
                condition=Q(every_weeks__gte=1, every_weeks__lte=MOST_WEEKS_APART),
                name="league_series_weeks_apart",
            ),
        )

    def __str__(self) -> str:
        return self.name or _("Every %(day)s") % {"day": self.starts_on.strftime("%A")}


class PlannedNight(PlannedNightBase):
    """A planned night. If the night belongs to a series, `day` is its day in the series.

    If `moved` is true, a user changed its time, and the night no longer follows the series. `seed`
    determines the draw of seats. Only the hash of the seed is published until the night starts.
    `sequence` increases with every change that calendars have to show.
    """

    class State(models.TextChoices):
        PLANNED = "planned"
        STARTED = "started"
        CANCELLED = "cancelled"

    league = models.ForeignKey(League, models.CASCADE, related_name="planned_nights")
    series = models.ForeignKey(NightSeries, models.CASCADE, null=True, related_name="nights")
    day = models.DateField(null=True)
    starts_at = models.DateTimeField()
    state = models.CharField(max_length=20, choices=State, default=State.PLANNED)
    night = models.OneToOneField(Night, models.SET_NULL, null=True, related_name="plan")
    seed = models.CharField(max_length=64, editable=False)
    moved = models.BooleanField(default=False, editable=False)
    sequence = models.PositiveIntegerField(default=0, editable=False)

    class Meta(PlannedNightBase.Meta):
        indexes = (models.Index(fields=["league", "starts_at"], name="league_planned_in_order"),)
        constraints = (
            *PlannedNightBase.Meta.constraints,
            models.UniqueConstraint(fields=["series", "day"], name="league_planned_day_once"),
        )

    def __str__(self) -> str:
        return self.name or str(_("Poker night"))


def no_guests() -> list[Any]:
    return []


class NightAnswer(models.Model):
    """An answer to a planned night from a player, or from a new guest identified by name.

    `since` is when this answer was first given. `guests_since` contains the time at which each
    guest was added, in ISO format. Seats are assigned in the order of these times.
    """

    class Says(models.TextChoices):
        YES = "yes", _("Yes")
        MAYBE = "maybe", _("Maybe")
        NO = "no", _("No")

    planned_night = models.ForeignKey(
        PlannedNight, models.CASCADE, related_name="answers", db_index=False
    )
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="answers")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    says = models.CharField(max_length=20, choices=Says)
    guests_since = models.JSONField(default=no_guests)
    brings = models.CharField(max_length=LONGEST_PLACE, blank=True)
    since = models.DateTimeField()
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "league_answer"
        constraints = (
            models.UniqueConstraint(
                fields=["planned_night", "player"], name="league_answer_player_once"
            ),
            models.UniqueConstraint(
                "planned_night",
                Lower("name"),
                condition=Q(player=None),
                name="league_answer_guest_once",
            ),
            models.CheckConstraint(
                condition=Q(player=None) & ~Q(name="") | Q(player__isnull=False, name=""),
                name="league_answer_is_somebodys",
            ),
        )

    def __str__(self) -> str:
        return self.player.name if self.player else self.name

    @property
    def guests(self) -> int:
        return len(self.guests_since)


class NightAnswerLink(models.Model):
    """A link for answering without an account, for one player or for the whole league.

    The token is derived from the id and the service's secret key. Only the token's hash is stored.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="answer_links")
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="answer_links")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "league_answerlink"

    def __str__(self) -> str:
        return f"of {self.player or self.league}"
