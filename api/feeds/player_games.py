"""A row for each player, game and season: sums over the hands, and how they bet."""

from functools import lru_cache

import django_filters
from django.db.models import UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import GAME, PLAYER, PLAYER_NAME, SEASON, SEASON_NAME, Column, Kind, sources
from api.feeds.row_feed import (
    CURSOR,
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    first_rows,
    page_of,
    rows_after,
)
from api.feeds.versions import counted
from api.http.filters import BooleanFilter
from league.common.statements import Given, Statement
from league.models import LONGEST_GAME_NAME, BettingTally, PlayerTally


class PlayerGameRows(FilterSet):
    season = django_filters.UUIDFilter("season")
    player = django_filters.UUIDFilter("player")
    game = django_filters.CharFilter("game", max_length=LONGEST_GAME_NAME)
    verified = BooleanFilter("verified")

    class Meta:
        model = PlayerTally
        fields = ()


class BettingRows(PlayerGameRows):
    class Meta:
        model = BettingTally
        fields = ()


Sums = tuple[tuple[str, str, str, int], ...]  # of a column its name, unit, meaning and an example
SUMS: Sums = (
    ("hands", "hands", "played", 40),
    ("net", "chips", "won less put", 120),
    ("put", "chips", "paid into pots", 900),
    ("won", "chips", "won of pots", 1020),
    ("showdowns", "hands", "at which a hand was shown", 18),
    ("showdowns_won", "hands", "of those, at which something was won", 9),
    ("highs", "hands", "showdowns at which the high hand was tried", 12),
    ("highs_won", "hands", "of those, won", 6),
    ("lows", "hands", "showdowns at which the low hand was tried", 8),
    ("lows_won", "hands", "of those, won", 4),
    ("splits", "hands", "showdowns at a pot that splits", 18),
    ("scoops", "hands", "taken whole of those", 3),
    ("mistakes", "hands", "at which the table pushed chips wrongly", 1),
    ("moved", "chips", "pushed here wrongly", 0),
)


BETS: Sums = (
    ("hands", "hands", "whose every bet is known", 40),
    ("choices", "hands", "with something to choose in the first round", 38),
    ("entered", "hands", "chips put in of free will in the first round (VPIP of choices)", 15),
    ("raised", "hands", "bet or raised in the first round (PFR of choices)", 6),
    ("three_bet_choices", "hands", "in which somebody had raised first, once", 9),
    ("three_bets", "hands", "raised again (3-bet of three_bet_choices)", 1),
    ("saw_second", "hands", "in after the first round", 17),
    ("stayed", "hands", "in at the end beside others (WTSD of saw_second)", 8),
    ("stayed_won", "hands", "of those, at which something was won (W$SD of stayed)", 4),
    ("bets", "actions", "bets and raises of later rounds", 12),
    ("calls", "actions", "calls of later rounds", 10),
)
_OF_PLAYERS = (SEASON, SEASON_NAME, PLAYER, PLAYER_NAME, GAME)
_VERIFIED = Column(
    "verified", Kind.BOOLEAN, note="of hands whose cards are known, or of the others"
)
_POSITION = Column(
    "position", Kind.INTEGER, note="seats from the dealer, who has 0", unit="number", example=2
)


def _columns(sums: Sums) -> tuple[Column, ...]:
    return tuple(
        Column(name, Kind.INTEGER, note=note, unit=unit, example=example)
        for name, unit, note, example in sums
    )


class _Tallies(Feed):
    """A feed of a table of sums."""

    model: type[PlayerTally | BettingTally]
    version = counted("pk")
    goes_on = CURSOR

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = _tallies(self.model, self.filters, query.columns, query.filters)
        return page_of(*first_rows(statement, query, after, most, league=query.league.pk))


class PlayerGames(_Tallies):
    model = PlayerTally
    name = "player-games"
    row = "PlayerGameRow"
    summary = "Sums for each player, game and season, hands with known cards apart"
    columns = (*_OF_PLAYERS, _VERIFIED, *_columns(SUMS))
    filters = PlayerGameRows


class Betting(_Tallies):
    model = BettingTally
    name = "betting"
    row = "BettingRow"
    summary = "How each player bets at each game from each seat, where every bet is known"
    columns = (*_OF_PLAYERS, _POSITION, _VERIFIED, *_columns(BETS))
    filters = BettingRows


@lru_cache(maxsize=MOST_STATEMENTS)
def _tallies(
    model: type[PlayerTally | BettingTally],
    of: type[FilterSet],
    columns: tuple[Column, ...],
    filters: frozenset[str],
) -> Statement:
    rows = model.objects.filter(season__league=Given("league", UUIDField()))
    return Statement(rows_after(rows, of, filters), *sources(columns), "pk", limited=True)
