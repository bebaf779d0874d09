"""The limits of the betting, round by round."""

from rules.game.grammar.words import Words, is_count, read_count, read_number
from rules.game.steps import Betting, Limit

LIMITS = ("table", "no-limit", "pot-limit", "half-pot", "small", "big", "mid", "none")
SCHEMES = {
    "shootout": "table",
    "standoff": "none",
    "showdown": "mid",
}  # other words for three of them
LIMIT_WORDS = (*LIMITS, *SCHEMES, "a range such as 1-5")


def read_betting(text: str) -> Betting:
    """`no-limit`, `small small big`, `1-2 1-2 1-2 1-5 open-pair out-of-turn 2`."""
    words = Words(text)
    limits = []
    while is_limit(words.peek()):
        limits.append(read_limit(words))
    if not limits:
        raise words.misread(LIMIT_WORDS)
    open_pair = bool(words.take_if("open-pair"))
    out_of_turn = read_number(words) if words.take_if("out-of-turn") else 0
    if words.more:
        raise words.misread((*LIMIT_WORDS, "open-pair", "out-of-turn"))
    return Betting(tuple(limits), open_pair, out_of_turn)


def is_limit(word: str) -> bool:
    return word in LIMITS or word in SCHEMES or (bool(word) and is_count(word))


def read_limit(words: Words) -> Limit:
    if not is_count(words.peek()):
        word = words.take()
        return Limit(SCHEMES.get(word, word))
    least, most = read_count(words)
    return Limit("spread", least, most)
