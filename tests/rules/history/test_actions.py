"""Every verb of docs/history.md is tried, and every one there is stands in it."""

import json
import re

from rules.history import replay_record, states
from rules.history.actions import DEALER_VERBS, PLAYER_VERBS, Action, read_action
from tests.helpers.rules.hands import ROOT

PAGE = (ROOT / "docs" / "history.md").read_text("utf-8")
HANDS = [json.loads(line) for line in (ROOT / "docs" / "history.jsonl").read_text().splitlines()]
EXAMPLES = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", PAGE, re.MULTILINE)


def test_the_page_has_an_example_of_every_verb() -> None:
    assert [verb for verb, _ in EXAMPLES] == [*PLAYER_VERBS, *DEALER_VERBS]
    for verb, example in EXAMPLES:
        action = read_action(example)
        assert isinstance(action, Action)
        assert action.verb == verb


def test_every_example_is_played_in_a_hand_of_the_page() -> None:
    played = {action for hand in HANDS for action in hand["actions"]}
    assert {example for _, example in EXAMPLES} <= played


def test_the_hands_of_the_page_break_no_rule() -> None:
    for hand in HANDS:
        answer = replay_record(hand, strict=True)
        assert (answer["errors"], answer["findings"]) == ([], [])
        assert [state.text for state in states(hand)][1:]


def test_a_text_that_is_no_action_says_what_could_stand_there() -> None:
    answer = replay_record(HANDS[1] | {"actions": ["p1 wins", "x", "p9 f", "d deals", "p1"]})
    assert [error["where"] for error in answer["errors"]] == [f"actions/{at}" for at in range(5)]
    assert "cbr" in answer["errors"][0]["text"]
