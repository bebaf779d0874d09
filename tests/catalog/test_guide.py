"""Every example in docs/games.md is parsed, and every word of a document has an example."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rules.documents import documents, modifiers
from rules.game import builder, grammar, shape
from rules.game.grammar import deal, patterns, shares

GUIDE = (Path(__file__).parents[2] / "docs" / "games.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

NAMES = grammar.Names(
    slots=frozenset("abcde"),
    piles=frozenset({"front", "back", "kitty"}),
    options=frozenset({"mood", "weather"}),
    chosen={"mood": "happy", "weather": "sun"},
    words={"mood": ("happy", "sad"), "weather": ("sun", "rain")},
)


def _in_a_game(key: str, **changes: object) -> Callable[[str], None]:
    """Return a reader that parses this key's words in a complete document."""

    def read(text: str) -> None:
        value = [text] if key in shape.LISTS else text
        game = {"name": "Draw", "deal": ["5 down"], "hand": ["5 down"], "shares": ["high"]}
        assert documents.check(game | changes | {key: value}) == []

    return read


READERS: dict[str, Callable[[str], object]] = {
    "board": lambda text: grammar.read_line(text, NAMES),
    "deal": lambda text: grammar.read_steps(text, NAMES),
    "betting": grammar.read_betting,
    "deck": grammar.read_deck,
    "wild": lambda text: grammar.read_wild(text.replace("{follower}", "none"), NAMES),
    "bug": lambda text: grammar.read_wild(text, NAMES),
    "kill": lambda text: grammar.read_kill(text, NAMES),
    "points": grammar.read_points,
    "top": lambda text: grammar.read_card_list(grammar.Words(text)),
    "order": _in_a_game("order"),
    "straights": _in_a_game("straights"),
    "hand": lambda text: grammar.read_hand(text, NAMES),
    "shares": lambda text: grammar.read_share(text, NAMES),
    "ties": _in_a_game("ties"),
    "lost_both": _in_a_game("lost_both", shares=["high", "low: best"], declare="high-low"),
    "dues": lambda text: grammar.read_due(text, NAMES),
    "match": lambda text: grammar.read_match_rule(text, NAMES),
}


def examples() -> Iterator[tuple[str, str]]:
    for language, key, text in FENCE.findall(GUIDE):
        if language == "words":
            for line in text.splitlines():
                yield key, re.split(r"\s+# ", line)[0].strip()


EXAMPLES = list(examples())


@pytest.mark.parametrize(("key", "text"), EXAMPLES)
def test_example_in_the_guide_is_parsed(key: str, text: str) -> None:
    READERS[key](text)


@pytest.mark.parametrize(
    "text", [text for language, _, text in FENCE.findall(GUIDE) if language == "toml"]
)
def test_complete_example_in_the_guide_is_a_valid_game(text: str) -> None:
    assert documents.check(text) == []


def words_of(*keys: str) -> set[str]:
    return {word for key, text in EXAMPLES if not keys or key in keys for word in text.split()}


def test_every_deal_step_has_an_example() -> None:
    first = {text.split()[0] for key, text in EXAMPLES if key == "deal"}
    assert first >= set(deal.STEP_READERS)
    assert words_of("deal") >= {*deal.OPENERS, *deal.DIRECTIONS, "must", "when", "common"}
    assert words_of("deal") >= {
        *deal.SEATS,
        "matching",
        "blind",
        "from",
        "with",
        "seat",
        "pot",
        "fee",
    }


def test_every_limit_has_an_example() -> None:
    assert words_of("betting") >= {*deal.LIMITS, "open-pair", "out-of-turn"}


def test_every_scale_has_an_example() -> None:
    words = words_of("shares")
    assert words >= {*shares.FIRST_WORDS, "else", "of", "on", "when", "|"}


def test_every_hand_zone_has_an_example() -> None:
    assert words_of("hand") >= {*patterns.ZONES, "any", "all", "rest", "or", "+"}


def test_every_due_and_match_rule_has_an_example() -> None:
    assert words_of("dues") >= set(shares.DUES)
    assert words_of("match") >= set(shares.MATCH_RULES)


def test_every_key_is_documented() -> None:
    keys = set(re.findall(r"`(\w+)`", GUIDE))
    assert keys >= set(shape.KEYS)


def test_every_fixed_word_is_documented() -> None:
    assert all(word in GUIDE for words in builder.WORDS.values() for word in words)


def test_every_modifier_is_documented_with_its_parameters() -> None:
    for name in modifiers.NAMES:
        takes = modifiers.PARAMETERS.get(name)
        usage = f"`{name} {takes}`" if takes else f"`{name}`"
        assert usage in GUIDE.replace("\\|", "|")
