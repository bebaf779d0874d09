"""A hand's page: cards, pots, story, findings, revisions; and taking a hand back."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client

from league.leagues import add_member
from league.models import Hand, Night, Role
from league.nights import stacks
from league.recording import record_hand
from rules import catalog
from tests.league.tables import a_night, a_user, holdem, player, qualifiers

pytestmark = pytest.mark.django_db
CONTRACT = Path(__file__).parent.parent / "vectors" / "contract.jsonl"


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def client(night: Night) -> Client:
    client, user = Client(), a_user()
    add_member(night.league, user, Role.HOST)
    client.force_login(user)
    return client


def recorded(night: Night, record: dict[str, object]) -> Hand:
    return record_hand(night, uuid4(), record, by=None).hand


def test_a_hand_shows_its_cards_pots_story_and_findings(client: Client, night: Night) -> None:
    example = json.loads(CONTRACT.read_text().splitlines()[0])["record"]
    page = client.get(f"/hands/{recorded(night, example).pk}").content.decode()
    for said in ("Omaha-8", "two-row", "Main pot", "Side pot 1", "ann wins 77", "three queens"):
        assert said in page
    assert "so cat is out of both" in page
    assert "ann took 52 and had won 77" in page
    assert page.count('aria-label="queen of spades"') == 2
    assert 'class="card spade lit"' in page


def test_a_carried_pot_is_told(client: Client, night: Night) -> None:
    page = client.get(f"/hands/{recorded(night, qualifiers()).pk}").content.decode()
    assert "20 carried over" in page


def test_a_result_is_shown_without_cards(client: Client, night: Night) -> None:
    record = {
        "variant": "nightmare",
        "button": 0,
        "depth": "result",
        "players": [{"name": "ann", "paid": 5}, {"name": "bob", "paid": 5}],
        "took": {"bob": 10},
    }
    page = client.get(f"/hands/{recorded(night, record).pk}").content.decode()
    assert "result only" in page
    assert "bob wins 10" in page


def test_chips_moved_by_rows_are_shown(client: Client, night: Night) -> None:
    record = {
        "variant": "put-and-take",
        "button": 0,
        "players": [{"name": "ann"}, {"name": "bob", "up": ["Kh", "Kc", "4d", "8s", "Ts"]}],
        "board": [["Ks", "7d", "2h", "9c", "Jd"], ["Kd", "3s", "Qh", "7c", "5d"]],
    }
    page = client.get(f"/hands/{recorded(night, record).pk}").content.decode()
    assert 'aria-label="king of hearts"' in page


def test_a_name_that_looks_like_a_script_is_only_a_name(client: Client, night: Night) -> None:
    name = "<script>alert(1)</script>"
    client.post(f"/leagues/{night.league.pk}/players", {"name": name})
    client.post(f"/nights/{night.pk}/seats", {"player": player(night, name).pk})
    record = holdem()
    record["players"][0]["name"] = name
    for path in (f"/hands/{recorded(night, record).pk}", f"/nights/{night.pk}/record"):
        assert name not in client.get(path).content.decode()


def test_a_hand_taken_back_gives_its_chips_back(client: Client, night: Night) -> None:
    hand = recorded(night, holdem())
    assert client.post(f"/hands/{hand.pk}/void", {"reason": "misdeal"}).status_code == 302
    assert stacks(night)[player(night, "ann").pk] == 100
    page = client.get(f"/hands/{hand.pk}").content.decode()
    assert "misdeal" in page
    assert "taken back" in page


@pytest.mark.parametrize("reason", ["r" * 10_000, "\0"])
def test_a_reason_that_cannot_be_kept_comes_back(client: Client, night: Night, reason: str) -> None:
    hand = recorded(night, holdem())
    page = client.post(f"/hands/{hand.pk}/void", {"reason": reason})
    assert page.status_code == 400
    assert b'class="error"' in page.content
    assert stacks(night)[player(night, "ann").pk] == 110


def test_anyone_may_read_the_rules(client: Client) -> None:
    client.logout()
    page = client.get("/games").content.decode()
    for slug in catalog.slugs():
        assert f"/games/{slug}" in page
        rules = client.get(f"/games/{slug}")
        assert rules.status_code == 200
        assert str(catalog.document(slug)["name"]).replace("'", "&#x27;") in rules.content.decode()


def test_rules_are_told_with_modifiers(client: Client) -> None:
    plain = client.get("/games/omaha-8").content
    assert client.get("/games/omaha-8", {"with": "two-row"}).content != plain
    assert client.get("/games/five-card-21", {"with": "two-row"}).status_code == 404
    assert client.get("/games/no-such-game").status_code == 404
