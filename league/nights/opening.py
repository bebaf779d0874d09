"""Open a night. A new night starts with the pots that earlier nights kept."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.common.locks import lock_league
from league.common.text import tidy, wrong_text
from league.jobs import closing_jobs
from league.models import League, Night, Player, User
from league.nights.buy_ins import buy_in
from league.nights.carried_pots import hand_on
from league.nights.nights import seat
from league.people.leagues import add_season, latest_season, wrong_chips

USUAL_BUY_IN = 100
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


@transaction.atomic
def open_night(  # noqa: PLR0913 (the fields of a night)
    league: League,
    *,
    night_id: UUID | None = None,
    name: str = "",
    usual_buy_in: int = USUAL_BUY_IN,
    players: Iterable[Player] = (),
    started_at: datetime | None = None,
    imported: bool = False,
) -> Night:
    """Open a night in the current season, with these players seated in this order.

    It starts now by default. An `imported` night does not get pots that other nights kept. Each id
    opens only one night. Raises RefusedError or IdReusedError.
    """
    now = timezone.now()
    wrong = [*wrong_text("name", name, needed=False), *wrong_chips("usual_buy_in", usual_buy_in)]
    refuse([*wrong, *wrong_start(started_at or now)])
    # Prevents concurrent closings, settlements and option changes. The book is locked after this.
    league = lock_league(league.pk)
    season = latest_season(league)
    if season.ends_on is not None:
        season = add_season(league)
    stored = Night.objects.select_related("season__league__book")
    wanted = (league.pk, tidy(name), usual_buy_in)
    if night_id and (opened := stored.filter(pk=night_id).first()):
        if (opened.season.league_id, opened.name, opened.usual_buy_in) != wanted:
            raise IdReusedError
        return opened
    running = Night.objects.filter(season__league=league, state=Night.State.OPEN)
    refuse(too_many_nights(season.nights, running))
    night = Night(
        id=night_id or uuid4(),
        season=season,
        number=(season.nights.aggregate(last=Max("number"))["last"] or 0) + 1,
        name=tidy(name),
        chip_value=league.chip_value,
        currency=league.currency,
        usual_buy_in=usual_buy_in,
        started_at=started_at or now,
        imported=imported,
    )
    hand_on(league, night)
    night.save(force_insert=True)
    closing_jobs.schedule_closing(night, after=now)
    for player in players:
        seat(night, player)
    return night


def wrong_start(at: datetime) -> Iterator[Problem]:
    """Yield a problem if no night can start at this time."""
    if not EARLIEST <= at <= timezone.now():
        text = "a night must start in 1970 or later, and not in the future"
        yield problem("started_at", "bad-option", text)


def too_many_nights(
    in_season: row_limits.Rows | int, running: row_limits.Rows | int
) -> Iterator[Problem]:
    """Yield the limits that prevent opening a night, from the season's and the open nights."""
    yield from row_limits.NIGHTS.exceeded(in_season)
    yield from row_limits.OPEN_NIGHTS.exceeded(running)


@transaction.atomic
def start_night(
    league: League,
    night_id: UUID,
    sitting: Iterable[tuple[Player, int]],
    *,
    by: User | None,
    name: str = "",
    usual_buy_in: int = USUAL_BUY_IN,
) -> Night:
    """Open a night with these players seated, each with chips bought on the tab.

    Each id opens only one night. Raises RefusedError or IdReusedError.
    """
    sat = list(sitting)
    players = [player for player, _ in sat]
    night = open_night(
        league, night_id=night_id, name=name, usual_buy_in=usual_buy_in, players=players
    )
    for player, chips in sat:
        if chips:
            buy_in(night, player, chips, buy_in_id=uuid5(night_id, str(player.pk)), by=by)
    return night
