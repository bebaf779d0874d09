"""Season stats: facts about hands, player tallies, and the charts drawn from the tallies."""

from typing import TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.hands import Hand, Revision
from league.models.nights import Night, Season
from league.models.people import League, Player
from league.models.shared import LONGEST_GAME_NAME

LONGEST_WAY = 20


class StatsState(models.Model):
    """The progress of a league's stats.

    A worker locks this row while it updates the stats. `version` increases with every update and is
    used as the version of all figures in the league. `rebuilt_at` is when facts or tallies were
    last replaced without a change to a hand.
    """

    league = models.OneToOneField(
        League, models.CASCADE, primary_key=True, related_name="stats_state"
    )
    version = models.PositiveBigIntegerField(default=0)
    rebuilt_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    differences = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.league}, counted {self.version} times"


Owner = TypeVar("Owner", bound=models.Model)


def follows(to: type[Owner]) -> "models.ForeignKey[Owner, Owner]":
    """Return a foreign key that is derived from the hand.

    The key has no index and no constraint, because both would only slow down writes.
    """
    return models.ForeignKey(
        to, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )


class HandFact(models.Model):
    """The facts about a hand, derived from its current revision. Each hand has one row.

    Within a league, ids only increase. A corrected hand gets a new row. A voided hand gets a row in
    which all numbers are zero. `best` is the strength of the best hand shown, and `beat` is the
    strength of the best losing hand. `scoop` is how many chips a player won by scooping a split
    pot. `moved` is how many chips the table paid to the wrong players. `hour` is the hour of the
    night, from 0. `flows` is a JSON list of [loser's position, winner's position, chips].
    """

    class Luck(models.IntegerChoices):
        NONE = 0  # the remaining cards can't be redealt
        WAITS = 1
        FOUND = 2

    league = follows(League)
    season = follows(Season)
    night = follows(Night)
    hand = models.OneToOneField(Hand, models.CASCADE, related_name="fact", db_constraint=False)
    revision = follows(Revision)
    number = models.PositiveIntegerField()
    revised = models.PositiveIntegerField()
    played_at = models.DateTimeField()
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    dealer = follows(Player)
    verified = models.BooleanField()
    voided = models.BooleanField()
    hour = models.PositiveSmallIntegerField(default=0)
    pot = models.BigIntegerField()
    carried = models.BigIntegerField()
    carry = models.BigIntegerField()
    showdown = models.BooleanField()
    best = models.BigIntegerField(null=True)
    beat = models.BigIntegerField(null=True)
    scoop = models.BigIntegerField()
    mistaken = models.BooleanField()
    moved = models.BigIntegerField()
    flows = models.TextField()
    luck = models.PositiveSmallIntegerField(choices=Luck)

    class Meta:
        indexes = (
            models.Index(fields=["league", "id"], name="league_facts_in_order"),
            models.Index(fields=["night", "played_at"], name="league_facts_of_night"),
            models.Index(fields=["season", "verified", "pot"], name="league_facts_by_pot"),
            models.Index(
                fields=["season", "game", "best"],
                condition=Q(best__isnull=False),
                name="league_facts_by_best",
            ),
            models.Index(
                fields=["season", "beat"],
                condition=Q(beat__isnull=False),
                name="league_facts_by_beat",
            ),
            models.Index(
                fields=["season", "scoop"], condition=Q(scoop__gt=0), name="league_facts_by_scoop"
            ),
            models.Index(fields=["league"], condition=Q(luck=1), name="league_facts_luck_waits"),
        )

    def __str__(self) -> str:
        return f"{self.hand}, counted"


class Result(models.Model):
    """A player's result in a hand.

    `position` is the number of seats after the dealer, whose position is 0. `net` is `won` minus
    `put`, according to the rules. `won_high` and `won_low` are None if the player did not compete
    for that half at a showdown. `scooped` is None if there was no pot to split. `was_right` is None
    if the player did not declare. The fields from `entered` to `calls` are None if the betting is
    unknown; `entered`, `raised` and `three_bet` are also None if the player had no choice.
    """

    fact = models.ForeignKey(HandFact, models.CASCADE, related_name="results", db_constraint=False)
    player = follows(Player)
    position = models.PositiveSmallIntegerField()
    put = models.BigIntegerField()
    won = models.BigIntegerField()
    net = models.BigIntegerField()
    showdown = models.BooleanField()
    won_high = models.BooleanField(null=True)
    won_low = models.BooleanField(null=True)
    scooped = models.BooleanField(null=True)
    declared = models.CharField(max_length=LONGEST_WAY, blank=True)
    was_right = models.BooleanField(null=True)
    moved = models.BigIntegerField()
    entered = models.BooleanField(null=True)
    raised = models.BooleanField(null=True)
    three_bet = models.BooleanField(null=True)
    saw_second = models.BooleanField(null=True)
    stayed = models.BooleanField(null=True)
    bets = models.PositiveSmallIntegerField(null=True)
    calls = models.PositiveSmallIntegerField(null=True)

    class Meta:
        indexes = (models.Index(fields=["player", "won"], name="league_results_by_won"),)

    def __str__(self) -> str:
        return f"{self.player}: {self.net}"


class Luck(models.Model):
    """The players' expected winnings in a hand, estimated by re-dealing the board.

    `shares` maps each player's id to [won, expected, variance]; the last two are in thousandths. If
    all betting ended before the last card, the list has two more items. If the expected winnings at
    that time were computed, the items are these winnings in thousandths and 1. Otherwise they are
    the chips won and 0. A revision never changes, so its luck is computed once.
    """

    revision = models.OneToOneField(
        Revision, models.CASCADE, primary_key=True, related_name="luck", editable=False
    )
    deals = models.PositiveIntegerField()
    shares = models.JSONField()

    def __str__(self) -> str:
        return f"luck of {self.revision}"


LONGEST_CHOICE = LONGEST_WAY + 10


class Tally(models.Model):
    """Totals over the hands of a night. Season totals are the sums of these rows."""

    night = follows(Night)
    verified = models.BooleanField()
    hands = models.BigIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.pk}"


class PlayerTally(Tally):
    """A player's results in one game on one night."""

    player = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    net = models.BigIntegerField()
    put = models.BigIntegerField()
    won = models.BigIntegerField()
    showdowns = models.BigIntegerField()
    showdowns_won = models.BigIntegerField()
    highs = models.BigIntegerField()
    highs_won = models.BigIntegerField()
    lows = models.BigIntegerField()
    lows_won = models.BigIntegerField()
    splits = models.BigIntegerField()
    scoops = models.BigIntegerField()
    mistakes = models.BigIntegerField()
    moved = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "game", "verified"], name="league_player_tally_once"
            ),
        )


class BettingTally(Tally):
    """A player's betting in a game by position, in hands whose betting is known.

    `position` is the number of seats after the dealer.
    """

    player = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    position = models.PositiveSmallIntegerField()
    choices = models.BigIntegerField()
    entered = models.BigIntegerField()
    raised = models.BigIntegerField()
    three_bet_choices = models.BigIntegerField()
    three_bets = models.BigIntegerField()
    saw_second = models.BigIntegerField()
    stayed = models.BigIntegerField()
    stayed_won = models.BigIntegerField()
    bets = models.BigIntegerField()
    calls = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "game", "position", "verified"],
                name="league_betting_tally_once",
            ),
        )


class DeclareTally(Tally):
    """A player's declarations, and how often they were right."""

    player = follows(Player)
    way = models.CharField(max_length=LONGEST_WAY)
    times_right = models.BigIntegerField()
    net = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "way", "verified"], name="league_declare_tally_once"
            ),
        )


class CallTally(Tally):
    """A player's results in the hands of a game that a dealer called."""

    dealer = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    player = follows(Player)
    net = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "dealer", "game", "verified"],
                name="league_call_tally_once",
            ),
        )


class DealerTally(Tally):
    """The hands of a game that a dealer dealt.

    The dealer's own results are excluded.
    """

    dealer = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    pot = models.BigIntegerField()
    carried = models.BigIntegerField()
    carry = models.BigIntegerField()
    carries = models.BigIntegerField()
    showdowns = models.BigIntegerField()
    mistakes = models.BigIntegerField()
    moved = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "dealer", "game", "verified"], name="league_dealer_tally_once"
            ),
        )


class SeatTally(Tally):
    """A player's results by position relative to the dealer."""

    player = follows(Player)
    position = models.PositiveSmallIntegerField()
    net = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "position", "verified"], name="league_seat_tally_once"
            ),
        )


class FlowTally(Tally):
    """Chips that went from one player's stakes to another."""

    loser = follows(Player)
    winner = follows(Player)
    chips = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "loser", "winner", "verified"], name="league_flow_tally_once"
            ),
        )


class NightTally(Tally):
    """A player's results in a night."""

    player = follows(Player)
    net = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "verified"], name="league_night_tally_once"
            ),
        )


class LuckTally(Tally):
    """A player's actual and expected winnings in hands whose board was re-dealt.

    `won` is in chips, and `expected` is in thousandths.
    """

    player = follows(Player)
    won = models.BigIntegerField()
    expected = models.BigIntegerField()
    variance = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "verified"], name="league_luck_tally_once"
            ),
        )


class AllInTally(Tally):
    """A player's results in hands whose betting ended before the last card.

    `won` is in chips. `adjusted` is the expected winnings when the betting ended, in thousandths.
    `exact` is how many hands have computed expected winnings; for the others, `adjusted` contains
    the chips won.
    """

    player = follows(Player)
    won = models.BigIntegerField()
    adjusted = models.BigIntegerField()
    exact = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "verified"], name="league_all_in_tally_once"
            ),
        )


class ChoiceTally(Tally):
    """A player's results with one choice in a night. Leaks are detected from these rows.

    For example, `choice` is "declared:both", "stayed", "dealt", "seat:2" or "hour:3". `game` is
    empty for seats and hours.
    """

    player = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    choice = models.CharField(max_length=LONGEST_CHOICE)
    net = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "game", "choice", "verified"],
                name="league_choice_tally_once",
            ),
        )


class RenderedChart(models.Model):
    """A chart in every theme and size, shared by all viewers.

    `digest` is a hash of the documents, the data and the wording. If any of them changes, a new row
    is created, so a row is never stale. A row without `pictures` is a request to render the chart.
    `leased_until` is set while a worker is rendering the chart. `sizes` maps the name of each size
    to a [width, height] list.
    """

    class State(models.TextChoices):
        WANTED = "wanted"
        FOUND = "found"
        FAILED = "failed"

    digest = models.CharField(max_length=64, primary_key=True)
    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_index=False)
    words = models.TextField()
    sizes = models.JSONField()
    documents = models.JSONField()
    pictures = models.JSONField(null=True, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.WANTED)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(state="found", pictures__isnull=False)
                | (~Q(state="found") & Q(pictures__isnull=True)),
                name="league_rendered_chart_is_found",
            ),
        )
        indexes = (
            models.Index(fields=["league", "asked_at"], name="league_rendered_charts_by_age"),
            models.Index(
                fields=["asked_at"], condition=Q(state="wanted"), name="league_rendered_charts_due"
            ),
        )

    def __str__(self) -> str:
        return f"{self.digest[:12]}, {self.state}"
