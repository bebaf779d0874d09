"""The addresses of the feeds, below those of the league, of the figures and of the charts."""

from collections.abc import Iterator

from django.urls import URLPattern, path

from api.feeds.calendar import NightsCalendar
from api.feeds.dictionary import FEEDS
from api.feeds.feed_views import views_of
from api.feeds.stats import charts, figures
from api.feeds.stats.scope import OWNERS

CHARTS = ("charts", "chart", "chart-rows")
AT = "leagues/<uuid:league_id>/feeds"


def _routes() -> Iterator[URLPattern]:
    for feed in FEEDS:
        for ending, view in views_of(feed):
            at = f"{feed.name}.{ending}" if ending else feed.name
            yield path(f"{AT}/{at}", view.as_view(), name=f"feed-{at.replace('.', '-')}")
    yield path(f"{AT}/nights.ics", NightsCalendar.as_view(), name="feed-nights-ics")


def _charts() -> Iterator[URLPattern]:
    for owner in OWNERS:
        at = f"{owner.name}s/<uuid:{owner.name}_id>/charts"
        for (ending, view), name in zip(charts.views_of(owner), CHARTS, strict=True):
            yield path(f"{at}{ending}", view.as_view(), name=f"{owner.name}-{name}")


def _figures() -> Iterator[URLPattern]:
    for owner in OWNERS:
        at = f"{owner.name}s/<uuid:{owner.name}_id>/stats"
        yield path(at, figures.view_of(owner).as_view(), name=f"{owner.name}-stats")


urlpatterns = [*_routes(), *_charts(), *_figures()]
