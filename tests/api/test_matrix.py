"""Every route by every method for everybody: who gets in, walked from the router itself.

A route that is added without a rule here fails.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse

from api.feeds import urls as feeds
from api.resource import Resource
from api.urls import urlpatterns
from league.closing import Decisions, close_night
from league.recording import record_hand
from tests.api.doors import send
from tests.api.world import World, a_world, furnish, link_to
from tests.league.house import CROSS
from tests.league.tables import holdem, player

METHODS = ("get", "post", "put", "patch", "delete")

LOOKS = {"viewer", "player", "scorekeeper", "host", "read token", "record token"}
LOOKS |= {"manage token", "token of a viewer"}
RECORDS = {"scorekeeper", "host", "record token", "manage token"}
MANAGES = {"host", "manage token"}
# Phones that joined by the code tell hands, unless their league says otherwise.
TELLS = RECORDS | {"player"}
STRANGERS = {"outsider", "token of another league"}
ANYONE = LOOKS | STRANGERS | {"nobody"}
SIGNED_IN = LOOKS | STRANGERS
SESSIONS = {"viewer", "player", "scorekeeper", "host", "outsider"}

RULES: dict[tuple[str, str], set[str]] = {
    ("leagues", "get"): SIGNED_IN,
    ("leagues", "post"): SESSIONS,
    ("league", "get"): LOOKS,
    ("league", "patch"): MANAGES,
    ("members", "get"): LOOKS,
    ("member", "patch"): MANAGES,
    ("member", "delete"): MANAGES,
    ("phones", "get"): MANAGES,
    ("logbook", "get"): MANAGES,
    ("sign-phone-out", "post"): MANAGES,
    ("new-code", "post"): MANAGES,
    ("join", "get"): SESSIONS,
    ("join", "post"): SESSIONS,
    ("players", "get"): LOOKS,
    ("players", "post"): MANAGES,
    ("player", "get"): LOOKS,
    ("release", "post"): MANAGES,
    ("seasons", "get"): LOOKS,
    ("seasons", "post"): MANAGES,
    ("season", "get"): LOOKS,
    ("season", "patch"): MANAGES,
    ("final-table", "get"): LOOKS,
    ("standings", "get"): LOOKS,
    ("season-plans", "get"): LOOKS,
    ("season-plans", "post"): MANAGES,
    ("nights", "get"): SIGNED_IN,
    ("league-nights", "post"): RECORDS,
    ("night", "get"): LOOKS,
    ("night-seats", "post"): RECORDS,
    ("night-buy-ins", "get"): LOOKS,
    ("night-buy-ins", "post"): RECORDS,
    ("night-cash-outs", "get"): LOOKS,
    ("night-cash-outs", "post"): RECORDS,
    ("undo-buy-in", "post"): RECORDS,
    ("undo-cash-out", "post"): RECORDS,
    ("night-counts", "get"): LOOKS,
    ("night-counts", "post"): RECORDS,
    ("night-hands", "get"): LOOKS,
    ("night-hands", "post"): TELLS,
    ("night-batch", "post"): TELLS,
    ("night-check", "post"): TELLS,
    ("night-closing", "get"): LOOKS,
    ("night-closing", "post"): RECORDS,
    ("check-closing", "post"): RECORDS,
    ("night-reopen", "post"): MANAGES,
    ("night-plans", "get"): LOOKS,
    ("night-receipt", "get"): LOOKS,
    ("night-receipt-csv", "get"): LOOKS,
    ("receipt-csv", "get"): ANYONE,
    ("night-receipt-links", "post"): RECORDS,
    ("night-receipt-links", "delete"): RECORDS,
    ("receipt", "get"): ANYONE,
    ("hands", "get"): SIGNED_IN,
    ("hand", "get"): LOOKS,
    ("hand-revisions", "post"): TELLS,
    ("hand-check", "post"): TELLS,
    ("hand-void", "post"): TELLS,
    ("undo-hand", "post"): TELLS,
    ("hand-replay", "get"): LOOKS,
    ("hand-links", "post"): RECORDS,
    ("hand-links", "delete"): RECORDS,
    ("rivals", "get"): LOOKS,
    ("keep-hand", "post"): MANAGES,
    ("take-rival", "post"): MANAGES,
    ("deal-apart", "post"): MANAGES,
    ("plan", "get"): LOOKS,
    ("plan-payments", "post"): MANAGES,
    ("payment", "get"): LOOKS,
    ("confirm", "post"): MANAGES,
    ("dispute", "post"): MANAGES,
    ("take-back", "post"): MANAGES,
    ("accounts", "get"): LOOKS,
    ("account", "get"): LOOKS,
    ("transfers", "get"): LOOKS,
    ("imports", "post"): MANAGES,
    ("season-file", "get"): MANAGES,
    ("read-season", "post"): MANAGES,
    ("house-games", "get"): LOOKS,
    ("house-games", "post"): RECORDS,
    ("house-game-odds", "get"): LOOKS,
    ("house-game", "get"): LOOKS,
    ("house-game", "put"): RECORDS,
    ("house-game", "delete"): RECORDS,
    ("retire-game", "post"): RECORDS,
    ("webhooks", "get"): MANAGES,
    ("webhooks", "post"): MANAGES,
    ("webhook", "get"): MANAGES,
    ("webhook", "patch"): MANAGES,
    ("rotate-webhook", "post"): MANAGES,
    ("enable-webhook", "post"): MANAGES,
    ("retire-webhook", "post"): MANAGES,
    ("ping-webhook", "post"): MANAGES,
    ("deliveries", "get"): MANAGES,
    ("redeliver", "post"): MANAGES,
    ("check-game", "post"): ANYONE,
    ("game-schema", "get"): ANYONE,
    ("games", "get"): ANYONE,
    ("game-odds", "get"): ANYONE,
    ("game", "get"): ANYONE,
    ("settle", "post"): ANYONE,
    ("schema", "get"): ANYONE,
    ("reference", "get"): ANYONE,
}
FED = {str(route.name) for route in feeds.urlpatterns}
RULES |= {(name, "get"): LOOKS for name in FED}
# Read by the key of a feed link as well; nothing else is.
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
BY_LINK |= {"season", "standings", "final-table", "accounts", "account", "transfers"} | FED
# What is asked of a night that is closed.
OF_CLOSED = {"night-closing", "night-reopen", "night-plans", "night-receipt", "night-receipt-links"}
OF_CLOSED |= {"night-receipt-csv"}
# A league is joined by who is not in it yet.
FOR_STRANGERS = {"leagues", "join"}
HOOK = "https://93.184.215.14/"
# Answers with a secret in them are not kept; a webhook is made once by its own id.
TELLS_A_SECRET = {"webhooks", "rotate-webhook", "night-receipt-links", "hand-links"}
# Read into an empty league alone, and as lines: whoever may ask is told so.
REFUSED_HERE = {"read-season": 415}
STORES_NOTHING = {"night-check", "hand-check", "check-game", "settle", "check-closing"}


def routes() -> Iterator[URLPattern]:
    for route in urlpatterns:
        assert isinstance(route, URLPattern)
        if route.name != "nothing":
            yield route


def served() -> Iterator[tuple[str, str]]:
    """Every route of the router with every method that its view has."""
    for route in routes():
        view = route.callback.view_class  # type: ignore[attr-defined]
        yield from ((str(route.name), each) for each in METHODS if hasattr(view, each))


def test_every_route_has_a_rule_and_every_rule_a_route() -> None:
    assert set(served()) == set(RULES)
    assert len({route.name for route in routes()}) == len(list(routes()))


@pytest.fixture(scope="module")
def other(world: World) -> World:
    """Another league, in the transaction of the first."""
    made = a_world()
    furnish(made)
    return made


def bodies(world: World) -> dict[tuple[str, str], Any]:
    ann, new = str(world.ann.pk), str(uuid4())
    cat = str(player(world.closed, "cat").pk)
    record = {"id": new, "record": holdem()}
    bought = {"id": new, "player": ann, "chips": 5}
    return {
        ("leagues", "post"): {"name": "Friday"},
        ("league", "patch"): {"closing_hour": 5},
        ("member", "patch"): {"role": "scorekeeper"},
        ("join", "post"): {"player": cat},
        ("season", "patch"): {"scoring": "places", "points": [3, 1]},
        ("check-closing", "post"): {"by_hands": True},
        ("players", "post"): {"name": "eve"},
        ("seasons", "post"): {"name": "Summer"},
        ("season-plans", "post"): {"id": new},
        ("league-nights", "post"): {"players": [ann]},
        ("imports", "post"): {"files": [{"name": "hands.jsonl", "text": json.dumps(holdem())}]},
        ("night-seats", "post"): {"player": cat},
        ("night-buy-ins", "post"): bought,
        ("night-cash-outs", "post"): bought,
        ("night-counts", "post"): bought,
        ("night-hands", "post"): record,
        ("night-batch", "post"): {"hands": [record]},
        ("night-check", "post"): {"record": holdem()},
        ("night-closing", "post"): {"id": new, "by_hands": True},
        ("hand-revisions", "post"): {"id": new, "record": holdem(button=0)},
        ("hand-check", "post"): {"record": holdem()},
        ("plan-payments", "post"): {"id": new, "position": 0, "chips": 1},
        ("webhooks", "post"): {
            "id": new,
            "url": HOOK,
            "events": ["hand.settled"],
        },
        ("webhook", "patch"): {"note": "statistics"},
        ("house-games", "post"): {"copy": "nightmare"},
        ("house-game", "put"): {"text": CROSS},
        ("check-game", "post"): {"text": "name = 1"},
        ("settle", "post"): holdem(),
    }


def address(world: World, name: str) -> str:
    [route] = [each for each in routes() if each.name == name]
    ids = world.ids()
    if name in OF_CLOSED:
        ids["night_id"] = world.closed.pk
    if name in {"game", "game-odds"}:
        ids["slug"] = "nightmare"
    ids["name"] = "nights"  # of a chart
    known = {key: ids[key] for key in route.pattern.converters}
    return reverse(f"api:{name}", kwargs=known)


def expected(name: str, who: str, may: set[str]) -> set[int]:
    """Return the statuses that the rule allows: of those who may, any but a closed door."""
    if who in may:
        return {REFUSED_HERE[name]} if name in REFUSED_HERE else {200, 201, 202, 204}
    if who == "nobody":
        return {401}
    return {404} if who in STRANGERS and name not in FOR_STRANGERS else {403}


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), sorted(RULES))
def test_everybody_gets_in_where_the_rule_says_and_nowhere_else(
    name: str, method: str, world: World, doors: dict[str, Client]
) -> None:
    if (name, method) == ("season-plans", "post"):  # a season is settled between its nights
        by_hands = Decisions(by_hands=True)
        close_night(world.night, uuid4(), by=world.league.created_by, decisions=by_hands)
    if name == "undo-hand":  # which is for what was saved a moment ago
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


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted({name for name, _ in RULES}))
def test_a_method_that_a_route_has_not_is_refused_to_everybody(
    name: str, world: World, doors: dict[str, Client]
) -> None:
    for method in METHODS:
        if (name, method) not in RULES:
            answer = getattr(doors["host"], method)(address(world, name))
            assert answer.status_code == 405, method


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "method"), sorted(RULES))
def test_a_feed_link_reads_the_feeds_of_its_league_and_nothing_else(
    name: str, method: str, world: World, other: World
) -> None:
    key = link_to(world.league)
    body = bodies(world).get((name, method), {})
    call = getattr(Client(), method)
    sent = {} if method == "get" else {"data": body, "content_type": "application/json"}
    answer = call(f"{address(world, name)}?key={key}", **sent)
    if name in BY_LINK and method == "get":
        assert answer.status_code == 200
        foreign = call(f"{address(other, name)}?key={key}")
        leagues = {each.get("league") for each in foreign.json().get("results", ())}
        assert foreign.status_code == 404 or leagues <= {str(world.league.pk), None}
    elif RULES[name, method] == ANYONE:
        assert answer.status_code in {200, 400}
    else:
        assert answer.status_code == 401


def test_every_post_that_stores_something_can_be_sent_again() -> None:
    for route in routes():
        view: type[Resource] = route.callback.view_class  # type: ignore[attr-defined]
        post = getattr(view, "post", None)
        if post is not None and route.name not in STORES_NOTHING | TELLS_A_SECRET:
            assert getattr(post, "answers_once", False), route.name
