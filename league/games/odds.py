"""A game's odds, estimated from random deals, computed once for each setup and stored.

A row without odds is a request. A worker leases the row while it deals. If the message that wakes
the worker is lost, `due` finds the row.
"""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from league.jobs import leases, queues
from league.models import Odds
from rules.api import OddsError, odds
from rules.documents import documents
from rules.presentation import form

FIND = "league.tasks.find_odds"
DEALS = 20_000
USUAL_PLAYERS = 5
# A visitor can request many setups of a game. Requests beyond this limit are not stored. The limit
# applies per asker, so one league's slow games do not block other leagues.
MOST_WAITING = 12
MOST_KEPT = 20_000
MOST_SECONDS = 60.0  # shorter than a lease
MOST_TRIES = 3

Document = dict[str, Any]


class TooSlowError(Exception):
    """Dealing took longer than the time limit."""


def players_of(document: Mapping[str, Any]) -> range:
    """Return the numbers of players that the game's document allows, as a range."""
    least, most = document.get("players", (2, 8))
    return range(max(2, least), most + 1)


def usual_players(document: Document) -> int:
    fit = players_of(document)
    return min(max(USUAL_PLAYERS, fit.start), fit.stop - 1)


def request_odds(
    document: Document, modifiers: Sequence[str], players: int, *, league: UUID | None = None
) -> Odds | None:
    """Return the odds or a request for them, or None if too many requests are waiting.

    The modifiers must be valid for the document. All house games of a league share one limit.
    """
    request = {
        "document": document,
        "modifiers": list(modifiers),
        "players": players,
        "deals": DEALS,
    }
    content = documents.content_hash(document)
    key, asker = documents.content_hash(request | {"document": content}), str(league or "")
    existing = Odds.objects.filter(deal=key).first()
    if existing is not None or _waiting_odds().filter(asker=asker).count() >= MOST_WAITING:
        return existing
    row, created = Odds.objects.get_or_create(
        deal=key, defaults={"wanted": request, "asker": asker}
    )
    if created:
        queues.send_task_on_commit(FIND)
    return row


def due() -> list[str]:
    """Return the requests that no worker has leased, oldest first."""
    return leases.keys_of(leases.free(_waiting_odds()), "deal", since="asked_at")


def due_askers() -> list[str]:
    """Return the askers with requests that no worker has leased, oldest first."""
    return leases.keys_of(leases.free(_waiting_odds()), "asker", since="asked_at")


def find_next(asker: str) -> bool:
    """Compute the asker's oldest request. Return whether there was one."""
    return _find_first(_waiting_odds().filter(asker=asker))


def find(deal: str) -> bool:
    """Compute the odds with this key unless they are already computed or leased.

    Return whether they were computed.
    """
    return _find_first(_waiting_odds().filter(deal=deal))


def _find_first(rows: QuerySet[Odds]) -> bool:
    taken = leases.lease(rows.filter(tries__lt=MOST_TRIES), order=("asked_at",), most=1)
    for row in taken:
        try:
            odds = _dealt(row.wanted)
        except (OddsError, documents.GameError, TooSlowError):
            Odds.objects.filter(deal=row.deal).update(state=Odds.State.FAILED)
        else:
            _waiting_odds().filter(deal=row.deal).update(state=Odds.State.FOUND, found=odds)
    return bool(taken)


def sweep() -> None:
    """Mark requests with too many tries as failed, and delete the oldest rows over the limit."""
    worn_out = leases.free(_waiting_odds()).filter(tries__gte=MOST_TRIES)
    worn_out.update(state=Odds.State.FAILED)
    times = Odds.objects.order_by("-asked_at").values_list("asked_at", flat=True)
    for oldest in times[MOST_KEPT : MOST_KEPT + 1]:
        Odds.objects.filter(asked_at__lte=oldest).delete()


def _waiting_odds() -> QuerySet[Odds]:
    return Odds.objects.filter(state=Odds.State.WANTED)


def _dealt(request: dict[str, Any]) -> dict[str, Any]:
    game = form.game_of(request["document"], request["modifiers"])
    end = monotonic() + MOST_SECONDS

    def in_time(_done: int, _whole: int) -> None:
        if monotonic() > end:
            raise TooSlowError

    return odds(game, players=request["players"], deals=request["deals"], progress=in_time)
