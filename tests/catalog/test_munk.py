"""The games played at Munk's house, with one test for each rule.

The rules are from "Munk.org Poker House Rules" ("Source" below) and docs/rulings.md 9 to 13.
"""

import pytest

from rules import settle
from tests.helpers.rules.table import played, shares, steps
from tests.helpers.rules.tables import deal, finds, refused, seat, wins

BASEBALL = [("midnight-cobain-baseball", "Kh", "Qh"), ("courtney-love-baseball", "Qh", "Kh")]


# --- the baseball games -------------------------------------------------------------------------


def turned(name: str, up: str, *, dealt: int = 7, paid: int = 10) -> dict[str, object]:
    """Return a player with these cards turned up and one more unturned card for each four."""
    cards = up.split()
    unturned = dealt - len(cards) + sum(card[0] == "4" for card in cards)
    return seat(name, " ".join(["??"] * unturned), up=up, paid=paid)


@pytest.mark.parametrize(("game", "killer", "harmless"), BASEBALL)
def test_killer_card_turned_up_folds_the_hand(game: str, killer: str, harmless: str) -> None:
    beaten = deal(game, turned("ann", f"As {killer}"), turned("bob", "6c 2d"), board="5d")
    assert settle(beaten)["won"] == {"ann": 0, "bob": 20}
    good = deal(game, turned("ann", f"As {harmless} Ad"), turned("bob", "6c 2d 8h 8s"), board="5d")
    assert settle(good)["won"] == {"ann": 20, "bob": 0}


@pytest.mark.parametrize("game", [game for game, *_ in BASEBALL])
class TestBaseball:
    def test_seven_cards_are_dealt_down_and_turned_up_until_the_best_hand_is_beaten(
        self, game: str
    ) -> None:
        assert steps(game) == [
            "7 down",
            "board a",
            "turn until best",
            "draw for 4 up",
            "bet best opens",
        ]

    def test_threes_and_nines_are_wild(self, game: str) -> None:
        record = deal(game, turned("ann", "3c 9d Kd Ks Kc"), turned("bob", "2c"), board="8d")
        assert settle(record)["hands"]["ann"]["high"]["name"] == "five kings"

    def test_player_gets_an_extra_card_for_each_four_turned_up_in_baseball(self, game: str) -> None:
        nine, eight = (
            deal(game, seat("ann", " ".join(["??"] * down), up="4c 4d Ks Kc"), turned("bob", "2s"))
            for down in (5, 4)
        )
        board = [["8d"]]
        assert settle(nine | {"board": board})["won"] == {"ann": 20, "bob": 0}
        refused(eight | {"board": board}, "players/0/down card-count")

    def test_lone_wild_card_counts_as_the_ace_of_spades(self, game: str) -> None:
        """docs/rulings.md 10."""
        record = deal(game, turned("ann", "3c"), turned("bob", "Ah"), board="8d")
        assert shares(record) == {"high": {"ann"}}

    def test_hands_without_a_pair_first_compare_the_highest_card_by_suit(self, game: str) -> None:
        """docs/rulings.md 9: the highest card's suit decides before any lower card."""
        record = deal(game, turned("ann", "Kc Qd Js"), turned("bob", "Ks 2d"), board="8d")
        assert shares(record) == {"high": {"bob"}}

    def test_fewer_than_five_cards_make_no_straight_or_flush(self, game: str) -> None:
        record = deal(game, turned("ann", "2s 5s 6s 7s"), turned("bob", "8c 8h"), board="2d")
        assert shares(record) == {"high": {"bob"}}

    def test_first_of_two_tied_best_hands_wins_the_pot(self, game: str) -> None:
        record = deal(game, turned("ann", "Ts Td 2c"), turned("bob", "Th Tc 2d"), board="8d")
        assert settle(record)["won"] == {"ann": 0, "bob": 20}
        assert "order-unknown" in [finding["code"] for finding in settle(record)["findings"]]


# --- single cards -------------------------------------------------------------------------------


def test_three_dog_night_deals_one_card_and_exchanges_it_three_times() -> None:
    assert steps("three-dog-night") == ["1 down", "bet", *["draw 0-1", "bet"] * 3]


@pytest.mark.parametrize(
    ("better", "worse"),
    [("As", "Ah"), ("Ah", "Ac"), ("Ac", "Ad"), ("Ad", "Ks"), ("Ks", "Kh"), ("2s", "2d")],
)
def test_single_cards_rank_by_rank_then_spades_hearts_clubs_diamonds(
    better: str, worse: str
) -> None:
    """Source, single card scoring."""
    record = deal("three-dog-night", seat("ann", worse), seat("bob", better))
    assert shares(record) == {"high": {"bob"}}


def test_rudys_jewels_deals_two_or_three_cards_and_exchanges_one_five_times() -> None:
    assert steps("rudys-jewels") == ["2 down", "bet", *["draw 0-1", "bet"] * 5]
    assert played("rudys-jewels", cards=3).down.least == 3


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Jh 2d", "As Ah"),  # one jewel beats any hand without one
        ("Jh Js", "As Ah"),
        ("Jh As", "Js Ah"),  # among jewels, the second card decides
        ("Ah 2c", "Ac Ad"),  # without a jewel, only the highest card decides
    ],
)
def test_jewels_in_rudys_jewels_rank_above_aces(better: str, worse: str) -> None:
    record = deal("rudys-jewels", seat("ann", better), seat("bob", worse))
    assert shares(record) == {"high": {"ann"}}


def test_both_jewels_rank_the_same() -> None:
    record = deal("rudys-jewels", seat("ann", "Jh 2d"), seat("bob", "Js 2c"))
    assert shares(record) == {"high": {"bob"}}


@pytest.mark.parametrize(
    ("better", "worse"),
    [("*1 2c 3d", "As Ah Ac"), ("*1 *2 *3", "*4 As Ah"), ("*1 *2 As", "*3 *4 Ah")],
)
def test_jokers_in_united_states_stud_rank_above_aces(better: str, worse: str) -> None:
    record = deal("united-states-stud", seat("ann", better), seat("bob", worse))
    assert shares(record) == {"high": {"ann"}}


def test_united_states_stud_exchanges_one_card_four_times_from_a_deck_of_56() -> None:
    assert steps("united-states-stud") == ["3 down", "bet", *["draw 0-1", "bet"] * 4]
    assert len(played("united-states-stud").deck) == 56


# --- closest to 21 ------------------------------------------------------------------------------

TWENTY_ONE = ["five-card-21", "bookem-danno"]


@pytest.mark.parametrize("game", TWENTY_ONE)
class TestTwentyOne:
    def test_five_cards_are_dealt_and_up_to_two_exchanged_three_times(self, game: str) -> None:
        assert steps(game) == ["5 down", "bet", *["draw 0-2", "bet"] * 3]

    def test_hand_closest_to_21_without_busting_wins(self, game: str) -> None:
        record = deal(game, seat("ann", "2c 3d 4s 5h 7c"), seat("bob", "2d 3h 4c 6h 7d"))
        assert shares(record) == {"high": {"ann"}}  # 21 beats 22, which is bust

    def test_aces_count_as_one_or_eleven_and_face_cards_as_ten(self, game: str) -> None:
        low = seat("bob", "2d 2h 2c 3h 3d")
        assert shares(deal(game, seat("ann", "Ac Ad 2s 3c 4s"), low)) == {"high": {"ann"}}
        assert shares(deal(game, seat("ann", "Kc Ad 2s 3c 5s"), low)) == {"high": {"ann"}}

    def test_total_includes_all_five_cards(self, game: str) -> None:
        record = deal(game, seat("ann", "Kc Qd 2s 3c 4s"), seat("bob", "2d 2h 2c 3h 3d"))
        assert shares(record) == {"high": {"bob"}}

    def test_tie_is_broken_by_five_face_up_cards(self, game: str) -> None:
        record = deal(
            game,
            seat("ann", "2c 3d 4s 5h 7c"),
            seat("bob", "2d 3h 4c 5s 7d"),
            tiebreaks=[{"ann": "Kc Kd 2h 3s 8h".split(), "bob": "Ac Qd 9h 6s 8s".split()}],
        )
        wins(record, "ann 20, bob 0")

    def test_five_cards_break_the_tie_if_all_players_bust(self, game: str) -> None:
        record = deal(
            game,
            seat("ann", "Kc Kd 4s 5h 7c"),
            seat("bob", "Qd Qh 4c 5s 7d"),
            tiebreaks=[{"ann": "Ks Jd 2h 3s 8h".split(), "bob": "Ac Qd 9h 6s 8s".split()}],
        )
        wins(record, "ann 0, bob 20")

    def test_tie_without_a_recorded_tie_break_is_split_and_reported(self, game: str) -> None:
        """docs/rulings.md 11."""
        record = deal(game, seat("ann", "2c 3d 4s 5h 7c"), seat("bob", "2d 3h 4c 5s 7d"))
        finds(record, "tie-not-broken")
        wins(record, "ann 10, bob 10")


def test_ace_and_jack_of_spades_win_regardless_of_the_other_cards() -> None:
    """Source, Book'em Danno."""
    record = deal("bookem-danno", seat("ann", "As Js Kc Qd 9h"), seat("bob", "2d 3h 4c 5s 7d"))
    assert shares(record) == {"high": {"ann"}}
    assert shares(record | {"variant": "five-card-21"}) == {"high": {"bob"}}


# --- Texas Toothpick Toast ----------------------------------------------------------------------


def test_toothpick_toast_deals_counter_clockwise_and_burns_before_each_street() -> None:
    assert not played("texas-toothpick-toast").clockwise
    found = steps("texas-toothpick-toast")
    assert found == [
        *["2 down", "bet", "burn", "board a b c", "bet"],
        *["burn", "board d", "bet", "burn", "board e", "bet"],
    ]


def test_toothpick_toast_splits_the_pot_if_both_hands_play_the_board() -> None:
    """Source: the sixth and seventh cards break no ties. The odd chip goes right of the dealer."""
    record = deal(
        "texas-toothpick-toast",
        seat("ann", "2c 3c", paid=5),
        seat("bob", "2d 3d", paid=5),
        seat("cat", folded=True, paid=1),
        board="Ah Kh Qh Jh Th",
        button=2,
    )
    wins(record, "ann 5, bob 6, cat 0")
