"""Hands that a second phone told; `rivals` and `recording` write these rows."""

from django.db import models
from django.utils import timezone

from league.models.hands import GameDocument, Hand
from league.models.limits import LONGEST_ORIGIN
from league.models.nights import Night
from league.models.people import User


class Rival(models.Model):
    """What a second phone told of a hand that was there already; it moves no chips by itself.

    The id is the key that the phone made. `number` is the hand that it believed to record.
    """

    class State(models.TextChoices):
        MERGED = "merged"  # it says the same as the hand
        WAITING = "waiting"  # it says otherwise: the host picks
        REFUSED = "refused"  # the hand stands
        TAKEN = "taken"  # the hand was corrected to what this says
        DEALT = "dealt"  # it was another deal, and is a hand of its own now

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="rivals")
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="rivals")
    origin = models.CharField(max_length=LONGEST_ORIGIN)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State)
    record = models.JSONField()
    answer = models.JSONField()
    document = models.ForeignKey(GameDocument, models.PROTECT, related_name="+")
    names = models.JSONField()
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.hand}, told otherwise"
