"""Valid and invalid wording in documents, and the check's messages."""

from typing import Any

import pytest

from rules import settle
from rules.documents import documents
from tests.helpers.rules.tables import deal, seat

GAME = {"name": "X", "players": [2, 6], "deal": ["7 down"], "shares": ["high"]}


@pytest.mark.parametrize(
    "words",
    [
        # all players together receive at most four extra cards
        {
            "deal": ["ante", "7 unseen", "draw for 4 up", "turn until best", "bet"],
            "hand": ["1-5 up"],
        },
        {
            "deal": ["ante", "7 unseen", "turn until best", "draw for 4 up", "bet"],
            "hand": ["1-5 up"],
        },
        # without a board, `any` means the player's own cards
        {"hand": ["any 5", "4 down"]},
        {"hand": ["any 4"]},
        {"hand": ["4 down", "any 5", "any 3"]},
        # a killer card that depends on an option
        {
            "deal": ["3 down 4 up", "bet"],
            "kill": ["{widow}"],
            "options": {"widow": ["plain = none", "black widow = Qs up for all in"]},
        },
        {"kill": ["none"]},
    ],
)
def test_document_with_easily_misread_words_is_valid(words: dict[str, Any]) -> None:
    assert documents.check(GAME | words) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            {"wild": ["3"], "shares": ["high", "natural: high when own 3 0"]},
            "own 3 0: a count, red, black or face is required",
        ),
        ({"shares": ["high when own K 0"]}, "own K 0: a count, red, black or face is required"),
        ({"wild": ["2♣"]}, "'2♣' must be written 2c"),
        ({"wild": ["c2"]}, "'c2' must be written 2c"),
        ({"kill": ["♠Q up"]}, "'♠Q' must be written Qs"),
        ({"top": ["h10"]}, "'h10' must be written Th"),
        ({"shares": ["holds As sJ else high"]}, "'sJ' must be written Js"),
        ({"hand": ["5 own or board"]}, "the game has no board"),
    ],
)
def test_problem_describes_the_misused_word(words: dict[str, Any], message: str) -> None:
    assert any(message in problem.text for problem in documents.check(GAME | words))


def test_killer_card_from_an_option_folds_hands_only_if_chosen() -> None:
    game = GAME | {"deal": ["3 down 4 up", "bet"], "kill": ["{widow}"]}
    game |= {"options": {"widow": ["plain = none", "widow = Qs up"]}}
    players = seat("ann", "As Ad 2c", up="Qs 3d 4h 6h"), seat("bob", "Ks Jd 9c", up="7s 8d 5h 2h")
    for choice, chips in (("plain", 20), ("widow", 0)):
        assert settle(deal(game, *players, options={"widow": choice}))["won"]["ann"] == chips


@pytest.mark.parametrize(
    ("spelled", "written"),
    [("2♣", "2c"), ("♣2", "2c"), ("c2", "2c"), ("10♥", "Th"), ("h10", "Th"), ("♠A", "As"),
     ("J♦\ufe0f", "Jd"), ("♡q", "Qh"), ("zz", ""), ("cc", ""), ("22", "")],
)  # fmt: skip
def test_error_for_a_misspelled_card_includes_the_standard_spelling(
    spelled: str, written: str
) -> None:
    hands = seat("ann", "As Ad Kc Kd"), seat("bob", "Ks Jd 9c 7s 8d")
    hands[0]["down"].append(spelled)
    [error] = settle(deal("five-card-draw", *hands))["errors"]
    hint = f"; write {written}" if written else ""
    assert (error["code"], error["text"]) == (
        "bad-card",
        f"'{error_text(spelled)}' is not a card{hint}",
    )


def error_text(spelled: str) -> str:
    return spelled if spelled.isprintable() else spelled.encode("unicode_escape").decode()
