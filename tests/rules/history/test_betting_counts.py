"""Betting counts as in trackers, with manually calculated expected values.

The definitions are in docs/decisions/0054-trackers.md. VPIP excludes walks. 3Bet counts the chances
to raise a raiser. WTSD counts flops seen. AF is bets and raises divided by calls after the flop.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from rules.api import final_record, final_record_and_betting
from rules.history.betting_counts import BettingCounts
from tests.helpers.laws.histories import history
from tests.helpers.rules.hands import record

STAKES = {"blinds": [1, 2], "min": 2}
DEAL = ["d dh p1 AsAh", "d dh p2 KdKc", "d dh p3 7h2d"]


def betting_of(hand: dict[str, Any]) -> list[BettingCounts] | None:
    end, counted = final_record_and_betting(hand)
    assert end == final_record(hand)[0]
    return counted


def counts(*actions: str, stacks: Sequence[int] = (100, 100, 100)) -> list[BettingCounts]:
    """Return the counts for Ann (small blind), Bob (big blind) and Cat (dealer)."""
    hand = record("no-limit-holdem", list(stacks), [*DEAL, *actions], stakes=STAKES)
    counted = betting_of(hand)
    assert counted is not None
    return counted


def test_raise_three_bet_and_call_before_the_flop_are_counted() -> None:
    """Cat raises to 6, Ann to 18, Bob folds and Cat calls.

    After the flop Ann and Cat each bet once and call once.
    """
    ann, bob, cat = counts(
        *("p3 cbr 6", "p1 cbr 18", "p2 f", "p3 cc", "d db Qs9d4c"),
        *("p1 cbr 10", "p3 cc", "d db 5h", "p1 cc", "p3 cbr 20", "p1 cc", "d db Jc"),
        *("p1 cc", "p3 cc"),
    )
    assert ann == BettingCounts(True, True, True, saw_second=True, stayed=True, bets=1, calls=1)
    assert bob == BettingCounts(False, False, None)
    assert cat == BettingCounts(True, True, None, saw_second=True, stayed=True, bets=1, calls=1)


def test_checked_blind_does_not_count_as_voluntary() -> None:
    ann, bob, cat = counts("p3 f", "p1 cc", "p2 cc", "d db Qs9d4c", "p1 cbr 2", "p2 f")
    assert (ann.entered, ann.raised, ann.three_bet) == (True, False, None)
    assert (bob.entered, bob.raised, bob.saw_second, bob.stayed) == (False, False, True, False)
    assert (cat.entered, cat.saw_second) == (False, False)


def test_big_blind_has_no_counts_if_everyone_else_folds() -> None:
    ann, bob, cat = counts("p3 f", "p1 f")
    assert bob == BettingCounts(None, None, None)
    assert ann.entered is cat.entered is False


def test_player_facing_one_raise_has_a_chance_to_three_bet() -> None:
    ann, bob, cat = counts("p3 cbr 6", "p1 cc", "p2 cbr 20", "p3 f", "p1 f")
    assert (ann.three_bet, bob.three_bet, cat.three_bet) == (False, True, None)
    assert not bob.saw_second


def test_player_all_in_before_the_flop_counts_as_seeing_flop_and_showdown() -> None:
    board = ("d db Qs9d4c", "d db 5h", "d db Jc")
    ann, bob, cat = counts("p3 cbr 100", "p1 cc", "p2 f", *board)
    assert (ann.saw_second, ann.stayed, ann.bets, ann.calls) == (True, True, 0, 0)
    assert (cat.raised, cat.stayed, bob.stayed) == (True, True, False)


def test_three_bet_without_blinds_requires_a_raise() -> None:
    """A bring-in is not a bet. Completing it is the first bet, and raising that is the second."""
    stakes = {"ante": 1, "bring_in": 1, "small": 4, "big": 8}
    deal = ["d dh p1 AcAd5h", "d dh p2 ????2c", "d dh p3 KcKd9h"]
    play = ["p2 pb", "p3 cbr 4", "p1 cbr 8", "p2 f", "p3 cbr 12", "p1 f"]
    hand = record("seven-card-stud", [100] * 3, [*deal, *play], stakes=stakes)
    players = betting_of(hand)
    assert players is not None
    assert [each.three_bet for each in players] == [None, False, True]
    assert [each.entered for each in players] == [True, False, True]


@pytest.mark.parametrize("slug", ["no-limit-holdem", "razz", "five-card-draw", "limit-omaha-8"])
def test_betting_counts_are_consistent_for_any_hand(slug: str) -> None:
    for seed in range(60):
        hand: dict[str, Any] = history(Random(seed), slug)
        players = betting_of(hand)
        if players is None:
            continue
        for player in players:
            assert not player.three_bet or player.raised
            assert not player.raised or player.entered
            assert not player.stayed or player.saw_second
            assert player.saw_second or not (player.bets or player.calls)
        assert sum(player.stayed for player in players) != 1


def test_record_without_bets_has_no_counts() -> None:
    assert betting_of({"variant": "no-limit-holdem", "players": []}) is None
    assert betting_of(record("no-limit-holdem", [9, 9], [])) is None
