"""A player objects on a hand's page, and a host answers there or with a correction."""

from uuid import uuid4

import pytest
from django.test import Client

from league.hands.objections import Kind, object_to
from league.models import Hand, Night, Objection, ObjectionAnswer, Role
from league.people.joining import join
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import player
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def hand(night: Night) -> Hand:
    return dealt(night)


@pytest.fixture
def bob(night: Night) -> Client:
    client = Client()
    client.force_login(join(night.league, player(night, "bob")))
    return client


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def objection_of(hand: Hand, name: str = "bob") -> Objection:
    who = player(hand.night, name)
    return object_to(hand, who, "Wrong winner", objection_id=uuid4(), by=who.user)


def test_player_objects_with_one_tap(hand: Hand, bob: Client) -> None:
    at = f"/hands/{hand.pk}"
    page = bob.get(at)
    assert '<button class="button" name="reason" value="Wrong amount">' in html(page)
    key = str(page.context["objections"].key)
    for _ in range(2):
        bob.post(f"{at}/objections", {"key": key, "reason": "Wrong amount"})
    objection = Objection.objects.get()
    assert (objection.player.name, objection.reason) == ("bob", "Wrong amount")
    again = html(bob.get(at))
    assert "<b>bob</b> disputes this hand: Wrong amount" in again
    assert "Withdraw dispute" in again
    assert "Another reason" not in again


def test_objection_is_shown_to_all_members(hand: Hand) -> None:
    objection_of(hand)
    page = html(member(hand.night.league, Role.VIEWER).get(f"/hands/{hand.pk}"))
    assert "<b>bob</b> disputes this hand: Wrong winner" in page
    for action in ("Keep the hand", "Withdraw dispute", "Another reason"):
        assert action not in page


def test_members_without_a_seat_cannot_object(hand: Hand, host: Client) -> None:
    viewer = member(hand.night.league, Role.VIEWER)
    for client in (host, viewer):
        answer = client.post(f"/hands/{hand.pk}/objections", {"reason": "Wrong winner"})
        assert answer.status_code == 403
    assert not Objection.objects.exists()


def test_refused_objection_is_explained(hand: Hand, bob: Client) -> None:
    answer = bob.post(f"/hands/{hand.pk}/objections", {"reason": " "}, follow=True)
    assert "This must not be empty." in html(answer)


def test_host_lets_the_hand_stand(hand: Hand, host: Client, bob: Client) -> None:
    objection = objection_of(hand)
    at = f"/objections/{objection.pk}/answer"
    assert bob.post(at, {"answer": "stands"}).status_code == 403
    page = html(host.post(at, {"answer": "stands", "text": "ann showed"}, follow=True))
    assert "Hand kept" in page
    assert "ann showed" in page
    assert ObjectionAnswer.objects.get().kind == Kind.STANDS


def test_author_withdraws_the_objection(hand: Hand, host: Client, bob: Client) -> None:
    at = f"/objections/{objection_of(hand).pk}/answer"
    assert host.post(at, {"answer": "withdrawn"}).status_code == 403
    page = html(bob.post(at, {"answer": "withdrawn"}, follow=True))
    assert "Withdrawn" in page
    assert "Another reason" in page


def test_correction_through_the_objection_answers_it(hand: Hand, host: Client) -> None:
    objection = objection_of(hand)
    form = host.get(f"/hands/{hand.pk}/record?objection={objection.pk}")
    assert "Your correction answers bob's dispute: Wrong winner" in html(form)
    fields = {
        "key": str(uuid4()),
        "variant": "texas-holdem",
        "button": "1",
        "depth": "result",
        "players/0/name": "ann",
        "players/0/paid": "10",
        "players/1/name": "bob",
        "players/1/paid": "10",
        "winner": "1",
        "objection": str(objection.pk),
    }
    host.post(f"/hands/{hand.pk}/record", fields)
    answer = ObjectionAnswer.objects.get()
    assert (answer.kind, answer.revision and answer.revision.number) == (Kind.CORRECTED, 2)
    assert "corrected in version 2" in html(host.get(f"/hands/{hand.pk}"))


def test_objection_to_an_already_corrected_hand_can_be_resolved(hand: Hand, host: Client) -> None:
    objection = objection_of(hand)
    assert "Already corrected" not in html(host.get(f"/hands/{hand.pk}"))
    host.post(f"/hands/{hand.pk}/void", {"reason": "dealt twice"})
    assert "Already corrected" in html(host.get(f"/hands/{hand.pk}"))
    host.post(f"/objections/{objection.pk}/answer", {"answer": "corrected"})
    assert ObjectionAnswer.objects.get().kind == Kind.CORRECTED


def test_closing_page_links_to_open_objections(hand: Hand, host: Client) -> None:
    for name in ("bob", "cat"):
        objection_of(hand, name)
    page = html(host.get(f"/nights/{hand.night.pk}/close"))
    assert "2 open disputes" in page
    assert f'href="/hands/{hand.pk}#objections"' in page
    assert "cat disputes hand 1: Wrong winner" in page


def test_closed_night_shows_objections_that_were_open(hand: Hand, host: Client) -> None:
    objection = objection_of(hand)
    at = f"/nights/{hand.night.pk}"
    assert "bob disputes hand 1: Wrong winner" in html(host.get(at))
    closed(hand.night)
    assert "Open disputes at the close" in html(host.get(at))
    host.post(f"/objections/{objection.pk}/answer", {"answer": "stands"})
    assert "answered after closing" in html(host.get(at))
    receipt = html(host.get(f"{at}/receipt"))
    assert "bob disputes hand 1: Wrong winner" in receipt
    assert "Kept" in receipt


def test_host_sees_objections_to_hands_of_closed_nights(hand: Hand, host: Client) -> None:
    """Only the hand's own page showed them, so hosts never noticed."""
    closed(hand.night)
    objection = objection_of(hand)
    league = hand.night.league
    for at in (f"/leagues/{league.pk}", f"/leagues/{league.pk}/tonight"):
        page = html(host.get(at))
        assert "Night 1 ·" in page
        assert "bob disputes hand 1: Wrong winner" in page
        other = html(member(league, Role.SCOREKEEPER).get(at))
        assert "bob disputes hand 1" not in other
    at = f"/nights/{hand.night.pk}"
    assert html(host.get(at)).count("bob disputes hand 1: Wrong winner") == 1
    host.post(f"/objections/{objection.pk}/answer", {"answer": "stands"})
    for page_at in (at, f"/leagues/{league.pk}", f"/leagues/{league.pk}/tonight"):
        assert "bob disputes hand 1" not in html(host.get(page_at))
