"""How much of a hand a record says, and the end that a full history came to."""

from collections.abc import Mapping
from typing import Any

from league.games.lookup import replayable
from league.models import ConflictingRecord, Revision
from rules.api import final_record

Record = Mapping[str, Any]


def detail_level_of(record: Record) -> str:
    """Return the detail level of a record that was settled."""
    if "actions" in record:
        return Revision.Depth.FULL
    return str(record.get("depth", Revision.Depth.SHOWDOWN))


def record_at_the_end(revision: Revision | ConflictingRecord) -> Record:
    """Return the record as the hand stood at its end: with the cards that were held."""
    record: Record = revision.record
    if "actions" not in record:
        return record
    return end_of(replayable(revision)) | {"variant": record["variant"]}


def end_of(record: Record) -> dict[str, Any]:
    """Return the record of the end of a history that the rules know; of others, themselves."""
    if "actions" not in record:
        return dict(record)
    return final_record(record)[0] or dict(record)
