"""Put and Take: the dealer is the bank (rules from its source and docs/rulings.md)."""

import pytest

from rules import settle
from tests.helpers.rules.tables import Record, deal, finds, refused, seat, wins

PUT, TAKE = "Ks 7d 2h 9c Jd", "Kd 3s Qh 7c 5d"
# Ann puts in 1 twice and takes 1 twice for two kings. Bob puts in 2, 3, 4, 5 and takes 4 for 7, 9,
# J, 2.
ANN, BOB = "Kh Kc 4d 8s Ts", "7s 9d Jc 2s 6h"


def bank(*players: Record, put: str = PUT, take: str = TAKE, **more: object) -> Record:
    return deal("put-and-take", {"name": "dot"}, *players, board=f"{put} | {take}", **more)


def holds(name: str, cards: str, **more: object) -> Record:
    return {"name": name, "up": cards.split(), **more}


TWO = (holds("ann", ANN), holds("bob", BOB))


@pytest.mark.parametrize(
    ("method", "put", "take"),
    [
        ("count", {"ann": 2, "bob": 2 + 3 + 4 + 5}, {"ann": 2, "bob": 4}),
        ("double", {"ann": 2, "bob": 2 + 4 + 8 + 16}, {"ann": 2, "bob": 8}),
        ("rank", {"ann": 26, "bob": 7 + 2 + 9 + 11}, {"ann": 26, "bob": 7}),
    ],
)
def test_matching_cards_put_in_or_take_chips_according_to_the_method(
    method: str, put: dict[str, int], take: dict[str, int]
) -> None:
    """Each matching card counts, and the dealer gets the remaining chips."""
    left = sum(put.values()) - sum(take.values())
    hands = {name: {"put": put[name], "take": take[name]} for name in put}
    wins(
        bank(*TWO, options={"method": method}),
        f"dot {left}, ann {take['ann']}, bob {take['bob']}",
        paid={"dot": 0} | put,
        hands=hands,
        pots=[],
        carry=0,
    )


def test_three_matching_cards_count_three_times() -> None:
    record = bank(holds("ann", "2c 2d 2s 8s Ts"))
    wins(record, "dot 9, ann 0", paid={"dot": 0, "ann": 9})


def test_ace_counts_as_one_with_the_rank_method() -> None:
    record = bank(
        holds("ann", "Ac 4c 6c 8c Tc"),
        put="As Qd 3h 9d Jd",
        take="Ah 7d 2h 9s Jh",
        options={"method": "rank"},
    )
    wins(record, "dot 0, ann 1", paid={"dot": 0, "ann": 1})


def test_amounts_are_multiplied_by_the_unit() -> None:
    record = bank(*TWO, options={"unit": 5})
    wins(record, "dot 50, ann 10, bob 20", paid={"dot": 0, "ann": 10, "bob": 70})


NEVER_PUTS = holds("ann", "5c 5h 3d 8s Ts")  # takes 2 chips once and 5 chips twice


def test_dealer_pays_what_takes_exceed_the_pot() -> None:
    record = bank(NEVER_PUTS)
    wins(record, "dot 0, ann 12", net={"dot": -12, "ann": 12}, carry=0)
    sentence = "The pot held 0 chips and 12 were taken: dot, the bank, pays the missing 12."
    assert sentence in settle(record)["story"]


def test_carried_chips_are_paid_out_before_the_dealer_pays() -> None:
    wins(bank(NEVER_PUTS, carried=5), "dot 0, ann 12", net={"dot": -7, "ann": 12}, carry=0)
    wins(bank(NEVER_PUTS, carried=20), "dot 8, ann 12", net={"dot": 8, "ann": 12}, carry=0)


def test_leftover_chips_can_be_carried_to_the_next_hand() -> None:
    """With `leftover` = `stays` the remaining chips are carried."""
    record = bank(*TWO, options={"leftover": "stays"}, carried=3)
    wins(record, "dot 0, ann 2, bob 4", carry=13)


def test_differences_in_reported_puts_and_takes_are_reported() -> None:
    right = bank(holds("ann", ANN, paid=2), holds("bob", BOB, paid=14), took={"ann": 2, "bob": 4})
    finds(right)
    wrong = bank(holds("ann", ANN, paid=3), holds("bob", BOB, paid=14), took={"ann": 2, "bob": 5})
    finds(wrong, "put-differs ann", "took-differs bob")


def test_dealer_cannot_hold_a_hand() -> None:
    record = deal("put-and-take", seat("dot", up=ANN), seat("bob", up=BOB), board=f"{PUT} | {TAKE}")
    refused(record, "players/0/up card-count")


def test_missing_cards_of_players_or_rows_are_refused() -> None:
    record = deal(
        "put-and-take", {"name": "dot"}, seat("bob", up="7s 9d Jc"), board=f"{PUT} | Kd 3s Qh 7c"
    )
    refused(record, "players/1/up card-count", "board/1 card-count")


def test_card_in_both_a_row_and_a_hand_is_refused() -> None:
    """docs/rulings.md: the take row consists of five other cards."""
    record = deal(
        "put-and-take",
        {"name": "dot"},
        seat("bob", up="7s 9d Jc 2s 6h"),
        board=f"{PUT} | Ks 3s Qh 7c 5d",
    )
    refused(record, "board/1/0 card-twice")
