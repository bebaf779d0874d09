"""A full history is recorded as any hand: settled, posted, counted and audited by its actions."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.audits import audit
from league.bulk import Dealt, record_many
from league.depths import at_the_end
from league.models import HandFact, Revision
from league.nights import stacks
from league.recording import record_hand
from league.stats.luck import find_luck
from league.stats.rebuilding import rebuild
from tests.league.tables import a_league, a_night, a_user, player

pytestmark = pytest.mark.django_db

NAMES = ("ann", "bob", "cat", "dan")


def history(**changes: Any) -> dict[str, Any]:
    """Ann's aces beat bob's queens for 40 chips; cat and dan fold."""
    record: dict[str, Any] = {
        "variant": "no-limit-holdem",
        "button": 3,
        "players": [{"name": name} for name in NAMES],
        "stacks": [100] * 4,
        "stakes": {"min": 2, "blinds": [1, 2]},
        "actions": [
            "d dh p1 AsKs", "d dh p2 QhQd", "d dh p3 ????", "d dh p4 ????",
            "p3 f", "p4 f", "p1 cbr 20", "p2 cc", "d db Ah7d3c", "p1 cc", "p2 cc",
            "d db 2h", "p1 cc", "p2 cc", "d db 2c", "p1 cc", "p2 cc", "p1 sm AsKs", "p2 sm QhQd",
        ],
    }  # fmt: skip
    return record | changes


def test_a_full_history_moves_chips_and_is_counted_with_the_cards_it_came_to(
    client: Client,
) -> None:
    """All three depths end in the same books, pages and figures (DESIGN.md, the league)."""
    host = a_user()
    night = a_night(a_league(host))
    recorded = record_hand(night, uuid4(), history(), by=None)
    bulk = Dealt(hand_id=uuid4(), record=history(about={}), made_at=recorded.hand.made_at)
    record_many(night, [bulk], by=None)
    assert set(Revision.objects.values_list("depth", flat=True)) == {Revision.Depth.FULL}
    assert stacks(night)[player(night, "ann").pk] == 100 + 20 + 20
    end = at_the_end(recorded.revision)
    assert end["players"][0]["down"] == ["As", "Ks"]
    assert end["board"] == [["Ah", "7d", "3c", "2h", "2c"]]
    rebuild(night.league.pk)
    first = HandFact.objects.order_by("number").first()
    assert first is not None
    assert (first.verified, first.showdown, first.pot) == (True, True, 40)
    assert find_luck(night.league.pk, deals=20)
    client.force_login(host)
    page = client.get(reverse("hand", args=[recorded.hand.pk])).content.decode()
    assert "every action" in page
    assert page.count('class="card') >= 9
    replayed = client.get(reverse("replay", args=[recorded.hand.pk])).content.decode()
    assert "ann raises to 20." in replayed
    assert ">120</span>" in replayed
    assert audit(night.league) == []
