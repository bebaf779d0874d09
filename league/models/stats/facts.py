"""Facts: a row for each hand and for each of its players. `league.stats` writes these rows.

All of it follows from the hands and can be made again from them (`manage.py stats rebuild`). The
database does not check keys that follow from the hand: thirty checks a hand took longer than its
rows, and a nightly check compares the rows with the hands.
"""

from typing import TypeVar

from django.db import models
from django.db.models import Q

from league.models.hands import Hand, Revision
from league.models.limits import LONGEST_GAME_NAME
from league.models.nights import Night, Season
from league.models.people import League, Player

LONGEST_WAY = 20


class StatsState(models.Model):
    """How far a league is counted. A worker that counts locks this row.

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
    """What follows from the hand: an index or a check of its own would only cost."""
    return models.ForeignKey(
        to, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )


class HandFact(models.Model):
    """A hand as it is counted: what its current revision says, one row a hand.

    Ids of a league only grow: a corrected hand gets a new row, a voided hand a row in which all
    numbers are zero. `best` and `beat` are the strengths of the best hand shown and of the best
    hand that lost, `scoop` the chips that one player took whole, `moved` the chips that the table
    pushed wrongly. `hour` is the hour of the night, from 0. `flows` are JSON:
    [position of the loser, position of the winner, chips].
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
    """What a hand was for one player.

    `position` counts seats from the dealer, who has 0. `net` is `won` less `put` and follows the
    rules. `won_high` and `won_low` are empty where the player did not go for it at a showdown,
    `scooped` where there was no pot to split; `was_right` where nothing was declared.
    `entered` to `calls` are empty where the betting is not known, the first three also where there
    was no choice.
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
    """What players could expect of a hand when it was dealt again from what they held.

    `shares` maps the id of a player to [won, expected, variance], the last two in thousandths.
    Where all betting had ended before the last card two more follow: what could be expected then,
    in thousandths, and 1 for that it was reckoned, or the chips won and 0.
    A revision never changes, so this is found once.
    """

    revision = models.OneToOneField(
        Revision, models.CASCADE, primary_key=True, related_name="luck", editable=False
    )
    deals = models.PositiveIntegerField()
    shares = models.JSONField()

    def __str__(self) -> str:
        return f"luck of {self.revision}"
