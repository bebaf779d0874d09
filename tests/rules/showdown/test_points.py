"""Red and Black: red cards add points, black ones subtract.

The rules are from its source and docs/rulings.md.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import pytest

from rules import settle
from rules.cards import CARDS, NATURAL_CARDS, TEXTS
from rules.documents import documents
from rules.game.game import CardSet, Game
from tests.helpers.rules.measuring import strength
from tests.helpers.rules.tables import deal, seat, wins


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("Kh Qd 9h 2c As", 26),  # 10 + 10 + 9 - 2 - 1
        ("Kd 8h 7d 3h 4s", 24),
        ("Ah Ad 2h 3d Th", 17),
        ("As Ac 2s 3c Ts", -17),
        ("Jh Qh Kh Th Td", 50),
        ("Js Qs Ks Ts Tc", -50),
        ("5h 5s 7d 7c Ah", 1),
        ("5h 5s 7d 8c Ah", 0),
    ],
)
def test_red_cards_add_and_black_cards_subtract_their_points(cards: str, points: int) -> None:
    record = deal(
        "red-and-black",
        seat("ann", cards),
        seat("bob", "2d 4d 6d 9s 3s"),
        options={"split": "high-low"},
    )
    shown = settle(record)["hands"]["ann"]
    assert shown["high"]["name"] == shown["low"]["name"] == f"{points} points"


HIGH, MIDDLE, LOW = "Kh Qd 9h 2c As", "5h 5s 7d 8c Ah", "Ks Qc 9s 8s Th"


def test_highest_total_wins_the_whole_pot() -> None:
    wins(deal("red-and-black", seat("ann", MIDDLE), seat("bob", HIGH), seat("cat", LOW)),
         "ann 0, bob 30, cat 0")  # fmt: skip


def test_lowest_total_can_split_the_pot_with_the_highest() -> None:
    """With `split` = `high-low` the odd chip goes to the high."""
    record = deal(
        "red-and-black",
        seat("ann", MIDDLE),
        seat("bob", HIGH),
        seat("cat", LOW),
        options={"split": "high-low"},
        carried=1,
    )
    wins(record, "ann 0, bob 16, cat 15", findings=[])


def test_equal_points_split_the_pot_regardless_of_the_cards() -> None:
    """docs/rulings.md 8."""
    record = deal("red-and-black", seat("ann", "2h 3h 4h 5h 6h"), seat("bob", "Kd Td 2s As 3d"))
    wins(record, "ann 10, bob 10")  # 2 + 3 + 4 + 5 + 6 and 10 + 10 - 2 - 1 + 3


# --- nearest, halves of a point -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "better", "number"),
    [
        ("6s Kd", "5s 2d", 7),  # 7 is closer than 6.5
        ("5s 3d", "4s 2d", 7),  # 8 and 6 are equally close, so the lower total wins
        ("Ts Td Ah", "9s 8d Ac", 27),  # 28 is closer than 31
        ("Ks Qd", "4s 3d", 7),
    ],
)
def test_nearest_total_wins_and_face_cards_can_count_half_a_point(
    cards: str, better: str, number: int
) -> None:
    words: dict[str, Any] = {"points": ["A 1 11", "J Q K half"]}
    share = f"nearest {number}"
    assert strength(share, better, **words) > strength(share, cards, **words)


def test_wild_joker_with_unique_points_represents_itself() -> None:
    game = {
        "name": "Fewest",
        "deal": ["3 down"],
        "hand": ["2 own"],
        "shares": ["least points"],
        "deck": "52 + 4 jokers",
        "wild": ["joker"],
    }
    answer = wins(deal(game, seat("ann", "*1 *2 Ks"), seat("bob", "2s 3s 4s")), "ann 20, bob 0")
    shown = answer["hands"]["ann"]["least points"]
    assert (shown["cards"], shown["plays_as"]) == (["*1", "*2"], {"*1": "*1", "*2": "*2"})


# --- wild cards (docs/rulings.md 1) -------------------------------------------------------------

SCALES = ("most points", "least points", "closest 21", "closest 3", "nearest 7", "nearest 30")
COUNTS: tuple[dict[str, Any], ...] = (
    {},
    {"points": ["A 1 11", "J Q K 10"]},
    {"points": ["Qs 13"]},
    {"points": ["J Q K half", "black minus"]},
    {"points": ["joker 5", "2 0"], "deck": "52 + 2 jokers"},
    {"deck": "52 without 2 3 4 + 1 joker"},
)
WILD = (["2"], ["K", "joker"], ["joker"], ["face"], ["s down"])


def test_points_with_wild_cards_match_a_search_of_all_cards() -> None:
    """Compares with a search that tries every choice of wild cards.

    A wild card may be any of the 52 cards or a joker in the deck, but not a card in the hand or
    another wild card's choice.
    """
    chance, tried = Random(1), 0
    for scale, words, wild in product(SCALES, COUNTS, WILD):
        deck = words.get("deck", "52")
        if "joker" in wild and "joker" not in deck:
            continue
        document = {"name": "X", "deal": ["3 down"], "hand": ["all down"], "shares": [scale]}
        document |= words | {"wild": wild}
        read = documents.game(document)
        cards = dealt(chance, read)
        players = seat("ann", " ".join(cards[:3])), seat("bob", " ".join(cards[3:]))
        answer = settle(deal(document, *players))
        assert "errors" not in answer, answer
        for at, name in ((0, "ann"), (3, "bob")):
            hand = [CARDS[card] for card in cards[at : at + 3]]
            response = answer["hands"][name].get(scale)
            best = searched(read, scale, hand, wild_of(read))
            assert (best is None) == (response is None), (scale, words, wild, cards)
            if response is None:
                continue
            assert float(response["name"].split()[0]) == best, (scale, words, wild, cards)
            stands = {CARDS[one]: CARDS[other] for one, other in response["plays_as"].items()}
            assert stands.keys() == {*hand} & wild_of(read)
            played = [stands.get(card, card) for card in hand]
            assert len({*played}) == len(played)
            assert best in totals(read, played)
            tried += bool(stands)
    assert tried > 100


def dealt(chance: Random, game: Game) -> list[str]:
    """Return two three-card hands, each with one or two wild cards."""
    wilds, others = wild_of(game), sorted(game.deck - wild_of(game))
    wild_cards = chance.sample(sorted(wilds), min(len(wilds), chance.choice((2, 3, 4))))
    plain = chance.sample(others, 6 - len(wild_cards))
    first, second = wild_cards[::2], wild_cards[1::2]
    cards = [*first, *plain[: 3 - len(first)], *second, *plain[3 - len(first) :]]
    return [TEXTS[card] for card in cards]


def wild_of(game: Game) -> set[int]:
    sets = [rule.cards for rule in game.wild if isinstance(rule, CardSet)]
    return {*frozenset().union(*sets)} & game.deck


def totals(game: Game, cards: Sequence[int]) -> set[float]:
    return {sum(some) / game.per_point for some in product(*(game.values[c] for c in cards))}


def searched(game: Game, scale: str, hand: list[int], wild: set[int]) -> float | None:
    """Return the best hand's points by exhaustive search.

    Return None if every total is over the limit.
    """
    natural = [card for card in hand if card not in wild]
    jokers = [card for card in game.deck if card >= NATURAL_CARDS]
    free = [card for card in (*range(NATURAL_CARDS), *jokers) if card not in natural]
    kinds = {tuple(game.values[card]) for card in free}
    sums: set[float] = set()
    for chosen in combinations_with_replacement(sorted(kinds), len(hand) - len(natural)):
        there = Counter(tuple(game.values[card]) for card in free)
        if all(there[kind] >= number for kind, number in Counter(chosen).items()):
            stands = [next(c for c in free if tuple(game.values[c]) == kind) for kind in chosen]
            sums |= totals(game, [*natural, *stands])
    word, _, number = scale.partition(" ")
    if word == "closest":
        best = max((total for total in sums if total <= int(number)), default=None)
    elif word == "nearest":
        best = min(sums, key=lambda total: (abs(total - int(number)), total))
    else:
        best = max(sums) if word == "most" else min(sums)
    return best
