"""Every action in docs/history.md is tested, and every supported action is documented there."""

import json
import re

from rules.history import replay_record, states
from rules.history.actions import DEALER_VERBS, PLAYER_VERBS, Action, read_action
from tests.helpers.rules.hands import ROOT

PAGE = (ROOT / "docs" / "history.md").read_text("utf-8")
HANDS = [json.loads(line) for line in (ROOT / "docs" / "history.jsonl").read_text().splitlines()]
EXAMPLES = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", PAGE, re.MULTILINE)


def test_documentation_has_an_example_for_every_verb() -> None:
    assert [verb for verb, _ in EXAMPLES] == [*PLAYER_VERBS, *DEALER_VERBS]
    for verb, example in EXAMPLES:
        action = read_action(example)
        assert isinstance(action, Action)
        assert action.verb == verb


def test_every_documented_action_belongs_to_a_documented_hand() -> None:
    played = {action for hand in HANDS for action in hand["actions"]}
    assert {example for _, example in EXAMPLES} <= played


def test_documented_hands_replay_without_errors() -> None:
    for hand in HANDS:
        answer = replay_record(hand, strict=True)
        assert (answer["errors"], answer["findings"]) == ([], [])
        assert [state.text for state in states(hand)][1:]


def test_invalid_action_is_reported_with_suggestions() -> None:
    answer = replay_record(HANDS[1] | {"actions": ["p1 wins", "x", "p9 f", "d deals", "p1"]})
    assert [error["where"] for error in answer["errors"]] == [f"actions/{at}" for at in range(5)]
    assert "cbr" in answer["errors"][0]["text"]
