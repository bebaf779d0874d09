"""Read stored records and return their final state, scenes and dealer."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Func, QuerySet, TextField

from league.games.lookup import replayable
from league.models import ConflictingRecord, Revision
from rules.api import final_record
from rules.presentation.playback import playback
from rules.presentation.scenes import Scene, replay

Record = Mapping[str, Any]


def record_at_the_end(revision: Revision | ConflictingRecord) -> Record:
    """Return a record of the hand's final state, with the cards that players held."""
    record: Record = revision.record
    if "actions" not in record:
        return record
    return end_of(replayable(revision)) | {"variant": record["variant"]}


def end_of(record: Record) -> dict[str, Any]:
    """Return a record of a hand history's final state.

    A record without actions is returned unchanged.
    """
    if "actions" not in record:
        return dict(record)
    return final_record(record)[0] or dict(record)


def scenes_of(revision: Revision) -> list[Scene]:
    """Return the hand's scenes.

    If the revision contains all actions, there is a scene for each action.
    """
    record = replayable(revision)
    if revision.depth == Revision.Depth.FULL:
        return playback(record, revision.answer).scenes
    return replay(record, revision.answer)


def with_dealer(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Return the revisions annotated with `dealer`, the dealer's player id as text."""
    return revisions.annotate(dealer=_Dealer())


class _Dealer(Func):
    """An expression for the dealer's id: the player at the record's `button`, mapped by `names`."""

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
        names, record = (compiler.compile(source)[0] for source in self.get_source_expressions())
        return template.format(names=names, record=record), []
