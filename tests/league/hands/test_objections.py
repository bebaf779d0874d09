"""Objections to hands: who may object, how they are resolved, and which are shown after closing."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from league.audit_log import logged_actions
from league.closing.close import current_closing
from league.closing.receipts import as_csv, receipt
from league.common.errors import IdReusedError, RefusedError
from league.hands.objections import (
    Kind,
    answer_objection,
    object_to,
    open_at,
    open_objections,
)
from league.integrity.audit import audit
from league.models import Hand, Night, Notice, Objection, ObjectionAnswer, PushSubscription, Role
from league.people.joining import claim_player
from league.people.leagues import add_member, add_player
from league.recording.corrections import revise_hand, void_hand
from tests.helpers.league.leagues import a_night, a_user, holdem, player
from tests.helpers.league.nights import closed, dealt

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def hand(night: Night) -> Hand:
    return dealt(night)


def objection_of(hand: Hand, name: str = "bob", reason: str = "Wrong winner") -> Objection:
    return object_to(hand, player(hand.night, name), reason, objection_id=uuid4(), by=None)


def test_repeated_objection_is_stored_once(hand: Hand) -> None:
    key, bob = uuid4(), player(hand.night, "bob")
    for reason in ("Wrong winner", " Wrong  winner "):
        object_to(hand, bob, reason, objection_id=key, by=None)
    assert Objection.objects.count() == 1
    with pytest.raises(IdReusedError):
        object_to(hand, bob, "Wrong amount", objection_id=key, by=None)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, "a\0b", "\u202eabc"])
def test_objection_without_a_valid_reason_is_refused(reason: str, hand: Hand) -> None:
    with pytest.raises(RefusedError):
        objection_of(hand, reason=reason)


def test_player_can_have_only_one_open_objection_to_a_hand(hand: Hand) -> None:
    first = objection_of(hand)
    objection_of(hand, "ann")
    with pytest.raises(RefusedError, match="already disputes this hand"):
        objection_of(hand)
    answer_objection(first, Kind.WITHDRAWN, by=None)
    objection_of(hand)
    assert open_objections(hand.night).count() == 2


def test_player_without_a_seat_cannot_object(hand: Hand) -> None:
    add_player(hand.night.league, "eve")
    with pytest.raises(RefusedError, match="no seat"):
        objection_of(hand, "eve")


def test_number_of_objections_of_a_player_is_limited(hand: Hand) -> None:
    """docs/threats.md: 50 per player and night."""
    for _ in range(50):
        answer_objection(objection_of(hand), Kind.WITHDRAWN, by=None)
    with pytest.raises(RefusedError, match="at most 50 objections"):
        objection_of(hand)


def test_objection_has_one_answer(hand: Hand) -> None:
    objection = objection_of(hand)
    first = answer_objection(objection, Kind.STANDS, "I saw it", by=None)
    assert answer_objection(objection, Kind.STANDS, "I saw it", by=None) == first
    with pytest.raises(RefusedError, match="already answered"):
        answer_objection(objection, Kind.WITHDRAWN, by=None)


def test_correction_of_the_hand_answers_the_objection(hand: Hand) -> None:
    objection = objection_of(hand)
    revised = revise_hand(hand, uuid4(), holdem(button=0), by=None, objection=objection)
    answer = ObjectionAnswer.objects.get()
    assert (answer.kind, answer.revision) == (Kind.CORRECTED, revised.revision)


def test_correction_without_a_link_leaves_the_objection_open(hand: Hand) -> None:
    objection = objection_of(hand)
    with pytest.raises(RefusedError, match="correct the hand first"):
        answer_objection(objection, Kind.CORRECTED, by=None)
    voiding = void_hand(hand, by=None)
    assert list(open_objections(hand.night)) == [objection]
    assert answer_objection(objection, Kind.CORRECTED, by=None).revision == voiding


@pytest.mark.parametrize("statement", ["UPDATE {} SET made_at = NULL", "DELETE FROM {}"])
@pytest.mark.parametrize("table", ["league_objection", "league_objectionanswer"])
def test_database_refuses_to_change_an_objection(table: str, statement: str, hand: Hand) -> None:
    answer_objection(objection_of(hand), Kind.STANDS, by=None)
    with (
        pytest.raises(DatabaseError, match="is kept as it was"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


def test_objections_before_and_after_the_closing_are_sealed(hand: Hand) -> None:
    early, answered = objection_of(hand), objection_of(hand, "ann")
    answer_objection(answered, Kind.STANDS, by=None)
    closed(hand.night)
    hand.night.refresh_from_db()
    answer_objection(early, Kind.STANDS, by=None)
    late = objection_of(hand, "cat")
    assert audit(hand.night.league) == []
    assert list(open_at(current_closing(hand.night))) == [early]
    revise_hand(hand, uuid4(), holdem(button=0), by=None, objection=late)
    assert audit(hand.night.league) == []
    assert list(open_at(current_closing(hand.night))) == []


def test_receipt_lists_objections_with_their_answers(hand: Hand) -> None:
    answer_objection(objection_of(hand), Kind.STANDS, "ann showed", by=None)
    objection_of(hand, "cat", "Wrong amount")
    closed(hand.night)
    made = receipt(hand.night)
    assert made is not None
    sheet = as_csv(made)
    assert "1,bob,Wrong winner,stands,ann showed" in sheet
    assert "1,cat,Wrong amount,open," in sheet


def test_log_includes_objections_and_answers(hand: Hand) -> None:
    bob, host = a_user("bob"), a_user("host")
    objection = object_to(
        hand, player(hand.night, "bob"), "Wrong winner", objection_id=uuid4(), by=bob
    )
    answer_objection(objection, Kind.STANDS, "ann showed", by=host)
    actions = [
        (each.kind, each.by, each.about["reason"])
        for each in logged_actions(hand.night.league)
        if "objection" in each.kind or each.kind == "hand-objected"
    ]
    assert actions == [
        ("objection-stands", host, "ann showed"),
        ("hand-objected", bob, "Wrong winner"),
    ]


def test_hosts_and_the_author_are_notified(hand: Hand) -> None:
    league = hand.night.league
    host, other, user = league.created_by, a_user("other"), a_user("bob")
    add_member(league, other, Role.HOST)
    bob = player(hand.night, "bob")
    claim_player(league, bob, user=user, role=Role.PLAYER)
    bob.refresh_from_db()
    for each in (host, other, user):
        address = {"address": "", "address_hash": str(each.pk), "session_key": "s"}
        PushSubscription.objects.create(user=each, **address)
    objection = object_to(hand, bob, "Wrong winner", objection_id=uuid4(), by=user)
    answer_objection(objection, Kind.STANDS, "ann showed", by=host)
    notices = {(each.user, each.title, each.body) for each in Notice.objects.all()}
    assert notices == {
        (host, "Hand 1 is disputed", "bob: Wrong winner"),
        (other, "Hand 1 is disputed", "bob: Wrong winner"),
        (user, "Your dispute of hand 1", "The hand was kept as recorded. ann showed"),
    }
