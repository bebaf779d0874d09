"""What random deals say of a game: computed once for each way to deal it, then kept.

A row without its answer is the mark that it is wanted; a worker leases it while it deals. The
message that wakes a worker may be lost: `due` finds what it was for.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.models import Odds
from rules import documents, forms, odds

FIND = "league.tasks.find_odds"
DEALS = 20_000
USUAL_PLAYERS = 5
# Anyone may look at a game in many ways; whatever is beyond this waits until somebody looks again.
MOST_WAITING = 12
MOST_KEPT = 20_000
LEASE = timedelta(minutes=3)
MOST_SECONDS = 60.0
MOST_TRIES = 3

Document = dict[str, Any]
logger = logging.getLogger(__name__)


class TooSlow(Exception):
    """The deals took longer than anyone waits."""


def players_of(document: Document) -> range:
    """Return with how many players a game can be dealt, as far as its document says."""
    least, most = document.get("players", (2, 8))
    return range(max(2, least), most + 1)


def usual_players(document: Document) -> int:
    fit = players_of(document)
    return min(max(USUAL_PLAYERS, fit.start), fit.stop - 1)


def ask(document: Document, modifiers: Sequence[str], players: int) -> Odds | None:
    """Return the odds, marked as wanted if they are new; None while too many others wait.

    The modifiers must fit the document.
    """
    wanted = {
        "document": document,
        "modifiers": list(modifiers),
        "players": players,
        "deals": DEALS,
    }
    key = _key(wanted)
    found = Odds.objects.filter(deal=key).first()
    if found is not None or _waiting().count() >= MOST_WAITING:
        return found
    row, created = Odds.objects.get_or_create(deal=key, defaults={"wanted": wanted})
    if created:
        transaction.on_commit(partial(_wake, key))
    return row


def due() -> list[str]:
    """Return what is wanted and nobody is at, the longest wait first."""
    return list(_free().order_by("asked_at").values_list("deal", flat=True))


def find(deal: str) -> None:
    """Deal and keep the odds, unless that is done or another worker is at it."""
    if not _lease(deal):
        return
    row = Odds.objects.get(deal=deal)
    try:
        found = _dealt(row.wanted)
    except (odds.NoOdds, documents.BadGame, TooSlow):
        Odds.objects.filter(deal=deal).update(state=Odds.State.FAILED)
    else:
        rows = Odds.objects.filter(deal=deal, state=Odds.State.WANTED)
        rows.update(state=Odds.State.FOUND, found=found)


def sweep() -> None:
    """Give up what failed time and again, and forget the oldest of too many."""
    _free().filter(tries__gte=MOST_TRIES).update(state=Odds.State.FAILED)
    asked = Odds.objects.order_by("-asked_at").values_list("asked_at", flat=True)
    for oldest in asked[MOST_KEPT : MOST_KEPT + 1]:
        Odds.objects.filter(asked_at__lte=oldest).delete()


def _wake(deal: str) -> None:
    """Tell a worker; without a broker the next sweep does it."""
    try:
        current_app.send_task(FIND, [deal])
    except OperationalError:
        logger.warning("The broker is away: odds %s wait for the next sweep.", deal[:12])


def _key(wanted: dict[str, Any]) -> str:
    content = documents.content_hash(wanted["document"])
    return documents.content_hash(wanted | {"document": content})


def _waiting() -> QuerySet[Odds]:
    return Odds.objects.filter(state=Odds.State.WANTED)


def _free() -> QuerySet[Odds]:
    at_work = Q(leased_until__isnull=False, leased_until__gt=timezone.now())
    return _waiting().exclude(at_work)


def _lease(deal: str) -> bool:
    """Take the row for this worker; one statement, so that only one gets it."""
    until = timezone.now() + LEASE
    mine = _free().filter(deal=deal, tries__lt=MOST_TRIES)
    return bool(mine.update(leased_until=until, tries=F("tries") + 1))


def _dealt(wanted: dict[str, Any]) -> dict[str, Any]:
    game = forms.game_of(wanted["document"], wanted["modifiers"])
    end = monotonic() + MOST_SECONDS

    def in_time(_done: int, _whole: int) -> None:
        if monotonic() > end:
            raise TooSlow

    return odds.odds(game, players=wanted["players"], deals=wanted["deals"], progress=in_time)
