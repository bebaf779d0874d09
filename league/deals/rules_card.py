"""The rules card of a deal: its game in a few lines, its stages, what its form asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.common.errors import RefusedError, problem, refuse
from league.games.lookup import house_games
from league.models import Deal, DealtPlayer, Night
from rules.documents import catalog
from rules.errors import GameError
from rules.presentation.form import form
from rules.presentation.rules_page import rules_card

HOLDING = frozenset({DealtPlayer.State.IN, DealtPlayer.State.ALL_IN})


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game as the dealer names it: its slug, its variations and options."""

    variant: str
    modifiers: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The game of a deal as it is dealt: its rules card, and what its form asks."""

    variant: str | Mapping[str, Any]
    card: Mapping[str, Any]
    form: Mapping[str, Any]

    @property
    def stages(self) -> list[dict[str, str]]:
        stages: list[dict[str, str]] = self.card["stages"]
        return stages

    def stage(self, number: int) -> dict[str, str]:
        return self.stages[min(number, len(self.stages) - 1)]

    @property
    def last_dealt(self) -> int:
        """The stage after which nobody is dealt a card."""
        dealt = [at for at, each in enumerate(self.stages) if each["kind"] in ("deal", "draw")]
        return max(dealt, default=0)


def game_of(deal: Deal) -> Game:
    """Return the deal's game: of the league's own, else of the catalog. Raises RefusedError."""
    return read_game(deal.night, NamedGame(deal.variant, deal.modifiers, deal.options))


def read_game(night: Night, named: NamedGame) -> Game:
    """Return the game that these words name at the night. Raises RefusedError where none does."""
    slug = named.variant
    house = {} if slug in catalog.slugs() else house_games(night)
    if slug not in catalog.slugs() and slug not in house:
        refuse([problem("variant", "unknown-game", "Choose a game.")])
    try:
        words = (house.get(slug, slug), named.modifiers, named.options)
        return Game(words[0], rules_card(*words), form(*words))
    except GameError as bad:
        raise RefusedError(
            problem(each.where, each.code, each.text) for each in bad.problems
        ) from None
