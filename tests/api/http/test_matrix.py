"""Every caller's access to every route with every method, generated from the router.

A new route without a rule fails.
"""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client

from api.http.resource import Resource
from league.closing.close import Decisions, close_night
from league.models import Corrections
from league.recording.conflicts import keep_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import send
from tests.helpers.api.routes import (
    ANYONE,
    FED,
    MANAGES,
    NOBODY,
    RULES,
    STRANGERS,
    TELLS,
    address,
    bodies,
    routes,
)
from tests.helpers.api.sample_league import World, a_world, furnish, link_to
from tests.helpers.league.leagues import holdem

METHODS = ("get", "post", "put", "patch", "delete")


# Only these routes can also be read with a feed link's key.
BY_LINK = {
    "nights",
    "night",
    "night-hands",
    "hands",
    "hand",
    "hand-replay",
    "players",
    "player",
    "seasons",
}
BY_LINK |= {
    "season",
    "standings",
    "achievements",
    "final-table",
    "accounts",
    "account",
    "transfers",
    "league-stream",
} | FED
# Users who create or join a league are not members yet.
FOR_STRANGERS = {"leagues", "join", "invited"}
# Responses containing a secret are not stored. Repeating a request for a webhook returns the same
# id.
TELLS_A_SECRET = {"invitations", "webhooks", "rotate-webhook", "night-receipt-links", "hand-links"}
# Callers with permission get an error here: an import requires an empty league and JSON lines, and
# this process does not serve streams.
REFUSED_HERE = {"read-season": 415, "league-stream": 501}
STORES_NOTHING = {
    "tournament-deals",
    "night-check",
    "hand-check",
    "what-if",
    "check-game",
    "settle",
    "mcp",
    "check-closing",
    "night-sentence",
}
# Requires a token. A browser session does not authenticate.
BY_TOKEN = {"mcp"}


def served() -> Iterator[tuple[str, str]]:
    """Return every route in the router with every method of its view."""
    for route in routes():
        view = route.callback.view_class  # type: ignore[attr-defined]
        yield from ((str(route.name), each) for each in METHODS if hasattr(view, each))


def test_every_route_has_an_access_rule_and_every_rule_a_route() -> None:
    assert set(served()) == set(RULES)
    assert len({route.name for route in routes()}) == len(list(routes()))


@pytest.fixture(scope="module")
def other(world: World) -> World:
    """Another league, created in the same transaction as the first."""
    made = a_world()
    furnish(made)
    return made


def expected(name: str, who: str, may: set[str]) -> set[int]:
    """Return the statuses that the rule allows for this caller."""
    if who in may:
        moved = {200, 201, 202, 204}
        return {REFUSED_HERE[name]} if name in REFUSED_HERE else moved
    if who in NOBODY or name in BY_TOKEN:
        return {401}
    if who == "phone" and name in FOR_STRANGERS:
        return {400}
    return {404} if who in STRANGERS and name not in FOR_STRANGERS else {403}


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), sorted(RULES))
def test_access_to_every_route_matches_its_rule(
    name: str, method: str, world: World, doors: dict[str, Client]
) -> None:
    if name in {"check-closing", "season-plans"}:  # a night closes after its conflicts are decided
        keep_hand(world.hand, by=None)
    if (name, method) == ("season-plans", "post"):  # requires that all nights are closed
        by_hands = Decisions(by_hands=True)
        close_night(world.night, uuid4(), by=world.league.created_by, decisions=by_hands)
    if name == "undo-hand":  # only a recently saved hand can be undone
        world = replace(world, hand=record_hand(world.night, uuid4(), holdem(), by=None).hand)
    at, body = address(world, name), bodies(world).get((name, method), {})
    for who, client in doors.items():
        with transaction.atomic():
            if method == "get":
                status = client.get(at).status_code
            elif method == "post":
                status = send(client, at, body).status_code
            else:
                call = getattr(client, method)
                status = call(at, body, content_type="application/json").status_code
            transaction.set_rollback(True)
        assert status in expected(name, who, RULES[name, method]), f"{who}: {status}"


OF_CLOSED_HANDS = ("hand-revisions", "hand-check", "hand-void")


@pytest.mark.django_db
@pytest.mark.parametrize("name", OF_CLOSED_HANDS)
@pytest.mark.parametrize("chosen", Corrections)
def test_only_roles_allowed_by_the_league_can_correct_closed_nights(
    name: str, chosen: str, world: World, doors: dict[str, Client]
) -> None:
    may = MANAGES if chosen == Corrections.HOSTS else TELLS
    type(world.league).objects.filter(pk=world.league.pk).update(corrections=chosen)
    closed = replace(world, hand=world.closed.hands.get())
    for who, client in doors.items():
        with transaction.atomic():
            body = bodies(world).get((name, "post"), {})
            status = send(client, address(closed, name), body).status_code
            transaction.set_rollback(True)
        assert status in expected(name, who, may), f"{who}: {status}"


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted({name for name, _ in RULES}))
def test_unsupported_method_is_refused_for_all_callers(
    name: str, world: World, doors: dict[str, Client]
) -> None:
    for method in METHODS:
        if (name, method) not in RULES:
            answer = getattr(doors["host"], method)(address(world, name))
            assert answer.status_code == 405, method


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), sorted(RULES))
def test_feed_link_can_read_only_the_feeds_of_its_league(
    name: str, method: str, world: World, other: World
) -> None:
    key = link_to(world.league)
    body = bodies(world).get((name, method), {})
    call = getattr(Client(), method)
    sent = {} if method == "get" else {"data": body, "content_type": "application/json"}
    answer = call(f"{address(world, name)}?key={key}", **sent)
    if name in BY_LINK and method == "get":
        assert answer.status_code == REFUSED_HERE.get(name, 200)
        foreign = call(f"{address(other, name)}?key={key}")
        leagues = {each.get("league") for each in foreign.json().get("results", ())}
        assert foreign.status_code == 404 or leagues <= {str(world.league.pk), None}
    elif RULES[name, method] == ANYONE:
        assert answer.status_code in {200, 400}
    else:
        assert answer.status_code == 403


def test_every_post_request_that_stores_data_is_idempotent() -> None:
    for route in routes():
        view: type[Resource] = route.callback.view_class  # type: ignore[attr-defined]
        post = getattr(view, "post", None)
        if post is not None and route.name not in STORES_NOTHING | TELLS_A_SECRET:
            assert getattr(post, "is_idempotent", False), route.name
