"""Games, house rules, favourites, odds and open deals."""

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.hands import GameDocument, no_changes
from league.models.nights import Night
from league.models.people import League, Player, User
from league.models.shared import LONGEST_GAME_NAME, LONGEST_HOUSE_RULES, LONGEST_NAME, ClientKeyed


class HouseGame(ClientKeyed):
    """A game written by a league.

    Records refer to the game by `slug`, and pages show its `name`.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="house_games", db_index=False)
    slug = models.CharField(max_length=LONGEST_GAME_NAME)
    name = models.CharField(max_length=LONGEST_GAME_NAME)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["league", "slug"], name="league_house_game_slug_once"),
        )

    def __str__(self) -> str:
        return self.name


class HouseGameVersion(models.Model):
    """A version of a house game. The version with the highest number is current."""

    game = models.ForeignKey(HouseGame, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    document = models.ForeignKey(GameDocument, models.PROTECT, related_name="versions")
    text = models.TextField()
    written_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    written_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["game", "number"], name="league_house_game_version_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game}, version {self.number}"


class HouseRule(models.Model):
    """A version of a league's own words on a topic. Rows never change.

    `topic` is an irregularity in `league/house_rules.toml`, or "" for rules on
    anything else. The version with the highest number is current. An empty text removes the words.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="house_rules", db_index=False)
    topic = models.CharField(max_length=LONGEST_NAME, blank=True)
    number = models.PositiveIntegerField()
    text = models.TextField(max_length=LONGEST_HOUSE_RULES, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["league", "topic", "number"], name="league_house_rule_version_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.topic or 'house rules'} of {self.league}, version {self.number}"


class Favourite(models.Model):
    """A game that a user starred, from the catalog or from the `league`."""

    user = models.ForeignKey(User, models.CASCADE, related_name="favourites")
    league = models.ForeignKey(League, models.CASCADE, null=True, related_name="+")
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "game"],
                condition=Q(league__isnull=True),
                name="league_favourite_once",
            ),
            models.UniqueConstraint(
                fields=["user", "game", "league"],
                condition=Q(league__isnull=False),
                name="league_house_favourite_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game}, of {self.user}"


class Odds(models.Model):
    """The odds of a game, estimated from random deals, for one combination of settings.

    `deal` is a hash of the game's document, modifiers and options, the number of players and the
    number of deals. A row without `found` is a request to compute the odds. `leased_until` is set
    while a worker is computing the odds. `asker` is the first league that requested the odds, or
    empty if they are shared by all leagues. Askers take turns.
    """

    class State(models.TextChoices):
        WANTED = "wanted"
        FOUND = "found"
        FAILED = "failed"

    deal = models.CharField(max_length=64, primary_key=True)
    asker = models.CharField(max_length=36, blank=True)
    wanted = models.JSONField()
    state = models.CharField(max_length=20, choices=State, default=State.WANTED)
    found = models.JSONField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "odds"
        constraints = (
            models.CheckConstraint(
                condition=Q(state="found", found__isnull=False)
                | (~Q(state="found") & Q(found__isnull=True)),
                name="league_odds_are_found",
            ),
        )
        indexes = (
            models.Index(fields=["asked_at"], condition=Q(state="wanted"), name="league_odds_due"),
        )

    def __str__(self) -> str:
        return f"{self.deal[:12]}, {self.state}"


def no_words() -> list[str]:
    return []


def no_choices() -> dict[str, Any]:
    return {}


class Deal(models.Model):
    """A night's open deal. The client creates the id, and the recorded hand gets the same id.

    `stage` is the index of the current stage on the game's rules card. All players' declarations
    are revealed together at `revealed_at`. `announced_at` is when the options were changed before
    the first card, if they were. `changes` lists later changes as in `Announcement`.
    """

    id = models.UUIDField(primary_key=True)
    night = models.OneToOneField(Night, models.CASCADE, related_name="deal")
    dealer = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    variant = models.CharField(max_length=LONGEST_GAME_NAME)
    modifiers = models.JSONField(default=no_words, blank=True)
    options = models.JSONField(default=no_choices, blank=True)
    announced_at = models.DateTimeField(null=True)
    changes = models.JSONField(default=no_changes, blank=True)
    stage = models.PositiveSmallIntegerField(default=0)
    revealed_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.variant} of {self.night}"


class DealtPlayer(models.Model):
    """A player in a deal, with the player's encrypted declaration.

    `cash_out` is set if the hand was folded because the player cashed out and left.
    """

    class State(models.TextChoices):
        IN = "in"
        FOLDED = "folded"
        LATE = "late"  # folded after the last card was dealt
        MUCKED = "mucked"
        ALL_IN = "all-in"
        AWAY = "away"  # removed from the deal

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="players", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.IN)
    state_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    cash_out = models.ForeignKey("CashOut", models.SET_NULL, null=True, related_name="+")
    declaration = models.TextField(blank=True)  # encrypted
    declared_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["deal", "player"], name="league_dealt_in_once"),
        )

    def __str__(self) -> str:
        return f"{self.player}, {self.state}"


class ShownCards(models.Model):
    """A player's cards as entered on one phone, or the board if there is no player.

    `cards` maps the fields of the hand's form ("down", "up" or the rows of the board) to cards as
    text.
    """

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="shown", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    told_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    cards = models.JSONField(default=no_choices)
    told_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["deal", "player", "told_by"], name="league_shown_cards_once_each"
            ),
            models.UniqueConstraint(
                fields=["deal", "told_by"],
                condition=Q(player__isnull=True),
                name="league_shown_board_once_each",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player or 'the board'}, as {self.told_by} tells"
