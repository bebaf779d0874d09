"""Declarations with fists, and what a player risks by going both ways (docs/rulings.md 5 and 6)."""

from typing import Any

import pytest

from rules import settle
from rules.presentation.form import form
from tests.helpers.rules.tables import Record, deal, refused, seat, wins

# High hands rank as usual, low hands by ace to five. From the strongest high to the weakest: ROYAL,
# QUADS, FLUSH, WHEEL, NINES, JUNK. From the best low to the worst: WHEEL, JUNK (10-8-6-4-3), FLUSH
# (K-J-9-7-3), ROYAL (K-Q-J-10-A), NINES, QUADS.
ROYAL, QUADS, FLUSH = "As Ks Qs Js Ts", "9c 9d 9h 9s 2c", "Kh Jh 9h 7h 3h"
WHEEL, NINES, JUNK = "5d 4c 3d 2d Ac", "9c 9d 2h 3s 4s", "Tc 8c 6d 4h 3c"


def fists(*players: Record, low: str = "best", both_ways: str = "outright", **more: Any) -> Record:
    """Return a record of a five-card high-low game in which all players declare with fists."""
    document = {
        "name": "Fists",
        "deal": ["5 down", "bet", "declare"],
        "hand": ["5 down"],
        "shares": ["high", f"low: {low}"],
        "declare": "high-low",
        "both_ways": both_ways,
    }
    return deal(document, *players, **more)


def fist(name: str, cards: str, declared: str, paid: int = 12, **more: Any) -> Record:
    return seat(name, cards, paid, declared=declared, **more)


def test_number_of_chips_in_the_fist_declares_low_high_or_both() -> None:
    """docs/rulings.md 5 and Middlemost's source: no chip is low, one is high, more are both."""
    assert form("middlemost")["declarations"] == ["low", "high", "both"]
    rows = form("texas-holdem", ["two-row"], {"declare": "row"})
    assert set(rows["declarations"]) == {"row 1", "row 2", "both"}


def test_cards_speak_unless_the_game_or_an_option_requires_declaring() -> None:
    """docs/rulings.md 5."""
    assert form("omaha-8")["declare"] == "cards-speak"
    assert form("omaha-8", (), {"declare": "high-low"})["declare"] == "high-low"
    assert form("middlemost")["declare"] == "high-low"


def test_player_who_declares_high_does_not_contest_the_low() -> None:
    """docs/rulings.md 5: Ann also has the best low but did not declare it."""
    record = fists(fist("ann", WHEEL, "high"), fist("bob", NINES, "high"), fist("cat", JUNK, "low"))
    wins(record, "ann 18, bob 0, cat 18")


def test_share_that_no_player_declared_goes_to_the_other_share() -> None:
    """docs/rulings.md 4."""
    record = fists(fist("ann", ROYAL, "high"), fist("bob", WHEEL, "high"))
    wins(record, "ann 24, bob 0")
    record = fists(fist("ann", ROYAL, "low"), fist("bob", NINES, "low"))
    wins(record, "ann 24, bob 0")


def test_player_going_both_ways_who_wins_both_takes_the_pot() -> None:
    """docs/rulings.md 6: the wheel beats nines for high and every other hand for low."""
    record = fists(fist("ann", WHEEL, "both"), fist("bob", NINES, "high"), fist("cat", JUNK, "low"))
    wins(record, "ann 36, bob 0, cat 0")


@pytest.mark.parametrize("both_ways", ["outright", "unbeaten"])
def test_player_going_both_ways_who_is_beaten_once_loses_both(both_ways: str) -> None:
    """docs/rulings.md 6: Ann has the best low but is beaten for high, so another low wins."""
    record = fists(
        fist("ann", WHEEL, "both"),
        fist("bob", ROYAL, "high"),
        fist("cat", JUNK, "low"),
        both_ways=both_ways,
    )
    wins(record, "ann 0, bob 18, cat 18")


TIE_FOR_LOW = (
    fist("ann", "5d 4c 3d 2d Ac", "both"),
    fist("bob", "5h 4s 3s 2s Ah", "low"),
    fist("cat", NINES.replace("3s", "7s").replace("4s", "Td"), "high"),
)


def test_player_going_both_ways_outright_loses_on_a_tie() -> None:
    """docs/rulings.md 6, Joslyn games: a tie is enough to lose both ways."""
    wins(fists(*TIE_FOR_LOW), "ann 0, bob 18, cat 18")


def test_player_going_both_ways_unbeaten_survives_a_tie() -> None:
    """docs/rulings.md 6, Middlemost: a player who goes both ways is out only if beaten."""
    wins(fists(*TIE_FOR_LOW, both_ways="unbeaten"), "ann 27, bob 9, cat 0")


@pytest.mark.parametrize("both_ways", ["outright", "unbeaten"])
def test_player_going_both_ways_without_a_qualifying_low_is_out(both_ways: str) -> None:
    """docs/rulings.md 6: Ann's low does not qualify. No other player declared low, so the high wins
    all.
    """
    record = fists(
        fist("ann", ROYAL, "both"),
        fist("bob", NINES, "high"),
        low="8-or-better",
        both_ways=both_ways,
    )
    wins(record, "ann 0, bob 24")


def test_players_who_are_out_still_beat_others_going_both_ways() -> None:
    """docs/rulings.md 6: Ann's royal flush loses the low to Bob's wheel, and the wheel loses the
    high.

    All hands are compared at the same time, so both are out although each was beaten by a player
    who is also out.
    """
    record = fists(
        fist("ann", ROYAL, "both"), fist("bob", WHEEL, "both"), fist("cat", NINES, "high")
    )
    wins(record, "ann 0, bob 0, cat 36")


def test_two_players_who_tie_going_both_ways_outright_are_both_out() -> None:
    """docs/rulings.md 6: with `outright`, a tie with another such player also counts."""
    record = fists(fist("ann", "5d 4c 3d 2d Ac", "both"), fist("bob", "5h 4s 3s 2s Ah", "both"))
    wins(record, "ann 0, bob 0", carry=24)
    unbeaten = fists(
        fist("ann", "5d 4c 3d 2d Ac", "both"),
        fist("bob", "5h 4s 3s 2s Ah", "both"),
        both_ways="unbeaten",
    )
    wins(unbeaten, "ann 12, bob 12", carry=0)


def test_pot_is_carried_if_all_its_players_are_out() -> None:
    """docs/rulings.md 4: Ann has the better high and Bob the better low, but both are out."""
    record = fists(fist("ann", ROYAL, "both"), fist("bob", WHEEL, "both"))
    wins(record, "ann 0, bob 0", carry=24)


def test_player_going_both_ways_can_win_only_a_side_pot() -> None:
    """docs/rulings.md 6: Ann goes both ways and is beaten for high by Bob in the main pot of 3 * 5.

    Bob cannot win the side pot of 2 * 7, where Ann wins both ways.
    """
    record = fists(
        fist("ann", WHEEL, "both"),
        fist("bob", QUADS, "high", 5, all_in=True),
        fist("cat", JUNK, "low"),
    )
    wins(record, "ann 14, bob 8, cat 7")


def test_only_player_in_a_pot_wins_it_when_going_both_ways() -> None:
    """docs/rulings.md 2: Cat called and folded, so only Ann can win the side pot."""
    record = fists(
        fist("ann", QUADS, "both"),
        fist("bob", WHEEL, "low", 5, all_in=True),
        seat("cat", paid=12, folded=True),
    )
    wins(record, "ann 14, bob 15, cat 0")


def test_last_remaining_player_wins_without_declaring() -> None:
    """docs/record.md: declarations may be missing once one player is left."""
    wins(fists(seat("ann", paid=12), seat("bob", paid=12, folded=True)), "ann 24, bob 0")


def test_player_who_mucks_does_not_need_to_declare() -> None:
    record = fists(
        fist("ann", ROYAL, "high"), fist("bob", WHEEL, "low"), seat("cat", paid=12, mucked=True)
    )
    wins(record, "ann 18, bob 18, cat 0", findings=[])


def test_every_active_player_must_declare_a_valid_way() -> None:
    """docs/record.md: error codes not-declared and bad-declaration."""
    record = fists(
        seat("ann", ROYAL),
        fist("bob", WHEEL, "row 1"),
        fist("cat", JUNK, "low"),
        fist("dan", NINES, "High"),
    )
    refused(
        record,
        "players/0/declared not-declared",
        "players/1/declared bad-declaration",
        "players/3/declared bad-declaration",
    )


ROWS = {
    "board": "Kh 9s 8s 4h 2h | Th 9h 5s 4d 3d",
    "modifiers": ["two-row"],
    "options": {"declare": "row"},
}


def test_row_that_no_player_declared_goes_to_the_other_row() -> None:
    """docs/rulings.md 4, applied to rows."""
    record = deal(
        "texas-holdem",
        seat("ann", "Ac Ad", declared="row 1"),
        seat("bob", "Kc Kd", declared="row 1"),
        **ROWS,
    )
    wins(record, "ann 0, bob 20")


def test_player_who_declares_both_rows_must_win_both() -> None:
    """docs/rulings.md 6 and 15: Ann's aces are beaten by three kings in row 1."""
    record = deal(
        "texas-holdem",
        seat("ann", "Ac Ad", declared="both"),
        seat("bob", "Kc Kd", declared="row 1"),
        seat("cat", "Qc Qd", declared="row 2"),
        **ROWS,
    )
    wins(record, "ann 0, bob 15, cat 15")


def test_rows_replace_high_and_low_if_rows_are_declared() -> None:
    """docs/rulings.md 15: with `declare` = `row` each row is a share, so high can't be declared."""
    record = deal(
        "texas-holdem",
        seat("ann", "Ac Ad", declared="high"),
        seat("bob", "Kc Kd", declared="row 2"),
        **ROWS,
    )
    refused(record, "players/0/declared bad-declaration")


def test_story_explains_why_going_both_ways_failed() -> None:
    """docs/record.md: the story consists of plain sentences that can settle an argument."""
    story = " ".join(settle(fists(*TIE_FOR_LOW))["story"])
    assert "ann" in story
    assert "both ways" in story


def test_player_who_is_out_does_not_take_part_in_tie_breaks() -> None:
    """docs/rulings.md 6 and 11: a player who is out can't win any part of the pot."""
    document = {
        "name": "Red Fists",
        "deal": ["2 down", "bet", "declare"],
        "hand": ["2 down"],
        "shares": ["high", "red: highest red"],
        "declare": "high-low",
        "ties": "deal 2: highest",
    }
    ann = seat("ann", "As Ac", declared="both")  # no red card, so out of both shares
    bob, cat = seat("bob", "Ks Kc", declared="red"), seat("cat", "Qs Qc", declared="high")
    dealt = {"ann": ["Ad", "Ah"], "bob": ["2c", "3c"], "cat": ["2d", "3d"]}
    wins(deal(document, ann, bob, cat, tiebreaks=[dealt]), "ann 0, bob 15, cat 15")
