"""Lists that people read are sorted by name without regard to case and accents."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.common.text import name_order
from league.models import ChargeShare, Night, Player
from league.nights.nights import seat
from league.people.leagues import add_player
from tests.helpers.league.leagues import a_night
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

NAMES = ["adam", "Émile", "Jörg", "josé", "Zoe"]


@pytest.fixture
def night() -> Night:
    """Return a night in whose league players have names of every kind. The first has a seat."""
    night = a_night()
    for name in reversed(NAMES):
        add_player(night.league, name)
    seat(night, Player.objects.get(league=night.league, name="adam"))
    return night


def host(night: Night) -> Client:
    client = Client()
    assert night.league.created_by
    client.force_login(night.league.created_by)
    return client


def test_order_ignores_case_and_accents() -> None:
    names = ["Zoe", "ad", "Ada", "Émile", "emil", "ßa", "st"]
    assert sorted(names, key=name_order) == ["ad", "Ada", "emil", "Émile", "ßa", "st", "Zoe"]


@pytest.mark.parametrize("view", ["league", "options", "charges"])
def test_page_lists_players_by_name(night: Night, view: str) -> None:
    key = night.pk if view == "charges" else night.league.pk
    text = html(host(night).get(reverse(view, args=[key])))
    places = [text.rindex(f">{name}<") for name in NAMES[1:]]
    assert places == sorted(places)


def test_odd_chips_of_a_cost_do_not_depend_on_the_listed_order(night: Night) -> None:
    """The first name by code point pays the odd chip, as in earlier versions."""
    shared = Player.objects.filter(league=night.league, name__in=["Émile", "Zoe"])
    parts = {f"parts-{player.pk}": "1" for player in shared}
    payer = Player.objects.get(league=night.league, name="adam")
    sent = {"key": uuid4(), "kind": "cost", "amount": "0.03", "payer": payer.pk, "title": "Tip"}
    response = host(night).post(reverse("add-cost", args=[night.pk]), {**sent, **parts})
    assert response.status_code == 302
    owes = {row.player.name: row.owes for row in ChargeShare.objects.all() if row.owes}
    assert owes == {"Zoe": 2, "Émile": 1}
