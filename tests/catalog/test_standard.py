"""The standard games: the eleven variants in the Poker Hand History standard (PHH).

Rules and betting follow its documentation (https://phh.readthedocs.io).
"""

import pytest

from rules import settle
from tests.helpers.rules.table import called, played, shares, steps
from tests.helpers.rules.tables import deal, seat

LIMITS = {  # variant code, game, and limits of the first four rounds
    "FT": ("limit-holdem", "small small big big"),
    "NT": ("no-limit-holdem", "no-limit no-limit no-limit no-limit"),
    "NS": ("short-deck", "no-limit no-limit no-limit no-limit"),
    "PO": ("pot-limit-omaha", "pot-limit pot-limit pot-limit pot-limit"),
    "FO/8": ("limit-omaha-8", "small small big big"),
    "F7S": ("seven-card-stud", "small small big big"),
    "F7S/8": ("seven-card-stud-8", "small small big big"),
    "FR": ("razz", "small small big big"),
    "N2L1D": ("deuce-to-seven-single-draw", "no-limit no-limit no-limit no-limit"),
    "F2L3D": ("deuce-to-seven-triple-draw", "small small big big"),
    "FB": ("badugi", "small small big big"),
}


@pytest.mark.parametrize("code", LIMITS)
def test_every_phh_variant_has_the_limits_given_in_the_standard(code: str) -> None:
    game, limits = LIMITS[code]
    betting = played(game).betting
    round_limits = [betting.limit(round_) for round_ in range(4)]
    assert [limit.kind if limit else "" for limit in round_limits] == limits.split()


@pytest.mark.parametrize("game", ["seven-card-stud", "seven-card-stud-8", "razz"])
def test_stud_deals_two_down_four_up_and_one_down(game: str) -> None:
    dealt = [step for step in steps(game) if step[0].isdigit()]
    assert dealt == ["2 down 1 up", "2 down 1 up", "1 up", "1 up", "1 up", "1 down"]


@pytest.mark.parametrize(
    ("game", "brings_in", "opens"),
    [
        ("seven-card-stud", "low", "best"),
        ("seven-card-stud-8", "low", "best"),
        ("razz", "high", "lowest"),
    ],
)
def test_stud_bring_in_and_opening_follow_the_standard(
    game: str, brings_in: str, opens: str
) -> None:
    betting = played(game).steps
    assert [step.word for step in betting if step.verb == "bring-in"] == [brings_in]
    assert [step.word for step in betting if step.verb == "bet"] == ["", *[opens] * 4]


def test_razz_is_won_by_the_best_low_hand_without_pairs() -> None:
    assert called("razz", "Ac 2c 3c", up="4c 5c Kd Kh", way="low") == "5-4-3-2-A"
    record = deal(
        "razz", seat("ann", "Ac 2d 8h", up="3c 4s Kd Kh"), seat("bob", "As 2s 3s", up="3d 3h 2h Ah")
    )
    assert shares(record) == {"low": {"ann"}}


def test_stud_eight_or_better_splits_the_pot_if_a_low_qualifies() -> None:
    ann = seat("ann", "Kc Kd Ks", up="Qc Qd 9h 2s")
    low = seat("bob", "Ac 2d 8h", up="3c 4s Jd Jh")
    none = seat("bob", "Ac 2d 9c", up="3c 4s Jd Jh")
    assert shares(deal("seven-card-stud-8", ann, low)) == {"high": {"ann"}, "low": {"bob"}}
    assert shares(deal("seven-card-stud-8", ann, none)) == {"high": {"ann"}, "low": set()}


@pytest.mark.parametrize(
    ("game", "draws"),
    [("deuce-to-seven-single-draw", 1), ("deuce-to-seven-triple-draw", 3), ("badugi", 3)],
)
def test_draw_games_have_the_documented_number_of_draws(game: str, draws: int) -> None:
    assert sum(step.verb == "draw" for step in played(game).steps) == draws


def test_deuce_to_seven_counts_aces_as_high_and_straights_against_the_hand() -> None:
    game = "deuce-to-seven-single-draw"
    best = seat("ann", "7c 5d 4s 3h 2c")
    for worse in ("Ad 2d 3d 4c 5s", "6d 5c 4h 3c 2h", "8c 5s 4d 3s 2d", "9d 7d 5h 3d 2s"):
        assert shares(deal(game, best, seat("bob", worse))) == {"low": {"ann"}}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2s 4c 6d 9h", "3s 5d 7c 8c"),  # a badugi of four cards beats one of three
        ("As 2c 3d 4h", "Ac 2d 3h 5s"),  # both have four cards: 4 beats 5
        ("As 2c 3d Kd", "Ac 2d 4h 4d"),  # both have three cards: 3 beats 4
    ],
)
def test_badugi_is_won_by_more_cards_and_then_by_lower_cards(better: str, worse: str) -> None:
    record = deal("badugi", seat("ann", worse), seat("bob", better))
    assert shares(record) == {"low": {"bob"}}


# --- short deck ---------------------------------------------------------------------------------


def test_short_deck_has_36_cards_and_a_blind_on_the_button() -> None:
    game = played("short-deck")
    assert len(game.deck) == 36
    assert [step.verb for step in game.steps[:2]] == ["ante", "button-blind"]


def test_short_deck_ranks_a_flush_above_a_full_house() -> None:
    record = deal("short-deck", seat("ann", "Kc Kd"), seat("bob", "Ah 9h"), board="Kh Qh 6h Qs 7d")
    assert shares(record) == {"high": {"bob"}}
    assert shares(record | {"variant": "no-limit-holdem"}) == {"high": {"ann"}}


def test_short_deck_ranks_aces_below_sixes_in_a_straight() -> None:
    assert called("short-deck", "Ac 6d", board="7h 8s 9c Kd Kh") == "straight, nine high"
    assert called("short-deck", "Ac Td", board="Jh Qs Kc 6d 6h") == "straight, ace high"
    assert called("no-limit-holdem", "Ac 6d", board="7h 8s 9c 2d Kh") == "ace high"


def test_short_deck_ranks_a_straight_above_trips() -> None:
    record = deal("short-deck", seat("ann", "Kc Kd"), seat("bob", "Tc 9d"), board="Ks Qh Js 6h 7d")
    assert shares(record) == {"high": {"bob"}}


def test_short_deck_refuses_a_deuce() -> None:
    record = deal("short-deck", seat("ann", "2c Kd"), seat("bob", "Tc 9d"), board="Ks Qh Js 6h 7d")
    assert settle(record)["errors"][0]["code"] == "card-not-in-deck"
