"""The URLs of the feeds, with a view for each feed and format."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view

from api.feeds import parquet
from api.feeds.calendar import NightsCalendar
from api.feeds.columns import row_of
from api.feeds.dictionary import FEEDS
from api.feeds.exports import ParquetRows, TextRows
from api.feeds.formats import FORMS
from api.feeds.row_feed import CURSOR, Feed
from api.feeds.stats import charts, figures
from api.feeds.stats.scope import OWNERS
from api.feeds.versions import VersionedFinder
from api.feeds.views import LARGEST_CURSOR, LARGEST_SIZE, PAGE_SIZE, USUAL_SIZE, Rows
from api.http.paging import page_of
from league.models import League


def views_of(feed: Feed) -> Iterator[tuple[str, type[Rows]]]:
    """Yield a view for each format of a feed, with the suffix of the view's name."""
    yield "", _view(feed, Rows, {200: page_of(row_of(feed.row, feed.columns))})
    for form in FORMS:
        own = {"form": form, "ending": form.ending}
        yield form.ending, _view(feed, TextRows, {(200, form.media_type): OpenApiTypes.STR}, **own)
    yield (
        ParquetRows.ending,
        _view(feed, ParquetRows, {(200, parquet.PARQUET): OpenApiTypes.BINARY}),
    )


TYPES = {"UUIDFilter": OpenApiTypes.UUID, "DateTimeFilter": OpenApiTypes.DATETIME}
TYPES |= {"BooleanFilter": OpenApiTypes.BOOL, "CharFilter": OpenApiTypes.STR}


def _view(feed: Feed, base: type[Rows], responses: Any, **own: Any) -> type[Rows]:
    ending = own.get("ending", getattr(base, "ending", ""))
    finder = VersionedFinder(League.objects.all(), "pk", feed.version)
    own |= {"feed": feed, "finder": finder, "__doc__": type(feed).__doc__}
    view = type(f"{type(feed).__name__}{ending.title()}Feed", (base,), own)
    parameters = [
        OpenApiParameter(name, TYPES[type(each).__name__])
        for name, each in feed.filters.base_filters.items()
    ]
    whole = {"type": "integer", "minimum": 0, "maximum": LARGEST_CURSOR}
    parameters.append(OpenApiParameter(CURSOR, whole, description="Rows after this cursor."))
    if base.is_paged:
        usual = "all" if feed.is_single_page else USUAL_SIZE
        text = f"{feed.counts} of a page: {usual} by default, at most {LARGEST_SIZE}."
        size = {"type": "integer", "minimum": 1}
        parameters.append(OpenApiParameter(PAGE_SIZE, size, description=text))
    described = extend_schema(
        operation_id="_".join(filter(None, ("export", feed.name.replace("-", "_"), ending))),
        summary=feed.summary,
        responses=responses,
        parameters=parameters,
    )
    return extend_schema_view(get=described)(view)


CHARTS = ("charts", "chart", "chart-rows")
AT = "leagues/<uuid:league_id>/feeds"


def _routes() -> Iterator[URLPattern]:
    for feed in FEEDS:
        for ending, view in views_of(feed):
            at = f"{feed.name}.{ending}" if ending else feed.name
            yield path(f"{AT}/{at}", view.as_view(), name=f"feed-{at.replace('.', '-')}")
    yield path(f"{AT}/nights.ics", NightsCalendar.as_view(), name="feed-nights-ics")
    for owner in OWNERS:
        at = f"{owner.name}s/<uuid:{owner.name}_id>"
        for (ending, chart), name in zip(charts.views_of(owner), CHARTS, strict=True):
            yield path(f"{at}/charts{ending}", chart.as_view(), name=f"{owner.name}-{name}")
        stats = figures.view_of(owner).as_view()
        yield path(f"{at}/stats", stats, name=f"{owner.name}-stats")


urlpatterns = [*_routes()]
