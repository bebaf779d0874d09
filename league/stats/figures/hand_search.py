"""Hands looked for by what they were to somebody: "when did Bob last scoop Nightmare?".

Read from what is counted, as feeds are: a hand is found some seconds after it was recorded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import HandFact, Result


class Came(StrEnum):
    """What a hand was to a player."""

    WON = "won"
    LOST = "lost"
    SCOOPED = "scooped"
    WON_HIGH = "won-high"
    WON_LOW = "won-low"
    DECLARED_RIGHT = "declared-right"
    DECLARED_WRONG = "declared-wrong"


_CONDITIONS = {
    Came.WON: Q(net__gt=0),
    Came.LOST: Q(net__lt=0),
    Came.SCOOPED: Q(scooped=True),
    Came.WON_HIGH: Q(won_high=True),
    Came.WON_LOW: Q(won_low=True),
    Came.DECLARED_RIGHT: Q(was_right=True),
    Came.DECLARED_WRONG: Q(was_right=False),
}


class Order(StrEnum):
    """Which hands come first."""

    LATEST = "latest"
    EARLIEST = "earliest"
    BIGGEST_POT = "biggest-pot"


_ORDERS = {
    Order.LATEST: ("-played_at", "-pk"),
    Order.EARLIEST: ("played_at", "pk"),
    Order.BIGGEST_POT: ("-pot", "played_at", "pk"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for; what is None is not asked. `came` and `declared` are of the player,
    of anybody where none is given. `after` is inclusive, `before` exclusive."""

    league: UUID
    season: UUID | None = None
    night: UUID | None = None
    game: str | None = None
    dealer: UUID | None = None
    player: UUID | None = None
    came: Came | None = None
    declared: str | None = None
    mistaken: bool | None = None
    verified: bool | None = None
    after: datetime | None = None
    before: datetime | None = None


def hands_wanted(wanted: Wanted, order: Order = Order.LATEST) -> QuerySet[HandFact]:
    """Return the matching hands in order. Removed hands are left out."""
    rows = HandFact.objects.filter(voided=False, **dict(_of_hand(wanted)))
    if own := list(_of_player(wanted)):
        rows = rows.filter(Exists(Result.objects.filter(*own, fact=OuterRef("pk"))))
    return rows.order_by(*_ORDERS[order])


def _of_hand(wanted: Wanted) -> Iterator[tuple[str, Any]]:
    yield "league", wanted.league
    for name in ("season", "night", "game", "dealer", "mistaken", "verified"):
        if (value := getattr(wanted, name)) is not None:
            yield name, value
    if wanted.after is not None:
        yield "played_at__gte", wanted.after
    if wanted.before is not None:
        yield "played_at__lt", wanted.before


def _of_player(wanted: Wanted) -> Iterator[Q]:
    if wanted.player is not None:
        yield Q(player=wanted.player)
    if wanted.came is not None:
        yield _CONDITIONS[wanted.came]
    if wanted.declared is not None:
        yield Q(declared=wanted.declared)
