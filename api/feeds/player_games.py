"""A row for each player, game and season: results of hands and betting, added up."""

from dataclasses import replace
from functools import lru_cache

import django_filters
from django.db.models import BigIntegerField, Min, Sum, UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import GAME, PLAYER, PLAYER_NAME, SEASON, SEASON_NAME, Column, Kind, sources
from api.feeds.row_feed import (
    CURSOR,
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    filter_placeholders,
    first_rows,
    page_of,
)
from api.feeds.versions import counted
from api.http.filters import BooleanFilter, filtered
from league.common.statements import Given, Statement
from league.models import LONGEST_GAME_NAME, BettingTally, PlayerTally


class PlayerGameRows(FilterSet):
    season = django_filters.UUIDFilter("night__season")
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


Sums = tuple[tuple[str, str, str, int], ...]  # name, unit, meaning and example of each column
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
    ("stayed", "hands", "in at the showdown with others (WTSD of saw_second)", 8),
    ("stayed_won", "hands", "of those, at which something was won (W$SD of stayed)", 4),
    ("bets", "actions", "bets and raises of later rounds", 12),
    ("calls", "actions", "calls of later rounds", 10),
)
_SUMMED = frozenset(name for name, *_ in (*SUMS, *BETS))
_SEASON = replace(SEASON, source="night__season_id")
_SEASON_NAME = replace(SEASON_NAME, source="night__season__name")
_OF_PLAYERS = (_SEASON, _SEASON_NAME, PLAYER, PLAYER_NAME, GAME)
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
    """Nightly totals, added up for each season and the other columns in `by`."""

    model: type[PlayerTally | BettingTally]
    by: tuple[str, ...] = ("night__season", "player", "game", "verified")
    version = counted("pk")
    incremental = False

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = _tallies(self.model, self.by, self.filters, query.columns, query.filters)
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
    by = (*_Tallies.by, "position")
    columns = (*_OF_PLAYERS, _POSITION, _VERIFIED, *_columns(BETS))
    filters = BettingRows


@lru_cache(maxsize=MOST_STATEMENTS)
def _tallies(
    model: type[PlayerTally | BettingTally],
    by: tuple[str, ...],
    of: type[FilterSet],
    columns: tuple[Column, ...],
    filters: frozenset[str],
) -> Statement:
    """Return the query for the rows after a cursor.

    The cursor of a row is the lowest id of the tallies that it adds up. Recounting replaces tallies
    by tallies with higher ids. A client that pages in the meantime may get a row twice, but misses
    no row.
    """
    rows = model.objects.filter(night__season__league=Given("league", UUIDField()))
    rows = filtered(of, rows, filter_placeholders(of, filters))
    sums = rows.values(*by).annotate(cursor=Min("pk"))
    after = sums.filter(cursor__gt=Given(CURSOR, BigIntegerField())).order_by("cursor")
    read = (
        Sum(column.name) if column.name in _SUMMED else source
        for column, source in zip(columns, sources(columns), strict=True)
    )
    return Statement(after, *read, "cursor", limited=True)
