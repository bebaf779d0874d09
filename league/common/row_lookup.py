"""A row that is looked up over and over, with the rows beside it: its SQL is made once.

The ORM makes the SQL of a query anew each time, which takes it ten times as long as the database
takes to find one row. Here the query is written as ever, with a `Given` for each value that is
known only when it is asked, and its rows are made into models as the ORM does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

from league.common.statements import filled_in
from ledger.sql import prepared

Row = TypeVar("Row", bound=Model)
_POPULATORS: Any = get_related_populators  # what stubs of another Django say of it is not so here


@dataclass(frozen=True, slots=True)
class _Compiled:
    """What a database is sent, and how its columns become a row and those beside it."""

    sql: str
    values: Sequence[Any]
    converted: Sequence[tuple[int, Any, Sequence[Any]]]  # place, expression, what converts it
    model: type[Model]
    fields: Sequence[str]
    span: slice
    beside: Sequence[Any]  # as Django fills rows that are selected with others
    annotated: Sequence[tuple[str, int]]


class RowLookup(Generic[Row]):
    """Finds one row by values that are given by name."""

    def __init__(self, rows: "QuerySet[Row]") -> None:
        self.query = rows.order_by()[:1]

    def first(self, **given: Any) -> Row | None:
        """Return the row, with what it selects and annotates; None where there is none."""
        connection = connections[self.query.db]
        made = self._compiled(connection)
        with prepared(connection.alias) as cursor:
            cursor.execute(made.sql, filled_in(made.values, given, connection))
            found = cursor.fetchone()
        return None if found is None else self._row(made, list(found), connection)

    def _row(self, made: _Compiled, columns: list[Any], connection: Any) -> Row:
        for place, expression, converters in made.converted:
            for convert in converters:
                columns[place] = convert(columns[place], expression, connection)
        row: Any = made.model.from_db(connection.alias, made.fields, columns[made.span])
        for populator in made.beside:
            populator.populate(columns, row)
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
        info, columns = compiler.klass_info, [each for each, *_ in compiler.select]
        places = info["select_fields"]
        converted = compiler.get_converters(columns).items()
        return _Compiled(
            sql=sql,
            values=values,
            converted=[(at, column, converters) for at, (converters, column) in converted],
            model=info["model"],
            fields=[columns[place].target.attname for place in places],
            span=slice(places[0], places[-1] + 1),
            beside=_POPULATORS(info, compiler.select, connection.alias),
            annotated=tuple(compiler.annotation_col_map.items()),
        )
