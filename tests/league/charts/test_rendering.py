"""A worker renders each chart once for each state of its data."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.charts import rendering
from league.charts.rendering import render_requested as draw_charts
from league.charts.vega.bars import bars
from league.models import League, RenderedChart
from league.tasks import sweep_charts
from tests.helpers.league.leagues import a_league

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    return a_league()


def a_chart(value: int = 1, words: str = "a bar") -> rendering.ChartRequest:
    return rendering.ChartRequest(words, {"narrow": bars([{"name": "ann", "value": value}], 304)})


def request_chart(league: League, value: int = 1) -> RenderedChart:
    return rendering.request_charts(league, [a_chart(value)])[0]


def test_chart_is_drawn_in_both_themes(league: League) -> None:
    assert request_chart(league).state == RenderedChart.State.WANTED
    draw_charts(league.pk)
    response = RenderedChart.objects.get()
    assert response.state == RenderedChart.State.FOUND
    assert set(response.pictures) == {"light-narrow", "dark-narrow"}
    assert all(svg.startswith("<svg") for svg in response.pictures.values())
    assert request_chart(league).state == RenderedChart.State.FOUND


def test_charts_that_differ_in_data_text_or_league_are_stored_separately(league: League) -> None:
    first = request_chart(league)
    assert request_chart(league).pk == first.pk
    assert request_chart(league, 2).pk != first.pk
    assert request_chart(a_league()).pk != first.pk
    assert rendering.request_charts(league, [a_chart(words="ein Balken")])[0].pk != first.pk


def test_chart_leased_by_one_worker_is_not_rendered_by_another(league: League) -> None:
    row = request_chart(league)
    until = timezone.now() + timedelta(minutes=1)
    RenderedChart.objects.update(leased_until=until)
    assert rendering.leagues_due() == []
    draw_charts(league.pk)
    row.refresh_from_db()
    assert (row.state, row.tries) == (RenderedChart.State.WANTED, 0)


def test_chart_is_due_again_after_its_lease_expires(league: League) -> None:
    request_chart(league)
    assert rendering.leagues_due() == [league.pk]
    RenderedChart.objects.update(leased_until=timezone.now() - timedelta(seconds=1), tries=1)
    assert rendering.leagues_due() == [league.pk]


def test_invalid_chart_fails_without_delaying_others(league: League) -> None:
    broken = rendering.ChartRequest(
        "a bar", {"narrow": {"width": 1, "height": 1, "mark": "nonsense"}}
    )
    bad, good = rendering.request_charts(league, [broken, a_chart()])
    draw_charts(league.pk)
    states = dict(RenderedChart.objects.values_list("pk", "state"))
    assert states == {bad.pk: RenderedChart.State.FAILED, good.pk: RenderedChart.State.FOUND}


@pytest.mark.usefixtures("tasks_at_once")
def test_chart_fails_after_too_many_attempts(league: League) -> None:
    request_chart(league)
    RenderedChart.objects.update(tries=rendering.MOST_TRIES)
    sweep_charts()
    assert RenderedChart.objects.get().state == RenderedChart.State.FAILED


def test_chart_that_is_no_longer_requested_is_deleted(league: League) -> None:
    request_chart(league)
    RenderedChart.objects.update(
        asked_at=timezone.now() - rendering.WANTED_FOR - timedelta(seconds=1)
    )
    rendering.sweep()
    assert not RenderedChart.objects.exists()
