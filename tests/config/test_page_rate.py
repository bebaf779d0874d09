"""A user or an address above the page rate has to wait. Other users don't."""

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from tests.helpers.api.clients import someone

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _low_rates(settings: Settings) -> None:
    cache.clear()
    settings.PAGE_RATES = {"account": "5/hour", "address": "8/hour"}


def statuses(client: Client, number: int, path: str = "/") -> list[int]:
    return [client.get(path).status_code for _ in range(number)]


def test_user_exceeding_the_page_rate_gets_retry_after() -> None:
    one, other = someone(), someone()
    assert statuses(one, 5) == [200] * 5
    page = one.get("/")
    assert page.status_code == 429
    assert 0 < int(page.headers["Retry-After"]) <= 3600
    assert "Try again in a minute" in page.content.decode()
    assert statuses(other, 5) == [200] * 5
    assert one.post("/leagues/new").status_code == 429


def test_sessions_of_one_user_share_a_page_rate() -> None:
    one, again = someone(), Client()
    again.cookies = one.cookies
    assert statuses(one, 3) + statuses(again, 3) == [200] * 5 + [429]


def test_anonymous_visitors_are_counted_by_address() -> None:
    assert statuses(Client(), 8, "/sign-in") == [200] * 8
    assert statuses(Client(), 1, "/sign-in") == [429]
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    assert statuses(elsewhere, 1, "/sign-in") == [200]
    assert statuses(someone(), 1) == [200]


def test_health_and_api_requests_do_not_count_as_pages() -> None:
    client = someone()
    statuses(client, 6)
    assert statuses(client, 2, "/healthz") == [200] * 2
    assert statuses(client, 2, "/api/v1/leagues") == [200] * 2
