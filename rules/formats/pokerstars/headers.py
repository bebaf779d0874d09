"""The first line of a hand in PokerStars' text: where it was played, which game, for how much.

PokerStars Home Game Hand #1: {Riverside}  Hold'em No Limit (1/2) - 2020/05/22 ...
PokerStars Hand #1: Tournament #2, €5.00+€0.50 EUR Hold'em No Limit - Level III (25/50) - ...
PokerStars Hand #1: HORSE (Hold'em Limit, $1.00/$2.00 USD) - ...
"""

import re
from typing import NamedTuple

from rules.errors import Problem
from rules.formats.amounts import Number
from rules.formats.codes import Code, codes
from rules.formats.pokerstars.line_words import read_chips, read_moment

STARTS = (
    "PokerStars Hand #",
    "PokerStars Game #",
    "PokerStars Zoom Hand #",
    "PokerStars Home Game",
)
SIGNS = "$€£¥₹"
LONGEST = 300  # characters of a first line that are read
PRICE = rf"[{SIGNS}]?\d[\d.,]{{0,20}}(?:FPP|SC)?"
# A tournament, and what it cost: "$5+$0.50 USD", "500FPP", "Freeroll", "100+10" or nothing.
TOURNAMENT = re.compile(
    rf"(?:Zoom )?Tournament #\d{{1,20}},\s{{1,4}}(?:Table #\d{{1,20}}, )?"
    rf"(?:(?:Freeroll|{PRICE}(?:\+{PRICE}){{0,3}})(?: [A-Z]{{3}}| Play Money)?\s{{1,4}}(?:- )?)?",
    re.ASCII,
)
MIXED = r"(?:[A-Z0-9][\w/-]{0,20}(?: [\w/-]{1,20}){0,3}(?: \(\d-Max\))? \()?"
LEVEL = r"(?: - (?:Match Round \w{1,10}, )?(?:Level \w{1,10})?)?"
KNOWN = "|".join(map(re.escape, sorted(codes("pokerstars"), key=len, reverse=True)))
# All that stands before the blinds.
GAME = re.compile(
    rf"(?:{TOURNAMENT.pattern})?{MIXED}(?P<game>{KNOWN})(?:\)?{LEVEL}\s{{1,3}}\(|, )", re.ASCII
)
STAKES = re.compile(
    r"\((?:ante [^\s,]{1,20}, )?(?P<small>[^\s()/]{1,20})/(?P<big>[^\s()/]{1,20})"
    r"(?: - (?:Ante [^\s()]{1,20}|[^\s()]{1,20} Cap(?: -)?))?(?:\s{1,3}(?P<iso>[A-Z]{3}))?\s?\)",
    re.ASCII | re.IGNORECASE,
)


class Header(NamedTuple):
    """What the first line of a hand contains; `at` is empty where it has no moment."""

    number: int
    code: Code
    sizes: tuple[Number, Number]
    currency: str
    at: str


def read_header(text: str) -> Header | Problem:
    """Return what the first line of a hand contains, or why it can't be read."""
    told, _, rest = text[:LONGEST].partition(": ")
    number = told.rpartition("#")[2]
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        return Problem("hand", "not-read", f"no hand has this number: {number[:40]!r}")
    rest = rest.strip()
    if rest.startswith("{"):  # a club of home games: any name
        rest = rest.rpartition("}")[2].lstrip()
    game = GAME.match(rest)
    if game is None:
        known = ", ".join(codes("pokerstars"))
        words = rest.partition(" (")[0]
        return Problem("game", "unknown-game", f"{words[:60]!r}; known are {known}")
    sizes = STAKES.match(f"({rest[game.end() :]}")
    small, big = (read_chips(sizes[each]) for each in ("small", "big")) if sizes else (None, None)
    if sizes is None or small is None or big is None:
        return Problem("stakes", "not-read", "the blinds stand in brackets behind the game")
    sign = sizes["small"][0] if sizes["small"][0] in SIGNS else ""
    currency = f"{sign}{sizes['iso'] or ''}" if sign else ""
    code = codes("pokerstars")[game["game"]]
    return Header(int(number), code, (small, big), currency, read_moment(rest))
