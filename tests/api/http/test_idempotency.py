"""Idempotency-Key: a repeated request is not executed again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from api.http.idempotency import _lock, delete_idempotency_records
from api.http.problems import KEY_IN_USE
from api.models import IdempotencyRecord
from league.models import Player, Role, User
from tests.helpers.api.clients import member, refusal
from tests.helpers.api.idempotency import send
from tests.helpers.league.leagues import a_league


@pytest.mark.django_db
def test_repeated_request_returns_the_first_response_with_a_header() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    first, again = (send(host, league, {"name": "eve"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert first["Location"] == again["Location"]
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert Player.objects.filter(league=league).count() == 1


@pytest.mark.django_db
def test_reusing_a_key_for_a_different_request_is_refused() -> None:
    league, other = a_league(), a_league()
    host = member(league, Role.HOST)
    send(host, league, {"name": "eve"})
    refusal(send(host, league, {"name": "fay"}), 422)
    refusal(send(host, other, {"name": "eve"}), 422)
    assert Player.objects.count() == 1


@pytest.mark.django_db
def test_idempotency_keys_of_different_callers_are_independent() -> None:
    league = a_league()
    for name in ("eve", "fay"):
        assert send(member(league, Role.HOST), league, {"name": name}).status_code == 201


@pytest.mark.django_db
def test_error_is_not_stored_so_a_corrected_request_succeeds() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    refusal(send(host, league, {"name": ""}), 400)
    refusal(send(member(league, Role.VIEWER), league, {"name": "eve"}), 403)
    assert not IdempotencyRecord.objects.exists()
    assert send(host, league, {"name": "eve"}).status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "x" * 256, "sch\u00f6n"])
def test_invalid_key_is_refused(key: str) -> None:
    league = a_league()
    refusal(send(member(league, Role.HOST), league, {"name": "eve"}, key), 400)


@pytest.mark.django_db
def test_stored_responses_are_deleted_after_a_day() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    send(host, league, {"name": "eve"})
    delete_idempotency_records()
    assert IdempotencyRecord.objects.exists()
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        delete_idempotency_records()
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_only_one_of_several_concurrent_requests_is_executed() -> None:
    """Depending on the database, other requests get the stored response or are asked to retry."""
    league = a_league()
    host = member(league, Role.HOST)

    def post(_: int) -> int:
        client = Client()
        client.cookies = host.cookies
        try:
            return send(client, league, {"name": "eve"}).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(post, range(4)))
    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert Player.objects.filter(league=league).count() == 1


@pytest.mark.django_db(transaction=True)
def test_request_repeated_while_the_first_is_running_must_retry() -> None:
    """On SQLite the second request waits instead. The test above covers this."""
    if connection.vendor != "postgresql":
        return
    league = a_league()
    host = member(league, Role.HOST)
    user = int(host.session["_auth_user_id"])

    def post() -> HttpResponse:
        client = Client()
        client.cookies = host.cookies
        try:
            return send(client, league, {"name": "eve"})
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            _lock(User.objects.get(pk=user), "key-1")  # marks the first request as still running
            problem = refusal(pool.submit(post).result(), 409)
            assert problem["type"] == KEY_IN_USE.type
        assert pool.submit(post).result().status_code == 201
    assert Player.objects.filter(league=league).count() == 1
