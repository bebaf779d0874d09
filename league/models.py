"""The rows of a league: people, seasons, nights, hands. Plain; the functions beside them write.

`recording` alone writes hands, revisions, documents and stale marks; `nights` and `leagues` the
rest. Chips are whole numbers; `chip_value` says what the smallest one is worth in the currency's
minor unit.
"""

from uuid import uuid4

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone

MOST_CHIPS = 10**12
LONGEST_NAME = 60
LONGEST_GAME_NAME = 200
LONGEST_REASON = 500


class User(AbstractUser):
    """Someone who signs in."""


class Role(models.TextChoices):
    HOST = "host"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    VIEWER = "viewer"


class League(models.Model):
    """People who play together, with one book; its code is what they join by."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    currency = models.CharField(max_length=3, default="USD")
    time_zone = models.CharField(max_length=64, default="UTC")
    code = models.CharField(max_length=6, unique=True)
    chip_value = models.BigIntegerField(default=1)
    book = models.OneToOneField("ledger.Book", models.PROTECT, related_name="league")
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(chip_value__gte=1, chip_value__lte=MOST_CHIPS),
                name="league_chip_is_worth_something",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What someone who signs in may do in a league; `access` reads it."""

    league = models.ForeignKey(League, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["league", "user"], name="league_member_once"),
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="league_member_role_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}, {self.role}"


class Player(models.Model):
    """A name at the table, with or without someone who signs in behind it."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="players", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    user = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="players", db_index=False
    )
    is_guest = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(F("league"), Lower("name"), name="league_player_name_once"),
            models.UniqueConstraint(
                fields=["user", "league"],
                condition=Q(user__isnull=False),
                name="league_player_user_once",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """Nights that count together."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="seasons", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)

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


class Night(models.Model):
    """A session of play; its stacks, carry and drift are accounts of the league's book."""

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
    usual_buy_in = models.BigIntegerField()

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
        return self.name or f"Night {self.number}"

    @property
    def league(self) -> League:
        return self.season.league


class Seat(models.Model):
    """A player at a night, from the dealer's first left onwards by position."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="seats", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    position = models.PositiveSmallIntegerField()
    joined_at = models.DateTimeField(default=timezone.now)
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


class BuyIn(models.Model):
    """Chips that a player bought; the phone makes the id before it sends it."""

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="buy_ins")
    player = models.ForeignKey(Player, models.PROTECT, related_name="buy_ins")
    chips = models.BigIntegerField()
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


class GameDocument(models.Model):
    """The rules that hands were dealt under, by content hash, so that old hands replay."""

    hash = models.CharField(max_length=64, primary_key=True)
    slug = models.CharField(max_length=LONGEST_GAME_NAME, blank=True)
    name = models.CharField(max_length=LONGEST_GAME_NAME)
    document = models.JSONField()

    def __str__(self) -> str:
        return self.name


class Hand(models.Model):
    """One deal; what was recorded of it stands in its revisions."""

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="hands", db_index=False)
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    voided = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["night", "number"], name="league_hand_number_once"),
        )

    def __str__(self) -> str:
        return f"Hand {self.number}"


class Revision(models.Model):
    """A hand as someone recorded it, with the answer of the rules and the chips that moved.

    Exactly one revision of a hand is `current`. Where `voids` is true the hand was taken back:
    record and answer are those of the revision before, the posting is its reversal. `carried` and
    `carry` are the chips that came from the hand before and went to the hand after; `names` maps
    each name of the record to the id of the player.
    """

    class Depth(models.TextChoices):
        RESULT = "result"
        SHOWDOWN = "showdown"

    id = models.UUIDField(primary_key=True)
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField()
    current = models.BooleanField(default=True)
    voids = models.BooleanField(default=False)
    depth = models.CharField(max_length=20, choices=Depth)
    record = models.JSONField()
    answer = models.JSONField()
    document = models.ForeignKey(GameDocument, models.PROTECT, related_name="revisions")
    names = models.JSONField()
    carried = models.BigIntegerField(default=0)
    carry = models.BigIntegerField(default=0)
    posting = models.OneToOneField("ledger.Posting", models.PROTECT, related_name="revision")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["hand", "number"], name="league_revision_number_once"),
            models.UniqueConstraint(
                fields=["hand"], condition=Q(current=True), name="league_revision_current_once"
            ),
            models.CheckConstraint(
                condition=Q(carried__gte=0, carry__gte=0), name="league_revision_carries_chips"
            ),
        )

    def __str__(self) -> str:
        return f"{self.hand}, revision {self.number}"


class StaleMark(models.Model):
    """A hand whose stats are out of date, marked in the transaction that changed it."""

    league = models.ForeignKey(League, models.CASCADE, related_name="stale_marks")
    hand = models.ForeignKey(Hand, models.CASCADE, related_name="stale_marks")
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.revision} is not counted yet"
