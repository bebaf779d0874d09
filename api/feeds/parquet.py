"""A feed as a Parquet file: typed columns with descriptions, and rows in groups.

The optional extra `data` installs pyarrow (40 MB). It is imported when the first file is written.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from api.feeds.columns import Column, Kind, dashed
from api.feeds.row_feed import Feed, Page

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = "application/vnd.apache.parquet"
# Rows per row group. The writer holds one group in memory, and readers can skip groups using their
# statistics.
GROUP = 20_000
MISSING = "Parquet files require the package pyarrow, which isn't installed on this service."


def is_there() -> bool:
    """Return whether the package required for Parquet files is installed."""
    return find_spec("pyarrow") is not None


def write(file: IO[bytes], feed: Feed, columns: Sequence[Column], pages: Iterable[Page]) -> None:
    from pyarrow import RecordBatch  # noqa: PLC0415 (optional dependency)
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    schema = schema_of(feed, columns)
    with ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(columns, pages):
            writer.write_batch(RecordBatch.from_pydict(group, schema), row_group_size=GROUP)


def schema_of(feed: Feed, columns: Sequence[Column]) -> "pa.Schema":
    """Return the column types. The metadata describes each column and the file."""
    import pyarrow as pa  # noqa: PLC0415

    types = {
        Kind.ID: pa.string(),  # few readers support Parquet's own UUID type
        Kind.TEXT: pa.string(),
        Kind.INTEGER: pa.int64(),
        Kind.BOOLEAN: pa.bool_(),
        Kind.TIME: pa.timestamp("us", tz="UTC"),
        Kind.DATE: pa.date32(),
    }
    fields = [
        pa.field(
            column.name,
            types[column.kind],
            nullable=column.empty,
            metadata={"meaning": column.note, "unit": column.unit, "example": str(column.shown)},
        )
        for column in columns
    ]
    meanings = {column.name: column.meaning for column in columns}
    about = {"feed": feed.name, "summary": feed.summary, "columns": json.dumps(meanings)}
    return pa.schema(fields, metadata=about)


def _groups(columns: Sequence[Column], pages: Iterable[Page]) -> Iterator[dict[str, list[Any]]]:
    """Yield groups of at least `GROUP` rows, as lists of values per column. Pages are not split."""
    group: dict[str, list[Any]] = {column.name: [] for column in columns}
    rows = 0
    for page in pages:
        places = list(page.places) if page.shared else []
        for number, column in enumerate(columns):
            if number < page.shared:
                heads = [row[number] for row in page.heads]
                cells = [heads[place] for place in places]
            else:
                cells = [row[number - page.shared] for row in page.rows]
            group[column.name] += map(dashed, cells) if column.kind is Kind.ID else cells
        rows += len(page.rows)
        if rows >= GROUP:
            yield group
            group, rows = {name: [] for name in group}, 0
    if rows:
        yield group


def rows_of(file: Path) -> int:
    from pyarrow.parquet import read_metadata  # noqa: PLC0415

    return int(read_metadata(file).num_rows)
