"""The all-in adjusted result, with manually calculated expected values.

Trackers define it as the equity of all active players once betting is over, times each pot
(docs/decisions/0056-stories.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from rules.api import all_in, final_record, settle
from rules.history import all_ins
from rules.history.all_ins import AllIn
from tests.helpers.laws.histories import history
from tests.helpers.rules.hands import record

STAKES = {"blinds": [1, 2], "min": 2}
DEAL = ["d dh p1 AsAh", "d dh p2 KdKc"]
FLOP = [*DEAL, "p2 cbr 10", "p1 cc", "d db Qs9d4c"]


def all_in_record(*actions: str, stacks: Sequence[int] = (100, 100)) -> dict[str, Any]:
    return record("no-limit-holdem", list(stacks), list(actions), stakes=STAKES)


def expected(result: AllIn | None) -> dict[str, int]:
    assert result is not None
    assert result.expected is not None
    return dict(result.expected)


def test_all_in_after_the_turn_has_two_outs_in_44_cards() -> None:
    """Aces play against kings for 200, and Ann wins on 42 of 44 rivers."""
    turn = ("p1 cc", "p2 cc", "d db 5h", "p1 cbr 90", "p2 cc")
    chips = expected(all_in(all_in_record(*FLOP, *turn, "d db Kh")))
    assert chips == {"ann": round(200_000 * 42 / 44), "bob": round(200_000 * 2 / 44)}


def test_all_in_after_the_flop_deals_every_pair_of_cards() -> None:
    """Bob wins on 99 of the 990 boards from 45 cards.

    87 boards have a king (990 minus the 903 of 43 other cards), but 4 of these also have an ace. On
    16 boards a jack and a ten make a straight to the king.
    """
    chips = expected(all_in(all_in_record(*FLOP, "p1 cbr 90", "p2 cc", "d db 5h", "d db Kh")))
    assert chips == {"ann": 200_000 * 891 // 990, "bob": 200_000 * 99 // 990}


def test_each_side_pot_has_a_separate_expectation() -> None:
    """Cat is all in for 30 with a set of queens, and 42 rivers are left.

    Main pot of 90: two aces win for Ann, two kings for Bob, the other 38 cards for Cat. Side pot of
    140: two kings win for Bob, the other 40 cards for Ann.
    """
    result = all_in(
        all_in_record(
            *("d dh p1 AsAh", "d dh p2 KdKc", "d dh p3 QhQd", "p3 cbr 30", "p1 cc", "p2 cc"),
            *("d db Qs9d4c", "p1 cc", "p2 cc", "d db 5h", "p1 cbr 70", "p2 cc", "d db 2s"),
            stacks=(100, 100, 30),
        )
    )
    assert expected(result) == {
        "ann": round((90 * 2 + 140 * 40) / 42 * 1000),
        "bob": round((90 * 2 + 140 * 2) / 42 * 1000),
        "cat": round(90 * 38 / 42 * 1000),
    }


def test_known_cards_of_a_folded_player_cannot_be_dealt() -> None:
    """A king was folded face up, so Bob wins on one of 42 rivers."""
    result = all_in(
        all_in_record(
            *("d dh p1 AsAh", "d dh p2 KdKc", "d dh p3 Kh2d", "p3 f", "p1 cbr 10", "p2 cc"),
            *("d db Qs9d4c", "p1 cc", "p2 cc", "d db 5h", "p1 cbr 90", "p2 cc", "d db 2s"),
            stacks=(100, 100, 100),
        )
    )
    assert expected(result)["bob"] == round(200_000 / 42)


ONE_BOARD = ("d db Qs9d4c", "d db 5h", "d db Kh")
TWO_BOARDS = ("d db Qs9d4c8h8d2d", "d db 5h5d", "d db Kh3s")


@pytest.mark.parametrize(
    ("variant", "options", "board"),
    [
        ("double-board-holdem", {}, TWO_BOARDS),
        ("no-limit-holdem", {"odd_chip": "high card"}, ONE_BOARD),
    ],
    ids=["two boards from the start", "odd chips by the cards"],
)
def test_too_many_boards_are_refused_before_settling_any(
    variant: str, options: Mapping[str, str], board: Sequence[str]
) -> None:
    """Two boards have about a million million deals, one board 1,712,304: too many to settle."""

    def settled(records: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        raise AssertionError

    actions = [*DEAL, "p2 cbr 100", "p1 cc", *board]
    hand = record(variant, [100, 100], actions, stakes=STAKES, options=dict(options))
    assert all_ins.all_in(hand, settled) == AllIn(None)
    assert all_in(hand) == AllIn(None)


@pytest.mark.parametrize(
    "ending",
    [
        ("p1 cbr 90", "p2 f"),
        ("p1 cc", "p2 cc", "d db 5h", "p1 cc", "p2 cc", "d db Kh", "p1 cc", "p2 cc"),
        ("p1 cc", "p2 cc", "d db 5h", "p1 cc", "p2 cc", "d db Kh", "p1 cbr 90", "p2 cc"),
    ],
    ids=["nobody called", "chips were left", "the last card was out"],
)
def test_hand_without_an_all_in_before_the_last_card_has_no_expectation(
    ending: Sequence[str],
) -> None:
    assert all_in(all_in_record(*FLOP, *ending)) is None


def test_unseen_cards_have_no_expectation() -> None:
    hand = all_in_record(
        "d dh p1 AsAh", "d dh p2 ????", *FLOP[2:], "p1 cbr 90", "p2 cc", "d db 5h", "d db Kh"
    )
    assert all_in(hand) is None


def test_all_in_before_a_draw_has_no_expected_result() -> None:
    """Players choose what to draw, so the result does not depend only on chance."""
    for seed in range(40):
        assert all_in(history(Random(seed), "five-card-draw")) is None


@pytest.mark.parametrize(
    "slug", ["no-limit-holdem", "pot-limit-omaha", "limit-omaha-8", "double-board-omaha"]
)
@pytest.mark.parametrize("hands", [12, pytest.param(200, marks=pytest.mark.scheduled)])
def test_expected_results_add_up_to_the_pot(slug: str, hands: int) -> None:
    """Checked for random hands to a thousandth per player. No expectation exceeds the pot."""
    reckoned = 0
    for seed in range(hands):
        hand = history(Random(f"{slug} {seed}"), slug)
        result = all_in(hand)
        if result is None or result.expected is None:
            continue
        reckoned += 1
        end, _ = final_record(hand)
        pot = sum(settle(end)["won"].values())
        sums = result.expected.values()
        assert abs(sum(sums) - 1000 * pot) <= len(result.expected)
        assert all(0 <= each <= 1000 * pot for each in sums)
    assert reckoned
