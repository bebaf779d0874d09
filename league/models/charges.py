"""Charges: amounts that players owe outside of the hands, such as costs and side bets."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.hands import Hand
from league.models.nights import Night
from league.models.people import Player, User
from league.models.shared import LONGEST_REASON, MOST_CHIPS, ClientKeyed


class Charge(ClientKeyed):
    """Chips that move between tabs outside of play, with the reason.

    `fund` is how many chips go into the season's fund, negative if chips come out of it. The
    players' shares and `fund` add up to zero. The `keeper` holds the fund's money. A side bet
    references the hand that won the bet. That hand belongs to the same night, except for the
    season's high hand. A tournament's result is also a charge, as are starting cash and a
    difference found by counting the cash box, in which the box has a share. A charge never changes.
    To correct a charge, it is undone and its posting is reversed.
    """

    class Kind(models.TextChoices):
        COST = "cost", _("Cost")
        TIP = "tip", _("Tip")
        BOUNTY = "bounty", _("Bounty")
        HIGH_HAND = "high-hand", _("High hand")
        SEASON_HIGH_HAND = "season-high-hand", _("High hand of the season")
        BAD_BEAT = "bad-beat", _("Bad beat")
        STAND_UP = "stand-up", _("Stand-up game")
        FUND = "fund", _("Into the fund")
        PRIZE = "prize", _("From the fund")
        TOURNAMENT = "tournament", _("Tournament")
        STARTING_CASH = "starting-cash", _("Starting cash")
        CASH_COUNT = "cash-count", _("Cash box count")

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="charges")
    kind = models.CharField(max_length=20, choices=Kind)
    title = models.CharField(max_length=LONGEST_REASON, blank=True)
    hand = models.ForeignKey(Hand, models.PROTECT, null=True, related_name="charges")
    fund = models.BigIntegerField(default=0)
    keeper = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    posting = models.OneToOneField("ledger.Posting", models.PROTECT, related_name="charge")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(fund=0, keeper=None) | ~Q(fund=0) & Q(keeper__isnull=False),
                name="league_charge_fund_has_keeper",
            ),
        )

    def __str__(self) -> str:
        return self.title or self.kind


class ChargeShare(models.Model):
    """The chips that a player receives and owes in a charge.

    A player can do both. For example, the player who paid for the pizza also owes a share of it.
    `place` is the player's place in a tournament.
    """

    charge = models.ForeignKey(Charge, models.PROTECT, related_name="shares", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="charge_shares")
    gets = models.BigIntegerField(default=0)
    owes = models.BigIntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["charge", "player"], name="league_charge_share_once"),
            models.CheckConstraint(
                condition=Q(gets__gte=0, gets__lte=MOST_CHIPS)
                & Q(owes__gte=0, owes__lte=MOST_CHIPS)
                & (Q(gets__gt=0) | Q(owes__gt=0)),
                name="league_charge_share_is_something",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.net}"

    @property
    def net(self) -> int:
        return self.gets - self.owes
