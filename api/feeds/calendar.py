"""A league's past and planned nights as a calendar (RFC 5545)."""

from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, OuterRef, Subquery, Sum
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from icalendar import Calendar, Event

from api.feeds.versions import Columns, Version, VersionedFinder
from api.feeds.views import FeedResource
from league.access import may_act_for, player_of
from league.models import League, Night, NightAnswerLink, PlannedNight
from league.nights.nights import UNPLAYED
from league.planned_nights.answer_links import player_token

ICAL = "text/calendar"
MOST_PLANNED = 200  # maximum number of planned nights in a calendar, latest first
State = PlannedNight.State


def _version() -> Columns:
    """Return columns that change whenever one of the league's nights, answers or names changes."""
    rows = Night.objects.filter(season__league=OuterRef("pk")).order_by()
    whole = rows.values("season__league")
    read = (Count("pk"), Sum("version"), Max("started_at"), Max("ended_at"))
    nights = {
        f"seen_{place}": Subquery(whole.annotate(figure=aggregate).values("figure"))
        for place, aggregate in enumerate(read)
    }
    planned = PlannedNight.objects.filter(league=OuterRef("pk")).order_by().values("league")
    plans = {
        f"seen_plan_{place}": Subquery(planned.annotate(figure=aggregate).values("figure"))
        for place, aggregate in enumerate((Count("pk"), Sum("sequence"), Count("night")))
    }
    links = NightAnswerLink.objects.filter(league=OuterRef("pk")).order_by().values("league")
    answered_by = {
        f"seen_link_{place}": Subquery(links.annotate(figure=aggregate).values("figure"))
        for place, aggregate in enumerate((Count("pk"), Count("revoked_at")))
    }
    # A league's version increases when its members or players change.
    named = {"seen_name": F("name"), "seen_time_zone": F("time_zone"), "seen_people": F("version")}
    return {**nights, **plans, **answered_by, **named}


@extend_schema_view(
    get=extend_schema(
        operation_id="export_calendar",
        summary="The nights as a calendar to subscribe to",
        responses={(200, ICAL): OpenApiTypes.STR},
    )
)
class NightsCalendar(FeedResource):
    """A league's nights as a calendar.

    Each event keeps its UID, and its SEQUENCE increases with every change. A planned night links to
    the reader's answer page, if the reader is known. When the night starts, its event is kept.
    """

    selects_fields = False
    finder = VersionedFinder(League.objects.all(), "pk", _version())

    def find(self, **which: Any) -> tuple[League, Version]:
        league, version = super().find(**which)
        return league, Version(f"{version.text} {self.visitor.pk}")

    def answer(self, league: League) -> HttpResponse:
        site = self.request.build_absolute_uri("/").rstrip("/")
        plans = PlannedNight.objects.filter(league=league).exclude(state=State.STARTED)
        latest = sorted(
            plans.order_by("-starts_at", "pk")[:MOST_PLANNED], key=lambda p: p.starts_at
        )
        nights = Night.objects.filter(season__league=league).exclude(UNPLAYED)
        nights = nights.order_by("started_at", "pk")
        made = calendar(league, list(nights), site)
        token = self._token(league)
        at = reverse("answers", args=[token]) if token else ""
        for planned in latest:
            event = Event()
            event.add("uid", f"{planned.pk}@nights.dealers-choice")
            event.add("sequence", planned.sequence)
            event.add("dtstamp", planned.made_at)
            event.add("dtstart", planned.starts_at.astimezone(UTC).replace(microsecond=0))
            event.add("status", "CANCELLED" if planned.state == State.CANCELLED else "CONFIRMED")
            event.add("summary", f"{league}: {planned}")
            if planned.place:
                event.add("location", planned.place)
            if planned.note:
                event.add("description", planned.note)
            event.add("url", site + (at or reverse("planned-night", args=[planned.pk])))
            made.add_component(event)
        return HttpResponse(made.to_ical(), content_type=f"{ICAL}; charset=utf-8")

    def _token(self, league: League) -> str:
        """Return the reader's answer token, or "" if the reader has only read access."""
        own = player_of(self.visitor, league)
        speaks = own is not None and may_act_for(self.visitor, own, league)
        return player_token(own) if own is not None and speaks else ""


def calendar(league: League, nights: list[Night], site: str) -> Calendar:
    """Return the calendar, with times in the league's time zone."""
    made = Calendar()
    made.add("prodid", "-//Dealer's Choice//nights//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", league.name)
    made.add("x-wr-timezone", league.time_zone)
    zone = ZoneInfo(league.time_zone)
    for night in nights:
        starts = night.started_at.astimezone(zone).replace(microsecond=0)
        event = Event()
        event.add("uid", f"{night.pk}@nights.dealers-choice")
        event.add("sequence", night.version)
        event.add("dtstamp", night.ended_at or night.started_at)
        event.add("dtstart", starts)
        # the end must be after the start (RFC 5545, 3.8.2.2)
        ends = night.ended_at and night.ended_at.astimezone(zone).replace(microsecond=0)
        if ends and ends > starts:
            event.add("dtend", ends)
        event.add("summary", f"{league}: {night}")
        event.add("url", site + reverse("night", args=[night.pk]))
        made.add_component(event)
    made.add_missing_timezones()
    return made
