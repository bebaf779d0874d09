"""The games that users star. Pages list favourites first. Only this module writes favourites."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q

from league.models import Favourite, HouseGame, League, User
from rules.documents import catalog


@dataclass(frozen=True, slots=True)
class Favourites:
    """The slugs of the games starred by the visitor, and of the games starred by any member."""

    own: Collection[str] = ()
    loved: Collection[str] = ()


def set_favourite(user: User, game: str, *, starred: bool, league: League | None = None) -> bool:
    """Star or unstar a game. Return False if there is no such game.

    A repeated request changes nothing. If requests conflict, the last one takes effect.
    """
    house = league and HouseGame.objects.filter(league=league, slug=game).exists()
    if not house and game not in catalog.slugs():
        return False
    row: dict[str, Any] = {"user": user, "game": game, "league": league if house else None}
    with transaction.atomic():
        if starred:
            Favourite.objects.get_or_create(**row)
        else:
            Favourite.objects.filter(**row).delete()
    return True


def own_favourites(user: User) -> set[str]:
    """Return the catalog games that the user starred."""
    rows = Favourite.objects.filter(user=user, league=None)
    return set(rows.values_list("game", flat=True))


def favourites(user: User, league_id: UUID) -> Favourites:
    """Return the starred games that the league can deal, in one query."""
    here = Q(league=None) | Q(league=league_id)
    members = Q(user__memberships__league=league_id) | Q(user=user)
    rows = Favourite.objects.filter(here, members).values("game")
    stars = rows.annotate(mine=Count("pk", filter=Q(user=user))).values_list("game", "mine")
    loved = dict(stars)
    return Favourites({game for game, mine in loved.items() if mine}, loved.keys())


def end_favourites(league: League, user: User) -> None:
    """Remove a leaving member's stars from the league's house games."""
    Favourite.objects.filter(league=league, user=user).delete()
