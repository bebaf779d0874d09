"""Unusual kinds of hands (docs/games.md; Wikipedia, "Non-standard poker hand")."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from rules.api import settle
from rules.documents import documents
from rules.ranking import read_strength
from rules.showdown.evaluation import evaluate
from rules.showdown.game_scales import scale_of

Document = dict[str, Any]
CATS = {"order": ["flush big-cat little-cat big-dog little-dog straight"]}
ODD = {"order": ["straight round-straight skip-straight five-and-dime skeet trips blaze two-pair"]}
PRIALS = "trips straight-flush straight flush"
BRAG = {"order": [f"333 {PRIALS}"], "straights": "three cards and wheel first"}
PATTI = {"order": [PRIALS], "straights": "three cards and wheel second"}
THREE = {"order": ["straight-flush trips straight flush"], "straights": "three cards"}


def draw(**words: Any) -> Document:
    """Return a game with these words, in which all cards down play."""
    game = {"name": "Words", "players": [2, 4], "deal": ["5 down"], "hand": ["all down"]}
    return game | {"shares": ["high"]} | words


def verdict_text(game: Document, *hands: str) -> str:
    """Return the story's first sentence. Ann has the first hand."""
    cards = [hand.split() for hand in hands]
    game = game | {"deal": [f"{len(cards[0])} down"]}
    players = [
        {"name": name, "paid": 10, "down": held}
        for name, held in zip(("Ann", "Bob", "Cat"), cards, strict=False)
    ]
    story: list[str] = settle({"variant": game, "button": 0, "players": players})["story"]
    return story[0]


SEVEN = {
    "order": [
        "seven-straight-flush quads-and-pair six-flush trips-and-two-pair three-pair full-house"
    ]
}
LADDERS: list[tuple[Document, str]] = [
    (
        CATS,
        """Ad Kc Qh Jh Ts | 7s 6h 5c 3s 2s | As Kd Qc Tc 9s | 8d 7d 5s 4h 3c | Kh Qs Td 9c 8c |
        Kd Qh Jc 9s 8h | 9d 7d 6d 4d 2d""",
    ),
    (
        ODD,
        """Ah Kd 2s 2c 4d | 3d 3c 2s 2c 4d | Kh Ks Qd Qc Jc | 2d 2s 2h 9s 8c | 9h 6s 5d 3c 2c |
        9h 8s 5d 4c 2c | Th 8s 7d 6c 5c | Th 9s 8d 6c 5c | 9d 7c 5h 3s Ah | Td 8c 6h 4s 2h |
        Ac Qd Ts 8h 6c | 2s Ad Kc Qc Jh | 3h 2c As Kd Qh | 4h 3c 2d Ah Ks | 5h 4c 3d 2h As""",
    ),
    (
        BRAG,
        """Ac Ad Kc | Jc 9c 2c | Ac 9c 2c | 4c 3d 2h | Kc Qd Js | Ac Kd Qh | 3d 2c As | 4c 3c 2c |
        Ac Kc Qc | Ac 2c 3c | 2c 2d 2h | Ac Ad Ah | 3c 3d 3h""",
    ),
    (
        PATTI,
        """Ac Jc 9c | 4c 3d 2h | Kc Qd Js | 3d 2c As | Ac Kd Qh | 4c 3c 2c | Kc Qc Jc | 3c 2c Ac |
        Ac Kc Qc | 2c 2d 2h | Ac Ad Ah""",
    ),
    (
        THREE,
        """2c 2d 3h | Ac Ad Kh | 7h 4h 2h | 3d 2c Ah | Ac Kd Qs | 2c 2d 2h | 3h 2h Ah |
        Ah Kh Qh""",
    ),
    (
        {"straights": "four cards"},
        "Ac Ad Kh Ks | Ac Ad Ah 2s | 4c 3d 2h As | 8h 5h 3h 2h | 2c 2d 2h 2s | 5h 4h 3h 2h",
    ),
    (
        {"shares": ["high: reversed"]},
        """2c 2d 2h 2s 3c | Kc Kd Kh 2s 2d | Ac Ad As Kh Qs | Kc Kd Qh Qs Jc | Ac Ad Kh Qh Js |
        Kc Kd Qh Js Tc | 5c 4d 3h 2s Ah | Kc Qd Jh Ts 8h | Kc Qd Jh Ts 9h""",
    ),
    (
        {"order": ["with quick-quads"]},
        """Ah As Ad Kc Kd | 2h 2s 2d Ac Ad | 8h 8s 8d 8c Ac | 9h 9s 9d 8c Ah | 9h 9s 9d 9c 2h""",
    ),
]


LONG = (
    "seven-straight-flush quads-and-trips six-straight-flush seven-flush quads-and-pair "
    "straight-flush two-trips trips-and-two-pair seven-straight quads six-flush six-straight "
    "three-pair full-house flush straight trips two-pair pair high-card"
)
LADDERS.append(
    (
        {"order": [LONG]},
        """Kc Qd 9h 8s 6c 4d 2h | Kc Kd Qh 9s 8c 4d 2h | Kc Kd 5h 5s Jc 4d 2h |
        7c 7d 7h Ks Qc 4d 2h |
        Tc 9d 8h 7s 6c 4d 2h | Kc Qc 8c 7c 6c 5d 2h | Kc Kd Kh 5s 5c 8d 2h | Ks Kh 5d 5s 2h 2d 6c |
        Ts 9d 8c 7s 6h 5s 2h | Ks Qs 8s 7s 6s 5s 2d | 7s 7h 7d 7c 5s 3h 2d | 7s 6d 5c 4s 3h 2s Ah |
        Ts 9d 8c 7s 6h 5s 4h | Ks Kh Kd 5s 5h 2d 2c | Ks Kh Kd 5s 5h 5d 2c | Ts 9s 8s 7s 6s 4d 2c |
        7s 7h 7d 7c 3s 3h 2d | Ks Qs 8s 7s 6s 5s 2s | Ks Qs 8s 7s 6s 5s 3s | Ts 9s 8s 7s 6s 5s 2s |
        7s 7h 7d 7c 3s 3h 3d | 7s 6s 5s 4s 3s 2s As | As Ks Qs Js Ts 9s 8s""",
    )
)


@pytest.mark.parametrize(("words", "ladder"), LADDERS)
def test_house_hands_rank_in_the_order_given_by_their_sources(words: Document, ladder: str) -> None:
    """The order follows the sources of catalog games that use these words."""
    hands = [hand.split() for hand in ladder.split("|")]
    game = documents.game(draw(**words) | {"deal": [f"{len(hands[0])} down"]}, {})
    strengths = evaluate(game, hands, share=None, measure=0, down=None).tolist()
    assert strengths == sorted(set(strengths)), list(zip(strengths, hands, strict=True))


# Gilpin, "GameShrink Interactive and Rhode Island Hold 'Em", and Wikipedia, "Three card poker"
OF_THREE = {
    "straight-flush": 48,
    "trips": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high-card": 16_440,
}


def test_number_of_three_card_hands_per_kind_is_correct() -> None:
    game = documents.game(draw(**THREE) | {"deal": ["3 down"]}, {})
    hands = np.array([*combinations(range(52), 3)])
    strengths = evaluate(game, hands, share=None, measure=0, down=None).tolist()
    scale = scale_of(game, "high")
    assert Counter(read_strength(scale, strength)[0] for strength in strengths) == OF_THREE


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("9h 9s 9d 6c 3c", "four nines"),  # from the source: both 99963 and 9998A make quad nines
        ("9h 9s 9d 8c Ac", "four nines"),
        ("Th Ts Td 9c Ac", "four tens"),
        ("Jh Js Jd Tc Ac", "three jacks"),  # from the source: face cards can't complete quads
        ("9h 9s 9d Jc 8c", "three nines"),
        ("9h 9s 9d 7c 3c", "three nines"),
    ],
)
def test_trips_with_two_cards_that_add_up_to_their_rank_are_quads(hand: str, words: str) -> None:
    """mb2 documentation, Quick Quads."""
    assert words in verdict_text(draw(order=["with quick-quads"]), hand, "2s 4d 5h 7s Kd")


@pytest.mark.parametrize(
    ("words", "hand", "sentence"),
    [
        (CATS, "Kh Qs Td 9c 8c", "with a big cat"),
        (ODD, "9d 7c 5h 3s Ah", "with a nine-high skip straight"),
        (ODD, "3h 2c As Kd Qh", "with a three-high round-the-corner straight"),
        (ODD, "Kh Ks Qd Qc Jc", "with a blaze"),
        (BRAG, "3c 3d 3h", "with three threes"),
        (BRAG, "3d 2c As", "with a three-high straight"),
        (THREE, "Ah Kh Qh", "with a royal flush"),
        ({"shares": ["high: reversed"]}, "Kc Qd Jh Ts 9h", "with king high"),
        (SEVEN, "Ts 9s 8s 7s 6s 5s 4s", "with a ten-high seven-card straight flush"),
        (SEVEN, "Ks Qs 8s 7s 6s 5s 2d", "with a king-high six-card flush"),
        (SEVEN, "Ks Kh Kd 5s 5h 2d 2c", "with three kings and pairs of fives and twos"),
        (SEVEN, "7s 7h 7d 7c 3s 3h 2d", "with four sevens and a pair of threes"),
        (SEVEN, "Ks Kh 5d 5s 2h 2d 6c", "with three pair, kings, fives and twos"),
    ],
)
def test_house_kind_is_named_in_the_story(words: Document, hand: str, sentence: str) -> None:
    free = [card for card in "4c 8h 9c Jh 3h Qh 6h 2s".split() if card not in hand.split()]
    other = " ".join(free[: len(hand.split())])
    assert sentence in verdict_text(draw(**words), hand, other)


def test_wild_card_can_complete_a_house_kind() -> None:
    wild = draw(**CATS, wild=["joker"], deck="52 + 1 joker")
    assert "with a big cat (*1 as 8" in verdict_text(wild, "Kh Qs Td 9c *1", "Ad Kc Qh Jh Ts")


@pytest.mark.parametrize("low", ["best", "worst", "ace-to-six", "reversed"])
def test_low_hands_ignore_house_kinds(low: str) -> None:
    """7-6-5-3-2 is a little dog for high but has its usual strength for low."""
    game = documents.game(draw(**CATS, shares=[f"low: {low}"]), {})
    usual = documents.game(draw(shares=[f"low: {low}"]), {})
    hands = [hand.split() for hand in ("7s 6h 5c 3s 2s", "Kh Qs Td 9c 8c", "2d 2s 2h 9s 8c")]
    asked: dict[str, Any] = {"share": None, "measure": 0, "down": None}
    orders = [evaluate(one, hands, **asked).argsort().tolist() for one in (game, usual)]
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"order": ["flush big-cat big-cat"]}, "not a category, or is named twice"),
        ({"order": ["with quick-trips"]}, "can't be added"),
        ({"straights": "no wheel and wheel first"}, "can't be combined"),
        ({"shares": ["high: reversed blaze-or-better"], **ODD}, "reversed has no blaze-or-better"),
        ({"shares": ["low: best blaze-or-better"], **ODD}, "best has no blaze-or-better"),
        ({**SEVEN, "wild": ["2"]}, "more than five cards can't be combined with wild cards"),
        ({"deal": ["7 down"], "shares": ["high"]}, "compares at most five cards"),
        ({"deal": ["8 down"], "shares": ["high"], **SEVEN}, "compares at most seven cards"),
        ({"deal": ["7 down"], "shares": ["low: best"], **SEVEN}, "best compares at most five"),
    ],
)
def test_meaningless_words_are_refused(words: Document, message: str) -> None:
    assert any(message in problem.text for problem in documents.check(draw(**words)))


def test_face_cards_can_be_wild_scored_or_compared() -> None:
    """BARGE Rulebook, Action Razz: a face card is a jack, a queen or a king."""
    wild = draw(wild=["face"])
    assert "with five aces" in verdict_text(wild, "Ah As Kd Qc Jc", "Td Ts Th Tc 9c")
    killed = draw(shares=["most points"], points=["face 0"])
    assert "with 12 points" in verdict_text(killed, "2h Tc Kd Qd Jd", "2d 2s Ks Qs Js")
    highest = draw(shares=["highest face"])
    assert "with the jack of clubs" in verdict_text(highest, "Ah Jc 2h", "As Td 3c")
