"""Deals in progress for the tests: a named game, advanced to a stage."""

from typing import Any
from uuid import uuid4

from league.deals.open_deal import move_on, name_game
from league.deals.table import NamedGame, game_of
from league.models import Deal, Night, Player, User

DECLARED = {"declare": "high-low"}


def a_deal(night: Night, variant: str = "omaha-8", options: dict[str, Any] | None = None) -> Deal:
    """Name a game, by default Omaha-8 with declarations."""
    chosen = DECLARED if options is None and variant == "omaha-8" else options or {}
    return name_game(night, uuid4(), NamedGame(variant, (), chosen), by=None)


def at_stage(deal: Deal, kind: str) -> Deal:
    """Advance the deal to its first stage of this kind."""
    while game_of(deal).stage(deal.stage)["kind"] != kind:
        deal = move_on(deal.night, deal.pk, deal.stage)
    return deal


def user_of(player: Player) -> User:
    """Return the player's user, creating one if needed."""
    if player.user is None:
        player.user = User.objects.create_user(f"phone-of-{player.name}")
        player.save()
    return player.user
