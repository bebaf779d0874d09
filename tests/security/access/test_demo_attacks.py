"""A demo visitor sends every form of the demo with ids of another league in its fields.

The forms are read from the pages that demo visitors can open, so a new form is attacked as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import NoReverseMatch, Resolver404, URLPattern, resolve, reverse

from league.integrity.row_owners import owned, rows_of, strays
from league.models import DemoLeague, League, Role, Scope, User
from league.pages.demo import CHANGE, READ
from league.pages.urls import urlpatterns
from tests.helpers.api.routes import RULES, address
from tests.helpers.api.sample_league import World, a_world, furnish, token_text

pytestmark = pytest.mark.django_db

MARK = "unmistakable-"
# Forms with ids in their fields. The crawl must find at least these.
ATTACKED = {"add-cost", "buy-in", "close", "count", "leave", "new-night", "options", "take-seat"}
LEAVES = {"sign-out", "sign-up"}  # these end the demo
SAMPLES = {"slug": "texas-holdem", "named": "none", "place": 0, "number": 1, "digest": "none"}


@dataclass
class Form:
    """A form as a browser has it: its address, and the values that each field offers."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """Reads all forms on a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.forms, self.select = page, list[Form](), ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("action") or self.page))
        if tag == "select":
            self.select = given.get("name", "")
        if not self.forms:
            return
        name = self.select if tag == "option" else given.get("name", "")
        if name and tag in ("input", "button", "option", "textarea"):
            self.forms[-1].fields.setdefault(name, []).append(given.get("value", ""))


@pytest.fixture
def demo() -> World:
    """A league with rows of every kind, which is a demo league."""
    world = _furnished()
    user = world.league.created_by
    assert user
    User.objects.filter(pk=user.pk).update(in_demo=True)
    DemoLeague.objects.create(league=world.league, user=user)
    # the visitor is a player, and all rules with forms of their own apply
    world.league.players.filter(pk=world.ann.pk).update(user=user)
    rules = {"leave_notice": 30, "seven_deuce": 2, "high_hand": 5, "fund_each": 5}
    League.objects.filter(pk=world.league.pk).update(**rules, fund_keeper=world.ann)
    return world


@pytest.fixture
def foreign() -> World:
    world = _furnished()
    League.objects.filter(pk=world.league.pk).update(name=MARK)
    world.league.players.update(name=Concat(Value(MARK), "name"))
    return world


@pytest.fixture
def visitor(demo: World) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=demo.league.created_by_id))
    return client


def _furnished() -> World:
    world = a_world()
    furnish(world)
    return world


def forms_of(world: World, client: Client) -> list[Form]:
    """Return the different forms on all pages that the visitor can open."""
    forms: dict[tuple[str, ...], Form] = {}
    for route in urlpatterns:
        assert isinstance(route, URLPattern)
        if route.name not in READ | CHANGE or route.name in LEAVES:
            continue
        at = _address(world, route)
        answer = client.get(at)
        if not answer.get("Content-Type", "").startswith("text/html"):
            continue
        reader = Forms(at)
        reader.feed(answer.content.decode())
        for form in reader.forms:
            forms.setdefault((_name(form.action), *sorted(form.fields)), form)
    return [form for form in forms.values() if _name(form.action) in CHANGE - LEAVES]


def _address(world: World, route: URLPattern) -> str:
    known = {**SAMPLES, **world.ids(), "done_id": world.more["buy_in_id"]}
    known |= {"planned_id": world.plan.payments.get().pk, "look": "dark"}
    values = {name: known.get(name, "none") for name in route.pattern.converters}
    try:
        return reverse(route.name or "", kwargs=values)
    except NoReverseMatch:
        return reverse(route.name or "", kwargs=values | {"slug": "texas-holdem"})


def _name(address: str) -> str:
    try:
        return str(resolve(address.partition("?")[0]).url_name)
    except Resolver404:
        return ""


def others(demo: World, foreign: World) -> dict[str, list[str]]:
    """Return for each id in the demo the ids of the other league's rows of the same kind."""
    known: dict[str, list[str]] = {}
    for model in owned():
        mine = map(str, rows_of(model, demo.league.pk).values_list("pk", flat=True))
        theirs = [
            str(key) for key in rows_of(model, foreign.league.pk).values_list("pk", flat=True)
        ]
        known |= {key: theirs for key in mine if len(key) == 36 and theirs}
    return known


def attacks(form: Form, known: dict[str, list[str]]) -> Iterator[dict[str, list[str]]]:
    """Yield the form with an id of the other league in each field, or in a field's name."""
    usual = {name: values[:1] for name, values in form.fields.items()}
    for name, values in form.fields.items():
        if id_ := next(filter(_is_id, values), ""):
            # an id that is not stored yet may be the id of any row
            for key in known.get(id_) or sorted({each for [each, *_] in known.values()}):
                yield usual | {name: [key]}
        for id_, theirs in known.items():
            if id_ in name:
                yield usual | {name.replace(id_, theirs[0]): ["1"]}


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def contents(league: League) -> dict[str, list[Any]]:
    """Return all the league's rows."""
    return {
        model.__name__: sorted(map(repr, rows_of(model, league.pk).values_list()))
        for model in owned()
    }


@pytest.mark.scheduled
@pytest.mark.timeout(900)
def test_forms_of_the_demo_do_not_reach_another_league(
    demo: World, foreign: World, visitor: Client
) -> None:
    forms, known, before = forms_of(demo, visitor), others(demo, foreign), contents(foreign.league)
    tried = set()
    for form in forms:
        with transaction.atomic():
            for sent in attacks(form, known):
                answer = visitor.post(form.action, sent)
                case = (_name(form.action), sent, answer.status_code)
                assert answer.status_code < 500, case
                assert MARK not in answer.content.decode(errors="replace"), case
                tried.add(_name(form.action))
            assert contents(foreign.league) == before, form
            assert not list(strays(demo.league)), form
            transaction.set_rollback(True)
    assert tried >= ATTACKED


def test_api_refuses_a_demo_visitor_at_every_route(demo: World, foreign: World) -> None:
    """Neither a valid token of another league nor a switch of the method helps."""
    user, token = demo.league.created_by, token_text(foreign.league, Role.HOST, Scope.MANAGE)
    assert user
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        client = Client(headers=headers)
        client.force_login(User.objects.get(pk=user.pk))
        for name, method in RULES:
            for world in (demo, foreign):
                answer = getattr(client, method)(address(world, name))
                assert answer.status_code == 403, (name, method)
                assert MARK not in answer.content.decode(), (name, method)
