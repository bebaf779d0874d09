"""The pages of a chip set, and where other pages show its colours."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.house_rules import option_sentences
from league.models import League, Role
from league.nights.opening import start_night
from league.people.leagues import add_player
from league.tournaments.clock import read_levels
from league.tournaments.events import go_to_level
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league
from tests.helpers.league.pages import html
from tests.helpers.league.tournaments import a_tournament

pytestmark = pytest.mark.django_db
TYPED = {
    "value-white": "1",
    "count-white": "100",
    "value-red": "5",
    "count-red": "100",
    "value-green": "25",
    "count-green": "50",
}


@pytest.fixture
def league() -> League:
    return a_league()


@pytest.fixture
def host(league: League) -> Client:
    return member(league, Role.HOST)


def edit(client: Client, league: League, typed: dict[str, Any]) -> Any:
    return client.post(f"/leagues/{league.pk}/chips/edit", typed)


def text(client: Client, path: str) -> str:
    page = client.get(path)
    assert page.status_code == 200
    return str(html(page))


def test_host_saves_the_set_in_the_order_of_values(league: League, host: Client) -> None:
    assert edit(host, league, {**TYPED, "value-white": "100"}).status_code == 302
    league.refresh_from_db()
    assert [(each["colour"], each["value"]) for each in league.chip_set] == [
        ("red", 5),
        ("green", 25),
        ("white", 100),
    ]
    sentences = [each for section in option_sentences(league) for each in section.sentences]
    values = "5 (red), 25 (green), 100 (white) (1 = 0.01 USD)."
    assert f"Chip values: {values}" in sentences
    assert edit(host, league, {"value-red": ""}).status_code == 302
    league.refresh_from_db()
    assert league.chip_set == []


def test_invalid_set_is_refused_with_all_errors_and_typed_numbers(
    league: League, host: Client
) -> None:
    wrong = {**TYPED, "value-red": "1", "count-white": "", "count-green": "2001"}
    page = edit(host, league, wrong)
    assert page.status_code == 400
    assert "Enter the value and the number of pieces." in html(page)
    assert "Enter 2000 or less" in html(page)
    assert 'value="2001"' in html(page)
    page = edit(host, league, {**TYPED, "value-red": "1"})
    assert page.status_code == 400
    assert html(page).count("Each colour needs its own value.") == 1
    assert League.objects.get().chip_set == []


def test_saving_the_settings_keeps_the_chip_set(league: League, host: Client) -> None:
    edit(host, league, TYPED)
    at = f"/leagues/{league.pk}/options"
    form = host.get(at).context["form"]
    assert "The keypad uses the chip set instead." in text(host, at)
    values = {each.html_name: each.value() for each in form if each.value() is not None}
    assert host.post(at, values | {"closing_hour": 4}).status_code == 302
    assert [each["colour"] for each in League.objects.get().chip_set] == ["white", "red", "green"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("buy_in=200&players=8&rebuys=0", ["Enough for all players.", "10 white", "6 green"]),
        ("buy_in=200&players=6&rebuys=2", ["Enough for all players and rebuys.", "A rebuy"]),
        ("buy_in=200&players=8&rebuys=3", ["and 1 of 3 rebuys.", "Chips worth 350 are missing."]),
        ("buy_in=200&players=20", ["Enough for 8 of 20 players.", "worth 2,150 are missing"]),
        ("buy_in=9000&players=1", ["pay 9,000 exactly. Choose a buy-in of 1,850."]),
        ("buy_in=2000000&players=1", ["too large for the chip set"]),
        ("buy_in=x&players=101", ["Enter a whole number", "Enter 100 or less"]),
    ],
)
def test_page_shows_what_to_hand_out(
    query: str, expected: list[str], league: League, host: Client
) -> None:
    edit(host, league, TYPED)
    viewer = member(league, Role.VIEWER)
    page = text(viewer, f"/leagues/{league.pk}/chips?{query}")
    assert [each for each in expected if each not in page] == []
    assert "Edit chip set" not in page


def test_pages_of_a_night_show_the_colours(league: League, host: Client) -> None:
    edit(host, league, TYPED)
    players = [(add_player(league, name), 200) for name in ("ann", "bob", "cat")]
    league = League.objects.get()
    night = start_night(league, uuid4(), players, by=None, usual_buy_in=200)
    at = f"/nights/{night.pk}"
    assert "10 white" in text(host, at)
    assert "red, 5 each" in text(host, f"{at}/count")
    assert "data-by-colour" in text(host, f"{at}/count")
    assert "data-by-colour" in text(host, f"{at}/leave")
    record = text(host, f"{at}/record")
    assert "red, 5 each" in record
    assert "data-by-colour" not in record
    assert 'data-colour="green"' in text(host, f"{at}/screen")


def test_clock_shows_when_to_colour_up(league: League, host: Client) -> None:
    edit(host, league, TYPED)
    players = [(add_player(league, name), 200) for name in ("ann", "bob")]
    night = start_night(League.objects.get(), uuid4(), players, by=None)
    levels = read_levels("1/2 10\n5/10 10\nbreak 10\n25/50 10")
    tournament = a_tournament(night, stack=500, levels=levels)
    notes = ["After this level, colour up the white chips.", "Colour up the white chips."]
    notes += ["Colour up the red chips."]
    for number, note in enumerate(notes):
        go_to_level(tournament, number)
        for page in ("", "/screen", f"/tournaments/{tournament.pk}"):
            assert f">{note}</p>" in text(host, f"/nights/{night.pk}{page}")
