"""Parsing of records: defaults, depths, shared and unseen cards (docs/record.md)."""

import pytest

from rules import settle
from tests.helpers.rules.tables import Record, deal, refused, seat, wins

BOARD = "2h 7d 9s Jd Qc"
ACES, KINGS = "Ac Ad", "Kc Kd"


def holdem(*players: Record, board: str = BOARD, **more: object) -> Record:
    return deal("texas-holdem", *players, board=board, **more)


def test_cards_can_be_written_in_any_case_and_tens_as_10() -> None:
    record = holdem(seat("ann", "aC AD"), seat("bob", "10h Td"), board="2H 7D 9s jd qC")
    answer = wins(record, "ann 20, bob 0")
    assert set(answer["hands"]["bob"]["high"]["cards"]) == {"Th", "Td", "Qc", "Jd", "9s"}


def test_repeated_card_is_detected_in_a_different_spelling() -> None:
    refused(holdem(seat("ann", "10h Ad"), seat("bob", "th Kd")), "players/1/down/0 card-twice")


def test_missing_player_fields_have_defaults() -> None:
    """The defaults are paid 0, not folded, not mucked, not all in."""
    record = holdem({"name": "ann", "down": ACES.split()}, {"name": "bob", "down": KINGS.split()})
    wins(record, "ann 0, bob 0", paid={"ann": 0, "bob": 0}, pots=[], findings=[])


def test_result_only_hand_pays_what_the_players_took() -> None:
    """docs/record.md, depth `result`: chips in must equal chips out, and `won` is `took`."""
    record = {
        "variant": "nightmare",
        "button": 0,
        "depth": "result",
        "players": [seat("ann"), seat("bob"), seat("cat", paid=5, folded=True)],
        "carried": 3,
        "took": {"ann": 20, "cat": 8},
    }
    wins(
        record, "ann 20, bob 0, cat 8", net={"ann": 10, "bob": -10, "cat": 3}, carry=0, findings=[]
    )
    refused(record | {"carried": 4}, "took took-does-not-add-up")
    del record["took"]
    refused(record, "took took-missing")


def test_result_only_hand_can_include_some_players_cards() -> None:
    record = holdem(seat("ann", ACES), seat("bob"), depth="result", took={"bob": 20})
    wins(record, "ann 0, bob 20")


def test_shared_card_is_a_hole_card_of_every_player_who_holds_it() -> None:
    """docs/rulings.md 15: a common bought card."""
    record = deal(
        "omaha-8",
        seat("ann", "Ac Kd 2s"),
        seat("bob", "Qc Jh 3s"),
        seat("cat", "Ts 9h 4s 5s"),
        board="Ah Qd 7c 8s 6d",
        shared=[{"card": "As", "for": ["ann", "bob"]}],
    )
    answer = settle(record)
    assert "As" in answer["hands"]["ann"]["high"]["cards"]
    assert answer["hands"]["ann"]["high"]["name"] == "three aces"
    assert answer["hands"]["bob"]["high"]["name"] == "two pair, aces and queens"
    assert "As" not in answer["hands"]["cat"]["high"]["cards"]


def test_shared_card_counts_as_a_hole_card_and_is_in_play() -> None:
    players = (seat("ann", "Ac Kd 2s"), seat("bob", "Qc Jh 3s 4c"))
    board = "Ah Qd 7c 8s 6d"
    one = deal("omaha-8", *players, board=board, shared=[{"card": "As", "for": ["ann", "bob"]}])
    refused(one, "players/1/down card-count")
    twice = deal("omaha-8", *players, board=board, shared=[{"card": "Ah", "for": ["ann"]}])
    refused(twice, "shared/0/card card-twice")
    nobody = deal("omaha-8", *players, board=board, shared=[{"card": "As", "for": ["zoe"]}])
    refused(nobody, "players/0/down card-count", "shared/0/for/0 unknown-player")


def test_unseen_card_is_allowed_if_it_cannot_count() -> None:
    """docs/record.md: unseen cards may be in folded hands, among unturned cards and in `out`."""
    record = holdem(
        seat("ann", ACES),
        seat("bob", KINGS),
        seat("cat", "?? ??", folded=True),
        seat("dan", "?? 2c", mucked=True),
    )
    wins(record, "ann 40, bob 0, cat 0, dan 0", findings=[])
    refused(holdem(seat("ann", "Ac ??"), seat("bob", KINGS)), "players/0/down/1 unknown-card")
    refused(
        holdem(seat("ann", ACES), seat("bob", KINGS), board="2h 7d 9s Jd ??"),
        "board/0/4 unknown-card",
    )


def test_unseen_card_does_not_matter_if_only_one_player_is_left() -> None:
    wins(holdem(seat("ann", "?? ??"), seat("bob", folded=True), board="2h 7d 9s"), "ann 20, bob 0")


def test_two_unseen_cards_do_not_count_as_a_repeated_card() -> None:
    players = (seat("ann", ACES), seat("bob", KINGS), seat("cat", "?? ??", folded=True))
    assert "errors" not in settle(holdem(*players))


def test_folded_player_can_have_fewer_cards_but_not_more() -> None:
    players = (seat("ann", ACES), seat("bob", KINGS))
    wins(holdem(*players, seat("cat", "3c", folded=True)), "ann 30, bob 0, cat 0")
    refused(holdem(*players, seat("cat", "3c 4c 5c", folded=True)), "players/2/down card-count")


def test_folded_cards_cannot_repeat_other_cards() -> None:
    """docs/record.md, card-twice: a folded hand's cards may not repeat other cards in play."""
    players = (seat("ann", ACES), seat("bob", KINGS), seat("cat", "Ac 3c", folded=True))
    refused(holdem(*players), "players/2/down/0 card-twice")


def test_variant_can_be_a_complete_game_document() -> None:
    """docs/record.md: the document is the JSON form of the TOML that defines a game."""
    game = {
        "name": "High spade in the hole",
        "deal": ["2 down", "bet", "board a b c", "bet"],
        "board": ["a b c"],
        "shares": ["high", "spade: highest s down of 2 down"],
    }
    answer = wins(
        deal(game, seat("ann", "Ah Ad"), seat("bob", "2s Kc"), board="Qh 9d 4s"), "ann 10, bob 10"
    )
    assert answer["variant"] == "High spade in the hole"


def test_fact_that_the_game_depends_on_is_required() -> None:
    """docs/games.md, `asked`: the fact has no default."""
    game = {
        "name": "Follow the queen",
        "players": [2, 7],
        "deal": ["2 down 1 up", "1 up", "1 up", "1 up", "1 down"],
        "hand": ["5 own"],
        "wild": ["Q", "{follower}"],
        "shares": ["high"],
        "asked": {"follower": ["none", "2", "9"]},
    }
    players = (
        seat("ann", "9c 9d 2s", up="Kh Jd 4c 3c"),
        seat("bob", "Ac Ad 5s", up="Th 8d 6c 7c"),
    )
    refused(deal(game, *players), "options/follower missing")
    wins(deal(game, *players, options={"follower": "none"}), "ann 0, bob 20")
    wins(deal(game, *players, options={"follower": "9"}), "ann 20, bob 0")
    refused(deal(game, *players, options={"follower": "3"}), "options/follower bad-option")


@pytest.mark.parametrize("depth", ["showdown", "result"])
def test_answer_has_every_documented_key(depth: str) -> None:
    answer = settle(holdem(seat("ann", ACES), seat("bob", KINGS), depth=depth, took={"ann": 20}))
    assert list(answer) == [
        "variant", "paid", "returned", "won", "net", "carry", "carries", "pots", "hands", "story",
        "reasons", "findings",
    ]  # fmt: skip


def test_player_names_can_contain_any_visible_text() -> None:
    names = ["Zoë Ångström", "李", "both", "players/0", "'; drop", "🃏", " x ", "a" * 200]
    players = [seat(name, folded=True) for name in names] + [seat("ann")]
    assert settle(holdem(*players))["won"]["ann"] == 90


def test_all_errors_in_a_record_are_reported() -> None:
    """docs/record.md: all errors are reported, and no value is guessed."""
    record = {
        "variant": "omaha-8",
        "modifiers": ["two-row", "sideways"],
        "options": {"low": "lowest", "speed": "fast"},
        "button": 9,
        "depth": "full",
        "players": [
            {"name": "ann", "paid": -5, "down": ["Ac", "Zz"], "folded": "maybe"},
            {"name": "ann", "paid": 1.5, "all_in": 1, "hat": "red"},
            {"down": "As Ks"},
            "bob",
        ],
        "board": [["2h", "2h"]],
        "carried": [{"for": ["zoe"]}],
        "took": {"zoe": 3},
        "shared": [{"card": "??"}],
        "tiebreaks": [7],
        "weather": "fine",
    }
    codes = {(error["where"], error["code"]) for error in settle(record)["errors"]}
    assert codes >= {
        ("weather", "unknown-key"),
        ("modifiers/1", "unknown-modifier"),
        ("button", "bad-button"),
        ("depth", "wrong-type"),
        ("players/0/paid", "bad-chips"),
        ("players/0/down/1", "bad-card"),
        ("players/0/folded", "wrong-type"),
        ("players/1/name", "name-twice"),
        ("players/1/paid", "bad-chips"),
        ("players/1/all_in", "wrong-type"),
        ("players/1/hat", "unknown-key"),
        ("players/2/name", "missing"),
        ("players/2/down", "wrong-type"),
        ("players/3", "wrong-type"),
        ("carried/0/amount", "missing"),
        ("carried/0/for/0", "unknown-player"),
        ("took/zoe", "unknown-player"),
        ("shared/0", "wrong-type"),
        ("tiebreaks/0", "wrong-type"),
    }


def test_tie_break_paths_escape_names_as_in_rfc_6901() -> None:
    hands = {"b/c": "Ah Ad 4c 5s Ts", "~": "As Ac 4d 5h Th"}
    players = [{"name": name, "paid": 10, "down": cards.split()} for name, cards in hands.items()]
    rounds = [{"b/c": ["2c", "5d", "9h", "Jd"], "~": ["3c", "3d", "4h", "6d", "7x"]}]
    record = {"variant": "five-card-21", "button": 0, "players": players, "tiebreaks": rounds}
    places = {(error["where"], error["code"]) for error in settle(record)["errors"]}
    assert places == {("tiebreaks/0/b~1c", "card-count"), ("tiebreaks/0/~0/4", "bad-card")}


def test_shared_card_can_be_a_killer_card() -> None:
    """docs/games.md, `kill`: a card without a zone kills in any zone."""
    game = {
        "name": "Killer",
        "deal": ["5 down"],
        "players": [2, 4],
        "hand": ["all down"],
        "shares": ["high"],
        "kill": ["Kh"],
    }
    shared = [{"card": "Kh", "for": ["ann"]}]
    players = (seat("ann", "Ad Ac As 2c"), seat("bob", "4c 4d 5h 4s 6c"))
    answer = wins(deal(game, *players, shared=shared), "ann 0, bob 20")
    assert "king of hearts" in " ".join(answer["story"])


@pytest.mark.parametrize("choice", [True, 1.0])
def test_choice_that_equals_a_number_but_has_a_different_type_is_refused(choice: object) -> None:
    """The cache of games must not confuse choices that are equal in Python: 1 == 1.0 == True."""
    record = {"variant": "put-and-take", "button": 0, "players": [{"name": "ann"}]}
    settle(record | {"options": {"unit": 1}})
    wrong = settle(record | {"options": {"unit": choice}})["errors"]
    assert ("options/unit", "bad-option") in [(each["where"], each["code"]) for each in wrong]
