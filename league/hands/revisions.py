"""What a stored record contains: its detail level, its end, its scenes and its dealer."""

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
    """Return the record of the end of the hand, with the cards that the players held."""
    record: Record = revision.record
    if "actions" not in record:
        return record
    return end_of(replayable(revision)) | {"variant": record["variant"]}


def end_of(record: Record) -> dict[str, Any]:
    """Return the record of the end of a history. A record without actions is returned as it is."""
    if "actions" not in record:
        return dict(record)
    return final_record(record)[0] or dict(record)


def scenes_of(revision: Revision) -> list[Scene]:
    """Return the scenes of the hand: every action if the revision has all of them."""
    record = replayable(revision)
    if revision.depth == Revision.Depth.FULL:
        return playback(record, revision.answer).scenes
    return replay(record, revision.answer)


def with_dealer(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Return the revisions with `dealer`, the id of the player who dealt, as text."""
    return revisions.annotate(dealer=_Dealer())


class _Dealer(Func):
    """The id in `names` of the player at the record's button."""

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
