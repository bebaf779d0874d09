"""First lines of PokerStars hands, as they appear in fpdb-3's test files (2006 to 2024)."""

import re
from pathlib import Path

import pytest

from rules.formats.files import read_file, read_text, replay_files
from rules.formats.pokerstars.text_reader import read_header

HAND = """\
Table '2905961235 1' 9-max Seat #4 is the button
Seat 4: Ann (400 in chips)
Seat 5: Bob (150 in chips)
Ann: posts small blind 1
Bob: posts big blind 2
*** HOLE CARDS ***
Dealt to Ann [4d Jd]
Ann: folds
Uncalled bet (1) returned to Bob
Bob collected 2 from pot
*** SUMMARY ***
Total pot 2 | Rake 0
Seat 4: Ann (button) (small blind) folded before Flop
Seat 5: Bob (big blind) collected (2)
"""
AT = " - 2020/05/22 21:56:50 WET [2020/05/22 16:56:50 ET]"
NO_LIMIT, LIMIT = "no-limit-holdem", "limit-holdem"
# the text between the hand number and the time; the game, the blinds, the currency
HEADERS = [
    ("Hold'em No Limit (1/2)", NO_LIMIT, "1/2", ""),
    ("Hold'em No Limit ($0.01/$0.02)", NO_LIMIT, "0.01/0.02", "$"),
    ("Hold'em No Limit ($0.01/$0.02 USD)", NO_LIMIT, "0.01/0.02", "$USD"),
    ("Hold'em No Limit (€1/€2 EUR)", NO_LIMIT, "1/2", "€EUR"),
    ("Hold'em No Limit ($0.25/$0.50 - $10 Cap -  USD)", NO_LIMIT, "0.25/0.50", "$USD"),
    ("Hold'em No Limit ($0.50/$1 - Ante $0.20 USD)", NO_LIMIT, "0.50/1", "$USD"),
    ("Hold'em Limit (₹10/₹20 INR)", LIMIT, "10/20", "₹INR"),
    ("{Riverside}  Hold'em No Limit (1/2)", NO_LIMIT, "1/2", ""),
    ("{6+ (1/2): a}b} Hold'em No Limit (5/10)", NO_LIMIT, "5/10", ""),
    ("{Club} Tournament #1, $5+$0.50 USD Hold'em No Limit - Level I (5/10)", NO_LIMIT, "5/10", ""),
    ("Tournament #2, €5.00+€0.50 EUR Hold'em No Limit - Level III (25/50)", NO_LIMIT, "25/50", ""),
    ("Tournament #2, £5.00+£0.50 GBP Hold'em No Limit - Level III (25/50)", NO_LIMIT, "25/50", ""),
    ("Tournament #2, ₹50+₹5 INR Hold'em No Limit - Level III (25/50)", NO_LIMIT, "25/50", ""),
    ("Tournament #2, $5+$5+$1 USD Hold'em No Limit - Level III (25/50)", NO_LIMIT, "25/50", ""),
    ("Tournament #2, $5+$0.50 Hold'em No Limit - Level X (300/600)", NO_LIMIT, "300/600", ""),
    ("Tournament #2, 500FPP Hold'em Limit - Level III (25/50)", LIMIT, "25/50", ""),
    ("Tournament #2, Freeroll  Hold'em No Limit - Level II (15/30)", NO_LIMIT, "15/30", ""),
    ("Tournament #2, 100+10 Hold'em No Limit - Level II (15/30)", NO_LIMIT, "15/30", ""),
    ("Tournament #2, 1,000+100 Hold'em No Limit - Level II (15/30)", NO_LIMIT, "15/30", ""),
    ("Tournament #2, Hold'em No Limit - Level II (15/30)", NO_LIMIT, "15/30", ""),
    (
        "Tournament #2, $55+$5 USD Hold'em No Limit - Match Round I, Level I (10/20)",
        *(NO_LIMIT, "10/20", ""),
    ),
    ("HORSE (Hold'em Limit, $1.00/$2.00 USD)", LIMIT, "1.00/2.00", "$USD"),
    (
        "Tournament #2, $1+$0.10 USD HORSE (Omaha Hi/Lo Limit) - Level V (8/16)",
        *("limit-omaha-8", "8/16", ""),
    ),
    ("Tournament #2, $5+$0.5 USD 8-Game (Hold'em No Limit) - Level V (8/16)", NO_LIMIT, "8/16", ""),
    ("5 Card Omaha Pot Limit ($1/$2 USD)", "five-card-omaha", "1/2", "$USD"),
]  # fmt: skip
UNKNOWN = [  # games whose names end like the name of a known game
    "6+ Hold'em No Limit ($1/$2)",
    "5 Card Omaha Hi/Lo Pot Limit ($1/$2 USD)",
    "Tournament #2, $5+$0.50 USD 6+ Hold'em No Limit - Level V (8/16)",
    "7 Card Stud Limit ($1/$2 USD)",
    "HORSE (Razz Limit, $0.04/$0.08 USD)",
]


@pytest.mark.parametrize(("words", "game", "sizes", "currency"), HEADERS)
def test_game_and_blinds_are_read_from_the_first_line(
    words: str, game: str, sizes: str, currency: str
) -> None:
    header = read_header(f"PokerStars Hand #1: {words}{AT}")
    assert not hasattr(header, "text"), header
    blinds = "/".join(map(str, header.sizes))
    assert (header.code.game, blinds, header.currency) == (game, sizes, currency)
    assert header.at == "2020-05-22T20:56:50+00:00"


@pytest.mark.parametrize("words", UNKNOWN)
def test_game_whose_name_only_ends_like_a_known_one_is_refused(words: str) -> None:
    header = read_header(f"PokerStars Hand #1: {words}{AT}")
    assert header.code == "unknown-game"


def nets(path: Path) -> list[dict[str, float]]:
    results = []
    for answer, hand in zip(replay_files([path]), read_file(path), strict=True):
        assert not answer["errors"], answer
        names = [player["name"] for player in hand.record["players"]]
        chips = zip(names, answer["starting_stacks"], answer["finishing_stacks"], strict=True)
        results.append({name: round(end - start, 2) for name, start, end in chips})
    return results


@pytest.mark.parametrize(
    "start", ["PokerStars Home Game Hand", "PokerStars Game", "PokerStars Zoom Hand"]
)
def test_hand_is_read_for_every_pokerstars_title(start: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        f"{start} #1: {{Riverside}}  Hold'em No Limit (1/2){AT}\n{HAND}"
    )
    assert nets(tmp_path / "a.txt") == [{"Ann": -1, "Bob": 1}]


ONE = f"PokerStars Hand #1: Hold'em No Limit (1/2){AT}\n{HAND}"
ARCHIVE = "\n".join(f"\n*********** # {at} **************\n{ONE}" for at in (1, 2))


@pytest.mark.parametrize(
    ("content", "hands"),
    [
        (ARCHIVE.encode(), 2),
        (ARCHIVE.replace("\n", "\r\n").encode("utf-8-sig"), 2),
        (f"\ufeff{ONE}\n\n\n\ufeff{ONE}".encode(), 2),
        (ONE.encode("utf-16"), 1),
        (ONE.replace("Bob", "Zoë").encode("cp1252"), 1),
        (ONE.replace("Bob", "Zoë").encode(), 1),
    ],
)
def test_files_can_be_read_in_all_supported_encodings(
    content: bytes, hands: int, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    other = "Zoë" if b"Zo" in content else "Bob"
    assert nets(tmp_path / "a.txt") == [{"Ann": -1, other: 1}] * hands


NO_LOW = f"""\
PokerStars Hand #1: Omaha Hi/Lo Pot Limit ($0.50/$1 USD){AT}
Table 'Nice' 6-max Seat #1 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($10 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [As Ah Td 9c]
Ann: calls $0.50
Bob: checks
*** FLOP *** [Qs Jd Kc]
Bob: checks
Ann: checks
*** TURN *** [Qs Jd Kc] [5h]
Bob: checks
Ann: checks
*** RIVER *** [Qs Jd Kc 5h] [Jc]
Bob: checks
Ann: checks
*** SHOW DOWN ***
Bob: shows [Kd Kh 2c 7d] (HI: a full house, Kings full of Jacks)
Ann: mucks hand
Bob collected $1.90 from pot
No low hand qualified
*** SUMMARY ***
Total pot $2 | Rake $0.10
Board [Qs Jd Kc 5h Jc]
"""


def test_missing_low_line_is_skipped_and_the_rake_is_read(tmp_path: Path) -> None:
    """Bob's file shows that he left with 10.90: the room took 0.10 from the pot of 2."""
    (tmp_path / "a.txt").write_text(NO_LOW)
    (hand,) = read_file(tmp_path / "a.txt")
    assert nets(tmp_path / "a.txt") == [{"Ann": -1, "Bob": 0.9}]
    (answer,) = replay_files([tmp_path / "a.txt"])
    assert [(each["code"], each["text"]) for each in answer["findings"]] == [
        ("rake", "the room took 0.1 of the pot as rake")
    ]
    assert hand.record["about"]["rake"] == 1


SPLIT = NO_LOW.replace("[As Ah Td 9c]", "[Ks 7c 2h 2d]").replace("[Kd Kh 2c 7d]", "[Kd 7d 3h 3d]")
SPLIT = SPLIT.replace(
    "Ann: mucks hand\nBob collected $1.90 from pot",
    "Ann: shows [Ks 7c 2h 2d] (HI: two pair)\n"
    "Bob collected $0.95 from pot\nAnn collected $0.95 from pot",
)


def test_rake_on_a_split_pot_is_taken_from_both_winners(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SPLIT)
    assert nets(tmp_path / "a.txt") == [{"Ann": -0.05, "Bob": -0.05}]


def test_rake_that_does_not_explain_the_difference_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SPLIT.replace("Rake $0.10", "Rake $0.20"))
    (answer,) = replay_files([tmp_path / "a.txt"])
    assert answer["finishing_stacks"] == [10, 10]
    assert [each["code"] for each in answer["findings"]] == ["took-differs"]


def test_archive_header_is_not_read_as_part_of_a_hand() -> None:
    read = read_text(re.sub(r"#(?= \d)", "x", ARCHIVE))
    assert [bool(each.problems) for each in read] == [False, False, True]
