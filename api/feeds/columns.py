"""The columns of a feed: what each is called, where it is read, how it is written."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, cast

from rest_framework import serializers

from api.http.fields import OutputSerializer

Row = Sequence[Any]


def in_utc(at: datetime) -> str:
    """Return a time as ISO 8601 says it in UTC."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


class Kind(Enum):
    """What stands in a column: a field of JSON, and how a value of it is written as plain text."""

    ID = (serializers.UUIDField, str)
    TEXT = (serializers.CharField, str)
    INTEGER = (serializers.IntegerField, str)
    BOOLEAN = (serializers.BooleanField, lambda value: "true" if value else "false")
    TIME = (serializers.DateTimeField, in_utc)
    DATE = (serializers.DateField, str)

    def __init__(self, field: Any, plain: Callable[[Any], str]) -> None:
        self.field, self.plain = field, plain


@dataclass(frozen=True, slots=True)
class Column:
    """`source` is the way to it from the model that the feed reads; `empty`: it may be null."""

    name: str
    kind: Kind
    source: str = ""
    empty: bool = False
    note: str = ""


def sources(columns: Sequence[Column]) -> tuple[str, ...]:
    """Return where the columns are read."""
    return tuple(each.source or each.name for each in columns)


def written(
    columns: Sequence[Column], rows: Sequence[Row], write: Callable[[Kind, Any], str]
) -> Iterator[tuple[str, ...]]:
    """Return an iterator of the rows with each cell as text.

    What stands in a column many times, as a name or a game does, is written once.
    """
    cells = []
    for column, values in zip(columns, zip(*rows, strict=True), strict=bool(rows)):
        known = {value: write(column.kind, value) for value in set(values)}
        cells.append(map(known.__getitem__, values))
    return zip(*cells, strict=True)


def row_of(name: str, columns: Sequence[Column]) -> type[OutputSerializer]:
    """Return a serializer that tells of such a row, for the schema."""
    return type(name, (OutputSerializer,), {each.name: _field(each) for each in columns})


def _field(column: Column) -> serializers.Field[Any, Any, Any, Any]:
    field = column.kind.field(allow_null=column.empty, help_text=column.note or None)
    return cast(serializers.Field[Any, Any, Any, Any], field)
