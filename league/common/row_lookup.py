"""A row that is looked up over and over, with the rows beside it: its SQL is made once.

The ORM makes the SQL of a query anew each time, which takes it ten times as long as the database
takes to find one row. Here the query is written as ever, with a `Given` for each value that is
known only when it is asked, and its rows are made into models as the ORM does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Model, QuerySet

from league.common.statements import filled_in
from ledger.asked import Asked
from ledger.rows import row_of

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class _Part:
    """The columns of one row among those of a look-up, and the rows that are found beside it."""

    model: type[Model]
    fields: Sequence[str]
    span: slice
    key: int  # the place of its own key; where that is null, there is no such row
    join: Any  # what is told that the row before has this one beside it, and the other way round
    join_back: Any
    beside: Sequence["_Part"]

    def row(self, columns: Sequence[Any], database: str) -> Any:
        row: Any = row_of(self.model, self.fields, columns[self.span], database)
        for part in self.beside:
            other = None if columns[part.key] is None else part.row(columns, database)
            part.join(row, other)
            if other is not None:
                part.join_back(other, row)
        return row


@dataclass(frozen=True, slots=True)
class _Compiled:
    """What a database is sent, and how its columns become a row and those beside it."""

    sql: str
    values: Sequence[Any]
    converted: Sequence[tuple[int, Any, Sequence[Any]]]  # place, expression, what converts it
    part: _Part
    annotated: Sequence[tuple[str, int]]


class RowLookup(Generic[Row]):
    """Finds one row by values that are given by name."""

    def __init__(self, rows: "QuerySet[Row]") -> None:
        self.query = rows.order_by()[:1]

    def first(self, **given: Any) -> Row | None:
        """Return the row, with what it selects and annotates; None where there is none."""
        connection = connections[self.query.db]
        made = self._compiled(connection)
        values = filled_in(made.values, given, connection)
        found = Asked(made.sql, values, connection).rows()
        return self._row(made, list(found[0]), connection) if found else None

    def _row(self, made: _Compiled, columns: list[Any], connection: Any) -> Row:
        for place, expression, converters in made.converted:
            for convert in converters:
                columns[place] = convert(columns[place], expression, connection)
        row = made.part.row(columns, connection.alias)
        for name, place in made.annotated:
            setattr(row, name, columns[place])
        return row  # type: ignore[no-any-return]

    def _compiled(self, connection: Any) -> _Compiled:
        # With the connection, which is of one thread: what converts its columns belongs to it.
        known: dict[RowLookup[Row], _Compiled] = vars(connection).setdefault("row_lookups", {})
        return known.get(self) or known.setdefault(self, self._compile(connection))

    def _compile(self, connection: Any) -> _Compiled:
        compiler: Any = self.query.query.get_compiler(connection.alias)
        sql, values = compiler.as_sql()
        columns = [each for each, *_ in compiler.select]
        converted = compiler.get_converters(columns).items()
        return _Compiled(
            sql=sql,
            values=values,
            converted=[(at, column, converters) for at, (converters, column) in converted],
            part=_part(compiler.klass_info, columns),
            annotated=tuple(compiler.annotation_col_map.items()),
        )


def _part(info: Mapping[str, Any], columns: Sequence[Any]) -> _Part:
    """Return how the ORM would take a row, and those selected with it, from the columns."""
    places, model = info["select_fields"], info["model"]
    names = [columns[place].target.attname for place in places]
    return _Part(
        model=model,
        fields=names,
        span=slice(places[0], places[-1] + 1),
        key=places[names.index(model._meta.pk.attname)],  # noqa: SLF001 (made to be read)
        join=info.get("local_setter"),
        join_back=info.get("remote_setter"),
        beside=[_part(each, columns) for each in info.get("related_klass_infos", ())],
    )
