"""Come to the table with a phone and the league's code: pick your name, no password needed."""

from collections.abc import Iterator
from uuid import uuid4

from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from league.audit_log import Kind, log_action
from league.change_version import bump_league
from league.common import bounds
from league.common.errors import Problem, problem, refuse
from league.models import League, Membership, Player, Role, User
from league.people.leagues import CODE_LENGTHS
from league.sign_in.rate_limits import may_try_code, note_wrong_code

PROOF_LENGTH = 24  # hexadecimal digits: 96 bits


class TooManyGuesses(Exception):
    """Too many wrong codes were tried lately; what this one leads to is not told."""


def find_by_code(code: str, *, address: str, proof: str = "") -> League | None:
    """Return the league that the code leads to; wrong ones are counted. Raises TooManyGuesses.

    Whoever scanned the code brings its `proof` along, which nobody guesses, and does not wait.
    """
    league = league_of_code(code)
    if league is not None and constant_time_compare(proof, proof_of(league)):
        return league
    if not may_try_code(address, league):
        raise TooManyGuesses
    if league is None:
        note_wrong_code(address)
    return league


def proof_of(league: League) -> str:
    """Return what a scanned code has beside its letters."""
    return salted_hmac("join", f"{league.pk} {league.code}").hexdigest()[:PROOF_LENGTH]


def league_of_code(code: str) -> League | None:
    """Return the league that is joined by the code, in any letters and with spaces about it."""
    typed = "".join(code.split()).upper()
    if len(typed) not in CODE_LENGTHS or not typed.isascii():
        return None
    return League.objects.filter(code=typed).first()


def free_names(league: League) -> QuerySet[Player]:
    """Return the names that nobody who signs in has claimed."""
    return league.players.filter(user=None).order_by("name")


@transaction.atomic
def join(league: League, player: Player, *, user: User | None = None, email: str = "") -> User:
    """Come in by the code, as `come_in`; not where a host approves phones first (`approvals`)."""
    if league.approves:
        raise PermissionDenied("A host says yes to phones that join.")
    return come_in(league, player, user=user, email=email)


@transaction.atomic
def come_in(
    league: League,
    player: Player,
    *,
    user: User | None = None,
    email: str = "",
    role: Role = Role.PLAYER,
) -> User:
    """Claim the name for the user, or for a phone that has none: it gets a user without password.

    Who is in the league already keeps the role. Raises Refused (a name that is taken, a user who
    has one, an address that is none).
    """
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    player = Player.objects.get(pk=player.pk)
    refuse([*wrong_join(league, player, user, email), *_too_many(league, user)])
    user = user or _phone(player, email)
    Membership.objects.get_or_create(league=league, user=user, defaults={"role": role})
    player.user = user
    player.save(update_fields=["user"])
    bump_league(league.pk)
    log_action(Kind.JOINED, by=user, league=league)
    return user


def _too_many(league: League, user: User | None) -> Iterator[Problem]:
    """Yield why a new member has no room in the league, or has too many leagues."""
    if user is not None:
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if user.memberships.filter(league=league).exists():
            return
        yield from bounds.LEAGUES.exceeded(user.memberships)
    yield from bounds.MEMBERS.exceeded(league.memberships)


def _phone(player: Player, email: str) -> User:
    name = f"phone-{uuid4().hex[:20]}"
    # Without a password nobody signs in as this user anywhere else.
    return User.objects.create_user(name, email=email, first_name=player.name[:60])


def wrong_join(league: League, player: Player, user: User | None, email: str) -> Iterator[Problem]:
    """Yield why nobody comes in under this name so."""
    if player.league_id != league.pk:
        yield problem("player", "unknown-player", "the league has no such player")
    elif player.user_id is not None:
        yield problem("player", "name-taken", "somebody else has picked this name")
    elif user is not None and league.players.filter(user=user).exists():
        yield problem("player", "has-a-name", "you have a name in this league already")
    if email:
        try:
            validate_email(email)
        except ValidationError:
            yield problem("email", "bad-email", "this is no e-mail address")
