"""How much of a hand a record tells, and the end that a full history came to."""

from collections.abc import Mapping
from typing import Any

from league.models import Revision, Rival
from league.versions import replayable
from rules.history import final_record

Record = Mapping[str, Any]


def depth_of(record: Record) -> str:
    """Return the depth of a record that was settled."""
    if "actions" in record:
        return Revision.Depth.FULL
    return str(record.get("depth", Revision.Depth.SHOWDOWN))


def at_the_end(revision: Revision | Rival) -> Record:
    """Return the telling's record as the hand stood at its end: with the cards that were held."""
    record: Record = revision.record
    if "actions" not in record:
        return record
    return end_of(replayable(revision)) | {"variant": record["variant"]}


def end_of(record: Record) -> dict[str, Any]:
    """Return the record of the end of a history that the rules know; of others, themselves."""
    if "actions" not in record:
        return dict(record)
    return final_record(record)[0] or dict(record)
