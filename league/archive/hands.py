"""The hands of a season's file, settled again: an answer is never taken from a file.

What the file says of an answer, the chips, is held against ours; where they differ it is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any
from uuid import UUID

from league.archive.reading import Errors, Row, SeasonContent
from league.common.text import wrong_text
from league.games.documents import hash_of, listed_hash
from league.hands.chip_movements import Moved, moved
from league.hands.validation import answers_to
from league.journal.sealed_rows import CHIPS
from league.models import LONGEST_GAME_NAME
from rules.documents import catalog

AT_ONCE = 50
PLAYED = "the hands of this file take too long to settle: `manage.py season import` has the time"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A revision as the rules see it now; `variant` is what it was settled under."""

    record: Json
    variant: str | Json
    answer: Json
    chips: Moved
    names: Mapping[str, UUID]


def settle_hands(
    content: SeasonContent, players: Mapping[int, UUID], errors: Errors, *, seconds: float | None
) -> dict[int, Settled]:
    """Return what each revision comes to, by its number in the file; those that void have none.

    Whoever waits for an answer gives so many `seconds`.
    """
    rows = [row for row in content.of("Revision") if not row["voids"]]
    _used(content, rows, errors)
    played = [(row, each) for row in rows if (each := _playable(content, row, errors)) is not None]
    found, until = {}, monotonic() + seconds if seconds else None
    for at in range(0, len(played), AT_ONCE):
        some = played[at : at + AT_ONCE]
        answers = answers_to([each for _, each in some])
        for (row, each), answer in zip(some, answers, strict=True):
            if not _wrong(row, answer, errors) and _named(row, errors):
                found[row.number] = _settled(row, each["variant"], answer, players)
        if until and monotonic() > until:
            errors.add(some[-1][0].line, "record", "too-much", PLAYED)
            break
    errors.refuse()
    return found


def _used(content: SeasonContent, rows: list[Row], errors: Errors) -> None:
    """Rules that no hand was dealt under are checked by no hand."""
    used = {row["document"] for row in rows}
    for row in content.of("GameDocument"):
        if row.number not in used:
            errors.add(row.line, "", "unused", "no hand was dealt under these rules")


def _playable(content: SeasonContent, row: Row, errors: Errors) -> Json | None:
    """Return the record as the rules settle it: by name where the catalog says the same."""
    record: Json = row["record"]
    variant, number = record.get("variant"), row["document"]
    if isinstance(variant, str) != (number is not None):
        text = "a record that names its game has a document, one that holds its rules has none"
        errors.add(row.line, "document", "bad-document", text)
        return None
    if number is None:
        return record
    for each in wrong_text("", variant, longest=LONGEST_GAME_NAME):
        errors.add(row.line, "record/variant", each["code"], each["text"])
        return None
    document = content.row("GameDocument", number)["document"]
    listed = variant in catalog.slugs() and hash_of(document) == listed_hash(str(variant))
    return record if listed else record | {"variant": document}


def _wrong(row: Row, answer: Json, errors: Errors) -> bool:
    """Note why the record can't be, or where the answer to it is another one."""
    refused = [
        each | {"where": f"record/{each['where']}".rstrip("/")} for each in answer.get("errors", ())
    ]
    wrong = refused or list(_differing(row["answer"], answer))
    for each in wrong:
        errors.add(row.line, each["where"], each["code"], each["text"])
    return bool(wrong)


def _differing(said: Json, answer: Json) -> Iterator[Json]:
    for key in CHIPS:
        if said[key] != answer[key]:
            text = f"the file says {said[key]}, the rules {answer[key]}"
            yield {"where": f"answer/{key}", "code": "answer-differs", "text": text}


def _named(row: Row, errors: Errors) -> bool:
    """Tell whether the row says who is meant by each name of the record."""
    names = {each["name"] for each in row["record"]["players"]}
    if names == row["names"].keys():
        return True
    errors.add(row.line, "names", "unknown-player", "these are not the names of the record")
    return False


def _settled(row: Row, variant: str | Json, answer: Json, players: Mapping[int, UUID]) -> Settled:
    record = row["record"]
    return Settled(
        record=record,
        variant=variant,
        answer=answer | {"variant": record["variant"]},
        chips=moved(record, answer),
        names={name: players[number] for name, number in row["names"].items()},
    )
