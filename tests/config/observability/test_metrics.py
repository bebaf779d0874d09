"""Metrics and access to them."""

import re
import signal
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
from django.test import Client
from pytest_django import Settings

from league.models import Player
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from tests.helpers.config.installations import an_installation
from tests.helpers.config.service_process import served
from tests.helpers.league.leagues import holdem
from tests.helpers.league.nights import a_table, closed, dealt

TOKEN = "only-prometheus-knows-this"


def read(client: Client, token: str = TOKEN) -> str:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return answer.content.decode()


def value(text: str, name: str) -> float:
    """Return the value of the metric with this prefix, or 0."""
    row = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(row[1]) if row else 0.0


@pytest.fixture
def scraped(settings: Settings) -> Client:
    settings.METRICS_TOKEN = TOKEN
    return Client()


def test_metrics_are_unavailable_without_a_token(client: Client) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize("header", ["", f"Bearer {TOKEN}x", f"Token {TOKEN}", TOKEN, "Bearer ü"])
def test_metrics_require_the_token(scraped: Client, header: str) -> None:
    answer = scraped.get("/metrics", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.content == b""


@pytest.mark.django_db
def test_requests_are_counted_by_route_not_by_url(scraped: Client) -> None:
    row = 'dealers_choice_request_seconds_count{method="GET",route="%s",status="%s"}'
    before = read(scraped)
    scraped.get(f"/receipts/{uuid4().hex}")
    scraped.get("/no-such-page")
    scraped.generic("BREW", "/healthz")
    text = read(scraped)
    for route, status in (("shared-receipt", 404), ("none", 404)):
        name = row % (route, status)
        assert value(text, name) == value(before, name) + 1
    assert 'method="other",route="healthz",status="405"' in text
    assert "BREW" not in text


@pytest.mark.django_db
def test_hands_closings_and_settle_requests_are_counted(scraped: Client) -> None:
    hands = 'dealers_choice_hands_total{outcome="%s"}'
    settling = "dealers_choice_settle_seconds_count"
    before = read(scraped)
    night = a_table()
    hand, key = dealt(night), uuid4()
    for _ in range(2):
        record_hand(night, key, holdem(), by=None)
    revise_hand(hand, uuid4(), holdem(), by=None)
    closed(night)
    text = read(scraped)
    grown = {name: value(text, hands % name) - value(before, hands % name) for name in OUTCOMES}
    assert grown == {"recorded": 2, "again": 1, "revised": 1}
    assert value(text, settling) >= value(before, settling) + 4
    assert value(text, "dealers_choice_closings_total") == 1
    assert value(text, 'dealers_choice_queue_depth{queue="stats"}') == 3
    assert Player.objects.filter(name__in=re.findall(r"\w+", text)).count() == 0


OUTCOMES = ("recorded", "again", "revised")


@pytest.mark.slow
def test_metrics_from_all_web_processes_are_added_up(tmp_path: Path) -> None:
    measures = tmp_path / "measures"
    measures.mkdir()
    (measures / "counter_1.db").write_bytes(b"")
    environment = {"METRICS_TOKEN": TOKEN, "PROMETHEUS_MULTIPROC_DIR": str(measures)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    with (
        an_installation(tmp_path, **environment) as variables,
        served(variables, "--only-web", "--processes", "2") as service,
    ):
        for _ in range(20):
            service.get("/health")
        text = service.get("/metrics", Authorization=f"Bearer {TOKEN}")
        [first, _] = psutil.Process(service.process.pid).children()
        first.kill()
        first.wait()
        again = service.get("/metrics", Authorization=f"Bearer {TOKEN}")
        assert service.end(signal.SIGTERM) < 20
        assert service.process.returncode == 0
    assert not (measures / "counter_1.db").exists()
    row = 'dealers_choice_request_seconds_count{method="GET",route="health",status="200"}'
    assert value(text, row) == value(again, row) == 20
    assert value(text, 'dealers_choice_queue_depth{queue="stats"}') == 0
