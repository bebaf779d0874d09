"""The count at the end: the chips before each player against those that the hands explain."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Max

from league import accounts
from league.leftovers import Pot, pots_left, shares
from league.models import (
    MOST_CHIPS,
    BuyIn,
    CashOut,
    Count,
    Leftover,
    Night,
    Player,
    Seat,
    User,
)
from league.nights import lock_open_night, stacks
from league.refusals import Fault, KeyReused, fault, refuse
from ledger.balances import balances


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A player's chips at the end.

    `stack` is what the hands explain, `back` the share of a pot that goes back. `counted` is empty
    where nobody counted; `due` says that somebody should, `gone` that the player left with the
    chips and has none to count.
    """

    player: UUID
    name: str
    position: int
    stack: int
    back: int = 0
    counted: int | None = None
    due: bool = True
    gone: bool = False

    @property
    def expected(self) -> int:
        return self.stack + self.back

    @property
    def chips(self) -> int:
        """The chips that decide: those counted, or as the hands say."""
        return self.expected if self.counted is None else self.counted

    @property
    def difference(self) -> int:
        """Chips counted beyond those expected, below zero where some are missing."""
        return self.chips - self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The count of a night: `drift` is what lies in its account already, `pots` are unwon."""

    lines: tuple[Counted, ...]
    drift: int
    pots: tuple[Pot, ...]

    @property
    def missing(self) -> int:
        """Chips that were bought and are nowhere, below zero where there are too many."""
        return self.drift - sum(line.difference for line in self.lines)

    @property
    def uncounted(self) -> list[Counted]:
        return [line for line in self.lines if line.due and line.counted is None]


@transaction.atomic
def count(
    night: Night, player: Player, chips: int | None, *, count_id: UUID, by: User | None
) -> Count:
    """Say how many chips are before the player; None takes the count back. Once for each id.

    Raises Refused, KeyReused, NightClosed.
    """
    lock_open_night(night)
    if found := Count.objects.filter(pk=count_id).first():
        if (found.night_id, found.player_id, found.chips) != (night.pk, player.pk, chips):
            raise KeyReused
        return found
    refuse(_wrong(night, player, chips))
    last: int | None = night.counts.aggregate(last=Max("number"))["last"]
    return Count.objects.create(
        id=count_id,
        night=night,
        player=player,
        number=(last or 0) + 1,
        chips=chips,
        made_by=by,
    )


@transaction.atomic
def count_all(
    night: Night, chips: Mapping[Player, int | None], *, counts_id: UUID, by: User | None
) -> None:
    """Say how many chips are before each of these players; what stands already is not said again.

    Raises as `count`.
    """
    lock_open_night(night)
    standing = latest(night)
    for player, number in chips.items():
        if standing.get(player.pk) != number:
            count(night, player, number, count_id=uuid5(counts_id, f"{player.pk} {number}"), by=by)


def latest(night: Night) -> dict[UUID, int]:
    """Return the chips that were last counted, of the players who are counted."""
    rows = Count.objects.filter(night=night).order_by("number").values_list("player", "chips")
    return {player: chips for player, chips in dict(rows).items() if chips is not None}


def tally(night: Night, typed: Mapping[UUID, int | None] | None = None) -> Tally:
    """Return the count as it stands, against what the hands explain.

    `typed` are counts that nobody has saved yet and that go before those saved.
    """
    seats = list(Seat.objects.filter(night=night).select_related("player").order_by("position"))
    pots = tuple(pots_left(night, [seat.player_id for seat in seats if seat.left_at is None]))
    back = shares(pots if night.league.leftover == Leftover.BACK else ())
    chips = stacks(night)
    counted: dict[UUID, int | None] = {**latest(night), **(typed or {})}
    bought, cashed = _last(BuyIn, night), _last(CashOut, night)
    key = accounts.drift(night.pk).key
    lines = [
        _counted(
            seat,
            stack=chips[seat.player_id],
            back=back.pop(seat.player_id, 0),
            counted=counted.get(seat.player_id),
            played=seat.player_id in bought,
            cashed=_left_with_cash(seat, bought, cashed),
        )
        for seat in seats
    ]
    return Tally(
        lines=(*lines, *_others(back)),
        drift=balances(night.league.book, keys=[key]).get(key, 0),
        pots=pots,
    )


def _counted(
    seat: Seat, *, stack: int, back: int, counted: int | None, played: bool, cashed: bool
) -> Counted:
    """Return a seat's line: who went home with the chips has none, whatever the hands say."""
    gone = cashed and counted is None
    return Counted(
        player=seat.player_id,
        name=seat.player.name,
        position=seat.position,
        stack=stack,
        back=back,
        counted=back if gone else counted,
        due=not gone and (stack != 0 or (played and seat.left_at is None)),
        gone=gone,
    )


def _others(back: Mapping[UUID, int]) -> Iterator[Counted]:
    """Yield who gets a part of a pot from a night before and does not sit at this one."""
    names = dict(Player.objects.filter(pk__in=list(back)).values_list("pk", "name"))
    for player, chips in back.items():
        name = names[player]
        yield Counted(player=player, name=name, position=0, stack=0, back=chips, due=False)


def _left_with_cash(
    seat: Seat, bought: Mapping[UUID, datetime], cashed: Mapping[UUID, datetime]
) -> bool:
    out, last = cashed.get(seat.player_id), bought.get(seat.player_id)
    return seat.left_at is not None and out is not None and (last is None or out >= last)


def _last(rows: type[BuyIn] | type[CashOut], night: Night) -> dict[UUID, datetime]:
    found = rows.objects.filter(night=night).values("player").annotate(last=Max("made_at"))
    return dict(found.order_by().values_list("player", "last"))


def _wrong(night: Night, player: Player, chips: object) -> Iterator[Fault]:
    whole = isinstance(chips, int) and not isinstance(chips, bool)
    if chips is not None and not (whole and 0 <= chips <= MOST_CHIPS):  # type: ignore[operator]
        yield fault("chips", "bad-chips", f"this must be a whole number from 0 to {MOST_CHIPS}")
    if not Seat.objects.filter(night=night, player=player).exists():
        yield fault("player", "unknown-player", "the player has no seat at this night")
