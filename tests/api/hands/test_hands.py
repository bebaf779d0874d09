"""GET /api/v1/nights/{id}/hands and GET /api/v1/hands/{id}"""

from uuid import uuid4

import pytest
from django.test import Client

from league.models import Role
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import member, refusal, someone
from tests.helpers.league.leagues import a_night, holdem

pytestmark = pytest.mark.django_db


def test_viewer_reads_hands_in_the_order_dealt() -> None:
    night = a_night()
    for _ in range(3):
        last = record_hand(night, uuid4(), holdem(), by=None).hand
    void_hand(last, by=None)
    body = member(night.league, Role.VIEWER).get(f"/api/v1/nights/{night.pk}/hands").json()
    assert [(each["number"], each["voided"]) for each in body["results"]] == [
        (1, False),
        (2, False),
        (3, True),
    ]
    assert body["next"] is None


def test_hand_list_is_paged() -> None:
    night = a_night()
    for _ in range(53):
        record_hand(night, uuid4(), holdem(), by=None)
    client, numbers = member(night.league, Role.VIEWER), []
    address: str | None = f"/api/v1/nights/{night.pk}/hands"
    while address:
        page = client.get(address).json()
        numbers += [each["number"] for each in page["results"]]
        address = page["next"]
    assert numbers == list(range(1, 54))


def test_hand_includes_all_its_revisions() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    revise_hand(hand, uuid4(), holdem(button=0), by=None, reason="ann dealt")
    body = member(night.league, Role.PLAYER).get(f"/api/v1/hands/{hand.pk}").json()
    assert (body["revision"], body["reason"]) == (2, "ann dealt")
    assert body["record"] == holdem(button=0)
    assert [(each["number"], each["current"]) for each in body["revisions"]] == [
        (1, False),
        (2, True),
    ]
    assert body["revisions"][0]["record"] == holdem()


def test_outsiders_cannot_see_whether_hands_exist() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    for address in (f"/api/v1/nights/{night.pk}/hands", f"/api/v1/hands/{hand.pk}"):
        refusal(someone().get(address), 404)
        refusal(Client().get(address), 401)


@pytest.mark.parametrize("hand_id", [uuid4(), "7", "x" * 10_000, "%00"])
def test_unknown_hand_is_not_found(hand_id: object) -> None:
    refusal(someone().get(f"/api/v1/hands/{hand_id}"), 404)


def test_invalid_cursor_is_refused() -> None:
    night = a_night()
    client = member(night.league, Role.VIEWER)
    refusal(client.get(f"/api/v1/nights/{night.pk}/hands?cursor=nonsense"), 400)
