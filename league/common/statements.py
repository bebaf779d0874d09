"""Queries of the ORM whose SQL is made once, for what is asked over and over.

To make its SQL takes the ORM several times as long as the database takes to answer. Here a query
is written as ever, with a `Given` wherever a value stands that is known only when it is sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.db.models import BigIntegerField, BooleanField, Expression, Field, Func, QuerySet
from django.db.models.expressions import Combinable

from ledger.asked import Asked

MOST = "most"
Row = tuple[Any, ...]


class Given(Expression):
    """A value that is given by this name when the query is sent, as this field holds one."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]


def filled_in(values: Sequence[Any], given: Mapping[str, Any], connection: Any) -> list[Any]:
    """Return the values of a query, each `Given` as the database takes what is given for it."""
    return [
        each.output_field.get_db_prep_value(given[each.name], connection)
        if isinstance(each, Given)
        else each
        for each in values
    ]


class AnyOf(Func):
    """The condition that a column is one of the whole numbers that are given as a list."""

    output_field = BooleanField()

    def __init__(self, column: str, name: str) -> None:
        super().__init__(column, Given(name, _Integers()))

    def as_sqlite(self, compiler: Any, connection: Any, **_: Any) -> Any:
        joined = " IN (SELECT value FROM json_each("
        return self.as_sql(compiler, connection, template="%(expressions)s))", arg_joiner=joined)

    def as_postgresql(self, compiler: Any, connection: Any, **_: Any) -> Any:
        listed = "%(expressions)s::bigint[])"
        return self.as_sql(compiler, connection, template=listed, arg_joiner=" = ANY(")


class _Integers(BigIntegerField):  # type: ignore[type-arg]  # takes none when it runs
    """Whole numbers as a database takes many of them as one value."""

    def get_db_prep_value(self, value: Any, connection: Any, *_: Any, **__: Any) -> Any:
        return list(value) if connection.vendor == "postgresql" else str(list(value))


@dataclass(frozen=True, slots=True)
class _Compiled:
    """SQL with its values, some of them `Given`; the columns that are converted, by place."""

    sql: str
    values: Sequence[Any]
    converted: Sequence[tuple[int, Any]]


class Statement:
    """The columns of a query, whose SQL is made when it is first sent: one for each database.

    `limited`: no more rows come than `most`, which is given too.
    """

    def __init__(
        self, rows: "QuerySet[Any, Any]", *columns: str | Combinable, limited: bool = False
    ) -> None:
        self.query, self.limited = rows.values_list(*columns), limited
        self.compiled: dict[str, _Compiled] = {}

    def rows(self, **given: Any) -> list[Row]:
        """Return the rows; `given` are the values by name."""
        database = self.query.db
        made = self.compiled.get(database) or self._compile(database)
        connection = connections[database]
        found = Asked(made.sql, filled_in(made.values, given, connection), connection).rows()
        return _converted(found, made.converted, connection)

    def _compile(self, database: str) -> _Compiled:
        compiler = self.query.query.get_compiler(database)
        sql, values = compiler.as_sql()
        if self.limited:
            sql, values = f"{sql} LIMIT %s", [*values, Given(MOST, BigIntegerField())]
        columns = [expression for expression, *_ in compiler.select]
        converted = [(at, columns[at]) for at in compiler.get_converters(columns)]
        return self.compiled.setdefault(database, _Compiled(sql, values, converted))


def _converted(rows: list[Row], columns: Sequence[tuple[int, Any]], connection: Any) -> list[Row]:
    """Return the rows with what the database has no type for: of equal values, one is converted.

    Column by column: most of them hold the same few values over and over.
    """
    if not (rows and columns):
        return rows
    found: list[Any] = list(zip(*rows, strict=True))
    for at, column in columns:
        converters = connection.ops.get_db_converters(column)
        converters += column.get_db_converters(connection)
        known = {value: value for value in found[at]}
        for convert in converters:
            known = {value: convert(old, column, connection) for value, old in known.items()}
        found[at] = map(known.__getitem__, found[at])
    return list(zip(*found, strict=True))
