"""The words of a document said in plain sentences."""

from collections.abc import Callable, Iterator, Sequence

from rules.cards import RANK_PLURALS, RANKS, SUIT_NAMES, SUITS
from rules.game.game import (
    Alternative,
    Betting,
    CardsAre,
    CardSet,
    Limit,
    Pattern,
    Place,
    RankOf,
    Step,
    Term,
)
from rules.game.grammar import BAR_END
from rules.showdown.naming import card_name

NUMBERS = "no one two three four five six seven eight nine ten".split()
DEAL_WORDS = {
    "ante": "everybody antes",
    "blinds": "the blinds are posted",
    "button-blind": "the dealer posts the blind",
    "bomb": "everybody puts in the bomb",
    "bet": "a round of betting",
    "burn": "a card is burned",
    "declare": "everybody declares at once, by fist",
    "in-or-out": "everybody says in or out at once",
    "shuffle": "the deck is shuffled",
    "remove": "a row is taken away",
}
OPENERS = {
    "left": "the player next to the dealer",
    "high": "the highest card showing",
    "low": "the lowest card showing",
    "best": "the best hand showing",
    "lowest": "the lowest hand showing",
    "last": "whoever raised last",
}
LIMITS = {
    "table": "bets as the table likes",
    "no-limit": "no limit",
    "pot-limit": "up to the size of the pot",
    "half-pot": "up to half the pot",
    "small": "the small bet",
    "big": "the big bet",
    "mid": "everybody puts in a mid of the ante's size, or folds",
    "none": "no betting, the antes are all there is",
}


def number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def _range(least: int, most: int) -> str:
    if least == most:
        return number(most)
    return f"up to {number(most)}" if least == 0 else f"{number(least)} to {number(most)}"


def step_words(step: Step) -> str:
    """One step of the deal."""
    say = STEP_WORDS.get(step.verb)
    return say(step) if say else DEAL_WORDS.get(step.verb, step.text)


def dealt_words(steps: Sequence[Step]) -> str:
    """Cards dealt at once: `two cards down and one up to each player`."""
    first, *others = [(step.most, _zone_words(step.zone)) for step in steps]
    more = "".join(f" and {number(count)} {zone}" for count, zone in others)
    return f"{counted(first[0], 'card')} {first[1]}{more} to each player"


def _zone_words(zone: str) -> str:
    return f"into {zone.removeprefix('pile ')}" if zone.startswith("pile ") else zone


def _board(step: Step) -> str:
    face = ", face down" if step.face_down else ""
    return f"{counted(len(step.slots), 'card')} on the board ({' '.join(step.slots)}){face}"


def _drawn(step: Step) -> str:
    zone = f" {step.zone}" if step.zone in {"down", "up"} else ""
    return f"each player may exchange {_range(step.least, step.most)}{zone}"


def _bought(step: Step) -> str:
    price = f" for {'a ' if step.word == 'fee' else ''}{step.word}" if step.word else ""
    common = ", all the same card, turned up" if step.zone == "common" else ""
    return f"each player may buy {_range(step.least, step.most)} in exchange{price}{common}"


def _bet(step: Step) -> str:
    if step.limit and step.limit.kind in {"mid", "none"}:
        return limit_words(step.limit)
    limit = f" ({limit_words(step.limit)})" if step.limit else ""
    betting = DEAL_WORDS["bet"] + limit
    if not step.word:
        return betting
    if step.word not in OPENERS:
        return f"{betting}, which takes {_bar_words(step.word)} to open"
    return f"{betting}; {OPENERS[step.word]} {'must open' if step.must else 'opens'}"


STEP_WORDS: dict[str, Callable[[Step], str]] = {
    "deal": lambda step: dealt_words([step]),
    "board": _board,
    "draw": _drawn,
    "buy": _bought,
    "bet": _bet,
    "discard": lambda step: (
        f"each player throws away {_range(step.least, step.most)}, not replaced"
    ),
    "pass": lambda step: f"each player passes {counted(step.most, 'card')} {step.word}",
    "turn": lambda step: f"each player turns {counted(step.most, 'card')} up",
    "turn until": lambda step: (
        "players turn their cards one by one, in turn, until they beat the best hand yet"
    ),
    "extra": lambda step: "a card for each that earns one",
    "bring-in": lambda step: f"the {step.word} card showing brings it in",
    "set": lambda step: f"each player lays {step.word}",
    "replace": lambda step: f"{counted(step.most, 'card')} of the board are replaced",
}


def _bar_words(bar: str) -> str:
    """`JJ-or-better` as `a pair of jacks or better`."""
    cards = bar.removesuffix(BAR_END)
    if len(cards) > 1 and set(cards) <= {cards[0]} and cards[0] in RANKS:
        kind = {2: "a pair of", 3: "three", 4: "four"}.get(len(cards), "")
        return f"{kind} {RANK_PLURALS[RANKS.index(cards[0])]} or better"
    return bar.replace("-", " ")


def betting_words(betting: Betting) -> Iterator[str]:
    """The limits of the rounds, and what else is said of betting."""
    limits = [limit_words(limit) for limit in betting.limits]
    if len(set(limits)) == 1:
        yield f"Betting: {limits[0]}"
    elif limits:
        yield f"Betting, round by round: {'; '.join(limits)}"
    if betting.open_pair:
        yield "As soon as somebody shows a pair, the last limit holds"
    if betting.out_of_turn:
        yield (
            f"When {counted(betting.out_of_turn, 'player')} acted out of turn through the dealer's "
            "error it stands; fewer are put right"
        )


def limit_words(limit: Limit) -> str:
    if limit.kind != "spread":
        return LIMITS[limit.kind]
    if limit.least == limit.most:
        return counted(limit.most, "chip")
    return f"{number(limit.least)} to {counted(limit.most, 'chip')}"


ANY_LINE = "of any one line"


def pattern_words(pattern: Pattern) -> str:
    """`Exactly two down and three of the board`; what makes the hand whole comes last."""
    terms = [_term_words(term) for term in pattern.terms if term.quantity != "rest"]
    rest = [_term_words(term) for term in pattern.terms if term.quantity == "rest"]
    words = ", plus ".join(filter(None, [" and ".join(terms), *rest]))
    return words[:1].upper() + words[1:] + condition(pattern.tests)


def _term_words(term: Term) -> str:
    places = " or ".join(_place_words(place) for place in term.places)
    if term.quantity == "all":
        return "one whole line" if places == ANY_LINE else f"all the cards {places}"
    if term.quantity == "rest":
        return f"as many {places} as it still needs"
    if term.least != term.most:
        return f"{number(term.least)} to {number(term.most)} {places}, as many as there are"
    return f"{number(term.most)} {places}"


def _place_words(place: Place) -> str:
    match place.zone:
        case "down" | "up":
            return place.zone
        case "own":
            return "of one's own"
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
    elif scale == "holds":
        words = f"whoever holds {alternative.text.removeprefix('holds ')}"
    elif scale in {"highest", "lowest"}:
        words = _single_words(alternative)
    else:
        words = SCALE_WORDS[scale]
    bar = f", {_bar_words(alternative.bar.text)}" if alternative.bar else ""
    hands = " or ".join(pattern_words(p).lower() for p in alternative.patterns)
    line = f" on line {alternative.line}" if alternative.line else ""
    return words + bar + (f", of {hands}" if hands else "") + line


def _single_words(alternative: Alternative) -> str:
    words = alternative.text.removesuffix(alternative.bar.text if alternative.bar else "").split()
    suit = SUITS.find(words[1]) if len(words) > 1 and len(words[1]) == 1 else -1
    if suit >= 0:
        return " ".join(["the", words[0], SUIT_NAMES[suit][:-1], *words[2:]])
    which = f" of {' '.join(words[1:])}" if words[1:] else ""
    return f"the {words[0]} single card{which}, suits spades, hearts, clubs, diamonds"


def wild_words(rule: CardSet | RankOf) -> str:
    """`Threes are`, `The joker is`, `Cards of the rank of the lowest down card are`."""
    if isinstance(rule, RankOf):
        place = _place_words(rule.place)
        if rule.place.zone == "slots" and len(rule.place.slots) == 1:
            return f"Cards of the rank of {rule.place.slots[0]} on the board are"
        if place.startswith("of "):
            return f"Cards of the rank of the {rule.which} card {place} are"
        return f"Cards of the rank of the {rule.which} {place} card are"
    cards, _, zone = rule.text.partition(" ")
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
        colour = f"{test.colour} " if test.colour else ""
        has = "does not have" if test.negated else "has"
        count = _range(test.least, test.most)
        said.append(f"{_place_words(test.place).removeprefix('of ')} {has} {count} {colour}cards")
    return f", when {' and '.join(said)}" if said else ""
