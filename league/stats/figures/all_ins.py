"""The results of all-ins, compared with their expected value."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from uuid import UUID

from league.stats.figures.results_by_night import Evenings
from league.stats.scopes import Also, Scope, scope_condition
from ledger.sql import as_uuid, query


@dataclass(frozen=True, slots=True, kw_only=True)
class AllInFigures:
    """A player's winnings in all-ins before the board was complete, and the expected value.

    The expected value was computed for `exact` of the `hands`. The other hands had too many
    possible outcomes, so `expected` contains their actual result.
    """

    player: UUID
    name: str
    hands: int
    exact: int
    won: int
    expected: float

    @property
    def luck(self) -> float:
        """The chips won beyond the expected value."""
        return self.won - self.expected


@dataclass(frozen=True, slots=True)
class AllInNight:
    """A player's all-ins in a night. `adjusted` is the expected value in thousandths of a chip."""

    player: UUID
    name: str
    night: str
    hands: int
    exact: int
    won: int
    adjusted: int


def all_in_nights(scope: Scope, *, player: UUID | None = None) -> list[AllInNight]:
    """Return each night's all-ins, keyed by player name, in one query."""
    where, values = scope_condition(scope, Also("player_id", player))
    rows = query(
        "SELECT p.id, p.name, CAST(t.night_id AS text), t.hands, t.exact, t.won, t.adjusted"
        " FROM league_allintally t JOIN league_player p ON p.id = t.player_id"
        f" WHERE {where} ORDER BY lower(p.name), p.id, t.night_id, t.verified",
        values,
    )
    return [AllInNight(as_uuid(key), *rest) for key, *rest in rows]


def all_ins(scope: Scope, *, player: UUID | None = None) -> list[AllInFigures]:
    """Return each player's all-in results, keyed by name, in one query."""
    return summed(all_in_nights(scope, player=player))


def summed(nights: Iterable[AllInNight]) -> list[AllInFigures]:
    """Return each player's totals over all nights, sorted by the player's first night."""
    by_player: dict[UUID, list[AllInNight]] = {}
    for night in nights:
        by_player.setdefault(night.player, []).append(night)
    return [
        AllInFigures(
            player=key,
            name=mine[0].name,
            hands=sum(night.hands for night in mine),
            exact=sum(night.exact for night in mine),
            won=sum(night.won for night in mine),
            expected=sum(night.adjusted for night in mine) / 1000,
        )
        for key, mine in by_player.items()
    ]


def actual_and_adjusted(
    read: Evenings, nights: Iterable[AllInNight], *, names: tuple[str, str]
) -> Evenings:
    """Return a player's nights twice: as played, and with all-ins at their expected value.

    `names` are the names of the two results. Returns an empty result if no all-in could be
    computed. Running totals are rounded, but single nights are not.
    """
    luck: dict[str, int] = {}
    exact = 0
    for night in nights:
        luck[night.night] = luck.get(night.night, 0) + 1000 * night.won - night.adjusted
        exact += night.exact
    if not exact or not read.players:
        return replace(read, players=())
    [mine] = read.players
    adjusted_nets = (
        1000 * net - luck.get(read.nights[at].key, 0)
        for at, net in zip(mine.at, mine.nets, strict=True)
    )
    totals = [0, *((thousandths + 500) // 1000 for thousandths in accumulate(adjusted_nets))]
    nets = [after - before for before, after in pairwise(totals)]
    actual, adjusted = names
    players = (replace(mine, name=actual), replace(mine, name=adjusted, nets=nets))
    return replace(read, players=players)
