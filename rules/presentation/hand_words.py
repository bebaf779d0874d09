"""Describe a document's patterns, scales, wild cards, ranking and points in plain sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.cards import NATURAL_CARDS, RANK_NAMES, RANK_PLURALS, RANKS, SUIT_NAMES, SUITS
from rules.game.category_order import QUICK_QUADS
from rules.game.game import (
    Alternative,
    CardOf,
    CardsAre,
    Game,
    Pattern,
    Place,
    RankOf,
    Term,
    WildRule,
)
from rules.game.grammar import BAR_END, GROUPS
from rules.ranking import CATEGORIES, FULL_HAND, HOUSE_KINDS, LONG_KINDS, of_one_rank
from rules.settlement.story.words import count, listed, with_article
from rules.showdown.naming import card_name
from rules.showdown.selections import hand_size

_TOP = " high"
_NO_ARTICLE = re.compile(r"(two|three|four|five|no) .*|.* (high|points?)|[\dAKQJ]+(-.*)?")


def hand_phrase(name: str) -> str:
    """Return a hand's name for use in a sentence: `straight, six high` as `a six-high straight`."""
    hand, comma, top = name.removesuffix(_TOP).rpartition(", ")
    words = f"{top}-high {hand}" if comma and name.endswith(_TOP) else name
    if _NO_ARTICLE.fullmatch(words):
        return words
    is_card = words.endswith(tuple(f" of {suit}" for suit in SUIT_NAMES))
    return f"the {words}" if is_card else with_article(words)


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
    """Describe a qualifier: `JJ-or-better` is `a pair of jacks or better`."""
    cards = bar.removesuffix(BAR_END)
    if len(cards) > 1 and set(cards) <= {cards[0]} and cards[0] in RANKS:
        kind = {2: "a pair of", 3: "three", 4: "four"}.get(len(cards), "")
        return f"{kind} {RANK_PLURALS[RANKS.index(cards[0])]} or better"
    return spelled_ten(bar.replace("-", " "))


def spelled_ten(text: str) -> str:
    """Return a string of a document with 10 in place of T."""
    return " ".join("10" if word == "T" else word for word in text.split(" "))


ANY_LINE = "any one line"


def pattern_words(pattern: Pattern) -> str:
    """Describe a pattern: `Two hole cards plus three of the board`. The term `rest` comes last."""
    alone = len(pattern.terms) == 1
    terms = sorted(pattern.terms, key=lambda term: term.quantity == "rest")
    words = " plus ".join(_term_words(term, alone=alone) for term in terms)
    return words[:1].upper() + words[1:] + condition(pattern.tests)


def without_board(pattern: Pattern) -> Pattern:
    """Return the pattern for a game without a board: `any 5` is five of the player's cards."""
    terms = (
        replace(term, places=tuple(place for place in term.places if place.zone != "board"))
        for term in pattern.terms
    )
    return replace(pattern, terms=tuple(terms))


def _term_words(term: Term, *, alone: bool) -> str:
    cards = [_cards_at(place) for place in term.places]
    joined = (" and " if alone else " or ").join(cards)
    if term.quantity == "all":
        return "one whole line" if joined == ANY_LINE else f"all of {joined}"
    if term.quantity == "rest":
        return f"enough of {joined} to complete the hand"
    if term.least != term.most:
        return f"{number(term.least)} to {number(term.most)} of {joined}, as many as there are"
    if len(cards) == 1 and term.places[0].zone in HELD:
        return counted(term.most, HELD[term.places[0].zone])
    best = "best " if alone and (len(cards) > 1 or term.places[0].zone == "own") else ""
    return f"{best}{number(term.most)} of {joined}"


HELD = {"down": "hole card", "up": "face-up card"}


def _cards_at(place: Place) -> str:
    """Return `your hole cards`, `the board`, `row 1` or `any one line`."""
    match place.zone:
        case "down" | "up":
            return f"your {HELD[place.zone]}s"
        case "own":
            return "your cards"
        case "unused":
            return "your cards that the other hand leaves"
        case "line":
            return f"line {place.number}" if place.number else ANY_LINE
    return place_words(place).removeprefix("of ")


def place_words(place: Place) -> str:
    match place.zone:
        case "down" | "up":
            return HELD[place.zone].removesuffix(" card")
        case "own":
            return "of your hand"
        case "unused":
            return "of your cards that the other hand leaves"
        case "board":
            return "of the board"
        case "line":
            return f"of {_cards_at(place)}"
        case "row":
            return f"of row {place.number}"
        case "slots":
            return f"of {' '.join(place.slots)}"
        case "pile":
            return f"of the {place.pile}"


SCALE_WORDS = {
    "high": "the best poker hand",
    "best": "the best low (aces low, straights and flushes ignored)",
    "worst": "the worst poker hand (deuce to seven: aces high, straights and flushes count)",
    "ace-to-six": "the lowest hand (aces low, straights and flushes count; best 6-4-3-2-A)",
    "reversed": "the highest ace-to-five hand (a pair loses to no pair; best K-Q-J-10-9)",
    "most points": "the most points",
    "least points": "the fewest points",
    "badugi": "the best badugi, aces low",
    "badugi-ace-high": "the best badugi, aces high",
    "hidugi": "the highest badugi",
}


def scale_words(alternative: Alternative) -> str:
    """Describe how a share is measured, and its qualifier."""
    scale = alternative.scale
    if scale == "closest":
        words = f"the points closest to {alternative.number} without exceeding it"
    elif scale == "nearest":
        words = f"the points nearest to {alternative.number} (if equally near, the lower)"
    elif scale == "holds":
        cards = sorted(alternative.cards.cards if alternative.cards else (), reverse=True)
        words = f"the player with {listed([f'the {card_name(card)}' for card in cards])}"
    elif scale in {"highest", "lowest"}:
        bar_text = alternative.bar.text if alternative.bar else ""
        which, *others = alternative.text.removesuffix(bar_text).split()
        if others and others[0] in {*SUITS}:
            where = [WHERE.get(word, word) for word in others[1:]]
            suit = SUIT_NAMES[SUITS.index(others[0])].removesuffix("s")
            words = " ".join(["the", which, suit, *where])
        else:
            of = f" of {' '.join(others)}" if others else ""
            order = "suits in the order spades, hearts, clubs, diamonds"
            words = f"the {which} single card{of}, {order}"
    else:
        words = SCALE_WORDS[scale]
    bar = f", {bar_words(alternative.bar.text)}" if alternative.bar else ""
    hands = " or ".join(map(_inner_words, alternative.patterns))
    line = f" on line {alternative.line}" if alternative.line else ""
    phrase = words + bar + (f", with {hands}" if hands else "") + line
    to_beat = " or ".join(map(_inner_words, alternative.beating))
    return phrase + (f", which must beat the hand of {to_beat}" if to_beat else "")


def _inner_words(pattern: Pattern) -> str:
    """Describe a pattern within a sentence."""
    return pattern_words(pattern).lower().removeprefix("best ")


WHERE = {"down": "in the hole", "up": "face up"}


def wild_words(rule: WildRule) -> str:
    """Return `Threes are`, `The joker is` or `Cards of the rank of the lowest hole card are`."""
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
    where = f" {WHERE.get(zone, zone)}" if zone else ""
    if cards in RANKS:
        named = ("deuces", *RANK_PLURALS[1:])[RANKS.index(cards)].capitalize()
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
    """Return conditions such as `, when row 1 has three red cards`."""
    clauses = []
    for test in tests:
        group = f"{test.group} " if test.group else ""
        count = count_range(test.least, test.most)
        if test.place.zone in {"down", "up", "own"}:
            cards = HELD.get(test.place.zone, "card")
            has = "don't have" if test.negated else "have"
            clauses.append(f"you {has} {count} {group}{cards}s")
        else:
            has = "does not have" if test.negated else "has"
            clauses.append(f"{_cards_at(test.place)} {has} {count} {group}cards")
    return f", when {' and '.join(clauses)}" if clauses else ""


WAYS = {
    "three cards": "Three cards in a row are a straight, and three of a suit a flush.",
    "four cards": "Four cards in a row are a straight, and four of a suit a flush.",
    "skip gaps": "Ranks that were taken out of the deck leave no gap in a straight.",
    "no wheel": "The ace is only high: no straight begins with it.",
    "wheel first": "The straight with a low ace is the highest.",
    "wheel second": "The straight with a low ace is the second highest.",
    QUICK_QUADS: "Trips and two cards that add up to their rank are quads; an ace counts one.",
}
# explanations of unusual kinds of hands
MEANINGS = {
    "blaze": "five face cards",
    "big-cat": "king high, eight low, no pair",
    "little-cat": "eight high, three low, no pair",
    "big-dog": "ace high, nine low, no pair",
    "little-dog": "seven high, two low, no pair",
    "skeet": "9, 5, 2, one card between each two of them",
    "five-and-dime": "ten high, five low, no pair",
    "skip-straight": "every second rank, as in 9-7-5-3-A",
    "round-straight": "an ace between, as in 3-2-A-K-Q",
}


CARDS_OF = {"two-pair": 4, "quads": 4, "full-house": 5, "five-of-a-kind": 5}
CARDS_OF |= {name: kind.size for name, kind in LONG_KINDS.items()}


def order_in_words(game: Game) -> Iterator[str]:
    """Yield sentences about an unusual order of hands."""
    if game.order != CATEGORIES:
        measures = (measure for share in game.shares for measure in share.alternatives)
        sizes = (hand_size(measure.patterns or game.hand) for measure in measures)
        size = max(sizes, default=FULL_HAND)
        possible = [kind for kind in reversed(game.order) if size >= CARDS_OF.get(kind, 1)]
        if not (game.wild or game.bug):  # five of a kind needs a wild card
            possible = [kind for kind in possible if kind != CATEGORIES[-1]]
        yield f"From the top: {', '.join(map(_kind, possible))}."
    for kind in HOUSE_KINDS:
        if kind in game.order:
            yield f"{_kind(kind).capitalize()}: {MEANINGS[kind]}."
    yield from (text for way, text in WAYS.items() if way in game.ways)
    lowest = min(card // 4 for card in game.deck)
    if "no wheel" not in game.ways and 0 < lowest < RANKS.index("T"):
        yield f"The ace also ranks below the {RANK_NAMES[lowest]}."


def _kind(name: str) -> str:
    """Return the name of a kind, such as `full house` or `three threes`."""
    if kind_and_rank := of_one_rank(name):
        count = {"pair": "two", "trips": "three", "quads": "four"}[kind_and_rank[0]]
        return f"{count} {RANK_PLURALS[kind_and_rank[1]]}"
    if name in LONG_KINDS and not LONG_KINDS[name].groups:
        return LONG_KINDS[name].name
    return name.replace("-", " ")


def top_in_words(game: Game) -> Iterator[str]:
    """Yield the cards that rank above the ace of spades, the highest first."""
    above: dict[int, list[int]] = {}
    for card, place in game.singles.items():
        if place > NATURAL_CARDS:
            above.setdefault(place, []).append(card)
    groups = [sorted(cards) for _, cards in sorted(above.items(), reverse=True)]
    for place, cards in enumerate(groups):
        names = [f"the {card_name(card)}" for card in cards if card < NATURAL_CARDS]
        jokers = [card for card in cards if card >= NATURAL_CARDS]
        if jokers:
            names.append("the joker" if len(jokers) == 1 else f"{count(len(jokers))} jokers")
        names_text = listed(names)
        equal = ", equal to each other" if len(cards) > 1 else ""
        below = "above the ace of spades" if place == len(groups) - 1 else "above all others"
        ranks = "ranks" if len(cards) == 1 else "rank"
        yield f"{names_text[:1].upper()}{names_text[1:]} {ranks} {below}{equal}."


def points_in_words(game: Game) -> Iterator[str]:
    """Yield sentences about the values of cards."""
    ranks_by_points: dict[str, list[str]] = {}  # for each value, the ranks that have it, in words
    number, odd = [], []
    for rank in (12, *range(12)):
        points = {card: _counts(game, card) for card in range(4 * rank, 4 * rank + 4)}
        usual = max(points.values(), key=[*points.values()].count)
        name = RANK_PLURALS[rank]
        if rank < FACES and usual == str(rank + 2):
            number.append(name)
        else:
            ranks_by_points.setdefault(usual, []).append(name)
        odd += [(card, counts) for card, counts in points.items() if counts != usual]
    nothing = ranks_by_points.pop("nothing", [])
    parts = [f"{listed(_faces(names))} count {counts}" for counts, names in ranks_by_points.items()]
    whole = len(number) == FACES  # whether every number card counts as its number
    if number and not whole:
        parts.append(f"{listed(number)} count their number")
    if nothing:
        parts.append(f"{listed(_faces(nothing))} count nothing")
    if whole:
        parts.append("the others count their number")
    text = f"{parts[0]}, {', '.join(part.replace(' count ', ' ', 1) for part in parts[1:])}"
    yield f"{text[:1].upper()}{text[1:].removesuffix(', ')}."
    for card, counts in odd:
        yield f"The {card_name(card)} counts {counts}."
    if any(card >= NATURAL_CARDS for card in game.deck):
        yield f"A joker counts {_counts(game, max(game.deck))}."
    minus = {card for card in range(52) if any(value < 0 for value in game.values[card])}
    if minus:
        groups = [group for group, cards in GROUPS.items() if minus >= cards]
        yield f"{listed(sorted(groups)).capitalize()} cards count minus."


FACES = RANKS.index("J")


def _counts(game: Game, card: int) -> str:
    """Return `1 or 11`, `half a point` or `nothing`, without the sign."""
    words = []
    for value in game.values[card]:
        whole, part = divmod(abs(value), game.per_point)
        if part:
            words.append(f"{whole} and a half" if whole else "half a point")
        else:
            words.append(str(whole) if whole else "nothing")
    return " or ".join(words)


def _faces(names: list[str]) -> list[str]:
    """Return the names of ranks. Jacks, queens and kings together are face cards."""
    faces = [*RANK_PLURALS[FACES : FACES + 3]]
    if not {*faces} <= {*names}:
        return names
    return [*(name for name in names if name not in faces), "face cards"]
