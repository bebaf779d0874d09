"""The sentences in a story, with one test for each rule.

See docs/record.md, "Reasons", and docs/rulings.md.
"""

from typing import Any

import pytest

from rules import settle
from tests.helpers.rules.tables import deal, seat

DRY = "2c 7d 9h Js 3s"


def story_of(record: dict[str, Any]) -> list[str]:
    answer = settle(record)
    assert "errors" not in answer, answer
    return list(answer["story"])


def holdem(*players: dict[str, Any]) -> dict[str, Any]:
    return deal("texas-holdem", *players, board=DRY)


def draw(*players: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return deal("five-card-draw", *players, **changes)


def of(shares: list[str], *players: dict[str, Any], **document: Any) -> dict[str, Any]:
    """Return a record with five cards down in a game with these shares."""
    game = {"name": "Test", "deal": ["5 down"], "shares": shares} | document
    return deal(game, *players)


@pytest.mark.parametrize(
    ("cards", "called"),
    [
        ("Ah Kd 9c 5s 3d", "ace high"),
        ("Kh Kd 9c 5s 3d", "a pair of kings"),
        ("Kh Kd 9c 9s 3d", "two pair, kings and nines"),
        ("Kh Kd Kc 9s 3d", "three kings"),
        ("8h 7d 6c 5s 4d", "an eight-high straight"),
        ("Jh Td 9c 8s 7d", "a jack-high straight"),
        ("Ah 9h 6h 5h 3h", "an ace-high flush"),
        ("Kh Kd Kc 9s 9d", "a full house, kings over nines"),
        ("5h 5d 5c 5s 9d", "four fives"),
        ("9h 8h 7h 6h 5h", "a nine-high straight flush"),
        ("Ah Kh Qh Jh Th", "a royal flush"),
    ],
)
def test_hand_has_its_usual_poker_name(cards: str, called: str) -> None:
    record = draw(seat("ann", cards), seat("bob", "2c 4c 7s Qs Tc"))
    [sentence] = story_of(record)
    assert sentence.startswith(f"ann wins the pot (20) with {called}, ahead of bob's queen high")


@pytest.mark.parametrize(
    ("cards", "called"),
    [
        ("7c 5d 4c 3h 2d", "a seven-low, 7-5-4-3-2"),
        ("8c 5d 4c 3h 2d", "an eight-low, 8-5-4-3-2"),
        ("Th 5d 4c 3h 2d", "a ten-low, 10-5-4-3-2"),
        ("Ah 5d 4c 3h 2d", "a wheel, 5-4-3-2-A"),
        ("Ah Ad 4c 3h 2d", "a pair of aces"),
    ],
)
def test_low_is_named_by_its_highest_card_and_its_ranks(cards: str, called: str) -> None:
    record = of(["low: best"], seat("ann", cards), seat("bob", "Kc Kd Qc Qs Ts"))
    assert story_of(record) == [
        f"ann wins the pot (20) with {called}, ahead of bob's two pair, kings and queens."
    ]


def test_single_card_is_named_by_rank_and_suit() -> None:
    """docs/rulings.md 12: the jacks of hearts and spades tie and beat the ace of spades."""
    record = deal("rudys-jewels", seat("ann", "Jh 2c"), seat("bob", "Ad As"))
    assert story_of(record) == [
        "ann wins the pot (20) with the jack of hearts, ahead of bob's ace of spades."
    ]


def test_first_differing_card_decides_between_hands_with_the_same_name() -> None:
    kings, less = "Kh Kd Ac 5s 3d", "Ks Kc Qc 5d 3c"
    [sentence] = story_of(draw(seat("ann", kings), seat("bob", less)))
    assert sentence.endswith(", ahead of bob's pair of kings: the ace beats the queen.")


def test_second_single_card_decides_between_equal_first_cards() -> None:
    record = deal("rudys-jewels", seat("ann", "Jh 9c"), seat("bob", "Js 2d"))
    assert story_of(record) == [
        (
            "ann wins the pot (20) with the jack of hearts, ahead of bob's jack of spades: "
            "the nine of clubs beats the two of diamonds."
        )
    ]


def test_points_are_named_with_their_number() -> None:
    """Red and Black: red cards add and black cards subtract, so 3 + 2 - 4 is 1."""
    dealt = (seat("ann", "3h 2d 4c 5h 5c"), seat("bob", "2h 3d 4s Ts Kc"))
    [sentence] = story_of(deal("red-and-black", *dealt))
    assert sentence == "ann wins the pot (20) with 1 point, ahead of bob's -19 points."


def test_wild_card_name_states_the_card_it_represents() -> None:
    record = deal("five-card-draw", seat("ann", "Ah Ad 9c *1 3d"), seat("bob", DRY))
    record["variant"] = {
        "name": "Test",
        "deck": "52 + 1 joker",
        "deal": ["5 down"],
        "wild": ["joker"],
        "shares": ["high"],
    }
    [sentence] = story_of(record)
    assert sentence.startswith("ann wins the pot (20) with three aces (*1 as A♠)")


# --- positions of cards ---------------------------------------------------------------------------


def nightmare(board: str) -> dict[str, Any]:
    players = (seat("ann", "5h 5d 2c Jd Qc"), seat("bob", "Kh 9s 8c 6c 7s"))
    return deal("nightmare", *(one | {"declared": "high"} for one in players), board=board)


def test_row_used_by_the_hand_is_named() -> None:
    """The hand uses the whole middle row and three hole cards."""
    [sentence, *_] = story_of(nightmare("2h 3s 4d | 5s 5c | Ts"))
    assert "with four fives (three in hand and the middle row, 5♠ 5♣)" in sentence


def test_cards_in_a_line_across_rows_are_named() -> None:
    """The line is a column with one five on each of two rows and a three."""
    [sentence, *_] = story_of(nightmare("5s Ks 4d | 5c Kc | 3s"))
    assert "with four fives (two in hand and the first column, 5♠ 5♣ 3♠)" in sentence


def test_row_is_not_named_if_the_board_has_only_one() -> None:
    [sentence] = story_of(holdem(seat("ann", "Ah Ad"), seat("bob", "Kh Kd")))
    assert "in hand" not in sentence


SQUARE = {
    "name": "Square",
    "deal": ["2 down", "board a b c d e f g h i", "bet"],
    "board": ["a b c", "d e f", "g h i"],
    "lines": ["a b c", "d e f", "g h i", "a d g", "b e h", "c f i", "a e i", "c e g"],
    "hand": ["2 down + all line"],
    "shares": ["high"],
}


@pytest.mark.parametrize(
    ("variant", "hand", "board", "place"),
    [
        # the third column consists of one card, so the low is not "one on the top row"
        ("nightmare", "As 6s 5c 3d Kd", "Qh Kc 2s | Jh Jd | 9s", "the third column, 2♠"),
        ("nightmare", "5h 5d 2c Jd Qc", "2h 5s 4d | Ks 5c | Ts", "the second column, 5♠ 5♣"),
        ("nightmare", "5h 5d 2c Jd Qc", "2h 9c 4d | 3s Kc | 5s", "the bottom row, 5♠"),
        (SQUARE, "5h 5d", "5s 3c 7d | 9h 5c Qd | Jh 6c 2s", "the diagonal, 5♠ 5♣ 2♠"),
        (SQUARE, "5h 5d", "8h 3c 5s | 9h 5c Qd | 2h 6c Js", "the diagonal, 5♠ 5♣ 2♥"),
        ("iron-cross", "5h 5d Kc 9h 2d", "5s | 3d 5c 8d | Jh", "5♠ 5♣ of the second column"),
    ],
)
def test_line_used_by_the_hand_is_named_with_its_cards(
    variant: Any, hand: str, board: str, place: str
) -> None:
    """A square's rows, columns and diagonals have names. Other lines are named by their cards."""
    other = " ".join(["7s 8s Th Td 4h".split()[at] for at in range(len(hand.split()))])
    answer = settle(deal(variant, seat("ann", hand), seat("bob", other), board=board))
    assert any(
        said.startswith("ann wins") and f" in hand and {place})" in said for said in answer["story"]
    ), answer["story"]


def test_stories_show_tens_as_10() -> None:
    """Pages show 10 instead of T, and so do stories and hand names."""
    badugi = {"name": "B", "deal": ["4 down"], "hand": ["4 down"], "shares": ["badugi"]}
    answer = settle(deal(badugi, seat("ann", "Th 9d 2c As"), seat("bob", "Ks Qd Jc Kh")))
    assert answer["hands"]["ann"]["badugi"]["name"] == "4-card badugi 10-9-2-A"
    wild = {"name": "W", "deal": ["5 down"], "wild": ["T"], "shares": ["high"]}
    [sentence] = story_of(deal(wild, seat("ann", "Th Ad Ac 7c 5s"), seat("bob", "Kh Qd 9c 7d 3s")))
    assert "(10♥ as A♠)" in sentence
    twice = settle(holdem(seat("ann", "Th Td"), seat("bob", "Th Kd")))
    assert [error["text"] for error in twice["errors"]] == ["10♥ is already in ann's hand"]


# --- no opponent ----------------------------------------------------------------------------------


def test_story_names_the_only_qualifying_low() -> None:
    low, none = "7c 5d 4c 3h 2d", "Kc Kd Qc Qs Ts"
    record = of(["high", "low: 8-or-better"], seat("ann", low), seat("bob", none))
    assert story_of(record)[1] == (
        "ann wins the low (10) with a seven-low, 7-5-4-3-2, the only low that qualified."
    )


def test_share_is_not_named_after_its_qualifier() -> None:
    low, none = "7c 5d 4c 3h 2d", "Kc Kd Qc Qs Ts"
    record = of(["high", "8-or-better"], seat("ann", low), seat("bob", none))
    assert story_of(record)[1].startswith("ann wins the low (10)")
    record = of(["high pair-or-better", "8-or-better"], seat("ann", low), seat("bob", none))
    assert story_of(record)[0].startswith("bob wins the high (10)")


def test_unwon_share_is_named_with_the_share_that_takes_it() -> None:
    record = of(
        ["high", "low: 8-or-better"], seat("ann", "Ac Ad 9c 9h 2d"), seat("bob", "Kc Kd Qc Qs Ts")
    )
    assert story_of(record)[1] == "Nobody has an eight-low, so the high takes the whole pot."


def test_story_names_the_players_who_folded() -> None:
    folded = [seat(name, folded=True) for name in ("bob", "cat")]
    assert story_of(holdem(seat("ann", "Ah Ad"), *folded)) == [
        "Everyone else folded: ann takes the pot (30)."
    ]
    assert story_of(holdem(seat("ann", "Ah Ad"), folded[0])) == [
        "bob folded: ann takes the pot (20)."
    ]


def test_player_who_mucks_is_not_described_as_folded() -> None:
    record = holdem(seat("ann", "Ah Ad"), seat("bob", mucked=True))
    assert story_of(record) == ["bob mucked: ann takes the pot (20)."]


def test_player_out_after_declaring_both_ways_is_named_once() -> None:
    """The README's example: Bob declared both ways and lost the high in every pot."""
    players = (
        seat("ann", "Ah Ad 9c 5s 3d", 20, declared="high"),
        seat("bob", "Kh Kd 9d 5d 3c", 20, declared="both"),
        seat("cat", "7c 6d 4c 3h 2d", 10, declared="low", all_in=True),
    )
    record = of(["high", "low: best"], *players, declare="high-low")
    assert story_of(record)[0] == (
        "bob declared both ways and lost the high to ann's pair of aces, so bob is out of both."
    )
    assert sum("declared both ways" in sentence for sentence in story_of(record)) == 1


# --- ties ---------------------------------------------------------------------------------------


def test_equal_shares_of_a_tie_form_one_sentence() -> None:
    record = draw(seat("ann", "Ah Kd 9c 5s 3d"), seat("bob", "As Kc 9d 5d 3c"))
    assert story_of(record) == [
        "ann and bob split the pot (20) with ace high, and king, nine, five and three: 10 each."
    ]


def test_odd_chips_are_handed_out_from_the_dealers_left() -> None:
    """docs/rulings.md 3: Ann deals, so Bob gets the first odd chip."""
    board = "Ah Kh Qd Jc Ts"
    three = [seat(name, cards) for name, cards in (("ann", "2c 3c"), ("bob", "2d 3d"))]
    record = deal("texas-holdem", *three, seat("cat", paid=5, folded=True), board=board)
    assert story_of(record) == [
        (
            "ann and bob split the pot (25) with an ace-high straight: ann 12 and bob 13, "
            "the odd chip to bob, nearest the dealer's left."
        )
    ]


def test_two_odd_chips_are_named_in_the_plural() -> None:
    board = "Ah Kh Qd Jc Ts"
    cards = {"ann": "2c 3c", "bob": "2d 3d", "cat": "2h 3h"}
    players = [seat(name, held) for name, held in cards.items()]
    record = deal("texas-holdem", *players, seat("dan", paid=2, folded=True), board=board)
    [sentence] = story_of(record)
    assert sentence.endswith(
        ": ann 10, bob 11 and cat 11, the odd chips to bob and cat, nearest the dealer's left."
    )


BUST, ALSO_BUST = "Ks Kd Qc 3d 5c", "Kc Qh Jh 3h 5d"


def test_story_describes_two_players_over_21() -> None:
    """docs/rulings.md 11: rounds settle ties and hands that are all over 21. None was dealt."""
    record = deal("five-card-21", seat("ann", BUST), seat("bob", ALSO_BUST))
    assert story_of(record) == [
        "ann and bob are both over 21, with 38 and 38.",
        "ann and bob split the pot (20), as no hand was dealt to break the tie: 10 each.",
    ]


def test_story_names_the_hand_dealt_to_break_a_tie() -> None:
    rounds = [{"ann": "2c 2d 4c 6s 8h".split(), "bob": "Kh 9h 7c 4s 3s".split()}]
    record = deal("five-card-21", seat("ann", BUST), seat("bob", ALSO_BUST), tiebreaks=rounds)
    assert story_of(record)[1] == (
        "ann wins the pot (20), by the hand dealt to break the tie "
        "(a pair of twos, ahead of bob's king high)."
    ) or story_of(record)[1].endswith("(a pair of twos, ahead of bob's king of hearts).")


def test_story_names_the_only_player_under_21() -> None:
    record = deal("five-card-21", seat("ann", "2s 3c 4h 5s 6d"), seat("bob", BUST))
    assert story_of(record) == [
        "ann wins the pot (20) with 20 points, the only one who is not over 21: bob has 38."
    ]


AT_21, ALSO_AT_21 = "Ah As 4c 5s Ts", "Ac Ad 4d 5h Th"
TIE_BREAK = [{"ann": "2c 5d 9h Jd Kh".split(), "bob": "3c 3d 4h 6d 7s".split()}]


@pytest.mark.parametrize(
    ("game", "cards", "rounds", "ending"),
    [
        ("five-card-21", AT_21, [], "to break the tie: 15 each; eve is over 21 with 38."),
        ("five-card-21", AT_21, TIE_BREAK, "king high); eve is over 21 with 38."),
        ("bookem-danno", "As Js 4c 5s Ts", [], "ahead of bob's 21 points; eve is over 21 with 38."),
    ],
    ids=["split", "tie-break", "other way to win"],
)
def test_story_names_losers_over_21(
    game: str, cards: str, rounds: list[dict[str, list[str]]], ending: str
) -> None:
    """docs/games.md, `closest 21`: hands above it lose, so players want to see why."""
    players = (seat("ann", cards), seat("bob", ALSO_AT_21), seat("eve", BUST))
    record = deal(game, *players, tiebreaks=rounds)
    assert story_of(record)[0].endswith(ending)


# --- chips --------------------------------------------------------------------------------------


def test_thousands_are_grouped_and_one_chip_is_singular() -> None:
    players = (seat("ann", "Ah Kd 9c 5s 3d", 2501), seat("bob", "Ks Qc 9d 5d 3c", 2500))
    told_of = story_of(draw(*players))
    assert told_of[0] == "ann takes back 1 uncalled chip."
    assert told_of[1].startswith("ann wins the pot (5,000)")


def test_player_name_keeps_its_spelling() -> None:
    record = draw(seat("an pair", "Ah Kd 9c 5s 3d"), seat("the ÉLAN", "Ks Qc 9d 5d 3c"))
    [sentence] = story_of(record)
    assert sentence.startswith("an pair wins")
    assert "ahead of the ÉLAN's king high" in sentence


# --- pots of earlier hands ----------------------------------------------------------------------


def qualifiers(bob: str) -> dict[str, Any]:
    """Return a record with nine carried pots, each for Cat and two other players."""
    names = ["ann", "bob", "dan", "eve", "fay"]
    sets = [["cat", *pair] for pair in ([one, two] for one in names for two in names if one < two)]
    players = [
        seat("ann", "Kc Kd Ts 9h 8h"),
        seat("bob", bob),
        seat("cat", "Ac Ad 7h 6c 5h"),
        seat("dan", "Jc Jd 8s 9d Td"),
        seat("eve", "Js 9s 8d Qs 9c"),
        seat("fay", "Tc Kh 8c Ks Qd"),
    ]
    carried = [{"amount": 10, "for": some} for some in sets[:9]]
    return deal("qualifiers", *players, board="2h 3s", carried=carried)


def test_carried_pots_with_the_same_outcome_form_one_sentence() -> None:
    """Many Qualifiers hands may carry pots for different players (docs/rulings.md 14)."""
    answer = settle(qualifiers("Qc Qh Jh 5c 4d"))
    assert len(answer["pots"]) == 10
    nobody, low = (sentence for sentence in answer["story"] if "carried" in sentence)
    assert nobody.startswith("Nobody in the nine carried pots has three of a kind or better")
    assert nobody.endswith(", so the low takes all of them.")
    assert low.startswith("cat wins the low of the nine carried pots (90) with a six-low")


def test_carried_pot_is_named_with_its_players() -> None:
    players = (seat("ann", "Kc Kd Ts 9h 8h"), seat("bob", "Qc Qd Js 9c 8c"))
    record = deal("qualifiers", *players, seat("cat", folded="late"), board="2h 3s")
    stays = "Nobody has three of a kind or better for the high or a seven-low for the low: "
    assert story_of(record) == [f"{stays}30 chips stay for the next hand."]
    record = deal("qualifiers", *players, seat("cat", folded=True), board="2h 3s")
    assert story_of(record) == [f"{stays}30 chips stay for the next hand, for ann and bob."]
