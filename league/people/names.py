"""All names of a league in one text, which is another as soon as one of them changes."""

from typing import Any

from django.db.models import F, Func, TextField
from django.db.models.expressions import Combinable


def names_of(league: str) -> Combinable:
    """Return the names of the people and seasons of the league that is this field of a row."""
    return _Names(F(league))


class _Names(Func):
    output_field = TextField()
    template = """(SELECT %(function)s(each.line, ',') FROM (
        SELECT CAST(id AS text) || name AS line FROM league_player WHERE league_id = %(at)s
        UNION ALL SELECT CAST(id AS text) || name FROM league_season WHERE league_id = %(at)s
        ORDER BY 1) each)"""

    def as_sqlite(self, compiler: Any, connection: Any, **_: Any) -> Any:
        return self._sql(compiler, "group_concat")

    def as_postgresql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        return self._sql(compiler, "string_agg")

    def _sql(self, compiler: Any, function: str) -> tuple[str, list[Any]]:
        [at] = self.get_source_expressions()
        return self.template % {"function": function, "at": compiler.compile(at)[0]}, []
