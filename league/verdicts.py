"""What the rules make of a record, whoever sent it: an answer, or every reason against one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from league.models import Hand, Night
from league.refusals import Fault, fault
from league.texts import shown, too_deep, unstorable
from league.versions import playable
from ledger.rows import as_uuid, select
from rules import settle

_SEATED = """
    SELECT p.name, p.id FROM league_seat s JOIN league_player p ON p.id = s.player_id
    WHERE s.night_id = %s"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer to a record, or the errors in it; `names` says who is meant by each name.

    `variant` is what it was settled under: a slug of the catalog, or a document. Where there are
    errors, record and answer are empty.
    """

    record: dict[str, Any] = field(default_factory=dict)
    variant: str | dict[str, Any] = ""
    answer: dict[str, Any] = field(default_factory=dict)
    names: dict[str, UUID] = field(default_factory=dict)
    errors: list[Fault] = field(default_factory=list)


def answer_to(record: object, *, brief: bool = False) -> dict[str, Any]:
    """Return the answer of RECORD.md to anything that JSON can say, or {"errors": [...]}."""
    if not isinstance(record, dict):
        return {"errors": [fault("", "wrong-type", "a record is an object")]}
    if too_deep(record):
        return {"errors": list(unstorable(record))}
    answer = settle(record, brief=brief)
    errors = [_shown(each) for each in answer.get("errors", ())]
    known = {each["where"] for each in errors}
    errors += [each for each in unstorable(record) if each["where"] not in known]
    return {"errors": errors} if errors else answer


def settled(night: Night, record: object, *, instead_of: Hand | None = None) -> Verdict:
    """Return the verdict on a record of this night, where every name must have had a seat.

    A game of the league's own is settled under its document; a correction, under the hand's.
    """
    played = record
    if isinstance(record, dict) and not too_deep(record):
        played = playable(night, record, instead_of=instead_of)
    answer = answer_to(played)
    seated = _seated(night)
    errors = [*answer.get("errors", ()), *_strangers(record, seated)]
    if errors or not isinstance(record, dict) or not isinstance(played, dict):
        return Verdict(errors=errors)
    names = {name: seated[name] for name in _names(record)}
    if played is not record:
        answer["variant"] = record["variant"]
    return Verdict(record=record, variant=played["variant"], answer=answer, names=names)


def _seated(night: Night) -> dict[str, UUID]:
    """Return who has had a seat; a hand may be sent after one of its players has left."""
    rows = select(_SEATED, night.pk)
    return {name: as_uuid(player) for name, player in rows}


def _strangers(record: object, seated: dict[str, UUID]) -> Iterator[Fault]:
    for place, name in enumerate(_names(record)):
        if isinstance(name, str) and name not in seated:
            where, text = f"players/{place}/name", f"{shown(name)} has no seat at this night"
            yield fault(where, "unknown-player", text)


def _names(record: object) -> list[Any]:
    players = record.get("players") if isinstance(record, dict) else None
    rows = players if isinstance(players, list) else []
    return [row.get("name") if isinstance(row, dict) else None for row in rows]


def _shown(each: Fault) -> Fault:
    return {key: shown(text) for key, text in each.items()}
