"""Cards turned over one by one in Midnight Cobain Baseball (docs/rulings.md 9 and 10)."""

import pytest

from rules import settle
from tests.helpers.rules.tables import Record, deal, finds, refused, seat, wins


def unseen(count: int) -> str:
    return " ".join(["??"] * count)


def turned(name: str, up: str, extra: int = 0, **more: object) -> Record:
    """Return a player with these cards turned, who was dealt `extra` more than seven cards."""
    return seat(name, unseen(7 + extra - len(up.split())), up=up, **more)  # type: ignore[arg-type]


def baseball(*players: Record, board: str = "2d", **more: object) -> Record:
    return deal("midnight-cobain-baseball", *players, board=board, **more)


def ann_beats_bob(ann: str, bob: str) -> None:
    """Check that Ann's hand wins in both seats, because a tie must not pass."""
    extras = [sum(card[0] == "4" for card in cards.split()) for cards in (ann, bob)]
    one, other = turned("ann", ann, extras[0]), turned("bob", bob, extras[1])
    for players, button in (((one, other), 0), ((other, one), 0), ((one, other), 1)):
        wins(baseball(*players, button=button), "ann 20, bob 0")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c 2h", "Ah Qd Jc"),  # a pair beats any single card
        ("As", "Ah"),  # spades rank above hearts
        ("Ah", "Ac"),
        ("Ac", "Ad"),
        ("Ad", "Ks"),
        ("As 2c", "Ah Kd"),  # the highest cards are compared first
        ("As 2c", "Ah Kd Qs Jd 8c"),
        ("3c", "Ah"),  # a lone wild card is the ace of spades
        ("9h", "Ah Kc"),
        ("9h 2c", "As Qd"),  # a wild card pairs with another card
        ("9h Kc", "9d Qc"),
        ("9h 3c", "Kc Kd Qh"),  # two wild cards are aces
        ("2c 2h 5s", "2s 5d Ah 7c Jd"),
        ("Kc Kd 2s", "Qc Qd As"),
        ("5c 5d Ah", "5h 5s"),  # a missing kicker loses to any kicker
        ("5c 5d 2h", "5h 5s"),
        ("5c 5d Ah 7c", "5h 5s As"),
        ("8c 8d 8h 2s", "Ac Ad Qh Qs Jc"),
        ("7c 7d 7h 7s", "Ac Ad Ah Qs Qc"),
    ],
)
def test_hands_of_different_sizes_compare_their_turned_cards(better: str, worse: str) -> None:
    ann_beats_bob(better, worse)


def test_four_cards_to_a_flush_or_straight_do_not_count() -> None:
    """docs/rulings.md 10: fewer than five cards make no straight or flush."""
    ann_beats_bob("Ac", "Kd Qd Jd Td")
    ann_beats_bob("2c 2h", "As Qs Js Ts")


def test_five_turned_cards_make_straights_flushes_and_five_of_a_kind() -> None:
    ann_beats_bob("5c 6d 7h 8s 2h 9c", "Ac Ad Ah")  # a straight using the wild nine
    ann_beats_bob("2c 5c 7c 8c Tc", "5d 6h 7d 8s 9h")  # a flush beats a straight to the nine
    ann_beats_bob("3c 3d 9h 9s Qc", "Jc Jd Jh Js")


def test_best_five_turned_cards_play() -> None:
    ann_beats_bob("2c 5d 2h Qs 2s Qd", "Kc Kd 7s Qh 7h")


def test_only_turned_cards_count() -> None:
    """docs/rulings.md 10: Bob's unturned wild cards do not count."""
    record = baseball(
        seat("ann", "2c 5d 6d 8s 7s 2h", up="Qs"), seat("bob", "3c 3d 9s 9h 3h 3s", up="Js")
    )
    wins(record, "ann 20, bob 0")


def test_killer_card_folds_the_hand_only_if_turned() -> None:
    up = baseball(turned("ann", "Ac Ad Kh"), turned("bob", "2s"), board="2d")
    wins(up, "ann 0, bob 20")
    down = baseball(seat("ann", "Kh 5c 6c 7c 8c", up="Ac Ad"), turned("bob", "2s"))
    wins(down, "ann 20, bob 0")


def test_only_the_king_of_hearts_folds_a_hand() -> None:
    wins(baseball(turned("ann", "Kc Kd Ks"), turned("bob", "Qs")), "ann 20, bob 0")


def test_player_gets_an_extra_card_for_each_turned_four() -> None:
    """docs/rulings.md 10: players are dealt seven cards, and one more for each 4 that they turn."""
    wins(baseball(seat("ann", unseen(5), up="4c As Ac"), turned("bob", "Ks")), "ann 20, bob 0")
    wins(baseball(seat("ann", unseen(6), up="4c 4d As"), turned("bob", "Ks")), "ann 20, bob 0")
    refused(
        baseball(seat("ann", unseen(4), up="4c As Ac"), turned("bob", "Ks")),
        "players/0/down card-count",
    )
    refused(
        baseball(seat("ann", unseen(5), up="As Ac Qc"), turned("bob", "Ks")),
        "players/0/down card-count",
    )


def test_unturned_four_gives_no_extra_card() -> None:
    wins(baseball(seat("ann", "4c 4d 5c 6c 8c 8d", up="As"), turned("bob", "Ks")), "ann 20, bob 0")


def test_first_tied_hand_from_the_dealers_left_wins_and_is_reported() -> None:
    """docs/rulings.md 10: a final record does not show which player had the hand first."""
    players = (turned("ann", "8c 8d"), turned("bob", "8h 8s"))
    unknown = [{"code": "order-unknown"}]
    wins(baseball(*players, button=0), "ann 0, bob 20", findings=unknown)
    wins(baseball(*players, button=1), "ann 20, bob 0", findings=unknown)


def test_winning_hand_must_beat_the_card_on_the_board() -> None:
    """docs/rulings.md 10: `board` is the card to beat."""
    finds(baseball(turned("ann", "Js Kc"), turned("bob", "2s 5c 6c 7c 8d Td Qc"), board="Kd"))
    finds(
        baseball(turned("ann", "Js Qc"), seat("bob", up="2s 5c 6c 7c 8d Td Jd"), board="Kd"),
        "did-not-beat ann",
    )


def test_wild_card_on_the_board_counts_as_the_ace_of_spades() -> None:
    low = seat("bob", up="2s 5c 6c 7c 8d Td Jd")
    finds(baseball(turned("ann", "Ah"), low, board="3d"), "did-not-beat ann")
    finds(baseball(turned("ann", "2h 2c"), low, board="3d"))


def test_beaten_hand_with_unturned_cards_is_reported_unless_folded() -> None:
    """docs/rulings.md 10: players turn cards until one hand is left."""
    finds(baseball(turned("ann", "As"), turned("bob", "Ks")), "did-not-beat bob")
    finds(baseball(turned("ann", "As"), seat("bob", up="2s 5c 6c 7c 8d Td Jd")))
    finds(baseball(turned("ann", "As"), turned("bob", "Ks", folded=True)))


def test_finding_of_a_turned_hand_names_its_cause() -> None:
    """docs/rulings.md 10: a player turns cards until the hand is beaten or none is left."""
    stopped = settle(baseball(turned("ann", "As"), turned("bob", "Ks")))["findings"]
    assert [each["text"] for each in stopped] == ["bob was beaten with 6 cards still face down"]
    low = seat("bob", up="2s 5c 6c 7c 8d Td Jd")
    unbeaten = settle(baseball(turned("ann", "Js Qc"), low, board="Kd"))["findings"]
    text = "ann's turned cards do not beat the card on the board"
    assert [each["text"] for each in unbeaten] == [text]


def test_turned_cards_cannot_be_recorded_as_unseen() -> None:
    """docs/record.md: `??` is allowed only where the card can't count."""
    refused(baseball(turned("ann", "As ??"), turned("bob", "Ks")), "players/0/up/1 unknown-card")
    refused(
        baseball(turned("ann", "As"), turned("bob", "Ks"), board="??"), "board/0/0 unknown-card"
    )


def test_missing_card_names_the_four_that_earned_it() -> None:
    """docs/rulings.md 10: a four turned up earns an eighth card."""
    bob = seat("bob", up="As Ks 7c 7h 9c 2s 4c")
    [problem] = settle(baseball(turned("ann", "Ac"), bob))["errors"]
    wanted = "1 card is missing: the game deals 7, plus 1 for 4♣; use ?? for unseen cards"
    assert problem["text"] == wanted
