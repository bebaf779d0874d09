"""Betting figures such as VPIP. all_ins.py compares all-ins with their expected value."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any
from uuid import UUID

from league.common.text import name_order
from league.stats.figures.games import GAME_TITLES
from league.stats.scopes import Also, Scope, rate, scope_condition
from ledger.sql import as_uuid, query, uuid_text
from rules.documents import catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingFigures:
    """A player's betting in a game, in a game family, or in a seat.

    Only hands whose betting is known count. `family` is the game family, or "" for a league's own
    game. `game` and `position` (seats after the dealer, who is 0) are set if rows are grouped by
    them. `choices` is the number of hands with a choice in the first round.
    """

    player: UUID
    name: str
    family: str
    game: str | None
    game_name: str | None
    position: int | None
    hands: int
    choices: int
    entered: int
    raised: int
    three_bet_choices: int
    three_bets: int
    saw_second: int
    stayed: int
    stayed_won: int
    bets: int
    calls: int

    @property
    def vpip(self) -> float | None:
        """The share of hands in which the player voluntarily put in chips in the first round."""
        return rate(self.entered, self.choices)

    @property
    def pfr(self) -> float | None:
        """The share of hands in which the player raised in the first round."""
        return rate(self.raised, self.choices)

    @property
    def three_bet(self) -> float | None:
        """The share of hands in which the player raised again after a raise in the first round."""
        return rate(self.three_bets, self.three_bet_choices)

    @property
    def wtsd(self) -> float | None:
        """How often the player went to the showdown after staying in past the first round."""
        return rate(self.stayed, self.saw_second)

    @property
    def won_at_showdown(self) -> float | None:
        """How often the player won chips at a showdown."""
        return rate(self.stayed_won, self.stayed)

    @property
    def aggression(self) -> float | None:
        """The ratio of bets and raises to calls in later rounds."""
        return rate(self.bets, self.calls)


SUMS = tuple(
    each.name
    for each in fields(BettingFigures)
    if each.name not in {"player", "name", "family", "game", "game_name", "position"}
)


def betting(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[BettingFigures]:
    """Return each player's betting in each game, most played games first."""
    return _figures(scope, "t.game", player, game)


def betting_seats(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[BettingFigures]:
    """Return each player's betting, grouped by seat after the dealer and by game family."""
    rows = _figures(scope, "t.game, t.position", player, game)
    return _merged(rows, lambda each: (each.player, each.family, each.position))


def betting_by_family(scope: Scope, *, player: UUID | None = None) -> list[BettingFigures]:
    rows = betting(scope, player=player)
    return _merged(rows, lambda each: (each.player, each.family))


def _figures(
    scope: Scope, keys: str, player: UUID | None, game: str | None
) -> list[BettingFigures]:
    where, values = scope_condition(scope, Also("player_id", player), Also("game", game))
    sums = ", ".join(f"CAST(sum(t.{name}) AS bigint)" for name in SUMS)
    seat = "t.position" if "position" in keys else "NULL"
    rows = query(
        f"SELECT p.id, p.name, t.game, COALESCE(h.name, d.name, t.game), {seat}, {sums}"
        f" FROM league_bettingtally t JOIN league_player p ON p.id = t.player_id {GAME_TITLES}"
        f" WHERE {where} GROUP BY p.id, p.name, h.name, d.name, {keys}"
        f" ORDER BY lower(p.name), sum(t.hands) DESC, {keys}",
        [uuid_text(scope.league), *values],
    )
    return [
        BettingFigures(
            player=as_uuid(key),
            name=name,
            family=family_of(slug),
            game=slug,
            game_name=title,
            position=position,
            **dict(zip(SUMS, numbers, strict=True)),
        )
        for key, name, slug, title, position, *numbers in rows
    ]


def family_of(game: str) -> str:
    """Return the family of a catalog game, or "" for a league's own game."""
    return catalog.family(game) if game in catalog.slugs() else ""


def _merged(
    rows: Iterable[BettingFigures], key: Callable[[BettingFigures], Any]
) -> list[BettingFigures]:
    """Merge rows that have the same key, ignoring the game.

    The rows are sorted by player, and then by number of hands, most first.
    """
    by_key: dict[Any, BettingFigures] = {}
    for figures in rows:
        other = by_key.get(key(figures))
        sums = {name: getattr(figures, name) + getattr(other, name, 0) for name in SUMS}
        by_key[key(figures)] = replace(figures, game=None, game_name=None, **sums)
    return sorted(by_key.values(), key=lambda figures: (name_order(figures.name), -figures.hands))
