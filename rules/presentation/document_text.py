"""The words of a document said in plain sentences."""

from collections.abc import Sequence

from rules.cards import RANK_PLURALS, RANKS, SUIT_NAMES, SUITS
from rules.game.game import Alternative, CardOf, CardsAre, Pattern, Place, RankOf, Term, WildRule
from rules.game.grammar import BAR_END
from rules.settlement.story.words import listed
from rules.showdown.naming import card_name

NUMBERS = "no one two three four five six seven eight nine ten".split()


def number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def count_range(least: int, most: int) -> str:
    if least == most:
        return number(most)
    return f"up to {number(most)}" if least == 0 else f"{number(least)} to {number(most)}"


def bar_words(bar: str) -> str:
    """`JJ-or-better` as `a pair of jacks or better`."""
    cards = bar.removesuffix(BAR_END)
    if len(cards) > 1 and set(cards) <= {cards[0]} and cards[0] in RANKS:
        kind = {2: "a pair of", 3: "three", 4: "four"}.get(len(cards), "")
        return f"{kind} {RANK_PLURALS[RANKS.index(cards[0])]} or better"
    return spelled_ten(bar.replace("-", " "))


def spelled_ten(text: str) -> str:
    """Words of a document with 10 for T, as people read it."""
    return " ".join("10" if word == "T" else word for word in text.split(" "))


ANY_LINE = "of any one line"


def pattern_words(pattern: Pattern) -> str:
    """`Exactly two down and three of the board`; what makes the hand whole comes last."""
    terms = [_term_words(term) for term in pattern.terms if term.quantity != "rest"]
    rest = [_term_words(term) for term in pattern.terms if term.quantity == "rest"]
    words = ", plus ".join(filter(None, [" and ".join(terms), *rest]))
    return words[:1].upper() + words[1:] + condition(pattern.tests)


def _term_words(term: Term) -> str:
    places = " or ".join(place_words(place) for place in term.places)
    if term.quantity == "all":
        return "one whole line" if places == ANY_LINE else f"all the cards {places}"
    if term.quantity == "rest":
        return f"as many {places} as it still needs"
    if term.least != term.most:
        return f"{number(term.least)} to {number(term.most)} {places}, as many as there are"
    return f"{number(term.most)} {places}"


def place_words(place: Place) -> str:
    match place.zone:
        case "down" | "up":
            return place.zone
        case "own":
            return "of one's own"
        case "unused":
            return "of one's own that the hand before leaves"
        case "board":
            return "of the board"
        case "line":
            return f"of line {place.number}" if place.number else ANY_LINE
        case "row":
            return f"of row {place.number}"
        case "slots":
            return f"of {' '.join(place.slots)}"
        case "pile":
            return f"of the {place.pile}"


SCALE_WORDS = {
    "high": "the highest poker hand",
    "best": "the best low, aces one, straights and flushes ignored",
    "worst": "the worst poker hand, deuce to seven, aces high, straights and flushes count against",
    "ace-to-six": "the lowest hand, aces one, straights and flushes count against (best 6-4-3-2-A)",
    "reversed": "the highest ace-to-five hand, no pair before a pair (best K-Q-J-10-9)",
    "most points": "the most points",
    "least points": "the fewest points",
    "badugi": "the best badugi, aces low",
    "badugi-ace-high": "the best badugi, aces high",
    "hidugi": "the highest badugi",
}


def scale_words(alternative: Alternative) -> str:
    """How a share is measured, and what it takes."""
    scale = alternative.scale
    if scale == "closest":
        words = f"the points closest to {alternative.number} and not above"
    elif scale == "nearest":
        words = f"the points nearest to {alternative.number}, of two as near the one below"
    elif scale == "holds":
        cards = sorted(alternative.cards.cards if alternative.cards else (), reverse=True)
        words = f"whoever holds {listed([f'the {card_name(card)}' for card in cards])}"
    elif scale in {"highest", "lowest"}:
        words = _single_words(alternative)
    else:
        words = SCALE_WORDS[scale]
    bar = f", {bar_words(alternative.bar.text)}" if alternative.bar else ""
    hands = " or ".join(pattern_words(p).lower() for p in alternative.patterns)
    line = f" on line {alternative.line}" if alternative.line else ""
    said = words + bar + (f", of {hands}" if hands else "") + line
    to_beat = " or ".join(pattern_words(p).lower() for p in alternative.beating)
    return said + (f", which must beat the hand of {to_beat}" if to_beat else "")


def _single_words(alternative: Alternative) -> str:
    words = alternative.text.removesuffix(alternative.bar.text if alternative.bar else "").split()
    suit = SUITS.find(words[1]) if len(words) > 1 and len(words[1]) == 1 else -1
    if suit >= 0:
        return " ".join(["the", words[0], SUIT_NAMES[suit][:-1], *words[2:]])
    which = f" of {' '.join(words[1:])}" if words[1:] else ""
    return f"the {words[0]} single card{which}, suits spades, hearts, clubs, diamonds"


def wild_words(rule: WildRule) -> str:
    """`Threes are`, `The joker is`, `Cards of the rank of the lowest down card are`."""
    if isinstance(rule, CardOf):
        if rule.place.zone == "slots":
            return f"The card {rule.place.slots[0 if rule.which == 'first' else -1]} is"
        return f"The {rule.which} {place_words(rule.place)} card is"
    if isinstance(rule, RankOf):
        place = place_words(rule.place)
        if rule.place.zone == "slots" and len(rule.place.slots) == 1:
            return f"Cards of the rank of {rule.place.slots[0]} on the board are"
        if place.startswith("of "):
            return f"Cards of the rank of the {rule.which} card {place} are"
        return f"Cards of the rank of the {rule.which} {place} card are"
    cards, _, zone = rule.text.replace("10", "T").partition(" ")
    where = f" {zone}" if zone else ""
    if cards in RANKS:
        named = RANK_PLURALS[RANKS.index(cards)].capitalize()
    elif cards in SUITS:
        named = SUIT_NAMES[SUITS.index(cards)].capitalize()
    elif len(rule.cards) == 1:
        return f"The {card_name(min(rule.cards))}{where} is"
    elif cards.rstrip("s") == "joker":
        named = "Jokers"
    else:
        named = f"{cards.capitalize()} cards"
    return f"{named}{where} are"


def condition(tests: Sequence[CardsAre]) -> str:
    """`, when row 1 has three red cards`."""
    said = []
    for test in tests:
        group = f"{test.group} " if test.group else ""
        has = "does not have" if test.negated else "has"
        count = count_range(test.least, test.most)
        said.append(f"{place_words(test.place).removeprefix('of ')} {has} {count} {group}cards")
    return f", when {' and '.join(said)}" if said else ""
