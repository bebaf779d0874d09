"""The words of a game document, read one string at a time.

Each function takes a string of the document (options already put in) and gives a piece of
`rules.game`. What it can't read raises `Misread` with the word and what could have stood there.
The grammar is in docs/games.md.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, cast

from rules.cards import CARDS, FIRST_JOKER, NATURAL_CARDS, RANKS, SUIT_NAMES, SUITS, TEXTS
from rules.game import (
    Alternative,
    Bar,
    Betting,
    CardsAre,
    CardSet,
    Due,
    Limit,
    Pattern,
    Place,
    RankOf,
    Share,
    Step,
    Term,
)
from rules.ranking import CATEGORIES, FOUR_FLUSH, FOUR_STRAIGHT

MOST_CARDS = 60  # no quantity in a document is larger


class Misread(Exception):
    """A word that was not understood."""

    def __init__(self, word: str, text: str, could_be: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.word = word
        self.text = text
        self.could_be = tuple(could_be)


@dataclass(frozen=True)
class Names:
    """The names that a document itself brings in."""

    slots: frozenset[str] = frozenset()
    piles: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    chosen: dict[str, str | int] = field(default_factory=dict)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)  # choices by option


class Words:
    """The words of one string, taken from the left."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items = text.split()
        self.at = 0

    @property
    def more(self) -> bool:
        return self.at < len(self.items)

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.items[place] if place < len(self.items) else ""

    def take(self) -> str:
        word = self.peek()
        self.at += 1
        return word

    def take_if(self, *wanted: str) -> str:
        return self.take() if self.peek() in wanted and self.more else ""

    def expect(self, *wanted: str) -> str:
        if self.peek() in wanted:
            return self.take()
        raise self.misread(wanted)

    def misread(self, could_be: Iterable[str], reason: str = "") -> Misread:
        word = self.peek()
        said = reason or (f"{word!r} is not understood here" if word else "the text ends too soon")
        return Misread(word or self.text, said, could_be)

    def done(self) -> None:
        if self.more:
            raise self.misread((), f"nothing can follow here, found {self.peek()!r}")


# --- numbers, ranks and cards -------------------------------------------------------------------


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 9


def read_number(words: Words, *, most: int = MOST_CARDS) -> int:
    if not is_number(words.peek()):
        raise words.misread(("a number",))
    if int(words.peek()) > most:
        raise words.misread((), f"{words.peek()} is more than {most}")
    return int(words.take())


def is_count(word: str) -> bool:
    return all(is_number(part) for part in word.split("-")) and word.count("-") <= 1


def read_count(words: Words) -> tuple[int, int]:
    """`3` or `0-3`."""
    if not is_count(words.peek()):
        raise words.misread(("a number", "a range such as 0-3"))
    ends = [int(part) for part in words.peek().split("-")]
    if ends[-1] > MOST_CARDS or ends[0] > ends[-1]:
        raise words.misread((), f"{words.peek()} is no range of up to {MOST_CARDS}")
    words.take()
    return ends[0], ends[-1]


def is_rank(word: str) -> bool:
    return word == "10" or (len(word) == 1 and word in RANKS)


def read_rank(words: Words) -> int:
    if not is_rank(words.peek()):
        raise words.misread(tuple(RANKS))
    return RANKS.index(words.take().replace("10", "T"))


def read_ranks(words: Words) -> list[int]:
    """`2 3 4 5` or `2-5`, as ranks 0..12."""
    ranks: list[int] = []
    while words.more and words.peek() != "+":
        low, dash, high = words.peek().partition("-")
        if not (is_rank(low) and (is_rank(high) if dash else True)):
            raise words.misread(tuple(RANKS))
        words.take()
        first = RANKS.index(low.replace("10", "T"))
        last = RANKS.index(high.replace("10", "T")) if dash else first
        ranks += range(first, last + 1)
    return ranks


JOKERS = frozenset(range(FIRST_JOKER, FIRST_JOKER + 4))
COLOURS: dict[str, frozenset[int]] = {
    "red": frozenset(c for c in range(NATURAL_CARDS) if SUITS[c % 4] in "dh"),
    "black": frozenset(c for c in range(NATURAL_CARDS) if SUITS[c % 4] in "cs"),
}


def _cards_named(word: str) -> frozenset[int] | None:
    """The cards that a word names: a colour, jokers, a suit, a rank or one card."""
    if word in COLOURS:
        return COLOURS[word]
    if word in {"joker", "jokers"}:
        return JOKERS
    for suit, (letter, name) in enumerate(zip(SUITS, SUIT_NAMES, strict=True)):
        if word in {letter, name, name[:-1]}:
            return frozenset(range(suit, NATURAL_CARDS, 4))
    if is_rank(word):
        first = 4 * RANKS.index(word.replace("10", "T"))
        return frozenset(range(first, first + 4))
    card = CARDS.get(word)
    return None if card is None or card >= len(TEXTS) - 1 else frozenset({card})


def read_cards(words: Words) -> CardSet:
    """`3`, `Kh up`, `s down`, `red`, `joker`."""
    text = " ".join(words.items[words.at :])
    cards = _cards_named(words.peek())
    if cards is None:
        raise words.misread(("a rank", "a card", "a suit", "red", "black", "joker"))
    words.take()
    zone = words.take_if("down", "up")
    return CardSet(cards, cast(Literal["", "down", "up"], zone), text)


def read_card_list(words: Words, *, until: tuple[str, ...] = ()) -> list[int]:
    cards: list[int] = []
    while words.more and words.peek() not in until:
        card = CARDS.get(words.peek())
        if card is None or card >= len(TEXTS) - 1:
            raise words.misread(("a card such as As",))
        cards.append(card)
        words.take()
    if not cards:
        raise words.misread(("a card such as As",))
    return cards


# --- places and patterns ------------------------------------------------------------------------

ZONES = ("down", "up", "own", "board", "line", "row")


def read_place(words: Words, names: Names) -> Place:
    word = words.peek()
    if word in names.slots:
        slots = [words.take()]
        while words.peek() in names.slots:
            slots.append(words.take())
        return Place("slots", slots=tuple(slots))
    if word in names.piles:
        return Place("pile", pile=words.take())
    if word == "row":
        words.take()
        return Place("row", number=read_number(words))
    if word == "line":
        words.take()
        return Place("line", number=read_number(words) if is_number(words.peek()) else 0)
    if word in {"down", "up", "own", "board"}:
        return Place(cast(Literal["down", "up", "own", "board"], words.take()))
    raise words.misread((*ZONES, *sorted(names.slots), *sorted(names.piles)))


def read_term(words: Words, names: Names) -> Term:
    if words.take_if("any"):
        number = read_number(words)
        return Term("count", (Place("own"), Place("board")), number, number)
    quantity: Literal["count", "all", "rest"] = "count"
    least = most = 0
    if words.peek() in {"all", "rest"}:
        quantity = cast(Literal["all", "rest"], words.take())
    elif is_count(words.peek()):
        least, most = read_count(words)
    else:
        raise words.misread(("any", "all", "rest", "a number"))
    places = [read_place(words, names)]
    while words.take_if("or"):
        places.append(read_place(words, names))
    return Term(quantity, tuple(places), least, most)


def read_pattern(words: Words, names: Names) -> Pattern:
    start = words.at
    terms = [read_term(words, names)]
    while words.take_if("+"):
        terms.append(read_term(words, names))
    return Pattern(tuple(terms), text=" ".join(words.items[start : words.at]))


def read_hand(text: str, names: Names) -> Pattern | None:
    """`2 down + 3 board when ...`; None when the options rule it out."""
    words = Words(text)
    pattern = read_pattern(words, names)
    tests = read_when(words, names)
    words.done()
    if tests is None:
        return None
    return Pattern(pattern.terms, tests, pattern.text)


def read_when(words: Words, names: Names) -> tuple[CardsAre, ...] | None:
    """The conditions on cards after `when`; None when a condition on options does not hold."""
    if not words.take_if("when"):
        return ()
    tests: list[CardsAre] = []
    holds = True
    while True:
        negated = bool(words.take_if("not"))
        if words.peek() in names.options:
            holds &= _option_is(words, names) != negated
        else:
            tests.append(_read_cards_are(words, names, negated=negated))
        if not words.take_if("and"):
            return tuple(tests) if holds else None


def _option_is(words: Words, names: Names) -> bool:
    option = words.take()
    choices = names.words.get(option, ())
    if choices and words.peek() not in choices:
        raise words.misread(choices)
    return str(names.chosen[option]) == words.take()


def _read_cards_are(words: Words, names: Names, *, negated: bool) -> CardsAre:
    try:
        place = read_place(words, names)
    except Misread as misread:
        could_be = (*misread.could_be, *sorted(names.options))
        raise Misread(misread.word, misread.text, could_be) from misread
    colour = words.take_if("red", "black")
    least, most = read_count(words)
    return CardsAre(place, cast(Literal["", "red", "black"], colour), least, most, negated)


# --- shares -------------------------------------------------------------------------------------

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
    return Alternative(
        found.scale, found.number, found.cards, bar, tuple(patterns), line, scale_text
    )


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


# --- wild cards, killers, points ----------------------------------------------------------------


def read_wild(text: str, names: Names) -> CardSet | RankOf | None:
    """`9`, `red 3 down`, `rank of middle down`, `rank of a`; None for a fact that is `none`."""
    words = Words(text)
    if words.peek() == "none" and len(words.items) == 1:
        return None
    if words.peek() == "rank" and words.peek(1) == "of":
        words.take()
        words.take()
        which = words.take_if("middle", "lowest", "highest", "last") or "last"
        place = read_place(words, names)
        words.done()
        named = cast(Literal["middle", "lowest", "highest", "last"], which)
        return RankOf(named, place, text)
    found = read_cards(words)
    words.done()
    return CardSet(found.cards, found.zone, text)


def read_kill(text: str) -> CardSet:
    words = Words(text)
    found = read_cards(words)
    words.done()
    return found


def read_points(text: str) -> tuple[frozenset[int], tuple[int, ...], bool]:
    """`A 1 11`: the cards, what they may count, and whether this turns signs instead."""
    words = Words(text)
    if words.peek() in COLOURS and words.peek(1) == "minus":
        colour = words.take()
        words.take()
        words.done()
        return COLOURS[colour], (), True
    cards: frozenset[int] = frozenset()
    # a rank that is a digit may only stand first: what follows it are its values
    while words.more and (not cards or not is_number(words.peek())):
        named = _cards_named(words.peek())
        if named is None:
            break
        cards |= named
        words.take()
    values: list[int] = []
    while words.more:
        values.append(read_number(words, most=1000))
    if not cards or not values:
        raise words.misread(("a rank and its points, such as A 1 11", "black minus"))
    return cards, tuple(values), False


def read_deck(text: str) -> frozenset[int]:
    words = Words(text)
    words.expect("52")
    cards = set(range(NATURAL_CARDS))
    if words.take_if("without"):
        ranks = read_ranks(words)
        if not ranks:
            raise words.misread(tuple(RANKS))
        cards -= {card for card in cards if card // 4 in ranks}
    if words.take_if("+"):
        jokers = read_number(words, most=4)
        words.expect("joker", "jokers")
        cards |= set(range(FIRST_JOKER, FIRST_JOKER + jokers))
    words.done()
    return frozenset(cards)


# --- the deal -----------------------------------------------------------------------------------


def read_steps(text: str, names: Names) -> list[Step]:
    """The steps of one string of the deal: `2 down 1 up` is two; by its `when` perhaps none."""
    text, when, condition = text.partition(" when ")
    if when and not _is_dealt(Words(f"when {condition}"), names):
        _read_steps(text, names)  # its words must be right all the same
        return []
    return _read_steps(text, names)


def _is_dealt(words: Words, names: Names) -> bool:
    """Whether the options ask for a step. Cards can't: who is dealt to must not hang on them."""
    tests = read_when(words, names)
    words.done()
    if tests:
        raise Misread("when", "a step of the deal hangs on options alone", sorted(names.options))
    return tests is not None


def _read_steps(text: str, names: Names) -> list[Step]:
    words = Words(text)
    if is_number(words.peek()):
        return _read_dealt(words, names)
    reader = STEP_READERS.get(words.peek())
    if reader is None:
        raise words.misread((*STEP_READERS, "a number and down or up"))
    step = reader(words, names)
    words.done()
    return [step]


def _read_dealt(words: Words, names: Names) -> list[Step]:
    steps = []
    while words.more:
        number = read_number(words)
        if words.take_if("to"):
            pile = words.take()
            if not pile:
                raise words.misread(("the name of a pile",))
            steps.append(Step("deal", words.text, f"pile {pile}", number, number))
        else:
            zone = words.expect("down", "up", "to")
            steps.append(Step("deal", words.text, zone, number, number))
    return steps


def _read_board(words: Words, names: Names) -> Step:
    words.take()
    slots = []
    while words.more and words.peek() != "down":
        if words.peek() not in names.slots:
            raise words.misread(sorted(names.slots))
        slots.append(words.take())
    if not slots:
        raise words.misread(sorted(names.slots))
    return Step("board", words.text, slots=tuple(slots), face_down=bool(words.take_if("down")))


def _read_plain_step(words: Words, names: Names) -> Step:
    return Step(words.take(), words.text)


OPENERS = ("left", "high", "low", "best", "lowest", "last")


def _read_bet(words: Words, names: Names) -> Step:
    """`bet`, `bet best opens`, `bet high must open`, `bet JJ-or-better opens`."""
    words.take()
    if not words.more:
        return Step("bet", words.text)
    opener = words.peek()
    if opener.endswith(BAR_END):
        read_bar(words)
    else:
        words.expect(*OPENERS, "JJ-or-better")
    must = bool(words.take_if("must"))
    words.expect("open" if must else "opens", *(() if must else ("must",)))
    return Step("bet", words.text, word=opener, must=must)


def _read_bring_in(words: Words, names: Names) -> Step:
    words.take()
    return Step("bring-in", words.text, word=words.expect("low", "high"))


def _read_exchange(words: Words, names: Names) -> Step:
    """`discard 0-1`, `draw 0-3 less 1`, `buy 0-1 common for fee`, `draw for 4 up`."""
    verb = words.take()
    if verb == "draw" and words.take_if("for"):
        rank = read_rank(words)
        words.expect("up")
        return Step("extra", words.text, ranks=frozenset({rank}))
    least, most = read_count(words)
    sign = {"plus": 1, "less": -1}.get(words.take_if("plus", "less"), 0)
    change = sign * read_number(words) if sign else 0
    zone = words.take_if("any", "down", "up", "common")
    price = words.take() if words.take_if("for") else ""
    return Step(verb, words.text, zone, least, most, change, word=price)


def _read_pass(words: Words, names: Names) -> Step:
    words.take()
    number = read_number(words)
    return Step("pass", words.text, "down", number, number, word=words.expect(*DIRECTIONS))


def _read_turn(words: Words, names: Names) -> Step:
    words.take()
    if words.take_if("until"):
        return Step("turn until", words.text, word=words.expect("best"))
    least, most = read_count(words)
    return Step("turn", words.text, "up", least, most)


def _read_set(words: Words, names: Names) -> Step:
    """`set front 3 middle 5`: cards of the hand laid into piles; the first pile is the step's."""
    words.take()
    piles = []
    while words.more:
        pile = words.take()
        piles.append(f"{pile} {read_number(words)}")
    if not piles:
        raise words.misread(("a pile and a number",))
    return Step("set", words.text, word=", ".join(piles))


def _read_replace(words: Words, names: Names) -> Step:
    words.take()
    words.expect("board")
    number = read_number(words)
    return Step("replace", words.text, "board", number, number)


def _read_remove(words: Words, names: Names) -> Step:
    words.take()
    words.expect("row")
    return Step("remove", words.text, "board")


def _read_asking(words: Words, names: Names) -> Step:
    verb = words.take()
    if words.peek() not in names.options:
        raise words.misread(sorted(names.options))
    return Step(verb, words.text, word=words.take())


DIRECTIONS = ("left", "right", "across")
STEP_READERS: dict[str, Callable[[Words, Names], Step]] = {
    **dict.fromkeys(
        ("ante", "blinds", "button-blind", "bomb", "burn", "declare", "in-or-out", "shuffle"),
        _read_plain_step,
    ),
    "board": _read_board,
    "bring-in": _read_bring_in,
    "bet": _read_bet,
    **dict.fromkeys(("discard", "draw", "buy"), _read_exchange),
    "pass": _read_pass,
    "turn": _read_turn,
    "set": _read_set,
    "replace": _read_replace,
    "remove": _read_remove,
    **dict.fromkeys(("roll", "choose"), _read_asking),
}


# --- betting ------------------------------------------------------------------------------------

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


# --- dues ---------------------------------------------------------------------------------------


def read_due(text: str) -> Due:
    """`put 1 2 3 4 5 row 1`, `take rank row 2`, `bank dealer`, `leftover carry`."""
    words = Words(text)
    verb = words.expect("put", "take", "bank", "leftover", "losers")
    due = DUE_READERS[verb](words, verb)
    words.done()
    return due


def _read_row_due(words: Words, verb: str) -> Due:
    values: list[int] = []
    if not words.take_if("rank"):
        while is_number(words.peek()):
            values.append(read_number(words, most=1_000_000))
        if not values:
            raise words.misread(("rank", "a number of chips for each card of the row"))
    words.expect("row")
    return Due(verb, row=read_number(words), values=tuple(values))


def _read_word_due(*allowed: str) -> Callable[[Words, str], Due]:
    def read(words: Words, verb: str) -> Due:
        return Due(verb, word=words.expect(*allowed))

    return read


def _read_losers(words: Words, verb: str) -> Due:
    words.expect("match")
    words.expect("pot")
    return Due(verb, word="match pot")


DUE_READERS: dict[str, Callable[[Words, str], Due]] = {
    "put": _read_row_due,
    "take": _read_row_due,
    "bank": _read_word_due("dealer"),
    "leftover": _read_word_due("dealer", "carry"),
    "losers": _read_losers,
}

OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
SLOT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}\Z")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
