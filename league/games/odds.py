"""What random deals say of a game: computed once for each way to deal it, then kept.

A row without its answer is the mark that it is wanted; a worker leases it while it deals. The
message that wakes a worker may be lost: `due` finds what it was for.
"""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet
from kombu.exceptions import OperationalError

from league.jobs import leases
from league.models import Odds
from rules.api import OddsError, odds
from rules.documents import documents
from rules.presentation import form

FIND = "league.tasks.find_odds"
DEALS = 20_000
USUAL_PLAYERS = 5
# Anyone may look at a game in many ways; whatever is beyond this waits until somebody looks again.
# Of each asker: one league's slow games leave the others' room.
MOST_WAITING = 12
MOST_KEPT = 20_000
MOST_SECONDS = 60.0  # less than a lease
MOST_TRIES = 3

Document = dict[str, Any]
logger = logging.getLogger(__name__)


class TooSlowError(Exception):
    """The deals took longer than anyone waits."""


def players_of(document: Mapping[str, Any]) -> range:
    """Return with how many players a game can be dealt, as far as its document says."""
    least, most = document.get("players", (2, 8))
    return range(max(2, least), most + 1)


def usual_players(document: Document) -> int:
    fit = players_of(document)
    return min(max(USUAL_PLAYERS, fit.start), fit.stop - 1)


def ask(
    document: Document, modifiers: Sequence[str], players: int, *, league: UUID | None = None
) -> Odds | None:
    """Return the odds, marked as wanted if they are new; None while too many others wait.

    The modifiers must fit the document. A game of a league waits with others of that league.
    """
    request = {
        "document": document,
        "modifiers": list(modifiers),
        "players": players,
        "deals": DEALS,
    }
    key, asker = _key(request), str(league or "")
    found = Odds.objects.filter(deal=key).first()
    if found is not None or _wanted().filter(asker=asker).count() >= MOST_WAITING:
        return found
    row, created = Odds.objects.get_or_create(
        deal=key, defaults={"wanted": request, "asker": asker}
    )
    if created:
        transaction.on_commit(partial(_wake, key))
    return row


def due() -> list[str]:
    """Return what is wanted and nobody is at, the longest wait first."""
    return leases.keys_of(leases.free(_wanted()), "deal", since="asked_at")


def askers_due() -> list[str]:
    """Return whoever waits for odds that nobody is at, the longest wait first."""
    return leases.keys_of(leases.free(_wanted()), "asker", since="asked_at")


def find_next(asker: str) -> bool:
    """Find what this one waits for the longest; tell whether it was dealt."""
    return _find_first(_wanted().filter(asker=asker))


def find(deal: str) -> bool:
    """Deal and keep the odds, unless that is done or another worker is at it; tell whether."""
    return _find_first(_wanted().filter(deal=deal))


def _find_first(rows: QuerySet[Odds]) -> bool:
    taken = leases.take(rows.filter(tries__lt=MOST_TRIES), order=("asked_at",), most=1)
    for row in taken:
        _find(row)
    return bool(taken)


def _find(row: Odds) -> None:
    try:
        found = _dealt(row.wanted)
    except (OddsError, documents.GameError, TooSlowError):
        Odds.objects.filter(deal=row.deal).update(state=Odds.State.FAILED)
    else:
        _wanted().filter(deal=row.deal).update(state=Odds.State.FOUND, found=found)


def sweep() -> None:
    """Give up what failed time and again, and forget the oldest of too many."""
    worn_out = leases.free(_wanted()).filter(tries__gte=MOST_TRIES)
    worn_out.update(state=Odds.State.FAILED)
    times = Odds.objects.order_by("-asked_at").values_list("asked_at", flat=True)
    for oldest in times[MOST_KEPT : MOST_KEPT + 1]:
        Odds.objects.filter(asked_at__lte=oldest).delete()


def _wake(deal: str) -> None:
    """Tell a worker; without a broker the next sweep does it."""
    try:
        current_app.send_task(FIND)
    except OperationalError:
        logger.warning("The broker is away: odds %s wait for the next sweep.", deal[:12])


def _key(request: dict[str, Any]) -> str:
    content = documents.content_hash(request["document"])
    return documents.content_hash(request | {"document": content})


def _wanted() -> QuerySet[Odds]:
    return Odds.objects.filter(state=Odds.State.WANTED)


def _dealt(request: dict[str, Any]) -> dict[str, Any]:
    game = form.game_of(request["document"], request["modifiers"])
    end = monotonic() + MOST_SECONDS

    def in_time(_done: int, _whole: int) -> None:
        if monotonic() > end:
            raise TooSlowError

    return odds(game, players=request["players"], deals=request["deals"], progress=in_time)
