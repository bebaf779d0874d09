"""The chip count at the end of a night, compared with the stacks computed from the hands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Max

from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse, wrong_number
from league.models import (
    MOST_CHIPS,
    BuyIn,
    CashOut,
    ChipCount,
    LeftoverPolicy,
    Night,
    Player,
    Revision,
    Seat,
    User,
)
from league.nights import accounts
from league.nights.carried_pots import Pot, pots_left, shares
from league.nights.nights import lock_and_bump_open, stacks
from league.notices.messages import notify_to_count
from ledger.balances import balances


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCount:
    """A player's chips at the end of the night.

    `stack` is the stack according to the hands. `back` is the player's share of returned pots.
    `counted` is None if the chips are not counted. `due` is true if the chips should be counted.
    `gone` is true if the player cashed out and left, so there are no chips to count. `stale` is an
    outdated count that was made before the player's last hand.
    """

    player: UUID
    name: str
    position: int
    stack: int
    back: int = 0
    counted: int | None = None
    due: bool = True
    gone: bool = False
    stale: int | None = None

    @property
    def expected(self) -> int:
        return self.stack + self.back

    @property
    def chips(self) -> int:
        """The chips that the closing uses: the counted chips, or else the expected chips."""
        return self.expected if self.counted is None else self.counted

    @property
    def difference(self) -> int:
        """The counted chips minus the expected chips, negative if some are missing."""
        return self.chips - self.expected

    @property
    def is_off(self) -> bool:
        return self.counted is not None and bool(self.difference)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightCount:
    """The chip count of a night.

    `drift` is the balance of the night's drift account. `pots` are the unclaimed pots.
    """

    lines: tuple[PlayerCount, ...]
    drift: int
    pots: tuple[Pot, ...]

    @property
    def off(self) -> list[PlayerCount]:
        """The lines in which the count differs from the expected chips."""
        return [line for line in self.lines if line.is_off]

    @property
    def missing(self) -> int:
        """How many bought chips are missing from the count, negative for surplus chips."""
        return self.drift - sum(line.difference for line in self.lines)

    @property
    def surplus(self) -> int:
        """How many chips were counted beyond those that were bought."""
        return -self.missing

    @property
    def explained_by(self) -> UUID | None:
        """The only seated player whose count is off, if the night is off by the same number."""
        if len(self.off) != 1 or self.off[0].difference != -self.missing:
            return None
        return self.off[0].player if self.off[0].position else None

    @property
    def uncounted(self) -> list[PlayerCount]:
        return [line for line in self.lines if line.due and line.counted is None]


@transaction.atomic
def count(
    night: Night, player: Player, chips: int | None, *, count_id: UUID, by: User | None
) -> ChipCount:
    """Record the player's chip count, once for each id. If `chips` is None, remove the count.

    Raises RefusedError, IdReusedError or NightClosedError.
    """
    if existing := _counted_already(night, player, chips, count_id):
        return existing
    lock_and_bump_open(night)
    if existing := _counted_already(night, player, chips, count_id):
        return existing
    problems = [] if chips is None else list(wrong_count(chips))
    if not Seat.objects.filter(night=night, player=player).exists():
        problems.append(problem("player", "unknown-player", "the player has no seat in this night"))
    refuse([*problems, *row_limits.COUNTS.exceeded(night.counts)])
    last: int | None = night.counts.aggregate(last=Max("number"))["last"]
    if last is None:
        notify_to_count(night, by=by)
    return ChipCount.objects.create(
        id=count_id,
        night=night,
        player=player,
        number=(last or 0) + 1,
        chips=chips,
        made_by=by,
    )


def wrong_count(chips: object) -> Iterator[Problem]:
    yield from wrong_number("chips", chips, 0, MOST_CHIPS, code="bad-chips")


@transaction.atomic
def count_all(
    night: Night, chips: Mapping[Player, int | None], *, counts_id: UUID, by: User | None
) -> None:
    """Record chip counts of several players. Unchanged counts are skipped.

    Raises the same errors as `count`.
    """
    lock_and_bump_open(night)
    counts = _last_counts(night, _last(CashOut, night))
    current, stale = _current(counts), _stale(counts)
    for player, number in chips.items():
        if current.get(player.pk) != number or (number is None and player.pk in stale):
            count(night, player, number, count_id=uuid5(counts_id, f"{player.pk} {number}"), by=by)


@dataclass(frozen=True, slots=True)
class _LastCount:
    """A player's last count. The count is stale if it was made before the player's last hand."""

    chips: int
    stale: bool


def _last_counts(night: Night, cashed: Mapping[UUID, datetime]) -> dict[UUID, _LastCount]:
    """Return the last count of each counted player.

    A hand played after the counts does not change their total. The total would look right but the
    payments would be wrong, so that hand's players have to count again. Buy-ins do change the
    total, so they do not make a count stale. A cash-out ends a count: the counted chips are gone.
    `cashed` are the times of the players' last cash-outs.
    """
    counts = ChipCount.objects.filter(night=night).order_by("number")
    columns = counts.values_list("player", "chips", "made_at")
    last = {player: (chips, made_at) for player, chips, made_at in columns}
    dealt: dict[UUID, datetime] = {}
    if last:  # corrections do not change when a hand was dealt
        rows = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
        times = rows.order_by("hand__made_at").values_list("names", "hand__made_at")
        dealt = {UUID(player): made_at for names, made_at in times for player in names.values()}
    return {
        player: _LastCount(chips, stale=player in dealt and made_at < dealt[player])
        for player, (chips, made_at) in last.items()
        if chips is not None and not (player in cashed and made_at < cashed[player])
    }


def _current(counts: Mapping[UUID, _LastCount]) -> dict[UUID, int]:
    return {player: count.chips for player, count in counts.items() if not count.stale}


def _stale(counts: Mapping[UUID, _LastCount]) -> dict[UUID, int]:
    return {player: count.chips for player, count in counts.items() if count.stale}


def tally(night: Night, typed: Mapping[UUID, int | None] | None = None) -> NightCount:
    """Return the current count, compared with the stacks computed from the hands.

    `typed` contains unsaved counts, which take precedence over saved counts.
    """
    seats = list(Seat.objects.filter(night=night).select_related("player").order_by("position"))
    pots = tuple(pots_left(night, [seat.player_id for seat in seats if seat.left_at is None]))
    back = shares(pots if night.league.leftover == LeftoverPolicy.BACK else ())
    chips = stacks(night)
    bought, cashed = _last(BuyIn, night), _last(CashOut, night)
    counts = _last_counts(night, cashed)
    counted: dict[UUID, int | None] = {**_current(counts), **(typed or {})}
    key = accounts.drift(night.pk).key
    lines = [
        _counted(
            seat,
            stack=chips[seat.player_id],
            back=back.pop(seat.player_id, 0),
            counted=counted.get(seat.player_id),
            bought_at=bought.get(seat.player_id),
            cashed_at=cashed.get(seat.player_id),
        )
        for seat in seats
    ]
    stale = {who: chips for who, chips in _stale(counts).items() if counted.get(who) is None}
    # players without a seat who get a share of a pot from an earlier night
    names = dict(Player.objects.filter(pk__in=list(back)).values_list("pk", "name"))
    others = [
        PlayerCount(player=who, name=names[who], position=0, stack=0, back=chips, due=False)
        for who, chips in back.items()
    ]
    return NightCount(
        lines=(*(replace(each, stale=stale.get(each.player)) for each in lines), *others),
        drift=balances(night.league.book, keys=[key]).get(key, 0),
        pots=pots,
    )


def _counted(
    seat: Seat,
    *,
    stack: int,
    back: int,
    counted: int | None,
    bought_at: datetime | None,
    cashed_at: datetime | None,
) -> PlayerCount:
    """Return a seat's line. A player who cashed out and left has no chips to count."""
    cashed = cashed_at is not None and (bought_at is None or cashed_at >= bought_at)
    gone = seat.left_at is not None and cashed and counted is None
    return PlayerCount(
        player=seat.player_id,
        name=seat.player.name,
        position=seat.position,
        stack=stack,
        back=back,
        counted=back if gone else counted,
        due=not gone and (stack != 0 or (bought_at is not None and seat.left_at is None)),
        gone=gone,
    )


def _last(rows: type[BuyIn] | type[CashOut], night: Night) -> dict[UUID, datetime]:
    last = (
        rows.objects.filter(night=night, posting__reversal=None)
        .values("player")
        .annotate(last=Max("made_at"))
    )
    return dict(last.order_by().values_list("player", "last"))


def _counted_already(
    night: Night, player: Player, chips: int | None, count_id: UUID
) -> ChipCount | None:
    chip_count = ChipCount.objects.filter(pk=count_id).first()
    content = (night.pk, player.pk, chips)
    if chip_count and (chip_count.night_id, chip_count.player_id, chip_count.chips) != content:
        raise IdReusedError
    return chip_count
