"""Any document that passes the check can be played without errors."""

import json
from random import Random
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from rules import settle
from rules.documents import documents
from rules.game.builder import WORDS
from rules.presentation import rules_page
from tests.helpers.laws.balance import assert_balanced
from tests.helpers.laws.records import record

Document = dict[str, Any]

TABLES = "high best worst ace-to-six".split()
POINTS = ["most points", "least points", "closest 21"]
BADUGIS = "badugi badugi-ace-high hidugi".split()
PLAIN = ["highest", "lowest", "highest s", "lowest red", "holds As"]
STRENGTHS = """8 10 A 99 777 KK pair two-pair two-pairs trips straight flush boat full-house quads
    straight-flush five-of-a-kind high-card""".split()
ODD_STRENGTHS = "2 12 21 1010 four-flush four-straight four-cards".split()


def barred(scales: list[str], strengths: list[str]) -> list[str]:
    """Return each scale on its own and with each qualifier."""
    bars = ["", *(f" {strength}-or-better" for strength in strengths)]
    return [scale + bar for scale in scales for bar in bars]


MEASURES = st.one_of(
    st.sampled_from([*TABLES, *PLAIN, *POINTS, *BADUGIS, "8-or-better"]),
    st.sampled_from(barred(TABLES, STRENGTHS)),
    st.sampled_from(barred(POINTS, ["2", "12", "21"])),
    st.sampled_from(barred(BADUGIS, ["two-cards", "three-cards", "four-cards"])),
    st.sampled_from(barred([*TABLES, *PLAIN, *POINTS, *BADUGIS], ODD_STRENGTHS)),
)
PATTERNS = st.sampled_from(
    [
        *("any 5", "5 down", "all down", "5 own", "2 down + 3 board", "3 down + 2 line"),
        *(
            "rest down + all line",
            "1-5 own",
            "2 up + 3 down",
            "all up",
            "2 board",
            "1 a",
            "1 kitty",
        ),
        *("3 down + 2 row 1", "4 down + 1 row 2", "2 down + rest board", "all down + rest board"),
    ]
)
CONDITIONS = st.sampled_from(
    [""] * 6
    + [" when speed fast", " when not speed fast", " when down red 5", " when not up black 0-1"]
)
CARDS = st.sampled_from("3 9 K Kh As s red black joker 2".split())
PLACED = st.builds(lambda card, zone: f"{card}{zone}", CARDS, st.sampled_from(["", " down", " up"]))
DECIDED = st.builds(
    lambda which, place: f"rank of {which} {place}",
    st.sampled_from(["middle", "lowest", "highest", "last"]),
    st.sampled_from(["down", "up", "own", "board", "row 1"]),
)
WILD = st.lists(PLACED | DECIDED | st.sampled_from(["rank of a", "{follower}"]), max_size=2)


def short_lists(values: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(values, max_size=2)


@st.composite
def alternatives(draw: st.DrawFn) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        text = draw(MEASURES)
        if draw(st.booleans()):
            text += f" of {draw(PATTERNS)}"
        parts.append(text)
    return " else ".join(parts)


@st.composite
def shares(draw: st.DrawFn) -> list[str]:
    return [
        f"share {number}: {draw(alternatives())}{draw(CONDITIONS)}"
        for number in range(draw(st.integers(1, 3)))
    ]


BOARDS = st.sampled_from(
    [
        ([], [], []),
        (["board a b c"], ["a b c"], []),
        (["board a b", "board c d e"], ["a b", "c d e"], []),
        (["board a b c d e"], ["a b c d e"], ["a b c", "c d", "e"]),
    ]
)
DEALS = st.sampled_from(
    [
        ["5 down"],
        ["2 down"],
        ["3 down 2 up"],
        ["5 down 1 to kitty"],
        ["6 down", "discard 1"],
        ["5 down", "draw 0-3"],
        ["4 up"],
        ["7 down", "set kitty 2"],
        ["2 down 3 up", "draw for 4 up"],
        ["5 down", "discard 0-2"],
        ["3 down", "hit 0-3 up frozen after 2"],
        ["2 down 2 up", "swap hand left unless K", "hit 0-2 for fee"],
    ]
)


@st.composite
def word_salads(draw: st.DrawFn) -> Document:
    """Draw documents that combine valid words at random."""
    deal, (board_steps, board, lines) = draw(DEALS), draw(BOARDS)
    document: Document = {
        "name": "Salad",
        "players": [2, 4],
        "deck": draw(st.sampled_from(["52", "52", "52 + 2 jokers", "52 without 2-3"])),
        "deal": [*deal, *board_steps],
        "board": board,
        "lines": lines,
        "hand": draw(st.lists(PATTERNS, min_size=1, max_size=2)),
        "shares": draw(shares()),
        "wild": draw(WILD),
        "bug": draw(st.just([]) | WILD),
        "kill": draw(st.just([]) | short_lists(PLACED)),
        "points": draw(
            short_lists(st.sampled_from(["A 1 11", "J Q K 10", "black minus", "s 5", "As 50"]))
        ),
        "top": draw(short_lists(st.sampled_from(["Jh Js", "*1 *2", "2c"]))),
        "order": draw(
            short_lists(st.sampled_from(["flush full-house", "pair four-flush", "straight trips"]))
        )[:1],
        "declare": draw(st.sampled_from(["cards-speak"] * 3 + ["high-low", "row"])),
        "both_ways": draw(st.sampled_from(["outright", "unbeaten"])),
        "lost_both": draw(st.sampled_from(WORDS["lost_both"])),
        "alone": draw(st.sampled_from(["wins", "must-qualify"])),
        "unwon": draw(st.sampled_from(["carry", "split"])),
        "ties": draw(
            st.sampled_from(["split", "first", "deal 5: high pair-or-better else highest"])
        ),
        "direction": draw(st.sampled_from(["clockwise", "counter-clockwise"])),
        "options": {"speed": ["slow", "fast"]},
        "asked": {"follower": ["none", "2", "K"]},
    }
    if document["declare"] == "cards-speak":
        del document["lost_both"]
    return {key: value for key, value in document.items() if value}


@given(word_salads(), st.integers(0, 2**32))
def test_valid_document_is_playable(document: Document, seed: int) -> None:
    """docs/games.md: any two words can be combined, or else the check rejects the document."""
    faults = documents.check(document)
    event("refused" if faults else "played")
    if faults:
        assert all(fault.text and fault.where for fault in faults)
        return
    hand = record(Random(seed), json.dumps(document))
    answer = settle(hand)
    assert "errors" not in answer, answer["errors"]
    assert_balanced(hand, answer)
    page = rules_page.rules_page(document, (), hand.get("options"))
    assert rules_page.as_text(page)
