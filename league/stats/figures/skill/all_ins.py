"""What all-ins brought, and what they would have if each had brought its share of the pot.

What is reckoned and how: docs/decisions/0056-stories.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from uuid import UUID

from league.stats.figures.attendance import Attended, Evenings
from league.stats.scopes import Also, Scope, narrowed
from ledger.sql import as_uuid, query


@dataclass(frozen=True, slots=True, kw_only=True)
class AllInFigures:
    """What a player won at all-ins before the last card of a board, and could expect.

    `exact` of these `hands` were reckoned; the others count with what they brought in `expected`,
    since they could end in too many ways.
    """

    player: UUID
    name: str
    hands: int
    exact: int
    won: int
    expected: float

    @property
    def luck(self) -> float:
        """What was won beyond what could be expected."""
        return self.won - self.expected


@dataclass(frozen=True, slots=True)
class AllInNight:
    """A player's all-ins of a night; `adjusted` in thousandths."""

    player: UUID
    name: str
    night: str
    hands: int
    exact: int
    won: int
    adjusted: int


def all_in_nights(scope: Scope, *, player: UUID | None = None) -> list[AllInNight]:
    """Return the all-ins of each night, by name of the player; one query."""
    where, values = narrowed(scope, Also("player_id", player))
    rows = query(
        "SELECT p.id, p.name, CAST(t.night_id AS text), t.hands, t.exact, t.won, t.adjusted"
        " FROM league_allintally t JOIN league_player p ON p.id = t.player_id"
        f" WHERE {where} ORDER BY lower(p.name), p.id, t.night_id, t.verified",
        values,
    )
    return [AllInNight(as_uuid(key), *rest) for key, *rest in rows]


def all_ins(scope: Scope, *, player: UUID | None = None) -> list[AllInFigures]:
    """Return what all-ins brought each player, by name; one query."""
    return summed(all_in_nights(scope, player=player))


def summed(nights: Iterable[AllInNight]) -> list[AllInFigures]:
    """Return nights as one for each player, in their order."""
    by_player: dict[UUID, list[AllInNight]] = {}
    for each in nights:
        by_player.setdefault(each.player, []).append(each)
    return [
        AllInFigures(
            player=key,
            name=mine[0].name,
            hands=sum(each.hands for each in mine),
            exact=sum(each.exact for each in mine),
            won=sum(each.won for each in mine),
            expected=sum(each.adjusted for each in mine) / 1000,
        )
        for key, mine in by_player.items()
    ]


def beside_adjusted(
    read: Evenings, nights: Iterable[AllInNight], *, names: tuple[str, str]
) -> Evenings:
    """Return a player's nights twice, by these names: as they were, and all-in adjusted.

    Nobody's where no all-in could be reckoned. Running totals are rounded, not each night.
    """
    luck: dict[str, int] = {}
    exact = 0
    for each in nights:
        luck[each.night] = luck.get(each.night, 0) + 1000 * each.won - each.adjusted
        exact += each.exact
    if not exact or not read.players:
        return replace(read, players=())
    [mine] = read.players
    result, adjusted = names
    return replace(
        read,
        players=(
            replace(mine, name=result),
            replace(mine, name=adjusted, nets=_without(mine, luck, [n.key for n in read.nights])),
        ),
    )


def _without(mine: Attended, luck: Mapping[str, int], keys: Sequence[str]) -> list[int]:
    """Return what nights would have brought without this luck, which is in thousandths."""
    exact = (1000 * net - luck.get(keys[at], 0) for at, net in zip(mine.at, mine.nets, strict=True))
    totals = [0, *((whole + 500) // 1000 for whole in accumulate(exact))]
    return [after - before for before, after in pairwise(totals)]
