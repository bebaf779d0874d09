"""Leagues, members and players, their devices, invitations and keys, and erasures."""

from uuid import uuid4

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.models import AbstractAuthToken

from league.models.shared import LONGEST_CODE, LONGEST_NAME, MOST_CHIPS


class User(AbstractUser):
    """A user who signs in. If `four_colours` is true, each suit has its own colour.

    `in_demo` is true for the visitor of a demo league, who can't access anything else.
    `host_reset_at` is when the password was last set by a host's link, if ever. The user's payment
    methods then stay locked until the operator creates a password link
    (docs/decisions/0064-after-a-hosts-link.md).
    """

    four_colours = models.BooleanField(default=False)
    in_demo = models.BooleanField(default=False, db_default=False, editable=False)
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
    """What happens to nights with uncounted chips."""

    WAIT = "wait"
    HANDS = "hands"


class LeftoverPolicy(models.TextChoices):
    """What happens to unclaimed pots when a night ends."""

    BACK = "back"
    STAYS = "stays"


class JoinedAccess(models.TextChoices):
    """What phones that joined with the code may do besides a player's own actions."""

    RECORD = "record"
    LOOK = "look"


class Corrections(models.TextChoices):
    """The roles, besides hosts, that may correct hands of closed nights."""

    HOSTS = "hosts"
    RECORDERS = "recorders"


class LimitPolicy(models.TextChoices):
    """Who may go beyond the league's limits with a confirmation: everyone, or only hosts."""

    WARN = "warn"
    REFUSE = "refuse"


class Inviters(models.TextChoices):
    """The roles that see the join code. Each value includes the roles of earlier values."""

    HOSTS = "hosts"
    SCOREKEEPERS = "scorekeepers"
    PLAYERS = "players"


USUAL_CHARGE_LIMIT = 2_000  # in minor units; about one share of the cost of a dinner


def usual_chips() -> list[int]:
    return [1, 5, 10, 25, 100]


class League(models.Model):
    """A group of players with one book. Players join a league with its code.

    `closing_hour` is the hour, in the league's time zone, at which nights close automatically. If
    there is a `banker`, all payments go through that player. `denominations` lists the chips used
    at the table, as multiples of the smallest chip. `chip_set` lists them by colour instead
    (`league.chips.ChipColour`), or is empty. If `approves` is true, a host has to approve
    phones that join with the code. Planned payments below `waits_below` chips wait for the next
    plan.

    The stakes of side bets are in chips, or None if the bet is not played. Each other player in the
    hand pays `seven_deuce`, and each other player in the night pays `high_hand`. The fund pays
    `season_high_hand` and `bad_beat`. Each player pays `fund_each` into the fund every night, and
    the `fund_keeper` holds the fund's money. Charging another player more than `charge_limit` chips
    requires approval by that player or a host. `version` increases when people or settings change.

    After a buy-in, a player has at least `least_buy_in` and at most `most_buy_in` chips, or as many
    as the biggest stack if `match_biggest_stack` is true. 0 means no limit. `most_rebuys` is None
    if players may buy in again as often as they like. Players give notice `leave_notice` minutes
    before they leave, or 0 for no notice. `limits` defines who may exceed these limits.
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
    chip_set = models.JSONField(default=list, db_default=[])
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
    stand_up = models.BigIntegerField(default=0, db_default=0)
    bomb_pot_every = models.PositiveSmallIntegerField(default=0, db_default=0)
    bomb_pot_ante = models.BigIntegerField(default=0, db_default=0)
    charge_limit = models.BigIntegerField(default=USUAL_CHARGE_LIMIT, db_default=USUAL_CHARGE_LIMIT)
    least_buy_in = models.BigIntegerField(default=0, db_default=0)
    most_buy_in = models.BigIntegerField(default=0, db_default=0)
    most_rebuys = models.PositiveSmallIntegerField(null=True, blank=True)
    match_biggest_stack = models.BooleanField(default=False, db_default=False)
    leave_notice = models.PositiveSmallIntegerField(default=0, db_default=0)
    limits = models.CharField(
        max_length=20, choices=LimitPolicy, default=LimitPolicy.WARN, db_default=LimitPolicy.WARN
    )
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


class DemoLeague(models.Model):
    """A league in which one visitor tries the service without an account.

    The league is deleted a day after the start. Demo leagues are prepared in advance. `ready_at` is
    None until the league is complete, and `started_at` is None until a visitor gets the league.
    """

    league = models.OneToOneField(
        League, models.CASCADE, primary_key=True, related_name="demo", editable=False
    )
    user = models.OneToOneField(User, models.CASCADE, related_name="demo", editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    ready_at = models.DateTimeField(null=True, editable=False)
    started_at = models.DateTimeField(null=True, db_index=True, editable=False)

    def __str__(self) -> str:
        return f"demo {self.league_id}"


class Membership(models.Model):
    """A user's role in a league. `league.access` uses it to check permissions."""

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


class PeopleManager(models.Manager["Player"]):
    """Returns players without the leagues' cash boxes."""

    def get_queryset(self) -> models.QuerySet["Player"]:
        return super().get_queryset().filter(is_box=False)


class Player(models.Model):
    """A player's name at the table. A user may have claimed the name.

    If `is_box` is true, the row is the league's cash box, which takes and pays cash like a banker
    (`league.nights.cash_box`). `objects` and a league's players exclude it, `with_box` includes it.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="players", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    user = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="players", db_index=False
    )
    is_guest = models.BooleanField(default=False)
    is_box = models.BooleanField(default=False, db_default=False, editable=False)
    added_at = models.DateTimeField(null=True, default=timezone.now, editable=False)

    objects = PeopleManager()
    with_box = models.Manager["Player"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(F("league"), Lower("name"), name="league_player_name_once"),
            models.UniqueConstraint(
                fields=["league"], condition=Q(is_box=True), name="league_cash_box_once"
            ),
            models.CheckConstraint(
                condition=Q(is_box=False) | Q(user__isnull=True, is_guest=False),
                name="league_cash_box_is_no_person",
            ),
            models.UniqueConstraint(
                fields=["user", "league"],
                condition=Q(user__isnull=False),
                name="league_player_user_once",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def in_sentence(self) -> str:
        """The player's name, or "the cash box"."""
        return _("the cash box") if self.is_box else self.name


class Device(models.Model):
    """A phone that joined. Signing out the phone ends its session.

    `kind` describes the phone as reported by its browser.
    """

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
    """A link that one person can use once to join. Only its hash is stored.

    `player` is the player that the person will join as, if the link is for a specific player.
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
    """A phone's request to join with the code of a league that approves phones.

    `user` is the signed-in user, if any. Otherwise the phone gets a user when a host accepts the
    request. Until then, the phone is identified by the hash of a token in its session.
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
    """A link for setting a new password.

    It works once and expires soon. Only the hash of its token is stored.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="password_links")
    token_hash = models.CharField(max_length=64, unique=True)
    # Empty if the operator created the link. If a host is deleted, the host's links are deleted as
    # well.
    made_by = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"of {self.user}, {self.made_at}"


class Erasure(models.Model):
    """The erasure of a player's name, or of an account if there is no player.

    The chips stay in the book.
    """

    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="erasures")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.player or 'an account'}, erased"


# The keys that programs use to authenticate. `people.api_keys` writes these rows. Only hashes are
# stored, so a key is shown only once, when it is created.


class Scope(models.TextChoices):
    """The actions that a key allows. Each value includes the actions of earlier values."""

    READ = "read"
    RECORD = "record"
    MANAGE = "manage"


class Token(AbstractAuthToken):
    """A program's key to one league. The program acts for the user who created the key."""

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
    """A secret URL for a league's feeds, used by clients that can't send a token."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="feed_links")
    name = models.CharField(max_length=LONGEST_NAME)
    key_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
