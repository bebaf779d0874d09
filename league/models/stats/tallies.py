"""Sums of a night, one table for each question; `league.stats` writes these rows."""

from django.db import models

from league.models.limits import LONGEST_GAME_NAME
from league.models.nights import Night
from league.models.people import Player
from league.models.stats.facts import LONGEST_WAY, follows

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
    """How a player bets at a game, so many seats from the dealer; hands whose betting is known."""

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
    """What a player declared, and how often it was right."""

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
    """What a player made of the hands that a dealer called."""

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
    """What was dealt: hands, not results."""

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
    """What a player won at showdowns that were dealt again, and could expect, in thousandths."""

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

    `won` of pots, and `adjusted` what could be expected then, in thousandths; `exact` counts the
    hands in which that was reckoned, of the others it is what was won.
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
    """What a choice brought a player in a night: leaks are looked for in these.

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
