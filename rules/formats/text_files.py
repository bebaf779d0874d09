"""Text of files in any encoding, and what a file is that none of the formats reads."""

import codecs
import re

from rules.errors import Problem

MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
READ = (
    "hands of this service, PokerNow logs and ledgers, PokerStars text, PHH (.phh, .phhs) "
    "and Open Hand History"
)
LONGEST_START = 4_000  # characters in which a file's kind is looked for
BINARY = (
    (b"PK\x03\x04", "a spreadsheet or another packed file: save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file: save it as CSV"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"\x1f\x8b", "a packed file: unpack it"),
)
KINDS = {  # a word of the file's start, and what it looks like: the first one that is found
    re.compile(r"(?m)^Winamax Poker"): "a hand history of Winamax",
    re.compile(r"(?m)888poker|^\*{5} .*\b888"): "a hand history of 888poker",
    re.compile(r"(?m)^Poker Hand #(?:RC|HD|TM|OM|SG|T\d)"): "a hand history of GGPoker",
    re.compile(r"(?m)^Full Tilt Poker"): "a hand history of Full Tilt Poker",
    re.compile(
        r"(?m)^\*{5} Hand History for Game|^Game #\d+ starts"
    ): "a hand history of partypoker",
    re.compile(r"(?m)^#Game No : "): "a hand history of 888poker or a partner room",
    re.compile(r"(?m)^(?:Ignition|Bovada|Bodog) Hand #"): "a hand history of Bovada",
    re.compile(r"(?m)^Game Hand #|^Hand #\d+ - "): "a hand history of Winning Poker",
    re.compile(r"(?m)<session\b|<game gamecode="): "a hand history of iPoker (XML)",
    re.compile(r"(?m)<HandHistory|<html|<!DOCTYPE"): "a web page or XML",
    re.compile(r"(?m)^PokerStars Tournament #"): "a tournament summary, which has no hands",
    re.compile(r"(?m)^(?:Date,Description,Category,Cost,Currency)"): "an export of Splitwise",
    re.compile(
        r"(?m)^(?:variant|actions|antes|blinds_or_straddles)\s*="
    ): "PHH, whose name ends in .phh",
    re.compile(r"(?m)^\s*[{\[]"): "JSON of another program",
    re.compile(r"(?m)^[^\n]*(?:[,;\t|][^\n]*){2}"): "a spreadsheet",
}


def read_bytes(content: bytes) -> tuple[str, Problem | None]:
    """Return the text of a file; "" and the reason for what is no text.

    A byte order mark says what the encoding is. Without one it is UTF-8, or else Windows-1252, in
    which old programs write.
    """
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace").removeprefix("\ufeff"), None
    for start, kind in BINARY:
        if content.startswith(start):
            return "", unknown_file(kind)
    if b"\0" in content[:LONGEST_START]:
        return "", unknown_file("no text")
    try:
        return content.decode(), None
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace"), None


def unknown_file(kind: str) -> Problem:
    """Return the one sentence about a file that no format reads."""
    looks = f"This looks like {kind}. " if kind else "The format of this file is not known. "
    return Problem("", "unknown-format", f"{looks}Files that can be read are {READ}.")


def unknown_text(text: str) -> Problem:
    """Return the sentence about a text that no format reads."""
    start = text[:LONGEST_START].lstrip()
    found = (kind for pattern, kind in KINDS.items() if pattern.search(start))
    return unknown_file(next(found, "" if start else "an empty file"))
