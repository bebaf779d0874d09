"""When a night closes by itself: at the league's hour, in the league's own zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from league.models import League


def next_closing(league: League, after: datetime) -> datetime:
    """Return the first closing hour after the moment.

    An hour that the clocks skip is the moment at which they do; of an hour that comes twice it
    is the first.
    """
    zone = ZoneInfo(league.time_zone)
    today = after.astimezone(zone).date()
    moments = (_moment(today + timedelta(days), league.closing_hour, zone) for days in range(-1, 3))
    return next(moment for moment in moments if moment > after)


def _moment(day: date, hour: int, zone: ZoneInfo) -> datetime:
    # Compared in UTC: two moments of one zone are compared by the wall clock.
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
