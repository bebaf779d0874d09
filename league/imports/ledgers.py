"""Ledgers that come with hands: the chips bought and left per player, compared to the night."""

from collections.abc import Iterator, Mapping
from uuid import uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from league.closing.chip_count import count_all
from league.closing.open import open_night
from league.common.errors import NightClosedError, Problem, RefusedError, problem
from league.common.text import shown
from league.imports.contents import ImportProblem, import_problem
from league.imports.grouping import PlannedNight
from league.models import BuyIn, CashOut, League, Night, Player, User
from league.nights.nights import buy_in, lock_open_night, seat
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
    """Return the players with these names. Missing players are created and seated."""
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


def take_ledger(
    league: League, planned: PlannedNight, *, by: User | None, counting: bool
) -> list[ImportProblem]:
    """Sell the chips that a ledger says were bought; once the hands are in, count what was left.

    Returns what could not be taken of it.
    """
    if not planned.ledger:
        return []
    try:
        with transaction.atomic():
            night = night_of(league, planned)
            lock_open_night(night)
            players = seated(night, (row.name for row in planned.ledger))
            if counting:
                left = {players[row.name]: row.left for row in planned.ledger}
                entries = ":".join(f"{row.name}={row.left}" for row in planned.ledger)
                count_all(night, left, counts_id=uuid5(night.pk, f"ledger:{entries}"), by=by)
            else:
                return _sell(night, planned, players, by)
    except NightClosedError:
        if counting and not _is_known(league, planned):
            closed = problem("night", "night-closed", f"the night {planned.name} is closed")
            return [import_problem(closed, file=planned.ledger_file)]
    except RefusedError as refused:
        return [import_problem(each, file=planned.ledger_file) for each in refused.errors]
    return []


def _sell(
    night: Night, planned: PlannedNight, players: Mapping[str, Player], by: User | None
) -> list[ImportProblem]:
    """Sell what a ledger says beyond what was bought already; say where more was bought."""
    wrong = []
    for row in planned.ledger:
        bought = _bought(night, players[row.name])
        if row.chips > bought:
            key = f"ledger:{players[row.name].pk}:{bought}:{row.chips}"
            buy_in_id = uuid5(night.pk, key)
            buy_in(night, players[row.name], row.chips - bought, buy_in_id=buy_in_id, by=by)
        elif row.chips < bought:
            text = f"{shown(row.name)} bought {row.chips:,} by the ledger, {bought:,} by the night"
            wrong.append(import_problem(_differs(text), file=planned.ledger_file))
    return wrong


def _is_known(league: League, planned: PlannedNight) -> bool:
    """Say whether the night knows all that the ledger says was bought."""
    night = night_of(league, planned)
    rows = league.players.filter(name__in=[row.name for row in planned.ledger])
    players = {player.name: player for player in rows}
    return all(
        row.name in players and _bought(night, players[row.name]) == row.chips
        for row in planned.ledger
    )


def _differs(text: str) -> Problem:
    return problem("buy_in", "ledger-differs", text)


def _bought(night: Night, player: Player) -> int:
    """Return the chips that the player has bought at this night, less what was given back."""
    stands = {"night": night, "player": player, "posting__reversal": None}
    bought = BuyIn.objects.filter(**stands).aggregate(chips=Sum("chips"))["chips"] or 0
    back = CashOut.objects.filter(**stands).aggregate(chips=Sum("chips"))["chips"] or 0
    return int(bought - back)
