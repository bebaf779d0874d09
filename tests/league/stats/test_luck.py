"""Luck is the chips won at a showdown minus the hand's expected chips."""

from fractions import Fraction
from itertools import combinations
from uuid import uuid4

import pytest

from league.models import HandFact
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats import count, luck
from league.stats.figures import players
from league.stats.scopes import of_all_time
from rules import settle, settle_many
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.stats_rows import count_all, rows

pytestmark = pytest.mark.django_db


def test_sampled_share_is_close_to_the_share_across_all_boards() -> None:
    """Aces against kings with two suits in common win about 82 of 100 boards (81.9 %).

    There are too many boards to deal them all, so a random sample is compared with this value.
    """
    record = holdem()
    shares = luck.expectations(record, settle(record), deals=4000, seed="a")
    won, expected, variance = shares["ann"]
    assert won == 20
    assert 1000 * 20 * 0.80 < expected < 1000 * 20 * 0.84
    # a share p of a pot of 20 has a variance of 400 p (1 - p)
    share = Fraction(expected, 20_000)
    assert variance == pytest.approx(400_000 * float(share * (1 - share)), rel=0.05)
    assert sum(each[1] for each in shares.values()) == 20_000


def test_boards_are_equally_likely_when_few_cards_are_left() -> None:
    """With all but six cards discarded there are six boards. The sample approaches their mean."""
    record = holdem()
    held = {"Ac", "Ad", "Kc", "Kd"}
    left = ["2h", "7d", "9s", "Jd", "Qc", "Ks"]
    thrown = [r + s for r in "23456789TJQKA" for s in "dchs" if r + s not in {*held, *left}]
    record["players"][1]["out"] = thrown
    exact = settle_many(record | {"board": [list(b)]} for b in combinations(left, 5))
    mean = sum(each["won"]["ann"] for each in exact) / 6
    found = luck.expectations(record, settle(record), deals=2000, seed="b")
    assert found["ann"][1] / 1000 == pytest.approx(mean, abs=1)


def test_running_it_twice_keeps_expectation_and_halves_variance() -> None:
    """Two runs of the whole board have the same mean as one, and about half of its variance."""
    once, twice = holdem(), holdem()
    twice["runs"] = [{"board": twice.pop("board")}, {"board": [["3h", "4d", "8s", "Jh", "Qd"]]}]
    _, expected, variance = luck.expectations(once, settle(once), deals=4000, seed="c")["ann"]
    won, mean, less = luck.expectations(twice, settle(twice), deals=4000, seed="c")["ann"]
    assert won == settle(twice)["won"]["ann"]
    assert mean == pytest.approx(expected, rel=0.02)
    assert less == pytest.approx(variance / 2, rel=0.15)


def test_luck_is_calculated_once_and_removed_with_the_hand() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    count_all(night.league)
    assert luck.leagues_waiting() == [night.league.pk]
    assert luck.find_luck(night.league.pk, deals=50) == 1
    assert luck.find_luck(night.league.pk) == 0
    ann, bob = players.luck(of_all_time(night.league))
    assert (ann.name, ann.won, bob.won) == ("ann", 20, 0)
    assert ann.luck == pytest.approx(-bob.luck)
    assert ann.margin > 0
    counted = rows(night.league)
    count.rebuild(night.league.pk)
    assert rows(night.league) == counted
    revise_hand(hand, uuid4(), holdem(button=0), by=None)
    count_all(night.league)
    assert players.luck(of_all_time(night.league)) == []
    assert HandFact.objects.get().luck == HandFact.Luck.WAITS
