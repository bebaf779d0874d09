"""A player's seasons compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from league.models import Season
from league.stats.figures.attendance import Attended, Evenings, evenings
from league.stats.scopes import Scope, rate
from ledger.sql import as_uuid


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFigures:
    """What a season brought a player, as the hands say; nights are those with a hand."""

    player: UUID
    name: str
    season: UUID
    season_name: str
    nights: int
    nights_won: int
    hands: int
    net: int
    best: int
    worst: int

    @property
    def net_per_night(self) -> float | None:
        """What a night brought on the mean."""
        return rate(self.net, self.nights)

    @property
    def net_per_100(self) -> float | None:
        """What a hundred hands brought on the mean."""
        return rate(100 * self.net, self.hands)


def seasons(scope: Scope, *, player: UUID | None = None) -> list[SeasonFigures]:
    """Return each season of each player, by name, the last first; five queries at most."""
    rows = Season.objects.filter(league=scope.league).values_list("pk", "name")
    return seasons_of(evenings(scope, player=player), dict(rows))


def seasons_of(read: Evenings, names: Mapping[UUID, str]) -> list[SeasonFigures]:
    """Return the same from the nights as they were read, and what seasons are called."""
    return [each for mine in read.players for each in _seasons(mine, read, names)]


def _seasons(mine: Attended, read: Evenings, names: Mapping[UUID, str]) -> Iterator[SeasonFigures]:
    played: dict[str, list[tuple[int, int]]] = {}
    for at, hands, net in zip(mine.at, mine.hands, mine.nets, strict=True):
        played.setdefault(read.nights[at].season, []).append((hands, net))
    for key, nights in reversed(played.items()):
        season = as_uuid(key)
        yield _figures(mine, season, names[season], nights)


def _figures(
    mine: Attended, season: UUID, name: str, nights: Sequence[tuple[int, int]]
) -> SeasonFigures:
    nets = [net for _, net in nights]
    return SeasonFigures(
        player=mine.player,
        name=mine.name,
        season=season,
        season_name=name,
        nights=len(nets),
        nights_won=sum(net > 0 for net in nets),
        hands=sum(hands for hands, _ in nights),
        net=sum(nets),
        best=max(nets),
        worst=min(nets),
    )
