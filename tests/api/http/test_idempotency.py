"""Idempotency-Key: sent again, nothing is done again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from api.http.idempotency import _lock
from api.models import IdempotencyRecord
from api.problems.kinds import KEY_IN_USE
from api.tasks import delete_idempotency_records
from league.models import Player, Role, User
from tests.helpers.api.clients import member, refusal
from tests.helpers.api.idempotency import send
from tests.helpers.league.leagues import a_league


@pytest.mark.django_db
def test_a_request_sent_again_gets_the_first_answer_and_a_header_that_says_so() -> None:
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
def test_a_key_that_stands_for_another_request_is_refused() -> None:
    league, other = a_league(), a_league()
    host = member(league, Role.HOST)
    send(host, league, {"name": "eve"})
    refusal(send(host, league, {"name": "fay"}), 422)
    refusal(send(host, other, {"name": "eve"}), 422)
    assert Player.objects.count() == 1


@pytest.mark.django_db
def test_a_key_is_ones_own() -> None:
    league = a_league()
    for name in ("eve", "fay"):
        assert send(member(league, Role.HOST), league, {"name": name}).status_code == 201


@pytest.mark.django_db
def test_a_refusal_keeps_nothing_so_that_what_is_mended_may_come() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    refusal(send(host, league, {"name": ""}), 400)
    refusal(send(member(league, Role.VIEWER), league, {"name": "eve"}), 403)
    assert not IdempotencyRecord.objects.exists()
    assert send(host, league, {"name": "eve"}).status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "x" * 256, "sch\u00f6n"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    league = a_league()
    refusal(send(member(league, Role.HOST), league, {"name": "eve"}, key), 400)


@pytest.mark.django_db
def test_answers_are_forgotten_after_a_day() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    send(host, league, {"name": "eve"})
    delete_idempotency_records()
    assert IdempotencyRecord.objects.exists()
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        delete_idempotency_records()
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_requests_at_once_one_is_carried_out() -> None:
    """The others get its answer or are told to ask again, as the database lets them see it."""
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
def test_while_the_first_is_in_flight_a_second_is_told_to_ask_again() -> None:
    """On SQLite it waits its turn instead: the test above."""
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
            _lock(User.objects.get(pk=user), "key-1")  # the first is being answered here
            told = refusal(pool.submit(post).result(), 409)
            assert told["type"] == KEY_IN_USE.type
        assert pool.submit(post).result().status_code == 201
    assert Player.objects.filter(league=league).count() == 1
