"""Games with several deals: legs, lives, and a carried pot (docs/record.md, "A match").

3-5-7, guts and cuckoo follow the pages on home poker and cuckoo at pagat.com.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.api import settle
from rules.cards import TEXTS
from rules.documents import documents
from tests.helpers.rules.tables import deal, seat

Record = dict[str, Any]

LEGS: Record = {
    "name": "Three legs",
    "players": [2, 6],
    "deal": ["ante when round 3", "{round} down", "in-or-out"],
    "hand": ["all down"],
    "wild": ["{round}"],
    "shares": ["high"],
    "dues": ["losers pay pot"],
    "match": ["until 3 legs", "leg for alone", "next round", "same dealer"],
    "options": {"round": ["3", "5"]},
}
CUCKOO: Record = {
    "name": "Cuckoo",
    "players": [2, 20],
    "deal": ["ante", "1 down"],
    "hand": ["1 down"],
    "shares": ["high"],
    "match": ["lives 2", "life from worst"],
}


def deal_of(
    game: Record | str, cards: dict[str, str], *, paid: int = 0, **keys: Any
) -> dict[str, Any]:
    """Return the answer to a deal in which players without cards have folded."""
    players: list[Record] = [
        {"name": name, "paid": paid} | ({"down": held.split()} if held else {"folded": True})
        for name, held in cards.items()
    ]
    return settle({"variant": game, "button": 0, "players": players, **keys})


# --- legs -----------------------------------------------------------------------------------------


def test_only_player_to_stay_in_earns_a_leg_and_the_pot_is_carried() -> None:
    answer = deal_of(LEGS, {"ann": "As Kd 9c", "bob": "", "cat": ""}, paid=5)
    assert answer["match"]["legs"] == {"ann": 1, "bob": 0, "cat": 0}
    assert answer["match"]["earned"] == ["ann"]
    assert (answer["carry"], answer["won"]["ann"], answer["match"]["over"]) == (15, 0, False)


def test_showdown_winner_is_paid_by_losers_and_earns_no_leg() -> None:
    answer = deal_of(LEGS, {"ann": "As Ad 9c", "bob": "Ks Kd 8c", "cat": "Qs Qd 7c"}, paid=5)
    assert answer["net"] == {"ann": 25, "bob": -20, "cat": -20}
    assert (answer["carry"], answer["match"]["earned"]) == (15, [])


def test_tied_winners_split_the_dues_with_odd_chips_from_the_dealers_left() -> None:
    held = {"ann": "As 9d 8c", "bob": "Ad 9s 8h", "cat": "Ks 7d 6c"}
    answer = deal_of(LEGS, held, paid=5)
    assert answer["net"] == {"ann": 2, "bob": 3, "cat": -20}


def test_third_leg_wins_the_match_and_the_pot() -> None:
    state = {"id": "tonight", "deal": 7, "legs": {"ann": 2, "bob": 1}}
    answer = deal_of(LEGS, {"ann": "As Kd 9c", "bob": ""}, carried=40, match=state)
    match = answer["match"]
    assert (match["over"], match["winners"], "next" in match) == (True, ["ann"], False)
    assert (answer["won"], answer["carry"]) == ({"ann": 40, "bob": 0}, 0)


def test_match_has_no_side_pots() -> None:
    record = {
        "variant": LEGS,
        "button": 0,
        "players": [
            {"name": "ann", "paid": 2, "all_in": True, "down": ["As", "Ad", "9c"]},
            {"name": "bob", "paid": 5, "down": ["Ks", "Kd", "8c"]},
            {"name": "cat", "paid": 5, "folded": True},
        ],
    }
    assert [(pot["amount"], pot["shares"]) for pot in settle(record)["pots"]] == [(12, [])]


def test_best_hand_earns_a_leg_if_the_rules_say_so_but_a_tie_does_not() -> None:
    game = LEGS | {"match": ["until 3 legs", "leg for best"]}
    assert deal_of(game, {"ann": "As Ad 9c", "bob": "Ks Kd 8c"})["match"]["earned"] == ["ann"]
    assert deal_of(game, {"ann": "As 9d 8c", "bob": "Ad 9s 8h"})["match"]["earned"] == []
    assert deal_of(game, {"ann": "As 9d 8c", "bob": ""})["match"]["earned"] == []


def test_option_alternates_and_the_dealer_stays_if_the_game_requires_it() -> None:
    following = deal_of(LEGS, {"ann": "As Kd 9c", "bob": ""}, paid=5)["match"]["next"]
    assert following == {
        "button": 0,
        "options": {"round": "5"},
        "carried": 10,
        "match": {"deal": 2, "legs": {"ann": 1, "bob": 0}},
    }
    held = {"ann": "As Kd 9c 8c 7d", "bob": ""}
    last = deal_of(LEGS, held, options={"round": "5"}, carried=10, match=following["match"])
    assert last["match"]["next"]["options"] == {"round": "3"}


# --- lives ----------------------------------------------------------------------------------------


def test_every_player_with_the_worst_hand_loses_a_life() -> None:
    answer = deal_of(CUCKOO, {"ann": "As", "bob": "2d", "cat": "2c"}, paid=1)
    assert answer["match"]["lives"] == {"ann": 2, "bob": 1, "cat": 1}
    assert answer["match"]["lost"] == ["bob", "cat"]


def test_losers_of_a_deal_lose_a_life_if_the_game_requires_it() -> None:
    game = CUCKOO | {"match": ["lives 2", "life from losers"]}
    assert deal_of(game, {"ann": "As", "bob": "2d", "cat": "9c"})["match"]["lost"] == ["bob", "cat"]


def test_last_player_with_a_life_wins_the_matchs_pot() -> None:
    state = {"deal": 4, "lives": {"ann": 1, "bob": 1, "cat": 0}}
    answer = deal_of(CUCKOO, {"ann": "As", "bob": "2d", "cat": ""}, carried=3, match=state)
    assert (answer["match"]["winners"], answer["won"]["ann"]) == (["ann"], 3)


def test_players_who_lose_their_last_lives_together_split_the_pot() -> None:
    state = {"lives": {"ann": 1, "bob": 1}}
    answer = deal_of(CUCKOO, {"ann": "2s", "bob": "2d"}, carried=3, match=state)
    assert (answer["match"]["winners"], answer["won"]) == (["ann", "bob"], {"ann": 1, "bob": 2})


def test_player_who_is_out_of_the_match_does_not_deal() -> None:
    state = {"lives": {"ann": 2, "bob": 0, "cat": 1}}
    answer = deal_of(CUCKOO, {"ann": "As", "bob": "", "cat": "Kc", "dan": "2d"}, match=state)
    assert answer["match"]["next"]["button"] == 2


# --- the pot --------------------------------------------------------------------------------------


def test_guts_match_continues_until_no_player_has_to_match_the_pot() -> None:
    both = deal_of("guts", {"ann": "As Ad", "bob": "Ks Kd", "cat": ""}, paid=5)
    assert (both["match"]["over"], both["match"]["next"]["carried"]) == (False, 15)
    alone = deal_of("guts", {"ann": "As Ad", "bob": "", "cat": ""}, carried=15)
    assert (alone["match"]["over"], alone["won"]["ann"]) == (True, 15)


# --- impossible matches ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match", "where"),
    [
        ({"legs": {"ann": 3}}, "match/legs/ann"),
        ({"legs": {"ann": -1}}, "match/legs/ann"),
        ({"lives": {"ann": 1}}, "match/lives"),
        ({"deal": 0}, "match/deal"),
    ],
)
def test_record_with_an_impossible_match_state_is_refused(match: Record, where: str) -> None:
    errors = deal_of(LEGS, {"ann": "As Kd 9c", "bob": ""}, match=match)["errors"]
    assert [(each["where"], each["code"]) for each in errors] == [(where, "bad-match")]


def test_player_without_lives_cannot_be_in_the_hand() -> None:
    errors = deal_of(CUCKOO, {"ann": "As", "bob": "2d"}, match={"lives": {"ann": 0}})["errors"]
    assert [(each["where"], each["code"]) for each in errors] == [("match/lives/ann", "bad-match")]


def test_match_state_in_a_single_deal_game_is_refused() -> None:
    record = {"variant": "five-card-draw", "button": 0, "players": [{"name": "ann", "paid": 1}]}
    errors = settle(record | {"match": {"deal": 2}})["errors"]
    assert {(each["where"], each["code"]) for each in errors} == {("match", "bad-match")}


@pytest.mark.parametrize("name", ["zoe", ""])
def test_legs_of_an_unknown_player_are_refused(name: str) -> None:
    errors = deal_of(LEGS, {"ann": "As Kd 9c", "bob": ""}, match={"legs": {name: 1}})["errors"]
    assert [each["code"] for each in errors] == ["unknown-player"]


@pytest.mark.parametrize(
    "match",
    [
        ["until 3 legs"],  # no way to earn a leg
        ["leg for alone"],
        ["lives 3"],
        ["life from worst"],
        ["until empty", "until 3 legs", "leg for alone"],
        ["until 0 legs", "leg for alone"],
        ["until 3 legs", "leg for alone", "next cards"],
        ["same dealer"],
    ],
)
def test_match_that_cannot_end_is_refused(match: list[str]) -> None:
    assert documents.check(LEGS | {"match": match})


# --- laws -----------------------------------------------------------------------------------------


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Record, list[tuple[list[str], set[str]]]]:
    """Draw a game and several deals, each with a shuffled deck and the players who stay in."""
    game = draw(st.sampled_from([LEGS, CUCKOO, "guts", "3-5-7"]))
    names = ["ann", "bob", "cat", "dan"]
    deals = st.tuples(st.permutations(TEXTS[:52]), st.sets(st.sampled_from(names)))
    return game, draw(st.lists(deals, min_size=1, max_size=12))


@given(evenings())
def test_every_chip_in_a_match_is_won_or_still_in_the_pot(
    evening: tuple[Record | str, list[tuple[list[str], set[str]]]],
) -> None:
    game, deals = evening
    names = ["ann", "bob", "cat", "dan"]
    net, pot, following = dict.fromkeys(names, 0), 0, {"button": 3}
    for pack, staying in deals:
        keys = dict(following)
        lives = keys.get("match", {}).get("lives", {})
        cards = int(keys.get("options", {}).get("round", "3")) if game != "guts" else 2
        cards = 1 if game is CUCKOO else cards
        players = [
            {"name": name, "paid": 2, "down": pack[cards * seat : cards * (seat + 1)]}
            | ({} if name in staying and lives.get(name) != 0 else {"folded": True})
            for seat, name in enumerate(names)
        ]
        answer = settle({"variant": game, "players": players, **keys})
        assert "errors" not in answer
        for name, chips in answer["net"].items():
            net[name] += chips
        pot = answer["carry"]
        assert sum(net.values()) + pot == 0
        following = answer["match"].get("next", {"button": 3})
        assert answer["match"]["over"] == ("next" not in answer["match"])
        if answer["match"]["over"]:
            assert pot == 0


# --- histories ------------------------------------------------------------------------------------


def test_deal_recorded_with_actions_belongs_to_its_match() -> None:
    """docs/history.md: a record with actions may contain its match's state."""
    record = {
        "variant": LEGS,
        "button": 0,
        "players": [{"name": "ann"}, {"name": "bob"}],
        "stakes": {"ante": 5},
        "carried": 10,
        "match": {"id": "tonight", "deal": 4, "legs": {"ann": 2}},
        "actions": ["d dh p2 2c3d4h", "d dh p1 AsKd9c", "p2 out", "p1 in"],
    }
    answer = settle(record)
    assert answer.get("match", {}).get("winners") == ["ann"], answer
    assert answer["won"] == {"ann": 20, "bob": 0}


# --- under half ---------------------------------------------------------------------------------

HALVES = {
    "name": "Halves",
    "players": [2, 6],
    "deal": ["ante", "2 down", "bet"],
    "hand": ["all down"],
    "shares": ["high", "low: best"],
    "dues": ["losers under half match pot"],
    "match": ["until empty"],
}


@pytest.mark.parametrize(
    ("hands", "paid", "carry"),
    [
        # Ann wins the high and Bob the low: 8 and 7 chips both count as a half
        ({"ann": "As Ad", "bob": "3s 2d", "cat": "Ks Qd"}, {"ann": 5, "bob": 5, "cat": 20}, 15),
        # two players tie for the low and win a quarter of the pot each
        ({"ann": "As Ad", "bob": "3s 2d", "cat": "3h 2c"}, {"ann": 5, "bob": 20, "cat": 20}, 30),
        # two players tie for both and win half of the pot each
        ({"ann": "4s 2s", "bob": "4d 2d"}, {"ann": 5, "bob": 5}, 0),
        # three players tie for both
        (
            {"ann": "4s 2s", "bob": "4d 2d", "cat": "4c 2c"},
            {"ann": 20, "bob": 20, "cat": 20},
            45,
        ),
        # one player wins both
        ({"ann": "As 2s", "bob": "4d 3d"}, {"ann": 5, "bob": 15}, 10),
    ],
)
def test_winner_of_less_than_half_the_pot_must_match_it(
    hands: dict[str, str], paid: dict[str, int], carry: int
) -> None:
    """pagat.com, Cowpattie: a player who wins less than half of the pot must match it."""
    record = deal(HALVES, *(seat(name, cards, paid=5) for name, cards in hands.items()))
    answer = settle(record)
    assert (answer["paid"], answer["carry"]) == (paid, carry)


def test_winner_of_less_than_half_the_pot_pays_players_who_won_more() -> None:
    game = HALVES | {"dues": ["losers under half pay 3"]}
    hands = {"ann": "As Ad", "bob": "3s 2d", "cat": "3h 2c"}
    answer = settle(deal(game, *(seat(name, cards, paid=4) for name, cards in hands.items())))
    assert (answer["won"], answer["paid"]["bob"]) == ({"ann": 12, "bob": 3, "cat": 3}, 7)
    assert "bob won less than half of the pot, and pays ann 3 chips." in answer["story"]


def test_all_in_player_who_wins_less_than_half_owes_nothing() -> None:
    players = [seat("ann", "As Ad", paid=5), seat("bob", "4s 3d", paid=5, all_in=True)]
    answer = settle(deal(HALVES, *players, seat("cat", "3s 2d", paid=5)))
    assert (answer["paid"]["bob"], answer["carry"]) == (5, 0)
