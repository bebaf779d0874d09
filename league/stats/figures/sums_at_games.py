"""Sums of players at games: what figures of players and of games are both made of."""

from typing import Any, NamedTuple
from uuid import UUID

from league.stats.scopes import Also, Scope, narrowed
from ledger.sql import as_uuid, query

SUMS = (
    "hands net put won showdowns showdowns_won highs highs_won lows lows_won splits scoops"
    " mistakes moved"
).split()


class AtGame(NamedTuple):
    """A player at a game; `sums` in the order of SUMS, which begins with hands and net."""

    player: UUID
    name: str
    game: str
    sums: tuple[int, ...]


def sums_at_games(
    scope: Scope, *, player: UUID | None = None, game: str | None = None
) -> list[AtGame]:
    """Return the sums of each player at each game, a player's best game first; one query."""
    where, values = narrowed(scope, Also("player_id", player), Also("game", game))
    # PostgreSQL adds whole numbers up to ones without bound, which are slow to read
    sums = ", ".join(f"CAST(sum(t.{name}) AS bigint)" for name in SUMS)
    rows: list[tuple[Any, ...]] = query(
        f"SELECT p.id, p.name, t.game, {sums} FROM league_playertally t"
        f" JOIN league_player p ON p.id = t.player_id WHERE {where}"
        " GROUP BY p.id, p.name, t.game ORDER BY lower(p.name), sum(t.net) DESC, t.game",
        values,
    )
    return [AtGame(as_uuid(row[0]), row[1], row[2], row[3:]) for row in rows]
