"""An id from another league is reported as unknown, or rejected without details.

Clients create ids and repeat requests, so each id is looked up within its league. The cases come
from the router: a body with an id that is missing from these tables fails.
"""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, reverse

from api.urls import urlpatterns
from league.closing.chip_count import count
from league.closing.close import Decisions, close_night
from league.closing.payment_plans import settle_season
from league.common.errors import IdReusedError
from league.imports.contents import ImportOptions
from league.imports.jobs import start_import
from league.models import ChipCount, League, Membership, Night, Player
from league.nights.nights import stacks
from league.pages.urls import urlpatterns as pages
from league.people.leagues import add_player
from league.recording.conflicts import keep_hand
from tests.helpers.api.routes import RULES, address, bodies
from tests.helpers.api.sample_league import World, a_world, furnish
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db

MARK = "Hidden Valley"


@pytest.fixture(scope="module")
def foreign(world: World) -> World:
    """Another league whose names are easy to recognize."""
    made = a_world()
    furnish(made)
    for each in Player.objects.filter(league=made.league):
        Player.objects.filter(pk=each.pk).update(name=f"{MARK} {each.name}")
    made.league.name = MARK
    made.league.save()
    return made


def of(world: World) -> dict[tuple[str, str], UUID | None]:
    """Return one of this league's existing ids for each client-created id, by route and field."""
    night, more = world.night, world.more
    count = ChipCount.objects.filter(night__season__league=world.league).first()
    return {
        ("league-nights", "id"): night.pk,
        ("night-seats", "id"): world.ann.pk,
        ("night-buy-ins", "id"): more["buy_in_id"],
        ("night-cash-outs", "id"): more["cash_out_id"],
        ("night-counts", "id"): count and count.pk,
        ("night-charges", "id"): more["charge_id"],
        ("night-tournaments", "id"): more["tournament_id"],
        ("tournament-events", "id"): more["event_id"],
        ("planned-nights", "id"): more["planned_night_id"],
        ("night-series", "id"): more["series_id"],
        ("night-closing", "id"): world.plan.closing_id,
        ("night-hands", "id"): world.hand.pk,
        ("night-batch", "id"): world.hand.pk,
        ("hand-revisions", "id"): world.hand.revisions.get().pk,
        ("objections", "id"): more["objection_id"],
        ("season-plans", "id"): world.plan.pk,
        ("plan-payments", "id"): world.payment.pk,
        ("webhooks", "id"): world.delivery.webhook_id,
        ("house-games", "id"): world.game.pk,
    }


# Fields with ids of existing rows, such as the player, the payee, or the player who bears a
# difference.
NAMED = {
    ("night-buy-ins", "player"),
    ("night-buy-ins", "banker"),
    ("night-cash-outs", "player"),
    ("night-cash-outs", "banker"),
    ("night-counts", "player"),
    ("night-charges", "player"),
    ("night-charges", "fund_keeper"),
    ("night-charges", "hand"),
    ("tournament-events", "player"),
    ("tournament-events", "knocked_out_by"),
    ("tournament-events", "undoes"),
    ("tournament-end", "player"),
    ("tournament-deals", "player"),
    ("league", "fund_keeper"),
    ("night-answers", "player"),
    ("night-seats", "player"),
    ("leave-notice", "player"),
    ("league-nights", "players"),
    ("league", "banker"),
    ("objections", "player"),
    ("night-closing", "charge_difference_to"),
    ("check-closing", "charge_difference_to"),
    ("night-closing", "charge_cash_difference_to"),
    ("check-closing", "charge_cash_difference_to"),
}


@pytest.fixture
def host(world: World) -> Client:
    return signed_in(world)


def signed_in(world: World) -> Client:
    client, user = Client(), world.league.created_by
    assert user
    client.force_login(user)
    return client


def body_of(world: World, route: str) -> dict[str, Any]:
    body: dict[str, Any] = dict(bodies(world).get((route, "post"), {}))
    if route == "night-seats":
        body = {"guest": "Zoe"}
    if route == "house-games":
        body = {"copy": "nightmare"}
    return body


def sent_with(body: dict[str, Any], field: str, row: object) -> dict[str, Any]:
    if "hands" in body:
        return {"hands": [body["hands"][0] | {field: str(row)}]}
    if "shares" in body and field == "player":
        return body | {"shares": [body["shares"][0] | {"player": str(row)}]}
    for key in ("deal", "stacks"):
        if key in body:
            return {key: [body[key][0] | {"player": str(row)}, *body[key][1:]]}
    lists = {"players", "charge_difference_to", "charge_cash_difference_to", "knocked_out_by"}
    return body | {field: [str(row)] if field in lists else str(row)}


def sent(client: Client, world: World, route: str, body: dict[str, Any]) -> HttpResponse:
    """Send a request, then roll back all changes."""
    method = "patch" if route == "league" else "post"
    with transaction.atomic():
        if route in {"night-closing", "season-plans"}:  # a night closes after conflicts are decided
            keep_hand(world.hand, by=None)
        if route == "season-plans":
            by_hands = Decisions(by_hands=True)
            close_night(world.night, uuid4(), by=None, decisions=by_hands)
        at = f"/api/v1/nights/{world.night.pk}/closing"
        at = at if route == "night-closing" else address(world, route)
        answer: HttpResponse = getattr(client, method)(at, body, content_type="application/json")
        transaction.set_rollback(True)
    return answer


def tells(answer: HttpResponse, foreign: World, asked: object) -> str:
    """Return the response without the requested id, after checking it for other ids and names."""
    text = answer.content.decode()
    if isinstance(asked, UUID):
        text = text.replace(str(asked), "")
    assert MARK not in text
    known = [each for each in foreign.ids().values() if isinstance(each, UUID)]
    assert not [each for each in known if str(each) in text]
    return text


def the_kinds() -> list[tuple[str, str]]:
    return sorted({("league-nights", "id"), *_OWN})


_OWN = {
    *(("night-seats", "id"), ("night-buy-ins", "id"), ("night-cash-outs", "id")),
    ("night-charges", "id"),
    *(("planned-nights", "id"), ("night-series", "id")),
    *(("night-tournaments", "id"), ("tournament-events", "id")),
    *(("night-counts", "id"), ("night-closing", "id"), ("night-hands", "id")),
    *(("night-batch", "id"), ("hand-revisions", "id"), ("season-plans", "id")),
    *(("plan-payments", "id"), ("webhooks", "id"), ("house-games", "id")),
    ("objections", "id"),
}


def ids_in(body: Any) -> Iterator[str]:
    """Return the fields in a body that contain an id."""
    for key, value in body.items() if isinstance(body, dict) else ():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from ids_in(item) if key != "record" else ()
            elif isinstance(item, str) and len(item) == 36:
                yield key


def test_these_tests_cover_every_id_in_a_request_body(world: World) -> None:
    covered = {
        (route, field)
        for (route, _), body in bodies(world).items()
        for field in ids_in(body)
        # These contain the id of a player without a user, or a draw's key, which does not identify
        # a row.
        if route not in {"join", "invited", "tournament-seats"}
    }
    assert covered <= set(the_kinds()) | NAMED
    assert set(of(world)) == set(the_kinds())


@pytest.mark.parametrize(("route", "field"), the_kinds())
def test_id_of_an_object_in_another_league_is_refused(
    route: str, field: str, world: World, foreign: World, host: Client
) -> None:
    taken = of(foreign)[route, field] or a_count(foreign)
    body = body_of(world, route)
    fresh = sent(host, world, route, sent_with(body, field, uuid4()))
    assert fresh.status_code in (200, 201), fresh.content
    answer = sent(host, world, route, sent_with(body, field, taken))
    assert answer.status_code == 409, answer.content
    assert "used before with other content" in tells(answer, foreign, taken)


def a_count(foreign: World) -> UUID:
    made = ChipCount.objects.create(
        id=uuid4(), night=foreign.night, player=foreign.ann, number=99, chips=1
    )
    return made.pk


@pytest.mark.parametrize(("route", "field"), sorted(NAMED))
def test_id_from_another_league_in_a_body_is_reported_as_missing(
    route: str, field: str, world: World, foreign: World, host: Client
) -> None:
    body = {} if route in {"league", "check-closing"} else body_of(world, route)
    if route == "night-seats":
        body = {}
    if field == "charge_difference_to":  # required if any chips are missing
        body = body | {"by_hands": True}
        chips = stacks(world.night)[world.ann.pk] - 1
        count(world.night, world.ann, chips, count_id=uuid4(), by=None)
    if field == "charge_cash_difference_to":
        body = body | {"by_hands": True, "cash_counted": 1}
    responses = [
        (answer.status_code, tells(answer, foreign, row))
        for row in (foreign.ann.pk, uuid4())
        for answer in [sent(host, world, route, sent_with(body, field, row))]
    ]
    assert responses[0] == responses[1]
    assert responses[0][0] == 400


@pytest.mark.parametrize(("name", "method"), sorted(RULES))
def test_id_from_another_league_in_an_api_url_is_reported_as_missing(
    name: str, method: str, world: World, foreign: World, host: Client
) -> None:
    """Each id in the URL is replaced with an id from another league, then with an unused id."""
    [route] = [item for item in urlpatterns if isinstance(item, URLPattern) and item.name == name]
    kinds = {key: type(kind).__name__ for key, kind in route.pattern.converters.items()}
    ids, others = placed(world, name), placed(foreign, name)
    for key in (item for item, kind in kinds.items() if kind in {"UUIDConverter", "IntConverter"}):
        unused: object = uuid4() if kinds[key] == "UUIDConverter" else 2**31 - 1
        body = bodies(world).get((name, method), {})
        responses = []
        for row in (others[key], unused):
            at = reverse(f"api:{name}", kwargs={item: ids[item] for item in kinds} | {key: row})
            sent = {} if method == "get" else {"data": body, "content_type": "application/json"}
            with transaction.atomic():
                answer = getattr(host, method)(at, **sent)
                transaction.set_rollback(True)
            responses.append((answer.status_code, tells(answer, foreign, row)))
        assert responses[0] == responses[1], key
        assert responses[0][0] in (404, 400), key


def placed(world: World, name: str) -> dict[str, Any]:
    ids = world.ids() | {"name": "nights"}
    if name in {"game", "game-odds"}:
        ids["slug"] = "nightmare"
    if name in {"let-in", "turn-away"}:
        ids["request_id"] = world.more["knocking"]
    return ids


def test_id_from_another_league_in_a_page_url_is_reported_as_missing(
    world: World, foreign: World, host: Client
) -> None:
    samples = {"StringConverter": "x", "SlugConverter": "x", "Base36Converter": "1"}
    mine, others = page_ids(world), page_ids(foreign)
    for route in pages:
        assert isinstance(route, URLPattern)
        kinds = {key: type(kind).__name__ for key, kind in route.pattern.converters.items()}
        values = {key: samples.get(kind) or mine[key] for key, kind in kinds.items()}
        for key in (each for each, kind in kinds.items() if kind not in samples):
            unused: object = uuid4() if kinds[key] == "UUIDConverter" else 2**31 - 1
            for method in ("get", "post"):
                responses = [
                    visited(host, method, reverse(str(route.name), kwargs=values | {key: row}))
                    for row in (others[key], unused)
                ]
                assert responses[0] == responses[1], (route.name, key, method)
                # Revoking a key is idempotent, so a missing key gets the same response. The same
                # goes for charging a bet that has already been charged, or that a corrected hand no
                # longer wins.
                twice = str(route.name).startswith("end-") or route.name == "charge-bet"
                allowed = {404, 405, 302} if twice else {404, 405}
                assert responses[0] in allowed, (route.name, key, method)


def visited(client: Client, method: str, at: str) -> int:
    with transaction.atomic():
        answer: HttpResponse = getattr(client, method)(at)
        transaction.set_rollback(True)
    assert MARK not in answer.content.decode()
    return answer.status_code


def page_ids(world: World) -> dict[str, Any]:
    token = world.league.tokens.first()
    return world.ids() | {
        "device_id": world.more["device_id"],
        "done_id": world.more["buy_in_id"],
        "planned_id": world.plan.payments.get().pk,
        "token_id": token.id if token else uuid4(),
        "link_id": uuid4(),
        "job_id": import_of(world.league),
        "place": 0,
        "number": session_of(world.league),
    }


def import_of(league: League) -> UUID:
    return start_import(league, "may.csv", "", ImportOptions(), by=a_user()).pk


def session_of(league: League) -> int:
    """Return the session of a league member."""
    member = Membership.objects.filter(league=league).first()
    assert member
    made = {"user": member.user, "ip": "127.0.0.1", "user_agent": "a phone"}
    return int(UserSession.objects.create(session_key=uuid4().hex, **made).pk)


# Ids in page forms


def test_id_from_another_league_in_a_form_is_refused_without_details(
    world: World, foreign: World, host: Client
) -> None:
    night, ids = f"/nights/{world.night.pk}", of(foreign)
    bob = player(world.night, "bob").pk
    forms: dict[str, dict[str, Any]] = {
        f"{night}/buy-ins": {"player": bob, "chips": 5, "key": ids["night-buy-ins", "id"]},
        f"{night}/leave": {"player": bob, "chips": 5, "key": ids["night-cash-outs", "id"]},
        f"{night}/guests": {"name": "Zoe", "key": ids["night-seats", "id"]},
        f"{night}/close": {"by_hands": "on", "missing": 0, "key": ids["night-closing", "id"]},
        f"{night}/record": {"paste": json.dumps(holdem()), "key": str(world.hand.pk)},
        f"/seasons/{world.night.season_id}/settle": {"key": foreign.plan.pk},
        f"/planned/{world.plan.payments.get().pk}/promise": {
            "key": foreign.payment.pk,
            "amount": "0.01",
        },
    }
    for at, form in forms.items():
        with transaction.atomic():
            answer = host.post(at, form, follow=True)
            assert answer.status_code in (200, 400, 409), at
            assert MARK not in answer.content.decode(), at
            transaction.set_rollback(True)


# Ids passed to service functions


def test_settling_a_season_refuses_ids_of_other_plans(world: World) -> None:
    """The ids belong to a night's plan and to plans for another season and another league."""
    for season in (world.night.season, a_night().season):
        with transaction.atomic():
            with unguarded():
                Night.objects.filter(season=season).update(state=Night.State.CLOSED)
            with pytest.raises(IdReusedError):
                settle_season(season, world.plan.pk, by=None)
            transaction.set_rollback(True)


def test_adding_a_player_refuses_the_id_of_another_player(world: World) -> None:
    with pytest.raises(IdReusedError):
        add_player(a_league(), "ann", player_id=world.ann.pk)
