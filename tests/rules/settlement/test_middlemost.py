"""Middlemost: the middle rank of the three cards down is wild.

The rules are from its source and docs/rulings.md.
"""

from itertools import combinations
from random import Random
from typing import Any

import pytest

from rules import settle
from rules.cards import TEXTS, parse_card
from tests.helpers.rules.measuring import SCALES, strengths
from tests.helpers.rules.tables import deal, finds, refused, seat, wins

WITH_JOKERS = {"deck": "52 + 4 jokers", "wild": ["joker"]}


@pytest.mark.parametrize(
    ("down", "up", "name"),
    [
        # 7-9-J: both nines are wild, with two aces
        ("7c 9d Js", "9h Ac As", "four aces"),
        # 7-7-J: both sevens are wild, making an ace-high straight with K-Q-T
        ("7c 7d Js", "Kh Qc Td", "straight, ace high"),
        # A-7-J: the 7 may be wild or, with a high ace, the jack; wild sevens make four jacks
        ("Ac 7d Js", "Jh 7h 2c", "four jacks"),
        # A-7-J: two wild jacks with two aces are better than one wild 7 with two jacks
        ("Ac 7d Js", "Jh Ah 2c", "four aces"),
        # A-A-7: the aces are wild
        ("Ac Ad 7s", "Kh Kd 2c", "four kings"),
        # A-A-7: the sevens are wild
        ("Ac Ad 7s", "7h 7d 2c", "five aces"),
        # A-A-A: all three aces are wild
        ("Ac Ad As", "Kh Kd 2c", "five kings"),
        # A-2-3: the 2 is wild or, with a high ace, the 3
        ("Ac 2d 3s", "Ah Ad 3c", "five aces"),
        # K-K-A: kings are wild with a high or low ace
        ("Kc Kd As", "Ah 9d 9c", "four aces"),
    ],
)
def test_middle_rank_is_wild_and_aces_are_high_or_low(down: str, up: str, name: str) -> None:
    record = deal(
        "middlemost",
        seat("ann", down, up=up, declared="high"),
        seat("bob", "8c 6d 5s", up="8h 4d 3d", declared="low"),
    )
    assert settle(record)["hands"]["ann"]["high"]["name"] == name


def test_high_and_low_can_use_different_wild_ranks() -> None:
    """A-7-J: the sevens are wild for high, with two jacks, and the jacks for low, with A-2-7."""
    record = deal(
        "middlemost",
        seat("ann", "Ac 7d Js", up="Jh 7h 2c", declared="both"),
        seat("bob", "8c 6d 5s", up="8h 4d 3d", declared="high"),
    )
    hands = settle(record)["hands"]["ann"]
    assert hands["high"]["name"] == "four jacks"
    assert hands["low"]["name"] == "7-4-3-2-A"


def test_best_low_is_6_4_3_2_a() -> None:
    """docs/rulings.md 7: A-2-3-4-5 is a straight in ace-to-six, the default low."""
    ann = seat("ann", "Ac 9d Ks", up="2h 3h 4c", declared="low")  # the 9 is wild: 6-4-3-2-A
    bob = seat("bob", "As 5d Qs", up="2d 3d 4d", declared="low")  # the 5 is wild: 6-4-3-2-A
    wins(deal("middlemost", ann, bob), "ann 10, bob 10")
    cat = seat("cat", "Th Jd Qd", up="7c 6s 8d", declared="low")  # the jack is wild
    wins(deal("middlemost", ann, cat), "ann 20, cat 0")


@pytest.mark.parametrize(
    ("low", "name"),
    [("best", "5-4-3-2-A"), ("8-or-better", "5-4-3-2-A"), ("worst", "7-5-4-3-2")],
)
def test_option_selects_the_low(low: str, name: str) -> None:
    cards = {"best": "Ac 9d Ks", "8-or-better": "Ac 9d Ks", "worst": "7c 9d Ks"}[low]
    record = deal(
        "middlemost",
        seat("ann", cards, up="2h 3h 4c", declared="low"),
        seat("bob", "Tc Jd Qs", up="8h 8d 6d", declared="high"),
        options={"low": low},
    )
    assert settle(record)["hands"]["ann"]["low"]["name"] == name


def test_high_wins_the_whole_pot_without_declarations() -> None:
    """docs/rulings.md, Middlemost: option `split` = `high`."""
    record = deal(
        "middlemost",
        seat("ann", "7c 9d Js", up="9h Ac As"),
        seat("bob", "2c 4d 6s", up="Ah 8h 3c"),
        options={"split": "high"},
    )
    wins(record, "ann 20, bob 0", pots=[{"shares": [{"way": "high"}]}])
    record["players"][0]["declared"] = "high"
    finds(record, "declare-ignored ann")


def test_player_going_both_ways_is_out_only_if_beaten() -> None:
    """The source: a player who goes both ways is out if beaten for either; `unbeaten` is the
    default.

    Both have 6-4-3-2-A. Ann's three wild cards make the better high, which Bob did not declare.
    """
    ann = seat("ann", "Ac 9d Ks", up="2h 3h 4c", declared="both")
    bob = seat("bob", "As 5d Qs", up="2d 3d 4d", declared="low")
    wins(deal("middlemost", ann, bob, carried=1), "ann 16, bob 5")
    outright = deal("middlemost", ann, bob, carried=1, options={"both_ways": "outright"})
    wins(outright, "ann 0, bob 21")


@pytest.mark.parametrize("scale", SCALES)
def test_best_five_of_six_cards_match_a_search_of_all_wild_ranks(scale: str) -> None:
    """The search tries every wild rank and every five of the six cards, with jokers."""
    for seed in range(25):
        deck = list(TEXTS[:52])
        Random(seed).shuffle(deck)
        if seed % 2:  # with an ace in the hole, two wild ranks are possible
            ace = next(card for card in deck[3:] if card[0] == "A")
            deck.remove(ace)
            deck.insert(0, ace)
        down, up = deck[:3], deck[3:6]
        record = deal(
            "middlemost",
            seat(
                "ann",
                " ".join(down),
                up=" ".join(up),
                declared="low" if scale != "high" else "high",
            ),
            seat("bob", " ".join(deck[6:9]), up=" ".join(deck[9:12]), declared="high"),
            options={"low": scale} if scale != "high" else {},
        )
        way = "high" if scale == "high" else "low"
        shown = settle(record)["hands"]["ann"][way]
        played = [shown["plays_as"].get(card, card) for card in shown["cards"]]
        best = max(_best(scale, down + up, rank) for rank in _middles(down))
        if len(set(played)) == 5:
            assert best == int(strengths(scale, [[parse_card(card) for card in played]])[0])
        else:
            assert shown["name"].startswith("five ")


def _middles(down: list[str]) -> set[str]:
    """Return the possible middle ranks of three cards, with aces low or high."""
    ranks = ["A23456789TJQK".index(card[0]) for card in down]
    aces = [index for index, rank in enumerate(ranks) if rank == 0]
    middles = set()
    for high in (some for n in range(len(aces) + 1) for some in combinations(aces, n)):
        placed = sorted(13 if index in high else rank for index, rank in enumerate(ranks))
        middles.add("A23456789TJQKA"[placed[1]])
    return middles


def _best(scale: str, six: list[str], wild: str) -> int:
    jokers = iter(("*1", "*2", "*3", "*4"))
    cards = [next(jokers) if card[0] == wild else card for card in six]
    rows = [[parse_card(card) for card in hand] for hand in combinations(cards, 5)]
    return int(strengths(scale, rows, **WITH_JOKERS).max())


def test_more_than_seven_players_are_reported() -> None:
    """docs/rulings.md, Middlemost: with seven players, the discards must be reshuffled."""
    deck = iter(TEXTS[:52])
    players: list[dict[str, Any]] = []
    for name in "ann bob cat dan eve fay gus hal".split():
        cards = [next(deck) for _ in range(6)]
        players.append({"name": name, "down": cards[:3], "up": cards[3:], "declared": "high"})
    finds(deal("middlemost", *players[:7]))
    finds(deal("middlemost", *players), "too-many-players")


def test_hand_requires_three_down_cards_and_three_up_cards() -> None:
    record = deal(
        "middlemost",
        seat("ann", "7c 9d", up="9h Ac As 2s", declared="high"),
        seat("bob", "2c 4d 6s", up="Ah 8h", declared="low"),
    )
    refused(
        record,
        "players/0/down card-count",
        "players/0/up card-count",
        "players/1/up card-count",
    )
