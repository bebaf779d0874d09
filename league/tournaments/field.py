"""Compute a tournament's field from its events: players, pool, bounties and places.

Events are applied in order. Undone events are skipped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from league.common.errors import Problem, RefusedError, problem
from league.common.money import evenly
from league.tournaments.seating import Place

MOST_FOR_ICM = 10  # each additional player doubles the computation time


def by_chips(stacks: Sequence[int], prizes: Sequence[int]) -> list[int]:
    """Split the prizes by chip count, in whole chips.

    Each player gets the lowest prize, and the rest is split in proportion to the stacks. `prizes`
    contains the prizes of the remaining places, one for each stack.
    """
    lowest = min(prizes)
    rest, chips = sum(prizes) - lowest * len(stacks), sum(stacks)
    return _whole_chips([lowest + Fraction(rest * stack, chips) for stack in stacks], sum(prizes))


def by_icm(stacks: Sequence[int], prizes: Sequence[int]) -> list[int]:
    """Split the prizes by the Independent Chip Model, in whole chips.

    Raises RefusedError if there are too many players.
    """
    return _whole_chips(icm(stacks, prizes), sum(prizes))


def icm(stacks: Sequence[int], prizes: Sequence[int]) -> list[Fraction]:
    """Return each stack's prize equity. Raises RefusedError if there are too many players.

    This is the Malmuth-Harville method. A player's probability of finishing first is the player's
    share of all chips. The probability of finishing second is the player's share of the chips
    without the first player's chips, and so on. See
    https://en.wikipedia.org/wiki/Independent_Chip_Model
    """
    count = len(stacks)
    if count > MOST_FOR_ICM:
        text = f"ICM is worked out for at most {MOST_FOR_ICM} players"
        raise RefusedError([problem("stacks", "too-many", text)])
    worth, total = [Fraction(0)] * count, sum(stacks)
    # The probability that exactly these players finish in the first places, in any order.
    chances = {0: Fraction(1)}
    for prize in prizes[:count]:
        following: dict[int, Fraction] = {}
        for placed, chance in chances.items():
            left = total - sum(stacks[at] for at in range(count) if placed >> at & 1)
            for at in range(count):
                if not placed >> at & 1:
                    part = chance * Fraction(stacks[at], left)
                    worth[at] += part * prize
                    key = placed | 1 << at
                    following[key] = following.get(key, Fraction(0)) + part
        chances = following
    return worth


def _whole_chips(shares: Sequence[Fraction], total: int) -> list[int]:
    """Round the shares to whole chips that add up to `total`.

    Leftover chips go to the largest remainders.
    """
    whole = [int(share) for share in shares]
    order = sorted(range(len(shares)), key=lambda at: whole[at] - shares[at])
    for at in order[: total - sum(whole)]:
        whole[at] += 1
    return whole


# Payouts by place.


# The percentages for the paid places, keyed by the maximum number of players for which they are
# used. Source for one table and for 20 players:
# http://www.homepokergames.com/home-poker-tournament-payout-structure.php Source for the number of
# paid places at a small table: http://pokerclock.com/eng/home-games/poker-tournament-payouts For
# other sizes, about a fifth of the field is paid, with a similar slope.
USUAL: tuple[tuple[int, tuple[int, ...]], ...] = (
    (4, (100,)),
    (6, (70, 30)),
    (12, (50, 30, 20)),
    (17, (47, 27, 16, 10)),
    (27, (45, 25, 15, 10, 5)),
    (36, (40, 23, 14, 10, 8, 5)),
)
MANY = (38, 22, 14, 10, 7, 5, 4)


def usual_parts(entrants: int) -> tuple[int, ...]:
    """Return the default percentages for the paid places with `entrants` players."""
    return next((parts for most, parts in USUAL if entrants <= most), MANY)


def payouts(pool: int, parts: Sequence[int], *, round_to: int = 1) -> list[int]:
    """Return the prizes, starting with first place.

    The prizes add up to the pool. No place gets more than the place above it. Each prize is rounded
    down to a multiple of `round_to`, and first place gets the remainder.
    """
    whole = sum(parts)
    prizes = [pool * part // whole // round_to * round_to for part in parts]
    prizes[0] += pool - sum(prizes)
    return prizes


class Act(StrEnum):
    ENTRY = "entry"
    REBUY = "rebuy"
    ADD_ON = "add-on"
    OUT = "out"
    SEAT = "seat"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament event. `by` contains the players who knocked the player out."""

    id: UUID
    kind: Act
    player: UUID | None
    by: tuple[UUID, ...] = ()
    place: Place | None = None
    undoes: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices in league chips.

    A player pays the bounty in addition to an entry, and in addition to a rebuy after a knockout.
    """

    entry: int
    rebuy: int = 0
    add_on: int = 0
    bounty: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacks:
    """The stacks that players buy, in tournament chips."""

    entry: int
    rebuy: int = 0
    add_on: int = 0


@dataclass(slots=True)
class Field:
    """The players in order of entry, and their state.

    `playing` lists the remaining players in the order of their last entry. `out` starts with the
    player who was knocked out last. `paid` and `bounties_won` are in league chips. A bounty that no
    player has won is part of the `pool`.
    """

    players: list[UUID] = made(default_factory=list)
    playing: list[UUID] = made(default_factory=list)
    out: list[UUID] = made(default_factory=list)
    rebuys: Counter[UUID] = made(default_factory=Counter)
    add_ons: Counter[UUID] = made(default_factory=Counter)
    seats: dict[UUID, Place] = made(default_factory=dict)
    paid: Counter[UUID] = made(default_factory=Counter)
    bounties_won: Counter[UUID] = made(default_factory=Counter)
    pool: int = 0
    chips_in_play: int = 0

    @property
    def average(self) -> int:
        """The average stack of the remaining players, rounded down."""
        return self.chips_in_play // len(self.playing) if self.playing else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The league chips that a player paid and won."""

    player: UUID
    place: int
    paid: int
    prize: int
    bounties: int

    @property
    def net(self) -> int:
        return self.prize + self.bounties - self.paid


def read_field(events: Sequence[Event], prices: Prices, stacks: Stacks) -> Field:
    """Return the field after these events."""
    field, undone = Field(), {each.undoes for each in events if each.kind == Act.UNDO}
    for event in events:
        if event.id not in undone and event.player is not None:
            _apply(field, event, event.player, prices, stacks)
    return field


def wrong_event(
    events: Sequence[Event], event: Event, prices: Prices, stacks: Stacks
) -> Iterator[Problem]:
    """Yield the problems if `event` is impossible after `events`."""
    if event.kind == Act.UNDO:
        yield from _wrong_undo(events, event, prices, stacks)
    else:
        yield from _wrong_act(read_field(events, prices, stacks), event, prices)


def results(
    field: Field,
    prices: Prices,
    deal: Mapping[UUID, int] | None,
    parts: Sequence[int],
    round_to: int,
) -> list[Result]:
    """Return the chips each player paid and won, starting with first place.

    The total is zero. The remaining players take the first places in the order of the `deal`, and
    each of them keeps their own bounty. Prizes for places beyond the field go to first place.
    """
    first = list(deal) if deal else list(field.playing)
    order = [*first, *field.out]
    prizes = payouts(field.pool, parts[: len(order)], round_to=round_to) if order else []
    prizes += [0] * (len(order) - len(prizes))
    if deal:
        prizes[: len(first)] = deal.values()
    return [
        Result(
            player=player,
            place=place,
            paid=field.paid[player],
            prize=prize,
            bounties=field.bounties_won[player] + (prices.bounty if place <= len(first) else 0),
        )
        for place, (player, prize) in enumerate(zip(order, prizes, strict=True), 1)
    ]


def _apply(field: Field, event: Event, player: UUID, prices: Prices, stacks: Stacks) -> None:
    purchases = {
        Act.ENTRY: (prices.entry, stacks.entry),
        Act.REBUY: (prices.rebuy, stacks.rebuy),
        Act.ADD_ON: (prices.add_on, stacks.add_on),
    }
    if event.kind in purchases:
        price, chips = purchases[event.kind]
        field.paid[player] += price
        field.pool += price
        field.chips_in_play += chips
    match event.kind:
        case Act.ENTRY:
            field.players.append(player)
            field.playing.append(player)
            field.paid[player] += prices.bounty
        case Act.REBUY:
            field.rebuys[player] += 1
            if player in field.out:
                field.out.remove(player)
                field.playing.append(player)
                field.paid[player] += prices.bounty
        case Act.ADD_ON:
            field.add_ons[player] += 1
        case Act.OUT:
            field.playing.remove(player)
            field.out.insert(0, player)
            field.seats.pop(player, None)
            if event.by:
                field.bounties_won.update(evenly(prices.bounty, event.by))
            else:
                field.pool += prices.bounty
        case Act.SEAT:
            if event.place and player in field.playing:
                field.seats[player] = event.place


def _wrong_act(field: Field, event: Event, prices: Prices) -> Iterator[Problem]:
    if event.undoes is not None:
        yield problem("undoes", "bad-event", "only an undo can name another event")
    if event.by and event.kind != Act.OUT:
        yield problem("knocked_out_by", "bad-event", "only a knockout can name other players")
    if (event.place is not None) != (event.kind == Act.SEAT):
        yield problem("seat", "bad-event", "only a seat change has a seat")
    if event.player is None:
        yield problem("player", "required", "choose a player")
    else:
        yield from _WRONG[event.kind](field, event, event.player, prices)


def _wrong_entry(field: Field, _: Event, player: UUID, _prices: Prices) -> Iterator[Problem]:
    if player in field.players:
        yield problem("player", "already-entered", "has already entered")


def _wrong_rebuy(field: Field, _: Event, player: UUID, prices: Prices) -> Iterator[Problem]:
    if not prices.rebuy:
        yield problem("kind", "no-rebuy", "this tournament has no rebuys")
    if player not in field.players:
        yield _not_in("player")


def _wrong_add_on(field: Field, _: Event, player: UUID, prices: Prices) -> Iterator[Problem]:
    if not prices.add_on:
        yield problem("kind", "no-add-on", "this tournament has no add-ons")
    if player not in field.playing:
        yield _not_in("player")
    elif field.add_ons[player]:
        yield problem("player", "already-added", "has already taken the add-on")


def _wrong_out(field: Field, event: Event, player: UUID, _: Prices) -> Iterator[Problem]:
    if player not in field.playing:
        yield _not_in("player")
    elif len(field.playing) == 1:
        yield problem("player", "last-one", "the last player has won and can't be knocked out")
    if len(set(event.by)) < len(event.by) or player in event.by:
        yield problem("knocked_out_by", "bad-event", "choose other players who are in, each once")
    if not set(event.by) <= set(field.playing):
        yield _not_in("knocked_out_by")


def _wrong_seat(field: Field, event: Event, player: UUID, _: Prices) -> Iterator[Problem]:
    if player not in field.playing:
        yield _not_in("player")
    if any(who != player and place == event.place for who, place in field.seats.items()):
        yield problem("seat", "taken", "this seat is taken")


def _wrong_undo(
    events: Sequence[Event], event: Event, prices: Prices, stacks: Stacks
) -> Iterator[Problem]:
    """Yield the problems if undoing an event would make a later event impossible."""
    earlier = next((other for other in events if other.id == event.undoes), None)
    if event.player or event.by or event.place:
        yield problem("kind", "bad-event", "an undo names only the event")
    if earlier is None or earlier.kind == Act.UNDO:
        yield problem("undoes", "unknown-event", "this tournament has no such event")
        return
    undone = {other.undoes for other in events}
    if earlier.id in undone:
        yield problem("undoes", "already-undone", "this was already undone")
        return
    without, field = undone | {earlier.id}, Field()
    for other in events:
        if other.id in without or other.kind in {Act.UNDO, Act.SEAT} or other.player is None:
            continue
        if any(_wrong_act(field, other, prices)):
            yield problem("undoes", "needed", "a later event depends on it: undo that first")
            return
        _apply(field, other, other.player, prices, stacks)


def _not_in(where: str) -> Problem:
    return problem(where, "not-in", "is not in the tournament")


_WRONG = {
    Act.ENTRY: _wrong_entry,
    Act.REBUY: _wrong_rebuy,
    Act.ADD_ON: _wrong_add_on,
    Act.OUT: _wrong_out,
    Act.SEAT: _wrong_seat,
}
