"""The entries of the seal chain. Only this module writes entries.

An entry contains the digests of the written rows and the hash of the previous entry. The writer of
an entry locks the head of the chain until the transaction ends. The transaction must not lock other
rows afterwards, because that could deadlock with another writer that has locked such a row and
waits for the head.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC
from hashlib import sha256
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.journal.sealed_rows import SealedRow, sealed
from league.models import NO_LEAGUE, JournalEntry, JournalHead, League

Kind = JournalEntry.Kind
AT_ONCE = 2000


@dataclass(slots=True)
class ExpectedDigests:
    """The digests that the chain expects for a row, or "" for missing digests."""

    fixed: str = ""
    words: str = ""
    state: str = ""
    who: dict[str, int | None] = field(default_factory=dict)
    since: Any = None


@transaction.atomic
def append(league: League | UUID | None, kind: Kind, *written: "QuerySet[Any]") -> JournalEntry:
    """Seal these rows in the league's chain, or if None, in the chain without a league."""
    head = lock_head(league)
    return add(head, kind, (row for rows in written for row in sealed(rows, head.salt)))


def lock_head(league: League | UUID | None) -> JournalHead:
    """Lock the head of a chain against other writers."""
    chain = _chain(league)
    rows = JournalHead.objects.select_for_update(no_key=True).filter(pk=chain)
    if head := rows.first():
        return head
    # Another transaction may create the chain at the same time.
    begun = JournalHead(chain=chain, league_id=None if chain == NO_LEAGUE else chain)
    JournalHead.objects.bulk_create([begun], ignore_conflicts=True)
    return rows.get()


def add(head: JournalHead, kind: Kind, rows: Iterable[SealedRow]) -> JournalEntry:
    """Add an entry to the chain. The head of the chain must be locked."""
    entry = JournalEntry(
        chain_id=head.chain,
        sequence=head.sequence + 1,
        kind=kind,
        rows=[each.as_json() for each in rows],
        previous_hash=head.hash,
        made_at=timezone.now(),
    )
    entry.hash = hash_of(entry)
    entry.save(force_insert=True)
    head.sequence, head.hash = entry.sequence, entry.hash
    head.save(update_fields=["sequence", "hash", "salt"])
    return entry


def hash_of(entry: JournalEntry) -> str:
    content = [
        str(entry.chain_id),
        entry.sequence,
        entry.kind,
        entry.made_at.astimezone(UTC).isoformat(),
        entry.previous_hash,
        entry.rows,
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def entries(league: League | None) -> Iterator[JournalEntry]:
    """Yield the entries of the chain, oldest first."""
    rows = JournalEntry.objects.filter(chain=_chain(league)).order_by("sequence")
    return rows.iterator(100)


def head(league: League | None) -> JournalHead:
    """Return the head of the chain. The head is unsaved if nothing was ever sealed."""
    chain = _chain(league)
    return JournalHead.objects.filter(pk=chain).first() or JournalHead(chain=chain)


def add_parts(head: JournalHead, kind: Kind, rows: Iterable[SealedRow]) -> int:
    """Add the rows in entries of limited size. Returns the number of rows."""
    waiting, added = iter(rows), 0
    while part := list(islice(waiting, AT_ONCE)):
        add(head, kind, part)
        added += len(part)
    return added


def _chain(league: League | UUID | None) -> UUID:
    if isinstance(league, UUID):
        return league
    return league.pk if league else NO_LEAGUE
