"""Exporting to PokerStars text files and importing from them, including unsupported hands."""

from random import Random
from typing import Any

import pytest
from pokerkit import HandHistory

from rules.documents import catalog
from rules.formats.files import convert, read_text
from rules.formats.pokerstars.text_reader import read_pokerstars
from rules.formats.pokerstars.text_writer import write_pokerstars
from rules.history import replay_record
from tests.helpers.laws.histories import history
from tests.helpers.rules.hands import record
from tests.helpers.rules.poker_stars import HAND, ROOM

GAMES = (
    *("no-limit-holdem", "limit-holdem", "pot-limit-omaha", "limit-omaha-8", "five-card-omaha"),
    *("texas-holdem", "omaha-8"),
)


def dealt(seed: int, slug: str) -> dict[str, Any]:
    """Draw a hand of a supported game with the options that poker rooms use."""
    hand = history(Random(seed), slug) if slug not in {"texas-holdem", "omaha-8"} else None
    if hand is None:
        hand = history(Random(seed), "limit-omaha-8" if slug == "omaha-8" else "no-limit-holdem")
        hand["variant"] = slug
        hand["stakes"]["betting"] = "no-limit"
    return hand


def bets(record: dict[str, Any]) -> list[str]:
    actions = (each.split("#")[0].strip() for each in record["actions"])
    return [each for each in actions if each.split()[1:2] in (["f"], ["cc"], ["cbr"])]


@pytest.mark.parametrize("slug", GAMES)
def test_exported_hand_is_imported_with_the_same_chips_and_actions(slug: str) -> None:
    for seed in range(40):
        original = dealt(seed, slug)
        text, problems = write_pokerstars(original)
        assert text is not None, (seed, problems)
        (back,) = read_pokerstars(text)
        assert back.record is not None, back.problems
        answers = [replay_record(each) for each in (original, back.record)]
        assert answers[0]["won"] == answers[1]["won"]
        assert answers[0]["finishing_stacks"] == answers[1]["finishing_stacks"]
        assert answers[1]["findings"] == []
        assert bets(back.record) == bets(original)
        again, _ = write_pokerstars(back.record)
        assert again == text


def worked() -> dict[str, Any]:
    """Return a hand of three players, one all in: each loser pays 20, and 30 are uncalled."""
    deal = ["d dh p1 AsAh", "d dh p2 KdKc", "d dh p3 7h2d"]
    play = ["p3 cbr 6", "p1 cbr 20", "p2 cc", "p3 cc", "d db Qs9d4c", "p1 cbr 30", "p3 f"]
    stakes = {"blinds": [1, 2], "min": 2}
    board = ["d db 5h", "d db Jc"]
    return record("no-limit-holdem", [100, 20, 100], [*deal, *play, *board], stakes=stakes)


def test_exported_hand_matches_the_text_of_a_poker_room() -> None:
    """The lines follow the test files of fpdb and pokerregion's parser."""
    text, problems = write_pokerstars(worked() | {"about": {"format": "pokerstars", "hand": 77}})
    assert problems == []
    assert text == HAND


def test_export_for_a_hero_hides_cards_that_were_not_shown() -> None:
    hand = worked()
    hand["actions"] += ["p1 sm AsAh", "p2 sm"]
    text, _ = write_pokerstars(hand, "cat")
    assert text is not None
    assert [line for line in text.splitlines() if line.startswith("Dealt")] == [
        "Dealt to cat [7h 2d]"
    ]
    assert "Kd" not in text
    assert "ann: shows [As Ah]" in text
    assert write_pokerstars(hand, "eve")[1][0].code == "unknown-player"


PLAYS = (
    "p3 f; p1 f",
    "p3 cc; p1 cc; p2 cc; d db Qs9d4c; p1 cc; p2 cbr 4; p3 f; p1 f",
    "p3 cbr 6; p1 cbr 18; p2 f; p3 cc; d db Qs9d4c; p1 cbr 20; p3 f",
    "p3 f; p1 cbr 6; p2 cc; d db Qs9d4c; p1 cbr 9; p2 cbr 30; p1 cc; d db 5h; p1 cbr 70; p2 f",
    "p3 f; p1 cc; p2 cc; d db Qs9d4c; p1 cc; p2 cc; d db 5h; p1 cc; p2 cc; d db Jc; p1 cc; p2 cc",
)


@pytest.mark.parametrize("play", PLAYS)
@pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")
def test_pokerkit_reads_the_exported_text_as_the_same_hand(play: str) -> None:
    """PokerKit is an independent parser."""
    deal = ["d dh p1 AsAh", "d dh p2 KdKc", "d dh p3 7h2d"]
    stakes = {"blinds": [1, 2], "min": 2}
    hand = record("no-limit-holdem", [500, 400, 300], [*deal, *play.split("; ")], stakes=stakes)
    text, problems = write_pokerstars(hand)
    assert text is not None, problems
    (read,) = HandHistory.from_pokerstars(text)
    assert read.players == [player["name"] for player in hand["players"]]
    assert bets({"actions": read.actions}) == bets(hand)
    assert list([*read][-1].stacks) == replay_record(hand)["finishing_stacks"]


def test_poker_room_hand_is_read_with_rake_chat_and_a_new_player() -> None:
    """The names contain spaces, colons and brackets. Chat is not an action."""
    (result,) = read_text(ROOM)
    hand = result.record
    assert hand is not None, result.problems
    assert [player["name"] for player in hand["players"]] == ["al", "Bo B :D", "cy", "ed (x)"]
    assert hand["about"] == {
        "format": "pokerstars",
        "hand": 208958099944,
        "seats": [1, 2, 4, 6],
        "at": "2020-02-08T00:15:13+00:00",
        "currency": "$USD",
        "places": 2,
        "rake": 20,
    }
    assert hand["actions"][:4] == ["p3 blind 25", "p4 blind 50", "p1 dead 25", "p1 post 50"]
    answer = replay_record(hand)
    assert (answer["errors"], answer["findings"]) == ([], [])
    assert answer["won"] == [355, 0, 0, 0]  # the rules do not account for rake
    text, _ = write_pokerstars(hand)
    assert text is not None
    assert "ed__x_: raises $1 to $1.50" in text
    assert "($0.25/$0.50 USD) - 2020/02/07 19:15:13 ET" in text


FORGED = (
    "ann\u2028bob: folds",
    "Seat 1: eve (900 in chips)",
    "ann collected 50 from pot",
    "*** SUMMARY ***",
    "PokerStars Hand #5: Hold'em No Limit (1/2)",
    "Dealt to ann [As Ks]",
    "Uncalled bet (5) returned to ann",
    "a: posts big blind 500",
    "\u202eann",
)


@pytest.mark.parametrize("name", FORGED)
def test_player_name_cannot_be_mistaken_for_a_line(name: str) -> None:
    """Names are exported as one word without special characters."""
    hand = worked()
    hand["players"][1]["name"] = name
    text, problems = write_pokerstars(hand)
    if text is None:  # a record may not contain this name
        assert problems
        return
    lines, plain = text.splitlines(), HAND.splitlines()
    assert len(lines) == len(plain)
    called = lines[3].split()[2]
    expected = [line.replace("bob", called) for line in plain]
    assert lines[1:] == expected[1:]
    (back,) = read_pokerstars(text)
    assert back.record is not None


def test_names_exported_as_the_same_word_stay_distinct() -> None:
    hand = worked()
    for player, name in zip(hand["players"], ("ann b", "ann_b", "ann_b_2"), strict=True):
        player["name"] = name
    text, _ = write_pokerstars(hand)
    assert text is not None
    assert len({line.split()[2] for line in text.splitlines()[2:5]}) == 3


REFUSED: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("wild cards", {"variant": "seven-card-stud"}, "variant", "no board"),
    ("declares", {"variant": "nightmare"}, "variant", "several rows"),
    ("a modifier", {"modifiers": ["two-row"]}, "modifiers", "several rows"),
    ("no limits", {"variant": "texas-holdem"}, "stakes/betting", "not given"),
    ("carried chips", {"carried": 5}, "carried", "earlier hand"),
    ("no stacks", {"stacks": [100, None, 100]}, "stacks/1", "the stack of each player"),
    ("a penalty", {"actions": ["p1 penalty 2", *worked()["actions"]]}, "actions/0", "penalty"),
    ("not over", {"actions": worked()["actions"][:6]}, "actions", "stops at"),
    ("out of turn", {"actions": ["d dh p1 AsAh", "p2 cbr 20"]}, "actions", ""),
)


@pytest.mark.parametrize(("what", "change", "where", "text"), REFUSED)
def test_unsupported_hand_is_refused_with_its_path_and_reason(
    what: str, change: dict[str, Any], where: str, text: str
) -> None:
    written, problems = write_pokerstars(worked() | change)
    assert written is None, what
    assert problems[0].where.startswith(where), problems
    assert any(text in problem.text for problem in problems), problems


def test_house_game_with_standard_rules_is_exported() -> None:
    """A game is identified by its deal, hand comparison and betting, not by its name."""
    own = {
        "name": "Tuesday",
        "players": [2, 9],
        "deal": catalog.document("no-limit-holdem")["deal"],
        "board": ["a b c d e"],
        "hand": ["any 5"],
        "shares": ["high"],
        "betting": "no-limit",
    }
    text, problems = write_pokerstars(worked() | {"variant": own})
    assert problems == []
    assert text is not None
    assert "Hold'em No Limit" in text
    assert write_pokerstars(worked() | {"variant": own | {"wild": ["deuces"]}})[0] is None


def test_changed_game_is_not_exported_to_open_hand_history() -> None:
    """Such a hand used to be exported as plain hold'em and imported with different winners."""
    written, problems = convert([worked() | {"modifiers": ["two-row"]}], "ohh")
    assert written == ""
    assert [problem.where for problem in problems] == ["hand 1/modifiers"]


SPOILT = (
    ("Hold'em No Limit", "Badugi Limit", "game"),
    ("(1/2)", "(one/two)", "stakes"),
    ("Seat #3 is the button", "", "button"),
    ("#77", "#seven", "hand"),
    ("Seat 2: bob", "Seat 2: ann", "players"),
    ("*** FLOP ***", "*** FIRST FLOP ***", "runs"),
    ("(100 in chips)", "(99999999999999999 in chips)", ""),
)


@pytest.mark.parametrize(("part", "other", "where"), SPOILT)
def test_corrupted_hand_is_refused_with_its_path(part: str, other: str, where: str) -> None:
    (result,) = read_pokerstars(HAND.replace(part, other))
    assert result.record is None
    assert where in [problem.where for problem in result.problems]


def test_unreadable_line_is_reported_with_its_number() -> None:
    hands = read_pokerstars("PokerStars\n" + HAND.replace("cat: folds", "cat: sings"))
    unread = [(each.line, each.problems[0].text) for each in hands if each.record is None]
    assert unread == [
        (1, "this line is not understood: “PokerStars”"),
        (19, "this line is not understood: “cat: sings”"),
    ]


LONG = HAND.replace("cat: folds\n", "cat: folds\n" + "x\n" * 600)


@pytest.mark.parametrize("text", ["x\n" * 2_000 + HAND, LONG + LONG])
def test_unreadable_lines_are_listed_up_to_the_limit(text: str) -> None:
    """The lines after the first 1,000 were dropped without a word."""
    unread = [each.problems[0].text for each in read_pokerstars(text) if each.record is None]
    assert len(unread) == 1_001
    assert unread[-2:] == ["this line is not understood: “x”", "more lines can't be read"]
