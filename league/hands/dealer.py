"""Who dealt a hand, read from the JSON of its revision."""

from typing import Any

from django.db.models import F, Func, QuerySet, TextField

from league.models import Revision


def with_dealer(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Return the revisions with `dealer`, the id of the player who dealt, as text."""
    return revisions.annotate(dealer=_Dealer())


class _Dealer(Func):
    """What `names` says of the player at the button of the record."""

    output_field = TextField()

    def __init__(self) -> None:
        super().__init__(F("names"), F("record"))

    def as_sqlite(self, compiler: Any, connection: Any, **_: Any) -> Any:
        return self._sql(
            compiler,
            "(SELECT each.value FROM json_each({names}) each WHERE each.key = json_extract("
            "{record}, '$.players[' || json_extract({record}, '$.button') || '].name'))",
        )

    def as_postgresql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        name = "{record} -> 'players' -> CAST({record} ->> 'button' AS integer) ->> 'name'"
        return self._sql(compiler, f"({{names}} ->> ({name}))")

    def _sql(self, compiler: Any, template: str) -> tuple[str, list[Any]]:
        names, record = (compiler.compile(each)[0] for each in self.get_source_expressions())
        return template.format(names=names, record=record), []
