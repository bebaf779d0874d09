"""ORM queries that are compiled to SQL once, for frequent requests.

The ORM takes several times as long to build a query's SQL as the database takes to run it. A
statement is a normal ORM query, with a `Given` in place of each value that is known only when the
query runs (docs/decisions/0067-plain-statements.md).
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Expression,
    Field,
    Func,
    Model,
    QuerySet,
)
from django.db.models.expressions import Combinable
from django.db.models.query import get_related_populators

from ledger.sql import Row, query

__all__ = ["MOST", "AnyOf", "Given", "Row", "RowLookup", "RowQuery", "Statement"]

MOST = "most"
T = TypeVar("T", bound=Model)


class Given(Expression):
    """A placeholder for a value that is passed by name when the query runs.

    `field` converts the value.
    """

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]

    def get_group_by_cols(self) -> list[Any]:
        return []  # a constant, as in `Value`


class AnyOf(Func):
    """The condition that a column is in a list of whole numbers, which is passed by name."""

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
    """A list of whole numbers, converted to a single query parameter."""

    def get_db_prep_value(self, value: Any, connection: Any, *_: Any, **__: Any) -> Any:
        return list(value) if connection.vendor == "postgresql" else str(list(value))


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A query's SQL for one database, with its parameters and the columns to convert."""

    sql: str
    values: Sequence[Any]
    converted: Sequence[tuple[int, Any]]
    select: Sequence[Any]
    klass_info: Any
    annotations: Mapping[str, int]

    def rows(self, given: Mapping[str, Any], database: str) -> list[Row]:
        connection = connections[database]
        values = [
            value.output_field.get_db_prep_value(given[value.name], connection)
            if isinstance(value, Given)
            else value
            for value in self.values
        ]
        rows = query(self.sql, values, database)
        if not (rows and self.converted):
            return rows
        # Convert values of types that the database lacks, such as UUIDs. Equal values in a column
        # are converted once, because most columns contain only a few different values.
        columns: list[Any] = list(zip(*rows, strict=True))
        for at, column in self.converted:
            converters = connection.ops.get_db_converters(column)
            converters += column.get_db_converters(connection)
            converted = {value: value for value in columns[at]}
            for convert in converters:
                converted = {
                    value: convert(old, column, connection) for value, old in converted.items()
                }
            columns[at] = map(converted.__getitem__, columns[at])
        return list(zip(*columns, strict=True))


_compiling = threading.Lock()


def _compile(rows: "QuerySet[Any, Any]", *, limited: bool = False) -> _Compiled:
    compiler: Any = rows.query.get_compiler(rows.db)
    # Compiling changes the query for a moment. Two threads at once would produce invalid SQL, which
    # would stay in use.
    with _compiling:
        sql, values = compiler.as_sql()
    if limited:
        sql, values = f"{sql} LIMIT %s", [*values, Given(MOST, BigIntegerField())]
    columns = [expression for expression, *_ in compiler.select]
    return _Compiled(
        sql=sql,
        values=values,
        converted=[(at, columns[at]) for at in compiler.get_converters(columns)],
        select=compiler.select,
        klass_info=compiler.klass_info,
        annotations=compiler.annotation_col_map,
    )


class Statement:
    """A query that returns tuples of columns.

    If it is `limited`, the value `most` is the maximum number of rows.
    """

    def __init__(
        self, rows: "QuerySet[Any, Any]", *columns: str | Combinable, limited: bool = False
    ) -> None:
        self.query, self.limited = rows.values_list(*columns), limited
        self.compiled: dict[str, _Compiled] = {}

    def rows(self, **given: Any) -> list[Row]:
        """Return the rows. `given` contains the values by name."""
        database = self.query.db
        if database not in self.compiled:
            self.compiled[database] = _compile(self.query, limited=self.limited)
        return self.compiled[database].rows(given, database)


class RowQuery(Generic[T]):
    """A query that returns model instances, with the related rows that it selects."""

    def __init__(self, rows: "QuerySet[T]") -> None:
        self.query = rows
        self.compiled: dict[str, _Compiled] = {}

    def all(self, **given: Any) -> list[T]:
        """Return the instances. `given` contains the values by name."""
        database = self.query.db
        if database not in self.compiled:
            self.compiled[database] = _compile(self.query)
        compiled = self.compiled[database]
        if not (rows := compiled.rows(given, database)):
            return []
        # The same steps as in Django's django.db.models.query.ModelIterable.
        select, places = compiled.select, compiled.klass_info["select_fields"]
        fields = [select[place][0].target.attname for place in places]
        model: type[T] = compiled.klass_info["model"]
        populators = get_related_populators(compiled.klass_info, select, database)  # type: ignore[call-arg]
        instances = []
        for columns in rows:
            instance = model.from_db(database, fields, columns[places[0] : places[-1] + 1])
            for populator in populators:
                populator.populate(columns, instance)
            for name, place in compiled.annotations.items():
                setattr(instance, name, columns[place])
            instances.append(instance)
        return instances

    def first(self, **given: Any) -> T | None:
        """Return the first instance or None. The query should be limited to one row."""
        return next(iter(self.all(**given)), None)


class RowLookup(RowQuery[T]):
    """A query that returns one model instance, with the related rows that it selects."""

    def __init__(self, rows: "QuerySet[T]") -> None:
        super().__init__(rows.order_by()[:1])
