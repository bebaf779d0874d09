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
    """What stands in a column: a field of JSON, and how a value of the database becomes one."""

    ID = (serializers.UUIDField, str)
    TEXT = (serializers.CharField, None)
    INTEGER = (serializers.IntegerField, None)
    BOOLEAN = (serializers.BooleanField, bool)
    TIME = (serializers.DateTimeField, in_utc)
    DATE = (serializers.DateField, str)

    def __init__(self, field: Any, written: Callable[[Any], Any] | None) -> None:
        self.field, self.written = field, written


@dataclass(frozen=True, slots=True)
class Column:
    """`source` is the way to it from the model that the feed reads; `empty`: it may be null."""

    name: str
    kind: Kind
    source: str = ""
    empty: bool = False
    note: str = ""


def sources(columns: Sequence[Column]) -> list[str]:
    """Return where the columns are read."""
    return [each.source or each.name for each in columns]


def written(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[list[Any]]:
    """Yield the rows as JSON has them: ids and times as text."""
    changes = [
        (place, each.kind.written) for place, each in enumerate(columns) if each.kind.written
    ]
    for row in rows:
        cells = list(row)
        for place, change in changes:
            if cells[place] is not None:
                cells[place] = change(cells[place])
        yield cells


def row_of(name: str, columns: Sequence[Column]) -> type[OutputSerializer]:
    """Return a serializer that tells of such a row, for the schema."""
    return type(name, (OutputSerializer,), {each.name: _field(each) for each in columns})


def _field(column: Column) -> serializers.Field[Any, Any, Any, Any]:
    field = column.kind.field(allow_null=column.empty, help_text=column.note or None)
    return cast(serializers.Field[Any, Any, Any, Any], field)
