"""What the lines of PokerStars' text look like: numbers, cards, moments and names.

The format has no specification. These words are those on which its readers agree: fpdb's
PokerStarsToFpdb, the hand history parsers of pokerregion and PokerKit, and the files they are
tested with.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from rules.cards import CARDS, UNSEEN, format_cards
from rules.formats.amounts import Number, from_units, read_number

AMOUNT = re.compile(r"[$€£¥₹]?(\d[\d,]{0,24}(?:\.\d{1,12})?)", re.ASCII)
MOMENT = re.compile(
    r"(\d{4})/(\d{1,2})/(\d{1,2})[ -]{1,3}(\d{1,2}):(\d{2}):(\d{2}) \(?(\w{1,5})", re.ASCII
)
ZONES = {"ET": "America/New_York", "UTC": "UTC", "GMT": "UTC"}
UNTOLD = "2000/01/01 00:00:00 ET"  # a line without a moment is none: this one says there is none
LONGEST_NUMBER = 20
POSTS = {
    "small blind": "blind",
    "big blind": "blind",
    "small & big blinds": "post",
    "the ante": "ante",
    "straddle": "straddle",
}
# of the table, not of the hand; what is said there may be anything
BESIDE_ENDS = (
    *(" leaves the table", " is disconnected", " is connected", " has timed out", " has returned"),
    *(" has timed out while disconnected", " has timed out while being disconnected"),
    *(" will be allowed to play after the button", " was removed from the table for failing to"),
    *(": sits out", ": is sitting out", " is sitting out", ": doesn't show hand"),
    *(" was moved from another table to this table", "No low hand qualified"),
)
BESIDE_HOLDS = (
    *(' said, "', " joins the table at seat #", " finished the tournament", " wins the tournament"),
    *(" bounty for eliminating ", " for eliminating ", " was removed from the table "),
    *(" re-buys and receives ", " takes the add-on and receives "),
)
# what a line is made of: a name with any of these could be taken for more than a name
GRAMMAR = str.maketrans(dict.fromkeys(":[](){}<>|*#,;\"'`\\/", "_"))


def chips(units: int, places: int, sign: str = "") -> str:
    """An amount as a line has it: cents in two places, whole ones alone."""
    number = from_units(units, places)
    return f"{sign}{number}" if isinstance(number, int) else f"{sign}{number:.{max(places, 2)}f}"


def read_chips(text: str) -> Number | None:
    """`$1,234.50` as a number, None for what is none."""
    found = AMOUNT.fullmatch(text)
    return read_number(found[1].replace(",", "")) if found else None


def cards(some: Iterable[int]) -> str:
    return f"[{' '.join(format_cards(some))}]"


def read_cards(text: str) -> list[int] | None:
    """`[As Kd]`, None for what is no list of known cards."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    words = text[1:-1].split()
    found = [CARDS.get(word, UNSEEN) for word in words]
    return None if UNSEEN in found else found


def moment(at: datetime | None) -> str:
    """A moment in the zone that every reader takes it to be in."""
    return f"{at.astimezone(ZoneInfo(ZONES['ET'])):%Y/%m/%d %H:%M:%S} ET" if at else UNTOLD


def read_moment(text: str) -> str:
    """The last moment that is told in a zone we know, ISO 8601 in UTC; else nothing."""
    told = [found for found in MOMENT.finditer(text[-120:]) if found[7] in ZONES]
    if not told or UNTOLD in text:
        return ""
    *numbers, zone = told[-1].groups()
    try:
        at = datetime(*map(int, numbers), tzinfo=ZoneInfo(ZONES[zone]))  # type: ignore[misc,arg-type]
        return at.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return ""


def names(told: Sequence[str]) -> list[str]:
    """Names that are one word each, so that none can be read as a line, and no two are the same."""
    found: list[str] = []
    for number, name in enumerate(told, 1):
        seen = (" " if unicodedata.category(each)[0] in "CZ" else each for each in name)
        word = "_".join("".join(seen).translate(GRAMMAR).split()) or f"player_{number}"
        found.append(word if word not in found else f"{word}_{number}")
    if len(set(found)) < len(found):  # `ann_2` was there already
        found = [f"{name}_{number}" for number, name in enumerate(found, 1)]
    return found
