"""Where everybody stands in a season: what the closed nights brought, and what is still owed."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Coalesce

from league import accounts
from league.models import Line, Player, Season
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
    night that is still open are on it.
    """

    place: int
    player: UUID
    name: str
    nights: int
    net: int
    best: int
    tab: int


def standings(season: Season) -> list[Standing]:
    """Return who has played in the season, the most won first; who won as much shares the place."""
    lines = Line.objects.filter(closing__night__season=season, closing__posting__reversal=None)
    rows = list(
        lines.values("player", "player__name")
        .annotate(nights=Count("pk", filter=Q(bought__gt=0)), won=Sum(_NET), best=Max(_NET))
        .order_by("-won", "player__name")
    )
    tabs = _tabs(season)
    nets = [row["won"] for row in rows]
    return [
        Standing(
            place=nets.index(row["won"]) + 1,
            player=row["player"],
            name=row["player__name"],
            nights=row["nights"],
            net=row["won"],
            best=row["best"],
            tab=tabs.get(row["player"], 0),
        )
        for row in rows
    ]


def _tabs(season: Season) -> dict[UUID, int]:
    players = Player.objects.filter(league=season.league_id).values_list("pk", flat=True)
    keys = {accounts.tab(player).key: player for player in players}
    chips = balances(season.league.book, kind="tab")
    return {player: chips.get(key, 0) for key, player in keys.items()}
