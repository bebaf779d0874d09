"""Declarations together or in turn, and a bet after them (docs/games.md, docs/history.md).

In turn the last player who raised declares first ("last raise declares": Wikipedia, "Declaration
(poker)"). A round of betting may follow (pokerteam.com, "High-Low with Declare Poker").
"""

from typing import Any

import pytest

from rules import settle
from rules.history import begin, choices, replay_record
from rules.history.replay import act
from rules.presentation.rules_page import rules_card, rules_page

Record = dict[str, Any]

GAME: Record = {
    "name": "Declared",
    "players": [2, 4],
    "deal": ["ante", "5 down", "bet", "declare in turn", "bet"],
    "hand": ["5 down"],
    "shares": ["high", "low: best"],
    "declare": "high-low",
}
DEALT = ("d dh p1 AsKsQsJsTs", "d dh p2 5d4c3d2dAc", "d dh p3 9c9d2h3s4s")
RAISED_BY_BOB = ("p1 cc", "p2 cbr 5", "p3 cc", "p1 cc")
DECLARED = ("p2 declare low", "p3 declare high", "p1 declare high")


def played(*actions: str, **changes: Any) -> Record:
    """Replay a hand in which cat deals, and all put in an ante of 1."""
    record = {
        "variant": GAME | changes,
        "players": [{"name": name} for name in ("ann", "bob", "cat")],
        "stakes": {"ante": 1},
        "stacks": [50, 50, 50],
        "button": 2,
        "actions": [*DEALT, *actions],
    }
    return replay_record(record, strict=True)


def codes(answer: Record) -> list[str]:
    return [error["code"] for error in answer["errors"]]


def test_last_player_who_raised_declares_first_and_a_bet_may_follow() -> None:
    """Ann has the high and Bob the low of 3 * (1 + 5 + 4) = 30."""
    answer = played(*RAISED_BY_BOB, *DECLARED, "p1 cbr 4", "p2 cc", "p3 cc")
    assert codes(answer) == []
    assert answer["won"] == [15, 15, 0]


def test_first_player_declares_first_if_no_player_raised() -> None:
    declared = ("p1 declare high", "p2 declare low", "p3 declare high")
    assert codes(played("p1 cc", "p2 cc", "p3 cc", *declared, "p1 cc", "p2 cc", "p3 cc")) == []


def test_player_who_declares_before_their_turn_is_out_of_turn() -> None:
    declared = ("p1 declare high", "p2 declare low", "p3 declare high")
    answer = played(*RAISED_BY_BOB, *declared, "p1 cc", "p2 cc", "p3 cc")
    assert codes(answer) == ["out-of-turn"]


def test_players_declare_in_any_order_if_they_declare_together() -> None:
    declared = ("p3 declare high", "p1 declare high", "p2 declare low")
    deal = ["ante", "5 down", "bet", "declare", "bet"]
    answer = played(*RAISED_BY_BOB, *declared, "p1 cc", "p2 cc", "p3 cc", deal=deal)
    assert codes(answer) == []


def test_player_who_declared_may_fold_to_the_bet_after_it() -> None:
    """Bob, the only low, folds, so Ann's high wins all 3 * 6 + 2 * 4."""
    answer = played(*RAISED_BY_BOB, *DECLARED, "p1 cbr 4", "p2 f", "p3 cc")
    assert answer["won"] == [26, 0, 0]


def test_record_keeps_the_declaration_of_a_player_who_folded_after_it() -> None:
    """docs/record.md: a bet after the declaration is part of `paid`."""
    players = [
        {"name": "ann", "paid": 10, "declared": "high", "down": "As Ks Qs Js Ts".split()},
        {"name": "bob", "paid": 6, "declared": "low", "folded": True},
        {"name": "cat", "paid": 10, "declared": "high", "down": "9c 9d 2h 3s 4s".split()},
    ]
    answer = settle({"variant": GAME, "button": 2, "players": players})
    assert answer["won"] == {"ann": 26, "bob": 0, "cat": 0}
    assert answer["findings"] == []


def test_only_the_player_whose_turn_it_is_can_declare() -> None:
    table, _ = begin(
        {
            "variant": GAME,
            "players": [{"name": name} for name in ("ann", "bob", "cat")],
            "stakes": {"ante": 1},
            "stacks": [50, 50, 50],
            "button": 2,
            "actions": [],
        }
    )
    for action in (*DEALT, *RAISED_BY_BOB):
        act(table, action)
    assert [(choice.seat, choice.verb) for choice in choices(table)] == [(1, "declare")]


@pytest.mark.parametrize(("step", "text"), [("declare", "Declare now."), ("declare in turn", "")])
def test_rules_card_states_the_order_of_declarations(step: str, text: str) -> None:
    card = rules_card(GAME | {"deal": ["ante", "5 down", "bet", step]})
    [stage] = [stage["text"] for stage in card["stages"] if stage["kind"] == "declare"]
    if text:
        assert stage == text
    else:
        assert "in turn, starting with the last player who raised" in stage


def test_rules_page_describes_spoken_declarations_in_turn() -> None:
    assert "Say what you declare: high or low, or both." in str(rules_page(GAME))
