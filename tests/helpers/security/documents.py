"""Random documents of up to 2 kB from the grammar's words, as expensive as possible."""

import json
from typing import Any

from hypothesis import strategies as st

Document = dict[str, Any]
LONGEST = 2_000  # maximum characters as JSON

SLOTS = [f"{letter}{number}" for letter in "abcd" for number in range(1, 10)]
NUMBERS = st.sampled_from(["1", "2", "3", "4", "5", "6", "7", "0-1", "1-5", "9", "13", "21", "60"])
PLACES = st.sampled_from(
    [
        "down",
        "up",
        "own",
        "board",
        "line",
        "line 1",
        "row 1",
        "row 2",
        "kitty",
        "front",
        "a1",
        "a1 a2 a3",
        "b1 a2",
        "a1 b1 c1",
        "{o1}",
        "{o2}",
    ]
)
SCALES = st.sampled_from(
    [
        "high",
        "best",
        "worst",
        "ace-to-six",
        "badugi",
        "badugi-ace-high",
        "hidugi",
        "highest",
        "most points",
        "least points",
        "closest 21",
        "lowest",
        "highest red",
        "holds As",
        "{o1}",
    ]
)
BARS = st.sampled_from(["", "", "", " 8-or-better", " pair-or-better", " two-cards-or-better"])
WHEN = st.sampled_from(["", "", "", " when o1 a", " when not o2 b", " when down red 2"])
RANKS = "2 3 4 5 6 7 8 9 T J Q K A".split()
CATEGORIES = """high-card pair two-pair trips straight flush full-house quads straight-flush
    five-of-a-kind four-flush four-straight""".split()


def joined(parts: st.SearchStrategy[str], by: str, most: int) -> st.SearchStrategy[str]:
    return st.lists(parts, min_size=1, max_size=most).map(by.join)


WHERE = joined(PLACES, " or ", 3)
TERMS = st.one_of(
    st.builds("{} {}".format, st.one_of(NUMBERS, st.sampled_from(["all", "rest"])), WHERE),
    st.sampled_from(["any 5", "any 10", "all down", "rest board", "5 own or board", "1-9 own"]),
)
PATTERNS = joined(TERMS, " + ", 3)
ALTERNATIVES = st.builds(
    lambda scale, bar, of: f"{scale}{bar}{' of ' + of if of else ''}",
    SCALES,
    BARS,
    st.one_of(st.just(""), joined(PATTERNS, " | ", 4)),
)
SHARES = st.builds("{}: {}{}".format, st.sampled_from(list("pqrstuvw")),
                   joined(ALTERNATIVES, " else ", 6), WHEN)  # fmt: skip
CARDS = st.sampled_from([*RANKS, "s", "red", "black", "joker", "As", "Kh up", "3 down", "{o1}"])
WILD = st.one_of(
    CARDS,
    st.builds(
        "rank of {} {}".format, st.sampled_from(["middle", "lowest", "highest", "last"]), PLACES
    ),
)
ROWS = st.lists(st.sampled_from(SLOTS), min_size=1, max_size=9, unique=True).map(" ".join)
STEPS = st.one_of(
    st.builds("{} {}".format, NUMBERS, st.sampled_from(["down", "up", "to kitty", "to front"])),
    st.builds("board {}".format, ROWS),
    st.sampled_from(["bet", "declare", "draw 0-5", "discard 1", "turn 1", "turn until best",
                     "draw for 4 up", "set front 3 kitty 2", "pass 3 left", "roll o3",
                     "{o1} down", "bet when o1 a", "buy 0-2 common for fee",
                     "hit 0-40 up frozen after 9", "swap hand left unless K"]),
)  # fmt: skip
ITEMS: dict[str, st.SearchStrategy[str]] = {
    "deal": STEPS,
    "board": ROWS,
    "lines": ROWS,
    "hand": PATTERNS,
    "wild": WILD,
    "bug": WILD,
    "kill": CARDS,
    "points": st.builds("{} {}".format, joined(CARDS, " ", 3), joined(NUMBERS, " ", 3)),
    "top": joined(st.sampled_from(["As", "Kd", "2c", "*1", "9h"]), " ", 4),
    "order": joined(st.sampled_from(CATEGORIES), " ", 6),
    "shares": SHARES,
    "dues": st.sampled_from(["put 1 2 row 1", "take rank row 2", "bank dealer", "leftover carry",
                             "losers match pot"]),
}  # fmt: skip
CHOICES = st.lists(
    st.one_of(st.sampled_from("abcdefgh"), st.builds("{} = {}".format, st.sampled_from("abcdefgh"),
                                                     st.one_of(NUMBERS, PLACES, SCALES))),
    min_size=1, max_size=8,
)  # fmt: skip


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a valid or nearly valid game. The deal and board fit, and all other words are random."""
    down, up = draw(st.sampled_from([1, 2, 3, 5, 7, 9])), draw(st.sampled_from([0, 0, 2, 3, 6]))
    width, rows = draw(st.integers(1, 9)), draw(st.integers(0, 4))
    board = [" ".join(SLOTS[9 * row : 9 * row + width]) for row in range(rows)]
    deck = 52 - width * rows
    document: Document = {
        "name": "x",
        "players": [2, max(2, min(draw(st.sampled_from([2, 8, 52])), deck // (down + up)))],
        "deal": [f"{down} down", *([f"{up} up"] if up else []), *(f"board {row}" for row in board)],
        "board": board,
        "shares": [draw(SHARES)],
    }
    if rows and draw(st.booleans()):
        document["lines"] = _crossing(width, rows)
    if draw(st.integers(0, 3)):
        return _playable(draw, document, {"down": down, "up": up, "board": width * rows})
    texts = {
        "deck": ["52", "52 + 4 jokers", "52 without 2-6"],
        "declare": ["high-low", "row"],
        "alone": ["must-qualify"],
        "ties": ["first", "deal 5: high", "deal 5: high else highest else best else badugi"],
        "unwon": ["split"],
    }
    for key, words in texts.items():
        if draw(st.integers(0, 2)) == 0:
            document[key] = draw(st.sampled_from(words))
    for name in draw(st.sets(st.sampled_from(["o1", "o2", "o3", "o4"]))):
        document.setdefault("options", {})[name] = draw(CHOICES)
    kinds = draw(st.lists(st.sampled_from(sorted(ITEMS)), min_size=1, max_size=5, unique=True))
    for key in kinds:
        _fill(draw, document, key)
    return document


def _playable(draw: st.DrawFn, document: Document, cards: dict[str, int]) -> Document:
    """Return the document with the most hands that its cards allow."""
    patterns = _fitting(cards, bool(document["board"]))
    scales = st.sampled_from(
        [
            "high",
            "best",
            "worst",
            "ace-to-six",
            "highest",
            "lowest",
            "most points",
            "closest 21",
            "badugi",
            "hidugi",
            "high pair-or-better",
            "8-or-better",
            "holds As",
            "least points",
        ]
    )
    hand = st.sampled_from(patterns)
    own = st.builds("{} of {}".format, scales, joined(hand, " | ", 3))
    measures = joined(st.one_of(scales, own), " else ", 3).filter(lambda text: len(text) < 190)
    shares = draw(st.lists(measures, min_size=1, max_size=8, unique=True))
    while "".join(shares).count(" else ") + len(shares) > 12:
        shares.pop()
    document["shares"] = [
        f"{name}: {text}" for name, text in zip("pqrstuvwxyzo", shares, strict=False)
    ]
    most = draw(st.sampled_from([1, 3, 30]))
    document["hand"] = draw(st.lists(hand, min_size=1, max_size=most, unique=True))
    decided = st.builds(
        "rank of {} {}".format,
        st.sampled_from(["middle", "lowest", "highest", "last"]),
        st.sampled_from([place for place, count in cards.items() if count]),
    )
    marks = st.one_of(decided, st.sampled_from([*RANKS, "red", "joker", "s down"]))
    for key, texts in (
        ("wild", marks),
        ("bug", marks),
        ("points", st.sampled_from(["A 1 11", "J Q K 10", "black minus", "2 3 4 1 2 3", "s 7 8"])),
        ("order", st.permutations(CATEGORIES).map(lambda names: " ".join(names[:9]))),
        ("kill", st.sampled_from(["Kh up", "As", "2c down"])),
    ):
        if draw(st.integers(0, 2)) == 0:
            most = 1 if key == "order" else 6
            document[key] = draw(st.lists(texts, min_size=1, max_size=most, unique=True))
    for key, words in (
        ("ties", ["first", "deal 5: high", "deal 5: high pair-or-better else highest else best"]),
        ("deck", ["52 + 4 jokers", "52 without 2-3"]),
        ("declare", ["high-low", "row"]),
        ("unwon", ["split"]),
        ("alone", ["must-qualify"]),
    ):
        if draw(st.integers(0, 3)) == 0 and (key != "declare" or len(shares) > 1):
            document[key] = draw(st.sampled_from(words))
    if "jokers" in document.get("deck", ""):
        document["wild"] = [text for text in document.get("wild", ()) if text != "joker"] + [
            "joker"
        ]
    for number in range(draw(st.sampled_from([0, 0, 0, 1, 2, 3, 6]))):
        options = document.setdefault("options", {})
        options[f"o{number}"] = ["a", "b", "c", "d"][: draw(st.integers(2, 4))]
        document["deal"] = [*document["deal"], f"bet when o{number} a"]
    while len(json.dumps(document)) > LONGEST:
        document["hand" if len(document["hand"]) > 1 else "shares"].pop()
    return document


def _fitting(cards: dict[str, int], board: bool) -> list[str]:
    """Return patterns of up to five cards that fit these cards, and some larger patterns."""
    held = {place: count for place, count in cards.items() if count}
    own = cards["down"] + cards["up"]
    places = held | {"own": own} | ({"line": 1, "own or board": own, "row 1": 1} if board else {})
    terms = [f"{n} {place}" for place, count in places.items() for n in range(1, min(count, 5) + 1)]
    pairs = [
        f"{one} + {other}"
        for one in terms
        for other in terms
        if one < other and int(one[0]) + int(other[0]) <= 5
    ]
    whole = [f"{n} own" for n in range(1, own + 1)] + ["all down", "1-5 own"]
    return [*terms, *pairs, *whole]


def _crossing(width: int, rows: int) -> list[str]:
    """Return a board's rows and columns, and patterns that cross."""
    table = [SLOTS[9 * row : 9 * row + width] for row in range(rows)]
    columns = [list(column) for column in zip(*table, strict=True)]
    crosses = [[table[row][(row + at) % width] for row in range(rows)] for at in range(width)]
    lines = (" ".join(dict.fromkeys(line)) for line in [*table, *columns, *crosses])
    return list(dict.fromkeys(lines))


def _fill(draw: st.DrawFn, document: Document, key: str) -> None:
    """Add to one of the document's lists until the maximum size is reached."""
    for text in draw(st.lists(ITEMS[key], min_size=1, max_size=draw(st.sampled_from([2, 8, 40])))):
        document[key] = [*document.get(key, []), text]
        if len(json.dumps(document)) > LONGEST:
            document[key].pop()
            return
