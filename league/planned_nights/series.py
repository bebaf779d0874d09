"""Series of nights that repeat every few weeks at the same local time.

The next few nights of a series are planned in advance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.change_version import bump_league
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse, wrong_number
from league.common.locks import lock_league
from league.models import MOST_WEEKS_APART, League, NightSeries, PlannedNight, User
from league.planned_nights.planning import MOST_AHEAD, Details, new_seed, wrong_details

PLANNED_AHEAD = 4
ALIKE = ("name", "place", "note", "seats")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """The days and the local time of a series. If `ends_on` is None, the series has no end."""

    starts_on: date
    at: time
    every_weeks: int = 1
    ends_on: date | None = None

    def days(self, after: date) -> Iterator[date]:
        """Yield the days of the series, starting with the first day on or after `after`."""
        step = timedelta(weeks=self.every_weeks)
        missed = max(after - self.starts_on, timedelta())
        day = self.starts_on + -(-missed // step) * step
        while self.ends_on is None or day <= self.ends_on:
            yield day
            day += step

    def problems(self, league: League) -> Iterator[Problem]:
        weeks = self.every_weeks
        yield from wrong_number("every_weeks", weeks, 1, MOST_WEEKS_APART, code="out-of-range")
        today = timezone.localdate(timezone=ZoneInfo(league.time_zone))
        if not today <= self.starts_on <= today + MOST_AHEAD:
            text = f"this must be in the future, within {MOST_AHEAD.days // 7} weeks"
            yield problem("starts_on", "out-of-range", text)
        if self.ends_on is not None and self.ends_on < self.starts_on:
            yield problem("ends_on", "out-of-range", "this must not be before the first night")


def start_time(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the UTC time of this local day and time.

    If the time occurs twice, the first occurrence is used. If the clocks skip the time, it is moved
    by the length of the gap.
    """
    return datetime.combine(day, at, zone).astimezone(UTC)


def next_days(rhythm: Rhythm, zone: ZoneInfo, now: datetime) -> list[date]:
    """Return the next days in the series that should be planned."""
    today = now.astimezone(zone).date()
    days = islice(rhythm.days(today), PLANNED_AHEAD + 1)
    ahead = (day for day in days if now < start_time(day, rhythm.at, zone) <= now + MOST_AHEAD)
    return list(islice(ahead, PLANNED_AHEAD))


@transaction.atomic
def make_series(
    league: League, series_id: UUID, rhythm: Rhythm, details: Details, *, by: User | None
) -> NightSeries:
    """Create a series and its first nights, once for each id.

    Raises RefusedError or IdReusedError.
    """
    lock_league(league.pk)
    columns = {
        name: getattr(rhythm, name) for name in ("starts_on", "at", "every_weeks", "ends_on")
    }
    fields = {**columns, **details.tidied()}
    if night_series := NightSeries.objects.filter(pk=series_id).first():
        if night_series.league_id != league.pk or any(
            getattr(night_series, k) != v for k, v in fields.items()
        ):
            raise IdReusedError
        return night_series
    too_many = row_limits.NIGHT_SERIES.exceeded(live_series(league), where="series")
    refuse([*rhythm.problems(league), *wrong_details(details), *too_many])
    series = NightSeries.objects.create(id=series_id, league=league, made_by=by, **fields)
    plan_ahead(series)
    return series


@transaction.atomic
def end_series(series: NightSeries) -> None:
    """End the series, and cancel its planned nights that have no answers."""
    lock_league(series.league_id)
    NightSeries.objects.filter(pk=series.pk, ended_at=None).update(ended_at=timezone.now())
    rows = PlannedNight.objects.filter(series=series, state=PlannedNight.State.PLANNED)
    for planned in rows.filter(answers=None):
        planned.state, planned.sequence = PlannedNight.State.CANCELLED, planned.sequence + 1
        planned.save(update_fields=["state", "sequence"])
    bump_league(series.league_id)


def live_series(league: League) -> QuerySet[NightSeries]:
    """Return the series that have not ended, oldest first."""
    rows = NightSeries.objects.filter(league=league, ended_at=None)
    return rows.order_by("made_at", "pk")


@transaction.atomic
def plan_ahead(series: NightSeries) -> int:
    """Plan the next nights in the series and return the number of new nights.

    A repeated call changes nothing. If the league's time zone has changed, planned nights keep
    their local time.
    """
    lock_league(series.league_id)
    zone, now = ZoneInfo(series.league.time_zone), timezone.now()
    rhythm = rhythm_of(series)
    # Planned nights keep their local time when the league's time zone changes.
    rows = PlannedNight.objects.filter(series=series, state=PlannedNight.State.PLANNED)
    for planned in rows.filter(starts_at__gt=now, day__isnull=False, moved=False):
        starts_at = start_time(planned.day or now.date(), series.at, zone)
        if planned.starts_at != starts_at:
            planned.starts_at, planned.sequence = starts_at, planned.sequence + 1
            planned.save(update_fields=["starts_at", "sequence"])
    days = next_days(rhythm, zone, now)
    there = set(PlannedNight.objects.filter(series=series, day__in=days).values_list("day"))
    missing = [day for day in days if (day,) not in there]
    for day in missing:
        PlannedNight.objects.create(
            id=uuid5(series.pk, day.isoformat()),
            league=series.league,
            series=series,
            day=day,
            starts_at=start_time(day, series.at, zone),
            seed=new_seed(),
            made_by=series.made_by,
            **{name: getattr(series, name) for name in ALIKE},
        )
    if missing:
        bump_league(series.league_id)
    return len(missing)


def plan_all_ahead() -> int:
    """Plan the next nights in all series and return the number of new nights."""
    rows = NightSeries.objects.filter(ended_at=None).select_related("league", "made_by")
    return sum(plan_ahead(series) for series in rows.order_by("pk").iterator(200))


def rhythm_of(series: NightSeries) -> Rhythm:
    return Rhythm(
        starts_on=series.starts_on,
        at=series.at,
        every_weeks=series.every_weeks,
        ends_on=series.ends_on,
    )
