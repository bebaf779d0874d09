"""Declarations with fists, and what a player risks by going both ways (docs/rulings.md 5 and 6)."""

from collections.abc import Mapping
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

NO_WORDS: Mapping[str, Any] = {}


def fists(
    *players: Record,
    low: str = "best",
    both_ways: str = "outright",
    words: Mapping[str, Any] = NO_WORDS,
    **more: Any,
) -> Record:
    """Return a record of a five-card high-low game in which all players declare with fists.

    `words` are further keys of the document.
    """
    document = {
        "name": "Fists",
        "deal": ["5 down", "bet", "declare"],
        "hand": ["5 down"],
        "shares": ["high", f"low: {low}"],
        "declare": "high-low",
        "both_ways": both_ways,
        **words,
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
    """docs/rulings.md 6: Ann has the best low but is beaten for high, so a different low wins."""
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
    """docs/rulings.md 6: Ann's low does not qualify.

    No other player declared low, so the high wins everything.
    """
    record = fists(
        fist("ann", ROYAL, "both"),
        fist("bob", NINES, "high"),
        low="8-or-better",
        both_ways=both_ways,
    )
    wins(record, "ann 0, bob 24")


def test_players_who_are_out_still_beat_others_going_both_ways() -> None:
    """docs/rulings.md 6: Ann's royal flush loses the low to Bob's wheel, which loses the high.

    All hands are compared at the same time, so both are out although each was beaten by a player
    who is also out.
    """
    record = fists(
        fist("ann", ROYAL, "both"), fist("bob", WHEEL, "both"), fist("cat", NINES, "high")
    )
    wins(record, "ann 0, bob 0, cat 36")


def test_two_players_who_tie_going_both_ways_outright_are_both_out() -> None:
    """docs/rulings.md 6: with `outright`, a tie with another player who goes both ways is a loss,
    too."""
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
    """docs/rulings.md 6: Ann goes both ways, and Bob beats her for high in the main pot of 3 * 5.

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
    ann = seat("ann", "As Ac", declared="both")  # no red card, so Ann is out of both shares
    bob, cat = seat("bob", "Ks Kc", declared="red"), seat("cat", "Qs Qc", declared="high")
    dealt = {"ann": ["Ad", "Ah"], "bob": ["2c", "3c"], "cat": ["2d", "3d"]}
    wins(deal(document, ann, bob, cat, tiebreaks=[dealt]), "ann 0, bob 15, cat 15")


# --- a player who declares both ways and loses one (docs/rulings.md 6) ----------------------------

RULES = ["next-best", "winner-takes-all", "each-keeps", "redeal"]
# Ann has the best high and Bob the best low. Cat and Dan lose both ways to both of them.
CANCELLED = (
    fist("ann", "8h 7h 6h 4h 2h", "both"),
    fist("bob", "5d 4c 3d 2d Ac", "both"),
    fist("cat", "9s 9d Kh Qc Js", "high"),
    fist("dan", "Tc 8c 6d 4s 3c", "low"),
)


def story(record: Record) -> str:
    return " ".join(settle(record)["story"])


@pytest.mark.parametrize(
    ("rule", "chips", "carry"),
    [
        ("next-best", "ann 0, bob 0, cat 24, dan 24", 0),
        ("winner-takes-all", "ann 0, bob 0, cat 0, dan 0", 48),
        ("each-keeps", "ann 24, bob 24, cat 0, dan 0", 0),
        ("redeal", "ann 0, bob 0, cat 0, dan 0", 48),
    ],
)
def test_players_who_cancel_each_other_out_settle_by_the_rule(
    rule: str, chips: str, carry: int
) -> None:
    """Ciaffone's letter for `each-keeps`, Buderick for the rules without a next best hand."""
    wins(fists(*CANCELLED, words={"lost_both": rule}), chips, carry=carry)


@pytest.mark.parametrize(("unwon", "chips"), [("carry", 0), ("split", 12)])
def test_pot_of_cancelled_players_follows_unwon_if_the_winner_takes_all(
    unwon: str, chips: int
) -> None:
    """docs/rulings.md 4 and 6."""
    record = fists(*CANCELLED, words={"lost_both": "winner-takes-all", "unwon": unwon})
    wins(record, f"ann {chips}, bob {chips}, cat {chips}, dan {chips}", carry=48 - 4 * chips)


def test_pot_that_is_dealt_again_stays_even_if_unwon_pots_are_split() -> None:
    """docs/rulings.md 6: "the pot rides"."""
    record = fists(*CANCELLED, words={"lost_both": "redeal", "unwon": "split"})
    wins(record, "ann 0, bob 0, cat 0, dan 0", carry=48)
    assert "bob deals the same game again" in story(record | {"button": 1})


@pytest.mark.parametrize("rule", ["winner-takes-all", "redeal"])
def test_two_players_who_each_beat_one_way_share_the_pot(rule: str) -> None:
    """docs/rulings.md 6: Bob beats Ann's low and Cat her high, so each takes that share."""
    ann, bob = fist("ann", "9c 9d 8h 7s 6s", "both"), fist("bob", JUNK, "low")
    record = fists(ann, bob, fist("cat", ROYAL, "high"), words={"lost_both": rule})
    wins(record, "ann 0, bob 18, cat 18")


@pytest.mark.parametrize("rule", ["winner-takes-all", "redeal"])
def test_pot_stays_if_the_best_high_has_no_qualifying_low(rule: str) -> None:
    """docs/rulings.md 6: no player beat Ann's royal flush, and Bob lost to it."""
    ann, bob = fist("ann", ROYAL, "both"), fist("bob", NINES, "high")
    record = fists(ann, bob, low="8-or-better", words={"lost_both": rule})
    wins(record, "ann 0, bob 0", carry=24)


def test_player_without_a_qualifying_low_keeps_nothing() -> None:
    """docs/rulings.md 6: no hand wins the low, so no player cancels Ann out."""
    ann, bob = fist("ann", ROYAL, "both"), fist("bob", NINES, "high")
    record = fists(ann, bob, low="8-or-better", words={"lost_both": "each-keeps"})
    wins(record, "ann 0, bob 24")


def test_tie_allowed_by_unbeaten_cancels_no_player() -> None:
    """docs/rulings.md 6: with `unbeaten`, Ann wins the high and splits the low."""
    for rule in RULES:
        record = fists(*TIE_FOR_LOW, both_ways="unbeaten", words={"lost_both": rule})
        wins(record, "ann 27, bob 9, cat 0")


def test_unwon_share_of_three_goes_to_the_shares_with_a_winner() -> None:
    """docs/rulings.md 6: Ann wins two of three shares and loses the low to Bob, who takes all."""
    words = {"shares": ["high", "low: best", "spade: highest s"], "lost_both": "winner-takes-all"}
    ann, bob = fist("ann", ROYAL, "both"), fist("bob", WHEEL, "low")
    wins(fists(ann, bob, fist("cat", NINES, "spade"), words=words), "ann 0, bob 36, cat 0")


def test_tie_between_remaining_players_is_broken_as_usual() -> None:
    """docs/rulings.md 6: Bob and Cat tie Ann's low. The one without wild cards takes all."""
    words = {"lost_both": "winner-takes-all", "wild": ["6d"], "ties": "natural"}
    record = fists(
        fist("ann", "5d 4c 3d 2d Ac", "both"),
        fist("bob", "5h 4s 3s 2s Ah", "low"),
        fist("cat", "5c 4h 3c 2h 6d", "low"),
        words=words,
    )
    wins(record, "ann 0, bob 36, cat 0")


@pytest.mark.parametrize("rule", RULES)
def test_rule_for_lost_ways_changes_nothing_if_no_player_goes_both_ways(rule: str) -> None:
    """docs/rulings.md 6: the rule applies only to players who declare both ways."""
    players = (fist("ann", ROYAL, "high"), fist("bob", WHEEL, "low"), fist("cat", NINES, "high"))
    answer, usual = (settle(fists(*players, words=w)) for w in ({"lost_both": rule}, NO_WORDS))
    assert answer == usual


@pytest.mark.parametrize("rule", RULES)
def test_each_side_pot_is_settled_by_the_rule_among_its_own_players(rule: str) -> None:
    """docs/rulings.md 6: Bob is all in for 5, so Ann wins both ways in the side pot of 3 * 7.

    In the main pot of 4 * 5 Ann and Bob cancel each other out.
    """
    ann, bob, cat, dan = CANCELLED
    record = fists(ann, bob | {"paid": 5, "all_in": True}, cat, dan, words={"lost_both": rule})
    main = {"next-best": (0, 0, 10, 10), "each-keeps": (10, 10, 0, 0)}.get(rule, (0, 0, 0, 0))
    names = zip(("ann", "bob", "cat", "dan"), main, (21, 0, 0, 0), strict=True)
    won = ", ".join(f"{name} {part + side}" for name, part, side in names)
    wins(record, won, carry=20 - sum(main))


def test_deal_of_a_match_is_repeated_with_the_same_dealer_and_options() -> None:
    """docs/rulings.md 6: cancelled players neither end the deal nor advance the option."""
    words = {
        "lost_both": "redeal",
        "match": ["until empty", "next mood"],
        "options": {"mood": ["glad = none", "sad = 2s"]},
        "wild": ["{mood}"],
    }
    again = settle(fists(*CANCELLED, words=words, button=2))["match"]["next"]
    assert again["button"] == 2
    assert again["options"] == {}
    lost = settle(fists(*CANCELLED, words=words | {"lost_both": "winner-takes-all"}, button=2))
    assert lost["match"]["next"]["button"] == 3
    assert lost["match"]["next"]["options"] == {"mood": "sad"}


def test_deal_that_is_dealt_again_earns_no_leg() -> None:
    words = {"lost_both": "redeal", "match": ["until 2 legs", "leg for best"]}
    answer = settle(fists(*CANCELLED, words=words, button=1))
    assert answer["match"]["earned"] == []
    assert answer["match"]["next"]["button"] == 1
    assert "48 chips stay until the match is won, and bob deals the same game again." in " ".join(
        answer["story"]
    )


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("next-best", "ann declared both ways and lost the low to bob's 5-4-3-2-A, so ann is out"),
        ("winner-takes-all", "ann and bob have the best hands but are out of both: 48 chips stay"),
        ("each-keeps", "but keeps the high, because all best hands went both ways and failed."),
        ("redeal", "48 chips stay for the next hand, and ann deals the same game again."),
    ],
)
def test_story_explains_the_rule_for_lost_ways(rule: str, sentence: str) -> None:
    assert sentence in story(fists(*CANCELLED, words={"lost_both": rule}))


def test_story_explains_why_the_next_best_hand_wins_nothing() -> None:
    ann, bob, cat, _ = CANCELLED
    record = fists(ann, bob | {"declared": "low"}, cat, words={"lost_both": "winner-takes-all"})
    assert "ann has the best high but is out of both, so the low takes the whole pot." in story(
        record
    )
