"""`rules.evaluate` returns the strengths of hands given as arrays (docs/python.md)."""

from random import Random
from typing import Any

import numpy as np
import pytest

from rules import HandsError, evaluate
from rules.api import GameError, game_of, odds
from rules.cards import TEXTS, UNSEEN
from rules.documents import catalog
from rules.settlement import reading
from rules.showdown import evaluation
from rules.showdown.evaluation import dealt_shape
from rules.showdown.showdown import compare_hands
from tests.helpers.laws.examples import examples
from tests.helpers.laws.records import record as random_record
from tests.helpers.rules.crowded_hands import crowded
from tests.helpers.rules.measuring import random_hands

SEVEN = ["As", "Ad", "Ks", "Kd", "7c", "4h", "2d"]


@pytest.mark.parametrize("slug", catalog.slugs())
def test_evaluated_strength_matches_the_strength_at_the_showdown(slug: str) -> None:
    """Each hand of random records is evaluated alone, on each measure of each share."""
    chance = Random(slug)
    for _ in range(examples(15)):
        hand, _ = reading.read(random_record(chance, slug))
        if hand is None or hand.game.bank or not hand.game.shares:
            continue
        [shown] = compare_hands(hand.game, [hand], with_cards=False)
        for seat in hand.live:
            player = hand.players[seat]
            piles = [card for pile in hand.game.piles for card in player.piles[pile]]
            board = [card for row in hand.board for card in row]
            row = [*player.held_down, *player.up, *piles, *board]
            if UNSEEN in row:
                continue
            for share, measured in zip(hand.game.shares, shown.strengths, strict=True):
                for measure, strengths in enumerate(measured):
                    [ours] = evaluate(
                        hand.game,
                        [row],
                        share=share.name,
                        measure=measure,
                        down=len(player.held_down),
                    )
                    assert ours == max(strengths[seat], -1)


def test_cards_can_be_given_as_numbers_or_strings_in_arrays_or_lists() -> None:
    numbers = crowded(7, seed=1)
    texts = np.array(TEXTS)[numbers]
    wanted = evaluate("texas-holdem", numbers).tolist()
    for same in (numbers.astype(np.uint8), numbers.tolist(), texts, texts.tolist(), [*numbers]):
        assert evaluate("texas-holdem", same).tolist() == wanted


@pytest.mark.parametrize(("slug", "share"), [("omaha-8", "low"), ("middlemost", "high")])
def test_evaluation_batch_size_does_not_change_strengths(
    slug: str, share: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands are evaluated in batches, which are smaller if wild cards have several values."""
    game = game_of({"variant": slug}).game
    assert game is not None
    width = dealt_shape(game).own + sum(map(len, game.board))
    rows = np.concatenate([random_hands(2_000, width, seed=2), crowded(width, seed=3)])
    wanted = evaluate(game, rows, share=share)
    monkeypatch.setattr(evaluation, "ROWS_AT_ONCE", 37)
    assert (evaluate(game, rows, share=share) == wanted).all()


def test_empty_input_returns_no_strengths() -> None:
    for none in ([], np.zeros((0, 7), dtype=np.int8)):
        assert evaluate("texas-holdem", none).tolist() == []


def test_share_uses_its_first_measure_by_default() -> None:
    """A hand that does not qualify has strength -1. The measure after `else` has its own number."""
    game = game_of({"variant": "omaha-8"}).game
    assert game is not None
    high = [["Ks", "Kd", "Qs", "Qd", "Kc", "Jh", "Td", "9c", "9d"]]
    assert evaluate(game, high)[0] > 0
    assert evaluate(game, high, share="low").tolist() == [-1]


def test_share_is_evaluated_only_if_its_condition_is_met() -> None:
    """docs/games.md: `red: high when board red 3-5`. The odds must agree."""
    document = catalog.document("texas-holdem") | {
        "shares": ["high", "red: high when board red 3-5"]
    }
    black = ["As", "Ad", "Ks", "Kd", "7c", "4s", "2d"]
    red = ["As", "Ad", "Kh", "Kd", "7c", "4s", "2d"]
    high = evaluate(document, [black, red])
    assert evaluate(document, [black, red], share="red").tolist() == [-1, high[1]]
    game = game_of({"variant": document}).game
    assert game is not None
    everywhere, on_red = odds(game, deals=500)["shares"]
    assert everywhere["nobody"] == 0
    assert 0.4 < on_red["nobody"] < 0.6  # half of the cards are red


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("AsAd", "a list of rows"),
        (7, "a list of rows"),
        (["AsAdKsKd7c4h2d"], "hand 0 is not a row of cards: 'AsAdKsKd7c4h2d'"),
        ([SEVEN, SEVEN[:6]], "hand 1 has 6 cards, hand 0 has 7"),
        ([SEVEN[:6]], "2 down, 5 on the board, which is not 6 cards"),
        ([SEVEN, [*SEVEN[:6], "1s"]], "hand 1: '1s' is not a card"),
        ([[*SEVEN[:6], True]], "hand 0: 'True' is not a card"),
        ([[*SEVEN[:6], 57]], "hand 0: '57' is not a card"),
        ([[*SEVEN[:6], "??"]], "hand 0: ?? is not a card of the deck"),
        ([SEVEN, [*SEVEN[:6], "*1"]], "hand 1: *1 is not a card of the deck"),
        ([SEVEN, [*SEVEN[:6], "Ks"]], "hand 1: Ks is there twice"),
        (np.array([0, 1, 2]), "two dimensions, not 1"),
        (np.zeros((2, 7)), "whole numbers or texts, not float64"),
        (np.array([range(7), [0, 1, 2, 3, 4, 5, -1]]), "hand 1: -1 is not a card of the deck"),
        (np.array([range(7), [0, 1, 2, 3, 4, 5, 300]]), "hand 1: 300 is not a card of the deck"),
    ],
    ids=str,
)
def test_invalid_hand_is_reported(cards: Any, message: str) -> None:
    with pytest.raises(HandsError) as refused:
        evaluate("texas-holdem", cards)
    assert message in str(refused.value)


def test_card_outside_the_games_deck_is_refused() -> None:
    with pytest.raises(HandsError, match="hand 0: 2d is not a card of the deck"):
        evaluate("short-deck", [[*SEVEN[:4], "7c", "8h", "2d"]])


def test_wrong_number_of_down_cards_is_refused() -> None:
    with pytest.raises(HandsError, match="3 down, 4 up, which is not 7 cards"):
        evaluate("seven-card-stud", [SEVEN], down=2)
    assert evaluate("seven-card-stud", [SEVEN]) == evaluate("texas-holdem", [SEVEN])


def test_hand_with_too_many_combinations_is_refused() -> None:
    """In a game of turning, all cards may be down or all may be up."""
    turning = {
        "name": "Turning",
        "players": [2, 3],
        "deal": ["15 down", "turn until best"],
        "hand": ["5 own"],
        "shares": ["high"],
    }
    with pytest.raises(HandsError, match="too much work: a hand has 142506 combinations"):
        evaluate(turning, [[*range(30)]], down=15)


@pytest.mark.parametrize(
    ("game", "words", "message"),
    [
        ("texas-holdem", {"share": "low"}, "has no share 'low'; its shares are high"),
        ("texas-holdem", {"measure": 1}, "high has no measure 1; it has 1, counted from 0"),
        ("put-and-take", {}, "does not compare hands"),
    ],
)
def test_unknown_share_or_measure_is_reported(
    game: str, words: dict[str, Any], message: str
) -> None:
    with pytest.raises(HandsError) as refused:
        evaluate(game, [SEVEN], **words)
    assert message in str(refused.value)


def test_invalid_game_is_refused() -> None:
    with pytest.raises(GameError, match="no game is called 'holdem'"):
        evaluate("holdem", [SEVEN])
