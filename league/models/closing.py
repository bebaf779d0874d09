"""The end of a night: cash-outs, counts and closings.

A closing never changes. If a night is closed again after a correction, it gets a new closing, and
the posting of the earlier closing is reversed.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.nights import Night, no_pots
from league.models.people import League, Player, User
from league.models.shared import LONGEST_REASON, MOST_CHIPS, ClientKeyed


class Closing(ClientKeyed):
    """The result of closing a night, with its posting.

    A league's closings are chained by their hashes.

    `kept` contains the pots that stay for the next night, as [{"amount", "for": [player ids]}].
    `by_hands` is true if the chips of some players were computed from the hands instead of counted.
    `hash` is the hash of the closing's journal entry.
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
    """A player's line in a closing, in chips.

    `stack` is the stack according to the hands. `back` is the player's share of returned pots.
    `put_right` is the amount that the player is owed because the table paid pots differently from
    the rules. `bears` is the player's share of missing chips, negative for surplus chips. `entered`
    is the amount that the player paid for tournaments, and `prizes` is the amount won in them.
    `cash` is how cash payments changed the tab. `charged` is how costs, side bets and the fund
    changed the tab. `settles` is the amount that the payment plan has to settle.
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
        """The player's final chips: the counted chips, or the chips computed from the hands."""
        return self.stack + self.back if self.counted is None else self.counted

    @property
    def drift(self) -> int:
        """How many chips are missing from the count, compared with the hands."""
        return self.stack + self.back - self.chips

    @property
    def excess(self) -> int:
        """How many extra chips were counted, compared with the hands."""
        return -self.drift

    @property
    def corrected(self) -> int:
        """How corrections changed the expected chips later, if set by `with_corrections`."""
        return int(vars(self).get("changed", 0))

    @property
    def short(self) -> int:
        """How many chips were missing from the count before later corrections, or negative."""
        return self.drift - self.corrected

    @property
    def over(self) -> int:
        return -self.short

    @property
    def by_count(self) -> int:
        """The effect of the count on the result: the excess plus the share of missing chips."""
        return self.excess + self.bears

    @property
    def net(self) -> int:
        """The night's result, at the table and in tournaments."""
        return self.at_table + self.in_tournaments

    @property
    def at_table(self) -> int:
        """The result outside of tournaments, including the effect of the count."""
        return self.chips + self.cashed - self.bought + self.put_right + self.bears

    @property
    def in_tournaments(self) -> int:
        return self.prizes - self.entered

    @property
    def tonight(self) -> int:
        """The result of the hands alone, without returned pots or the effect of the count."""
        return self.at_table - self.by_count - self.back

    @property
    def tab(self) -> int:
        """How the night changes the player's tab."""
        return self.net + self.cash + self.charged


class ReceiptLink(models.Model):
    """A link to a night's receipt that works without a sign-in. Only the token's hash is stored."""

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


class CashOut(ClientKeyed):
    """Chips that a player returned during the night, onto the tab or for cash from a banker."""

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


class ChipCount(ClientKeyed):
    """A count of a player's chips. Only each player's last count is used.

    `chips` is None if the count was withdrawn.
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
