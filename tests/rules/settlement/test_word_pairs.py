"""Pairs of words that can be combined or are rejected (docs/games.md, docs/record.md)."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from rules.api import settle
from rules.cards import CARDS, TEXTS
from rules.documents import documents
from tests.helpers.rules.slow.hands import Strength
from tests.helpers.rules.slow.wild import best_badugi, best_points, best_singles

Record = dict[str, Any]
SlowBest = Callable[[list[str], str, list[str]], Strength]
WILD = ["2", "Kh"]


def document(cards: int, share: str, **words: Any) -> Record:
    """Return a game with one share in which all of the `cards` cards dealt down play."""
    game = {"name": "Words", "players": [2, 4], "deal": [f"{cards} down"], "hand": ["all down"]}
    return game | {"shares": [f"share: {share}"]} | words


def winners(game: Record, *hands: list[str]) -> set[int]:
    players = [{"name": f"p{seat}", "paid": 1, "down": held} for seat, held in enumerate(hands)]
    answer = settle({"variant": game, "button": 0, "players": players})
    won: dict[str, int] = answer["won"]
    return {seat for seat, chips in enumerate(won.values()) if chips}


# --- wild cards with every measure ----------------------------------------------------------------


BADUGIS = ("badugi", "badugi-ace-high", "hidugi")
POINTS = ("most points", "least points", "closest 21", "closest 9")
SINGLES = ("highest", "lowest")


def wins_as_if_all_were_tried(game: Record, scale: str, best: SlowBest) -> None:
    """Check that hands with wild cards win the same as in an exhaustive search."""
    chance, size = Random(scale), int(game["deal"][0].split()[0])
    for _ in range(60):
        cards = chance.sample(TEXTS[:52], 2 * size)
        hands = cards[:size], cards[size:]
        held = [best(hand, scale, _wild_of(hand)) for hand in hands]
        expected = {seat for seat, one in enumerate(held) if one == max(held)}
        assert winners(game, *hands) == expected, hands


@pytest.mark.parametrize("scale", BADUGIS)
def test_wild_card_in_a_badugi_is_the_best_card_that_fits(scale: str) -> None:
    wins_as_if_all_were_tried(document(4, scale, wild=WILD), scale, best_badugi)


@pytest.mark.parametrize("scale", POINTS)
def test_wild_card_counts_the_points_that_suit_the_hand_best(scale: str) -> None:
    game = document(3, scale, wild=WILD, points=["A 1 11", "J Q K 10"], unwon="split")
    wins_as_if_all_were_tried(game, scale, best_points)


@pytest.mark.parametrize("scale", SINGLES)
def test_wild_card_is_the_best_single_card_that_the_hand_lacks(scale: str) -> None:
    wins_as_if_all_were_tried(document(3, scale, wild=WILD, top=["Jh Js"]), scale, best_singles)


def _wild_of(hand: list[str]) -> list[str]:
    return [card for card in hand if card[0] == "2" or card == "Kh"]


def test_wild_card_can_represent_a_required_card() -> None:
    game = document(2, "holds As Js", wild=["2"])
    assert winners(game, ["As", "2c"], ["Ks", "Kd"]) == {0}
    assert winners(game, ["2d", "2c"], ["As", "Jd"]) == {0}
    assert winners(game, ["Kh", "2c"], ["As", "Jd"]) == set()


def test_hand_with_wild_cards_replaced_has_the_named_strength() -> None:
    """Replacing wild cards with the answer's `plays_as` cards gives the same strength."""
    chance = Random(7)
    for scale in ("badugi", "hidugi", "most points", "closest 21", "highest", "lowest"):
        wild = document(3, scale, wild=["2", "3", "Kh"])
        for _ in range(30):
            cards = chance.sample(TEXTS[:52], 6)
            players = [
                {"name": "ann", "paid": 1, "down": cards[:3]},
                {"name": "bob", "paid": 1, "down": cards[3:]},
            ]
            answer = settle({"variant": wild, "button": 0, "players": players})
            response = answer["hands"]["ann"].get("share")
            if response is None or len(response["cards"]) < 3:
                continue
            stands = [response["plays_as"].get(card, card) for card in response["cards"]]
            assert set(stands) <= set(CARDS)
            if len(set(stands)) == 3:
                others = [card for card in TEXTS[:52] if card not in stands][:3]
                again = [players[0] | {"down": stands}, players[1] | {"down": others}]
                told = settle({"variant": document(3, scale), "button": 0, "players": again})
                assert told["hands"]["ann"]["share"]["name"] == response["name"], (scale, cards)


@pytest.mark.parametrize("scale", ["badugi", "hidugi", "most points", "closest 21", "highest"])
def test_bug_is_refused_in_games_that_do_not_compare_poker_hands(scale: str) -> None:
    problems = documents.check(document(3, scale, bug=["2"]))
    assert [problem.where for problem in problems] == ["bug"]


@pytest.mark.parametrize("scale", ["badugi", "badugi-ace-high", "hidugi", "high", "best"])
def test_joker_without_a_role_is_refused_in_games_that_rank_cards(scale: str) -> None:
    problems = documents.check(document(3, scale, deck="52 + 2 jokers"))
    assert [problem.where for problem in problems] == ["deck"]


# --- qualifiers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bar", "winner"),
    [("pair-or-better", 0), ("99-or-better", 0), ("trips-or-better", 0), ("8-or-better", 1)],
)
def test_qualifier_applies_to_high_if_a_hand_and_to_low_if_a_rank(bar: str, winner: int) -> None:
    hands = ["Ks", "Kd", "Kh", "5c", "2c"], ["7s", "6d", "4h", "3c", "Ac"]
    assert winners(document(5, bar), *hands) == {winner}


@pytest.mark.parametrize("share", ["best flush-or-better", "worst pair-or-better"])
def test_low_qualifier_must_be_its_highest_card(share: str) -> None:
    assert [p.where for p in documents.check(document(5, share))] == ["shares/0"]


# --- straights ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("straights", "hand", "is_straight"),
    [
        ("usual", "6s 7d Jc Qh Kc", False),
        ("skip gaps", "6s 7d Jc Qh Kc", True),
        ("skip gaps", "7d Jc Qh Kc As", True),
        ("skip gaps", "As 2c 3d 4h 5s", True),
        ("skip gaps", "Ks As 2c 3d 4h", False),
        ("no wheel", "As 2c 3d 4h 5s", False),
        ("skip gaps and no wheel", "As 2c 3d 4h 5s", False),
        ("skip gaps and no wheel", "6s 7d Jc Qh Kc", True),
    ],
)
def test_stripped_deck_has_the_configured_straights(
    straights: str, hand: str, *, is_straight: bool
) -> None:
    game = document(5, "high", deck="52 without 8-T", straights=straights)
    beaten_by_a_straight = ["Qd", "Qs", "Qc", "3s", "2d"]
    expected = {0} if is_straight else {1}
    assert winners(game, hand.split(), beaten_by_a_straight) == expected


def test_wheel_in_a_short_deck_can_be_excluded() -> None:
    hands = ["As", "6c", "7d", "8h", "9s"], ["Ks", "Kd", "Qc", "Jd", "Ts"]
    deck = "52 without 2-5"
    assert winners(document(5, "high", deck=deck), *hands) == {0}
    assert winners(document(5, "high", deck=deck, straights="no wheel"), *hands) == {1}


def test_unknown_word_about_straights_is_refused_with_a_suggestion() -> None:
    [problem] = documents.check(document(5, "high", straights="no wheels"))
    assert (problem.where, problem.word, problem.could_be[0]) == (
        "straights",
        "no wheels",
        "no wheel",
    )


# --- guts -----------------------------------------------------------------------------------------


def test_losers_match_the_pot_up_to_a_limit() -> None:
    game = document(2, "high", dues=["losers match pot up to 4"])
    players = [
        {"name": "ann", "paid": 5, "down": ["As", "Ad"]},
        {"name": "bob", "paid": 5, "down": ["Ks", "Kd"]},
    ]
    answer = settle({"variant": game, "button": 0, "players": players})
    assert (answer["paid"]["bob"], answer["carry"]) == (9, 4)


# --- names, choices -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["علی\u200cرضا", "👨\u200d👩\u200d👧", "क्\u200dष"])
def test_player_name_can_contain_joining_characters(name: str) -> None:
    players = [{"name": name, "paid": 5}, {"name": "bob", "paid": 5, "folded": True}]
    answer = settle({"variant": "five-card-draw", "button": 0, "players": players})
    assert answer["won"][name] == 10


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["\u200c", "bob"], "wrong-type"),
        (["bob", "bo\u200db"], "name-twice"),
        (["\u202ebob", "ann"], "wrong-type"),
        (["\u200bbob", "ann"], "wrong-type"),
    ],
)
def test_invisible_or_repeated_player_name_is_refused(names: list[str], code: str) -> None:
    players = [{"name": name, "paid": 5, "folded": bool(at)} for at, name in enumerate(names)]
    answer = settle({"variant": "five-card-draw", "button": 0, "players": players})
    assert [each["code"] for each in answer["errors"]] == [code]


@pytest.mark.parametrize("name", ["down", "board", "up", "own", "rest", "line"])
def test_pile_cannot_be_named_after_a_word_of_the_language(name: str) -> None:
    game = {"name": "Piles", "players": [2, 4], "deal": [f"5 to {name}"], "shares": ["high"]}
    problems = documents.check(game | {"hand": ["any 5"]})
    assert any(problem.where.startswith("deal") and problem.word == name for problem in problems)


def test_duplicate_choice_is_refused() -> None:
    options = {"low": ["best", "worst", "best"]}
    [problem] = documents.check(document(5, "{low}", options=options))
    assert problem.where.startswith("options/low")
