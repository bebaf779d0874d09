"""Demo leagues: their content, limits and deletion."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from league.closing.close import Decisions, close_night
from league.demo import sandbox
from league.demo.sandbox import (
    LASTS,
    READY_FOR,
    DemoFullError,
    claim_prepared,
    delete_demo,
    maintain_demos,
    prepare_demo,
    start_new,
)
from league.games.house_games import write
from league.integrity.audit import audit, audit_league
from league.integrity.row_owners import owned, rows_of
from league.jobs.closing_jobs import schedule_missing
from league.models import (
    Closing,
    ClosingJob,
    DemoLeague,
    Hand,
    League,
    Membership,
    Night,
    PlannedPayment,
    Revision,
    Role,
    User,
)
from league.nights.nights import newest_open
from league.nights.opening import open_night
from league.privacy.erasure import NotDisposableError, delete_league
from league.stats.luck import leagues_waiting
from rules.api import rename_players
from tests.helpers.league.house_games import CROSS, crossed
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import closed, dealt

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def without_counts() -> None:
    cache.clear()


def start_demo() -> DemoLeague:
    return claim_prepared() or start_new()


def counts() -> dict[str, int]:
    """Return the number of rows in each table, excluding the catalog's games."""
    rows = {model.__name__: model._base_manager.all() for model in apps.get_models()}
    rows["GameDocument"] = rows["GameDocument"].filter(slug="")
    return {name: each.count() for name, each in rows.items()}


def _other_league() -> League:
    night = a_night()
    dealt(night)
    return closed(night).league


def aged(demo: DemoLeague, age: timedelta) -> None:
    then = timezone.now() - age
    rows = DemoLeague.objects.filter(pk=demo.pk)
    rows.update(made_at=then, ready_at=then, started_at=demo.started_at and then)


def test_demo_has_closed_nights_an_open_night_six_players_and_payments() -> None:
    demo = start_demo()
    nights = Night.objects.filter(season__league=demo.league).order_by("number")
    assert [night.state for night in nights] == ["closed", "closed", "open"]
    assert all(night.hands.count() >= 5 for night in nights)
    assert all(night.seats.count() == 6 for night in nights)
    assert Membership.objects.get(user=demo.user).role == Role.HOST
    assert demo.league.players.get(user=demo.user).name == demo.user.first_name
    assert audit_league(demo.league) == []
    rows = PlannedPayment.objects.filter(plan__season__league=demo.league)
    assert rows.exclude(paid=None).exists()
    assert rows.filter(paid=None).exists()
    answers = Revision.objects.filter(hand__night__season__league=demo.league).values_list("answer")
    assert not [answer["findings"] for (answer,) in answers if answer["findings"]]


def test_prepared_demo_is_started_once() -> None:
    demo = prepare_demo()
    assert start_demo() == demo
    assert claim_prepared() is None


def test_demo_that_exceeds_the_total_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MOST_LEAGUES", 1)
    start_demo()
    with pytest.raises(DemoFullError):
        prepare_demo()
    with pytest.raises(DemoFullError):
        start_demo()
    assert DemoLeague.objects.count() == 1


def test_requests_prepare_one_demo_at_a_time() -> None:
    cache.set(sandbox.PREPARING, 1)
    with pytest.raises(DemoFullError):
        start_demo()
    assert not DemoLeague.objects.exists()


def test_job_keeps_demos_ready(settings: Settings) -> None:
    settings.DEMO_READY = 2
    maintain_demos()
    maintain_demos()
    assert DemoLeague.objects.filter(started_at=None).count() == 2


def test_job_prepares_no_demos_if_they_are_disabled(settings: Settings) -> None:
    settings.DEMO, settings.DEMO_READY = False, 2
    prepare_demo()
    maintain_demos()
    assert not DemoLeague.objects.exists()


def test_job_prepares_no_more_demos_than_the_limit(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEMO_READY = 3
    monkeypatch.setattr(sandbox, "MOST_LEAGUES", 2)
    start_demo()
    maintain_demos()
    assert DemoLeague.objects.count() == 2


@pytest.mark.database
def test_expired_demo_is_deleted_with_all_its_rows(settings: Settings) -> None:
    other = _other_league()
    before = counts()
    demo = start_demo()
    _use(demo)
    aged(demo, LASTS + timedelta(minutes=1))
    settings.DEMO_READY = 0
    maintain_demos()
    after = counts()
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {}
    assert not any(rows_of(model, demo.league_id).exists() for model in owned())
    assert not User.objects.filter(pk=demo.user_id).exists()
    assert audit_league(other) == []
    assert audit() == []


def _use(demo: DemoLeague) -> None:
    """Record hands, write a game, share the screen, close the night and open another one."""
    night = newest_open(demo.league)
    assert night
    game = write(demo.league, CROSS, by=demo.user)
    names = {"ann": "Ann", "bob": "Bob"}
    dealt(night, rename_players(holdem(), names))
    dealt(night, rename_players(crossed(game.slug), names))
    client = Client()
    client.force_login(demo.user)
    assert client.get(reverse("night", args=[night.pk])).status_code == 200
    assert client.post(reverse("share-screen", args=[night.pk])).status_code == 200
    close_night(night, uuid4(), by=demo.user, decisions=Decisions(by_hands=True))
    open_night(demo.league, players=demo.league.players.all())


@pytest.mark.parametrize(
    "age", [READY_FOR - timedelta(minutes=1), READY_FOR + timedelta(minutes=1)]
)
def test_unused_demo_is_replaced_after_a_few_hours(age: timedelta, settings: Settings) -> None:
    demo = prepare_demo()
    aged(demo, age)
    settings.DEMO_READY = 1
    maintain_demos()
    assert DemoLeague.objects.filter(pk=demo.pk).exists() == (age < READY_FOR)


def test_demo_in_use_is_kept_for_a_day() -> None:
    demo = start_demo()
    aged(demo, LASTS - timedelta(minutes=1))
    maintain_demos()
    assert DemoLeague.objects.filter(pk=demo.pk).exists()


def test_other_leagues_are_never_deleted() -> None:
    league = _other_league()
    with pytest.raises(NotDisposableError):
        delete_league(league)
    assert Closing.objects.filter(league=league).exists()


def test_triggers_protect_rows_of_other_leagues() -> None:
    demo, league = prepare_demo(), _other_league()
    for model in (Hand, Closing, Night):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows_of(model, league.pk)._raw_delete("default")
    delete_demo(demo)
    assert audit_league(league) == []


def test_workers_skip_demos() -> None:
    demo = prepare_demo()
    schedule_missing()
    assert not ClosingJob.objects.filter(night__season__league=demo.league).exists()
    assert demo.league_id not in leagues_waiting()
