"""The places of a season's players, by its own scoring."""

from typing import NamedTuple
from uuid import UUID

from django.utils.translation import ngettext

from league.closing.standings import live_standings, standings
from league.models import Scoring, Season
from league.scoring.season_table import option_of, scored_table


class Placing(NamedTuple):
    """A player's place in a night or a season.

    `score` is the net chips, or hundredths of points if `in_points`.
    """

    place: int
    name: str
    score: int
    player: UUID
    in_points: bool = False

    @property
    def text(self) -> str:
        """The score as shown on pages and pictures."""
        if not self.in_points:
            return with_sign(self.score)
        words = ngettext("%(points)s point", "%(points)s points", self.score // 100)
        return words % {"points": points_of(self.score)}


def ranking(season: Season, *, live: bool = False) -> list[Placing]:
    """Return the places of the season's players.

    If `live`, a ranking by the net of all nights includes the open nights. Other rankings count
    closed nights only.
    """
    option = option_of(season)
    if option.is_usual:
        rows = live_standings(season) if live else standings(season)
        return [Placing(row.place, row.name, row.net, row.player) for row in rows]
    in_points = option.scoring != Scoring.NET
    return [
        Placing(row.place, row.name, row.score, row.player, in_points)
        for row in scored_table(season)
    ]


def with_sign(chips: int) -> str:
    """Return the chips with their sign, as shown on pages and pictures."""
    return f"{chips:+,}".replace("-", "\u2212") if chips else "0"


def points_of(hundredths: int) -> str:
    """Return the points as shown on pages and pictures."""
    return f"{hundredths / 100:,.2f}".rstrip("0").rstrip(".").replace("-", "\u2212")
