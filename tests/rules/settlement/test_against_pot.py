"""Bets against the pot, in turn, until the pot is empty (docs/record.md, "Against the pot").

The rules follow Wikipedia's Acey Deucey and bicyclecards.com's Red Dog (High Card Pool).
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.api import settle
from rules.cards import TEXTS
from rules.documents import documents
from rules.presentation.form import form

Record = dict[str, Any]
IN_BETWEEN: Record = {
    "name": "In-Between",
    "players": [2, 10],
    "deal": ["ante", "2 up", "1 up"],
    "dues": ["against pot between", "post pays 2 3", "call ace", "call pair"],
    "match": ["until empty"],
}
HIGHER: Record = {
    "name": "Red Dog",
    "players": [2, 8],
    "deal": ["ante", "5 down", "1 up"],
    "dues": ["against pot higher of suit"],
}


def turn(cards: str, *, bet: int = 5, pot: int = 20, **keys: Any) -> int:
    """Return the chips that the betting player wins or loses in one turn."""
    players = [{"name": "ann", "paid": bet, "up": cards.split(), **keys}, {"name": "bob"}]
    answer = settle({"variant": IN_BETWEEN, "button": 1, "carried": pot, "players": players})
    net: int = answer["net"]["ann"]
    assert sum(answer["net"].values()) + answer["carry"] == pot
    return net


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("4d Kc 5h", 5),  # between the two
        ("Kc 4d Qh", 5),  # the higher card was dealt first
        ("4d Kc Ah", -5),
        ("4d Kc 3h", -5),
        ("4d 5c 9h", -5),  # no rank lies between adjacent ranks
        ("4d Kc 4h", -10),  # if a card has the same rank as one of the two, the player pays double
        ("4d Kc Kh", -10),
        ("Ad 7c 3h", -5),  # an ace is high unless declared low
        ("Ad 7c Kh", 5),
    ],
)
def test_third_card_wins_only_between_the_first_two(cards: str, net: int) -> None:
    assert turn(cards) == net


def test_only_an_ace_dealt_first_can_be_called_low() -> None:
    assert turn("Ad 7c 3h", declared="low") == 5
    assert turn("Ad 7c 9h", declared="low") == -5
    assert turn("7c Ad 3h", declared="low") == -5
    assert turn("7c Ad 9h", declared="low") == 5


def test_bet_against_a_pair_is_on_high_or_low_and_trips_cost_three_bets() -> None:
    assert turn("7c 7d 9h", declared="high") == 5
    assert turn("7c 7d 9h", declared="low") == -5
    assert turn("7c 7d 3h", declared="low") == 5
    assert turn("7c 7d 7h", declared="low") == -15


def test_all_ranks_but_aces_are_between_a_low_and_a_high_ace() -> None:
    assert turn("Ac Ad 2h", declared="low") == turn("Ac Ad Kh", declared="low") == 5
    assert turn("Ac Ad Ah", declared="low") == -15


def test_bet_is_at_most_the_pot() -> None:
    assert turn("4d Kc 5h", bet=50) == 20
    assert turn("4d Kc 2h", bet=50) == -20


def test_all_in_player_pays_no_more_than_the_bet() -> None:
    assert turn("4d Kc 4h", all_in=True) == -5


def test_folded_player_without_a_third_card_has_no_turn() -> None:
    players = [
        {"name": "ann", "paid": 4, "folded": True, "up": ["4d", "Kc", "5h"]},
        {"name": "bob", "up": ["8d", "9c"]},
        {"name": "cat", "paid": 3, "dead": 3, "up": ["2d", "3c"]},
    ]
    answer = settle({"variant": IN_BETWEEN, "button": 0, "players": players})
    assert answer["won"] == {"ann": 0, "bob": 0, "cat": 0}
    assert answer["carry"] == 7
    assert answer["match"]["over"] is False


def test_higher_card_in_another_suit_does_not_win() -> None:
    for held, net in (("9h 2c 3c 4c 5c", -5), ("Jh 2c 3c 4c 5c", 5), ("As 2c 3c 4c 5c", -5)):
        players = [{"name": "ann", "paid": 5, "down": held.split(), "up": ["Th"]}, {"name": "bob"}]
        answer = settle({"variant": HIGHER, "button": 0, "carried": 9, "players": players})
        assert answer["net"]["ann"] == net


@given(st.data())
def test_chips_are_conserved_and_turns_start_at_the_dealers_left(
    data: st.DataObject,
) -> None:
    deck = data.draw(st.permutations(TEXTS[:52]))
    count = data.draw(st.integers(2, 8))
    players = [
        {"name": f"p{seat}", "paid": data.draw(st.integers(0, 40)), "up": deck[3 * seat :][:3]}
        | {"declared": data.draw(st.sampled_from(["high", "low"]))}
        for seat in range(count)
    ]
    button = data.draw(st.integers(0, count - 1))
    record = {"variant": IN_BETWEEN, "button": button, "players": players, "carried": 30}
    whole = settle(record)
    assert sum(whole["net"].values()) + whole["carry"] == 30
    pot, net = 30, dict.fromkeys(whole["net"], 0)
    for step in range(1, count + 1):  # settle every turn as a separate record
        one = players[(button + step) % count]
        others = [p if p is one else {"name": p["name"]} for p in players]
        answer = settle(record | {"players": others, "carried": pot})
        net[one["name"]] += answer["net"][one["name"]]
        pot = answer["carry"]
    assert (net, pot) == (whole["net"], whole["carry"])


# --- documents ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ({"shares": ["high"]}, "shares"),
        ({"wild": ["2"]}, "wild"),
        ({"kill": ["Kh up"]}, "kill"),
        ({"hand": ["any 5"]}, "hand"),
        ({"dues": ["against pot between", "losers match pot"]}, "dues"),
        ({"dues": ["against pot between", "bank dealer"]}, "dues"),
        ({"dues": ["against pot higher of suit"]}, "deal"),
        ({"dues": ["against pot higher of suit", "post pays 2"]}, "dues"),
        ({"dues": ["losers match pot", "call pair"], "shares": ["high"]}, "dues"),
        ({"deck": "52 + 1 joker"}, "deck"),
        ({"deal": ["2 up"]}, "deal"),
        ({"deal": ["2 up", "bet", "1 up"]}, "deal"),
        ({"deal": ["2 down", "1 up"]}, "deal"),
        ({"match": ["lives 3", "life from worst"]}, "match"),
    ],
)
def test_words_that_conflict_with_bets_against_the_pot_are_refused(
    words: Record, where: str
) -> None:
    problems = documents.check(IN_BETWEEN | words)
    assert where in {problem.where.partition("/")[0] for problem in problems}


def test_game_against_the_pot_can_use_a_short_deck() -> None:
    assert documents.check(IN_BETWEEN | {"deck": "52 without 2-5"}) == []


def test_record_with_actions_is_refused_for_games_against_the_pot() -> None:
    record = {"variant": "in-between", "button": 0, "actions": []}
    answer = settle(record | {"players": [{"name": "ann"}, {"name": "bob"}]})
    assert [error["where"] for error in answer["errors"]] == ["actions"]


def test_form_has_fields_for_two_posts_a_third_card_and_the_call() -> None:
    drawn = form("in-between")
    assert (drawn["up"], drawn["down"]) == ({"least": 3, "most": 3}, {"least": 0, "most": 0})
    assert drawn["declarations"] == ["high", "low"]
    assert drawn["against_pot"]
    assert form("in-between", options={"ace": "high", "pair": "new cards"})["declarations"] == []
