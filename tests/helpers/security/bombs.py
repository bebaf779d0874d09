"""Documents of at most about 2 kB that require more work than a server can afford."""

from itertools import islice, permutations
from typing import Any

Document = dict[str, Any]

SLOTS = [f"{row}{number}" for row in "abcd" for number in range(1, 10)]
TABLE = [" ".join(SLOTS[9 * row : 9 * row + 9]) for row in range(4)]
GRID = {"deal": ["2 down", "board a b c d e f g h i"], "board": ["a b c", "d e f", "g h i"]}


def game(**words: Any) -> Document:
    return {"name": "x", "players": [2, 2], "deal": ["5 down"], "shares": ["high"], **words}


MIDDLES = game(
    deal=["5 down", "board a b c d e"],
    board=["a b c d e"],
    hand=["5 down"],
    wild=[f"rank of middle {' '.join(slots)}" for slots in islice(permutations("abcde", 5), 20)],
)
SCALES = ["high", "best", "worst", "ace-to-six", "highest", "lowest", "least points", "closest 9"]
LINES = ["a b c", "d e f", "g h i", "a d g", "b e h", "c f i", "a e i", "c e g"]

TOO_MUCH: dict[str, Document] = {
    "17 wild words of one rank": game(deal=["3 down", "2 up"], wild=["rank of middle down"] * 17),
    "wild words of many places": MIDDLES,
    "options, hands and lines that say the same": game(
        **GRID,
        lines=LINES * 4,
        hand=["2 down + 3 line"] * 10,
        shares=[f"x{number}: high" for number in range(10)],
        options={f"o{number}": ["a", "b"] for number in range(8)},
    ),
    "hands on many lines": game(
        **GRID,
        lines=[f"{one} {two} {three}" for one in "abcd" for two in "efgh" for three in "ig"],
        hand=[f"{number} down + {count} line" for number in "12" for count in "1234"],
        shares=[f"x{n}: {scale} when o a" for n, scale in enumerate(SCALES)],
        options={"o": ["a", "b"]},
    ),
    "shares that fall back many times": game(
        shares=[f"x{number}: {' else '.join(['high', 'best', 'worst'] * 6)}" for number in range(9)]
    ),
    "options that combine": game(
        deal=["5 down", *(f"bet when {letter} a" for letter in "abcdefghijkl")],
        options={letter: ["a", "b"] for letter in "abcdefghijkl"},
    ),
    "options that grow": game(
        hand=["5 down", *(" + ".join(["{o}"] * 30) for _ in range(8))],
        options={"o": ["x = " + " ".join(["board"] * 30)]},
    ),
    "more cards than anybody holds": game(deal=["60 down"] * 60, hand=["5 down"]),
    "more combinations than anybody looks at": game(
        deal=["9 down", f"board {TABLE[0]} {TABLE[1]}"],
        board=TABLE[:2],
        hand=["5 own or board"],
    ),
}
"""Refused for the work alone; whatever else is wrong may be told too."""

WRONG: dict[str, Document] = {
    "very many slots, and words that are none of them": game(
        board=[" ".join(f"slot{row}x{at}" for at in range(14)) for row in range(64)],
        lines=[f"slot{row}x99" for row in range(64)],
        hand=[f"3 slot{row}x99" for row in range(64)],
        options={f"o{number}": ["a", "b"] for number in range(8)},
    ),
    "very many piles": game(
        deal=[" ".join(f"1 to pile{row}x{at}" for at in range(10)) for row in range(60)],
        hand=[f"3 pile{row}" for row in range(64)],
    ),
    "words like one another": game(
        deal=["a" * 150 + str(number) for number in range(64)],
        hand=["a" * 150 + str(number) for number in range(64)],
        shares=["a" * 150 + str(number) for number in range(64)],
        options={f"o{number}": ["a" * 150 + str(at) for at in range(64)] for number in range(12)},
    ),
    "an order of many words": game(order=[" ".join(["flash"] * 33)] * 64),
}  # fmt: skip
"""Wrong in very many places."""

STRINGS = "\\" + '"'
COMMENT = f"""
name = "x"
shares = ["high"]
deal = [ # {STRINGS * 30_000}
"5 dwon"]
"""
"""A line of which every place could begin a text that never ends."""
