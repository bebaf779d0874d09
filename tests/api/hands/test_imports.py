"""leagues/{id}/imports: hands imported from files, previewed or recorded"""

from typing import Any

import pytest
from django.test import Client

from league.integrity.audit import audit
from league.models import Hand
from tests.helpers.api.clients import ask, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.hand_files import ASTRAY, hand, on

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}/imports"


def files(*texts: str, **more: Any) -> dict[str, Any]:
    named = [{"name": f"{place}.phh", "text": text} for place, text in enumerate(texts)]
    return {"files": named, "add_players": True} | more


def test_files_are_previewed_first_and_recorded_once(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    before = Hand.objects.count()
    sent = files(hand(at=on(1)), hand("eve", at=on(2)), hand().replace("NT", "XX"))
    looked = ask(doors["host"], "post", at, sent | {"check": True}).json()
    assert (looked["recorded"], looked["new_players"]) == (2, ["eve"])
    assert Hand.objects.count() == before
    recorded = ask(doors["host"], "post", at, sent).json()
    assert [each["hands"] for each in recorded["nights"]] == [1, 1]
    [refused] = recorded["refused"]
    assert (refused["file"], refused["where"]) == ("2.phh", "variant")
    assert Hand.objects.count() == before + 2
    again = ask(doors["host"], "post", at, sent).json()
    assert (again["recorded"], again["known"]) == (0, 2)
    assert audit(world.league) == []


def test_names_in_a_file_are_matched_to_players(at: str, doors: dict[str, Client]) -> None:
    sent = files(hand("annie", at=on(1)), player_names={"annie": "ann"}, check=True)
    assert ask(doors["host"], "post", at, sent).json()["new_players"] == []


def test_only_hosts_can_import_hands(at: str, doors: dict[str, Client]) -> None:
    turned_away(doors, "post", at, files(hand()), wrong="scorekeeper")


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({}, "files"),
        (files(hand(), group_by="month"), "group_by"),
        (files(hand(), decimals=99), "decimals"),
        ({"files": [{"name": "x.phh"}]}, "files/0/text"),
    ],
)
def test_all_errors_are_reported(
    sent: dict[str, Any], where: str, at: str, doors: dict[str, Client]
) -> None:
    assert where in [told for told, _ in reported_errors(ask(doors["host"], "post", at, sent))]


def test_error_for_an_unknown_file_format_names_the_file(at: str, doors: dict[str, Client]) -> None:
    sent = {"files": [{"name": "hands.xls", "text": "x"}]}
    [refused] = ask(doors["host"], "post", at, sent).json()["refused"]
    assert refused["file"] == "hands.xls"
    assert refused["text"]


def test_findings_about_recorded_hands_are_reported(at: str, doors: dict[str, Client]) -> None:
    for check in (True, False):
        body = ask(doors["host"], "post", at, files(ASTRAY, check=check)).json()
        assert (body["recorded"], body["refused"]) == (1, [])
        [finding] = body["findings"]
        assert (finding["file"], finding["line"], finding["action"]) == ("0.phh", 1, "p1 cc")
        assert finding["code"] == "wrong-opener"


def test_unexplained_stack_differences_are_reported_and_keep_the_night_open(
    at: str, doors: dict[str, Client]
) -> None:
    """Both hands begin with stacks of 100, although the first hand moves 10 chips."""
    sent = files(hand(at=on(1)), hand(bet=20, at=on(1)), close=True)
    for check in (True, False):
        answer = ask(doors["host"], "post", at, sent | {"check": check}).json()
        differences = [
            (item["player_name"], item["expected"], item["stated"], item["file"], item["line"])
            for item in answer["differences"]
        ]
        assert differences == [("ann", 110, 100, "1.phh", 1), ("bob", 90, 100, "1.phh", 1)]
        [night] = answer["nights"]
        assert night["open_reasons"] == ["stacks that don't match the hands and buy-ins: 2"]
        codes = [item["code"] for item in answer["refused"]]
        assert codes == ([] if check else ["kept-open"])
