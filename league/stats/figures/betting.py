"""How players bet, in the figures that trackers have (docs/decisions/0054-trackers.md)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any
from uuid import UUID

from league.stats.scopes import Also, Scope, narrowed, rate
from ledger.sql import as_uuid, query
from rules.documents import catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingFigures:
    """How a player bets at a game, a kind of games, or from a seat; hands whose betting is known.

    `family` is the kind of the game, empty for a league's own; `game` and `position` (seats after
    the dealer, who has 0) where they are told apart. `choices`: hands in which there was one in the
    first round.
    """

    player: UUID
    name: str
    family: str
    game: str | None
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
        """The share of hands in which chips were put in of free will in the first round."""
        return rate(self.entered, self.choices)

    @property
    def pfr(self) -> float | None:
        """The share of hands that were raised in the first round."""
        return rate(self.raised, self.choices)

    @property
    def three_bet(self) -> float | None:
        """How often a raise of the first round was raised again."""
        return rate(self.three_bets, self.three_bet_choices)

    @property
    def wtsd(self) -> float | None:
        """How often a hand that was in after the first round went to the showdown."""
        return rate(self.stayed, self.saw_second)

    @property
    def won_at_showdown(self) -> float | None:
        """How often a showdown brought chips."""
        return rate(self.stayed_won, self.stayed)

    @property
    def aggression(self) -> float | None:
        """Bets and raises by calls, in later rounds."""
        return rate(self.bets, self.calls)


SUMS = tuple(
    each.name
    for each in fields(BettingFigures)
    if each.name not in {"player", "name", "family", "game", "position"}
)


def betting(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[BettingFigures]:
    """Return how each player bets at each game, the most hands of a player first."""
    return _figures(scope, "t.game", player, game)


def betting_seats(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[BettingFigures]:
    """Return how each player bets by seat from the dealer and by kind of game."""
    rows = _figures(scope, "t.game, t.position", player, game)
    return _together(rows, lambda each: (each.player, each.family, each.position))


def betting_by_family(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[BettingFigures]:
    """Return how each player bets at each kind of games."""
    rows = _figures(scope, "t.game", player, game)
    return _together(rows, lambda each: (each.player, each.family))


def _figures(
    scope: Scope, keys: str, player: UUID | None, game: str | None
) -> list[BettingFigures]:
    where, values = narrowed(scope, Also("player_id", player), Also("game", game))
    sums = ", ".join(f"CAST(sum(t.{name}) AS bigint)" for name in SUMS)
    seat = "t.position" if "position" in keys else "NULL"
    rows = query(
        f"SELECT p.id, p.name, t.game, {seat}, {sums} FROM league_bettingtally t"
        f" JOIN league_player p ON p.id = t.player_id WHERE {where}"
        f" GROUP BY p.id, p.name, {keys} ORDER BY lower(p.name), sum(t.hands) DESC, {keys}",
        values,
    )
    return [
        BettingFigures(
            player=as_uuid(key),
            name=name,
            family=family_of(slug),
            game=slug,
            position=position,
            **dict(zip(SUMS, numbers, strict=True)),
        )
        for key, name, slug, position, *numbers in rows
    ]


def family_of(game: str) -> str:
    """Return the kind of a game of the catalog; nothing of a league's own."""
    return catalog.family(game) if game in catalog.slugs() else ""


def _together(
    rows: Iterable[BettingFigures], key: Callable[[BettingFigures], Any]
) -> list[BettingFigures]:
    """Return rows of the same key as one, of no one game; by player, the most hands first."""
    found: dict[Any, BettingFigures] = {}
    for each in rows:
        other = found.get(key(each))
        sums = {name: getattr(each, name) + getattr(other, name, 0) for name in SUMS}
        found[key(each)] = replace(each, game=None, **sums)
    return sorted(found.values(), key=lambda each: (each.name.lower(), -each.hands))
