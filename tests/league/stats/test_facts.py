"""Statistics for single hands, calculated manually."""

import json
from typing import Any

import pytest

from league.models import HandFact
from league.stats.facts import Facts, RecordedHand, ResultRow, facts, flows, flows_by_pot
from rules import settle
from rules.documents.game_lookup import game_of
from tests.helpers.league.leagues import holdem, qualifiers
from tests.helpers.league.records import OMAHA, PUT_AND_TAKE


def of(record: dict[str, Any], *, voided: bool = False) -> Facts:
    answer = settle(record)
    assert "errors" not in answer, answer
    return facts(
        RecordedHand(
            league="l",
            season="s",
            night="n",
            hand="h",
            revision="r",
            number=1,
            revised=1,
            played_at="2026-11-21 20:00",
            voided=voided,
            verified=record.get("depth") != "result",
            record=record,
            answer=answer,
            names={each["name"]: each["name"] for each in record["players"]},
            game=record["variant"],
            rules=lambda: game_of(record).game,
        )
    )


def by_name(found: Facts) -> dict[str, ResultRow]:
    return {each.player: each for each in found.results}


def test_seats_are_ordered_from_the_dealer() -> None:
    assert [each.player for each in of(OMAHA).results] == ["cat", "dan", "ann", "bob"]
    assert of(OMAHA).hand.dealer == "cat"


def test_nets_follow_the_rules_rather_than_the_tables_payouts() -> None:
    found = by_name(of(OMAHA))
    assert {name: (each.put, each.won, each.net) for name, each in found.items()} == {
        "ann": (40, 77, 37),
        "bob": (15, 28, 13),
        "cat": (40, 0, -40),
        "dan": (10, 0, -10),
    }


def test_chips_that_the_table_paid_wrongly_count_as_a_mistake() -> None:
    """Ann took 52 of her 77 and cat took 25 instead of nothing, so 25 chips were paid wrongly."""
    hand_facts = of(OMAHA)
    assert (hand_facts.hand.mistaken, hand_facts.hand.moved) == (True, 25)
    assert {result.player: result.moved for result in hand_facts.results if result.moved} == {
        "cat": 25,
        "ann": -25,
    }


def test_declaration_is_right_if_it_wins_chips() -> None:
    found = by_name(of(OMAHA))
    assert {name: (each.declared, each.was_right) for name, each in found.items()} == {
        "ann": ("low", True),
        "bob": ("high", True),
        "cat": ("both", False),
        "dan": ("", None),
    }


def test_high_and_low_count_only_for_players_who_contested_them() -> None:
    results = by_name(of(OMAHA))
    assert {name: (result.won_high, result.won_low) for name, result in results.items()} == {
        "ann": (None, True),
        "bob": (True, None),
        "cat": (False, False),
        "dan": (None, None),
    }
    assert [result.player for result in results.values() if result.showdown] == [
        "cat",
        "ann",
        "bob",
    ]


def test_pot_split_by_two_players_is_not_a_scoop() -> None:
    hand_facts = of(OMAHA)
    assert hand_facts.hand.scoop == 0
    assert [result.scooped for result in hand_facts.results] == [False, None, False, False]


def test_player_who_alone_wins_high_and_low_scoops() -> None:
    """Ann has a wheel. Five high is the best low, and the straight beats bob's kings."""
    hand_facts = of(
        {
            "variant": "omaha-8",
            "button": 0,
            "players": [
                {"name": "ann", "paid": 10, "down": ["As", "2d", "9c", "9h"]},
                {"name": "bob", "paid": 10, "down": ["Ks", "Kd", "Qc", "Jh"]},
            ],
            "board": [["3c", "4h", "5d", "Ts", "Td"]],
        }
    )
    assert hand_facts.hand.scoop == 20
    assert [result.scooped for result in hand_facts.results] == [True, False]


def test_pot_with_one_share_cannot_be_scooped() -> None:
    assert [each.scooped for each in of(holdem()).results] == [None, None]


def test_carried_pot_belongs_to_no_player() -> None:
    hand_facts = of(qualifiers())
    assert (hand_facts.hand.pot, hand_facts.hand.carried, hand_facts.hand.carry) == (20, 0, 20)
    assert [result.net for result in hand_facts.results] == [-10, -10]
    assert hand_facts.hand.flows == "[]"


def test_best_hand_and_best_losing_hand_have_a_strength() -> None:
    """Aces beat kings, both pairs on the board's 2-7-9-J-Q: category 1, then A-Q-J-9, K-Q-J-9."""
    hand_facts = of(holdem())
    assert hand_facts.hand.best == 0x1ECB90
    assert hand_facts.hand.beat == 0x1DCB90


def test_player_who_wins_the_low_takes_no_bad_beat() -> None:
    """Ann's kings lose the high to bob's aces, but she has the only low. Cat's queens lose."""
    hand_facts = of(
        {
            "variant": "omaha-8",
            "button": 0,
            "players": [
                {"name": "ann", "paid": 10, "down": ["Ks", "Kd", "2d", "3c"]},
                {"name": "bob", "paid": 10, "down": ["As", "Ad", "9h", "9d"]},
                {"name": "cat", "paid": 10, "down": ["Qs", "Qd", "Jh", "Jd"]},
            ],
            "board": [["4h", "5s", "8d", "Th", "Tc"]],
        }
    )
    queens = of(
        holdem(
            players=[
                {"name": "bob", "paid": 10, "down": ["As", "Ad"]},
                {"name": "cat", "paid": 10, "down": ["Qs", "Qd"]},
            ],
            board=[["4h", "5s", "8d", "Th", "Tc"]],
        )
    )
    assert hand_facts.hand.beat == queens.hand.beat


def test_hand_recorded_as_a_result_counts_only_its_chips() -> None:
    players = [{"name": name, "paid": 10} for name in ("ann", "bob", "cat")]
    result_record = {"variant": "nightmare", "button": 0, "depth": "result", "players": players}
    hand_facts = of(result_record | {"took": {"cat": 30}})
    assert not hand_facts.hand.verified
    assert [(result.player, result.net, result.showdown) for result in hand_facts.results] == [
        ("ann", -10, False),
        ("bob", -10, False),
        ("cat", 20, False),
    ]
    assert json.loads(hand_facts.hand.flows) == [[0, 2, 10], [1, 2, 10]]


def test_voided_hand_is_not_counted() -> None:
    hand_facts = of(holdem(), voided=True)
    assert hand_facts.hand.pot == 0
    assert [(result.player, result.net, result.put) for result in hand_facts.results] == [
        ("bob", 0, 0),
        ("ann", 0, 0),
    ]


def test_put_and_take_dealer_is_the_bank() -> None:
    """Bob's ace costs him one chip and ann's ace pays one. Ann is the bank and covers nothing."""
    hand_facts = of(PUT_AND_TAKE)
    assert sum(result.net for result in hand_facts.results) == 0
    assert [(result.player, result.net) for result in hand_facts.results] == [
        ("ann", 1),
        ("bob", -1),
    ]
    assert not hand_facts.hand.showdown


def test_luck_is_calculated_later_if_a_board_can_be_redealt() -> None:
    assert of(holdem()).hand.luck == HandFact.Luck.WAITS
    assert of(OMAHA).hand.luck == HandFact.Luck.WAITS
    folded = holdem(
        players=[{"name": "ann", "paid": 10}, {"name": "bob", "paid": 5, "folded": True}]
    )
    assert of(folded | {"board": []}).hand.luck == HandFact.Luck.NONE


# Flows from losers to winners


@pytest.mark.parametrize(
    ("stakes", "won", "expected"),
    [
        # 22 and 8 of 30 are about 7 and 3 of every ten, excluding returned chips
        ([10, 10, 10], [22, 8, 0], [(1, 0, 4), (2, 0, 8), (2, 1, 2)]),
        ([10, 10], [20, 0], [(1, 0, 10)]),
        ([10, 10], [10, 10], []),
        ([7, 5, 3], [0, 0, 15], [(0, 2, 7), (1, 2, 5)]),
    ],
)
def test_losers_stake_goes_to_the_winners_in_proportion(
    stakes: list[int], won: list[int], expected: list[tuple[int, int, int]]
) -> None:
    moves = flows(stakes, won, 0, 0)
    for player, chips in enumerate(won):
        gained = sum(n for _, winner, n in moves if winner == player)
        lost = sum(n for loser, _, n in moves if loser == player)
        assert gained - lost == chips - stakes[player]
    assert moves == expected


def test_side_pots_are_divided_separately() -> None:
    """Ann is all in for 10 and wins 30. Bob wins the side pot of 20 from cat alone."""
    pots = [
        {"amount": 30, "for": ["a", "b", "c"], "shares": [{"winners": {"a": 30}}]},
        {"amount": 20, "for": ["b", "c"], "shares": [{"winners": {"b": 20}}]},
    ]
    flows = flows_by_pot([10, 20, 20], pots, {"a": 0, "b": 1, "c": 2})
    assert flows == [(1, 0, 10), (2, 0, 10), (2, 1, 10)]
