"""A rules page describes every word of its document, so each rule change changes the page.

The test removes each item of each list, increments each number and drops each condition. Normal
runs check every fortieth change. `make test-long` checks all of them.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice, product
from typing import Any

import pytest

from rules.documents import catalog, documents
from rules.game.game import Game
from rules.presentation.hand_words import without_board
from rules.presentation.rules_page import as_text, rules_page

Document = dict[str, Any]

LISTS = (
    *("deal", "board", "lines", "hand", "wild", "bug", "kill", "points", "top", "order"),
    *("shares", "dues", "match"),
)
WORDS = (
    *("deck", "direction", "betting", "straights", "ties", "declare", "both_ways", "lost_both"),
    *("alone", "unwon", "players", "options", "asked"),
)
EVERY = 40


def changed(document: Document) -> Iterator[Document]:
    for key in LISTS:
        items = document.get(key, [])
        for at, text in enumerate(items):
            before, after = items[:at], items[at + 1 :]
            yield document | {key: [*before, *after]}
            plain, when, _ = text.partition(" when ")
            if when:
                yield document | {key: [*before, plain, *after]}
            for match in re.finditer(r"\b\d+\b", text):
                more = f"{text[: match.start()]}{int(match[0]) + 1}{text[match.end() :]}"
                yield document | {key: [*before, more, *after]}
    for key in WORDS:
        if key in document:
            yield {name: value for name, value in document.items() if name != key}


def meaning(document: Document) -> list[list[Any]]:
    """Return the game parsed from the document, under every choice of its options."""
    options = documents.own_options(document)
    choices = (
        [c.word for c in option.choices] or [option.least, option.most] for option in options
    )
    ways = product(*choices)
    return [
        _fields(documents.game(document, dict(zip((o.name for o in options), way, strict=True))))
        for way in ways
    ]


def _fields(game: Game) -> list[Any]:
    if not game.board:  # "any 5" is the same as "5 own"
        game = replace(game, hand=tuple(replace(without_board(own), text="") for own in game.hand))
    names = [field.name for field in fields(game) if field.name not in {"document", "chosen"}]
    return [getattr(game, name) for name in names]


def unsaid(document: Document, every: int, first: int) -> list[Document]:
    """Return the document changes that do not change the page."""
    page = as_text(rules_page(document))
    missing = []
    for other in islice(changed(document), first % every, None, every):
        if documents.check(other) or as_text(rules_page(other)) != page:
            continue
        if meaning(other) != meaning(document):
            missing.append(other)
    return missing


def test_sampled_change_to_a_document_changes_its_rules_page() -> None:
    for first, slug in enumerate(catalog.slugs()):
        assert unsaid(catalog.document(slug), EVERY, first) == [], slug


@pytest.mark.scheduled
def test_every_change_to_a_document_changes_its_rules_page() -> None:
    for slug in catalog.slugs():
        assert unsaid(catalog.document(slug), 1, 0) == [], slug


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        (
            "oakland-raiders",
            (
                "Aces count 1, twos, threes and sixes their number, fours, fives, sevens, eights, "
                "nines, tens and face cards nothing."
            ),
        ),
        (
            "straight-football",
            (
                "Aces count 1, twos, threes and sixes their number, fours, fives, sevens, eights, "
                "nines, tens and face cards nothing."
            ),
        ),
        ("five-card-21", "Aces count 1 or 11, face cards 10, the others their number."),
        ("seven-twenty-seven", "Aces count 1 or 11, face cards half a point, the others their"),
        ("follow-the-queen", "All cards of the rank entered as follower are wild."),
        ("follow-the-king", "All cards of the rank entered as follower are wild."),
        (
            "follow-the-queen-that-kills",
            "All cards of the rank entered as follower are wild.",
        ),
        ("binglaha", "Die, 4, 5 or 6: leaves out: Low: the best low"),
        ("omaha-x-or-better", "6 (dice 6), 7 (dice 7), 8 (dice 8), 9 (dice 9), 10 (dice 10), J"),
        ("omaha-x-or-better", "Dice, none: leaves out: Low: the best low"),
        (
            "middlemost",
            ("Low: ace to six (default), ace to five, deuce to seven, 8 or better or 7 or better."),
        ),
        ("middlemost", "Low, deuce to seven: the worst poker hand"),
        ("omaha-8", "Odd chip: nearest the dealer's left (default), high card or by suit."),
        (
            "omaha-8",
            "Both ways, must win or tie both (with declare high-low): Go both ways and you must",
        ),
        ("rudys-jewels", "The jack of hearts and the jack of spades rank above the ace of spades"),
    ],
)
def test_page_describes_special_rules(slug: str, sentence: str) -> None:
    """Checks words for points, `{follower}`, `when not die 4`, `best {dice}` and `top`."""
    assert sentence in as_text(rules_page(slug))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"wild": ["10", "4"]}, "Tens are wild."),
        ({"deck": "52 + 1 joker", "wild": ["joker"]}, "A deck of 53 cards, one of them a joker."),
        ({"deck": "52 + 2 jokers", "wild": ["joker"]}, "A deck of 54 cards, two of them jokers."),
        ({"shares": ["high: high T-or-better"]}, "High: the best poker hand, 10 or better."),
        ({"shares": ["holds Ts Th else high"]}, "the player with the ten of spades and the ten of"),
        ({"points": ["Qs 13"], "shares": ["most points"]}, "The queen of spades counts 13."),
        ({"points": ["face 0"], "shares": ["most points"]}, "Aces count 1, face cards nothing"),
        ({"hand": ["any 5"]}, "Best five of your cards."),
    ],
)
def test_page_describes_every_word_in_plain_english(words: Document, sentence: str) -> None:
    game = {"name": "X", "players": [2, 6], "deal": ["5 down", "bet"], "shares": ["high"]}
    assert sentence in as_text(rules_page(game | words))


def test_page_shows_tens_as_10() -> None:
    """Cards are shown with 10 instead of T on all pages."""
    for slug in catalog.slugs():
        assert not re.search(r"\bT\b", as_text(rules_page(slug)).partition("\n")[2]), slug
