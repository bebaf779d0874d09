"""What the journal of a league says of every sealed row, read from its beginning."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from league.journal import entries
from league.journal.entries import Kind, Known
from league.journal.sealed_rows import BY_NAME, SealedRow, Table
from league.models import JournalEntry, League

Everything = dict[tuple[str, str], Known]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a chain says, row by row, and what is wrong with the chain itself."""

    known: Everything = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    salt: str = ""


def read_journal(league: League | None) -> Reading:
    """Read the chain from its beginning."""
    head = entries.head(league)
    reading = Reading(salt=head.salt)
    if head.sequence and head.league_id != (league.pk if league else None):
        reading.wrong.append("the journal is said to be of another league")
    number, previous = 0, ""
    for entry in entries.entries(league):
        if (entry.sequence, entry.previous_hash) != (number + 1, previous):
            reading.wrong.append(f"{entry} does not follow the one before it")
        if entry.hash == entries.hash_of(entry):
            _take(reading, entry)
        else:
            reading.wrong.append(f"{entry} is not as it was written")
        number, previous = entry.sequence, entry.hash
    if (head.sequence, head.hash) != (number, previous):
        reading.wrong.append(f"the journal ends at {number} and should at {head.sequence}")
    return reading


def _take(reading: Reading, entry: JournalEntry) -> None:
    for values in entry.rows:
        row = SealedRow(*values)
        if entry.kind == Kind.DELETED:
            reading.known.pop(key_of(row), None)
            continue
        known = reading.known.setdefault(key_of(row), Known(since=entry.made_at))
        for part in _taken(known, row, erased=entry.kind == Kind.ERASED):
            text = (
                f"{entry} has other {part} of {kind_of(BY_NAME[row.table])} {row.key} than before"
            )
            reading.wrong.append(text)


def _taken(known: Known, row: SealedRow, *, erased: bool) -> Iterator[str]:
    """Let the row be known as the entry has it; yield what may not have changed and has."""
    rewritten = erased and BY_NAME[row.table].rewritable and row.was == known.fixed
    if known.fixed and known.fixed != row.fixed and not rewritten:
        yield "content"
    if known.words and known.words != (row.was if erased else row.words):
        yield "words"
    known.fixed, known.words, known.state = row.fixed, row.words, row.state
    later = BY_NAME[row.table].later
    for column, user in row.who.items():
        before = known.who.get(column)
        named = before is None and column in known.who and column not in later
        if user is not None and user != before and (before is not None or named):
            yield column
        known.who[column] = before if user is None else user


def key_of(row: SealedRow) -> tuple[str, str]:
    return row.table, row.key


def kind_of(table: Table) -> str:
    return str(table.model._meta.verbose_name)  # noqa: SLF001 (public)
