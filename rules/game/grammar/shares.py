"""Shares of the pot: scales, what it takes to qualify, what comes when nobody does."""

from collections.abc import Callable
from dataclasses import replace

from rules.cards import RANKS
from rules.game.game import Alternative, Bar, CardSet, Pattern, Share
from rules.game.grammar.cards import read_card_list, read_cards
from rules.game.grammar.patterns import read_pattern, read_when
from rules.game.grammar.words import Names, Words, is_number, read_number
from rules.ranking import CATEGORIES, FOUR_FLUSH, FOUR_STRAIGHT

TABLE_SCALES = ("high", "best", "worst", "ace-to-six")
BADUGI_SCALES = ("badugi", "badugi-ace-high", "hidugi")
SCALE_WORDS = (
    *TABLE_SCALES,
    *BADUGI_SCALES,
    "most points",
    "least points",
    "closest 21",
    "highest",
    "lowest",
    "holds As",
    "8-or-better",
)
BAR_END = "-or-better"
BAR_CATEGORIES = {name: name for name in CATEGORIES} | {
    "two-pairs": "two-pair",
    "boat": "full-house",
    FOUR_FLUSH: FOUR_FLUSH,
    FOUR_STRAIGHT: FOUR_STRAIGHT,
}
SAME_RANK = {1: "high-card", 2: "pair", 3: "trips", 4: "quads"}
ALTERNATIVE_END = ("else", "when", "|")


def read_bar(words: Words) -> Bar:
    text = words.peek()
    strength = text.removesuffix(BAR_END)
    plain = strength.replace("10", "T")
    if strength in BAR_CATEGORIES:
        bar = Bar(text, category=BAR_CATEGORIES[strength])
    elif strength in {"four-cards", "three-cards", "two-cards"}:
        bar = Bar(
            text, category="cards", number=" two three four".split(" ").index(strength[:-6]) + 1
        )
    elif plain and len(set(plain)) == 1 and plain[0] in RANKS and len(plain) <= 4:
        bar = Bar(text, SAME_RANK[len(plain)], RANKS.index(plain[0]), _as_number(strength))
    elif is_number(strength):
        bar = Bar(text, category="number", number=int(strength))
    else:
        raise words.misread(("8-or-better", "99-or-better", "trips-or-better", "flush-or-better"))
    words.take()
    return bar


def _as_number(strength: str) -> int:
    return int(strength) if is_number(strength) else 0


def _read_points(words: Words) -> Alternative:
    scale = f"{words.take()} {words.expect('points')}"
    return Alternative(scale)


def _read_closest(words: Words) -> Alternative:
    words.take()
    return Alternative("closest", number=read_number(words, most=10_000))


def _read_single(words: Words) -> Alternative:
    scale = words.take()
    ends = not words.more or words.peek() in {*ALTERNATIVE_END, "of", "on"}
    bars = words.peek().endswith(BAR_END)
    return Alternative(scale, cards=None if ends or bars else read_cards(words))


def _read_holds(words: Words) -> Alternative:
    words.take()
    cards = read_card_list(words, until=(*ALTERNATIVE_END, "of", "on"))
    return Alternative("holds", cards=CardSet(frozenset(cards)))


def _read_plain(words: Words) -> Alternative:
    return Alternative(words.take())


SCALE_READERS: dict[str, Callable[[Words], Alternative]] = {
    **dict.fromkeys((*TABLE_SCALES, *BADUGI_SCALES), _read_plain),
    "most": _read_points,
    "least": _read_points,
    "closest": _read_closest,
    "highest": _read_single,
    "lowest": _read_single,
    "holds": _read_holds,
}


def read_alternative(words: Words, names: Names) -> Alternative:
    start = words.at
    if words.peek().endswith(BAR_END):
        found = Alternative("best")  # a bar alone is the low that everybody means
    elif words.peek() in SCALE_READERS:
        found = SCALE_READERS[words.peek()](words)
    else:
        raise words.misread(SCALE_WORDS)
    bar = read_bar(words) if words.peek().endswith(BAR_END) else None
    scale_text = " ".join(words.items[start : words.at])
    patterns: list[Pattern] = []
    if words.take_if("of"):
        patterns.append(read_pattern(words, names))
        while words.take_if("|"):
            patterns.append(read_pattern(words, names))
    line = 0
    if words.take_if("on"):
        words.expect("line")
        line = read_number(words)
    return replace(found, bar=bar, patterns=tuple(patterns), line=line, text=scale_text)


def read_alternatives(words: Words, names: Names) -> tuple[Alternative, ...]:
    alternatives = [read_alternative(words, names)]
    while words.take_if("else"):
        alternatives.append(read_alternative(words, names))
    return tuple(alternatives)


def read_share(text: str, names: Names) -> Share | None:
    """`low: 8-or-better of 2 down + 3 board when not declare row`; None when not played."""
    name, colon, sentence = text.partition(":")
    words = Words(sentence if colon else text)
    alternatives = read_alternatives(words, names)
    tests = read_when(words, names)
    if words.more:
        raise words.misread(("else", "of", "on line", "when"))
    if tests is None:
        return None
    return Share(name.strip() if colon else alternatives[0].text, alternatives, tests)
