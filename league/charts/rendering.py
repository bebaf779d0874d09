"""Charts that pages show, drawn by a worker: once for each state of the data, then kept.

A row without its pictures is the mark that it is wanted; a worker leases it while it draws. The
message that wakes a worker may be lost: `leagues_due` finds what it was for. It is done by a
process of its own (`render_process`), since the library lets nothing else run meanwhile.
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
from django.db.models import QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.charts.vega.frame import Document
from league.charts.vega.theme import THEMES, with_theme
from league.jobs import leases
from league.models import League, RenderedChart
from ledger.sql import execute, native, plain

RENDER_TASK = "league.tasks.draw_charts"
RENDER_VERSION = 3  # goes up when colours or letters change, so that no old picture is shown
# Other tasks wait behind these where there is one worker.
AT_ONCE = 4
MOST_SECONDS = 60  # less than a lease
MOST_TRIES = 3
KEPT = timedelta(days=30)
DATA = "data"  # of a document; what all sizes show stands beside them
# Data moves on faster than it is drawn: what nobody got to see by then is not wanted any more.
WANTED_FOR = timedelta(minutes=30)

_INSERT = (
    "INSERT INTO league_renderedchart"
    " (digest, league_id, words, sizes, documents, state, tries, asked_at)"
)
_PROCESS = Path(__file__).with_name("render_process.py")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """A chart to be shown: what it says in words, and its document in each size, by name."""

    words: str
    documents: Mapping[str, Document]

    @property
    def sizes(self) -> dict[str, list[int]]:
        return {name: [each["width"], each["height"]] for name, each in self.documents.items()}


def request_charts(league: League, wanted: Sequence[ChartRequest]) -> list[RenderedChart]:
    """Return these charts as they are rendered, marked as wanted where they are new; one query."""
    texts = [json.dumps(_packed(each.documents)) for each in wanted]
    digests = [
        _digest(league.pk, each.words, text) for each, text in zip(wanted, texts, strict=True)
    ]
    asked = dict(zip(digests, zip(wanted, texts, strict=True), strict=True))
    rows = RenderedChart.objects.filter(pk__in=digests).defer("documents", "pictures")
    found = {row.pk: row for row in rows}
    new = {
        digest: RenderedChart(digest=digest, league=league, words=each.words, sizes=each.sizes)
        for digest, (each, _) in asked.items()
        if digest not in found
    }
    if new:
        _mark([(row, asked[digest][1]) for digest, row in new.items()])
        transaction.on_commit(partial(_wake, str(league.pk)))
    return [found.get(digest) or new[digest] for digest in digests]


def render_wanted(league_id: UUID, *, most: int = AT_ONCE) -> bool:
    """Draw what is wanted of a league, the newest first; tell whether anything was."""
    wanted = _wanted().filter(league=league_id, tries__lt=MOST_TRIES)
    rows = leases.take(wanted, order=("-asked_at",), most=most)
    todo = [
        (row, f"{theme}-{size}", with_theme(document, theme))
        for row in rows
        for size, document in documents_of(row).items()
        for theme in THEMES
    ]
    svgs = _rendered([document for _, _, document in todo])
    pictures: dict[str, dict[str, str | None]] = {}
    for (row, name, _), svg in zip(todo, svgs, strict=False):
        pictures.setdefault(row.pk, {})[name] = svg
    for digest, found in pictures.items():
        _keep(digest, found)
    return bool(rows)


def documents_of(chart: RenderedChart) -> dict[str, Document]:
    """Return what is to be drawn, by size."""
    packed = chart.documents
    data = {DATA: packed[DATA]} if DATA in packed else {}
    return {size: {**data, **each} for size, each in packed.items() if size != DATA}


def leagues_due() -> list[UUID]:
    """Return the leagues in which charts are wanted and nobody is at them."""
    return leases.keys_of(leases.free(_wanted()), "league", since="asked_at")


def sweep() -> None:
    """Forget what nobody waits for any more, and what was drawn long ago."""
    now = timezone.now()
    worn_out = leases.free(_wanted()).filter(tries__gte=MOST_TRIES)
    worn_out.update(state=RenderedChart.State.FAILED, documents={})
    _wanted().filter(asked_at__lt=now - WANTED_FOR).delete()
    RenderedChart.objects.filter(asked_at__lt=now - KEPT).delete()


@transaction.atomic
def _mark(wanted: Sequence[tuple[RenderedChart, str]]) -> None:
    """Store what is wanted, with its documents as they were written for the hash.

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
    """Return the documents with what they show written once, where all sizes show the same."""
    one, *others = (each.get(DATA) for each in documents.values())
    if one is None or any(each != one for each in others):
        return dict(documents)
    bare = {
        size: {name: value for name, value in each.items() if name != DATA}
        for size, each in documents.items()
    }
    return {DATA: one, **bare}


def _digest(league: UUID, words: str, documents: str) -> str:
    text = json.dumps([RENDER_VERSION, str(league), words, documents])
    return hashlib.sha256(text.encode()).hexdigest()


def _wanted() -> QuerySet[RenderedChart]:
    return RenderedChart.objects.filter(state=RenderedChart.State.WANTED)


def _keep(digest: str, pictures: dict[str, str | None]) -> None:
    row = _wanted().filter(pk=digest)
    if all(pictures.values()):
        row.update(state=RenderedChart.State.FOUND, pictures=pictures, documents={})
    else:
        logger.error("Chart %s could not be drawn.", digest[:12])
        row.update(state=RenderedChart.State.FAILED, documents={})


def _rendered(documents: list[Document]) -> list[str | None]:
    """Return each document as SVG; None for what can't be drawn, or not in time."""
    if not documents:
        return []
    try:
        done = subprocess.run(  # noqa: S603 (our own file, with this Python)
            [sys.executable, "-I", str(_PROCESS)],
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
        current_app.send_task(RENDER_TASK)
    except OperationalError:
        logger.warning("The broker is away: charts of %s wait for the next sweep.", league)
