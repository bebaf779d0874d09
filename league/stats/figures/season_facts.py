"""All that achievements follow from, read at once: the same few queries however long a season."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from league.stats.figures.attendance import Evenings, evenings
from league.stats.figures.games import AtGame, game_names, sums_at_games
from league.stats.figures.night_feats import Feats, Nights, night_feats
from league.stats.figures.players import Declared, Flow, SeatFigures, declares, flows, seats
from league.stats.figures.records import Kinds, Notable, standing_out, told
from league.stats.league_state import LeagueState
from league.stats.scopes import Scope
from ledger.sql import as_uuid


@dataclass(frozen=True, kw_only=True)
class SeasonFacts:
    """What is counted of a season or of all time; names are those of today."""

    names: Mapping[UUID, str]
    games: Mapping[str, str]
    evenings: Evenings
    feats: Nights
    at_games: Sequence[AtGame]
    declares: Sequence[Declared]
    seats: Sequence[SeatFigures]
    flows: Sequence[Flow]
    records: Kinds[list[Notable]]

    @cached_property
    def feats_in_order(self) -> list[tuple[str, Feats]]:
        """What players did at each night, with its name, first night first."""
        return [
            (night.name, each)
            for night in self.evenings.nights
            for each in self.feats.get(night.key, ())
        ]

    @cached_property
    def net_at(self) -> dict[tuple[UUID, UUID], int]:
        """What a night brought a player, by their ids."""
        return {
            (as_uuid(night), as_uuid(each.player)): each.net
            for night, feats in self.feats.items()
            for each in feats
        }


def season_facts(scope: Scope, state: LeagueState) -> SeasonFacts:
    """Return what is counted of a scope; 14 queries at most, fewer where nights are known."""
    read = evenings(scope, state=state)
    at_games = sums_at_games(scope)
    return SeasonFacts(
        names={**state.players, **{each.player: each.name for each in read.players}},
        games=game_names(scope.league, {each.game for each in at_games}),
        evenings=read,
        feats=night_feats(scope, state),
        at_games=at_games,
        declares=declares(scope),
        seats=seats(scope),
        flows=flows(scope),
        records=told(standing_out(scope)),
    )
