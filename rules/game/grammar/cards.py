"""Parse cards in a document: sets of cards, wild cards, killing cards, points, the deck."""

from dataclasses import replace
from functools import lru_cache
from typing import Literal, cast

from rules.cards import (
    CARDS,
    FIRST_JOKER,
    NATURAL_CARDS,
    RANKS,
    SUIT_NAMES,
    SUITS,
    TEXTS,
    usual_spelling,
)
from rules.game.game import CardOf, CardSet, RankOf, WildRule
from rules.game.grammar.patterns import read_place
from rules.game.grammar.words import (
    GrammarError,
    Names,
    Words,
    is_number,
    is_rank,
    read_number,
    read_ranks,
)

JOKERS = frozenset(range(FIRST_JOKER, FIRST_JOKER + 4))
COLOURS: dict[str, frozenset[int]] = {
    "red": frozenset(c for c in range(NATURAL_CARDS) if SUITS[c % 4] in "dh"),
    "black": frozenset(c for c in range(NATURAL_CARDS) if SUITS[c % 4] in "cs"),
}
FACE = "face"
GROUPS = COLOURS | {FACE: frozenset(c for c in range(NATURAL_CARDS) if RANKS[c // 4] in "JQK")}


def _cards_named(word: str) -> frozenset[int] | None:
    """Return the cards named by a word: a colour, faces, jokers, a suit, a rank or one card."""
    if word in GROUPS:
        return GROUPS[word]
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
    """Parse cards such as `3`, `Kh up`, `s down`, `red` or `joker`."""
    text = " ".join(words.items[words.at :])
    cards = _cards_named(words.peek())
    if cards is None:
        _hint_at_spelling(words)
        raise words.misread(("a rank", "a card", "a suit", *GROUPS, "joker"))
    words.take()
    zone = words.take_if("down", "up")
    return CardSet(cards, cast("Literal['', 'down', 'up']", zone), text)


def _hint_at_spelling(words: Words) -> None:
    """Raise GrammarError with the correct spelling for a card such as `2♣` or `c2`."""
    if card := usual_spelling(words.peek()):
        raise GrammarError(words.peek(), f"{words.peek()!r} must be written {card}", (card,))


def read_card_list(words: Words, *, until: tuple[str, ...] = ()) -> list[int]:
    cards: list[int] = []
    while words.more and words.peek() not in until:
        card = CARDS.get(words.peek())
        if card is None or card >= len(TEXTS) - 1:
            _hint_at_spelling(words)
            raise words.misread(("a card such as As",))
        cards.append(card)
        words.take()
    if not cards:
        raise words.misread(("a card such as As",))
    return cards


def read_wild(text: str, names: Names) -> WildRule | None:
    """Parse `9`, `red 3 down`, `rank of middle down`, `card of a` or `2 for low`.

    The default of `rank of` and `card of` is the last card. Return None for a fact that is `none`.
    """
    set_text, _, share = text.partition(" for ")
    words = Words(set_text)
    if words.peek() == "none" and len(words.items) == 1:
        return None
    if words.peek(1) == "of":
        is_card = words.expect("rank", "card") == "card"
        words.expect("of")
        places = ("first", "last") if is_card else ("middle", "lowest", "highest", "first", "last")
        which = words.take_if(*places) or "last"
        place = read_place(words, names)
        words.done()
        if is_card:
            end = cast("Literal['first', 'last']", which)
            return CardOf(end, place, set_text, share.strip())
        rank = cast("Literal['middle', 'lowest', 'highest', 'first', 'last']", which)
        return RankOf(rank, place, set_text, share.strip())
    cards = read_cards(words)
    words.done()
    return CardSet(cards.cards, cards.zone, set_text, share.strip())


def read_kill(text: str, names: Names) -> CardSet | RankOf | None:
    """Parse `Kh up`, `Qs up for all` or `rank of a` (all cards of the rank in a slot).

    Return None for `none`.
    """
    words = Words(text)
    if words.items == ["none"]:
        return None
    if words.peek(1) == "of":
        words.expect("rank")
        words.expect("of")
        place = read_place(words, names)
        zone = cast("Literal['', 'down', 'up']", words.take_if("down", "up"))
        words.done()
        if place.zone != "slots":
            raise GrammarError(
                text,
                "the rank that kills must be that of a slot of the board",
                sorted(names.slots),
            )
        return RankOf("last", place, text, zone=zone)
    cards = read_cards(words)
    if words.take_if("for"):
        words.expect("all")
        if cards.zone != "up":
            raise words.misread(("up",), "only a card up can end the deal for all players")
        cards = replace(cards, ends="all in" if words.take_if("in") else "all")
    words.done()
    return cards


MOST_WAYS = 3  # maximum number of values of a card


def read_points(text: str) -> tuple[frozenset[int], tuple[int, ...], bool]:
    """Parse points such as `A 1 11` or `J Q K half`.

    Return the cards, their possible values in half points, and whether the rule only changes signs.
    """
    words = Words(text)
    if words.peek() in GROUPS and words.peek(1) == "minus":
        group = words.take()
        words.take()
        words.done()
        return GROUPS[group], (), True
    cards: frozenset[int] = frozenset()
    # if a rank is a digit, it can only be the first word, because values follow
    while words.more and (not cards or not (is_number(words.peek()) or words.peek() == "half")):
        named = _cards_named(words.peek())
        if named is None:
            break
        cards |= named
        words.take()
    values: list[int] = []
    while words.more:
        values.append(1 if words.take_if("half") else 2 * read_number(words, most=1000))
    if len(values) > MOST_WAYS:
        raise GrammarError(text, f"a card can have at most {MOST_WAYS} values", ())
    if not cards or not values:
        raise words.misread(("a rank and its points, such as A 1 11", "black minus"))
    return cards, tuple(values), False


@lru_cache(maxsize=64)  # cached, because many games use the same deck
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
