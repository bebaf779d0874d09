"""Counting one hand at a time always leads to the same rows as a rebuild."""

from random import Random
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from league.demo.full_season import demo_league, open_demo_night, play
from league.models import Hand, HandFact, League, NightTally, StaleMark
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats import count, luck
from ledger.sql import execute
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, qualifiers
from tests.helpers.league.stats_rows import count_all, rows, sum_of

pytestmark = pytest.mark.django_db


def evening(hands: int = 30, seed: int = 3) -> League:
    host = a_user()
    league = demo_league(host)
    for _ in play(open_demo_night(league, hands), hands, seed=seed, by=host):
        pass
    return league


def rebuilt(league: League) -> dict[str, object]:
    count.rebuild(league.pk)
    return rows(league)


def test_incremental_counts_match_a_rebuild_in_every_column() -> None:
    league = evening()
    while count.count_marked(league.pk, most=3):
        pass
    counted = rows(league)
    assert counted == rebuilt(league)
    assert len(counted["facts"]) == Hand.objects.count()


def test_winnings_match_losses_apart_from_carried_chips() -> None:
    league = evening()
    count_all(league)
    carried = sum_of("league_dealertally", "carried") - sum_of("league_dealertally", "carry")
    for table in ("player", "call", "seat", "night"):
        assert sum_of(f"league_{table}tally", "net") == carried == 0
    assert sum_of("league_playertally", "moved") == 0


def test_hand_changed_twice_is_counted_once_and_loses_both_marks() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    void_hand(hand, by=None)
    assert count.count_marked(night.league.pk, most=1) == 2
    assert not StaleMark.objects.exists()
    assert HandFact.objects.count() == 1


def test_task_planned_before_a_rollback_runs_after_it() -> None:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    with transaction.atomic():
        count.count_marked(night.league.pk)
        transaction.set_rollback(True)
    assert not HandFact.objects.exists()
    count.count_marked(night.league.pk)
    assert rows(night.league) == rebuilt(night.league)


def test_voiding_a_hand_removes_it_from_the_totals() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    count_all(night.league)
    assert NightTally.objects.count() == 2
    void_hand(hand, by=None)
    count_all(night.league)
    assert not NightTally.objects.exists()
    fact = HandFact.objects.get()
    assert (fact.voided, fact.revised, fact.results.count()) == (True, 2, 2)


def test_corrected_hand_is_stored_after_all_hands_counted_earlier() -> None:
    """A client that continues after the last row it read misses nothing."""
    night = a_night()
    hands = [record_hand(night, uuid4(), holdem(), by=None).hand for _ in range(3)]
    count_all(night.league)
    seen = max(HandFact.objects.values_list("pk", flat=True))
    revise_hand(hands[0], uuid4(), holdem(button=0), by=None)
    count_all(night.league)
    assert list(HandFact.objects.filter(pk__gt=seen).values_list("hand", flat=True)) == [
        hands[0].pk
    ]


class Deliveries(TestCase):
    """Records, corrections and voids, with their messages in any order, repeated or lost."""

    @settings(max_examples=examples(25))
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["record", "carry", "revise", "void", "again", "lose", "count"]),
                st.integers(0, 9),
            ),
            min_size=1,
            max_size=14,
        )
    )
    def test_any_order_of_actions_and_messages_has_the_same_stats_as_a_rebuild(
        self, deeds: list[tuple[str, int]]
    ) -> None:
        night = a_night(a_league())
        league = night.league
        lost: list[StaleMark] = []
        for deed, number in deeds:
            _do(night, deed, number, lost)
        for mark in lost:  # the sweep finds hands whose message was lost
            mark.save(force_insert=True)
        count_all(league)
        counted = rows(league)
        assert counted == rebuilt(league)
        dealt = sum_of("league_dealertally", "carried") - sum_of("league_dealertally", "carry")
        assert sum_of("league_nighttally", "net") == dealt


def _do(night, deed: str, number: int, lost: list[StaleMark]) -> None:  # type: ignore[no-untyped-def]
    hands = list(Hand.objects.filter(night=night).order_by("number"))
    hand = hands[number % len(hands)] if hands else None
    button = {"button": number % 2}
    if deed == "record":
        record_hand(night, uuid4(), holdem(**button), by=None)
    elif deed == "carry":
        record_hand(night, uuid4(), qualifiers(**button), by=None)
    elif hand and deed == "revise":
        revise_hand(hand, uuid4(), holdem(**button), by=None)
    elif hand and deed == "void":
        void_hand(hand, by=None)
    elif hand and deed == "again":
        StaleMark.objects.create(
            league=night.league, hand=hand, revision=hand.revisions.get(current=True)
        )
    elif deed == "lose":
        if mark := StaleMark.objects.order_by("-pk").first():
            mark.delete()
            lost.append(mark)
    else:
        count.count_marked(night.league.pk, most=1 + number)


# The nightly check


def test_checking_correct_counts_finds_nothing() -> None:
    league = evening()
    assert count.check_league(league.pk, chance=Random(1)) == []
    assert rows(league) == rebuilt(league)


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE league_result SET net = net + 1 WHERE position = 0",
        "UPDATE league_nighttally SET net = net + 1",
        "UPDATE league_handfact SET best = 1",
        "UPDATE league_seattally SET net = net + 1",
        "UPDATE league_calltally SET hands = hands + 1",
        "UPDATE league_dealertally SET carry = carry + 1",
        "UPDATE league_flowtally SET chips = chips + 1",
        "DELETE FROM league_declaretally",
        "UPDATE league_lucktally SET expected = expected + 1",
    ],
)
def test_checking_wrong_counts_reports_and_fixes_them(spoil: str) -> None:
    league = evening(12)
    count_all(league)
    luck.find_luck(league.pk, deals=10)
    right = rows(league)
    execute(spoil)
    assert count.check_league(league.pk)
    assert rows(league) == right
    assert count.check_league(league.pk) == []
