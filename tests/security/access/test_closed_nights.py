"""Only hosts change closed nights, unless the league allows more. Covers the API and the pages."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from league.audit_log import Kind, logged_actions
from league.closing.close import Decisions, close_night
from league.common.errors import NightClosedError
from league.integrity.audit import audit
from league.models import (
    ConflictingRecord,
    Corrections,
    Hand,
    League,
    Night,
    PaymentPlan,
    Revision,
    Role,
    Scope,
)
from league.people.api_keys import make_token
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import again
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import joined, post, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def hand() -> Hand:
    """A hand from a closed night with planned payments."""
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    return hand


def corrections(client: Client, hand: Hand) -> dict[str, HttpResponse]:
    """Every way to correct or void the hand, through the API and the pages."""
    record = holdem(button=0)
    revision = {"id": str(uuid4()), "record": record}
    return {
        "revise": post(client, f"hands/{hand.pk}/revisions", **revision),
        "check": post(client, f"hands/{hand.pk}/check", record=record),
        "void": post(client, f"hands/{hand.pk}/void"),
        "page void": client.post(f"/hands/{hand.pk}/void"),
        "page record": client.post(f"/hands/{hand.pk}/record", {"paste": json.dumps(record)}),
        "page form": client.get(f"/hands/{hand.pk}/record"),
        "page check": client.post(f"/hands/{hand.pk}/check", {"paste": json.dumps(record)}),
        "page redraw": client.post(f"/hands/{hand.pk}/redraw", {"paste": json.dumps(record)}),
    }


@pytest.mark.parametrize("who", ["phone", "scorekeeper", "record token"])
def test_only_hosts_can_correct_a_closed_night(who: str, hand: Hand) -> None:
    night = hand.night
    client = visitor(night, who)
    for name, answer in corrections(client, hand).items():
        assert answer.status_code in ({403, 302} if who == "record token" else {403}), name
    assert Revision.objects.count() == 1
    assert PaymentPlan.objects.count() == 1
    assert again(night).state == "closed"
    assert f"/hands/{hand.pk}/record" not in html(client.get(f"/hands/{hand.pk}"))


def visitor(night: Night, who: str) -> Client:
    if who == "phone":
        return joined(night, "bob")
    if who == "scorekeeper":
        return someone(night, Role.SCOREKEEPER)
    host = night.league.created_by
    assert host
    _, text = make_token(night.league, host, "program", Scope.RECORD)
    return Client(headers={"Authorization": f"Bearer {text}"})


@pytest.mark.parametrize("who", ["phone", "scorekeeper"])
def test_recorders_can_correct_closed_nights_if_the_league_allows_it(who: str, hand: Hand) -> None:
    League.objects.update(corrections=Corrections.RECORDERS)
    client = visitor(hand.night, who)
    assert post(client, f"hands/{hand.pk}/void").status_code == 200
    assert Revision.objects.count() == 2


def test_host_can_correct_closed_nights(hand: Hand) -> None:
    answers = corrections(someone(hand.night, Role.HOST), hand)
    assert {each.status_code for each in answers.values()} <= {200, 201, 302, 400}
    assert Revision.objects.count() >= 3


def test_players_can_still_correct_hands_on_open_nights() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    assert post(joined(night, "bob"), f"hands/{hand.pk}/void").status_code == 200


def test_night_that_closes_during_a_correction_is_not_corrected(hand: Hand) -> None:
    """The permission is checked before the lock is taken, so it is rechecked afterwards."""
    with pytest.raises(NightClosedError):
        void_hand(hand, by=None, open_only=True)
    with pytest.raises(NightClosedError):
        revise_hand(hand, uuid4(), holdem(button=0), by=None, open_only=True)
    assert Revision.objects.count() == 1


@pytest.mark.parametrize("path", ["hands", "hands/batch"])
def test_closed_night_refuses_new_hands_from_all_users(path: str, hand: Hand) -> None:
    sent = {"id": str(uuid4()), "record": holdem(button=0)}
    body: dict[str, Any] = {"hands": [sent]} if path == "hands/batch" else sent
    answer = post(joined(hand.night, "bob"), f"nights/{hand.night_id}/{path}", **body)
    assert answer.status_code == 409
    assert Hand.objects.count() == 1


@pytest.mark.parametrize("corrects", [False, True])
def test_late_showdown_for_a_closed_night_waits_for_a_host(corrects: bool) -> None:
    """A showdown that matches a result-only hand replaces it. After closing, a host decides."""
    night = a_night()
    record = {"variant": "texas-holdem", "button": 1, "depth": "result", "took": {"ann": 20}}
    record["players"] = [{"name": name, "paid": 10} for name in ("ann", "bob")]
    result = record_hand(night, uuid4(), record, by=None).hand
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    knew = ClientContext(origin="another phone", seen=0, number=1, corrects=corrects)
    late = record_hand(night, uuid4(), holdem(), by=None, context=knew)
    assert late.conflict
    assert late.hand == result
    assert late.conflict.state == (
        ConflictingRecord.State.ACCEPTED if corrects else ConflictingRecord.State.WAITING
    )
    assert Revision.objects.count() == (2 if corrects else 1)
    assert again(night).state == "closed"
    assert audit() == []


def test_changing_the_correction_policy_is_logged_and_requires_a_host() -> None:
    night = a_night()
    host, at = someone(night, Role.HOST), f"/api/v1/leagues/{night.league.pk}"
    assert host.get(at).json()["corrections"] == "hosts"
    changed = host.patch(at, {"corrections": "recorders"}, content_type="application/json")
    assert changed.json()["corrections"] == "recorders"
    [entry] = [each for each in logged_actions(night.league) if each.kind == Kind.OPTIONS_CHANGED]
    values = {"corrections": ["hosts", "recorders"]}
    assert entry.about == {"changed": "corrections", "values": values}
    response = host.patch(at, {"corrections": "anybody"}, content_type="application/json")
    assert response.status_code == 400
    keeper = someone(night, Role.SCOREKEEPER)
    assert (
        keeper.patch(at, {"corrections": "hosts"}, content_type="application/json").status_code
        == 403
    )
    page = html(host.get(f"/leagues/{night.league.pk}/options"))
    assert "Corrections of closed nights" in page
