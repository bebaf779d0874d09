"""The nights of a league as a calendar (RFC 5545)."""

from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, OuterRef, Subquery, Sum
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from icalendar import Calendar, Event

from api.feeds.versions import Columns, VersionedFinder
from api.feeds.views import FeedResource
from league.models import League, Night

ICAL = "text/calendar"


def _version() -> Columns:
    """Return what changes whenever a night of the league does, or what it is called."""
    rows = Night.objects.filter(season__league=OuterRef("pk")).order_by()
    whole = rows.values("season__league")
    read = (Count("pk"), Sum("version"), Max("started_at"), Max("ended_at"))
    nights = {
        f"seen_{place}": Subquery(whole.annotate(figure=each).values("figure"))
        for place, each in enumerate(read)
    }
    return {**nights, "seen_name": F("name"), "seen_time_zone": F("time_zone")}


@extend_schema_view(
    get=extend_schema(
        summary="The nights as a calendar that others subscribe to",
        responses={(200, ICAL): OpenApiTypes.STR},
    )
)
class NightsCalendar(FeedResource):
    """Each night keeps its UID; its SEQUENCE grows with everything that is written to it."""

    selects_fields = False
    finder = VersionedFinder(League.objects.all(), "pk", _version())

    def answer(self, league: League) -> HttpResponse:
        site = self.request.build_absolute_uri("/").rstrip("/")
        nights = Night.objects.filter(season__league=league).order_by("started_at", "pk")
        text = calendar(league, list(nights), site).to_ical()
        return HttpResponse(text, content_type=f"{ICAL}; charset=utf-8")


def calendar(league: League, nights: list[Night], site: str) -> Calendar:
    """Return the calendar, with times in the league's own zone."""
    made = Calendar()
    made.add("prodid", "-//Dealer's Choice//nights//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", league.name)
    made.add("x-wr-timezone", league.time_zone)
    for night in nights:
        made.add_component(_event(league, night, site))
    made.add_missing_timezones()
    return made


def _event(league: League, night: Night, site: str) -> Event:
    zone = ZoneInfo(league.time_zone)
    starts = night.started_at.astimezone(zone).replace(microsecond=0)
    event = Event()
    event.add("uid", f"{night.pk}@nights.dealers-choice")
    event.add("sequence", night.version)
    event.add("dtstamp", night.ended_at or night.started_at)
    event.add("dtstart", starts)
    # an end that is not after the start is none (RFC 5545, 3.8.2.2)
    ends = night.ended_at and night.ended_at.astimezone(zone).replace(microsecond=0)
    if ends and ends > starts:
        event.add("dtend", ends)
    event.add("summary", f"{league}: {night}")
    event.add("url", site + reverse("night", args=[night.pk]))
    return event
