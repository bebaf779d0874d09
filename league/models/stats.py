"""Season stats: facts of hands, tallies of players, and the charts drawn from them."""

from typing import TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.hands import Hand, Revision
from league.models.limits import LONGEST_GAME_NAME
from league.models.nights import Night, Season
from league.models.people import League, Player

LONGEST_WAY = 20


class StatsState(models.Model):
    """How far the hands of a league are counted. A worker that counts locks this row.

    `version` grows with each step of counting, so it is the version of all figures. `rebuilt_at` is
    when facts or sums were last replaced although no hand had changed.
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
    """A column derived from the hand, without an index or a constraint, which would only cost."""
    return models.ForeignKey(
        to, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )


class HandFact(models.Model):
    """A hand as counted: the content of its current revision, one row per hand.

    Ids of a league only grow: a corrected hand gets a new row, a voided hand a row in which all
    numbers are zero. `best` and `beat` are the strengths of the best hand shown and of the best
    hand that lost, `scoop` the chips that one player took whole, `moved` the chips that the table
    pushed wrongly. `hour` is the hour of the night, from 0. `flows` are JSON: [position of the
    loser, position of the winner, chips].
    """

    class Luck(models.IntegerChoices):
        NONE = 0  # the rest can't be dealt again
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
    """The result of a hand for one player.

    `position` counts seats from the dealer, who has 0. `net` is `won` less `put` and follows the
    rules. `won_high` and `won_low` are empty if the player did not go for that half at a showdown,
    `scooped` if there was no pot to split, `was_right` if nothing was declared. `entered` to
    `calls` are empty if the betting is not known, the first three also if there was no choice.
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
    """What players could expect of a hand when the board was dealt again.

    `shares` maps the id of a player to [won, expected, variance], the last two in thousandths. If
    all betting had ended before the last card, two more follow: the expectation at that time in
    thousandths and 1 if it was computed, or the chips won and 0. A revision never changes, so this
    is computed once.
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
    """Sums over the hands of a night. A season is the sum of its nights."""

    night = follows(Night)
    verified = models.BooleanField()
    hands = models.BigIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.pk}"


class PlayerTally(Tally):
    """A player at a game."""

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

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "game", "verified"], name="league_player_tally_once"
            ),
        )


class BettingTally(Tally):
    """How a player bets at a game, by seats from the dealer, in hands with known betting."""

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

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "game", "position", "verified"],
                name="league_betting_tally_once",
            ),
        )


class DeclareTally(Tally):
    """A player's declarations and how often they were right."""

    player = follows(Player)
    way = models.CharField(max_length=LONGEST_WAY)
    times_right = models.BigIntegerField()
    net = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "way", "verified"], name="league_declare_tally_once"
            ),
        )


class CallTally(Tally):
    """A player's results in the hands that a dealer called."""

    dealer = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    player = follows(Player)
    net = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "dealer", "game", "verified"],
                name="league_call_tally_once",
            ),
        )


class DealerTally(Tally):
    """Hands dealt (not results)."""

    dealer = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    pot = models.BigIntegerField()
    carried = models.BigIntegerField()
    carry = models.BigIntegerField()
    carries = models.BigIntegerField()
    showdowns = models.BigIntegerField()
    mistakes = models.BigIntegerField()
    moved = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "dealer", "game", "verified"], name="league_dealer_tally_once"
            ),
        )


class SeatTally(Tally):
    """A player by the seat relative to the dealer."""

    player = follows(Player)
    position = models.PositiveSmallIntegerField()
    net = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
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

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "loser", "winner", "verified"], name="league_flow_tally_once"
            ),
        )


class NightTally(Tally):
    """A player's night."""

    player = follows(Player)
    net = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "verified"], name="league_night_tally_once"
            ),
        )


class LuckTally(Tally):
    """A player's winnings at showdowns dealt again, and the expectation in thousandths."""

    player = follows(Player)
    won = models.BigIntegerField()
    expected = models.BigIntegerField()
    variance = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "verified"], name="league_luck_tally_once"
            ),
        )


class AllInTally(Tally):
    """A player's hands of a night whose betting had ended before the last card.

    `won` is in chips, `adjusted` is the expectation at that time in thousandths. `exact` counts the
    hands for which it was computed; for the others it is the chips won.
    """

    player = follows(Player)
    won = models.BigIntegerField()
    adjusted = models.BigIntegerField()
    exact = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "verified"], name="league_all_in_tally_once"
            ),
        )


class ChoiceTally(Tally):
    """The results of a choice for a player in a night, in which leaks are searched.

    `choice` is declared:both, stayed, dealt, seat:2 or hour:3; `game` is empty for the last two.
    """

    player = follows(Player)
    game = models.CharField(max_length=LONGEST_GAME_NAME)
    choice = models.CharField(max_length=LONGEST_CHOICE)
    net = models.BigIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        constraints = (
            models.UniqueConstraint(
                fields=["night", "player", "game", "choice", "verified"],
                name="league_choice_tally_once",
            ),
        )


class RenderedChart(models.Model):
    """A chart in every theme and size, shared by all viewers.

    `digest` is a hash of documents, data and words: a change makes another row, so a row is never
    stale. Until `pictures` are set, the row requests the rendering; `leased_until` is set while a
    worker renders it. `sizes` are [width, height] by name of the size.
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
