"""The night that hands are imported into, and seats for who plays in them."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.closing.open import open_night
from league.imports.grouping import PlannedNight
from league.models import League, Night, Player
from league.nights.nights import seat
from league.people.leagues import add_player


def night_of(league: League, planned: PlannedNight) -> Night:
    rows = Night.objects.select_related("season__league__book")
    mine = rows.filter(pk=planned.id, season__league=league)
    if found := mine.first():
        return found
    night = open_night(league, night_id=planned.id, name=planned.name, started_at=planned.starts_at)
    day = timezone.localdate(night.started_at, ZoneInfo(league.time_zone))
    if day < night.season.starts_on and not league.seasons.exclude(pk=night.season_id).exists():
        night.season.starts_on = day  # the first season begins with its first night
        night.season.save(update_fields=["starts_on"])
    return night


def seated(night: Night, names: Iterator[str]) -> dict[str, Player]:
    """Return the players of these names, made and seated where they were not."""
    wanted = list(dict.fromkeys(names))
    league = night.league
    players = {each.name: each for each in league.players.filter(name__in=wanted)}
    seats = set(night.seats.filter(left_at=None).values_list("player", flat=True))
    for name in wanted:
        player = players.get(name) or add_player(league, name)
        players[name] = player
        if player.pk not in seats:
            seat(night, player)
    return players
