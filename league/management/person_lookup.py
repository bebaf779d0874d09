"""Which person a command means: the name of an account, or the id of a player."""

from uuid import UUID

from django.core.management.base import CommandError

from league.models import Player, User


def person_of(said: str) -> User | Player:
    """Return who is meant. CommandError where there is nobody."""
    user = User.objects.filter(username=said).first()
    players = Player.objects.select_related("league__book")
    found = user or players.filter(pk__in=_ids(said)).first()
    if found is None:
        raise CommandError(f"There is no account and no player {said}.", returncode=2)
    return found


def _ids(said: str) -> list[UUID]:
    try:
        return [UUID(said)]
    except ValueError:
        return []
