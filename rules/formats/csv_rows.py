"""The rows of a CSV text by the names of its columns, at a cost that grows with its length alone.

Cells are separated by commas, semicolons, tabs or bars: by what is most frequent in the first line,
or by what Excel's line `sep=;` names.

`csv.DictReader` fills every row up to the length of the first: a first line of many commas before
many short rows costs their product.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

DELIMITERS = ",;\t|"
NAMED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the line on which it ends, its cells as they stand there and by their columns."""

    line: int
    cells: list[str]
    by_column: dict[str, str]
    columns: list[str]

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


def rows(text: str) -> Iterator[Row]:
    """The rows below the first, which names the columns. Raises Unreadable."""
    delimiter, skipped = delimiter_of(text), NAMED.match(text.removeprefix("\ufeff"))
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter)
    columns: list[str] | None = None
    try:
        for cells in reader:
            if skipped and reader.line_num == 1:
                continue
            if columns is None and cells:
                columns = [name.strip().lower() for name in cells]
            elif columns is not None and cells:
                named = dict(zip(columns, cells, strict=False))
                yield Row(reader.line_num, cells, named, columns)
    except csv.Error:
        raise Unreadable(reader.line_num) from None
