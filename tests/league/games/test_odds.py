"""A game's odds are computed once for each setting, even if messages are lost."""

from datetime import timedelta
from time import monotonic, sleep
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.games import odds as games_odds
from league.games.odds import find as find_odds
from league.models import Odds
from league.tasks import sweep_odds
from rules.documents import catalog
from rules.presentation import form
from rules.settlement import odds

pytestmark = pytest.mark.django_db
HOLDEM = catalog.document("texas-holdem")


@pytest.fixture(autouse=True)
def _few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_odds, "DEALS", 200)


def request_odds(document: dict[str, Any] = HOLDEM, *modifiers: str, players: int = 5) -> Odds:
    row = games_odds.request_odds(document, modifiers, players)
    assert row is not None
    return row


def test_odds_match_the_engine() -> None:
    row = request_odds()
    find_odds(row.deal)
    row.refresh_from_db()
    expected = odds.odds(form.game_of("texas-holdem"), players=5, deals=200)
    assert row.found == expected
    assert row.state == Odds.State.FOUND


def test_odds_are_stored_by_game_player_count_and_variation() -> None:
    ways = [
        request_odds(),
        request_odds(players=6),
        request_odds(HOLDEM, "two-row"),
        request_odds(catalog.document("stump")),
    ]
    assert len({row.deal for row in ways}) == 4
    assert request_odds().deal == ways[0].deal
    reordered = dict(reversed(HOLDEM.items()))
    assert request_odds(reordered).deal == ways[0].deal
    assert Odds.objects.count() == 4


def test_stored_odds_are_not_computed_again() -> None:
    row = request_odds()
    find_odds(row.deal)
    find_odds(row.deal)
    row.refresh_from_db()
    assert row.tries == 1


@pytest.mark.usefixtures("tasks_at_once")
def test_sweep_computes_odds_whose_message_was_lost() -> None:
    row = request_odds()
    sweep_odds()
    row.refresh_from_db()
    assert row.found


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_worker_computes_requested_odds() -> None:
    row = request_odds()
    deadline = monotonic() + 20
    while monotonic() < deadline and not Odds.objects.filter(deal=row.deal, state="found"):
        sleep(0.05)
    assert Odds.objects.get().found


def test_odds_can_be_requested_while_the_broker_is_down(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away(*_message: object, **_options: object) -> None:
        raise OperationalError

    monkeypatch.setattr("celery.app.base.Celery.send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        row = request_odds()
    assert games_odds.due() == [row.deal]


def test_worker_skips_odds_leased_by_another_worker() -> None:
    row = request_odds()
    Odds.objects.update(leased_until=timezone.now() + timedelta(minutes=1))
    find_odds(row.deal)
    row.refresh_from_db()
    assert row.found is None
    assert games_odds.due() == []


@pytest.mark.usefixtures("tasks_at_once")
def test_job_of_a_dead_worker_is_taken_over_by_the_next() -> None:
    row = request_odds()
    Odds.objects.update(leased_until=timezone.now() - timedelta(seconds=1), tries=1)
    sweep_odds()
    row.refresh_from_db()
    assert row.found
    assert row.tries == 2


@pytest.mark.usefixtures("tasks_at_once")
def test_odds_fail_after_too_many_attempts() -> None:
    row = request_odds()
    Odds.objects.update(tries=games_odds.MOST_TRIES)
    sweep_odds()
    row.refresh_from_db()
    assert (row.state, row.found) == (Odds.State.FAILED, None)


def test_game_without_hands_to_compare_has_no_odds() -> None:
    row = request_odds(catalog.document("put-and-take"))
    find_odds(row.deal)
    row.refresh_from_db()
    assert row.state == Odds.State.FAILED


def test_odds_that_take_too_long_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_odds, "MOST_SECONDS", -1.0)
    row = request_odds()
    find_odds(row.deal)
    row.refresh_from_db()
    assert row.state == Odds.State.FAILED


def test_number_of_waiting_odds_requests_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_odds, "MOST_WAITING", 2)
    stored = request_odds()
    request_odds(players=2)
    assert games_odds.request_odds(HOLDEM, (), 3) is None
    assert request_odds().deal == stored.deal


@pytest.mark.usefixtures("tasks_at_once")
def test_oldest_excess_requests_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_odds, "MOST_KEPT", 2)
    rows = [request_odds(players=players) for players in (2, 3, 4)]
    for row in rows:
        find_odds(row.deal)
    sweep_odds()
    kept = set(Odds.objects.values_list("deal", flat=True))
    assert kept == {row.deal for row in rows[1:]}


@pytest.mark.parametrize(("players", "usual"), [([2, 8], 5), ([2, 3], 3), ([6, 9], 6), ([1, 4], 4)])
def test_odds_assume_five_players_if_the_game_allows_five(players: list[int], usual: int) -> None:
    assert games_odds.usual_players({"players": players}) == usual
