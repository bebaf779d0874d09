"""Phones that joined a league by its code; `devices` writes these rows."""

from django.db import models
from django.utils import timezone

from league.models.limits import LONGEST_NAME
from league.models.people import League, Player, User


class Device(models.Model):
    """A phone that joined; signing it out ends its session. `kind` is what it says it is."""

    league = models.ForeignKey(League, models.CASCADE, related_name="devices")
    user = models.ForeignKey(User, models.CASCADE, related_name="devices")
    player = models.ForeignKey(Player, models.CASCADE, related_name="devices")
    session_key = models.CharField(max_length=40, editable=False)
    kind = models.CharField(max_length=LONGEST_NAME, blank=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    seen_at = models.DateTimeField(default=timezone.now, editable=False)
    signed_out_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} of {self.player}"
