"""The end of a night: cash-outs, counts and closings.

A closing never changes. A night that is closed again after a correction gets another closing, and
the posting of the earlier one is reversed.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.limits import LONGEST_REASON, MOST_CHIPS
from league.models.nights import Night, no_pots
from league.models.people import League, Player, User


class Closing(models.Model):
    """The result of closing a night and its posting, chained by hash to the closing before.

    `kept` are pots that stay for the next night, [{"amount", "for": [player ids]}]. `by_hands` is
    true if some chips were not counted. `hash` is that of the closing's entry in the journal.
    """

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="closings", db_index=False)
    number = models.PositiveIntegerField()
    league = models.ForeignKey(League, models.PROTECT, related_name="closings", db_index=False)
    sequence = models.PositiveIntegerField()
    posting = models.OneToOneField("ledger.Posting", models.PROTECT, related_name="closing")
    by_hands = models.BooleanField(default=False)
    kept = models.JSONField(default=no_pots)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["night", "number"], name="league_closing_number_once"),
            models.UniqueConstraint(
                fields=["league", "sequence"], name="league_closing_sequence_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.night}, closing {self.number}"


class ClosingLine(models.Model):
    """A player's line of a closing, in chips.

    `stack` is what the hands explain, `back` the share of a returned pot, `put_right` what the
    rules give beyond what the table pushed, `bears` the share of chips that the count lacks (below
    zero: of too many). `entered` was paid for tournaments, `prizes` were won there. Apart from the
    play, `cash` is the effect of cash on the tab, and `charged` that of costs, side bets and the
    fund. `settles` is what the plan has to settle.
    """

    closing = models.ForeignKey(Closing, models.PROTECT, related_name="lines", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="lines")
    position = models.PositiveSmallIntegerField()
    bought = models.BigIntegerField(default=0)
    cashed = models.BigIntegerField(default=0)
    stack = models.BigIntegerField(default=0)
    back = models.BigIntegerField(default=0)
    counted = models.BigIntegerField(null=True)
    put_right = models.BigIntegerField(default=0)
    bears = models.BigIntegerField(default=0)
    entered = models.BigIntegerField(default=0, db_default=0)
    prizes = models.BigIntegerField(default=0, db_default=0)
    cash = models.BigIntegerField(default=0)
    charged = models.BigIntegerField(default=0, db_default=0)
    settles = models.BigIntegerField(default=0)

    class Meta:
        db_table = "league_line"
        constraints = (
            models.UniqueConstraint(fields=["closing", "player"], name="league_line_player_once"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.net}"

    @property
    def chips(self) -> int:
        """The player's final chips: counted, or computed from the hands."""
        return self.stack + self.back if self.counted is None else self.counted

    @property
    def drift(self) -> int:
        """Chips that the hands explain but the count did not find."""
        return self.stack + self.back - self.chips

    @property
    def excess(self) -> int:
        """Chips that the count found but the hands do not explain."""
        return -self.drift

    @property
    def by_count(self) -> int:
        """The change by the count: chips beyond what the hands explain, and the share of it."""
        return self.excess + self.bears

    @property
    def net(self) -> int:
        """The result of the night: at the table, as changed by the count, and in tournaments."""
        return self.at_table + self.in_tournaments

    @property
    def at_table(self) -> int:
        """The result of the hands outside of tournaments, as changed by the count."""
        return self.chips + self.cashed - self.bought + self.put_right + self.bears

    @property
    def in_tournaments(self) -> int:
        """The result of tournaments."""
        return self.prizes - self.entered

    @property
    def tonight(self) -> int:
        """The result of the hands alone, before the pot in the middle and the count."""
        return self.at_table - self.by_count - self.back

    @property
    def tab(self) -> int:
        """The change of the player's tab in the night."""
        return self.net + self.cash + self.charged


class ReceiptLink(models.Model):
    """A link to read a night without signing in. Only the token's hash is stored."""

    night = models.ForeignKey(Night, models.PROTECT, related_name="receipt_links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=["night"], condition=Q(revoked_at=None), name="league_receipt_links_open"
            ),
        )

    def __str__(self) -> str:
        return f"a link to {self.night}"


class CashOut(models.Model):
    """Chips that a player returned during the night, onto the tab or for a banker's cash."""

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


class ChipCount(models.Model):
    """A count of a player's chips. The last one counts.

    `chips` is empty if a count was withdrawn.
    """

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="counts", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="counts")
    number = models.PositiveIntegerField()
    chips = models.BigIntegerField(null=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "league_count"
        constraints = (
            models.UniqueConstraint(fields=["night", "number"], name="league_count_number_once"),
            models.CheckConstraint(
                condition=Q(chips__isnull=True) | Q(chips__gte=0, chips__lte=MOST_CHIPS),
                name="league_count_is_not_negative",
            ),
        )

    def __str__(self) -> str:
        return f"{self.chips} counted for {self.player}"
