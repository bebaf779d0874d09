"""The rows of a CSV text by the names of its columns, at a cost that grows with its length alone.

Cells are separated by commas, semicolons, tabs or bars: by what is most frequent in the first line,
or by what Excel's line `sep=;` names.

`csv.DictReader` fills every row up to the length of the first: a first line of many commas before
many short rows costs their product.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

DELIMITERS = ",;\t|"
NAMED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the line on which it ends, its cells as they stand there and by their columns.

    `start` and `end` are its place in the text behind a byte order mark; `row_at` reads it again.
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


class Unreadable(Exception):
    """From this line on the text is no CSV."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def delimiter_of(text: str) -> str:
    """Return what separates the cells of a text."""
    text = text.removeprefix("\ufeff")
    named = NAMED.match(text)
    if named and named[1] in DELIMITERS:
        return named[1]
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(DELIMITERS, key=first.count)


def lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends, without a copy of the whole text."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def rows(text: str) -> Iterator[Row]:
    """The rows below the first, which names the columns. Raises Unreadable."""
    text = text.removeprefix("\ufeff")
    skipped = NAMED.match(text)
    start = end = 0

    def counted() -> Iterator[str]:
        nonlocal end
        for line in lines(text):
            end += len(line)
            yield line

    reader = csv.reader(counted(), delimiter=delimiter_of(text))
    columns: list[str] | None = None
    try:
        for cells in reader:
            began, start = start, end
            if skipped and reader.line_num == 1:
                continue
            if columns is None and cells:
                columns = [name.strip().lower() for name in cells]
            elif columns is not None and cells:
                named = dict(zip(columns, cells, strict=False))
                yield Row(reader.line_num, cells, named, columns, began, end)
    except csv.Error:
        raise Unreadable(reader.line_num) from None


def row_at(text: str, row: slice, columns: Sequence[str], delimiter: str) -> dict[str, str]:
    """Return a row that `rows` found at this place of the text, by its columns."""
    [cells] = csv.reader(lines(text[row]), delimiter=delimiter)
    return dict(zip(columns, cells, strict=False))
