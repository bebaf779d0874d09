"""How deals make a match: `until 3 legs`, `leg for alone`, `lives 3`, `life from worst`."""

from collections.abc import Callable

from rules.game.grammar.patterns import read_options_hold
from rules.game.grammar.words import Names, Words, read_number
from rules.game.match import MatchRules

MOST_WANTED = 20  # legs, or lives


def read_match_rule(text: str, names: Names) -> MatchRules | None:
    """What one sentence says of a match; None where its `when` does not hold."""
    words = Words(text)
    rule = RULE_READERS[words.expect(*RULE_READERS)](words, names)
    return rule if read_options_hold(words, names, "a match hangs") else None


def _read_until(words: Words, _: Names) -> MatchRules:
    if words.take_if("empty"):
        return MatchRules(until_empty=True)
    legs = _read_wanted(words)
    words.expect("legs", "leg")
    return MatchRules(legs=legs)


def _read_lives(words: Words, _: Names) -> MatchRules:
    return MatchRules(lives=_read_wanted(words))


def _read_wanted(words: Words) -> int:
    if words.peek() == "0":
        raise words.misread(("1", "3"), "at least one is needed")
    return read_number(words, most=MOST_WANTED)


def _read_leg(words: Words, _: Names) -> MatchRules:
    words.expect("for")
    return MatchRules(leg_for=frozenset((words.expect("alone", "best"),)))


def _read_life(words: Words, _: Names) -> MatchRules:
    words.expect("from")
    return MatchRules(life_from=words.expect("worst", "losers"))


def _read_same(words: Words, _: Names) -> MatchRules:
    words.expect("dealer")
    return MatchRules(same_dealer=True)


def _read_next(words: Words, names: Names) -> MatchRules:
    several = sorted(name for name, choices in names.words.items() if len(choices) > 1)
    if words.peek() not in several:
        raise words.misread(several, "an option with several choices takes turns here")
    return MatchRules(turning=words.take())


RULE_READERS: dict[str, Callable[[Words, Names], MatchRules]] = {
    "until": _read_until,
    "lives": _read_lives,
    "leg": _read_leg,
    "life": _read_life,
    "same": _read_same,
    "next": _read_next,
}
