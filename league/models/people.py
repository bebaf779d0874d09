"""Leagues, members and players, their devices, invitations and keys, and erasures."""

from uuid import uuid4

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from knox.models import AbstractAuthToken

from league.models.limits import LONGEST_CODE, LONGEST_NAME, MOST_CHIPS


class User(AbstractUser):
    """A user who signs in. `four_colours` draws each suit in a colour of its own.

    `host_reset_at` is when a host's link set the password, if one did. Until the operator makes a
    link, the payment methods are closed (docs/decisions/0064-after-a-hosts-link.md).
    """

    four_colours = models.BooleanField(default=False)
    host_reset_at = models.DateTimeField(null=True, blank=True, editable=False)


class Role(models.TextChoices):
    HOST = "host"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    VIEWER = "viewer"


class SettlementPeriod(models.TextChoices):
    """When a league plans its payments."""

    NIGHT = "night"
    SEASON = "season"


class UncountedPolicy(models.TextChoices):
    """What happens to a night with uncounted chips."""

    WAIT = "wait"
    HANDS = "hands"


class LeftoverPolicy(models.TextChoices):
    """Where an unwon pot goes when the night ends."""

    BACK = "back"
    STAYS = "stays"


class JoinedAccess(models.TextChoices):
    """What phones that joined by the code may do besides their own actions."""

    RECORD = "record"
    LOOK = "look"


class Corrections(models.TextChoices):
    """Who corrects hands of closed nights besides hosts."""

    HOSTS = "hosts"
    RECORDERS = "recorders"


class Inviters(models.TextChoices):
    """Who sees the code by which phones join. Each value includes those before it."""

    HOSTS = "hosts"
    SCOREKEEPERS = "scorekeepers"
    PLAYERS = "players"


USUAL_CHARGE_LIMIT = 2_000  # minor units of a currency: a share of a dinner


def usual_chips() -> list[int]:
    return [1, 5, 10, 25, 100]


class League(models.Model):
    """A group of players with one book. Its code is used to join it.

    `closing_hour` is the hour, in the league's time zone, at which its nights close automatically.
    All payments go through the `banker`, if there is one. `denominations` are the chips on its
    table, in units of the smallest one. If the league `approves`, a host approves phones that join
    by the code. Planned payments of fewer chips than `waits_below` wait. Side bets are in chips,
    empty if they are not played: each other player of the hand owes `seven_deuce`, each player of
    the night `high_hand`; `season_high_hand` and `bad_beat` come from the fund, into which each
    player pays `fund_each` a night, and whose money the `fund_keeper` holds. Charges of more than
    `charge_limit` chips on another player wait for that player or a host. `version` grows with
    changes of its people and settings (`pulse`).
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    currency = models.CharField(max_length=3, default="USD")
    time_zone = models.CharField(max_length=64, default="UTC")
    code = models.CharField(max_length=LONGEST_CODE, unique=True)
    chip_value = models.BigIntegerField(default=1)
    book = models.OneToOneField("ledger.Book", models.PROTECT, related_name="league")
    closing_hour = models.PositiveSmallIntegerField(default=6)
    settles = models.CharField(
        max_length=20, choices=SettlementPeriod, default=SettlementPeriod.NIGHT
    )
    uncounted = models.CharField(
        max_length=20, choices=UncountedPolicy, default=UncountedPolicy.WAIT
    )
    denominations = models.JSONField(default=usual_chips)
    leftover = models.CharField(max_length=20, choices=LeftoverPolicy, default=LeftoverPolicy.BACK)
    joined = models.CharField(max_length=20, choices=JoinedAccess, default=JoinedAccess.RECORD)
    corrections = models.CharField(max_length=20, choices=Corrections, default=Corrections.HOSTS)
    inviters = models.CharField(max_length=20, choices=Inviters, default=Inviters.HOSTS)
    approves = models.BooleanField(default=False)
    banker = models.ForeignKey("Player", models.PROTECT, null=True, blank=True, related_name="+")
    waits_below = models.BigIntegerField(default=0, db_default=0)
    seven_deuce = models.BigIntegerField(default=0, db_default=0)
    high_hand = models.BigIntegerField(default=0, db_default=0)
    season_high_hand = models.BigIntegerField(default=0, db_default=0)
    bad_beat = models.BigIntegerField(default=0, db_default=0)
    fund_each = models.BigIntegerField(default=0, db_default=0)
    fund_keeper = models.ForeignKey(
        "Player", models.PROTECT, null=True, blank=True, related_name="+"
    )
    charge_limit = models.BigIntegerField(default=USUAL_CHARGE_LIMIT, db_default=USUAL_CHARGE_LIMIT)
    version = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(chip_value__gte=1, chip_value__lte=MOST_CHIPS),
                name="league_chip_is_worth_something",
            ),
            models.CheckConstraint(
                condition=Q(closing_hour__lte=23), name="league_closes_at_an_hour"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """The role of a user in a league; `access` reads it."""

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
    """A name at the table, which a user may have claimed."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="players", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    user = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="players", db_index=False
    )
    is_guest = models.BooleanField(default=False)
    added_at = models.DateTimeField(null=True, default=timezone.now, editable=False)

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


class Device(models.Model):
    """A phone that joined. Signing it out ends its session. `kind` is what the phone reports."""

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


class Invitation(models.Model):
    """A link for one person, which works once. Only its hash is stored.

    `player` is the name at the table that it is for, if any.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="invitations")
    name = models.CharField(max_length=LONGEST_NAME)
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    role = models.CharField(max_length=20, choices=Role, default=Role.PLAYER)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class JoinRequest(models.Model):
    """A phone that joined by the code of a league whose host approves phones.

    `user` is the user who waits, if signed in. Another phone gets its user when it is accepted.
    Until then it is identified by the hash of a token in its session.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        ENDED = "ended"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="join_requests")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    token_hash = models.CharField(max_length=64, blank=True, editable=False)
    email = models.EmailField(blank=True)
    kind = models.CharField(max_length=LONGEST_NAME, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    entered_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.player}, {self.state}"


class PasswordLink(models.Model):
    """A link that works once and expires soon. Only the hash of its token is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="password_links")
    token_hash = models.CharField(max_length=64, unique=True)
    # Empty: made by the operator. A host's links are deleted with the host.
    made_by = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"of {self.user}, {self.made_at}"


class Erasure(models.Model):
    """A player whose name was erased, or an account if there is no player. The chips stay."""

    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="erasures")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.player or 'an account'}, erased"


# Keys with which programs authenticate; `keys` writes these rows. Only hashes are stored: a key is
# shown once, when it is created.


class Scope(models.TextChoices):
    """What a key allows a program to do at most. Each value includes those before it."""

    READ = "read"
    RECORD = "record"
    MANAGE = "manage"


class Token(AbstractAuthToken):
    """A program's key to one league, in the name of the user who created it."""

    id = models.UUIDField(default=uuid4, editable=False, unique=True)
    league = models.ForeignKey(League, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=LONGEST_NAME)
    scope = models.CharField(max_length=20, choices=Scope)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(scope__in=Scope.values), name="league_token_scope_is_known"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def expired(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()


class FeedLink(models.Model):
    """An address that reads the feeds of a league, for clients that can't send a token."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="feed_links")
    name = models.CharField(max_length=LONGEST_NAME)
    key_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
