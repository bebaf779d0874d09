"""How often each player's declarations win, for each direction: high, low or both."""

from dataclasses import dataclass
from uuid import UUID

from league.stats.scopes import Also, Scope, rate, scope_condition
from ledger.sql import as_uuid, query


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclarationFigures:
    """A player's results with one declaration. `right` is how often the declaration won chips."""

    player: UUID
    name: str
    way: str
    hands: int
    right: int
    net: int

    @property
    def right_rate(self) -> float | None:
        return rate(self.right, self.hands)


def declaration_figures(scope: Scope, *, player: UUID | None = None) -> list[DeclarationFigures]:
    """Return each player's declarations and their results, grouped by direction."""
    where, values = scope_condition(scope, Also("player_id", player))
    rows = query(
        "SELECT p.id, p.name, t.way, sum(t.hands), sum(t.times_right), sum(t.net)"
        " FROM league_declaretally t JOIN league_player p ON p.id = t.player_id"
        f" WHERE {where} GROUP BY p.id, p.name, t.way ORDER BY lower(p.name), t.way",
        values,
    )
    return [
        DeclarationFigures(
            player=as_uuid(key), name=name, way=way, hands=int(n), right=int(r), net=int(net)
        )
        for key, name, way, n, r, net in rows
    ]
