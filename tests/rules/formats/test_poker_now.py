"""The chips in every PokerNow log line, compared with real logs and a model of whole nights."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.api import settle_many
from rules.formats.amounts import Chip
from rules.formats.files import read_text
from rules.formats.hands import Imported, StackCheck, StackDifference, StackStatement
from rules.formats.pokernow.log import Log
from tests.helpers.rules.command import run
from tests.helpers.rules.poker_now import log_of, read_log
from tests.helpers.rules.poker_now_nights import LoggedNight, a_night

ANN, BOB, CAT = '"Ann @ aaaaaaaaaa"', '"Bob @ bbbbbbbbbb"', '"Cat @ cccccccccc"'
HOLDEM = "No Limit Texas Hold'em"


def lines_of(
    *lines: str, stacks: Sequence[int] = (100, 100), game: str = HOLDEM, end: bool = True
) -> list[str]:
    """Build a hand dealt by Ann, with the given lines between its stacks and its end."""
    seats = zip((ANN, BOB, CAT), stacks, strict=False)
    listed = " | ".join(f"#{at} {who} ({chips})" for at, (who, chips) in enumerate(seats, 1))
    start = f"-- starting hand #1 (id: x1)  ({game}) (dealer: {ANN}) --"
    ending = ["-- ending hand #1 --"] if end else []
    return [start, f"Player stacks: {listed}", *lines, *ending]


def the_hand(lines: Sequence[str], hero: str = "") -> Imported:
    [hand] = read_log(log_of(lines), "units", hero).hands
    return hand


def the_record(lines: Sequence[str], hero: str = "") -> dict[str, Any]:
    hand = the_hand(lines, hero)
    assert hand.record is not None, hand.problems
    return hand.record


# --- hands of real logs, with other names -------------------------------------------------------

SECOND_POST = lines_of(
    f"{ANN} posts a small blind of 10",
    f"{BOB} posts a big blind of 20",
    f"{ANN} posts a straddle of 40",
    f"{BOB} raises to 120",
    f"{ANN} folds",
    f"Uncalled bet of 80 returned to {BOB}",
    f"{BOB} collected 80 from pot",
    stacks=(1000, 1000),
)
BOMB_POT = lines_of(
    f"{BOB} posts a bet of 5 (bomb pot bet)",
    f"{CAT} calls 5 (bomb pot bet)",
    f"{ANN} calls 5 (bomb pot bet)",
    "Flop:  [2♣, 7♦, 9♥]",
    f"{BOB} checks",
    f"{CAT} bets 10",
    f"{ANN} folds",
    f"{BOB} folds",
    f"Uncalled bet of 10 returned to {CAT}",
    f"{CAT} collected 15 from pot",
    stacks=(100, 100, 100),
)
TWO_BOARDS = lines_of(
    f"{BOB} posts a bet of 5 (bomb pot bet)",
    f"{ANN} calls 5 (bomb pot bet)",
    "Flop:  [K♣, J♠, 6♠]",
    "Flop (second board):  [10♣, 7♥, A♣]",
    f"{BOB} checks",
    f"{ANN} checks",
    "Turn: K♣, J♠, 6♠ [Q♠]",
    "Turn (second board): 10♣, 7♥, A♣ [K♦]",
    f"{BOB} checks",
    f"{ANN} checks",
    "River: K♣, J♠, 6♠, Q♠ [8♠]",
    "River (second board): 10♣, 7♥, A♣, K♦ [9♥]",
    f"{BOB} checks",
    f"{ANN} checks",
    f"{ANN} shows a K♠, 9♠, 2♦, 3♥.",
    f"{BOB} shows a J♦, Q♣, 2♣, 3♦.",
    f"{ANN} collected 5 from pot with Flush (combination: K♠, Q♠, J♠, 9♠, 8♠)",
    f"{BOB} collected 5 from pot with Straight on the second board  (combination: A♣, K♦, Q♣)",
    game="Pot Limit Omaha Hi",
)
NEW_ID = lines_of(
    f"{BOB} posts a small blind of 1",
    f"{CAT} posts a big blind of 2",
    f"{ANN} raises to 6",
    f"{BOB} folds",
    'The player "Cat @ dddddddddd" changed the ID from cccccccccc to dddddddddd.',
    '"Cat @ dddddddddd" folds',
    f"Uncalled bet of 4 returned to {ANN}",
    f"{ANN} collected 5 from pot",
    stacks=(100, 100, 100),
)
RUN_TWICE = lines_of(
    f"{ANN} posts a small blind of 1",
    f"{BOB} posts a big blind of 2",
    f"{ANN} raises to 100 and go all in",
    f"{BOB} calls 100 and go all in",
    "Remaining players decide whether to run it twice.",
    "All players in hand choose to run it twice.",
    f"{ANN} shows a A♣, A♦.",
    f"{BOB} shows a K♣, K♦.",
    "Flop:  [2♥, 7♦, 9♠]",
    "Turn: 2♥, 7♦, 9♠ [J♦]",
    "River: 2♥, 7♦, 9♠, J♦ [Q♣]",
    "Flop (second run):  [K♥, 3♦, 4♠]",
    "Turn (second run): K♥, 3♦, 4♠ [8♦]",
    "River (second run): K♥, 3♦, 4♠, 8♦ [10♣]",
    f"{ANN} collected 100 from pot with Pair, A's (combination: A♣, A♦, Q♣, J♦, 9♠)",
    f"{BOB} collected 100 from pot with Three of a Kind, K's on the second run (combination: K♣)",
)
THREE_TIMES = [
    *[line for line in RUN_TWICE if " collected " not in line and "-- ending" not in line],
    "Flop (third run):  [2♣, 3♣, 5♠]",
    "Turn (third run): 2♣, 3♣, 5♠ [6♦]",
    "River (third run): 2♣, 3♣, 5♠, 6♦ [8♥]",
    f"{ANN} collected 67 from pot with Pair, A's",
    f"{BOB} collected 67 from pot with Three of a Kind, K's on the second run",
    f"{ANN} collected 66 from pot with Pair, A's on the third run",
    RUN_TWICE[-1],
]
BOUNTY = lines_of(
    f"{BOB} posts a small blind of 1",
    f"{CAT} posts a big blind of 2",
    f"{ANN} raises to 6",
    f"{BOB} folds",
    f"{CAT} folds",
    f"Uncalled bet of 4 returned to {ANN}",
    f"{ANN} collected 5 from pot",
    f"{ANN} shows a 7♣, 2♦.",
    f"{ANN} collected 10 from the 7-2 bounty of {BOB}",
    f"{CAT} pays 10 7-2 bounty to {ANN}.",
    stacks=(100, 100, 100),
)
MISSED_BLINDS = lines_of(
    f"{BOB} posts a small blind of 1",
    f"{CAT} posts a big blind of 2",
    f"{ANN} posts a missing small blind of 1",
    f"{ANN} posts a missed big blind of 2",
    f"{ANN} checks",
    f"{BOB} folds",
    f"{CAT} checks",
    "Flop:  [2♣, 7♦, 9♥]",
    f"{CAT} bets 4",
    f"{ANN} folds",
    f"Uncalled bet of 4 returned to {CAT}",
    f"{CAT} collected 6 from pot",
    stacks=(100, 100, 100),
)


@pytest.mark.parametrize(
    ("lines", "net", "variant"),
    [
        # the line contains the total for the street: the log returns 80 of 120 and pays 80
        (SECOND_POST, {"Ann": -40, "Bob": 40}, "no-limit-holdem"),
        (BOMB_POT, {"Ann": -5, "Bob": -5, "Cat": 10}, "bomb-pot-holdem"),
        (TWO_BOARDS, {"Ann": 0, "Bob": 0}, "double-board-omaha"),
        (NEW_ID, {"Ann": 3, "Bob": -1, "Cat": -2}, "no-limit-holdem"),
        (RUN_TWICE, {"Ann": 0, "Bob": 0}, "no-limit-holdem"),
        (BOUNTY, {"Ann": 23, "Bob": -11, "Cat": -12}, "no-limit-holdem"),
        (MISSED_BLINDS, {"Ann": -3, "Bob": -1, "Cat": 4}, "no-limit-holdem"),
    ],
)
def test_imported_hand_pays_the_same_chips_as_the_log(
    lines: list[str], net: dict[str, int], variant: str
) -> None:
    record = the_record(lines)
    [answer] = settle_many([record])
    assert (answer["net"], answer["findings"]) == (net, [])
    assert record["variant"] == variant


@pytest.mark.parametrize("lines", [RUN_TWICE, THREE_TIMES])
def test_hand_run_several_times_is_imported_with_its_runs(lines: list[str]) -> None:
    """The cards of the first run have no note in the log. Each run pays its part of the pot."""
    record = the_record(lines)
    assert [action for action in record["actions"] if " db " in action] == []
    assert record["runs"][:2] == [
        {"board": [["2h", "7d", "9s", "Jd", "Qc"]]},
        {"board": [["Kh", "3d", "4s", "8d", "Tc"]]},
    ]
    [answer] = settle_many([record])
    assert answer["findings"] == []
    assert answer["won"] == record["took"]


@pytest.mark.parametrize("lines", [BOUNTY])
def test_hand_that_cannot_be_replayed_is_imported_as_a_result(lines: list[str]) -> None:
    record = the_record(lines)
    assert record["depth"] == "result"
    assert "actions" not in record


def test_replay_command_accepts_hands_imported_as_results(tmp_path: Path) -> None:
    """`convert` and `replay` work in the same way as for hands with actions."""
    path = tmp_path / "log.csv"
    path.write_text(log_of(RUN_TWICE), "utf-8")
    converted = run("convert", "--amounts", "units", str(path))
    assert converted.returncode == 0
    records = tmp_path / "hands.jsonl"
    records.write_bytes(converted.stdout)
    [answer] = map(json.loads, run("replay", str(records)).stdout.splitlines())
    assert (answer["starting_stacks"], answer["finishing_stacks"]) == ([100, 100], [100, 100])
    assert (answer["won"], answer["errors"]) == ([100, 100], [])


def test_own_cards_are_assigned_to_the_named_player() -> None:
    lines = lines_of(
        "Your hand is A♣, A♦",
        f"{ANN} posts a small blind of 1",
        f"{BOB} posts a big blind of 2",
        f"{ANN} raises to 6",
        f"{BOB} folds",
        f"Uncalled bet of 4 returned to {ANN}",
        f"{ANN} collected 4 from pot",
    )
    for hero, cards in (("Ann", "AcAd"), ("aaaaaaaaaa", "AcAd"), ("", "????"), ("Eve", "????")):
        assert f"d dh p1 {cards}" in the_record(lines, hero)["actions"]


# --- lines that can't be read -------------------------------------------------------------------

FOLDED = [
    f"{ANN} posts a small blind of 1",
    f"{BOB} posts a big blind of 2",
    f"{ANN} folds",
    f"Uncalled bet of 1 returned to {BOB}",
    f"{BOB} collected 2 from pot",
]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (lines_of(*FOLDED, f"{BOB} wins a jackpot of 50"), "not-read"),
        (lines_of(*FOLDED, f"{ANN} pays a fine of 5 to {BOB}"), "not-read"),
        (lines_of(*FOLDED, f"{ANN} pays 10 7-2 bounty"), "does-not-add-up"),
        (lines_of(*FOLDED[:-1]), "does-not-add-up"),
        (lines_of(*FOLDED[:3]), "does-not-add-up"),
        (lines_of(*FOLDED[1:]), "does-not-add-up"),
        (lines_of(*FOLDED, f"{CAT} posts a straddle of 4"), "unknown-player"),
        (lines_of(*FOLDED, stacks=(100, 1)), "does-not-add-up"),
        ([*lines_of(*FOLDED, end=False), *lines_of(*FOLDED)[1:]], "stacks-twice"),
        ([line.replace(f"#2 {BOB}", f"#2 {ANN}") for line in lines_of(*FOLDED)], "name-twice"),
    ],
)
def test_hand_that_does_not_add_up_is_refused(lines: list[str], code: str) -> None:
    hand = the_hand(lines)
    assert hand.record is None
    assert code in [problem.code for problem in hand.problems]


@pytest.mark.parametrize(
    "line",
    [
        f"{ANN} collected 2 from pot",
        f"The player {ANN} buys 50 chips.",
        f"The admin gave the player {ANN} 50 chips.",
        f"The player {ANN} quits the game with 50 chips.",
        "Flop:  [2♣, 7♦, 9♥]",
    ],
)
def test_unreadable_line_that_may_move_chips_is_reported(line: str) -> None:
    log = read_log(log_of([*lines_of(*FOLDED), line]), "units")
    [unread] = log.lines
    reason, _, quoted = unread.text.partition(": ")
    assert reason in ("this line is not understood", "this line does not belong to a hand")
    assert (quoted, unread.why) == (f"“{line}”", "unread")


@pytest.mark.parametrize(
    "line",
    [
        f"The player {ANN} requested a seat.",
        f'The admin {ANN} enqueued the removal of the player "Eve 2 @ x1".',
        f"WARNING: the admin queued the stack change for the player {ANN} adding 5 chips.",
        "The game's big blind was changed from 2 to 4.",
        "Undealt cards: 2♣, 7♦, 9♥ [10♠, 3♦]",
        "Dead Small Blind",
        f"{ANN} chooses to  run it twice.",
    ],
)
def test_line_that_moves_no_chips_is_ignored(line: str) -> None:
    log = read_log(log_of([*lines_of(*FOLDED), line]), "units")
    assert log.lines == []


# --- stacks between hands -----------------------------------------------------------------------


def statements(log: Log) -> Iterator[StackStatement]:
    for hand in log.hands:
        yield from hand.before
    yield from log.after


def test_stacks_are_read_from_the_lines_between_hands() -> None:
    lines = [
        f"The admin approved the player {CAT} participation with a stack of 50.",
        f"The player {CAT} joined the game with a stack of 50.",
        *lines_of(*FOLDED),
        f"The admin updated the player {CAT} stack from 50 to 70.50.",
        f"The player {CAT} stand up with the stack of 70.50.",
        f"The player {CAT} sit back with the stack of 70.50.",
        f"The player {CAT} quits the game with a stack of 70.50.",
    ]
    stacks = statements(read_log(log_of(lines), "units"))
    assert [(each.kind, each.player, each.before, each.chips, each.places) for each in stacks] == [
        ("approved", "Cat", 0, 50, 0),
        ("takes", "Cat", 0, 50, 0),
        ("changes", "Cat", 500, 705, 1),
        ("holds", "Cat", 0, 705, 1),
        ("holds", "Cat", 0, 705, 1),
        ("holds", "Cat", 0, 705, 1),
    ]


def stated(kind: Any, chips: int, before: int = 0) -> StackStatement:
    return StackStatement(kind=kind, player="Ann", chips=chips, before=before)


@pytest.mark.parametrize(
    ("stacks", "explained", "difference"),
    [
        ([stated("takes", 100), stated("holds", 100)], 100, None),
        ([stated("holds", 100)], 100, None),
        ([stated("takes", 100), stated("holds", 90)], 100, (100, 90)),
        ([stated("takes", 100), stated("holds", 190)], 100, (100, 190)),
        ([stated("takes", 100), stated("takes", 200)], 200, None),
        ([stated("takes", 100), stated("changes", 150, 100), stated("holds", 150)], 150, None),
        ([stated("takes", 100), stated("changes", 150, 110)], 140, (100, 110)),
        ([stated("takes", 100), stated("approved", 50), stated("holds", 50)], 50, None),
        ([stated("takes", 100), stated("approved", 50), stated("holds", 100)], 100, None),
        ([stated("takes", 100), stated("approved", 50), stated("holds", 60)], 100, (100, 60)),
    ],
)
def test_unexplained_stack_is_reported_as_a_difference(
    stacks: list[StackStatement], explained: int, difference: tuple[int, int] | None
) -> None:
    check = StackCheck()
    differs = [each for each in map(check.state, stacks) if each is not None]
    wanted = [StackDifference("Ann", *difference)] if difference else []
    assert (differs, check.explained("Ann")) == (wanted, explained)


# --- complete nights ----------------------------------------------------------------------------


def check_night(night: LoggedNight, places: int) -> Counter[str]:
    """Compare a logged night's nets and stacks with the model. Return counts of the lines read."""
    log = read_log(log_of(night.lines), "units")
    won: Counter[str] = Counter()
    check, depths = StackCheck(), Counter[str]()
    assert [line for line in log.lines if line.why == "unread"] == []
    assert [hand.problems for hand in log.hands if hand.problems] == []
    records = [hand.record for hand in log.hands if hand.record is not None]
    differences = []
    for hand, record, answer in zip(log.hands, records, settle_many(records), strict=True):
        differences += [check.state(scaled(statement, places)) for statement in hand.before]
        by = 10 ** (places - record["about"].get("places", 0))
        names = [player["name"] for player in record["players"]]
        differences += check.deal(
            {name: chips * by for name, chips in zip(names, record["stacks"], strict=True)}
        )
        moves = {name: chips * by for name, chips in answer["net"].items()}
        check.move(moves)
        won.update(moves)
        codes = {finding["code"] for finding in answer["findings"]}
        assert "took-differs" not in codes
        depths[record.get("depth", "full")] += 1
    differences += [check.state(scaled(statement, places)) for statement in log.after]
    assert [statement for statement in differences if statement is not None] == []
    assert {name: chips for name, chips in won.items() if chips} == night.won
    return depths + night.kinds


def scaled(statement: StackStatement, places: int) -> StackStatement:
    chips = Chip(places).chips(statement.chips, Chip(statement.places))
    before = Chip(places).chips(statement.before, Chip(statement.places))
    assert chips is not None
    assert before is not None
    kind, player = statement.kind, statement.player
    return StackStatement(kind=kind, player=player, chips=chips, before=before)


def test_nets_of_a_few_nights_match_the_model() -> None:
    for seed in range(6):
        check_night(a_night(Random(seed), 20, places=2 * (seed % 2)), 2 * (seed % 2))


HANDS = int(os.environ.get("POKER_NOW_HANDS", "20000"))


@pytest.mark.scheduled
def test_nets_of_many_nights_match_the_model() -> None:
    counted: Counter[str] = Counter()
    for seed in range(HANDS // 50):
        counted += check_night(a_night(Random(seed), 50, places=2 * (seed % 2)), 2 * (seed % 2))
    print(dict(counted))  # noqa: T201


def test_log_with_different_line_endings_is_read_the_same() -> None:
    lines = log_of(BOMB_POT)
    [other] = read_text(lines.replace("\r\n", "\n"), ".csv", "units")
    assert other.record == the_record(BOMB_POT)
