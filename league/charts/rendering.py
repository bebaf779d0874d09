"""Charts that pages show, drawn by a worker: once for each state of the data, then kept.

A row without its pictures is the mark that it is wanted; a worker leases it while it draws. The
message that wakes a worker may be lost: `leagues_due` finds what it was for. It is done by a
process of its own (`render_process`), since the library lets nothing else run meanwhile.
"""

import hashlib
import json
import logging
import subprocess
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

from league.charts.vega.theme import THEMES, Document, with_theme
from league.jobs import child_process, leases
from league.models import League, RenderedChart
from ledger.sql import native, plain, query

RENDER_TASK = "league.tasks.draw_charts"
RENDER_VERSION = 3  # goes up when colours or letters change, so that no old picture is shown
# Other tasks wait behind these where there is one worker.
AT_ONCE = 4
MOST_SECONDS = 60  # less than a lease
MOST_TRIES = 3
KEPT = timedelta(days=30)
DATA = "data"  # of a document; what all sizes show stands beside them
VALUES, COLUMNS = "values", "columns"  # of data: its rows, or the same by column
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
    """Return these charts as they are rendered, marked as wanted where they are new.

    One query where all are new, as they are after a hand, or none is wanted.
    """
    texts = [json.dumps(_packed(each.documents)) for each in wanted]
    digests = [
        _digest(league.pk, each.words, text) for each, text in zip(wanted, texts, strict=True)
    ]
    asked = {
        digest: RenderedChart(digest=digest, league=league, words=each.words, sizes=each.sizes)
        for digest, each in zip(digests, wanted, strict=True)
    }
    new = _mark(asked, dict(zip(digests, texts, strict=True))) if asked else frozenset()
    if new:
        transaction.on_commit(partial(_wake, str(league.pk)))
    if known := asked.keys() - new:
        rows = RenderedChart.objects.filter(pk__in=known).defer("documents", "pictures")
        asked |= {row.pk: row for row in rows}
    return [asked[digest] for digest in digests]


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
    data = {DATA: _as_rows(packed[DATA])} if DATA in packed else {}
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


def _mark(wanted: Mapping[str, RenderedChart], documents: Mapping[str, str]) -> frozenset[str]:
    """Store what is wanted and not there yet; return the digests of that.

    Documents are as they were written for the hash: the ORM made an array of JSON of them, which
    took five times as long as all the rest. PostgreSQL need not wait for its disk: what a crash
    takes is asked for again by whoever looks at it next.
    """
    lines = ", ".join(["(%s, %s, %s, %s, %s, %s, 0, CURRENT_TIMESTAMP)"] * len(wanted))
    values: list[Any] = []
    for digest, row in wanted.items():
        league, sizes = plain(row.league_id), json.dumps(row.sizes)
        values += [digest, league, row.words, sizes, documents[digest], row.state]
    unhurried = ", set_config('synchronous_commit', 'off', true)" if native() else ""
    sql = f"{_INSERT} VALUES {lines} ON CONFLICT DO NOTHING RETURNING digest{unhurried}"
    return frozenset(row[0] for row in query(sql, values))


def _packed(documents: Mapping[str, Document]) -> dict[str, Document]:
    """Return the documents with what they show written once, where all sizes show the same."""
    one, *others = (each.get(DATA) for each in documents.values())
    if one is None or any(each != one for each in others):
        return dict(documents)
    bare = {
        size: {name: value for name, value in each.items() if name != DATA}
        for size, each in documents.items()
    }
    return {DATA: _as_columns(one), **bare}


def _as_columns(data: Document) -> Document:
    """Return the rows of a document as columns, where all have the same: a third as much to write.

    There are thousands, and they are written while somebody waits for a page.
    """
    rows = data.get(VALUES) or [{}]
    names = rows[0].keys()
    if not names or any(row.keys() != names for row in rows):
        return data
    return {COLUMNS: {name: [row[name] for row in rows] for name in names}}


def _as_rows(data: Document) -> Document:
    """Return the same with rows again."""
    if COLUMNS not in data:
        return data
    names, columns = data[COLUMNS].keys(), data[COLUMNS].values()
    rows = zip(*columns, strict=True)
    return {VALUES: [dict(zip(names, row, strict=True)) for row in rows]}


def _digest(league: UUID, words: str, documents: str) -> str:
    text = json.dumps([RENDER_VERSION, str(league), words])
    return hashlib.sha256(f"{text}{documents}".encode()).hexdigest()


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
        pictures: list[str | None] = child_process.ask(_PROCESS, documents, seconds=MOST_SECONDS)
    except (subprocess.SubprocessError, OSError) as error:
        # they stay wanted, and are tried again when the lease has run out
        logger.warning("Charts are not drawn: %s", error)
        return []
    return pictures


def _wake(league: str) -> None:
    """Tell a worker; without a broker the next sweep does it."""
    try:
        current_app.send_task(RENDER_TASK)
    except OperationalError:
        logger.warning("The broker is away: charts of %s wait for the next sweep.", league)
