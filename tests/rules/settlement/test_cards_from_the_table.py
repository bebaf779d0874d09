"""Final records for games in which players take, buy, push on and bid for cards.

The auction follows hubpages.com (the highest bidder gets the card), and threes in Baseball follow
wikimili.com. In blind man's bluff, all other players see the card on a player's forehead.
"""

from typing import Any

import pytest

from rules import settle
from rules.documents import documents
from rules.presentation.rules_page import rules_page
from rules.presentation.scenes import replay
from tests.helpers.rules.tables import Record, deal, finds, refused, seat, wins

MARKET: Record = {
    "name": "Market",
    "players": [2, 4],
    "deal": ["ante", "2 down", "board a b c d", "board x y z",
             "take 0-1 from row 1 up for 1 2 3 4"],
    "board": ["a b c d", "x y z"],
    "hand": ["any 5"],
    "shares": ["high"],
}  # fmt: skip
LEFT = "Kd Kh | 9c 8d 2h"


def faults(**keys: Any) -> str:
    return " / ".join(problem.text for problem in documents.check(MARKET | keys))


def test_taken_cards_belong_to_hands_but_remaining_cards_do_not() -> None:
    """The kings stay on the table, so no player has a pair of kings."""
    players = (seat("ann", "Ks 3c", up="Ah"), seat("bob", "Qs Qc"), seat("cat", "Jc 4d", up="As"))
    wins(deal(MARKET, *players, board=LEFT), "ann 0, bob 30, cat 0")
    assert settle(deal(MARKET, *players, board=LEFT))["hands"]["ann"]["high"]["name"] == "ace high"


def test_table_can_be_empty_after_all_cards_are_taken() -> None:
    players = (seat("ann", "Ks 3c", up="Ah"), seat("bob", "Qs Qc", up="Kd"))
    wins(deal(MARKET, *players, board="| 9c 8d 2h"), "ann 0, bob 20")
    refused(deal(MARKET, *players, board="7c 7d 7h 7s 6c | 9c 8d 2h"), "board/0 card-count")
    refused(deal(MARKET, *players, board="Kh"), "board card-count")


def test_card_price_is_not_a_stake() -> None:
    players = (seat("ann", "Ks 3c", 14, up="Ah", dead=4), seat("bob", "Qs Qc", 10))
    finds(deal(MARKET, *players, board=LEFT))
    wins(deal(MARKET, *players, board=LEFT), "ann 0, bob 24", returned={"ann": 0, "bob": 0})


def test_extra_and_auctioned_cards_are_optional() -> None:
    extra = MARKET | {"deal": [*MARKET["deal"][:-1], "extra 0-1 for 5", "bid for a"]}
    for held in ("As Ad", "As Ad 4c", "As Ad 4c Ah"):
        wins(deal(extra, seat("ann", held), seat("bob", "Qs Qc"), board=LEFT), "ann 20, bob 0")
    five = deal(extra, seat("ann", "As Ad 4c 5c 6c"), seat("bob", "Qs Qc"), board=LEFT)
    refused(five, "players/0/down card-count")


def test_card_on_the_forehead_is_recorded_face_up() -> None:
    bluff = {"name": "Bluff", "deal": ["1 blind", "bet"], "hand": ["1 up"], "shares": ["highest"]}
    assert documents.check(bluff) == []
    wins(deal(bluff, seat("ann", up="9c"), seat("bob", up="Kd")), "ann 0, bob 20")
    lines = [line for s in rules_page(bluff)["sections"] for line in s["lines"]]
    assert any("everyone but its holder sees it" in line for line in lines)


def test_each_player_keeps_one_card_per_push() -> None:
    push = {
        "name": "Push",
        "deal": ["1 down", "push 2 left", "push 1 left down"],
        "hand": ["all own"],
        "shares": ["highest"],
    }
    held = (seat("ann", "9c 2c", up="8c 3d"), seat("bob", "Kd 2d", up="8d 3h"))
    wins(deal(push, *held), "ann 0, bob 20")
    short = (seat("ann", "9c 2c", up="8c"), held[1])
    refused(deal(push, *short), "players/0/up card-count")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("take 1 from row 3", "there is no row 3"),
        ("take 2 from row 1", "needs 8 cards, but the row has 4"),
        ("take 1 from a", "'a' is not valid here"),
        ("take 0-1 from row 1 for 1 2", "one price, or 4 for the cards of the row"),
        ("take 0-1 from row 2", "the game deals no hand of 'any 5'"),
        ("swap 0-4 with row 2", "needs 4 cards, but the row has 3"),
        ("swap 0-3 with row 2", "needs more cards than the 2 that a player can hold there"),
        ("match pot for 3", "only a card up is known to all players"),
        ("match half for 3 up", "'half' is not valid here"),
        ("pay fee for 3 up", "'fee' is not valid here"),
        ("push 1 across", "'across' is not valid here"),
        ("push 6 left", "6 is more than 5"),
        ("pass 1 second across", "'across' is not valid here"),
        ("bid for q", "'q' is not valid here"),
        ("extra 0-1 any", "is not valid at the end"),
        ("hit 0-5 any", "is not valid at the end"),
        ("hit 0-5 frozen 3", "'3' is not valid here"),
        ("swap hand across", "'across' is not valid here"),
        ("swap hand left unless king", "'king' is not valid here"),
    ],
)
def test_misplaced_word_is_refused_with_the_reason(step: str, message: str) -> None:
    assert message in faults(deal=[*MARKET["deal"], step])


@pytest.mark.parametrize(
    "keys",
    [
        {"hand": ["2 down + 3 row 1"]},
        {"hand": ["2 down + 1 a"]},
        {"lines": ["a x", "b y"]},
        {"wild": ["rank of a"]},
    ],
)
def test_cards_on_the_table_do_not_belong_to_a_hand_until_taken(keys: Record) -> None:
    assert "a hand can't use cards that players take" in faults(**keys)


def test_row_must_be_dealt_before_players_take_from_it() -> None:
    early = ["2 down", "take 0-1 from row 1", "board a b c d", "board x y z"]
    assert "uses cards that are not dealt before" in faults(deal=early)


@pytest.mark.parametrize(
    "step", ["extra 0-1", "push 1 left", "pay 1 for 3 up", "hit 0-1", "swap hand left"]
)
def test_cards_turned_one_at_a_time_cannot_be_combined_with_taken_cards(step: str) -> None:
    game = {
        "deal": ["7 down", "board a", step, "turn until best"],
        "board": ["a"],
        "hand": ["1-5 up"],
    }
    assert "can't be combined with cards turned one by one" in faults(**game)


def test_every_taken_card_is_placed_in_the_replay() -> None:
    record = deal(MARKET, seat("ann", "Ks 3c", up="Ah"), seat("bob", "Qs Qc"), board=LEFT)
    scenes = replay(record, settle(record))
    assert {"players/0/up/0", "board/0/1"} <= {p for s in scenes for p in (*s.up, *s.down)}
