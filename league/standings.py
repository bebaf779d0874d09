"""Where everybody stands in a season: what the closed nights brought, and what is still owed."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from league import accounts
from league.models import Line, Player, Season
from league.money import shown
from ledger.balances import balances

# As `Line.net` says it.
_NET = (
    Coalesce(F("counted"), F("stack") + F("back"))
    + F("cashed")
    - F("bought")
    + F("put_right")
    + F("bears")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's place: `net` over the closed nights of the season, `tab` as it is now.

    The tab is what the table owes the player, below zero where the player owes; chips bought at a
    night that is still open are on it. `won` is the net in minor
    units by currency, each night by its own chips.
    """

    place: int
    player: UUID
    name: str
    nights: int
    net: int
    won: dict[str, int]
    best: int
    tab: int

    @property
    def worth(self) -> str:
        """What was won as people write it."""
        return ", ".join(f"{shown(minor, coin)} {coin}" for coin, minor in self.won.items())


def standings(season: Season) -> list[Standing]:
    """Return who has played in the season, the most won first; who won as much shares the place."""
    lines = Line.objects.filter(closing__night__season=season, closing__posting__reversal=None)
    rows = list(
        lines.values("player", "player__name")
        .annotate(nights=Count("pk", filter=Q(bought__gt=0)), won=Sum(_NET), best=Max(_NET))
        .order_by("-won", "player__name")
    )
    tabs, won = _tabs(season), _won(lines)
    nets = [row["won"] for row in rows]
    return [
        Standing(
            place=nets.index(row["won"]) + 1,
            player=row["player"],
            name=row["player__name"],
            nights=row["nights"],
            net=row["won"],
            won=won[row["player"]],
            best=row["best"],
            tab=tabs.get(row["player"], 0),
        )
        for row in rows
    ]


def _won(lines: QuerySet[Line]) -> dict[UUID, dict[str, int]]:
    """Return what each player has won in money, one sum for each currency."""
    rows = lines.values("player", "closing__night__currency")
    sums = rows.annotate(minor=Sum(_NET * F("closing__night__chip_value")))
    won: dict[UUID, dict[str, int]] = {}
    for player, currency, minor in sums.order_by("closing__night__currency").values_list(
        "player", "closing__night__currency", "minor"
    ):
        won.setdefault(player, {})[currency] = minor
    return won


def _tabs(season: Season) -> dict[UUID, int]:
    players = Player.objects.filter(league=season.league_id).values_list("pk", flat=True)
    keys = {accounts.tab(player).key: player for player in players}
    chips = balances(season.league.book, kind="tab")
    return {player: chips.get(key, 0) for key, player in keys.items()}
