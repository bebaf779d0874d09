"""Records from several phones: equal hands are merged, and different ones wait for the host."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.models import ConflictingRecord, Hand, Night, Revision
from league.nights.nights import stacks
from league.recording.conflicts import accept_conflict, keep_hand, separate_conflict
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext, Recorded
from ledger.models import Posting
from tests.helpers.laws.examples import examples
from tests.helpers.league.books import total
from tests.helpers.league.leagues import a_night, a_user, holdem, player, qualifiers
from tests.helpers.league.nights import again, closed

pytestmark = pytest.mark.django_db
State = ConflictingRecord.State


def phone_record(
    night: Night, record: object, origin: str, *, key: UUID | None = None, **knew: Any
) -> Recorded:
    """Record the first hand by default, as the phone with this name sends it."""
    at = timezone.now() - knew.pop("ago", timedelta())
    known = ClientContext(origin=origin, **{"seen": 0, "number": 1, **knew})
    return record_hand(night, key or uuid4(), record, by=None, made_at=at, context=known)


def result(winner: str = "ann", game: str = "nightmare", **changes: Any) -> dict[str, Any]:
    """Return a hand recorded without cards."""
    players = [{"name": name, "paid": 10} for name in ("ann", "bob", "cat")]
    record = {"variant": game, "button": 0, "depth": "result", "players": players}
    return record | {"took": {winner: 30}} | changes


def hands(night: Night) -> int:
    return night.hands.count()


def chips(night: Night) -> dict[str, int]:
    held = stacks(night)
    return {name: held[player(night, name).pk] for name in ("ann", "bob", "cat", "dan")}


def other_order() -> dict[str, Any]:
    """Return the `holdem` hand as a different person would enter it."""
    bob, ann = holdem()["players"][::-1]
    players = [bob | {"down": ["KD", "kc"]}, ann | {"down": ["ad", "AC"], "folded": False}]
    return holdem(players=players, button=0, board=[["Qc", "Jd", "9s", "7D", "2H"]], modifiers=[])


def run_twice(record: dict[str, Any], *boards: str) -> dict[str, Any]:
    """Return a hand with the whole board dealt twice."""
    runs = [{"board": [board.split()]} for board in boards]
    return {key: value for key, value in record.items() if key != "board"} | {"runs": runs}


# Merged records


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (holdem(), other_order()),
        (result(), result()),
        (
            run_twice(holdem(), "2h 7d 9s Jd Qc", "3h 4d 8s Jh Qd"),
            run_twice(other_order(), "QC JD 9s 7d 2h", "3h 4d 8s JH QD"),
        ),
    ],
)
def test_identical_records_from_two_phones_become_one_hand(one: Any, other: Any) -> None:
    night = a_night()
    first, second = phone_record(night, one, "a"), phone_record(night, other, "b")
    assert second.conflict
    assert second.conflict.state == State.MERGED
    assert (second.created, second.hand, second.revision) == (False, first.hand, first.revision)
    assert hands(night) == 1


def test_second_phone_repeating_its_record_gets_the_recorded_hand() -> None:
    night, key = a_night(), uuid4()
    first = phone_record(night, holdem(), "a")
    for _ in range(2):
        assert phone_record(night, holdem(), "b", key=key).hand == first.hand
    assert record_hand(night, key, holdem(), by=None).hand == first.hand
    assert ConflictingRecord.objects.count() == 1
    with pytest.raises(IdReusedError):
        phone_record(night, holdem(carried=3), "b", key=key)


def test_late_hand_is_still_merged_after_closing() -> None:
    night = a_night()
    first = phone_record(night, holdem(), "a")
    closed(night)
    assert phone_record(again(night), holdem(), "b").hand == first.hand
    with pytest.raises(NightClosedError):
        phone_record(again(night), qualifiers(), "b")


def test_record_identical_to_a_corrected_hand_is_merged() -> None:
    night, host = a_night(), a_user()
    phone_record(night, result("ann"), "a")
    conflict = phone_record(night, result("bob"), "b").conflict
    assert conflict
    accept_conflict(conflict, by=host)
    late = phone_record(night, result("ann"), "c").conflict
    assert late
    assert late.state == State.MERGED
    assert chips(night)["bob"] == 120


def test_identical_results_an_hour_apart_are_never_merged_automatically() -> None:
    """A dealer may repeat a game. Without cards only the time distinguishes the two deals."""
    night = a_night()
    phone_record(night, result(), "a", ago=timedelta(hours=1))
    late = phone_record(night, result(), "b")
    assert late.conflict
    assert late.conflict.state == State.WAITING


# A result-only record and a showdown


def bare(ann: int = 20) -> dict[str, Any]:
    """Return the `holdem` hand without its cards, with separate blinds."""
    players = [{"name": "ann", "paid": 10}, {"name": "bob", "paid": 10}]
    took = {"ann": ann, "bob": 20 - ann}
    return holdem(players=players, board=[], depth="result", took=took)


def test_showdown_replaces_a_consistent_result() -> None:
    night = a_night()
    first = phone_record(night, bare(), "a")
    for _ in range(2):
        key = phone_record(night, holdem(), "b", key=UUID(int=7))
        assert key.conflict
        assert (key.outcome, key.hand, key.revision.depth) == ("taken", first.hand, "showdown")
    revisions = Revision.objects.filter(hand=first.hand).order_by("number")
    assert [each.depth for each in revisions] == ["result", "showdown"]
    assert chips(night) == {"ann": 110, "bob": 90, "cat": 100, "dan": 100}


def test_result_is_merged_with_a_consistent_showdown() -> None:
    night = a_night()
    phone_record(night, holdem(), "a")
    assert phone_record(night, bare(), "b").outcome == "merged"
    assert Revision.objects.get().depth == "showdown"


@pytest.mark.parametrize(
    ("result_told", "changes"),
    [(bare(ann=15), {}), (bare(), {"variant": "limit-holdem"}), (bare(), {"button": 0})],
)
def test_host_decides_if_the_money_or_the_game_differs(result_told: Any, changes: Any) -> None:
    night = a_night()
    phone_record(night, result_told, "a")
    assert phone_record(night, holdem(**changes), "b").outcome == "waiting"
    assert Revision.objects.count() == 1


def test_showdown_does_not_override_a_hosts_correction() -> None:
    night = a_night()
    hand = phone_record(night, bare(), "a").hand
    revise_hand(hand, uuid4(), bare(ann=15), by=None)
    assert phone_record(night, holdem(), "b").outcome == "waiting"


# Different hands


@pytest.mark.parametrize(
    ("other", "knew"),
    [
        (result(), {"seen": 1, "number": 2}),  # the phone had already seen the first hand
        (result(game="cluster", button=1, took={"cat": 30}), {}),
        (holdem(board=[["3h", "8d", "Ts", "Jc", "Qs"]], players=[
            {"name": "ann", "paid": 10, "down": ["5c", "5d"]},
            {"name": "bob", "paid": 10, "down": ["6c", "6d"]},
        ]), {}),
        (result(button=1), {"number": 3}),  # a number that no hand has
    ],
)  # fmt: skip
def test_record_of_a_different_deal_becomes_a_new_hand(other: Any, knew: Any) -> None:
    night = a_night()
    phone_record(night, holdem() if "board" in other else result(), "a")
    assert phone_record(night, other, "b", **knew).created
    assert hands(night) == 2


def test_phone_never_conflicts_with_itself() -> None:
    night = a_night()
    for number in range(1, 6):
        assert phone_record(night, result(), "a", number=number).created
    assert hands(night) == 5


def test_hands_in_one_outbox_never_conflict_after_signing_in_again() -> None:
    """The session ended between two hands. The phone reports which hands came before."""
    night, keys = a_night(), [uuid4() for _ in range(3)]
    phone_record(night, result(), "b")
    sent = []
    for place, key in enumerate(keys):
        knew = {"number": place + 1, "after": frozenset(keys[:place])}
        sent.append(phone_record(night, result(), f"a{place}", key=key, **knew).created)
    assert sent == [False, True, True]


def test_each_hand_matches_one_record_per_phone() -> None:
    """Five identical hands were recorded offline. Another phone recorded the first of them."""
    night = a_night()
    phone_record(night, result(), "a")
    sent = [phone_record(night, result(), "b", number=number) for number in range(1, 6)]
    assert [each.created for each in sent] == [False, True, True, True, True]


def test_offline_hands_match_even_if_their_guessed_numbers_are_wrong() -> None:
    """The first phone recorded hands one to three.

    The second phone missed hand one and guessed numbers.
    """
    night, games = a_night(), ("nightmare", "cluster", "middlemost")
    for place, game in enumerate(games):
        phone_record(night, result(game=game, button=place), "a", seen=place, number=place + 1)
    for place, game in enumerate(games[1:], start=1):
        assert not phone_record(night, result(game=game, button=place), "b", number=place).created
    assert hands(night) == 3
    assert set(ConflictingRecord.objects.values_list("state", flat=True)) == {State.MERGED}


def test_voided_hand_can_be_recorded_again() -> None:
    night = a_night()
    void_hand(phone_record(night, result(), "a").hand, by=None)
    assert phone_record(night, result(), "b").created


def test_record_without_hand_numbers_becomes_a_new_hand() -> None:
    night = a_night()
    phone_record(night, holdem(), "a")
    assert record_hand(night, uuid4(), holdem(), by=None).created


# The host's decisions


def test_conflicting_records_wait_without_moving_chips() -> None:
    night = a_night()
    first, second = phone_record(night, result("ann"), "a"), phone_record(night, result("bob"), "b")
    assert second.conflict
    assert second.conflict.state == State.WAITING
    assert second.revision == first.revision
    assert chips(night) == {"ann": 120, "bob": 90, "cat": 90, "dan": 100}


def a_conflict(night: Night) -> ConflictingRecord:
    phone_record(night, result("ann"), "a")
    conflict = phone_record(night, result("bob"), "b").conflict
    assert conflict
    return conflict


def test_host_can_keep_the_recorded_hand() -> None:
    night = a_night()
    conflict = a_conflict(night)
    keep_hand(conflict.hand, by=a_user())
    assert ConflictingRecord.objects.get().state == State.DECLINED
    assert accept_conflict(conflict, by=None) is None
    assert chips(night)["ann"] == 120


def test_conflicting_record_can_be_accepted_once() -> None:
    night, host = a_night(), a_user()
    conflict = a_conflict(night)
    agrees = phone_record(night, result("bob"), "c").conflict
    third = phone_record(night, result("cat"), "d").conflict
    assert agrees
    assert third
    for _ in range(2):
        accept_conflict(conflict, by=host)
    states = dict(ConflictingRecord.objects.values_list("pk", "state"))
    assert states == {conflict.pk: "taken", agrees.pk: "merged", third.pk: "refused"}
    assert chips(night) == {"ann": 90, "bob": 120, "cat": 90, "dan": 100}
    assert Revision.objects.count() == 2


def test_host_can_keep_both_records() -> None:
    night = a_night()
    conflict = a_conflict(night)
    for _ in range(2):
        separate_conflict(conflict, by=None)
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2]
    assert chips(night) == {"ann": 110, "bob": 110, "cat": 80, "dan": 100}
    assert phone_record(night, result("bob"), "b", key=conflict.pk).hand == Hand.objects.get(
        pk=conflict.pk
    )


def test_night_closes_only_after_conflicts_are_resolved() -> None:
    """The result of the hand changes the payments."""
    night = a_night()
    conflict = a_conflict(night)
    with pytest.raises(RefusedError) as refused:
        closed(night)
    assert [(error["code"], error["where"]) for error in refused.value.errors] == [
        ("recorded-twice", "hands/1")
    ]
    keep_hand(conflict.hand, by=None)
    assert again(closed(night).night).state == Night.State.CLOSED


def test_conflict_that_arrives_after_closing_can_be_resolved() -> None:
    night = a_night()
    phone_record(night, result("ann"), "a")
    closed(night)
    conflict = phone_record(night, result("bob"), "b").conflict
    assert conflict
    assert again(night).state == Night.State.CLOSED
    accept_conflict(ConflictingRecord.objects.get(pk=conflict.pk), by=None)
    assert again(night).state == Night.State.CLOSED
    assert total(night.league.book) == 0


# Random records


@st.composite
def sendings(draw: st.DrawFn) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Draw two phones' records for up to four deals, with guessed numbers and times."""
    sent = []
    for phone in "ab":
        for place in range(draw(st.integers(0, 4))):
            game, winner = (
                draw(st.sampled_from(["nightmare", "cluster"])),
                draw(st.sampled_from(["ann", "bob"])),
            )
            record = draw(st.sampled_from([result(winner, game, button=place % 3), holdem()]))
            seen = draw(st.integers(0, place))
            minutes = draw(st.sampled_from([0, 5, 60]))
            knew = {"seen": seen, "number": place + 1, "ago": timedelta(minutes=minutes)}
            sent.append((phone, record, knew))
    return draw(st.permutations(sent))


@settings(max_examples=examples(40))
@given(sent=sendings(), data=st.data())
def test_no_hand_is_lost_and_nothing_is_posted_twice(sent: Any, data: st.DataObject) -> None:
    """This holds for any order of records and any decisions by the host."""
    night = a_night()
    keys = [uuid4() for _ in sent]
    for key, (phone, record, knew) in [*zip(keys, sent, strict=True)] * 2:
        phone_record(night, record, phone, key=key, **knew)
    made = set(Hand.objects.filter(night=night).values_list("pk", flat=True))
    beside = set(ConflictingRecord.objects.filter(night=night).values_list("pk", flat=True))
    assert made | beside == set(keys)
    assert not made & beside
    by_phone = [
        (each.hand_id, each.origin) for each in ConflictingRecord.objects.filter(night=night)
    ]
    assert len(by_phone) == len(set(by_phone))
    for conflict in ConflictingRecord.objects.filter(night=night, state=State.WAITING):
        pick = data.draw(st.sampled_from([accept_conflict, separate_conflict]))
        pick(conflict, by=None)
    assert not ConflictingRecord.objects.filter(night=night, state=State.WAITING).exists()
    moving = Posting.objects.filter(book=night.league.book, key__startswith="hand:")
    assert moving.count() == Revision.objects.filter(hand__night=night).count()
    assert total(night.league.book) == 0
    assert sum(stacks(night).values()) == 400


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("other", "state"), [("ann", State.MERGED), ("bob", State.WAITING)])
def test_one_of_two_concurrent_records_becomes_the_hand(other: str, state: str) -> None:
    """Two phones race for a hand number. One record becomes the hand, and the other conflicts."""
    night = a_night()

    def send(sent: tuple[str, str]) -> bool:
        try:
            return phone_record(Night.objects.get(pk=night.pk), result(sent[1]), sent[0]).created
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as phones:
        created = list(phones.map(send, [("a", "ann"), ("b", other)]))
    assert sorted(created) == [False, True]
    assert hands(night) == 1
    assert ConflictingRecord.objects.get().state == state
    assert sum(stacks(night).values()) == 400
