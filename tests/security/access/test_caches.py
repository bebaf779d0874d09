"""Responses with user data are not cached, except for the documented ones."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from api.urls import urlpatterns as of_api
from config.urls import urlpatterns as of_service
from league.models import League, Role, Scope
from league.pages.urls import urlpatterns as of_pages
from league.people.leagues import add_member
from tests.helpers.api.sample_league import World, a_world, furnish, link_to, with_token
from tests.helpers.league.leagues import a_user

pytestmark = pytest.mark.django_db

NOBODY = "private, no-store"
# Deliberately cached in private. Each entry gives the reason.
PAGES_KEPT = {
    "forms": "private, max-age=300",  # URLs of forms for a night, for offline use
    "some-forms": "private, max-age=86400",  # game forms, identified by version
    "chart-picture": "private, max-age=31536000, immutable",  # identified by the chart's digest
    "recap-picture": "private, no-cache",  # revalidated by its ETag
    "night-picture": "private, no-cache",
    "games": "private, no-cache",  # for anonymous visitors only
    "pulse": "private, no-cache",  # a version number, which is polled with its ETag
    "league-pulse": "private, no-cache",
    "screen-pulse": "private, no-cache",
    # anyone with the link can read it, for link previews
    "shared-replay-picture": "private, no-cache",
    # the same for all users; this is the start page of the offline app
    "service-worker": "no-cache",
    "manifest": "no-cache",
}


@pytest.fixture
def world() -> World:
    made = a_world()
    furnish(made)
    return made


@pytest.fixture
def host(world: World) -> Client:
    return signed_in(world.league)


def signed_in(league: League) -> Client:
    client, user = Client(), a_user()
    add_member(league, user, Role.HOST)
    client.force_login(user)
    return client


def routes(patterns: list[Any]) -> Iterator[URLPattern]:
    yield from (each for each in patterns if isinstance(each, URLPattern) and each.name)


def address(world: World, name: str, known: dict[str, Any], space: str = "") -> str:
    matching = [item for item in routes(of_api if space else of_pages) if item.name == name]
    wanted = matching[0].pattern.converters
    return reverse(f"{space}{name}", kwargs={item: known[item] for item in wanted})


def places(world: World) -> dict[str, Any]:
    """Return the values for the pages' path parameters, by name."""
    never = world.league.pk
    more = {"done_id": never, "planned_id": 1, "digest": "none", "look": "dark", "action": "ping"}
    more |= {"event_id": never, "tournament_id": never, "channel_id": never, "post_id": never}
    more |= {"token_id": never, "link_id": never, "device_id": world.more["device_id"]}
    more |= {"named": "none", "place": 0, "export_id": never, "job_id": never}
    more |= {"number": 1, "uidb36": "1", "key": "none"}
    return {**more, **world.ids()}


def by_nobody(header: str) -> bool:
    return {"private", "no-store"} <= set(header.split(", "))


def test_pages_are_cached_only_where_documented(world: World, host: Client) -> None:
    """Requests existing and missing objects, as a host and as a stranger."""
    values = places(world)
    for route in routes(of_pages):
        path = address(world, str(route.name), values)
        for client in (host, Client()):
            header = client.get(path).headers["Cache-Control"]
            assert by_nobody(header) or header == PAGES_KEPT.get(str(route.name)), (path, header)


def test_only_pages_that_phones_never_store_change_the_session(world: World, host: Client) -> None:
    """The service worker requests other pages twice, and concurrent requests overwrite a session.

    `NOT_KEPT` in the worker lists the pages that it neither stores nor requests.
    """
    worker = host.get("/service-worker.js").content.decode()
    not_kept = re.compile(re.search(r"NOT_KEPT\s*=\s*/(.+?)/;", worker)[1].replace(r"\/", "/"))  # type: ignore[index]
    values = places(world)
    for route in routes(of_pages):
        path = address(world, str(route.name), values)
        client = Client()
        client.cookies.update(host.cookies)
        request = client.get(path).wsgi_request
        assert not request.session.modified or not_kept.match(path), path


def test_cached_response_has_a_lifetime(world: World, host: Client) -> None:
    values = places(world)
    forms = host.get(address(world, "forms", values))
    assert forms.headers["Cache-Control"] == PAGES_KEPT["forms"]
    assert host.get(f"{forms.json()['at']}0").headers["Cache-Control"] == PAGES_KEPT["some-forms"]
    for name in ("pulse", "league-pulse", "service-worker", "manifest"):
        answer = host.get(address(world, name, values))
        assert answer.headers["Cache-Control"] == PAGES_KEPT[name], name


def test_api_responses_for_a_session_are_never_cached(world: World, host: Client) -> None:
    for path in of_the_api(world):
        assert host.get(path).headers["Cache-Control"] == NOBODY, path


def test_token_and_feed_link_responses_are_private_and_revalidated(world: World) -> None:
    token = with_token(world.league, Role.HOST, Scope.MANAGE)
    for path in of_the_api(world):
        assert token.get(path).headers["Cache-Control"] in {NOBODY, "private, no-cache"}, path
    seasons = reverse("api:seasons", kwargs={"league_id": world.league.pk})
    by_link = f"{seasons}?key={link_to(world.league)}"
    for client, path in ((token, seasons), (Client(), by_link)):
        answer = client.get(path)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
        assert again.headers["Cache-Control"] == "private, no-cache"


def of_the_api(world: World) -> list[str]:
    values = {**world.ids(), "name": "nights"}
    names = [str(each.name) for each in routes(of_api) if each.name != "nothing"]
    return [address(world, name, values, "api:") for name in names]


def test_generated_response_is_not_cached(world: World, host: Client) -> None:
    """A generated response may contain a secret, such as a webhook's secret."""
    token = with_token(world.league, Role.HOST, Scope.MANAGE)
    links = reverse("api:night-receipt-links", kwargs={"night_id": world.closed.pk})
    for client in (host, token):
        answer = client.post(links, content_type="application/json")
        assert answer.status_code in {200, 201}
        assert answer.headers["Cache-Control"] == NOBODY


def test_service_status_is_not_cached(client: Client) -> None:
    for route in routes(of_service):
        assert "no-store" in client.get(f"/{route.pattern}").headers["Cache-Control"]


def test_static_files_are_cached_forever(client: Client) -> None:
    answer = client.get("/static/league/worker/service-worker.js")
    answer.close()
    policy = answer.headers["Cache-Control"]
    assert policy.startswith("max-age=")
    assert "public" in policy
