"""The rows of a CSV text by the names of its columns, at a cost that grows with its length alone.

`csv.DictReader` fills every row up to the length of the first: a first line of many commas before
many short rows costs their product.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the line on which it ends, its cells as they stand there and by their columns."""

    line: int
    cells: list[str]
    by_column: dict[str, str]

    @property
    def text(self) -> str:
        return ",".join(self.cells)


class Unreadable(Exception):
    """From this line on the text is no CSV."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def rows(text: str) -> Iterator[Row]:
    """The rows below the first, which names the columns. Raises Unreadable."""
    reader = csv.reader(io.StringIO(text))
    columns: list[str] | None = None
    try:
        for cells in reader:
            if columns is None and cells:
                columns = cells
            elif columns is not None and cells:
                yield Row(reader.line_num, cells, dict(zip(columns, cells, strict=False)))
    except csv.Error:
        raise Unreadable(reader.line_num) from None
