"""Nights as they were read, and who was there; brought up to what has moved, place by place."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _


class Night(NamedTuple):
    """What is known of a night, `key` and `season` being ids as the database keeps them.

    It lasted so many `seconds`, from its start to its last hand, the one with number `dealt`.
    """

    key: str
    season: str
    number: int
    given_name: str
    started_at: str
    seconds: float
    dealt: int

    @property
    def name(self) -> str:
        return self.given_name or _("Night %(number)s") % {"number": self.number}

    @property
    def order(self) -> tuple[str, int, str]:
        return self.started_at, self.number, self.key


# Places of nights, ascending, with the hands and the net of each: see `Attended`.
Columns = tuple[list[int], list[int], list[int]]


class NightsRead(NamedTuple):
    """Nights in order, and what is known of players at them."""

    nights: list[Night]
    players: dict[UUID, Columns]


def joined(known: NightsRead, moved: NightsRead) -> NightsRead | None:
    """Return the nights as they have moved; None where a new one began before another."""
    nights = list(known.nights)
    place = {night.key: at for at, night in enumerate(nights)}
    for night in moved.nights:
        at = place.setdefault(night.key, len(nights))
        if at < len(nights):
            nights[at] = night
        elif nights and night.order < nights[-1].order:
            return None
        else:
            nights.append(night)
    now = [place[night.key] for night in moved.nights]
    players = {}
    for key in {**known.players, **moved.players}:
        lines = [(now[at], hands, net) for at, hands, net in _lines(moved, key)]
        columns = _patched(known.players.get(key, ([], [], [])), now, lines)
        if columns[0]:
            players[key] = columns
    return NightsRead(nights, players)


def _patched(
    known: Columns, places: Sequence[int], lines: Sequence[tuple[int, int, int]]
) -> Columns:
    """Return the nights of a player with these lines in place of what was known of these places.

    Whoever was at none of them, as most were not, is left as is.
    """
    there = [at for at in places if _is_at(known[0], at)]
    if not there and not lines:
        return known
    columns: Columns = (list(known[0]), list(known[1]), list(known[2]))
    for at in there:
        spot = bisect_left(columns[0], at)
        for each in columns:
            del each[spot]
    for line in lines:
        spot = bisect_left(columns[0], line[0])
        for each, number in zip(columns, line, strict=True):
            each.insert(spot, number)
    return columns


def _is_at(places: Sequence[int], at: int) -> bool:
    spot = bisect_left(places, at)
    return spot < len(places) and places[spot] == at


def _lines(read: NightsRead, player: UUID) -> Iterable[tuple[int, int, int]]:
    return zip(*read.players.get(player, ((), (), ())), strict=True)
