"""Phones may send the name that a player had before a host renamed the player (0101)."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.closing.close import reopen_night
from league.common.errors import IdReusedError, RefusedError
from league.hands.validation import settled_again_if_renamed
from league.models import ConflictingRecord, Night, Revision
from league.nights.nights import seat, seat_guest, stacks
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.privacy.renaming import rename_player
from league.recording.conflicts import accept_conflict
from league.recording.corrections import revise_hand
from league.recording.record import SentHand, check, record_batch, record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import again, closed, dealt

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


def rename(night: Night, old: str, new: str) -> None:
    rename_player(player(night, old), new, by=None)


def with_carry_for_ann() -> dict[str, Any]:
    """Return a hand with names in several places of the record."""
    pots = [{"amount": 0, "for": ["ann", "bob"]}]
    return holdem(took={"ann": 20}, carried=pots, about={"note": "ann bluffed"})


def names(revision: Revision) -> list[str]:
    return [each["name"] for each in revision.record["players"]]


def refusal(error: pytest.ExceptionInfo[RefusedError]) -> list[str]:
    return [each["code"] for each in error.value.errors]


def test_hand_with_a_former_name_is_stored_with_the_current_name(night: Night) -> None:
    rename(night, "ann", "Anna")
    assert check(night, holdem()).answer["net"] == {"Anna": 10, "bob": -10}
    revision = record_hand(night, uuid4(), with_carry_for_ann(), by=None).revision
    assert names(revision) == ["Anna", "bob"]
    assert revision.record["took"] == {"Anna": 20}
    assert revision.record["about"] == {"note": "Anna bluffed"}
    assert revision.answer["net"] == {"Anna": 10, "bob": -10}
    assert "ann" not in {*revision.names, *revision.record["carried"][0]["for"]}
    assert stacks(night)[player(night, "Anna").pk] == 110


def test_hand_with_an_older_name_counts_for_a_player_renamed_twice(night: Night) -> None:
    rename(night, "ann", "Anna")
    rename(night, "Anna", "Annie")
    for name in ("ann", "Anna", "Annie"):
        record = holdem()
        record["players"][0]["name"] = name
        assert names(record_hand(night, uuid4(), record, by=None).revision) == ["Annie", "bob"]


def test_hand_sent_again_after_a_renaming_is_recorded_once(night: Night) -> None:
    key, record = uuid4(), with_carry_for_ann()
    record_hand(night, key, record, by=None)
    rename(night, "ann", "Anna")
    assert not record_hand(night, key, record, by=None).created
    assert not record_batch(night, [SentHand(hand_id=key, record=record)], by=None)[0].created
    with pytest.raises(IdReusedError):
        record_hand(night, key, holdem(), by=None)


def test_part_of_another_name_in_a_comment_is_not_replaced(night: Night) -> None:
    """Otherwise, a hand sent again would differ from the stored one and count twice."""
    add_player(night.league, "ann Smith")
    key, record = uuid4(), holdem(about={"note": "ann Smith dealt for ann"})
    record_hand(night, key, record, by=None)
    rename(night, "ann", "Zoe")
    assert not record_hand(night, key, record, by=None).created
    revision = record_hand(night, uuid4(), record, by=None).revision
    assert revision.record["about"] == {"note": "ann Smith dealt for Zoe"}


def test_batch_and_correction_accept_former_names(night: Night) -> None:
    hand, correction = dealt(night), uuid4()
    rename(night, "ann", "Anna")
    [recorded] = record_batch(night, [SentHand(hand_id=uuid4(), record=holdem())], by=None)
    assert names(recorded.revision) == ["Anna", "bob"]
    record = holdem(took={"ann": 20})
    for created in (True, False):
        revised = revise_hand(hand, correction, record, by=None)
        assert (names(revised.revision), revised.created) == (["Anna", "bob"], created)


def test_player_renamed_after_a_hand_was_settled_gets_the_current_name(night: Night) -> None:
    """Settling runs before the lock on the night, for which a renaming waits as well."""
    settled = check(night, holdem())
    rename(night, "ann", "Anna")
    [verdict] = settled_again_if_renamed(night, [settled])
    assert verdict.answer["net"] == {"Anna": 10, "bob": -10}
    assert verdict.names["Anna"] == settled.names["ann"]


def test_second_phone_with_the_former_name_recorded_the_same_hand(night: Night) -> None:
    """One phone reloaded its page after the renaming, the other did not."""
    dealt(night)
    rename(night, "ann", "Anna")
    phone = ClientContext(origin="second", seen=0, number=1)
    assert record_hand(night, uuid4(), holdem(), by=None, context=phone).outcome == "merged"
    other = holdem()
    other["players"][0]["paid"] = other["players"][1]["paid"] = 15
    phone = ClientContext(origin="third", seen=0, number=1)
    recorded = record_hand(night, uuid4(), other, by=None, context=phone)
    assert recorded.outcome == ConflictingRecord.State.WAITING
    assert recorded.conflict
    revision = accept_conflict(recorded.conflict, by=None)
    assert revision
    assert revision.answer["net"] == {"Anna": 15, "bob": -15}


def test_former_and_current_name_of_one_player_in_a_hand_are_refused(night: Night) -> None:
    rename(night, "bob", "Robert")
    record = holdem()
    record["players"][0]["name"] = "Robert"
    with pytest.raises(RefusedError) as refused:
        record_hand(night, uuid4(), record, by=None)
    assert "name-twice" in refusal(refused)


# Another player with the former name


@pytest.mark.parametrize("name", ["bob", "BOB"])
def test_no_player_takes_a_former_name_in_an_open_night(night: Night, name: str) -> None:
    rename(night, "bob", "Robert")
    for take in (
        lambda: add_player(night.league, name),
        lambda: seat_guest(night, uuid4(), name),
        lambda: rename(night, "cat", name),
    ):
        with pytest.raises(RefusedError) as refused:
            take()
        assert refusal(refused) == ["name-twice"]
        assert (
            "Robert was called bob in a night that is still open" in refused.value.errors[0]["text"]
        )
    rename(night, "Robert", name)  # the player gets the name back
    assert add_player(night.league, "Robert 2")


def test_former_name_is_free_for_others_after_the_night(night: Night) -> None:
    """In the closed night, the name still doesn't mean the other player."""
    rename(night, "bob", "Robert")
    dealt(night, check(night, holdem()).record)
    closed(night)
    newcomer = add_player(night.league, "bob")
    reopen_night(Night.objects.get(pk=night.pk), by=None)
    night = again(night)
    with pytest.raises(RefusedError) as refused:
        record_hand(night, uuid4(), holdem(), by=None)
    assert refusal(refused) == ["unknown-player"]
    with pytest.raises(RefusedError) as refused:
        seat(night, newcomer)
    assert refusal(refused) == ["name-twice"]


def test_former_name_has_no_seat_in_a_later_night(night: Night) -> None:
    rename(night, "ann", "Anna")
    later = open_night(night.league)
    for name in ("Anna", "bob"):
        seat(later, player(night, name))
    with pytest.raises(RefusedError) as refused:
        record_hand(later, uuid4(), holdem(), by=None)
    assert refusal(refused) == ["unknown-player"]


def test_number_of_former_names_is_limited(night: Night) -> None:
    for number in range(20):
        rename(night, "ann" if number == 0 else f"ann {number}", f"ann {number + 1}")
    with pytest.raises(RefusedError) as refused:
        rename(night, "ann 20", "Anna")
    assert refusal(refused) == ["too-many"]
    rename(night, "ann 20", "ann")


def test_page_drawn_before_the_renaming_saves_its_hand(client: Client, night: Night) -> None:
    assert night.league.created_by
    client.force_login(night.league.created_by)
    rename(night, "ann", "Anna")
    fields = {
        "key": str(uuid4()),
        "variant": "texas-holdem",
        "button": "1",
        "all_paid": "10",
        "board/0": "2h 7d 9s Jd Qc",
        "players/0/name": "ann",
        "players/0/down": "Ac Ad",
        "players/1/name": "bob",
        "players/1/down": "Kc Kd",
    }
    page = client.post(reverse("check", args=[night.pk]), fields).content.decode()
    assert "Anna wins" in page
    assert client.post(reverse("record", args=[night.pk]), fields).status_code == 302
    assert names(Revision.objects.get()) == ["Anna", "bob"]
