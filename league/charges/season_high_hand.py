"""The high hand of a season: a side bet that the fund pays when the season has ended.

It is offered at the last night of the season, once every hand is counted, and made once a season.
"""

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.models import Charge, Night, Revision, Season, StaleMark
from league.stats.figures.records import best_hands
from league.stats.scopes import of_season

KIND = Charge.Kind.SEASON_HIGH_HAND


def is_due(night: Night) -> bool:
    """Tell whether this is the night at which the season's high hand is to be charged."""
    return night_where_due(night.season) == night


def night_where_due(season: Season) -> Night | None:
    """Return the night at which the season's high hand is to be charged, if it is."""
    league = season.league
    if not (league.season_high_hand and league.fund_keeper_id) or season.ends_on is None:
        return None
    if season.ends_on > timezone.localdate(timezone=ZoneInfo(league.time_zone)):
        return None
    if charged(season) or StaleMark.objects.filter(league=league.pk).exists():
        return None
    nights = Night.objects.filter(season=season).select_related("season__league__book")
    return nights.order_by("-started_at", "-pk").first()


def charged(season: Season) -> bool:
    """Tell whether the season's high hand has been charged, and not undone."""
    rows = Charge.objects.filter(night__season=season, kind=KIND)
    return rows.filter(posting__reversal=None).exists()


def best_of_games(night: Night) -> Iterable[Revision]:
    """Return the best hand of each game of the season, the earliest first.

    The best is that of the records of the season: of a game that has several shares, of the first.
    """
    hands = [each.hand for each in best_hands(of_season(night.season))]
    rows = Revision.objects.filter(hand__in=hands, current=True, hand__voided=False)
    return rows.select_related("hand", "document").order_by("hand__made_at", "hand")
