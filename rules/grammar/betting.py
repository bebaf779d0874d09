"""The limits of the betting, round by round."""

from rules.game import Betting, Limit
from rules.grammar.words import Words, is_count, read_count, read_number

LIMITS = ("table", "no-limit", "pot-limit", "half-pot", "small", "big", "mid", "none")


def read_betting(text: str) -> Betting:
    """`no-limit`, `small small big`, `1-2 1-2 1-2 1-5 open-pair out-of-turn 2`."""
    words = Words(text)
    limits = []
    while words.peek() in LIMITS or is_count(words.peek()):
        limits.append(_read_limit(words))
    if not limits:
        raise words.misread((*LIMITS, "a range such as 1-5"))
    open_pair = bool(words.take_if("open-pair"))
    out_of_turn = read_number(words) if words.take_if("out-of-turn") else 0
    if words.more:
        raise words.misread((*LIMITS, "open-pair", "out-of-turn", "a range such as 1-5"))
    return Betting(tuple(limits), open_pair, out_of_turn)


def _read_limit(words: Words) -> Limit:
    if words.peek() in LIMITS:
        return Limit(words.take())
    least, most = read_count(words)
    return Limit("spread", least, most)
