"""Tournaments and tournament events."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models.charges import Charge
from league.models.nights import Night
from league.models.people import Player, User
from league.models.shared import LONGEST_NAME, MOST_CHIPS, ClientKeyed


def no_rows() -> list[Any]:
    return []


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def running(self) -> "TournamentQuerySet":
        """Return the tournaments that have no result and were not cancelled."""
        over = Q(charge__isnull=False, charge__posting__reversal=None)
        return self.filter(called_off_at=None).exclude(over)


class Tournament(ClientKeyed):
    """A tournament.

    A tournament has its own chips, which have no cash value, and prizes for paid places.

    Prices (`entry`, `rebuy`, `add_on`, `bounty`) are in league chips. `stack`, `rebuy_stack` and
    `add_on_stack` are in tournament chips. `league.tournaments.clock` describes the format of
    `levels`. `parts` lists the percentages of the pool by place. If the list is empty, the defaults
    apply. Late entries and rebuys are possible until the end of the level `late_until`, not
    counting breaks; 0 means no limit. `clock_passed` is how many milliseconds the clock had run
    when it was started at `clock_started_at`, or when it was stopped if `clock_started_at` is None.
    The tournament is over when it has a `charge`, which contains the result. `deal` contains the
    chips that the remaining players agreed on, as pairs in order of place. Pairs are used instead
    of an object because PostgreSQL does not preserve the order of keys.
    """

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="tournaments")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    entry = models.BigIntegerField()
    rebuy = models.BigIntegerField(default=0)
    add_on = models.BigIntegerField(default=0)
    bounty = models.BigIntegerField(default=0)
    stack = models.BigIntegerField()
    rebuy_stack = models.BigIntegerField(default=0)
    add_on_stack = models.BigIntegerField(default=0)
    levels = models.JSONField(default=no_rows)
    late_until = models.PositiveSmallIntegerField(default=0)
    parts = models.JSONField(default=no_rows, blank=True)
    round_to = models.BigIntegerField(default=1)
    seats = models.PositiveSmallIntegerField(default=9)
    seed = models.CharField(max_length=64, editable=False)
    clock_passed = models.BigIntegerField(default=0)
    clock_started_at = models.DateTimeField(null=True)
    deal = models.JSONField(null=True)
    charge = models.OneToOneField(Charge, models.PROTECT, null=True, related_name="tournament")
    called_off_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(entry__gte=1, entry__lte=MOST_CHIPS)
                & Q(rebuy__gte=0, rebuy__lte=MOST_CHIPS)
                & Q(add_on__gte=0, add_on__lte=MOST_CHIPS)
                & Q(bounty__gte=0, bounty__lte=MOST_CHIPS),
                name="league_tournament_prices",
            ),
        )

    def __str__(self) -> str:
        return self.name or _("Tournament")


def nobody() -> list[Any]:
    return []


class TournamentEvent(ClientKeyed):
    """A tournament event. Events never change. To correct an event, it is undone.

    `knocked_out_by` contains the ids of the players who knocked the player out.
    """

    class Kind(models.TextChoices):
        ENTRY = "entry"
        REBUY = "rebuy"
        ADD_ON = "add-on"
        OUT = "out"
        SEAT = "seat"
        UNDO = "undo"

    id = models.UUIDField(primary_key=True)
    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="events", db_index=False
    )
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, choices=Kind)
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    knocked_out_by = models.JSONField(default=nobody)
    table = models.PositiveSmallIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["tournament", "number"], name="league_tournament_event_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="undo", player=None, undoes__isnull=False)
                | ~Q(kind="undo") & Q(player__isnull=False, undoes=None),
                name="league_tournament_event_is_whole",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.player or self.undoes_id}"
