"""That a person was erased: what remains to be told of it; `erasing` writes these rows."""

from django.db import models
from django.utils import timezone

from league.models.people import Player, User


class Erasure(models.Model):
    """A player whose name is gone, or an account where there is no player; the chips stay."""

    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="erasures")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.player or 'an account'}, erased"
