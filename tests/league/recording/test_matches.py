"""Matches in a night: the state before a deal, and corrections (docs/decisions/0033)."""

from typing import Any
from uuid import uuid4, uuid5

import pytest

from league.common.errors import RefusedError
from league.deals.proposals import usual_options
from league.deals.table import Table
from league.models import Hand, Night, Revision, StaleMark
from league.nights.nights import carry, stacks
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import SentHand, check, record_batch, record_hand
from tests.helpers.league.house_games import a_house_game
from tests.helpers.league.leagues import NAMES, a_night, holdem
from tests.helpers.league.matches import CARDS, LIVES, current, deals_on, drift, guts, match_before
from tests.helpers.league.nights import closed

pytestmark = pytest.mark.django_db


def a_match(night: Night, *stayed: str) -> list[Hand]:
    """Record guts deals for three legs, each with one player who stays in."""
    return [deals_on(night, guts(name)) for name in stayed]


def codes(answer: dict[str, Any]) -> list[str]:
    return [each["code"] for each in answer["findings"]]


# --- the state before a deal ----------------------------------------------------------------------


def test_match_is_identified_by_its_first_hand() -> None:
    night = a_night()
    first, second = a_match(night, "ann", "bob")
    match = current(second).record["match"]
    assert match == {
        "id": str(first.pk),
        "deal": 2,
        "legs": {"ann": 1, "bob": 0, "cat": 0, "dan": 0},
    }
    assert current(second).answer["findings"] == []


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (
            {"deal": 3, "legs": {"ann": 1}},
            "this hand has deal 3, but the previous deal of the match ended with deal 2.",
        ),
        (
            {"deal": 2, "legs": {"ann": 2, "bob": 1}},
            (
                "this hand has ann with 2 legs, bob with 1 leg,"
                " but the previous deal of the match ended with ann with 1 leg, bob with 0 legs."
            ),
        ),
    ],
)
def test_deal_with_a_wrong_state_is_recorded_and_reported(state: dict[str, Any], text: str) -> None:
    night = a_night()
    [first] = a_match(night, "ann")
    record = guts("bob", carried=20, match={"id": str(first.pk), **state})
    recorded = record_hand(night, uuid4(), record, by=None)
    assert recorded.answer["findings"] == [{"code": "match-differs", "text": text}]


def test_deal_with_a_different_pot_is_recorded_with_both_findings() -> None:
    night = a_night()
    [first] = a_match(night, "ann")
    found = {"id": str(first.pk), "deal": 2, "legs": {"ann": 1}}
    recorded = record_hand(night, uuid4(), guts("bob", carried=15, match=found), by=None)
    assert codes(recorded.answer) == ["carry-differs", "match-differs"]


def test_deal_after_the_end_of_its_match_is_recorded_and_reported() -> None:
    night = a_night()
    first, *_ = a_match(night, "ann", "ann", "ann")
    record = guts("bob", match={"id": str(first.pk), "deal": 4})
    assert codes(record_hand(night, uuid4(), record, by=None).answer) == ["match-differs"]


def test_checking_a_hand_gives_the_same_result_as_recording_it() -> None:
    night = a_night()
    [first] = a_match(night, "ann")
    record = guts("bob", carried=20, match={"id": str(first.pk), "deal": 3, "legs": {"ann": 1}})
    assert codes(check(night, record).answer) == ["match-differs"]


def test_deals_sent_together_are_checked_in_sequence() -> None:
    night, first = a_night(), uuid4()
    right = {"id": str(first), "deal": 2, "legs": {"ann": 1}}
    state = {"id": str(first), "deal": 3, "legs": {"ann": 1}}
    sent = [
        SentHand(hand_id=first, record=guts("ann")),
        SentHand(hand_id=uuid4(), record=guts("bob", carried=20, match=right)),
        SentHand(hand_id=uuid4(), record=guts("cat", carried=40, match=state)),
    ]
    recorded = record_batch(night, sent, by=None)
    assert [codes(each.answer) for each in recorded] == [[], [], ["match-differs"]]


def test_match_from_another_night_is_ignored() -> None:
    other = a_night()
    [first] = a_match(other, "ann")
    found = {"id": str(first.pk), "deal": 7, "legs": {"bob": 2}}
    recorded = record_hand(a_night(), uuid4(), guts("cat", match=found), by=None)
    assert recorded.answer["findings"] == []


def test_player_who_sits_out_keeps_their_legs() -> None:
    night = a_night()
    first, _ = a_match(night, "ann", "bob")
    players = [each for each in guts("bob")["players"] if each["name"] != "ann"]
    found = {"id": str(first.pk), "deal": 3, "legs": {"bob": 1}}
    record = guts(players=players, carried=40, match=found)
    assert record_hand(night, uuid4(), record, by=None).answer["findings"] == []
    assert (match := Table(night).match)
    assert match.next_deal_fields(NAMES)["match"]["legs"] == {
        "ann": 1,
        "bob": 2,
        "cat": 0,
        "dan": 0,
    }


def test_different_game_ends_the_running_match() -> None:
    night = a_night()
    a_match(night, "ann")
    assert Table(night).match
    record_hand(night, uuid4(), holdem(carried=20), by=None)
    assert Table(night).match is None


# --- corrections in the middle --------------------------------------------------------------------


def test_correction_resettles_the_rest_of_the_match() -> None:
    night = a_night()
    first, second, third = a_match(night, "ann", "bob", "ann")
    revision_id = uuid4()
    revise_hand(first, revision_id, guts("bob", paid=10), by=None)
    later = [current(second), current(third)]
    assert [revision.record["match"]["legs"]["bob"] for revision in later] == [1, 2]
    assert [revision.record["carried"] for revision in later] == [40, 60]
    assert [revision.answer["findings"] for revision in later] == [[], []]
    assert [revision.pk for revision in later] == [
        uuid5(revision_id, str(hand.pk)) for hand in (second, third)
    ]
    assert {revision.reason for revision in later} == {"deal 1 of the match was corrected"}
    assert carry(night) == 80
    assert drift(night) == 0


def test_each_resettled_deal_marks_its_stats_as_stale() -> None:
    night = a_night()
    _, second, _ = a_match(night, "ann", "bob", "cat")
    StaleMark.objects.all().delete()
    revise_hand(second, uuid4(), guts("ann", **match_before(second)), by=None)
    numbers = StaleMark.objects.values_list("hand__number", flat=True)
    assert sorted(numbers) == [2, 3]


def test_deals_whose_state_did_not_change_are_not_resettled() -> None:
    night = a_night()
    first, second = a_match(night, "ann", "bob")
    revise_hand(first, uuid4(), guts("ann", button=1), by=None)
    assert second.revisions.count() == 1


def test_repeating_a_correction_does_not_resettle_the_deals() -> None:
    night = a_night()
    first, second = a_match(night, "ann", "bob")
    revision_id = uuid4()
    for _ in range(2):
        revise_hand(first, revision_id, guts("bob"), by=None)
    assert (first.revisions.count(), second.revisions.count()) == (2, 2)


def test_deal_after_a_voided_deal_takes_over_its_place_in_the_match() -> None:
    night = a_night()
    _, second, third = a_match(night, "ann", "bob", "cat")
    void_hand(second, by=None)
    match = current(third).record["match"]
    assert (match["deal"], match["legs"]["bob"], current(third).record["carried"]) == (2, 0, 20)
    assert current(third).reason == "deal 2 of the match was undone"
    assert carry(night) == 40


def test_deal_after_a_voided_first_deal_takes_over_its_initial_state() -> None:
    night = a_night()
    first, second = a_match(night, "ann", "bob")
    void_hand(first, by=None)
    record = current(second).record
    assert (record["match"]["deal"], record["match"]["legs"]["ann"]) == (1, 0)
    assert (record["match"]["id"], "carried" in record) == (str(first.pk), False)


def test_restored_deal_rejoins_the_match() -> None:
    night = a_night()
    first, second = a_match(night, "ann", "bob")
    before = current(second).record
    void_hand(first, by=None)
    revise_hand(first, uuid4(), guts("ann"), by=None)
    assert current(second).record == before


def test_later_deal_takes_over_the_place_of_a_hand_that_left_the_match() -> None:
    night = a_night()
    first, second = a_match(night, "ann", "bob")
    revise_hand(first, uuid4(), holdem(), by=None)
    assert current(second).record["match"]["deal"] == 1


def test_correction_that_ends_the_match_before_its_last_deal_is_refused() -> None:
    night = a_night()
    hands = a_match(night, "ann", "ann", "bob", "cat")
    stood = stacks(night)
    with pytest.raises(RefusedError) as refused:
        revise_hand(hands[2], uuid4(), guts("ann", **match_before(hands[2])), by=None)
    assert refused.value.errors == [
        {
            "where": "match",
            "code": "match-broken",
            "text": (
                "deal 4 of this match (hand 4) can't be settled then: the match is over before it."
            ),
        }
    ]
    assert stacks(night) == stood
    assert Revision.objects.filter(hand__night=night).count() == 4


def lives(game: str, worst: str, **keys: Any) -> dict[str, Any]:
    """Return a Two Lives deal in which this player has the worst hand."""
    left = keys.get("match", {}).get("lives", {})
    cards = CARDS | {worst: ["2s", "3d"]}
    players = [
        {"name": name} | ({"down": cards[name]} if left.get(name) != 0 else {"folded": True})
        for name in NAMES
    ]
    return {"variant": game, "button": 0, "players": players} | keys


def deal_lives(night: Night, game: str, *worst: str) -> list[Hand]:
    hands = []
    for name in worst:
        match = Table(night).match
        record = lives(game, name, **(match.next_deal_fields(NAMES) if match else {}))
        hands.append(record_hand(night, uuid4(), record, by=None).hand)
    return hands


def test_correction_that_leaves_a_later_player_without_a_life_is_refused() -> None:
    night = a_night()
    game = a_house_game(night, LIVES).slug
    dealt = deal_lives(night, game, "dan", "cat", "bob", "dan")
    wrong = lives(game, "dan", **match_before(dealt[1]))
    assert check(night, wrong, instead_of=dealt[1]).errors
    with pytest.raises(RefusedError) as refused:
        revise_hand(dealt[1], uuid4(), wrong, by=None)
    [error] = refused.value.errors
    assert error["code"] == "match-broken"
    assert error["text"].startswith("deal 3 of this match (hand 3) can't be settled then: ")
    assert current(dealt[1]).number == 1


def test_rest_of_a_match_on_a_closed_night_is_resettled_and_closed_once() -> None:
    night = a_night()
    first, _, third = a_match(night, "ann", "bob", "cat")
    closed(night, ann=100, bob=100, cat=100, dan=100)
    revise_hand(first, uuid4(), guts("bob"), by=None)
    assert current(third).number == 2
    assert night.closings.count() == 2


def test_usual_options_come_from_the_first_deal_of_a_match() -> None:
    """In 3-5-7 each deal of a match changes the round, so a new match starts with round 3."""
    night = a_night()
    three_five_seven(night)
    assert usual_options(night, "3-5-7") == {"round": "3", "legs": "3"}


def three_five_seven(night: Night) -> list[Hand]:
    """Record two deals of 3-5-7."""
    cards = {"ann": "As Ad 4c 6d 8h".split(), "bob": "Ks Kd 9c Jd Th".split()}
    dealt = []
    for count, round_ in ((3, "3"), (5, "5")):
        players = [{"name": name, "paid": 5, "down": down[:count]} for name, down in cards.items()]
        record = {"variant": "3-5-7", "button": 0, "players": players}
        dealt.append(deals_on(night, record | {"options": {"round": round_, "legs": "3"}}))
    return dealt


def test_usual_options_do_not_come_from_the_deal_after_an_undone_one() -> None:
    night = a_night()
    first, second = three_five_seven(night)
    void_hand(first, by=None)
    assert current(second).record["match"]["deal"] == 1
    assert usual_options(night, "3-5-7") == {}
