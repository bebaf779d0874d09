"""Parse shares of the pot with their scales, qualifiers and fallback measures."""

from dataclasses import replace

from rules.cards import RANKS
from rules.game.game import Alternative, Bar, CardSet, Due, MatchRules, Pattern, Share
from rules.game.grammar.cards import read_card_list, read_cards
from rules.game.grammar.patterns import read_option_condition, read_pattern, read_when
from rules.game.grammar.words import Names, Words, is_number, read_number
from rules.ranking import (
    CATEGORIES,
    FOUR_FLUSH,
    FOUR_STRAIGHT,
    HOUSE_KINDS,
    LONG_KINDS,
    REVERSED,
)

TABLE_SCALES = ("high", "best", "worst", "ace-to-six", REVERSED)
BADUGI_SCALES = ("badugi", "badugi-ace-high", "hidugi")
SCALE_WORDS = (
    *TABLE_SCALES,
    *BADUGI_SCALES,
    "most points",
    "least points",
    "closest 21",
    "nearest 7",
    "highest",
    "lowest",
    "holds As",
    "8-or-better",
    "neighbour left",
)
BAR_END = "-or-better"
BAR_CATEGORIES = {name: name for name in CATEGORIES} | {
    "two-pairs": "two-pair",
    "boat": "full-house",
    FOUR_FLUSH: FOUR_FLUSH,
    FOUR_STRAIGHT: FOUR_STRAIGHT,
    **{kind: kind for kind in (*HOUSE_KINDS, *LONG_KINDS)},
}
CARD_COUNTS = {"two-cards": 2, "three-cards": 3, "four-cards": 4}
# the scale for a qualifier that does not name one: a low scale for a rank, a high scale for a
# category
SCALE_OF_BAR = {"high-card": "best", "number": "best", "cards": "badugi"}
CALLED_OTHERWISE = {  # alternative names of scales
    **dict.fromkeys(("ace-to-five", "a-5", "a5", "california", "low", "lo"), ("best",)),
    **dict.fromkeys(("deuce-to-seven", "2-7", "27", "kansas-city"), ("worst",)),
    **dict.fromkeys(("a-6", "ace-to-6"), ("ace-to-six",)),
    **dict.fromkeys(("highest-low", "reverse"), (REVERSED,)),
    **dict.fromkeys(("hi", "best-hand", "highhand"), ("high",)),
}
SAME_RANK = {1: "high-card", 2: "pair", 3: "trips", 4: "quads"}
ALTERNATIVE_END = ("else", "and", "when", "|", "beating")


def read_bar(words: Words) -> Bar:
    text = words.peek()
    strength = text.removesuffix(BAR_END)
    plain = strength.replace("10", "T")
    if strength in BAR_CATEGORIES:
        bar = Bar(text, category=BAR_CATEGORIES[strength])
    elif strength in CARD_COUNTS:
        bar = Bar(text, category="cards", number=CARD_COUNTS[strength])
    elif plain and len(set(plain)) == 1 and plain[0] in RANKS and len(plain) <= 4:
        bar = Bar(
            text,
            SAME_RANK[len(plain)],
            RANKS.index(plain[0]),
            int(strength) if is_number(strength) else 0,
        )
    elif is_number(strength):
        bar = Bar(text, category="number", number=int(strength))
    else:
        raise words.misread(("8-or-better", "99-or-better", "trips-or-better", "flush-or-better"))
    words.take()
    return bar


FIRST_WORDS = (  # the first word of each scale
    *(*TABLE_SCALES, *BADUGI_SCALES, "most", "least"),
    *("closest", "nearest", "highest", "lowest", "holds"),
)


def _read_scale(words: Words) -> Alternative:
    """Parse a scale with its number or its cards, but without a qualifier."""
    match scale := words.take():
        case "most" | "least":
            return Alternative(f"{scale} {words.expect('points')}")
        case "closest" | "nearest":
            return Alternative(scale, number=read_number(words, most=10_000))
        case "highest" | "lowest":
            ends = not words.more or words.peek() in {*ALTERNATIVE_END, "of", "on"}
            bars = words.peek().endswith(BAR_END)
            return Alternative(scale, cards=None if ends or bars else read_cards(words))
        case "holds":
            cards = read_card_list(words, until=(*ALTERNATIVE_END, "of", "on"))
            return Alternative("holds", cards=CardSet(frozenset(cards)))
    return Alternative(scale)


def read_alternative(words: Words, names: Names) -> Alternative:
    start = words.at
    bar = None
    if words.peek().endswith(BAR_END):
        bar = read_bar(words)
        alternative = Alternative(SCALE_OF_BAR.get(bar.category, "high"))
    elif words.peek() in FIRST_WORDS:
        alternative = _read_scale(words)
    else:
        raise words.misread(CALLED_OTHERWISE.get(words.peek().lower(), SCALE_WORDS))
    if bar is None and words.peek().endswith(BAR_END):
        bar = read_bar(words)
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
    beating = (read_pattern(words, names),) if words.take_if("beating") else ()
    return replace(
        alternative, bar=bar, patterns=tuple(patterns), line=line, beating=beating, text=scale_text
    )


def read_alternatives(words: Words, names: Names) -> tuple[Alternative, ...]:
    alternatives = [read_alternative(words, names)]
    while words.take_if("else"):
        alternatives.append(read_alternative(words, names))
    return tuple(alternatives)


def read_share(text: str, names: Names) -> Share | None:
    """Parse `low: 8-or-better of 2 down + 3 board when not declare row`.

    Return None if the options exclude the share.
    """
    name, colon, sentence = text.partition(":")
    words = Words(sentence if colon else text)
    if words.take_if("neighbour"):
        side = words.expect("left", "right")
        stands = read_option_condition(words, names, "a neighbour's share")
        return (
            Share((name.strip() if colon else "neighbour"), (), neighbour=side) if stands else None
        )
    alternatives = [read_alternative(words, names)]
    while words.take_if("and"):
        alternatives.append(read_alternative(words, names))
    joint = len(alternatives)
    if words.take_if("else"):
        alternatives += read_alternatives(words, names)
    tests = read_when(words, names)
    if words.more:
        raise words.misread(("else", "and", "of", "on line", "beating", "when"))
    if tests is None:
        return None
    called = name.strip() if colon else alternatives[0].text
    return Share(called, tuple(alternatives), tests, joint)


# Dues: chips that move because of the cards in a row, and chips that losers put in.


MOST_CHIPS = 1_000_000  # maximum number of chips for one due
MOST_BETS = 10  # maximum number of bets that a card can cost


# the first word of each due, and the words that can follow it if there are only a few
DUES: dict[str, tuple[str, ...]] = {
    "put": (),
    "take": (),
    "bank": ("dealer",),
    "leftover": ("dealer", "carry"),
    "losers": (),
    "against": (),
    "post": (),
    "call": ("ace", "pair"),
}


def read_due(text: str, names: Names) -> Due | None:
    """Parse one due, such as `put 1 2 3 4 5 row 1`, `take rank row 2` or `bank dealer`.

    `against pot between` and `against pot higher of suit` define how a bet is won. `post pays 2`
    and `post pays 2 3` define the bets lost if a card matches one post, or both. Return None if the
    condition after `when` is false.
    """
    words = Words(text)
    verb = words.expect(*DUES)
    match verb:
        case "put" | "take":
            due = _read_row_due(words, verb)
        case "losers":
            due = _read_losers(words, verb)
        case "against":
            words.expect("pot")
            due = Due(verb, word=words.expect("between", "higher"))
            if due.word == "higher":
                words.expect("of")
                words.expect("suit")
        case "post":
            words.expect("pays")
            values = [read_number(words, most=MOST_BETS)]
            if is_number(words.peek()):
                values.append(read_number(words, most=MOST_BETS))
            if 0 in values:
                raise words.misread(("2",), "a player who loses must put in at least one bet")
            due = Due(verb, values=tuple(values))
        case _:
            due = Due(verb, word=words.expect(*DUES[verb]))
    return due if read_option_condition(words, names, "a due") else None


def _read_row_due(words: Words, verb: str) -> Due:
    values: list[int] = []
    if not words.take_if("rank"):
        while is_number(words.peek()):
            values.append(read_number(words, most=MOST_CHIPS))
        if not values:
            raise words.misread(("rank", "a number of chips for each card of the row"))
    words.expect("row")
    return Due(verb, row=read_number(words), values=tuple(values))


def _read_losers(words: Words, verb: str) -> Due:
    """Parse what losers pay.

    With `losers match pot up to 50`, losers pay into the pot of the next hand. With `losers pay
    pot` and `losers pay 5`, they pay the winners. With `losers under half match pot`, winners of
    less than half of the pot lose as well.
    """
    under_half = bool(words.take_if("under"))
    if under_half:
        words.expect("half")
    how = words.expect("match", "pay")
    if how == "pay" and is_number(words.peek()):
        price = read_number(words, most=MOST_CHIPS)
        return Due(verb, values=(price,), word="pay", under_half=under_half)
    words.expect("pot")
    most = 0
    if words.take_if("up"):
        words.expect("to")
        most = read_number(words, most=MOST_CHIPS)
    return Due(verb, word=f"{how} pot", most=most, under_half=under_half)


# A match's rules: `until 3 legs`, `leg for alone`, `lives 3`, `life from worst`.


MOST_WANTED = 20  # maximum number of legs or lives


MATCH_RULES = ("until", "lives", "leg", "life", "same", "next")  # the first word of each rule


def read_match_rule(text: str, names: Names) -> MatchRules | None:
    """Parse one rule of a match. Return None if the condition after `when` is false."""
    words = Words(text)
    match words.expect(*MATCH_RULES):
        case "until":
            if words.take_if("empty"):
                rule = MatchRules(until_empty=True)
            else:
                rule = MatchRules(legs=_read_target(words))
                words.expect("legs", "leg")
        case "lives":
            rule = MatchRules(lives=_read_target(words))
        case "leg":
            words.expect("for")
            rule = MatchRules(leg_for=frozenset((words.expect("alone", "best"),)))
        case "life":
            words.expect("from")
            rule = MatchRules(life_from=words.expect("worst", "losers"))
        case "same":
            words.expect("dealer")
            rule = MatchRules(same_dealer=True)
        case _:
            several = sorted(name for name, choices in names.words.items() if len(choices) > 1)
            if words.peek() not in several:
                raise words.misread(several, "only an option with several choices can take turns")
            rule = MatchRules(turning=words.take())
    return rule if read_option_condition(words, names, "a match") else None


def _read_target(words: Words) -> int:
    if words.peek() == "0":
        raise words.misread(("1", "3"), "the number must be at least one")
    return read_number(words, most=MOST_WANTED)
