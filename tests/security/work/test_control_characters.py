"""No input causes a server error. Every page and API route is tested.

Control characters, including NUL, are rejected in one place. Strings that are too long, numbers
that are too large, empty parameters and invalid Unicode get a regular response on both databases.
"""

import json
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern
from django.urls.converters import IntConverter, SlugConverter, StringConverter

from api.http.resource import Resource
from api.urls import urlpatterns as api_patterns
from league.models import League, Role
from league.pages.urls import urlpatterns as page_patterns
from tests.api.conftest import doors as doors  # noqa: PLC0414 (pytest finds them by their names)
from tests.api.conftest import world as world  # noqa: PLC0414
from tests.helpers.api.clients import member, refusal, reported_errors
from tests.helpers.api.routes import RULES, address, bodies
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import a_league
from tests.helpers.stages import sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]

CONTROL = ("\0", "\x1b", "a\0b")
LONG = "x" * 20_000
# Control characters are rejected before any other code runs, so two samples are enough.
BAD_TEXTS = ("\x1b", "a\0b", "\n", "", LONG, "9" * 5_000, "1e999")
BAD_NUMBERS = (2**31, 2**63, "9" * 5_000)
# Sent in all forms on all pages.
FIELDS = (
    *"username password password1 password2 name code player players email key chips".split(),
    *"reason note text more paste variant modifiers button depth board/0 carried took".split(),
    *"players/0/name players/0/paid players/0/down players/0/more options/low winner".split(),
    *"tiebreaks/0/0 pot all_paid shared/0 url events secret scope lifetime role".split(),
    *"currency time_zone chip usual closing_hour starts_at ends_at amounts places".split(),
    *"nights called file seed number seen after dealt shown stay end record bears".split(),
    *"missing counted by_hands decision scoring points season suits look next".split(),
)
# Sent to all pages.
QUERY = (
    *"game season player night fields size look key before players with version copy".split(),
    *"again sort seen brief lang script whole shown next".split(),
)


def patterns(which: list[Any]) -> list[URLPattern]:
    return [each for each in which if isinstance(each, URLPattern) and each.name != "nothing"]


def good(route: URLPattern, world: World) -> dict[str, Any]:
    """Return a route's path parameters, all of them ids of existing objects."""
    more = {"digest": "0" * 64, "look": "dark", "action": "ping", "named": "games", "place": 0}
    more |= {"number": 1, "uidb36": "1"}
    more |= {"name": "nights", "planned_id": 1, "device_id": 1, "done_id": world.hand.pk}
    more |= {"link_id": world.hand.pk, "token_id": world.hand.pk}
    ids = world.ids() | more
    return {name: ids.get(name, world.hand.pk) for name in route.pattern.converters}


def path_of(route: URLPattern, values: dict[str, Any], root: str) -> str:
    text = str(route.pattern)
    for name, converter in route.pattern.converters.items():
        kind = next(
            each for each in ("uuid", "int", "slug", "str", "base36") if f"<{each}:{name}>" in text
        )
        assert converter
        text = text.replace(f"<{kind}:{name}>", quote(str(values[name]), safe=""))
    return root + text


def bad_paths(route: URLPattern, world: World, root: str) -> Iterator[str]:
    values = good(route, world)
    for name, converter in route.pattern.converters.items():
        if isinstance(converter, IntConverter):
            bad: tuple[Any, ...] = BAD_NUMBERS
        elif isinstance(converter, StringConverter | SlugConverter):
            bad = (*CONTROL, "\n", LONG, "A\0BCDE", "..", "é")
        else:
            bad = ("\0",)
        for each in bad:
            yield path_of(route, values | {name: each}, root)


def send_request(
    client: Client, method: str, at: str, body: Any = None, **headers: str
) -> HttpResponse:
    """Send a request, check that there is no server error, and roll back all changes."""
    client.raise_request_exception = False
    with transaction.atomic():
        if method == "get":
            answer: Any = client.get(at, headers=headers)
        else:
            answer = client.generic(
                method.upper(), at, json.dumps(body or {}), "application/json", headers=headers
            )
        if answer.streaming:
            list(answer)
        transaction.set_rollback(True)
    streams = "/stream" in at and answer.status_code == HTTPStatus.NOT_IMPLEMENTED
    assert answer.status_code < 500 or streams, (method, at[:200], str(body)[:200])
    return answer


def corrupted(body: Any, bad: Any) -> Iterator[Any]:
    """Yield the body with each string and number replaced in turn, then with an invalid key."""
    if isinstance(body, dict):
        for key, item in body.items():
            yield from ({**body, key: other} for other in corrupted(item, bad))
        yield {**body, str(bad): 1}
    elif isinstance(body, list):
        for at, item in enumerate(body):
            yield from ([*body[:at], other, *body[at + 1 :]] for other in corrupted(item, bad))
    elif not isinstance(body, bool):
        yield bad


# Number of invalid strings tried in each place and URL. Every run tries a few, and the scheduled
# run tries all of them.
MANY = pytest.mark.parametrize("most", [2, pytest.param(12, marks=pytest.mark.scheduled)])


def sample_of(values: Iterable[Any], most: int, place: str) -> list[Any]:
    """Return at most `most` of the values, chosen by the place's name."""
    values = list(values)
    return Random(place).sample(values, min(most, len(values)))


API = {str(each.name): each for each in patterns(api_patterns)}
PAGES = {str(each.name): each for each in patterns(page_patterns)}


@MANY
@pytest.mark.parametrize("name", sample(API, 25))
def test_api_paths_and_parameters_never_cause_a_server_error(
    name: str, most: int, world: World, doors: dict[str, Client]
) -> None:
    route, client = API[name], doors["host"]
    for at in sample_of(bad_paths(route, world, "/api/v1/"), 2 * most, name):
        send_request(client, "get", at)
    at = path_of(route, good(route, world), "/api/v1/")
    for field in known_parameters(route):
        for text in sample_of((*BAD_TEXTS, "9999-12-31T23:59:59-23:59"), most, name + field):
            send_request(client, "get", f"{at}?{urlencode({field: text})}")
    for method in ("options", "head", "trace", "post", "put", "patch", "delete"):
        send_request(client, method, at)


def known_parameters(route: URLPattern) -> set[str]:
    view = getattr(route.callback, "view_class", None)
    if view is None or not issubclass(view, Resource) or not hasattr(view, "get"):
        return {"lang", "script"}
    made = view()
    made.request = RequestFactory().get("/")
    return made.known_parameters()


@MANY
@pytest.mark.parametrize("name", sample(sorted({named for named, _ in RULES}), 25))
def test_api_request_bodies_never_cause_a_server_error(
    name: str, most: int, world: World, doors: dict[str, Client]
) -> None:
    at = address(world, name)
    known = [(method, body) for (named, method), body in bodies(world).items() if named == name]
    for method, body in known:
        door = "host" if "host" in RULES[name, method] else "manage token"
        for bad in ("\0", "\x1b", "\ud800", LONG, "", 2**63, 10**40, None):
            for other in sample_of(corrupted(body, bad), most, f"{name}{bad!a}"[:100]):
                answer = send_request(doors[door], method, at, other)
                if bad in CONTROL:
                    assert answer.status_code == 400, (bad, other)


@MANY
@pytest.mark.parametrize("name", sample(PAGES, 30))
def test_page_paths_parameters_and_forms_never_cause_a_server_error(
    name: str, most: int, world: World
) -> None:
    route, client = PAGES[name], member(world.league, Role.HOST)
    client.raise_request_exception = False
    for at in sample_of(bad_paths(route, world, "/"), 2 * most, name):
        send_request(client, "get", at)
    at = path_of(route, good(route, world), "/")
    for text in sample_of(BAD_TEXTS, most, name):
        answer = send_request(client, "get", f"{at}?{urlencode(dict.fromkeys(QUERY, text))}")
        assert answer.status_code == 400 or text not in (*CONTROL, "\n"), at
        if answer.status_code == 405:
            break  # the response does not depend on the body
    for text in sample_of(BAD_TEXTS, most, name):
        sent = posted(client, at, text)
        assert sent.status_code in (400, 405) or text not in CONTROL, at
        if sent.status_code == 405:
            break


def posted(client: Client, at: str, text: str) -> HttpResponse:
    """Send a form with this string in all fields, in a transaction that is rolled back."""
    form = urlencode(dict.fromkeys(FIELDS, text))
    with transaction.atomic():
        sent: Any = client.post(at, form, "application/x-www-form-urlencoded")
        transaction.set_rollback(True)
    assert sent.status_code < 500, (at, text[:20])
    assert sent.status_code != 413, "the form was not read"
    return sent


# --- error messages -----------------------------------------------------------------------------


def test_url_with_a_control_character_is_not_found() -> None:
    for at in ("/join/A%00BCDE", "/games/%1b", "/leagues/%0a", "/nothing/%c2%85"):
        page = Client().get(at)
        assert page.status_code == 404, at
        assert b"Page not found" in page.content
    refusal(Client().get("/api/v1/join/A%00BCDE"), 404)


def test_parameter_with_a_control_character_is_reported_by_name(
    world: World, doors: dict[str, Client]
) -> None:
    at = f"/api/v1/leagues/{world.league.pk}/charts/winners?game=%00"
    assert reported_errors(doors["host"].get(at)) == [("game", "wrong-type")]
    page = Client().get("/games/omaha-8?with=two%1brow")
    assert page.status_code == 400
    assert b"with: A control character" in page.content


def test_form_field_with_a_control_character_is_reported_by_name() -> None:
    page = Client().post("/sign-in", {"username": "jo\0el", "password": "x"})
    assert page.status_code == 400
    assert b"username: A control character" in page.content


def test_multi_line_fields_keep_their_line_breaks() -> None:
    league = a_league()
    form = {"text": 'name = "x"\r\n\tdeal', "key": ""}
    page = member(league, Role.HOST).post(f"/leagues/{league.pk}/games/write", form)
    assert b"control character" not in page.content


def test_every_control_character_in_a_request_body_is_reported(
    world: World, doors: dict[str, Client]
) -> None:
    at = f"/api/v1/nights/{world.night.pk}/hands"
    record = {"variant": "x\x01", "players": [{"name": "a\0"}]}
    sent = json.dumps({"id": str(world.ann.pk), "record": record})
    answer = doors["host"].post(at, sent, content_type="application/json")
    reported = refusal(answer, 400)["errors"]
    assert {(each["where"], each["pointer"]) for each in reported} == {
        ("variant", "#/record/variant"),
        ("players/0/name", "#/record/players/0/name"),
    }
    assert "\\u0000" not in answer.content.decode()


def test_cookie_with_a_control_character_is_ignored() -> None:
    """A quoted cookie can contain any character in octal notation."""
    client = Client(headers={"Cookie": 'sessionid="abcdefgh\\000ijkl"; csrftoken="\\001"'})
    client.raise_request_exception = False
    assert client.get("/").status_code == 200
    assert client.get("/api/v1/leagues").status_code == 401


def test_player_name_with_a_control_character_is_refused(
    host_of_one: tuple[League, Client],
) -> None:
    league, host = host_of_one
    for text in CONTROL:
        body = json.dumps({"name": f"ann{text}"})
        at = f"/api/v1/leagues/{league.pk}/players"
        assert reported_errors(host.post(at, body, content_type="application/json")) == [
            ("name", "wrong-type")
        ]


@pytest.fixture
def host_of_one() -> tuple[League, Client]:
    league = a_league()
    return league, member(league, Role.HOST)


def test_these_tests_visit_every_route() -> None:
    assert len(API) > 90
    assert len(PAGES) > 90


def test_import_file_with_control_characters_is_refused_before_confirmation(
    host_of_one: tuple[League, Client],
) -> None:
    league, host = host_of_one
    for character, message in (
        (b"\x07", b"The file contains control characters."),
        (b"\x00", b"This looks like binary data."),
    ):
        file = SimpleUploadedFile("hands.jsonl", b'{"variant": "x"}\n' + character)
        page = host.post(f"/leagues/{league.pk}/import", {"file": file})
        assert page.status_code == 400
        assert message in page.content
