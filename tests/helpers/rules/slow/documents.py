"""Random documents: each word of the grammar beside each other word, good ones and bad ones."""

from random import Random
from typing import Any

Document = dict[str, Any]

BARS = (
    *("", "", "", "", "", "", "8-or-better", "99-or-better", "trips-or-better", "pair-or-better"),
    *("blaze-or-better",),
)
SCALES = (
    *("high", "high", "high", "best", "worst", "ace-to-six", "badugi", "badugi-ace-high", "hidugi"),
    *("reversed", "high", "highest face"),
    *(
        "most points",
        "least points",
        "closest 21",
        "closest 7",
        "nearest 7",
        "nearest 27",
        "highest",
        "lowest",
    ),
    *("highest s", "lowest h down", "highest red up", "holds As", "holds Kh Qd"),
)
WILD = (
    *("2", "K", "joker", "Jh", "s down", "9 up", "red", "rank of lowest down", "rank of last up"),
    *("rank of first up", "rank of highest down", "rank of a", "one-eyed", "face", "face up"),
)
LONG = (
    "seven-straight-flush quads-and-trips six-straight-flush seven-flush quads-and-pair "
    "straight-flush two-trips trips-and-two-pair seven-straight quads six-flush six-straight "
    "three-pair full-house"
)
ORDERS = (
    "flush full-house",
    "straight trips",
    "without straight",
    "without flush",
    "pair two-pair",
    "with quick-quads",
    "333 trips straight-flush straight",
    "trips 77 blaze two-pair",
    "flush big-cat little-cat big-dog little-dog straight",
    "straight skip-straight round-straight skeet five-and-dime trips",
    "two-pair four-flush four-straight",
    LONG,
    LONG,
)
DECKS = ("52", "52", "52 + 1 joker", "52 + 2 jokers", "52 without 2-5", "52 without 8-T")
STRAIGHTS = (
    *("usual", "skip gaps", "no wheel", "skip gaps and no wheel", "three cards", "four cards"),
    *("three cards and wheel first", "wheel second", "three cards and four cards and skip gaps"),
)
UNUSED = ("2 unused", "all unused", "1-3 unused", "1 unused + 2 board", "rest unused + all line")
POINTS = (
    "A 1 11",
    "J Q K 10",
    "black minus",
    "joker 5",
    "2 0",
    "J Q K half",
    "face 0",
    "face minus",
)
KILLERS = (["Kh up"], ["3"], ["s down"], ["Qs up for all"], ["K up for all in", "2d"])
TOPS = ("Jh Js", "As", "*1 *2")


def random_document(chance: Random) -> Document:
    """A small game; about a third of them can be played."""
    down, up, board = chance.randint(0, 5), chance.randint(0, 3), chance.choice((0, 0, 2, 3, 5))
    slots = "abcde"[:board]
    deal = [f"{number} {zone}" for number, zone in ((down, "down"), (up, "up")) if number]
    found: Document = {"name": "Random", "players": [2, 4], "deal": deal or ["5 down"]}
    if slots:
        found["board"] = _rows(chance, slots)
        found["deal"] = [*found["deal"], f"board {' '.join(slots)}"]
    patterns = [_pattern(chance, down, up, board) for _ in range(chance.choice((1, 1, 1, 2)))]
    found["hand"] = list(dict.fromkeys(patterns))
    shares = [_share(chance, patterns) for _ in range(chance.choice((1, 1, 2)))]
    if chance.random() < 0.2:
        pattern = chance.choice(UNUSED)
        shares.append(f"{chance.choice(SCALES)} {chance.choice(BARS)}".strip() + f" of {pattern}")
    found["shares"] = [f"share {at}: {text}" for at, text in enumerate(shares)]
    _sometimes(chance, found, "wild", WILD, several=True)
    _sometimes(chance, found, "order", ORDERS, several=True)
    _sometimes(chance, found, "points", POINTS, several=True)
    _sometimes(chance, found, "top", TOPS, several=True)
    _sometimes(chance, found, "deck", DECKS)
    _sometimes(chance, found, "straights", STRAIGHTS)
    _sometimes(chance, found, "kill", KILLERS)
    _sometimes(chance, found, "unwon", ("split", "carry"))
    return found


def _sometimes(
    chance: Random, found: Document, key: str, words: tuple[Any, ...], *, several: bool = False
) -> None:
    if chance.random() < 0.3:
        some = chance.sample(words, chance.randint(1, 2)) if several else chance.choice(words)
        found[key] = some


def _rows(chance: Random, slots: str) -> list[str]:
    cut = chance.randint(0, len(slots) - 1)
    return [" ".join(row) for row in (slots[:cut], slots[cut:]) if row]


def _pattern(chance: Random, down: int, up: int, board: int) -> str:
    options = [
        *("any 7", "6 own or board", "3 own"),
        "5 own when own face 1-3",
        "all down",
        "5 own",
        "any 5",
        "all own",
        "3 down",
        "2 down",
        "1-5 up",
        "4 own",
    ]
    if board:
        options += ["2 down + 3 board", "rest down + all line", "all down + rest board"]
        options += ["1 down + all row 1", "2 own + all line", "5 own or board", "2 down + 1 a"]
    return chance.choice(options)


def _share(chance: Random, patterns: list[str]) -> str:
    scale = chance.choice(SCALES)
    bar = chance.choice(BARS)
    text = f"{scale} {bar}".strip()
    if chance.random() < 0.2:
        text += f" of {chance.choice(patterns)}"
    if chance.random() < 0.2:
        text += f" else {chance.choice(SCALES)}"
    return text
