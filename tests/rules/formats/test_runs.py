"""Hands run two to four times in PokerStars' text, Open Hand History and PHH."""

import json
import os
import warnings
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from pokerkit import Automation, HandHistory, Mode, NoLimitTexasHoldem

from rules import settle_many
from rules.cards import TEXTS
from rules.formats.files import convert, in_file_unit, read_text
from rules.formats.phh import read_phh, write_phh
from rules.history import replay_many, replay_record
from tests.helpers.laws.histories import history_with_runs
from tests.helpers.rules.poker_now_nights import LoggedNight, a_night
from tests.helpers.rules.translated_nights import as_ohh, as_pokerstars

Record = dict[str, Any]
GAMES = ("no-limit-holdem", "limit-holdem", "pot-limit-omaha", "limit-omaha-8")
HANDS = int(os.environ.get("POKER_NOW_HANDS", "20000"))


# --- export and import --------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["pokerstars", "ohh", "phh"])
@pytest.mark.parametrize("slug", GAMES)
def test_exported_hand_is_imported_with_the_same_runs_and_chips(slug: str, target: str) -> None:
    suffix = ".phh" if target == "phh" else ""
    for seed in range(10):
        record = history_with_runs(Random(seed), slug)
        text, problems = convert([record], target)
        assert problems == []
        [imported] = read_text(text, suffix)
        back = imported.record
        assert back is not None, imported.problems
        assert back["runs"] == record["runs"]
        before, after = replay_many([record, back])
        assert after["won"] == before["won"]
        assert after["finishing_stacks"] == before["finishing_stacks"]
        assert settle_many([back])[0]["findings"] == settle_many([record])[0]["findings"]
        [again] = read_text(convert([back], target)[0], suffix)
        assert again.record == back


@pytest.mark.parametrize("slug", GAMES)
def test_hand_survives_a_round_trip_through_phh(slug: str) -> None:
    for seed in range(10):
        record = history_with_runs(Random(seed), slug)
        [imported] = read_phh(write_phh([record]))
        assert imported.record == record


def test_run_that_a_format_cannot_describe_is_refused() -> None:
    """The second card of each player is part of the runs."""
    record: Record = {
        "variant": "no-limit-holdem",
        "button": 1,
        "players": [{"name": "ann"}, {"name": "bob"}],
        "stacks": [100, 100],
        "stakes": {"blinds": [1, 2], "min": 2},
        "actions": ["d dh p1 As", "d dh p2 Ks", "d dh p1 Ah", "d dh p2 Kh", "p2 cbr 100", "p1 cc"],
        "runs": [{"board": [["2c"]], "players": [{"name": "ann", "down": ["3c"]}]}] * 2,
    }
    for target in ("pokerstars", "ohh"):
        text, problems = convert([record], target)
        assert text == ""
        assert [problem.where for problem in problems] == ["hand 1/runs/0", "hand 1/runs/1"]
    text, problems = convert([record], "phh")  # with the record in a field of its own
    assert [found.record for found in read_phh(text)] == [record]


# --- files of poker rooms and of PokerKit -------------------------------------------------------

ROOM = """\
PokerStars Hand #228721632458:  Hold'em No Limit ($1/$2 USD) - 2021/07/31 22:25:58 ET
Table 'Aase' 6-max Seat #2 is the button
Seat 1: ann ($273.15 in chips)
Seat 2: bob ($256.47 in chips)
Seat 4: cat ($313.34 in chips)
Seat 5: dan ($210.68 in chips)
cat: posts small blind $1
dan: posts big blind $2
*** HOLE CARDS ***
ann: raises $4 to $6
bob: folds
cat: raises $18 to $24
dan: folds
ann: raises $36 to $60
cat: raises $253.34 to $313.34 and is all-in
ann: calls $213.15 and is all-in
Uncalled bet ($40.19) returned to cat
*** FIRST FLOP *** [5s 5c 6s]
*** FIRST TURN *** [5s 5c 6s] [8h]
*** FIRST RIVER *** [5s 5c 6s 8h] [Ah]
*** SECOND FLOP *** [9c 4h 7d]
*** SECOND TURN *** [9c 4h 7d] [6c]
*** SECOND RIVER *** [9c 4h 7d 6c] [7c]
*** FIRST SHOW DOWN ***
cat: shows [Kh As] (two pair, Aces and Fives)
ann: shows [Kd Ac] (two pair, Aces and Fives)
cat collected $136.39 from pot
ann collected $136.39 from pot
*** SECOND SHOW DOWN ***
cat: shows [Kh As] (a pair of Sevens)
ann: shows [Kd Ac] (a pair of Sevens)
cat collected $136.39 from pot
ann collected $136.38 from pot
*** SUMMARY ***
Total pot $548.30 | Rake $2.75
Hand was run twice
FIRST Board [5s 5c 6s 8h Ah]
SECOND Board [9c 4h 7d 6c 7c]
Seat 1: ann showed [Kd Ac] and won ($136.39) with two pair, and won ($136.38) with a pair
Seat 2: bob (button) folded before Flop (didn't bet)
Seat 4: cat (small blind) showed [Kh As] and won ($136.39) with two pair, and won ($136.39)
Seat 5: dan (big blind) folded before Flop
"""


def test_hand_of_a_poker_room_is_read_with_its_runs_and_rake() -> None:
    """Published by a player in a public repository, here with other names."""
    [hand] = read_text(ROOM)
    record = hand.record
    assert record is not None, hand.problems
    assert record["runs"] == [
        {"board": [["5s", "5c", "6s", "8h", "Ah"]]},
        {"board": [["9c", "4h", "7d", "6c", "7c"]]},
    ]
    answer = in_file_unit(replay_record(record), record)
    assert answer["won"] == [272.77, 0, 272.78, 0]
    assert [finding["code"] for finding in answer["findings"]] == ["rake"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("*** SECOND RIVER *** [9c 4h 7d 6c] [7c]\n", ""),
        ("*** SECOND", "*** FIRST"),
        ("*** SECOND RIVER", "*** RIVER"),
        ("*** SECOND RIVER", "*** THIRD RIVER"),
    ],
)
def test_text_with_unequal_runs_is_refused(old: str, new: str) -> None:
    [hand] = read_text(ROOM.replace(old, new))
    assert [(each.where, each.code) for each in hand.problems] == [("runs", "bad-runs")]


def test_text_that_names_runs_without_their_cards_is_refused() -> None:
    lines = [each for each in ROOM.splitlines() if not each.startswith(("*** FIRST", "*** SECOND"))]
    [hand] = read_text("\n".join(lines))
    assert [each.code for each in hand.problems] == ["bad-runs"]


def test_hand_that_was_run_once_is_read() -> None:
    lines = [each for each in ROOM.splitlines() if "SECOND" not in each]
    text = "\n".join(lines).replace("FIRST ", "").replace("run twice", "run once")
    [hand] = read_text(text)
    assert hand.record is not None, hand.problems
    assert "runs" not in hand.record


def without_second_board(hand: Record) -> None:
    del hand["rounds"][-3:]


def with_late_bet(hand: Record) -> None:
    hand["rounds"][-1]["actions"] = [{"player_id": 0, "action": "Bet", "amount": 5}]


def with_one_river(hand: Record) -> None:
    del hand["rounds"][-1]


def with_five_runs(hand: Record) -> None:
    hand["rounds"] += hand["rounds"][-3:] * 3


@pytest.mark.parametrize(
    "spoil", [without_second_board, with_late_bet, with_one_river, with_five_runs]
)
def test_open_hand_history_with_unclear_runs_is_refused(spoil: Callable[[Record], None]) -> None:
    """Specification 1.4.7: a hand that was run twice has several rounds of the same street."""
    [room] = read_text(ROOM)
    assert room.record is not None
    hand = json.loads(convert([room.record], "ohh")[0])
    assert [each["street"] for each in hand["ohh"]["rounds"]][1:] == ["Flop", "Turn", "River"] * 2
    spoil(hand["ohh"])
    [imported] = read_text(json.dumps(hand))
    assert [(each.where, each.code) for each in imported.problems] == [("rounds", "bad-runs")]


AUTOMATIONS = tuple(
    each
    for each in Automation
    if each not in {Automation.HOLE_DEALING, Automation.BOARD_DEALING,
                    Automation.RUNOUT_COUNT_SELECTION, Automation.HOLE_CARDS_SHOWING_OR_MUCKING}
)  # fmt: skip


def pokerkit_hand(chance: Random) -> tuple[str, list[int]]:
    """Return a hand that PokerKit plays and writes, and the stacks at its end."""
    game = NoLimitTexasHoldem(AUTOMATIONS, True, 0, (1, 2), 2, mode=Mode.CASH_GAME)
    deck = chance.sample(TEXTS[:52], 52)
    count, runs = chance.randint(2, 5), chance.randint(2, 4)
    # divisible by the number of runs and of tied players
    state = game([chance.randint(3, 60) * 720 for _ in range(count)], count)
    while state.can_deal_hole():
        state.deal_hole(deck.pop() + deck.pop())
    street = chance.choice([0, 1, 2])
    while state.status:
        if state.actor_index is not None:
            if street == state.street_index and state.can_complete_bet_or_raise_to():
                most = state.max_completion_betting_or_raising_to_amount
                state.complete_bet_or_raise_to(most)
            else:
                state.check_or_call()
        elif state.can_select_runout_count():
            state.select_runout_count(runs)
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(True)
        else:
            state.deal_board("".join(deck.pop() for _ in range(state.board_dealing_count or 1)))
    text = HandHistory.from_game_state(game, state).dumps()
    return text, list(state.stacks)


def test_hands_written_by_pokerkit_are_read_with_their_runs() -> None:
    """PokerKit writes the board of each run, but can't read these files itself."""
    chance = Random(1)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="A card being dealt")
        hands = [pokerkit_hand(chance) for _ in range(25)]
    for text, stacks in hands:
        [imported] = read_phh(text)
        assert imported.record is not None, imported.problems
        assert len(imported.record["runs"]) > 1
        answer = replay_record(imported.record)
        assert (answer["errors"], answer["finishing_stacks"]) == ([], stacks)


# --- complete nights ----------------------------------------------------------------------------


def check_night(night: LoggedNight, places: int, text: str) -> Counter[str]:
    """Compare the nets of all hands of a file with the model. Return counts of the hands."""
    hands = [each for each in read_text(text) if each.is_hand]
    assert [each.problems for each in hands if each.problems] == []
    records = [each.record for each in hands if each.record is not None]
    assert len(records) == night.hands
    won: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for record, answer in zip(records, settle_many(records), strict=True):
        by = 10 ** (places - record["about"].get("places", 0))
        won.update({name: chips * by for name, chips in answer["net"].items()})
        assert "took-differs" not in [finding["code"] for finding in answer["findings"]]
        counted[f"{len(record.get('runs', ['']))} runs"] += 1
    assert {name: chips for name, chips in won.items() if chips} == night.won
    return counted


def check_formats(seed: int, hands: int) -> Counter[str]:
    places = 2 * (seed % 2)
    night = a_night(Random(seed), hands, places=places, plain=True)
    small, big = (Decimal(chips).scaleb(-places) for chips in (5, 10))
    counted = check_night(night, places, as_pokerstars(night.lines, f"{small}/{big}"))
    assert check_night(night, places, as_ohh(night.lines, small, big)) == counted
    assert sum(counted.values()) - counted["1 runs"] >= hands // 5
    return counted


def test_nets_of_a_few_nights_match_the_model() -> None:
    for seed in range(4):
        check_formats(seed, 20)


@pytest.mark.scheduled
def test_nets_of_many_nights_match_the_model() -> None:
    counted: Counter[str] = Counter()
    for seed in range(HANDS // 200):  # nights of 50 hands, in two formats
        counted += check_formats(seed, 50)
    print(dict(counted))  # noqa: T201
