"""The hand that is being dealt: its game, who is dealt in, what each phone has told of it.

All of it is working notes of one table. When the hand is saved, or the deal is dropped, its rows
are deleted; what counts then stands in the hand.
"""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.limits import LONGEST_GAME_NAME
from league.models.nights import Night
from league.models.people import Player, User


def no_words() -> list[str]:
    return []


def no_choices() -> dict[str, Any]:
    return {}


class Deal(models.Model):
    """The one open deal of a night. Its id, which a phone made, is the id that the hand will have.

    `stage` counts the stages of the game's rules card. The declarations of its players are
    `revealed_at` once, all together.
    """

    id = models.UUIDField(primary_key=True)
    night = models.OneToOneField(Night, models.CASCADE, related_name="deal")
    dealer = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    variant = models.CharField(max_length=LONGEST_GAME_NAME)
    modifiers = models.JSONField(default=no_words, blank=True)
    options = models.JSONField(default=no_choices, blank=True)
    stage = models.PositiveSmallIntegerField(default=0)
    revealed_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.variant} of {self.night}"


class DealtPlayer(models.Model):
    """Who is dealt in, and what they declare: sealed by the service's key until all have."""

    class State(models.TextChoices):
        IN = "in"
        FOLDED = "folded"
        LATE = "late"  # folded after the last card
        MUCKED = "mucked"
        ALL_IN = "all-in"
        AWAY = "away"  # not dealt in after all

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="players", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.IN)
    state_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    declaration = models.TextField(blank=True)  # encrypted
    declared_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["deal", "player"], name="league_dealt_in_once"),
        )

    def __str__(self) -> str:
        return f"{self.player}, {self.state}"


class ShownCards(models.Model):
    """The cards of a player, or the board where there is none, as one phone tells them.

    `cards` are texts by the field of the hand's form: down and up, or the rows of the board.
    """

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="shown", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    told_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    cards = models.JSONField(default=no_choices)
    told_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["deal", "player", "told_by"], name="league_shown_cards_once_each"
            ),
            models.UniqueConstraint(
                fields=["deal", "told_by"],
                condition=Q(player__isnull=True),
                name="league_shown_board_once_each",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player or 'the board'}, as {self.told_by} tells"
