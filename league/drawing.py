"""Charts that pages show, drawn by a worker: once for each state of the data, then kept.

A row without its pictures is the mark that it is wanted; a worker leases it while it draws. The
message that wakes a worker may be lost: `due` finds what it was for. Drawing goes on in a process
of its own (`charts.pencil`), since the library lets nothing else of its process run meanwhile.
"""

import hashlib
import json
import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.charts.looks import LOOKS, dressed
from league.charts.shapes import Document
from league.models import Drawing, League
from league.stats.statements import execute, native, plain

DRAW = "league.tasks.draw_charts"
DRAWING = 3  # goes up when colours or letters change, so that no old picture is shown
# Other tasks wait behind these where there is one worker.
AT_ONCE = 4
LEASE = timedelta(minutes=2)
MOST_SECONDS = 60
MOST_TRIES = 3
KEPT = timedelta(days=30)
DATA = "data"  # of a document; what all sizes show stands beside them
# Data moves on faster than it is drawn: what nobody got to see by then is not wanted any more.
WANTED_FOR = timedelta(minutes=30)

_INSERT = (
    "INSERT INTO league_drawing"
    " (digest, league_id, words, sizes, documents, state, tries, asked_at)"
)
_PENCIL = Path(__file__).parent / "charts" / "pencil.py"
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A chart to be shown: what it says in words, and its document in each size, by name."""

    words: str
    documents: Mapping[str, Document]

    @property
    def sizes(self) -> dict[str, list[int]]:
        return {name: [each["width"], each["height"]] for name, each in self.documents.items()}


def ask(league: League, wanted: Sequence[Wanted]) -> list[Drawing]:
    """Return the drawings of these charts, marked as wanted where they are new; one query."""
    told = [json.dumps(_packed(each.documents)) for each in wanted]
    digests = [
        _digest(league.pk, each.words, text) for each, text in zip(wanted, told, strict=True)
    ]
    asked = dict(zip(digests, zip(wanted, told, strict=True), strict=True))
    rows = Drawing.objects.filter(pk__in=digests).defer("documents", "pictures")
    found = {row.pk: row for row in rows}
    new = {
        digest: Drawing(digest=digest, league=league, words=each.words, sizes=each.sizes)
        for digest, (each, _) in asked.items()
        if digest not in found
    }
    if new:
        _mark([(row, asked[digest][1]) for digest, row in new.items()])
        transaction.on_commit(partial(_wake, str(league.pk)))
    return [found.get(digest) or new[digest] for digest in digests]


def draw(league_id: UUID, *, most: int = AT_ONCE) -> bool:
    """Draw what is wanted of a league, the newest first; tell whether there may be more."""
    waiting = _free().filter(league=league_id).order_by("-asked_at")
    ids = [digest for digest in waiting.values_list("pk", flat=True)[:most] if _lease(digest)]
    rows = list(Drawing.objects.filter(pk__in=ids))
    todo = [
        (row, f"{look}-{size}", dressed(document, look))
        for row in rows
        for size, document in documents_of(row).items()
        for look in LOOKS
    ]
    drawn = _drawn([document for _, _, document in todo])
    pictures: dict[str, dict[str, str | None]] = {}
    for (row, name, _), svg in zip(todo, drawn, strict=False):
        pictures.setdefault(row.pk, {})[name] = svg
    for digest, found in pictures.items():
        _keep(digest, found)
    return len(rows) == most


def documents_of(drawing: Drawing) -> dict[str, Document]:
    """Return what is to be drawn, by size."""
    packed = drawing.documents
    data = {DATA: packed[DATA]} if DATA in packed else {}
    return {size: {**data, **each} for size, each in packed.items() if size != DATA}


def due() -> list[UUID]:
    """Return the leagues in which charts are wanted and nobody is at them."""
    return list(_free().order_by("league").values_list("league", flat=True).distinct())


def sweep() -> None:
    """Forget what nobody waits for any more, and what was drawn long ago."""
    now = timezone.now()
    _free().filter(tries__gte=MOST_TRIES).update(state=Drawing.State.FAILED, documents={})
    _waiting().filter(asked_at__lt=now - WANTED_FOR).delete()
    Drawing.objects.filter(asked_at__lt=now - KEPT).delete()


@transaction.atomic
def _mark(wanted: Sequence[tuple[Drawing, str]]) -> None:
    """Store what is wanted, with its documents as they were told for the hash.

    The ORM made an array of JSON of them, which took five times as long as all the rest. PostgreSQL
    need not wait for its disk: what a crash takes is asked for again by whoever looks at it next.
    """
    lines = ", ".join(["(%s, %s, %s, %s, %s, %s, 0, CURRENT_TIMESTAMP)"] * len(wanted))
    values: list[Any] = []
    for row, documents in wanted:
        league, sizes = plain(row.league_id), json.dumps(row.sizes)
        values += [row.digest, league, row.words, sizes, documents, row.state]
    if native():
        execute("SELECT set_config('synchronous_commit', 'off', true)")
    # somebody else may have asked in this moment, and then it is the same row
    execute(f"{_INSERT} VALUES {lines} ON CONFLICT DO NOTHING", values)


def _packed(documents: Mapping[str, Document]) -> dict[str, Document]:
    """Return the documents with what they show told once, where all sizes show the same."""
    one, *others = (each.get(DATA) for each in documents.values())
    if one is None or any(each != one for each in others):
        return dict(documents)
    bare = {
        size: {name: value for name, value in each.items() if name != DATA}
        for size, each in documents.items()
    }
    return {DATA: one, **bare}


def _digest(league: UUID, words: str, documents: str) -> str:
    told = json.dumps([DRAWING, str(league), words, documents])
    return hashlib.sha256(told.encode()).hexdigest()


def _waiting() -> QuerySet[Drawing]:
    return Drawing.objects.filter(state=Drawing.State.WANTED)


def _free() -> QuerySet[Drawing]:
    at_work = Q(leased_until__isnull=False, leased_until__gt=timezone.now())
    return _waiting().exclude(at_work)


def _lease(digest: str) -> bool:
    """Take the row for this worker; one statement, so that only one gets it."""
    mine = _free().filter(pk=digest, tries__lt=MOST_TRIES)
    return bool(mine.update(leased_until=timezone.now() + LEASE, tries=F("tries") + 1))


def _keep(digest: str, pictures: dict[str, str | None]) -> None:
    row = _waiting().filter(pk=digest)
    if all(pictures.values()):
        row.update(state=Drawing.State.FOUND, pictures=pictures, documents={})
    else:
        logger.error("Chart %s could not be drawn.", digest[:12])
        row.update(state=Drawing.State.FAILED, documents={})


def _drawn(documents: list[Document]) -> list[str | None]:
    """Return each document as SVG; None for what can't be drawn, or not in time."""
    if not documents:
        return []
    try:
        done = subprocess.run(  # noqa: S603 (our own file, with this Python)
            [sys.executable, "-I", str(_PENCIL)],
            input=json.dumps(documents),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=MOST_SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        # they stay wanted, and are tried again when the lease has run out
        logger.warning("Charts are not drawn: %s", error)
        return []
    found: list[str | None] = json.loads(done.stdout)
    return found


def _wake(league: str) -> None:
    """Tell a worker; without a broker the next sweep does it."""
    try:
        current_app.send_task(DRAW, [league])
    except OperationalError:
        logger.warning("The broker is away: charts of %s wait for the next sweep.", league)
