"""List pages: cursors visit every row once, and malformed cursors are rejected."""

from base64 import b64encode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.test import Client

from api.http.resource import ListResource
from league.models import Role
from league.recording.record import SentHand, record_batch
from tests.helpers.api.clients import member, reported_errors
from tests.helpers.api.routes import address, routes
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import a_night, holdem

pytestmark = pytest.mark.django_db

# DRF issue 6504, fastapi-pagination issues 936 and 2044: positions that no field can parse.
POSITIONS = ("abc", "", "\0", "2026-13-45", "0001-01-01T00:00:00+14:00", "2026-01-01", "9" * 40)
POSITIONS += ("\N{PILE OF POO}", "1.5", "-1", "NaN", "x" * 5000)
TEXTS = tuple(each for each in POSITIONS if each != "\0")
CURSORS = (
    *(b64encode(f"p={quote(each)}".encode()).decode() for each in POSITIONS),
    *(
        urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode()
        for text in (
            "null",
            "[]",
            "{}",
            "[0]",
            "[0,[]]",
            "[0,{}]",
            "[0,0]",
            "[0,[null]]",
            "[0,[[]]]",
            "[" * 3000,
            "[0,[true,true,true]]",
            "[0,[1e999,1e999]]",
            f"[0,[{'9' * 40},1,1]]",
            '[0,["\\ud800"]]',
            '[0,["\\u0000"]]',
            *(f'[0,["{each}","{each}"]]' for each in TEXTS),
        )
    ),
    "x",
    "%",
    "=",
    "\N{PILE OF POO}",
    "x" * 5000,
)

READABLE = {
    (name, urlsafe_b64encode(f'[0,["{each}","{each}"]]'.encode()).decode())
    for name, texts in (("house-games", TEXTS), ("seasons", ("2026-01-01",)))
    for each in texts
}


def lists() -> list[str]:
    names = []
    for route in routes():
        view = getattr(route.callback, "view_class", None)
        if view and issubclass(view, ListResource):
            names.append(str(route.name))
    return names


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.scheduled)])
def test_malformed_cursors_are_refused(world: World, doors: dict[str, Client], every: int) -> None:
    """Every run sends each list a third of the cursors. The scheduled run sends it all of them."""
    names = lists()
    assert len(names) >= 12
    for number, name in enumerate(names):
        at = address(world, name)
        for cursor in CURSORS[number % every :: every]:
            answer = doors["host"].get(at, {"cursor": cursor})
            if answer.status_code == 200:  # some lists accept this cursor
                assert (name, cursor) in READABLE
            else:
                assert reported_errors(answer) == [("cursor", "bad-cursor")], (name, cursor)


def test_pages_contain_every_row_once_in_both_directions(
    world: World, doors: dict[str, Client]
) -> None:
    for name in lists():
        at = address(world, name)
        results = doors["host"].get(at, {"page_size": 200}).json()["results"]
        pages = [doors["host"].get(at, {"page_size": 1}).json()]
        while pages[-1]["next"]:
            pages.append(doors["host"].get(pages[-1]["next"]).json())
        assert [row for page in pages for row in page["results"]] == results, name
        assert pages[0]["previous"] is None
        for before, page in zip(reversed(pages[:-1]), reversed(pages[1:]), strict=True):
            back = doors["host"].get(page["previous"]).json()
            assert back["results"] == before["results"], name


def test_previous_page_is_complete_when_all_hands_have_the_same_time() -> None:
    """DRF issue 7709: an offset cursor finds no previous page among rows with the same time."""
    night = a_night()
    client = member(night.league, Role.VIEWER)
    sent = [
        SentHand(hand_id=uuid4(), record=holdem(), made_at=datetime(2026, 11, 26, 14, tzinfo=UTC))
        for _ in range(13)
    ]
    record_batch(night, sent, by=None)
    first = client.get("/api/v1/hands", {"night": night.pk, "page_size": 5}).json()
    second = client.get(first["next"]).json()
    third = client.get(second["next"]).json()
    assert [numbers(page) for page in (first, second, third)] == [
        [13, 12, 11, 10, 9],
        [8, 7, 6, 5, 4],
        [3, 2, 1],
    ]
    assert third["next"] is None
    back = client.get(third["previous"]).json()
    assert numbers(back) == numbers(second)
    start = client.get(back["previous"]).json()
    assert numbers(start) == numbers(first)
    assert start["previous"] is None


def test_empty_page_links_back_to_the_last_rows(world: World, doors: dict[str, Client]) -> None:
    at = address(world, "transfers")
    ids = [row["id"] for row in doors["host"].get(at, {"page_size": 200}).json()["results"]]
    beyond = urlsafe_b64encode(f"[0,[{ids[-1] + 1000}]]".encode()).decode()
    empty = doors["host"].get(at, {"cursor": beyond, "page_size": 2}).json()
    assert empty["results"] == []
    last = doors["host"].get(empty["previous"]).json()
    assert [row["id"] for row in last["results"]] == ids[-2:]


def numbers(page: Any) -> list[int]:
    return [row["number"] for row in page["results"]]
