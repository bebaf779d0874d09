"""Issue 7: charts are drawn by a worker, once for each state of the data, and never stale."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league import drawing
from league.charts.bars import bars
from league.models import Drawing, League
from league.tasks import draw_charts, sweep_charts
from tests.league.tables import a_league

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    return a_league()


def a_chart(value: int = 1, words: str = "a bar") -> drawing.Wanted:
    return drawing.Wanted(words, {"narrow": bars([{"name": "ann", "value": value}], 304)})


def asked(league: League, value: int = 1) -> Drawing:
    return drawing.ask(league, [a_chart(value)])[0]


def test_a_chart_is_drawn_in_light_and_dark(league: League) -> None:
    assert asked(league).state == Drawing.State.WANTED
    draw_charts(str(league.pk))
    found = Drawing.objects.get()
    assert found.state == Drawing.State.FOUND
    assert set(found.pictures) == {"light-narrow", "dark-narrow"}
    assert all(svg.startswith("<svg") for svg in found.pictures.values())
    assert asked(league).state == Drawing.State.FOUND


def test_other_data_other_words_and_other_leagues_are_other_drawings(league: League) -> None:
    first = asked(league)
    assert asked(league).pk == first.pk
    assert asked(league, 2).pk != first.pk
    assert asked(a_league()).pk != first.pk
    assert drawing.ask(league, [a_chart(words="ein Balken")])[0].pk != first.pk


def test_what_a_worker_is_at_nobody_else_draws(league: League) -> None:
    row = asked(league)
    until = timezone.now() + timedelta(minutes=1)
    Drawing.objects.update(leased_until=until)
    assert drawing.due() == []
    draw_charts(str(league.pk))
    row.refresh_from_db()
    assert (row.state, row.tries) == (Drawing.State.WANTED, 0)


def test_a_lost_message_is_made_up_for(league: League) -> None:
    asked(league)
    assert drawing.due() == [league.pk]
    Drawing.objects.update(leased_until=timezone.now() - timedelta(seconds=1), tries=1)
    assert drawing.due() == [league.pk]


def test_what_cannot_be_drawn_is_given_up_and_holds_up_nothing(league: League) -> None:
    broken = drawing.Wanted("a bar", {"narrow": {"width": 1, "height": 1, "mark": "nonsense"}})
    bad, good = drawing.ask(league, [broken, a_chart()])
    draw_charts(str(league.pk))
    states = dict(Drawing.objects.values_list("pk", "state"))
    assert states == {bad.pk: Drawing.State.FAILED, good.pk: Drawing.State.FOUND}


def test_what_took_too_many_tries_is_given_up(league: League) -> None:
    asked(league)
    Drawing.objects.update(tries=drawing.MOST_TRIES)
    sweep_charts()
    assert Drawing.objects.get().state == Drawing.State.FAILED


def test_what_nobody_waits_for_is_forgotten(league: League) -> None:
    asked(league)
    Drawing.objects.update(asked_at=timezone.now() - drawing.WANTED_FOR - timedelta(seconds=1))
    drawing.sweep()
    assert not Drawing.objects.exists()
