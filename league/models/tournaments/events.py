"""What happened at a tournament, in order."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.people import Player, User
from league.models.tournaments.tournament import Tournament


def nobody() -> list[Any]:
    return []


class TournamentEvent(models.Model):
    """Something that happened at a tournament; none changes or goes, one that was wrong is undone.

    Who was knocked out has the ids of those who did it in `knocked_out_by`.
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
