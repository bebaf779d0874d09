"""A recorded hand is settled under other options, modifiers and versions without being changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from league.games import house_games
from league.hands.what_if import Alternative, choices, settle_alternative
from league.models import Night, Revision, Role
from tests.helpers.api.clients import member
from tests.helpers.league.house_games import LOW_CROSS, a_house_game, crossed
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db
MIDDLEMOST = Path(__file__).parents[3] / "docs" / "hand.jsonl"


@pytest.fixture
def night() -> Night:
    return a_night()


def revision_of(night: Night, record: dict[str, Any]) -> Revision:
    hand = dealt(night, record)
    rows = Revision.objects.select_related("document", "hand__night__season")
    return rows.get(hand=hand)


def middlemost() -> dict[str, Any]:
    """Return the hand of the README: Bob declares both ways and loses the high."""
    record: dict[str, Any] = json.loads(MIDDLEMOST.read_text())
    for player in record["players"]:
        player["name"] = player["name"].lower()
    return record


def test_hand_is_settled_without_declarations(night: Night) -> None:
    """Only the high counts: ann's four aces win the pot of 90."""
    revision = revision_of(night, middlemost())
    outcome = settle_alternative(revision, Alternative(options={"split": "high"}))
    assert outcome.text == "With split high: ann 90"
    assert outcome.answer
    assert outcome.answer["won"]["ann"] == 90


def test_alternatives_include_the_choices_of_the_game(night: Night) -> None:
    offered = choices(revision_of(night, middlemost()))
    names = [option["name"] for option in offered.options]
    assert names == [*offered.chosen]
    assert {"low", "split", "both_ways", "odd_chip"} <= {*names}
    assert "miami" not in offered.modifiers


def test_missing_cards_are_explained(night: Night) -> None:
    """Miami has three rows on the board, and the record has one."""
    outcome = settle_alternative(revision_of(night, holdem()), Alternative(modifiers=["miami"]))
    assert outcome.answer is None
    assert outcome.text.startswith(
        "With Miami: this can't be settled, because the board has one row"
    )


def test_missing_declarations_are_explained(night: Night) -> None:
    record = middlemost() | {"options": {"split": "high"}}
    for player in record["players"]:
        del player["declared"]
    outcome = settle_alternative(
        revision_of(night, record), Alternative(options={"split": "high-low"})
    )
    assert outcome.answer is None
    assert "declare" in outcome.text


def test_result_without_cards_cannot_be_settled_differently(night: Night) -> None:
    record = holdem(depth="result", took={"ann": 20}, board=[])
    for player in record["players"]:
        del player["down"]
    del record["board"]
    revision = revision_of(night, record)
    assert "without cards" in choices(revision).reason
    assert settle_alternative(revision, Alternative(options={"odd_chip": "high card"})).errors


def test_hand_is_settled_under_another_version_of_a_house_game(night: Night) -> None:
    game = a_house_game(night)
    revision = revision_of(night, crossed(game.slug))
    assert choices(revision).versions == []
    house_games.revise(game, LOW_CROSS, by=None)
    [version] = choices(revision).versions
    assert version.number == 2
    outcome = settle_alternative(revision, Alternative(version=2))
    assert outcome.answer
    assert outcome.text.startswith("With version 2: bob ")
    assert settle_alternative(revision, Alternative(version=3)).errors


def test_page_shows_the_alternative_and_opens_it_as_a_correction(night: Night) -> None:
    hand = revision_of(night, middlemost()).hand
    before = Revision.objects.count()
    host = member(night.league, Role.HOST)
    at = f"/hands/{hand.pk}/what-if"
    assert "Choose what to change" in html(host.get(at))
    page = host.get(at, {"drawn": "1", "options/split": "high"})
    assert "With split high: ann 90" in html(page)
    form = host.get(f"/hands/{hand.pk}/record?{page.context['page'].correction}")
    assert form.context["reason"] == "Settled again: With split high"
    assert 'value="high" selected' in html(form)
    assert Revision.objects.count() == before
    viewer = member(night.league, Role.VIEWER)
    assert "Correct the hand this way" not in html(viewer.get(at, {"options/split": "high"}))
