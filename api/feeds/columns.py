"""Feed columns: their names, sources and formats."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from itertools import repeat
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast
from rest_framework import serializers

from api.http.fields import OutputSerializer

Row = Sequence[Any]


def in_utc(at: datetime) -> str:
    """Return a time as ISO 8601 in UTC."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def dashed(key: object) -> str:
    """Return an id as text with dashes. SQLite stores ids without dashes."""
    text = str(key)
    if "-" in text:
        return text
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


class Kind(Enum):
    """A column's type, expressed as a JSON field type."""

    ID = serializers.UUIDField
    TEXT = serializers.CharField
    INTEGER = serializers.IntegerField
    BOOLEAN = serializers.BooleanField
    TIME = serializers.DateTimeField
    DATE = serializers.DateField


Writer = Callable[[Any], str]
# Functions that format a value, by column kind.
Writers = Mapping[Kind, Writer]
PLAIN: Writers = {
    Kind.ID: dashed,
    Kind.TEXT: str,
    Kind.INTEGER: str,
    Kind.BOOLEAN: {True: "true", False: "false"}.__getitem__,
    Kind.TIME: in_utc,
    Kind.DATE: str,
}


EXAMPLES: Mapping[Kind, str | int | bool] = {
    Kind.ID: "3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11",
    Kind.TEXT: "",
    Kind.INTEGER: 0,
    Kind.BOOLEAN: True,
    Kind.TIME: "2026-03-05T20:15:00Z",
    Kind.DATE: "2026-03-05",
}


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A feed column.

    `source` is its path from the feed's model. `empty` is true if values can be null. `note`
    describes the column, `unit` is the unit of its numbers, and `example` is a JSON value. Ids,
    times, dates and flags have default examples. Columns are compared by identity, which makes
    looking up a statement by its columns fast.
    """

    name: str
    kind: Kind
    source: str = ""
    empty: bool = False
    note: str = ""
    unit: str = ""
    example: str | int | bool | None = None

    @property
    def shown(self) -> str | int | bool:
        """Return an example as a JSON value."""
        return EXAMPLES[self.kind] if self.example is None else self.example

    @property
    def meaning(self) -> str:
        """Return the description with the unit."""
        return f"{self.note} ({self.unit})" if self.unit else self.note


# Columns shared by several feeds.
SEASON = Column("season", Kind.ID, "season_id", note="the season")
SEASON_NAME = Column(
    "season_name", Kind.TEXT, "season__name", note="current name", example="Spring 2026"
)
NIGHT = Column("night", Kind.ID, "night_id", note="the night")
NIGHT_NUMBER = Column(
    "night_number",
    Kind.INTEGER,
    "night__number",
    note="number of the night in its season",
    unit="number",
    example=3,
)
PLAYER = Column("player", Kind.ID, "player_id", note="the player")
PLAYER_NAME = Column("player_name", Kind.TEXT, "player__name", note="current name", example="Ann")
GAME = Column("game", Kind.TEXT, note="slug of the game", example="middlemost")
GAME_TITLE = Column(
    "game_name",
    Kind.TEXT,
    "game",  # the feed replaces the slug with the title
    note="title of the version dealt last",
    example="Middlemost",
)


def sources(columns: Sequence[Column]) -> Iterator[str | Cast]:
    """Yield the sources of the columns. Ids are read as text, because building UUIDs is slow."""
    for column in columns:
        source = column.source or column.name
        yield Cast(source, TextField()) if column.kind is Kind.ID else source


def written(
    columns: Sequence[Column], rows: Sequence[Row], writer: Callable[[Column], Writer]
) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row as text. A row can have more values than there are `columns`.

    A value that is repeated in a column, such as a name, is converted only once.
    """
    if not columns:
        return repeat((), len(rows))
    cells = []
    for column, values in zip(columns, zip(*rows, strict=True), strict=False):
        write = writer(column)
        known = {value: write(value) for value in set(values)}
        cells.append(map(known.__getitem__, values))
    return zip(*cells, strict=True)


def row_of(name: str, columns: Sequence[Column]) -> type[OutputSerializer]:
    """Return the serializer that describes a row in the schema."""
    fields = {
        column.name: column.kind.value(allow_null=column.empty, help_text=column.meaning)
        for column in columns
    }
    return type(name, (OutputSerializer,), fields)
