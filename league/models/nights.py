"""Seasons and nights, their seats, and the chips that players bought or requested."""

from datetime import date
from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models.people import League, Player, User
from league.models.shared import LONGEST_NAME, LONGEST_REASON, MOST_CHIPS, ClientKeyed


class Scoring(models.TextChoices):
    """How a season ranks its players: by net, by points for places, or by a points document."""

    NET = "net"
    PLACES = "places"
    DOCUMENT = "document"


def no_points() -> list[int]:
    return []


class Season(models.Model):
    """A series of nights with one ranking.

    If `scoring` is by places, `points` lists the points for first place, second place and so on. If
    it is by a document, `document` contains it (`league.scoring.points_document`). If `best_nights`
    is set, only that many of a player's best nights count. A player's `drop_worst` worst nights
    don't count. A missed night counts as a night with 0.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="seasons", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    scoring = models.CharField(max_length=20, choices=Scoring, default=Scoring.NET)
    points = models.JSONField(default=no_points, blank=True)
    best_nights = models.PositiveSmallIntegerField(null=True, blank=True)
    document = models.JSONField(null=True, blank=True)
    drop_worst = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["league", "name"], name="league_season_name_once"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="league_season_ends_after_it_starts",
            ),
        )

    def __str__(self) -> str:
        return self.name


def no_pots() -> list[dict[str, Any]]:
    return []


def name_in_words(name: str) -> str:
    """Return a night's name for readers. A day such as 2026-11-20 is written out."""
    day = _day_of(name)
    return date_format(day, "D j M Y") if day else name


def _day_of(name: str) -> date | None:
    try:
        day = date.fromisoformat(name)
    except ValueError:
        return None
    return day if day.isoformat() == name else None


class Night(ClientKeyed):
    """A session of play. Its stacks, carry and drift are accounts in the league's book.

    `chip_value` is fixed when the night begins. `opening_pots` contains pots carried over from
    earlier nights, as [{"amount", "for": [player ids]}]. `version` increases with every write to
    the night, which allows phones to detect changes. `imported` nights come from files.
    """

    class State(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    season = models.ForeignKey(Season, models.PROTECT, related_name="nights", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    chip_value = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    usual_buy_in = models.BigIntegerField()
    opening_pots = models.JSONField(default=no_pots, blank=True)
    version = models.PositiveBigIntegerField(default=0, editable=False)
    imported = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["season", "number"], name="league_night_number_once"),
            models.CheckConstraint(
                condition=Q(chip_value__gte=1, chip_value__lte=MOST_CHIPS),
                name="league_night_chip_is_worth_something",
            ),
            models.CheckConstraint(
                condition=Q(usual_buy_in__gte=1, usual_buy_in__lte=MOST_CHIPS),
                name="league_night_buy_in_is_positive",
            ),
        )

    def __str__(self) -> str:
        return name_in_words(self.name) or _("Night %(number)s") % {"number": self.number}

    @property
    def is_named_by_day(self) -> bool:
        """Whether the name is a day such as 2026-11-20. Imports without a name use the day."""
        return _day_of(self.name) is not None

    @property
    def league(self) -> League:
        return self.season.league

    @property
    def is_live(self) -> bool:
        """Whether the night is being played. Imported nights are only corrected and closed."""
        return self.state == self.State.OPEN and not self.imported


class Seat(models.Model):
    """A player's seat in a night. Position 1 is to the left of the first dealer.

    `leaving_at` is when the player will leave, if the player has given notice.
    """

    night = models.ForeignKey(Night, models.CASCADE, related_name="seats", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    position = models.PositiveSmallIntegerField()
    joined_at = models.DateTimeField(default=timezone.now)
    leaving_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["night", "player"], name="league_seat_player_once"),
            models.UniqueConstraint(
                fields=["night", "position"],
                condition=Q(left_at__isnull=True),
                name="league_seat_taken_by_one",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} in seat {self.position}"


class FormerName(models.Model):
    """A name that a player had during a night, before a host renamed the player.

    It may also be a name in a file that a host matched with the player when importing the night.
    Phones may still send it, so `league.hands.validation` replaces it with the current name. If
    `on_receipt` is true, a signed receipt of the night contains it, so no other player can take it.
    """

    night = models.ForeignKey(Night, models.CASCADE, related_name="former_names", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=LONGEST_NAME)
    on_receipt = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["night", "name"], name="league_former_name_once"),
        )

    def __str__(self) -> str:
        return f"{self.player}, formerly {self.name}"


class ScreenLink(models.Model):
    """A link that shows a night's table without a sign-in. Only the token's hash is stored.

    If `shows_code` is true, the page shows the league's join code.
    """

    night = models.ForeignKey(Night, models.PROTECT, related_name="screen_links")
    token_hash = models.CharField(max_length=64, unique=True)
    shows_code = models.BooleanField(default=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"a screen of {self.night}"


class BuyIn(ClientKeyed):
    """Chips that a player bought, either on the tab or for cash paid to a banker.

    The client creates the id.
    """

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="buy_ins")
    player = models.ForeignKey(Player, models.PROTECT, related_name="buy_ins")
    chips = models.BigIntegerField()
    banker = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    posting = models.OneToOneField("ledger.Posting", models.PROTECT, related_name="buy_in")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(chips__gte=1, chips__lte=MOST_CHIPS),
                name="league_buy_in_is_positive",
            ),
        )

    def __str__(self) -> str:
        return f"{self.chips} for {self.player}"


class ChipRequest(models.Model):
    """A request for a buy-in, a cash-out or a share of a charge that another player has to pay.

    The client creates the id. An accepted buy-in or cash-out keeps the id of its request. A charge
    has one request for each player who has to accept the charge. `charge` is the id of the charge,
    and the ids of its requests are derived from that id. `terms` contains the remaining data of the
    charge, which is created when all players have accepted.
    """

    class Kind(models.TextChoices):
        BUY_IN = "buy-in"
        CASH_OUT = "cash-out"
        CHARGE = "charge"

    class State(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"
        ENDED = "ended"  # the night was closed before a decision was made

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="chip_requests", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    chips = models.BigIntegerField()
    banker = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    leaves = models.BooleanField(default=False)
    charged = models.ForeignKey(Player, models.PROTECT, related_name="+")
    charge = models.UUIDField(null=True, db_index=True)
    title = models.CharField(max_length=LONGEST_REASON, blank=True, db_default="")
    terms = models.JSONField(null=True)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (models.Index(fields=["night", "state"], name="league_chip_request_waiting"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(chips__gte=0, chips__lte=MOST_CHIPS),
                name="league_chip_request_is_not_negative",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.chips} by {self.player}, charged to {self.charged}"
