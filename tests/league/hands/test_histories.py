"""Full histories are settled, posted, counted and audited like other hands."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.hands.revisions import record_at_the_end
from league.integrity.audit import audit
from league.models import HandFact, Revision
from league.nights.nights import stacks
from league.recording.record import SentHand, record_batch, record_hand
from league.stats.count import rebuild
from league.stats.luck import find_luck
from tests.helpers.league.histories import history
from tests.helpers.league.leagues import a_league, a_night, a_user, player

pytestmark = pytest.mark.django_db


def test_full_history_moves_chips_and_is_counted_with_its_final_cards(
    client: Client,
) -> None:
    """Records of every depth give the same books, pages and figures (docs/architecture.md)."""
    host = a_user()
    night = a_night(a_league(host))
    recorded = record_hand(night, uuid4(), history(), by=None)
    sent = SentHand(hand_id=uuid4(), record=history(about={}), made_at=recorded.hand.made_at)
    record_batch(night, [sent], by=None)
    assert set(Revision.objects.values_list("depth", flat=True)) == {Revision.Depth.FULL}
    assert stacks(night)[player(night, "ann").pk] == 100 + 20 + 20
    end = record_at_the_end(recorded.revision)
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
