"""Where everybody stands in a season: what the closed nights brought, and what is still owed."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, F, Max, OuterRef, Q, Sum
from django.db.models.functions import Coalesce

from league import accounts
from league.models import Line, Player, Season
from league.money import shown
from ledger.balances import balances
from ledger.models import Posting

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


class _Sum(NamedTuple):
    """What a player's nights come to that were played for one currency."""

    player: UUID
    name: str
    currency: str
    nights: int
    net: int
    won: int
    best: int


def standings(season: Season) -> list[Standing]:
    """Return who has played in the season, the most won first; who won as much shares the place."""
    found: dict[UUID, list[_Sum]] = {}
    for each in _sums(season):
        found.setdefault(each.player, []).append(each)
    nets = {player: sum(each.net for each in sums) for player, sums in found.items()}
    order = sorted(found, key=lambda player: (-nets[player], found[player][0].name))
    places = [nets[player] for player in order]
    tabs = _tabs(season)
    return [
        Standing(
            place=places.index(nets[player]) + 1,
            player=player,
            name=found[player][0].name,
            nights=sum(each.nights for each in found[player]),
            net=nets[player],
            won={each.currency: each.won for each in found[player]},
            best=max(each.best for each in found[player]),
            tab=tabs.get(player, 0),
        )
        for player in order
    ]


def _sums(season: Season) -> list[_Sum]:
    # as a condition, since a join made PostgreSQL read all postings of the book
    reversals = Posting.objects.filter(reverses=OuterRef("closing__posting"))
    lines = Line.objects.filter(~Exists(reversals), closing__night__season=season)
    named = ("player", "player__name", "closing__night__currency")
    sums = {
        "nights": Count("pk", filter=Q(bought__gt=0)),
        "chips": Sum(_NET),
        "minor": Sum(_NET * F("closing__night__chip_value")),
        "best": Max(_NET),
    }
    rows = lines.values(*named).annotate(**sums).order_by("closing__night__currency")
    return [_Sum(*row) for row in rows.values_list(*named, *sums)]


def _tabs(season: Season) -> dict[UUID, int]:
    players = Player.objects.filter(league=season.league_id).values_list("pk", flat=True)
    keys = {accounts.tab(player).key: player for player in players}
    chips = balances(season.league.book, kind="tab")
    return {player: chips.get(key, 0) for key, player in keys.items()}
