"""The story consists of the reasons' sentences (docs/record.md, "Reasons")."""

import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rules import settle
from rules.presentation.schemas import reason_schemas
from rules.settlement.story.sentences import SENTENCES, sentence
from tests.helpers.laws.records import Record, records
from tests.helpers.rules.schemas import validator
from tests.helpers.rules.vectors import SETTLED, lines_of

PAGE = (Path(__file__).parents[4] / "docs" / "record.md").read_text("utf-8")
[SECTION] = re.findall(r"^## Reasons\n(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)

ONE_CHIP = re.compile(r"(?<![\d,])1 (chips|points|carried pots)")
WRONG_ARTICLE = re.compile(r"\ba [aeio]|\ban [^aeio8]|\ba 8|\ba eight|\ban 8-card")
BAR = re.compile(r"-or-better|-or-worse")
RUN_OF_DIGITS = re.compile(r"\d{4}")


@cache
def golden() -> list[dict[str, Any]]:
    """Return the answers to all golden records."""
    answers = [settle(line["record"]) for path in SETTLED for line in lines_of(path)]
    return [answer for answer in answers if "errors" not in answer]


@given(records())
def test_story_consists_of_the_sentences_of_its_reasons(record: Record) -> None:
    answer = settle(record)
    assert answer["story"] == [sentence(reason) for reason in answer["reasons"]]


def test_reasons_survive_a_round_trip_through_json() -> None:
    for answer in golden():
        data = json.loads(json.dumps(answer["reasons"], allow_nan=False))
        assert data == answer["reasons"]
        assert [sentence(reason) for reason in data] == answer["story"]


def test_all_sentences_about_golden_hands_are_good_english() -> None:
    for answer in golden():
        assert answer["story"] or not answer["pots"], answer
        for line in answer["story"]:
            assert re.search(r"[^.]\.$", line), line
            for wrong in (ONE_CHIP, WRONG_ARTICLE, BAR, RUN_OF_DIGITS):
                assert not wrong.search(line), line
            assert not re.search(r"  |None|\(\)", line), line


def test_no_sentence_is_repeated() -> None:
    for answer in golden():
        assert len(set(answer["story"])) == len(answer["story"]), answer["story"]


def test_winnings_of_each_pot_add_up_to_its_chips() -> None:
    """Exactly one reason describes each chip of a pot."""
    for answer in golden():
        sums: dict[str, int] = defaultdict(int)
        for reason in answer["reasons"]:
            if reason["code"] in {"wins", "ties", "beside", "split-unwon", "match-won"}:
                for name, chips in reason["winners"].items():
                    sums[name] += chips
            elif reason["code"] in {"last-left", "only-player"}:
                sums[reason["player"]] += reason["amount"]
        won: dict[str, int] = defaultdict(int)
        for pot in answer["pots"]:
            for share in pot["shares"]:
                for name, chips in share["winners"].items():
                    won[name] += chips
        assert {n: c for n, c in sums.items() if c} == {n: c for n, c in won.items() if c}, answer


# --- the page -----------------------------------------------------------------------------------


def test_every_reason_code_is_documented() -> None:
    rows = re.findall(r"^\| (`[^|]*) \|", SECTION.split("| fact |", maxsplit=1)[0], re.MULTILINE)
    documented = [code for row in rows for code in re.findall(r"`([\w-]+)`", row)]
    assert sorted(documented) == sorted(SENTENCES)


def test_every_fact_in_a_reason_is_documented() -> None:
    facts = set(reason_schemas()["Reason"]["properties"])
    assert facts - {"code"} <= set(re.findall(r"`(\w+)`", SECTION))


def test_documented_example_of_each_reason_is_correct() -> None:
    [example] = re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL)
    [contract] = [path for path in SETTLED if path.stem == "contract"]
    assert json.loads(example) in settle(lines_of(contract)[0]["record"])["reasons"]


# --- rare codes -----------------------------------------------------------------------------------

NINES = {"scale": "high", "category": "pair", "ranks": ["9", "K", "5", "3"], "cards": ["9c", "9d"]}
POT = {"pots": [0], "pot": {"kind": "only"}}
RARE = [
    (
        {"code": "beside", **POT, "share": "neighbour", "amount": 10, "winners": {"cat": 10}}
        | {"side": "left", "players": ["bob"]},
        "The neighbour (10) goes to cat, to the left of bob.",
    ),
    ({"code": "stayed-alone", "player": "ann"}, "ann is the only one who stayed in."),
    (
        {"code": "best-hand", "players": ["ann"], "hand": NINES},
        "ann has the best hand with a pair of nines.",
    ),
    (
        {"code": "best-hand", "players": ["ann", "bob"], "hand": NINES},
        "ann and bob tie for the best hand with a pair of nines.",
    ),
    (
        {"code": "earns-leg", "player": "ann", "legs": 2, "needed_legs": 3},
        "ann earns a leg and has 2 of 3.",
    ),
    ({"code": "loses-life", "player": "ann", "lives": 1}, "ann loses a life and has 1 left."),
    (
        {"code": "loses-life", "player": "ann", "lives": 0},
        "ann loses a life and is out of the match.",
    ),
    (
        {"code": "stays-in-match", **POT, "amount": 60},
        "60 chips stay until the match is won.",
    ),
    ({"code": "stays-in-match", **POT, "amount": 1}, "1 chip stays until the match is won."),
    (
        {"code": "match-won", **POT, "amount": 60, "winners": {"ann": 60}},
        "ann wins the match and takes the pot (60).",
    ),
    (
        {"code": "match-won", **POT, "amount": 60, "winners": {"ann": 30, "bob": 30}},
        "ann and bob lose their last lives together and split the pot (60).",
    ),
    (
        {"code": "pays", "player": "bob", "amount": 1, "winners": {"ann": 1}},
        "bob stayed in and lost, and pays ann 1 chip.",
    ),
    ({"code": "left-in-pot", "amount": 1200}, "1,200 chips are left over and stay in the pot."),
    ({"code": "nothing-matched"}, "No card matched, so no chips moved."),
    ({"code": "no-bets", "returned": {}}, "Nobody put in anything."),
    (
        {"code": "no-bets", "returned": {"ann": 1}},
        "The pot is empty: nothing can be bet, 1 chip goes back to ann.",
    ),
    (
        {"code": "no-bets", "returned": {"ann": 33, "bob": 20}},
        "The pot is empty: nothing can be bet, all go back, 33 to ann and 20 to bob.",
    ),
    (
        {"code": "matches-pot", "player": "bob", "amount": 20, "why": "under-half"},
        "bob won less than half of the pot, and puts in 20 chips for the next hand.",
    ),
    (
        {"code": "last-left", **POT, "player": "ann", "amount": 30}
        | {"out": [{"player": "bob", "why": "mucked"}, {"player": "cat", "why": "folded"}]},
        "bob mucked and cat folded: ann takes the pot (30).",
    ),
    (
        {"code": "last-left", **POT, "player": "ann", "amount": 50}
        | {
            "out": [
                {"player": "bob", "why": "mucked"},
                {"player": "cat", "why": "folded"},
                {"player": "dan", "why": "killed"},
                {"player": "eve", "why": "folded"},
            ]
        },
        "bob mucked, dan is killed and all others folded: ann takes the pot (50).",
    ),
    (
        {"code": "ties", **POT, "amount": 15, "winners": {"ann": 8, "bob": 7}, "hand": NINES}
        | {"kickers": {"ranks": ["K", "T", "3"], "on_board": True}}
        | {
            "odd": {"players": ["ann"], "by": "high-card", "decided_by": {"by": "9s", "over": "9h"}}
        },
        (
            "ann and bob split the pot (15) with a pair of nines, and the king, ten and three on "
            "the board: ann 8 and bob 7, the odd chip to ann by the nine of spades over the nine "
            "of hearts."
        ),
    ),
    (
        {"code": "ties", **POT, "amount": 14, "winners": {"ann": 5, "bob": 5, "cat": 4}}
        | {
            "odd": {"players": ["ann", "bob"], "by": "high-card"}
            | {"decided_by": {"by": "9s", "over": "9h"}}
            | {"then": {"players": ["bob"], "by": "seat", "side": "left"}}
        },
        (
            "ann, bob and cat split the pot (14): ann 5, bob 5 and cat 4, the odd chips to ann by "
            "the nine of spades over the nine of hearts and to bob, nearest the dealer's left."
        ),
    ),
    (
        {"code": "puts-in-pot", "players": ["ann"], "amount": 1},
        "ann puts 1 chip into the pot.",
    ),
    (
        {"code": "beats-pot", "player": "ann", "amount": 6, "card": "9h", "posts": ["5c", "5d"]}
        | {"called": "high", "pot_left": 14},
        (
            "ann's 9♥ is higher than the pair 5♣ and 5♦, as called: "
            "ann takes 6 chips from the pot, which holds 14."
        ),
    ),
    (
        {"code": "loses-to-pot", "player": "ann", "amount": 6, "card": "4h"}
        | {"posts": ["5c", "5d"], "called": "high", "pot_left": 26},
        (
            "ann's 4♥ is not higher than the pair 5♣ and 5♦: "
            "ann puts 6 chips into the pot, which holds 26."
        ),
    ),
    (
        {"code": "wins", **POT, "amount": 20, "winners": {"ann": 20}, "hand": NINES}
        | {
            "broken": {"by": "suit", "players": ["ann", "bob"]}
            | {"decided_by": {"by": "9s", "over": "9h"}}
        },
        (
            "ann wins the pot (20) with a pair of nines, by the nine of spades over the nine of "
            "hearts."
        ),
    ),
    (
        {"code": "wins", **POT, "amount": 20, "winners": {"ann": 20}, "hand": NINES}
        | {"broken": {"by": "natural", "players": ["ann", "bob"]} | {"wild": {"ann": 0, "bob": 2}}},
        "ann wins the pot (20) with a pair of nines, with no wild cards, bob's has two.",
    ),
    (
        {"code": "wins", **POT, "amount": 20, "winners": {"ann": 20}, "hand": NINES}
        | {"broken": {"by": "first", "players": ["ann", "bob"]}},
        "ann wins the pot (20) with a pair of nines, the first of equal hands to stand.",
    ),
    (
        {"code": "wins", **POT, "amount": 20, "winners": {"ann": 20}}
        | {
            "hand": {
                "scale": "highest",
                "deciding": ["*1", "*2", "Ks"],
                "cards": ["*1", "*2", "Ks"],
            }
        },
        "ann wins the pot (20) with two jokers.",
    ),
]


@pytest.mark.parametrize(("reason", "text"), RARE)
def test_rare_reason_has_the_right_sentence(reason: dict[str, Any], text: str) -> None:
    assert sentence(reason) == text
    assert [each.message for each in validator("Reason").iter_errors(reason)] == []


def test_every_reason_code_occurs_in_a_golden_hand_or_a_test_here() -> None:
    met = {reason["code"] for answer in golden() for reason in answer["reasons"]}
    assert met | {str(reason["code"]) for reason, _ in RARE} == set(SENTENCES)
