"""Password and code guessing is rate limited, and oversized requests are rejected."""

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config.web.middleware import LARGEST_BODY
from league.common.client_ip import address_of
from league.models import User
from league.sign_in.rate_limits import WRONG_CODES_HERE
from tests.helpers.league.leagues import a_league

pytestmark = pytest.mark.django_db

PASSWORD = "a dealer names the game"
HOME, ELSEWHERE = "203.0.113.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def ann() -> User:
    cache.clear()
    return User.objects.create_user("ann", password=PASSWORD)


def sign_in(password: str, *, name: str = "ann", address: str = HOME) -> int:
    """Sign in from this address. Return the status code."""
    fields = {"username": name, "password": password}
    answer = Client(REMOTE_ADDR=address).post("/sign-in", fields)
    return answer.status_code


def guess(times: int, **fields: str) -> list[int]:
    return [sign_in(f"guess {number}", **fields) for number in range(times)]


def test_password_guesser_is_locked_out_even_if_the_password_is_right() -> None:
    guessed = guess(settings.AXES_FAILURE_LIMIT)
    assert guessed == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    answer = Client(REMOTE_ADDR=HOME).post("/sign-in", {"username": "ann", "password": PASSWORD})
    assert answer.status_code == 429
    assert "Try again in 15 minutes." in answer.content.decode()
    assert answer.headers["Retry-After"] == "900"


def test_lock_only_affects_one_user_name_at_one_address() -> None:
    User.objects.create_user("bob", password=PASSWORD)
    guess(settings.AXES_FAILURE_LIMIT)
    assert sign_in(PASSWORD, name="bob") == 302
    assert sign_in(PASSWORD, address=ELSEWHERE) == 302


def test_lock_expires_and_is_not_extended_by_further_attempts() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        guess(settings.AXES_FAILURE_LIMIT)
        clock.shift(timedelta(minutes=14))
        assert sign_in(PASSWORD) == 429
        clock.shift(timedelta(minutes=2))
        assert sign_in(PASSWORD) == 302


def test_right_password_resets_the_failure_count() -> None:
    for _ in range(2):
        guess(settings.AXES_FAILURE_LIMIT - 1)
        assert sign_in(PASSWORD) == 302


def test_forged_client_address_is_not_trusted(settings: Settings) -> None:
    """X-Forwarded-For counts only behind a proxy, and only its last entry is used."""
    request = HttpRequest()
    request.META = {"REMOTE_ADDR": HOME, "HTTP_X_FORWARDED_FOR": f"127.0.0.1, {ELSEWHERE}"}
    assert address_of(request) == HOME
    settings.BEHIND_HTTPS = True
    assert address_of(request) == ELSEWHERE
    del request.META["HTTP_X_FORWARDED_FOR"]
    assert address_of(request) == HOME


@pytest.mark.parametrize("at", ["/join/NOSUCH", "/api/v1/join/NOSUCH"])
def test_join_code_guesser_behind_a_proxy_does_not_lock_out_others(
    at: str, settings: Settings
) -> None:
    """All clients share the proxy's address, so one guesser would lock out all users."""
    settings.BEHIND_HTTPS = True
    right = at.replace("NOSUCH", a_league().code)

    def ask(path: str, address: str) -> int:
        client = Client(REMOTE_ADDR="10.0.0.2", headers={"X-Forwarded-For": address})
        client.force_login(User.objects.get(username="ann"))
        return client.get(path).status_code

    for _ in range(WRONG_CODES_HERE.most):
        assert ask(at, HOME) == 404
    assert ask(right, HOME) in (404, 429)
    assert ask(right, ELSEWHERE) == 200


@pytest.mark.parametrize("path", ["/sign-in", "/join", "/api/v1/settle", "/no-such-page"])
def test_oversized_body_is_refused_without_reading_it(client: Client, path: str) -> None:
    answer = client.post(path, b"x", content_type="text/plain", CONTENT_LENGTH=LARGEST_BODY + 1)
    assert answer.status_code == 413
    kind = "application/problem+json" if path.startswith("/api/") else "text/plain"
    assert answer.headers["Content-Type"] == kind
