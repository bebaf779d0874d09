"""Chips for whoever has none left: the usual buy-in by one tap, and for a moment its undo."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import Q
from django.utils import timezone

from league.access import Action, Visitor, may, person
from league.models import BuyIn, CashOut, Night, User

OFFERED = timedelta(minutes=1)  # to take back what was bought


@dataclass(frozen=True, slots=True)
class Rebuy:
    """What is offered beside a stack: chips under a key of their own, or the undo of a buy-in."""

    player: UUID
    name: str
    chips: int
    key: UUID
    undo: UUID | None


def rebuys_at_table(
    visitor: Visitor, night: Night, stacks: Iterable[tuple[UUID, str, int]]
) -> list[Rebuy]:
    """Return what is offered to whoever keeps the score: players, names and their chips."""
    if night.state != Night.State.OPEN or not may(visitor, Action.KEEP_SCORE, night.league):
        return []
    rows = BuyIn.objects.filter(night=night).annotate(undone=Q(posting__reversal__isnull=False))
    return rebuys(visitor, night, stacks, rows)


def rebuys(
    visitor: Visitor,
    night: Night,
    stacks: Iterable[tuple[UUID, str, int]],
    bought: Iterable[BuyIn | CashOut],
) -> list[Rebuy]:
    """Return what is offered beside these stacks; `bought` are annotated with what is undone."""
    by = person(visitor)
    again = _bought_again(bought)
    undos = {each.player_id: each.pk for each in again if by and _is_undoable(each, by)}
    return [
        Rebuy(player, name, night.usual_buy_in, uuid4(), undos.get(player))
        for player, name, chips in stacks
        if player in undos or not chips
    ]


def _bought_again(rows: Iterable[BuyIn | CashOut]) -> Iterator[BuyIn]:
    """Yield what was bought after a player's first buy-in, which is how a night starts."""
    seen = set()
    for row in sorted(rows, key=lambda row: row.made_at):
        if isinstance(row, BuyIn):
            if row.player_id in seen:
                yield row
            seen.add(row.player_id)


def _is_undoable(row: BuyIn, by: User) -> bool:
    is_undone = vars(row)["undone"]  # annotated
    is_recent = row.made_at >= timezone.now() - OFFERED
    return row.made_by_id == by.pk and is_recent and not is_undone
