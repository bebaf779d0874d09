"""A card that ends the deal for all players, so that cards are dealt again (docs/games.md, `kill`).

The rules follow Wikibooks' Black Mariah: the money stays in the pot, and folded players stay out.
"""

from typing import Any

import pytest

from rules.api import settle
from rules.documents import documents

Record = dict[str, Any]


def game(killer: str, **words: Any) -> Record:
    told = {"name": "Ended", "players": [2, 6], "deal": ["1 down 2 up"], "hand": ["3 own"]}
    return told | {"shares": ["high"], "kill": [killer], **words}


def dealt(variant: Record, *, queen: str = "up", **keys: Any) -> Record:
    """Return the answer to a deal with four players.

    The players are Ann, Bob (all in for 4), Cat (queen of spades) and Dan (folded).
    """
    cat = {"up": ["Qs", "9h"], "down": ["9c"]}
    cat = cat if queen == "up" else {"up": ["9h", "9c"], "down": ["Qs"]}
    players = [
        {"name": "ann", "paid": 10, "down": ["2c"], "up": ["3c", "5d"]},
        {"name": "bob", "paid": 4, "all_in": True, "down": ["2d"], "up": ["3d", "6d"]},
        {"name": "cat", "paid": 10, **cat},
        {"name": "dan", "paid": 1, "folded": True},
    ]
    return settle({"variant": variant, "button": 0, "players": players, **keys})


def test_pot_of_an_ended_deal_carries_over_for_all_players() -> None:
    answer = dealt(game("Qs up for all"))
    assert answer["carries"] == [{"amount": 25, "for": ["ann", "bob", "cat", "dan"]}]
    assert set(answer["won"].values()) == {0}
    assert answer["story"] == [
        "cat was dealt the queen of spades up, which ends the deal for all.",
        "The pot is not won: 25 chips stay for the next hand.",
    ]
    assert answer["findings"] == []


def test_pot_is_carried_for_active_players_and_side_pot_for_those_who_paid() -> None:
    answer = dealt(game("Qs up for all in"))
    assert answer["carries"] == [
        {"amount": 13, "for": ["ann", "bob", "cat"]},
        {"amount": 12, "for": ["ann", "cat"]},
    ]
    assert set(answer["won"].values()) == {0}


def test_deal_ending_card_in_the_hole_does_not_end_the_deal() -> None:
    assert dealt(game("Qs up for all"), queen="down")["won"]["cat"] == 25


def test_ended_deal_can_lack_cards_that_were_not_dealt() -> None:
    players = [
        {"name": "ann", "paid": 2, "down": ["2c"], "up": ["Qs"]},
        {"name": "bob", "paid": 2, "down": ["2d"]},
    ]
    answer = settle({"variant": game("Qs up for all"), "button": 0, "players": players})
    assert answer["carry"] == 4


def test_match_continues_with_the_same_dealer_after_an_ended_deal() -> None:
    answer = dealt(game("Qs up for all in", match=["until empty", "same dealer"]))
    following = answer["match"]["next"]
    assert following["button"] == 0
    assert [pot["amount"] for pot in following["carried"]] == [13, 12]


def test_ended_deal_costs_no_life_and_earns_no_leg() -> None:
    lives = dealt(game("Qs up for all", match=["lives 2", "life from worst"]))
    assert set(lives["match"]["lives"].values()) == {2}
    legs = dealt(game("Qs up for all", match=["until 2 legs", "leg for alone", "leg for best"]))
    assert set(legs["match"]["legs"].values()) == {0}
    assert lives["carry"] == legs["carry"] == 25


def test_losers_pay_no_dues_for_an_ended_deal() -> None:
    told = dealt(game("Qs up for all", dues=["losers match pot"]))
    assert told["paid"] == {"ann": 10, "bob": 4, "cat": 10, "dan": 1}


def test_game_can_have_a_killer_card_and_a_deal_ending_card() -> None:
    both = game("Qs up for all") | {"kill": ["Qs up for all", "6d up"]}
    assert dealt(both)["carry"] == 25
    assert dealt(both, queen="down")["won"] == {"ann": 0, "bob": 0, "cat": 25, "dan": 0}


@pytest.mark.parametrize("killer", ["Qs for all", "Qs down for all", "rank of a for all"])
def test_only_a_face_up_card_ends_the_deal(killer: str) -> None:
    words = {"board": ["a"], "deal": ["1 down 2 up", "board a"]}
    assert [problem.where for problem in documents.check(game(killer, **words))] == ["kill/0"]


def test_killer_card_is_refused_in_a_game_against_a_bank() -> None:
    bank = {"name": "Bank", "players": [2, 6], "deal": ["2 up", "board a"], "board": ["a"]}
    bank |= {"dues": ["put 1 row 1", "bank dealer"]}
    assert documents.check(bank) == []
    assert [problem.where for problem in documents.check(bank | {"kill": ["Kh up"]})] == ["kill"]


# --- other words ----------------------------------------------------------------------------------


def test_slot_rank_kills_only_face_up_cards() -> None:
    words = {"board": ["a"], "deal": ["1 down 2 up", "board a"]}
    for queen, cat in (("up", 0), ("down", 25)):
        answer = dealt(game("rank of a up", **words), queen=queen, board=[["Qd"]])
        assert answer["won"]["cat"] == cat


def test_set_step_with_any_uses_both_down_and_up_cards() -> None:
    """mixedgamespoker.info, Cowpie: seven stud cards are set as hands of five and two cards."""
    cowpie = {"name": "Cowpie", "players": [2, 7], "deal": ["3 down 4 up", "set big 5 small 2 any"],
              "shares": ["five: high of 5 big", "two: high of 2 small"]}  # fmt: skip
    assert documents.check(cowpie) == []
    refused = documents.check(cowpie | {"deal": ["3 down 4 up", "set big 5 small 2"]})
    assert [problem.where for problem in refused] == ["deal"]
    more = documents.check(cowpie | {"deal": ["3 down 3 up", "set big 5 small 2 any"]})
    assert [problem.where for problem in more] == ["deal"]


def test_unseen_own_cards_count_as_down_cards() -> None:
    """pokerrules.net: players who can't see their own cards play differently.

    The same hand wins.
    """
    seen = {"name": "Blind", "players": [2, 6], "deal": ["2 down"], "hand": ["2 down"]}
    unseen = seen | {"deal": ["2 unseen"]}
    players = [{"name": "ann", "paid": 1, "down": ["2c", "2d"]},
               {"name": "bob", "paid": 1, "down": ["Ac", "Kd"]}]  # fmt: skip
    winnings = [
        settle({"variant": one | {"shares": ["high"]}, "button": 0, "players": players})["won"]
        for one in (seen, unseen)
    ]
    assert winnings == [{"ann": 2, "bob": 0}] * 2
