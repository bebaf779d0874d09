"""Decode text and CSV files in any encoding, and identify files in unsupported formats."""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.errors import Problem

MARKS = (  # UTF-32 comes first, because its byte order mark starts with the UTF-16 mark
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
READ = (
    "hands exported from Dealer's Choice, PokerNow logs and ledgers, PokerStars text, "
    "PHH (.phh, .phhs), Open Hand History and tables of past nights (CSV)"
)
SPREADSHEET = "a spreadsheet"
LONGEST_START = 4_000  # number of characters to search for patterns
LONGEST_HAND = 200_000  # maximum number of characters of a hand as JSON or TOML
MOST_UNREAD = 1_000  # maximum number of unreadable lines that are listed
BINARY = (
    (b"PK\x03\x04", "a spreadsheet or another packed file: save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file: save it as CSV"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"\x1f\x8b", "a packed file: unpack it"),
)
# patterns for the start of a file, each with the kind of file it identifies; the first match wins
KINDS = {
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
    re.compile(r"(?m)^[^\S\n]*+[{\[]"): "JSON of another program",
    re.compile(r"(?m)^[^\n]*(?:[,;\t|][^\n]*){2}"): SPREADSHEET,
}


NOT_UNDERSTOOD = "this line is not understood"
LONGEST_QUOTE = 200


def quoting(reason: str, text: str) -> str:
    """Return a reason with the line of the file that it is about, if any."""
    return f"{reason}: “{text[:LONGEST_QUOTE]}”" if text else reason


def unread(place: int, reason: str, text: str = "") -> str:
    """Return the text for an unreadable line. The text at place MOST_UNREAD is for all others."""
    return quoting(reason, text) if place < MOST_UNREAD else "more lines can't be read"


def read_bytes(content: bytes) -> tuple[str, Problem | None]:
    """Return the text of a file, or "" and a problem if the file is not text.

    A byte order mark determines the encoding. A file without a mark is read as UTF-8, or else as
    Windows-1252, which old programs write.
    """
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace").removeprefix("\ufeff"), None
    for start, kind in BINARY:
        if content.startswith(start):
            return "", unknown_file(kind)
    if b"\0" in content[:LONGEST_START]:
        return "", unknown_file("binary data")
    try:
        return content.decode(), None
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace"), None


def unknown_file(kind: str, first_row: str = "") -> Problem:
    """Return the problem for a file in an unsupported format."""
    looks = f"This looks like {kind}." if kind else "The format of this file is unknown."
    if kind == SPREADSHEET:
        looks = (
            f"This looks like a spreadsheet whose first row is “{first_row}”. For past nights, the "
            "first row must be date, player, buy-in and cash-out, or date, player and result."
        )
    return Problem("", "unknown-format", f"{looks} You can import {READ}.")


def unknown_text(text: str) -> Problem:
    """Return the problem for text in an unsupported format."""
    start = text[:LONGEST_START].lstrip()
    kinds = (kind for pattern, kind in KINDS.items() if pattern.search(start))
    first_row = start.partition("\n")[0].strip()[:LONGEST_QUOTE]
    return unknown_file(next(kinds, "" if start else "an empty file"), first_row)


# The rows of a CSV text, keyed by column name and read in linear time. Cells are separated by
# commas, semicolons, tabs or bars. The separator is the one in Excel's line `sep=;`, or otherwise
# the most frequent one in the first line. `csv.DictReader` extends every row to the length of the
# first one, which takes quadratic time if many short rows follow a long first line.


DELIMITERS = ",;\t|"
# These limits restrict the memory that a file needs.
MOST_COLUMNS = 100  # after which only empty columns may follow, as in Excel's files
LONGEST_ROW = 100_000  # characters
NAMED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its last line, its raw cells, and its cells keyed by column.

    `start` and `end` are its position in the text after a byte order mark. `row_at` reads the row
    again.
    """

    line: int
    cells: list[str]
    by_column: dict[str, str]
    columns: list[str]
    start: int
    end: int

    @property
    def text(self) -> str:
        return ",".join(self.cells)

    def quoted(self, text: str) -> str:
        """Return the start of the row as it is in the text, which has no byte order mark."""
        return text[self.start : min(self.end, self.start + LONGEST_QUOTE)].rstrip("\r\n")


class CsvError(Exception):
    """The text can't be read as CSV from `line` on."""

    def __init__(self, line: int, text: str = "the rest of the file is not CSV") -> None:
        super().__init__(text)
        self.line = line


def delimiter_of(text: str) -> str:
    """Return the character that separates the cells of a CSV text."""
    text = text.removeprefix("\ufeff")
    named = NAMED.match(text)
    if named and named[1] in DELIMITERS:
        return named[1]
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(DELIMITERS, key=first.count)


def header(text: str) -> list[str]:
    """Return the names of the columns of a CSV text, in lower case."""
    start = text.removeprefix("\ufeff")[:LONGEST_START]
    named = NAMED.match(start)
    first = (start[named.end() :] if named else start).lstrip("\r\n").partition("\n")[0]
    try:
        cells = next(csv.reader([first], delimiter=delimiter_of(start)), [])
    except csv.Error:
        return []
    return [name.strip().lower() for name in cells]


def lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their line ends, without copying the whole text."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def rows(text: str) -> Iterator[Row]:
    """Yield the rows after the header row. Raises CsvError."""
    text = text.removeprefix("\ufeff")
    skipped = NAMED.match(text)
    start = end = 0

    def counted() -> Iterator[str]:
        nonlocal end
        for line in lines(text):
            end += len(line)
            if end - start > LONGEST_ROW:
                why = f"a row has more than {LONGEST_ROW:,} characters"
                raise CsvError(reader.line_num + 1, why)
            yield line

    reader = csv.reader(counted(), delimiter=delimiter_of(text))
    columns: list[str] | None = None
    try:
        for cells in reader:
            began, start = start, end
            if skipped and reader.line_num == 1:
                continue
            if columns is None and cells:
                columns = _column_names(cells, reader.line_num)
            elif columns is not None and cells:
                named = dict(zip(columns, cells, strict=False))
                yield Row(reader.line_num, cells, named, columns, began, end)
    except csv.Error:
        raise CsvError(reader.line_num) from None


def _column_names(cells: Sequence[str], line: int) -> list[str]:
    columns = [name.strip().lower() for name in cells]
    while columns and not columns[-1]:
        columns.pop()
    if len(columns) > MOST_COLUMNS:
        raise CsvError(line, f"the table has more than {MOST_COLUMNS} columns")
    return columns


def row_at(text: str, row: slice, columns: Sequence[str], delimiter: str) -> dict[str, str]:
    """Return the row at a position in the text, as cells keyed by column."""
    [cells] = csv.reader(lines(text[row]), delimiter=delimiter)
    return dict(zip(columns, cells, strict=False))
