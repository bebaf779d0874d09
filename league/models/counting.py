"""Chips on their way off the table: cash-outs and counts; `cashing` and `counts` write these."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.limits import MOST_CHIPS
from league.models.nights import Night
from league.models.people import Player, User


class CashOut(models.Model):
    """Chips that a player gave back during the night: onto the tab, or for a banker's cash."""

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="cash_outs")
    player = models.ForeignKey(Player, models.PROTECT, related_name="cash_outs")
    chips = models.BigIntegerField()
    banker = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    posting = models.OneToOneField("ledger.Posting", models.PROTECT, related_name="cash_out")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(chips__gte=1, chips__lte=MOST_CHIPS),
                name="league_cash_out_is_positive",
            ),
        )

    def __str__(self) -> str:
        return f"{self.chips} from {self.player}"


class Count(models.Model):
    """The chips that someone counted before a player; of several the last one counts.

    `chips` is empty where a count was taken back.
    """

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="counts", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="counts")
    number = models.PositiveIntegerField()
    chips = models.BigIntegerField(null=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["night", "number"], name="league_count_number_once"),
            models.CheckConstraint(
                condition=Q(chips__isnull=True) | Q(chips__gte=0, chips__lte=MOST_CHIPS),
                name="league_count_is_not_negative",
            ),
        )

    def __str__(self) -> str:
        return f"{self.chips} counted for {self.player}"
