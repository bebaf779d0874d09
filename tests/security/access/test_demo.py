"""A demo visitor can access only the demo league, and nothing is sent from it."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import URLPattern, resolve, reverse
from pytest_django import DjangoDbBlocker, Settings

from league.closing.close import Decisions, close_night
from league.demo import sandbox
from league.demo.sandbox import delete_demo, prepare_demo
from league.integrity.row_owners import owned, rows_of
from league.models import (
    DemoLeague,
    Hand,
    League,
    Night,
    OutgoingMessage,
    PlannedPayment,
    Role,
    User,
)
from league.nights.nights import newest_open
from league.nights.share_links import share_screen
from league.pages.account.allauth_adapters import BACKEND
from league.pages.demo import CHANGE, READ
from league.pages.urls import urlpatterns
from league.people.joining import league_of_code
from league.people.leagues import add_member
from league.sign_in.rate_limits import DEMOS_HERE, Limit, count, is_spent
from tests.helpers.api.sample_league import World, a_world, furnish
from tests.helpers.league.deals import a_deal
from tests.helpers.league.leagues import a_night, a_user

pytestmark = pytest.mark.django_db

# Pages that affect other people, leagues or external programs.
CLOSED = {
    "account": "an account is for people who stay",
    "own-file": "an account is for people who stay",
    "change-username": "an account is for people who stay",
    "payment-methods": "links to payment services",
    "notices": "e-mail and push",
    "add-push": "push",
    "new-league": "a league outside the demo",
    "import": "large files",
    "take-season": "a league from a file",
    "invite": "invitations",
    "phones": "the join code",
    "new-code": "the join code",
    "join": "another league",
    "pick-name": "another league",
    "invitation": "another league",
    "passwords": "password links",
    "chat": "messages",
    "webhooks": "messages",
    "keys": "keys",
    "make-token": "keys",
    "make-link": "keys",
    "plan-night": "messages to players",
    "plan-series": "messages to players",
    "share-receipt": "a public page",
    "share-replay": "a public page",
    "account_email": "e-mail",
    "account_set_password": "an account",
    "mfa_add_webauthn": "an account",
    "openid_connect_login": "an account",
    "game-odds": "minutes of work",
    "house-game-odds": "minutes of work",
}


# Marks text from a different league, which a demo visitor may not see.
MARK = "unmistakable-"
LEAVES = {"sign-out", "sign-up"}  # signing out or signing up ends the demo


@pytest.fixture(autouse=True)
def without_counts() -> None:
    cache.clear()


@pytest.fixture(scope="module")
def prepared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[DemoLeague]:
    """A demo league, in a transaction around the test transactions."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield prepare_demo()
        transaction.set_rollback(True)


@pytest.fixture
def demo(prepared: DemoLeague) -> DemoLeague:
    return DemoLeague.objects.get(pk=prepared.pk)


@pytest.fixture
def visitor(demo: DemoLeague) -> Client:
    client = Client()
    client.post(reverse("start-demo"))
    return client


def test_leaving_the_demo_requires_a_confirmation(visitor: Client) -> None:
    """Signing out lost the demo without a warning."""
    assert "Leave the demo" in visitor.get("/").content.decode()
    asked = visitor.post(reverse("sign-out"))
    assert "You can't return to this demo" in asked.content.decode().replace("&#x27;", "'")
    assert SESSION_KEY in visitor.session
    visitor.post(reverse("sign-out"), {"sure": "1"})
    assert SESSION_KEY not in visitor.session


def test_starting_the_demo_redirects_to_its_open_night(demo: DemoLeague) -> None:
    client = Client()
    answer = client.post(reverse("start-demo"))
    night = newest_open(demo.league)
    assert night
    assert answer.headers["Location"] == reverse("night", args=[night.pk])
    assert client.get(answer.headers["Location"]).status_code == 200


def test_board_of_a_deal_can_be_saved_in_the_demo(demo: DemoLeague, visitor: Client) -> None:
    """The page was shown, but saving it was denied."""
    deal = a_deal(Night.objects.get(pk=sandbox.open_night_of(demo)))
    board = {"deal": str(deal.pk), "board/0": "As Kd 2c"}
    visitor.post(reverse("own-cards", args=[deal.night_id]), board)
    assert deal.shown.get().cards == {"board/0": "As Kd 2c"}


def test_demo_begins_with_the_verdict_of_its_last_hand(demo: DemoLeague, visitor: Client) -> None:
    """The first screen used to contain only buttons, and the button to undo the last hand."""
    page = visitor.get(f"/nights/{sandbox.open_night_of(demo)}").content.decode()
    assert 0 < page.index("Bob wins 37, Fay wins 36") < page.index("Record a hand")
    assert page.count("Bob wins 37, Fay wins 36") == 1
    assert "is saved." not in page


def test_every_link_in_the_demo_navigation_opens(demo: DemoLeague, visitor: Client) -> None:
    night = newest_open(demo.league)
    assert night
    page = visitor.get(reverse("night", args=[night.pk])).content.decode()
    [navigation] = re.findall(r'<nav class="league-nav.*?</nav>', page, re.DOTALL)
    places = re.findall(r'<a href="([^"]*)"', navigation)
    assert len(places) == 5
    assert [visitor.get(place).status_code for place in places] == [200] * 5


def test_demo_pages_link_only_to_pages_that_demo_visitors_can_open(
    demo: DemoLeague, visitor: Client
) -> None:
    league, night = demo.league, newest_open(demo.league)
    closed = Night.objects.filter(season__league=league, state=Night.State.CLOSED)[0]
    hand = Hand.objects.filter(night=closed)[0]
    pages = {
        "home": [],
        "league": [league.pk],
        "options": [league.pk],
        "money": [league.pk],
        "house-games": [league.pk],
        "season": [closed.season_id],
        "night": [night and night.pk],
        "receipt": [closed.pk],
        "payments": [closed.pk],
        "hand": [hand.pk],
        "replay": [hand.pk],
    }
    walls = set()
    for name, args in pages.items():
        text = visitor.get(reverse(name, args=args)).content.decode()
        shown = re.sub(r"<template.*?</template>", "", text, flags=re.DOTALL)
        for link in re.findall(r'<(?:a|form)\s[^>]*?(?:href|action)="(/[^"?#]*)', shown):
            target = "" if link.startswith("/static/") else resolve(link).url_name
            # visitors who were signed out see "Join again"
            if target not in {"", "join", *READ, *CHANGE}:
                walls.add((name, target))
    assert walls == set()


def test_demo_screen_redirects_to_the_open_nights_tv_screen(
    demo: DemoLeague, visitor: Client
) -> None:
    answer = visitor.get(reverse("demo-screen"), follow=True)
    night = newest_open(demo.league)
    assert night
    assert answer.request["PATH_INFO"] == reverse("screen", args=[night.pk])
    assert answer.status_code == 200


def test_demo_can_be_started_only_from_a_form_on_this_site() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("start-demo")).status_code == 403
    assert client.get(reverse("start-demo")).status_code == 405


def test_demo_session_expires_with_the_demo(visitor: Client) -> None:
    assert visitor.session.get_expiry_age() <= sandbox.LASTS.total_seconds()


def test_deleting_a_demo_signs_out_its_visitor(demo: DemoLeague, visitor: Client) -> None:
    delete_demo(DemoLeague.objects.get(pk=demo.pk))
    assert reverse("start-demo") in visitor.get(reverse("home")).content.decode()


def test_disabled_demo_has_no_page_and_no_button(settings: Settings) -> None:
    settings.DEMO = False
    assert Client().post(reverse("start-demo")).status_code == 404
    assert reverse("start-demo") not in Client().get(reverse("home")).content.decode()


def test_signed_in_user_cannot_start_a_demo(demo: DemoLeague) -> None:
    client = Client()
    client.force_login(a_user())
    assert client.post(reverse("start-demo")).headers["Location"] == reverse("home")
    assert DemoLeague.objects.get().started_at is None


def test_number_of_demos_per_address_is_limited(demo: DemoLeague) -> None:
    for _ in range(DEMOS_HERE.most):
        count(DEMOS_HERE, "127.0.0.1")
    answer = Client().post(reverse("start-demo"))
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]
    assert DemoLeague.objects.get().started_at is None
    assert Client(REMOTE_ADDR="198.51.100.7").post(reverse("start-demo")).status_code == 302


def test_starting_a_demo_counts_against_the_limit_of_its_address(visitor: Client) -> None:
    assert not is_spent(Limit(DEMOS_HERE.name, 2, 1), "127.0.0.1")
    assert is_spent(Limit(DEMOS_HERE.name, 1, 1), "127.0.0.1")


def test_demo_is_refused_when_the_service_is_full(
    demo: DemoLeague, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MOST_LEAGUES", 1)
    assert Client().post(reverse("start-demo")).status_code == 429
    assert DemoLeague.objects.get() == demo


def test_starting_a_demo_replaces_the_session(demo: DemoLeague) -> None:
    """A session key from before the start, which someone else may know, is not signed in."""
    client = Client()
    session = client.session
    session["note"] = "from before"
    session.save()
    before = session.session_key
    client.cookies[settings.SESSION_COOKIE_NAME] = before
    client.post(reverse("start-demo"))
    assert client.session.session_key != before
    assert "note" not in client.session
    assert not Session.objects.filter(session_key=before).exists()


def test_started_demo_signs_in_as_django_does(demo: DemoLeague, visitor: Client) -> None:
    other = Client()
    other.force_login(demo.user, backend=BACKEND)
    keys = (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY)
    assert [visitor.session[key] for key in keys] == [other.session[key] for key in keys]


def test_starting_a_demo_changes_the_csrf_token() -> None:
    prepare_demo()
    client = Client(enforce_csrf_checks=True)
    client.get(reverse("home"))
    before = client.cookies[settings.CSRF_COOKIE_NAME].value
    client.post(reverse("start-demo"), {"csrfmiddlewaretoken": before})
    assert client.session.get(SESSION_KEY)
    assert client.cookies[settings.CSRF_COOKIE_NAME].value != before


# --- access outside the demo ----------------------------------------------------------------------


def names() -> list[str]:
    return sorted({each.name for each in urlpatterns if isinstance(each, URLPattern) and each.name})


def test_every_allowed_page_exists_and_is_in_exactly_one_list() -> None:
    assert set(names()) >= READ | CHANGE
    assert not READ & CHANGE
    assert not CLOSED.keys() & (READ | CHANGE)


@pytest.fixture
def world() -> World:
    made = a_world()
    furnish(made)
    return made


def test_demo_visitors_cannot_open_pages_outside_the_lists(world: World, demo: DemoLeague) -> None:
    """A demo user who is also a host of another league is rejected too."""
    add_member(world.league, demo.user, Role.HOST)
    client, refused = Client(), set()
    client.force_login(demo.user)
    for each in urlpatterns:
        address = _address(world, each) if isinstance(each, URLPattern) else "/"
        name = resolve(address).url_name
        for method in () if name in CHANGE else ("post",) if name in READ else ("get", "post"):
            assert getattr(client, method)(address).status_code == 403, (name, method)
            refused.add(name)
    assert CLOSED.keys() <= refused


def _address(world: World, route: URLPattern) -> str:
    known = {**world.ids(), "slug": "texas-holdem", "code": "ABCDEFGH", "digest": "none"}
    known |= {"look": "dark", "action": "ping", "named": "none", "place": 0, "number": 1}
    known |= {"uidb36": "1", "key": "none", "token": "none"}
    values = {
        name: known.get(name, 1 if "Int" in type(kind).__name__ else uuid4())
        for name, kind in route.pattern.converters.items()
    }
    return reverse(route.name or "", kwargs=values)


def test_api_is_closed_to_demo_visitors(demo: DemoLeague, visitor: Client) -> None:
    for address in ("settle", "leagues", f"leagues/{demo.league_id}", "games"):
        for method in ("get", "post", "delete"):
            assert getattr(visitor, method)(f"/api/v1/{address}").status_code == 403


def test_demo_visitor_has_no_access_to_other_leagues(visitor: Client) -> None:
    night, other = a_night(), prepare_demo()
    theirs = newest_open(other.league)
    assert theirs
    for pk in (night.pk, theirs.pk):
        for name in ("night", "hands", "record", "screen", "payments", "close"):
            assert visitor.get(reverse(name, args=[pk])).status_code == 404
    for league in (night.league, other.league):
        for name in ("league", "stats", "logbook", "house-games"):
            assert visitor.get(reverse(name, args=[league.pk])).status_code == 404


def test_open_pages_do_not_show_or_change_another_league(world: World, visitor: Client) -> None:
    """Every URL is requested with a different league's ids."""
    League.objects.filter(pk=world.league.pk).update(name=MARK)
    world.league.players.update(name=Concat(Value(MARK), "name"))
    before = rows(world.league)
    for route in urlpatterns:
        if not isinstance(route, URLPattern) or route.name in LEAVES:
            continue
        address = _address(world, route)
        for method in ("get",) if route.name in READ else ("post",) if route.name in CHANGE else ():
            answer = getattr(visitor, method)(address)
            assert MARK not in answer.content.decode(errors="replace"), (route.name, method)
            assert answer.status_code not in (500, *([405] if method == "get" else [])), route.name
    assert rows(world.league) == before


def rows(league: League) -> dict[str, list[Any]]:
    """Return the primary keys of all the league's rows, by table."""
    return {
        model.__name__: sorted(map(str, rows_of(model, league.pk).values_list("pk", flat=True)))
        for model in owned()
    }


def test_demo_sends_no_messages_or_emails(demo: DemoLeague, visitor: Client) -> None:
    """Closing a night and reporting a payment would notify chats, webhooks and players."""
    night = newest_open(demo.league)
    assert night
    close_night(night, uuid4(), by=demo.user, decisions=Decisions(by_hands=True))
    payments = PlannedPayment.objects.filter(plan__closing__night=night)
    for name in ("promise", "receive"):
        assert visitor.post(reverse(name, args=[payments[0].pk])).status_code == 302
    messages = OutgoingMessage.__subclasses__()
    assert len(messages) == 4
    assert not [model for model in messages if model._default_manager.exists()]
    assert mail.outbox == []


def test_phones_cannot_join_a_demo(demo: DemoLeague) -> None:
    assert league_of_code(demo.league.code) is None
    answer = Client().post(reverse("join"), {"code": demo.league.code})
    assert answer.status_code == 400
    assert Client().get(reverse("pick-name", args=[demo.league.code])).status_code != 200


def test_demo_shows_no_join_code(demo: DemoLeague, visitor: Client) -> None:
    night = newest_open(demo.league)
    assert night
    for address in (
        reverse("league", args=[demo.league_id]),
        reverse("night", args=[night.pk]),
        reverse("screen", args=[night.pk]),
    ):
        assert demo.league.code not in visitor.get(address).content.decode()


def test_screen_link_in_a_demo_shows_no_join_code(demo: DemoLeague) -> None:
    night = newest_open(demo.league)
    assert night
    token = share_screen(night, by=demo.user, shows_code=True)
    page = Client().get(reverse("shared-screen", args=[token]))
    assert page.status_code == 200
    assert demo.league.code not in page.content.decode()


def test_demo_user_has_neither_a_password_nor_an_email_address(demo: DemoLeague) -> None:
    assert not demo.user.has_usable_password()
    assert not demo.user.email


def test_demo_visitor_who_signs_up_leaves_the_demo(demo: DemoLeague, visitor: Client) -> None:
    fields = {"username": "Marta", "password1": "a long pass word", "password2": "a long pass word"}
    visitor.post(reverse("sign-up"), fields)
    user = User.objects.get(username="Marta")
    assert visitor.session["_auth_user_id"] == str(user.pk)
    assert not user.in_demo
    assert visitor.get(reverse("league", args=[demo.league_id])).status_code == 404
