"""A share for the winner's neighbour, a house rule in home games (docs/games.md, "Shares")."""

import pytest

from rules import settle
from rules.documents import documents
from rules.presentation.rules_page import rules_page
from rules.settlement.odds import odds
from tests.helpers.rules.tables import Record, deal, seat, wins

GAME: Record = {
    "name": "Good neighbours",
    "players": [2, 6],
    "deal": ["ante", "2 down", "bet"],
    "hand": ["2 down"],
    "shares": ["high", "luck: neighbour left"],
}
ANN, BOB, CAT = seat("ann", "As Ad"), seat("bob", "2s 3d"), seat("cat", "Ks Kd")


def test_neighbour_receives_half_with_any_hand() -> None:
    answer = wins(deal(GAME, ANN, BOB, CAT), "ann 15, bob 15, cat 0")
    sentence = "The luck (15) goes to bob, to the left of ann."
    assert sentence in answer["story"]
    assert settle(deal(GAME, ANN, BOB, CAT), brief=True)["won"] == answer["won"]


def test_right_neighbours_share_wraps_around_the_table() -> None:
    right = GAME | {"shares": ["high", "neighbour right"]}
    wins(deal(right, ANN, BOB, CAT), "ann 15, bob 0, cat 15")
    wins(deal(GAME, BOB, CAT, ANN), "bob 15, cat 0, ann 15")


def test_neighbour_is_the_next_player_in_the_pot() -> None:
    out = seat("bob", folded=True)
    wins(deal(GAME, ANN, out, CAT), "ann 15, bob 0, cat 15")
    short = seat("bob", "2s 3d", 4, all_in=True)
    # Ann and Bob split the main pot of 12; in the side pot of 12, Ann's neighbour is Cat
    wins(deal(GAME, ANN, short, CAT), "ann 12, bob 6, cat 6")


def test_each_of_several_winners_has_their_own_neighbour() -> None:
    tied = seat("bob", "Ah Ac")
    wins(deal(GAME, ANN, tied, CAT), "ann 7, bob 16, cat 7")


def test_last_remaining_player_takes_everything() -> None:
    wins(deal(GAME, ANN, seat("bob", folded=True)), "ann 20, bob 0")


def test_unwon_pot_pays_the_neighbour_nothing() -> None:
    game = GAME | {"shares": ["high: high 99-or-better", "luck: neighbour left"]}
    wins(deal(game, BOB, seat("cat", "4s 6d")), "bob 0, cat 0", carry=20)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"shares": ["luck: neighbour left", "high"]},
            "must come after a share",
        ),
        ({"declare": "high-low"}, "players can't declare for a neighbour's share"),
        ({"shares": ["high", "neighbour across"]}, "'across' is not valid here"),
        ({"shares": ["high", "neighbour left when down red 2"]}, "can depend only on options"),
    ],
)
def test_neighbour_share_requires_a_winner_share(keys: Record, message: str) -> None:
    assert message in " / ".join(problem.text for problem in documents.check(GAME | keys))


def test_rules_page_and_odds_support_neighbour_shares() -> None:
    lines = [line for s in rules_page(GAME)["sections"] for line in s["lines"]]
    assert any(line.startswith("Luck: to the player on the left") for line in lines)
    game_odds = odds(documents.game(GAME), players=3, deals=200)
    assert ([share["name"] for share in game_odds["shares"]], game_odds["scoop"]) == (["high"], 0)
