"""Come to the table with a phone and the league's code: pick your name, no password needed."""

from collections.abc import Iterator
from uuid import uuid4

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet

from league.leagues import CODE_LENGTH
from league.logbook import Kind, note
from league.models import League, Membership, Player, Role, User
from league.pulse import move_league_on
from league.refusals import Fault, fault, refuse

# Somebody at a table mistypes now and then; somebody who guesses needs millions.
MOST_WRONG = 20
FORGOTTEN_AFTER = 600  # seconds


def guesses_too_much(address: str) -> bool:
    """Tell whether too many wrong codes came from there lately."""
    return int(cache.get(f"wrong-codes:{address}", 0)) >= MOST_WRONG


def note_wrong_code(address: str) -> None:
    """Count a wrong code against the address that sent it."""
    key = f"wrong-codes:{address}"
    cache.add(key, 0, FORGOTTEN_AFTER)
    try:
        cache.incr(key)
    except ValueError:  # it was forgotten in between
        cache.add(key, 1, FORGOTTEN_AFTER)


def league_of_code(code: str) -> League | None:
    """Return the league that is joined by the code, in any letters and with spaces about it."""
    told = "".join(code.split()).upper()
    if len(told) != CODE_LENGTH or not told.isascii():
        return None
    return League.objects.filter(code=told).first()


def free_names(league: League) -> QuerySet[Player]:
    """Return the names that nobody who signs in has claimed."""
    return league.players.filter(user=None).order_by("name")


@transaction.atomic
def join(league: League, player: Player, *, user: User | None = None, email: str = "") -> User:
    """Claim the name for the user, or for a phone that has none: it gets a user without password.

    Raises Refused (a name that is taken, a user who has one, an address that is none).
    """
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    player = Player.objects.get(pk=player.pk)
    refuse(_wrong(league, player, user, email))
    user = user or _phone(player, email)
    Membership.objects.get_or_create(league=league, user=user, defaults={"role": Role.PLAYER})
    player.user = user
    player.save(update_fields=["user"])
    move_league_on(league.pk)
    note(Kind.JOINED, by=user, league=league)
    return user


@transaction.atomic
def leave_phone(player: Player) -> None:
    """Take the name back from the phone that claimed it, and the phone out of the league.

    Whoever does more in the league than play keeps the membership.
    """
    if player.user is None:
        return
    played = Membership.objects.filter(league=player.league_id, user=player.user, role=Role.PLAYER)
    played.delete()
    player.user = None
    player.save(update_fields=["user"])
    move_league_on(player.league_id)


def _phone(player: Player, email: str) -> User:
    name = f"phone-{uuid4().hex[:20]}"
    # Without a password nobody signs in as this user anywhere else.
    return User.objects.create_user(name, email=email, first_name=player.name[:60])


def _wrong(league: League, player: Player, user: User | None, email: str) -> Iterator[Fault]:
    if player.league_id != league.pk:
        yield fault("player", "unknown-player", "the league has no such player")
    elif player.user_id is not None:
        yield fault("player", "name-taken", "somebody else has picked this name")
    elif user is not None and league.players.filter(user=user).exists():
        yield fault("player", "has-a-name", "you have a name in this league already")
    if email:
        try:
            validate_email(email)
        except ValidationError:
            yield fault("email", "bad-email", "this is no e-mail address")
