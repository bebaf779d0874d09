"""The player to act and the allowed bets in each betting structure."""

from typing import Any

import pytest

from rules.cards import CARDS
from rules.history import Table, act, begin, choices, replay_record, states
from rules.history.betting_round import best_hand, lowest_hand
from tests.helpers.rules.hands import record

BLINDS = {"blinds": [1, 2], "min": 2}
DEALT = ["d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd"]
THREE_UP = ["d dh p1 2c9c", "d dh p2 3cKh", "d dh p3 4cTd"]


def table_after(hand: dict[str, Any]) -> Table:
    table, problems = begin(hand)
    assert table is not None, problems
    for action in hand["actions"]:
        act(table, action)
    return table


def sizes(hand: dict[str, Any]) -> tuple[int, int] | None:
    """Return the minimum and maximum bet for the player to act."""
    bets = [(c.least, c.most) for c in choices(table_after(hand)) if c.verb == "cbr"]
    return bets[0] if bets else None


def codes(answer: dict[str, Any]) -> list[str]:
    return [error["code"] for error in answer["errors"]]


# --- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "stakes", "actions", "allowed"),
    [
        ("no-limit-holdem", BLINDS, [], (4, 100)),
        ("no-limit-holdem", BLINDS, ["p3 cbr 10"], (18, 100)),
        ("pot-limit-omaha", BLINDS, [], (4, 7)),
        ("pot-limit-omaha", BLINDS, ["p3 cbr 7"], (12, 23)),
        ("limit-holdem", {"blinds": [1, 2], "small": 2, "big": 4}, [], (4, 4)),
        ("limit-holdem", {"blinds": [1, 2], "small": 2, "big": 4}, ["p3 cbr 4"], (6, 6)),
    ],
)
def test_minimum_and_maximum_bets_follow_the_betting_structure(
    variant: str, stakes: dict[str, Any], actions: list[str], allowed: tuple[int, int]
) -> None:
    """No-limit: at least the last raise. Pot-limit: at most the pot after the call."""
    cards = 4 if "omaha" in variant else 2
    dealt = [f"d dh p{seat} {'??' * cards}" for seat in (1, 2, 3)]
    assert sizes(record(variant, [100] * 3, dealt + actions, stakes=stakes)) == allowed


def test_spread_limit_rises_with_an_open_pair() -> None:
    """Red and Black, Put and Take: bets are one or two chips, up to five with an open pair."""
    hand = record("five-card-stud", [100] * 3, [*THREE_UP, "p2 cbr 1", "p3 cc", "p1 cc"])
    assert sizes(record("five-card-stud", [100] * 3, THREE_UP)) == (1, 2)
    no_pair = hand | {"actions": [*hand["actions"], "d du p2 Qh", "d du p3 9d", "d du p1 8c"]}
    pair = hand | {"actions": [*hand["actions"], "d du p2 Qh", "d du p3 Ts", "d du p1 8c"]}
    assert sizes(no_pair) == (1, 2)
    assert sizes(pair) == (1, 5)


def test_rising_limit_starts_at_one_chip() -> None:
    hand = record("five-card-stud", [100] * 3, THREE_UP, options={"limits": "rising"})
    assert sizes(hand) == (1, 1)


# --- the opener ---------------------------------------------------------------------------------


def test_player_with_the_highest_up_card_must_open_and_is_announced() -> None:
    """Red and Black, Put and Take: the player with the highest card can't check or fold."""
    hand = record("five-card-stud", [100] * 3, THREE_UP)
    assert list(states(hand))[-1].calls == ("bob must open with king high",)
    answer = replay_record(hand | {"actions": [*THREE_UP, "p2 cc"]}, strict=True)
    assert "must-open" in codes(answer)


def test_player_with_a_joker_face_up_opens_without_a_named_card() -> None:
    """A joker has no rank for the bring-in, so the first player who was dealt one may open."""
    deals = ["d dh p1 5dQh*1", "d dh p2 7sAs3c"]
    hand = record("cowpie", [9, 9], [*deals, "p2 pb 1"], options={"joker": "bug"})
    hand["stakes"] = {"bring_in": 1, "small": 2, "big": 4}
    assert [state.calls for state in states(hand)] == [(), (), ("ann opens",), ()]


def test_tie_for_the_highest_card_is_broken_from_the_dealers_left() -> None:
    up = ["d dh p1 2cKc", "d dh p2 3cKh", "d dh p3 4cKd"]
    assert list(states(record("five-card-stud", [9] * 3, up)))[-1].actor == 0


def test_dealer_announces_a_possible_straight_or_flush() -> None:
    """The source's examples are 6 to 10 with a 9, and the jack of diamonds with the 4 and 2."""
    betting = ["p1 cbr 1", "p2 cc"]
    first = ["d dh p1 ??Tc", "d dh p2 ??4d", *betting, "d du p1 9d", "d du p2 2d", "p1 cc", "p2 cc"]
    hand = record("five-card-stud", [9, 9], [*first, "d du p1 6h", "d du p2 Jd"])
    calls = [call for state in states(hand) for call in state.calls]
    assert "ann: possible straight" in calls
    assert "bob: possible flush" in calls


def test_wrong_opener_is_accepted_after_two_more_actions() -> None:
    """Red and Black, Put and Take: the error can be corrected after one action but not two."""
    one = record("five-card-stud", [9] * 3, [*THREE_UP, "p3 cbr 1"])
    two = one | {"actions": [*one["actions"], "p1 cc"]}
    assert "wrong-opener" in codes(replay_record(one, strict=True))
    assert "wrong-opener" not in codes(replay_record(two, strict=True))


def test_big_blind_can_raise_and_a_straddle_changes_the_opener() -> None:
    hand = record("no-limit-holdem", [100] * 3, [*DEALT, "p3 cc", "p1 cc"], stakes=BLINDS)
    assert {choice.verb for choice in choices(table_after(hand))} == {"f", "cc", "cbr"}
    straddled = {"blinds": [1, 2, 4], "min": 2}
    assert (
        table_after(record("no-limit-holdem", [100] * 3, DEALT, stakes=straddled)).waiting[0] == 0
    )


def test_dealer_posts_the_small_blind_and_opens_heads_up() -> None:
    hand = record("no-limit-holdem", [100, 100], DEALT[:2], stakes=BLINDS)
    table = table_after(hand)
    assert [seat.bet for seat in table.seats] == [2, 1]
    assert table.waiting[0] == 1


# --- all in -------------------------------------------------------------------------------------


def test_short_raise_does_not_reopen_the_betting() -> None:
    """A player who has already acted may call the few extra chips but not raise."""
    hand = record(
        "no-limit-holdem",
        [100, 12, 100],
        [*DEALT, "p3 cbr 10", "p1 cc", "p2 cbr 12"],
        stakes=BLINDS,
    )
    assert sizes(hand) is None
    answer = replay_record(hand | {"actions": [*hand["actions"], "p3 cbr 40"]}, strict=True)
    assert "no-raise" in codes(answer)


def test_uncalled_bet_is_returned() -> None:
    hand = record(
        "no-limit-holdem", [100] * 3, [*DEALT, "p3 cbr 50", "p1 f", "p2 f"], stakes=BLINDS
    )
    answer = replay_record(hand, strict=True)
    assert answer["finishing_stacks"] == [99, 98, 103]
    assert answer["won"] == [0, 0, 5]


def test_bet_larger_than_the_stack_does_not_create_chips() -> None:
    hand = record(
        "no-limit-holdem", [9] * 3, [*DEALT, "p3 cbr 5000", "p1 f", "p2 f"], stakes=BLINDS
    )
    answer = replay_record(hand)
    assert sum(answer["finishing_stacks"]) == 27
    assert [finding["code"] for finding in answer["findings"]] == ["wrong-size"]


# --- illegal actions ----------------------------------------------------------------------------


def test_illegal_actions_are_replayed_and_reported() -> None:
    """A bet out of turn is replayed as recorded but is an error in strict mode."""
    actions = [*DEALT, "p1 cbr 6", "p2 f", "p3 f"]
    hand = record("no-limit-holdem", [100] * 3, actions, stakes=BLINDS)
    assert codes(replay_record(hand, strict=True)) == ["wrong-opener"]
    loose = replay_record(hand)
    assert (loose["errors"], loose["won"]) == ([], [4, 0, 0])


def test_missing_check_is_assumed_and_reported() -> None:
    actions = [*DEALT, "p3 f", "p1 cc", "p2 cc", "d db 2h3h4h", "d db 9c", "p1 cc", "p2 cc"]
    answer = replay_record(record("no-limit-holdem", [100] * 3, actions, stakes=BLINDS))
    codes_ = [finding["code"] for finding in answer["findings"]]
    assert codes_ == ["check-missing", "check-missing", "not-finished"]


def test_penalty_goes_into_the_pot_but_is_not_a_stake() -> None:
    """Red and Black, Put and Take: a player who shows cards when folding pays two chips."""
    actions = [*DEALT, "p3 f", "p3 penalty 2", "p1 f"]
    answer = replay_record(
        record("no-limit-holdem", [100] * 3, actions, stakes=BLINDS), strict=True
    )
    assert answer["finishing_stacks"] == [99, 103, 98]
    assert answer["errors"] == []


def test_cards_can_stay_unseen_until_the_showdown() -> None:
    board = [
        "d db 2h3h4h",
        "p1 cc",
        "p2 cc",
        "d db 9c",
        "p1 cc",
        "p2 cc",
        "d db Td",
        "p1 cc",
        "p2 cc",
    ]
    unseen = ["d dh p1 ????", "d dh p2 KsKd", "p2 cc", "p1 cc", *board]
    hand = record("no-limit-holdem", [100, 100], unseen, stakes=BLINDS)
    assert replay_record(hand)["won"] == [0, 4]
    assert codes(replay_record(hand, strict=True)) == ["cards-unknown"]
    shown = hand | {"actions": [*unseen, "p1 sm AsAd"]}
    assert replay_record(shown, strict=True)["won"] == [4, 0]
    neither = hand | {"actions": [text.replace("KsKd", "????") for text in unseen]}
    assert "unknown-card" in codes(replay_record(neither))


def test_check_is_ignored_if_no_opponent_can_act() -> None:
    """Some programs, such as PokerKit, write the check. It must not end the hand early."""
    actions = [*DEALT, "p3 f", "p1 cbr 50", "p2 cc", "d db 2c3d4h", "d db 5s", "d db 9c"]
    short = record("no-limit-holdem", (50, 100, 100), actions, stakes=BLINDS)
    full = record(
        "no-limit-holdem", (50, 100, 100), [*actions[:7], "p2 cc", *actions[7:]], stakes=BLINDS
    )
    answers = [replay_record(each, strict=True) for each in (short, full)]
    assert answers[0]["finishing_stacks"] == answers[1]["finishing_stacks"] == [100, 50, 100]
    assert answers[1]["errors"] == answers[0]["errors"] == []


def test_two_open_pairs_open_before_one_pair() -> None:
    """Sixes and tens open before a pair of aces, and in razz the single pair opens."""
    up = (("Ad", "Ah", "4h", "8d"), ("6h", "Th", "6s", "Td"))
    game = table_after(record("seven-card-stud", (100, 100), [])).game
    hands = [[CARDS[card] for card in cards] for cards in up]
    assert best_hand(game, hands[1]) > best_hand(game, hands[0])  # type: ignore[operator]
    assert lowest_hand(game, hands[0]) > lowest_hand(game, hands[1])  # type: ignore[operator]


@pytest.mark.parametrize(("more", "paid"), [({}, 4), ({"short_blind": True}, 3)])
def test_short_blind_reduces_the_call_if_the_stakes_allow_it(
    more: dict[str, Any], paid: int
) -> None:
    """In card rooms, players call the whole blind.

    PHH's own tool calls the posted amount (decision 0009).
    """
    stakes = {"blinds": [1, 4], "min": 4} | more
    table = table_after(record("no-limit-holdem", (9, 3, 9), [*DEALT, "p3 cc"], stakes=stakes))
    assert table.seats[2].paid == paid


# --- missing checks -----------------------------------------------------------------------------

SHOWN = ["p1 sm AsAd", "p2 sm KsKd", "p3 sm QsQd"]


def three_players(*actions: str) -> dict[str, Any]:
    """Return a three-player hand, the third all in for one chip, that ends with these actions."""
    hand: dict[str, Any] = {"variant": "texas-holdem", "button": 2, "stakes": BLINDS}
    hand |= {"players": [{"name": f"P{n}"} for n in (1, 2, 3)], "stacks": [100, 100, 1]}
    streets = ["d db 2c7dQh", "p1 cc", "p2 cc", "d db Jc", "p1 cc", "p2 cc", "d db 4s"]
    before = [*DEALT, "p3 cc", "p1 cc", "p2 cc", *streets]
    return hand | {"actions": [*before, *actions]}


@pytest.mark.parametrize(
    ("actions", "nets", "codes"),
    [
        # docs/history.md: a missing check is assumed, because the table continued and no chips were
        # owed
        (SHOWN, [0, -2, 2], ["check-missing", "check-missing"]),
        (["p1 cc", *SHOWN], [0, -2, 2], ["check-missing"]),
        (["p1 cc", "p2 cc", *SHOWN], [0, -2, 2], []),
        (["p1 sm -", "p2 sm", "p3 sm QsQd"], [0, -2, 2], ["check-missing", "check-missing"]),
        # one player who can still act has not shown their cards, so the hand continues
        (["p1 sm AsAd"], [-2, -2, -1], ["not-finished"]),
        # if no player responds to a bet, it is not treated as a check
        (["p1 cbr 10", *SHOWN], [-12, -2, -1], ["not-finished"]),
        ([], [-2, -2, -1], ["not-finished"]),
    ],
)
def test_last_round_ends_when_all_players_able_to_act_show_their_cards(
    actions: list[str], nets: list[int], codes: list[str]
) -> None:
    answer = replay_record(three_players(*actions))
    stacks = zip(answer["finishing_stacks"], answer["starting_stacks"], strict=True)
    assert [end - start for end, start in stacks] == nets
    assert [finding["code"] for finding in answer["findings"]] == codes
