"""Random documents that combine words from the grammar. Some are valid and some are not."""

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
    *("rank of middle down", "card of a", "card of last up", "card of first down"),
    *("2 for share 0", "K for share 1", "rank of lowest down for share 0", "joker for share 1"),
)
BUGS = ("joker", "joker", "As", "rank of a", "2 up")
TIES = (
    *("first", "suit", "natural", "deal 5: high pair-or-better else highest", "deal 3: best"),
    *("deal 2: most points", "deal 4: badugi", "deal 1: lowest"),
)
LOST_BOTH = ("next-best", "winner-takes-all", "each-keeps", "redeal")
DUES = (
    *("losers match pot", "losers match pot up to 7", "losers pay pot", "losers pay 3"),
    *("losers pay pot up to 4", "losers match pot when mood glad"),
    *("losers under half match pot", "losers under half pay 3"),
)
MATCHES = (
    ["until 3 legs", "leg for alone"],
    ["until 2 legs", "leg for best", "leg for alone"],
    ["lives 2", "life from worst", "same dealer"],
    ["lives 3", "life from losers"],
    ["until empty", "next mood"],
    ["until 2 legs when mood glad", "leg for best when mood glad", "until empty when mood sad"],
)
CONDITIONS = (
    *("mood glad", "not mood glad", "own red 1-3", "down black 0-1", "not own face 0"),
    *("row 1 red 1-3", "board black 2-3", "mood sad and own face 1-7"),
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
KILLERS = (
    *(["Kh up"], ["3"], ["s down"], ["Qs up for all"], ["K up for all in", "2d"]),
    *(["rank of a"], ["rank of b up", "4"]),
)
LATE_STEPS = ("hit 0-2 up", "hit 1-2 frozen after 1", "swap hand left unless K", "swap hand right")
TOPS = ("Jh Js", "As", "*1 *2")


def random_document(chance: Random, *, declares: bool = False) -> Document:
    """Return a random small game. About a third of these games are playable.

    If `declares`, the game has several shares, and players declare for them.
    """
    down, up, board = chance.randint(0, 5), chance.randint(0, 3), chance.choice((0, 0, 2, 3, 5))
    slots = "abcde"[:board]
    deal = [f"{number} {zone}" for number, zone in ((down, "down"), (up, "up")) if number]
    document: Document = {"name": "Random", "players": [2, 4], "deal": deal or ["5 down"]}
    if slots:
        document["board"] = _rows(chance, slots)
        document["deal"] = [*document["deal"], f"board {' '.join(slots)}"]
    patterns = [_pattern(chance, down, up, board) for _ in range(chance.choice((1, 1, 1, 2)))]
    document["hand"] = list(dict.fromkeys(patterns))
    document["shares"] = _shares(chance, patterns, declares=declares)
    _under_conditions(chance, document)
    if declares or (len(document["shares"]) > 1 and chance.random() < 0.3):
        _declare(chance, document)
    _sometimes(chance, document, "wild", WILD, several=True)
    _sometimes(chance, document, "order", ORDERS, several=True)
    _sometimes(chance, document, "points", POINTS, several=True)
    _sometimes(chance, document, "top", TOPS, several=True)
    _sometimes(chance, document, "deck", DECKS)
    _sometimes(chance, document, "straights", STRAIGHTS)
    _sometimes(chance, document, "kill", KILLERS)
    _sometimes(chance, document, "unwon", ("split", "carry"))
    _beside_hands(chance, document)
    if chance.random() < 0.15:
        document["deal"] = [*document["deal"], chance.choice(LATE_STEPS)]
    return document


def _shares(chance: Random, patterns: list[str], *, declares: bool) -> list[str]:
    count = chance.choice((2, 2, 3) if declares else (1, 1, 2))
    shares = [_share(chance, patterns) for _ in range(count)]
    if chance.random() < 0.15:
        pattern = chance.choice(UNUSED)
        shares.append(f"{chance.choice(SCALES)} {chance.choice(BARS)}".strip() + f" of {pattern}")
    if not declares and chance.random() < 0.1:
        shares.append(f"neighbour {chance.choice(('left', 'right'))}")
    return [f"share {at}: {text}" for at, text in enumerate(shares)]


def _under_conditions(chance: Random, document: Document) -> None:
    """Let some of the document's hands and shares depend on options or cards."""
    if chance.random() < 0.3:
        document["options"] = {"mood": ["glad", "sad"]}
        for key in ("hand", "shares"):
            if chance.random() < 0.5:
                document[key][-1] += f" when {chance.choice(CONDITIONS)}"


def _declare(chance: Random, document: Document) -> None:
    document["declare"] = "high-low"
    document["deal"] = [*document["deal"], "declare"]
    _sometimes(chance, document, "both_ways", ("outright", "unbeaten"))
    document["lost_both"] = chance.choice(LOST_BOTH)


def _beside_hands(chance: Random, document: Document) -> None:
    """Add words for ties, losers, matches and other rules."""
    for key, words, often in (
        *(("bug", BUGS, 0.1), ("ties", TIES, 0.2), ("alone", ("must-qualify", "wins"), 0.2)),
        *(("direction", ("counter-clockwise",), 0.2), ("match", MATCHES, 0.15)),
        ("dues", DUES, 0.2),
    ):
        if chance.random() < often:
            some = chance.choice(words)
            document[key] = [some] if key in {"bug", "dues"} else some


def _sometimes(
    chance: Random, document: Document, key: str, words: tuple[Any, ...], *, several: bool = False
) -> None:
    if chance.random() < 0.3:
        some = chance.sample(words, chance.randint(1, 2)) if several else chance.choice(words)
        document[key] = some


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
        options += ["2 down + 2 row 1 + 1 row 2", "1 up + 2-3 board", "5 down or line"]
    return chance.choice(options)


def _share(chance: Random, patterns: list[str]) -> str:
    scale = chance.choice(SCALES)
    bar = chance.choice(BARS)
    text = f"{scale} {bar}".strip()
    if chance.random() < 0.2:
        some = chance.sample(patterns, chance.randint(1, len(patterns)))
        text += f" of {' | '.join(some)}"
    for word, others, often in (
        ("beating", ("3 board", "5 board", "2 row 1 + 1 a", "1-5 row 1"), 0.05),
        ("on line", ("1", "2"), 0.05),
        ("and", SCALES, 0.1),
        ("else", SCALES, 0.2),
    ):
        if chance.random() < often:
            text += f" {word} {chance.choice(others)}"
    return text
