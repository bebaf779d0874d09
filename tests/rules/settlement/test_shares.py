"""How pots are divided: shares, ties, odd chips and unwon shares (docs/rulings.md 3 and 4)."""

import pytest

from tests.helpers.rules.tables import Record, deal, seat, wins

STRAIGHTS = "Kh Qs Jd 9c 7h"
THREE_TEN_HIGH_STRAIGHTS = (
    seat("ann", "Tc 2d", 9),
    seat("bob", "Td 2s", 9),
    seat("cat", "Ts 3d", 9),
)


def share(way: str, **winners: int) -> Record:
    return {"way": way, "amount": sum(winners.values()), "winners": winners}


def omaha(*players: Record, board: str = "3s 4d 8h Qs Kc", **more: object) -> Record:
    return deal("omaha-8", *players, board=board, **more)


HIGH_HAND, LOW_HAND = "Ks Kd Jc Th", "Ac 2c Jd Td"


def test_odd_chip_between_high_and_low_goes_to_the_high_hand() -> None:
    """docs/rulings.md 3: the first share gets the odd chip, so 21 is split into 11 and 10."""
    record = omaha(seat("ann", HIGH_HAND), seat("bob", LOW_HAND), carried=1)
    wins(
        record,
        "ann 11, bob 10",
        pots=[{"amount": 21, "shares": [share("high", ann=11), share("low", bob=10)]}],
    )


def test_odd_chip_between_rows_goes_to_row_one() -> None:
    """docs/rulings.md 3: row 1 gets an odd chip before row 2."""
    record = deal(
        "texas-holdem",
        seat("ann", "Ac Ad", declared="row 2"),
        seat("bob", "Kc Kd", declared="row 1"),
        board="Qh 9s 8s 4h 2h | Th 9h 5s 4d 3d",
        carried=1,
        modifiers=["two-row"],
        options={"declare": "row"},
    )
    wins(
        record,
        "ann 10, bob 11",
        pots=[{"amount": 21, "shares": [share("row 1", bob=11), share("row 2", ann=10)]}],
    )


@pytest.mark.parametrize(
    ("button", "won"),
    [
        (0, "ann 9, bob 10, cat 10, dan 0"),
        (1, "ann 10, bob 9, cat 10, dan 0"),
        (2, "ann 10, bob 10, cat 9, dan 0"),
        (3, "ann 10, bob 10, cat 9, dan 0"),
    ],
)
def test_odd_chips_in_a_tie_are_handed_out_one_by_one_from_the_dealers_left(
    button: int, won: str
) -> None:
    """docs/rulings.md 3: 29 chips among three players. The dealer gets an odd chip last."""
    dan = seat("dan", paid=2, folded=True)
    wins(deal("texas-holdem", *THREE_TEN_HIGH_STRAIGHTS, dan, board=STRAIGHTS, button=button), won)


@pytest.mark.parametrize("button", [0, 1, 2, 3])
def test_odd_chips_can_go_to_the_highest_single_card(button: int) -> None:
    """docs/rulings.md 3, option `odd_chip`: suits rank as for single cards.

    The order is spades, clubs, diamonds. The tied hands share all cards but their tens.
    """
    record = deal(
        "texas-holdem",
        *THREE_TEN_HIGH_STRAIGHTS,
        seat("dan", paid=1, folded=True),
        board=STRAIGHTS,
        button=button,
        options={"odd_chip": "high card"},
    )
    wins(record, "ann 9, bob 9, cat 10, dan 0")


def test_odd_chip_by_high_card_compares_only_the_five_played_cards() -> None:
    """docs/rulings.md 3: the odd chip goes to the tied hand with the highest single card.

    Both play two pair and the board's king. Ann's queen of clubs beats Bob's queen of diamonds, and
    Bob's ace of spades is not part of his hand.
    """
    record = omaha(
        seat("ann", "Qc Jh 6c 6d"),
        seat("bob", "Qd Jc As 2s"),
        board="Qh Jd Kc 8s 7h",
        carried=1,
        options={"odd_chip": "high card", "low": "7-or-better"},
    )
    wins(record, "ann 11, bob 10")


STUD_LOWS = (
    seat("ann", "2c 3d Qd", 14, up="4h 5s 7c Kd"),
    seat("bob", "2d 3c Jh", 14, up="4s 5h 7d Kh"),
    seat("cat", "9c 9d 6c", 14, up="9h Kc Qs 8s"),
)


@pytest.mark.parametrize(
    ("odd_chip", "won"),
    [
        ("seat", "ann 10, bob 11, cat 21"),
        ("high card", "ann 11, bob 10, cat 21"),  # TDA: 7c is higher than 7d
        ("by suit", "ann 10, bob 11, cat 21"),  # Robert's Rules: 2d is the lowest card
    ],
)
def test_odd_chip_of_tied_stud_lows_goes_by_seat_or_card(odd_chip: str, won: str) -> None:
    """docs/rulings.md 3. In a low, Robert's Rules of Poker give it to the lowest card by suit."""
    answer = wins(deal("seven-card-stud-8", *STUD_LOWS, options={"odd_chip": odd_chip}), won)
    odd = answer["reasons"][-1]["odd"]
    assert odd["by"] == {"seat": "seat", "high card": "high-card", "by suit": "low-card"}[odd_chip]


def test_ace_is_the_lowest_card_by_suit_in_an_ace_low_game() -> None:
    """Robert's Rules of Poker, "Ties": all cards count, and a low's lowest card takes the chip.

    In deuce to seven aces are high, so the deuce of diamonds is lower than Bob's unused ace.
    """
    more = {"options": {"odd_chip": "by suit"}, "carried": 1}
    ann = seat("ann", "2d 3c Kc", up="4s 5h 7d Kh")
    bob = seat("bob", "2c 3d As", up="4h 5s 7c Qd")
    answer = wins(deal("deuce-to-seven-razz", ann, bob, **more), "ann 11, bob 10")
    assert "by the two of diamonds under the two of clubs" in answer["story"][-1]
    ann["down"], bob["down"] = ["Ac", "3c", "Kc"], ["Ad", "3d", "Ks"]
    answer = wins(deal("razz", ann, bob, **more), "ann 10, bob 11")
    assert "by the ace of diamonds under the ace of clubs" in answer["story"][-1]


def test_tied_low_is_quartered() -> None:
    """docs/rulings.md 3: Ann wins the high and half of the low."""
    record = omaha(seat("ann", "Ac 2c Kd Ks"), seat("bob", "Ad 2d Jc Td"), board="3s 4d 8h Qs Kc")
    wins(
        record,
        "ann 15, bob 5",
        pots=[{"shares": [share("high", ann=10), share("low", ann=5, bob=5)]}],
    )


def test_unwon_share_goes_to_the_other_share() -> None:
    """docs/rulings.md 4: no low qualifies."""
    record = omaha(seat("ann", "Ac 2c 9s 9d"), seat("bob", HIGH_HAND), board="3s Td 8h Qs Kc")
    wins(
        record,
        "ann 0, bob 20",
        pots=[{"shares": [share("high", bob=20), {"way": "low", "amount": 0, "winners": {}}]}],
    )


def test_unwon_high_goes_to_the_low() -> None:
    """docs/rulings.md 4 and 14, Qualifiers: no hand has three of a kind, and one has a 7 low."""
    record = deal(
        "qualifiers",
        seat("ann", "7c 5d 4h 2s Kc"),
        seat("bob", "Ad Ah Ks Jc 9d"),
        board="3s Jh",
    )
    wins(
        record,
        "ann 20, bob 0",
        pots=[{"shares": [{"way": "high", "amount": 0, "winners": {}}, share("low", ann=20)]}],
    )


def test_side_pot_without_a_low_goes_entirely_to_the_high_hand() -> None:
    """docs/rulings.md 4: each share of a side pot is decided among that pot's players.

    See also docs/architecture.md. Ann, all in for 5, has the only low.
    """
    record = omaha(
        seat("ann", LOW_HAND, 5, all_in=True),
        seat("bob", "Kd Ks Jc Th", 11),
        seat("cat", "Qc Qd Jh Ts", 11),
    )
    wins(
        record,
        "ann 7, bob 20, cat 0",
        pots=[
            {"amount": 15, "shares": [share("high", bob=8), share("low", ann=7)]},
            {
                "amount": 12,
                "shares": [share("high", bob=12), {"way": "low", "amount": 0, "winners": {}}],
            },
        ],
    )


def test_pot_without_a_won_share_is_carried() -> None:
    """docs/rulings.md 4: no hand has three of a kind or a 7 low."""
    record = deal(
        "qualifiers", seat("ann", "Ac Ad Ks Qh 9d"), seat("bob", "Kc Kd Qs Jh 9c"), board="2s 3h"
    )
    wins(record, "ann 0, bob 0", carry=20, carries=[{"amount": 20, "for": ["ann", "bob"]}])


def test_suits_do_not_break_ties_in_standard_games() -> None:
    """docs/rulings.md 8: both play the same straight, and suits and unplayed cards do not count."""
    record = deal(
        "texas-holdem", seat("ann", "As Ks"), seat("bob", "Ad 2d"), board="Qh Jd Tc Kc 9h"
    )
    wins(record, "ann 10, bob 10")


def test_unplayed_cards_do_not_count() -> None:
    """docs/rulings.md 8: both play two pair and the board's ace.

    The sixth card is not a kicker.
    """
    record = deal(
        "texas-holdem", seat("ann", "Qs 3s"), seat("bob", "Jd 2c"), board="Kh Kc 9d 9c As"
    )
    wins(record, "ann 10, bob 10")


def test_high_and_low_hands_can_use_different_rows() -> None:
    """docs/rulings.md 8: Ann has quads with row 2 and a low with row 1; no row makes both."""
    record = deal(
        "omaha-8",
        seat("ann", "Ah 2h Kd Ks"),
        seat("bob", "Qc Jd Tc 9h"),
        board="3s 4d 8h Qs Jc | Kc Kh Td 9s 5c",
        modifiers=["two-row"],
    )
    answer = wins(record, "ann 20, bob 0")
    hands = answer["hands"]["ann"]
    assert set(hands["high"]["cards"]) >= {"Kd", "Ks", "Kc", "Kh"}
    assert set(hands["low"]["cards"]) == {"Ah", "2h", "3s", "4d", "8h"}


@pytest.mark.parametrize(
    ("button", "won"),
    [
        (0, "ann 9, bob 9, cat 10, dan 0"),
        (1, "ann 10, bob 9, cat 9, dan 0"),
        (2, "ann 9, bob 10, cat 9, dan 0"),
        (3, "ann 9, bob 9, cat 10, dan 0"),
    ],
)
def test_odd_chips_start_at_the_dealers_right_if_the_deal_is_counter_clockwise(
    button: int, won: str
) -> None:
    """docs/rulings.md 13, Texas Toothpick Toast: three players share 28 chips. Dan has folded."""
    dan = seat("dan", paid=1, folded=True)
    players = (*THREE_TEN_HIGH_STRAIGHTS, dan)
    wins(deal("texas-toothpick-toast", *players, board=STRAIGHTS, button=button), won)


def test_unwon_pot_can_be_split_but_a_single_won_share_scoops() -> None:
    """docs/games.md: `unwon = "split"` differs from `else split`: one won share scoops."""
    game = {
        "name": "Split",
        "deal": ["5 down"],
        "hand": ["5 down"],
        "shares": ["high: high trips-or-better", "low: 8-or-better"],
        "unwon": "split",
    }
    nothing, less = "Ks Qd Jh 9s 8c", "Kd Qh Js 9c 7d"
    wins(deal(game, seat("ann", nothing), seat("bob", less), carried=1), "ann 10, bob 11", carry=0)
    wins(deal(game, seat("ann", nothing), seat("bob", "8s 6d 4h 2s Ac")), "ann 0, bob 20")


def test_fallback_of_a_share_is_decided_for_each_pot_separately() -> None:
    """docs/games.md: `else` applies to a pot if no hand in that pot qualifies.

    Ann, all in, has the only pair. In the side pot the highest single card decides, not the better
    kickers.
    """
    game = {
        "name": "No pair by one card",
        "deal": ["5 down"],
        "hand": ["5 down"],
        "shares": ["high: high pair-or-better else highest"],
    }
    record = deal(
        game,
        seat("ann", "2c 2d 5h 6s 8c", 4, all_in=True),
        seat("bob", "Kd Qh Js 9c 7d"),
        seat("cat", "Ks 4d 3h 5c 8h"),
    )
    wins(record, "ann 12, bob 0, cat 12")
