"""The charts shown on pages. A worker renders each chart once for each state of the data.

A row without pictures is a request to render them, and the worker that renders them leases it. If
the message that wakes the worker is lost, `leagues_due` finds the row. Rendering runs in a separate
process (`render_process`), because the library blocks all other threads.
"""

import hashlib
import json
import logging
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from league.charts.vega.theme import THEMES, Document, with_theme
from league.jobs import child_process, leases, queues
from league.models import League, RenderedChart
from ledger.sql import is_postgresql, query, uuid_text

RENDER_TASK = "league.tasks.draw_charts"
RENDER_VERSION = 4  # increase to discard old pictures after changing colours or fonts
# The limit is low because other tasks have to wait if only one worker is running.
AT_ONCE = 4
MOST_SECONDS = 60  # shorter than a lease
MOST_TRIES = 3
KEPT = timedelta(days=30)
DATA = "data"  # the key of a document's data, which is stored once if all sizes use the same data
VALUES, COLUMNS = "values", "columns"  # keys inside the data, which is stored by row or by column
# Requests expire, because data can change faster than charts can be rendered.
WANTED_FOR = timedelta(minutes=30)

_INSERT = (
    "INSERT INTO league_renderedchart"
    " (digest, league_id, words, sizes, documents, state, tries, asked_at)"
)
_PROCESS = Path(__file__).with_name("render_process.py")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """A requested chart, with its description and its documents, keyed by size name."""

    words: str
    documents: Mapping[str, Document]

    @property
    def sizes(self) -> dict[str, list[int]]:
        return {name: [each["width"], each["height"]] for name, each in self.documents.items()}


def request_charts(league: League, wanted: Sequence[ChartRequest]) -> list[RenderedChart]:
    """Return the wanted charts. New charts are stored as requests.

    This takes one query if all charts are new, as after a hand, or if `wanted` is empty.
    """
    texts = [json.dumps(_packed(request.documents)) for request in wanted]
    digests = []
    for request, text in zip(wanted, texts, strict=True):
        key = json.dumps([RENDER_VERSION, str(league.pk), request.words])
        digests.append(hashlib.sha256(f"{key}{text}".encode()).hexdigest())
    charts = {
        digest: RenderedChart(
            digest=digest, league=league, words=request.words, sizes=request.sizes
        )
        for digest, request in zip(digests, wanted, strict=True)
    }
    documents, new = dict(zip(digests, texts, strict=True)), set[str]()
    if charts:
        # The JSON text that was created for the hash is inserted as it is. Serializing the
        # documents again in the ORM would take five times as long as everything else. PostgreSQL
        # commits without waiting for the disk: if a crash loses a request, the next view of the
        # page repeats it.
        line = "(%s, %s, %s, %s, %s, %s, 0, CURRENT_TIMESTAMP)"
        values: list[Any] = []
        for digest, chart in charts.items():
            league_id, sizes = uuid_text(chart.league_id), json.dumps(chart.sizes)
            values += [digest, league_id, chart.words, sizes, documents[digest], chart.state]
        unhurried = ", set_config('synchronous_commit', 'off', true)" if is_postgresql() else ""
        sql = f"{_INSERT} VALUES {', '.join([line] * len(charts))} ON CONFLICT DO NOTHING"
        new = {row[0] for row in query(f"{sql} RETURNING digest{unhurried}", values)}
    if new:
        queues.send_task_on_commit(RENDER_TASK)
    if known := charts.keys() - new:
        rows = RenderedChart.objects.filter(pk__in=known).defer("documents", "pictures")
        charts |= {row.pk: row for row in rows}
    return [charts[digest] for digest in digests]


def render_requested(league_id: UUID, *, most: int = AT_ONCE) -> bool:
    """Render requested charts of a league, newest first. Return whether there were any."""
    wanted = _waiting_charts().filter(league=league_id, tries__lt=MOST_TRIES)
    rows = leases.lease(wanted, order=("-asked_at",), most=most)
    todo = [
        (row, f"{theme}-{size}", with_theme(document, theme))
        for row in rows
        for size, document in documents_of(row).items()
        for theme in THEMES
    ]
    svgs: list[str | None] = []  # None if a document can't be rendered
    if todo:
        documents = [document for _, _, document in todo]
        try:
            svgs = child_process.call_script(_PROCESS, documents, seconds=MOST_SECONDS)
        except (subprocess.SubprocessError, OSError) as error:
            # the requests remain and are retried when the lease expires
            logger.warning("Charts are not drawn: %s", error)
    pictures: dict[str, dict[str, str | None]] = {}
    for (row, name, _), svg in zip(todo, svgs, strict=False):
        pictures.setdefault(row.pk, {})[name] = svg
    for digest, chart_pictures in pictures.items():
        chart = _waiting_charts().filter(pk=digest)
        if all(chart_pictures.values()):
            chart.update(state=RenderedChart.State.FOUND, pictures=chart_pictures, documents={})
        else:
            logger.error("Chart %s could not be drawn.", digest[:12])
            chart.update(state=RenderedChart.State.FAILED, documents={})
    return bool(rows)


def documents_of(chart: RenderedChart) -> dict[str, Document]:
    """Return the chart's documents, keyed by size."""
    documents: dict[str, Document] = dict(chart.documents)
    data = documents.pop(DATA, None)
    if data is None:
        return documents
    if COLUMNS in data:
        names, columns = data[COLUMNS].keys(), data[COLUMNS].values()
        rows = zip(*columns, strict=True)
        data = {VALUES: [dict(zip(names, row, strict=True)) for row in rows]}
    return {size: {DATA: data, **document} for size, document in documents.items()}


def leagues_due() -> list[UUID]:
    """Return the leagues with requested charts that no worker has leased."""
    return leases.keys_of(leases.free(_waiting_charts()), "league", since="asked_at")


def sweep() -> None:
    """Delete expired requests and old charts. Mark charts that failed too often as failed."""
    now = timezone.now()
    worn_out = leases.free(_waiting_charts()).filter(tries__gte=MOST_TRIES)
    worn_out.update(state=RenderedChart.State.FAILED, documents={})
    _waiting_charts().filter(asked_at__lt=now - WANTED_FOR).delete()
    RenderedChart.objects.filter(asked_at__lt=now - KEPT).delete()


def _packed(documents: Mapping[str, Document]) -> dict[str, Document]:
    """Return the documents, with the data stored only once if all sizes share it.

    If all rows have the same keys, they are stored as columns, which take a third of the space. A
    chart can have thousands of rows, and they are written while a page loads.
    """
    data, *others = (document.get(DATA) for document in documents.values())
    if data is None or any(other != data for other in others):
        return dict(documents)
    rows = data.get(VALUES) or [{}]
    names = rows[0].keys()
    if names and all(row.keys() == names for row in rows):
        data = {COLUMNS: {name: [row[name] for row in rows] for name in names}}
    bare = {
        size: {name: value for name, value in document.items() if name != DATA}
        for size, document in documents.items()
    }
    return {DATA: data, **bare}


def _waiting_charts() -> QuerySet[RenderedChart]:
    return RenderedChart.objects.filter(state=RenderedChart.State.WANTED)
