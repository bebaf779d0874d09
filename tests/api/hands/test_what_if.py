"""GET and POST hands/{id}/what-if"""

from typing import Any

import pytest
from django.test import Client

from league.models import Revision
from tests.helpers.api.clients import ask, reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/hands/{world.hand.pk}/what-if"


def test_alternative_is_settled_without_being_stored(at: str, doors: dict[str, Client]) -> None:
    """ann's aces win 20 under both rules for odd chips."""
    before = Revision.objects.count()
    assert doors["viewer"].get(at).json()["chosen"]["odd_chip"] == "seat"
    body = {"options": {"odd_chip": "high card"}}
    settled = ask(doors["viewer"], "post", at, body).json()
    assert settled["text"] == "With odd chip high card: ann 20"
    assert settled["answer"]["won"] == {"ann": 20, "bob": 0}
    assert Revision.objects.count() == before


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"options": {"split": "x"}}, "options/split"),
        ({"options": {"odd_chip": "x"}}, "options/odd_chip"),
        ({"options": 3}, "options"),
        ({"modifiers": ["miami"]}, "board"),
        ({"modifiers": ["x"]}, "modifiers"),
        ({"version": 7}, "version"),
    ],
)
def test_impossible_alternative_is_refused(
    body: Any, where: str, at: str, doors: dict[str, Client]
) -> None:
    errors = reported_errors(ask(doors["viewer"], "post", at, body))
    assert errors[0][0].startswith(where)


def test_outsiders_cannot_settle_a_hand(at: str, doors: dict[str, Client]) -> None:
    for method in ("get", "post"):
        turned_away(doors, method, at, {}, wrong="")
