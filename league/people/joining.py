"""Join a league with its code, by request or by invitation. No password is needed."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from league.audit_log import Kind, log_action
from league.change_version import bump_league, bump_league_and_nights
from league.common import row_limits
from league.common.crypto import hashed, new_token
from league.common.errors import Problem, RefusedError, problem, refuse, wrong_number
from league.common.locks import lock_league
from league.common.text import tidy, wrong_text
from league.models import (
    DealtPlayer,
    Invitation,
    JoinRequest,
    League,
    Membership,
    Player,
    Role,
    User,
)
from league.people.leagues import CODE_LENGTHS
from league.sign_in.rate_limits import count_wrong_code, may_try_code

PROOF_LENGTH = 24  # number of hexadecimal digits, which is 96 bits


class TooManyGuessesError(Exception):
    """Too many wrong codes were tried recently.

    The response must not reveal whether the code is valid.
    """


def find_by_code(code: str, *, address: str, proof: str = "") -> League | None:
    """Return the league with this code, or None.

    Raises TooManyGuessesError after many wrong codes. A scanned code includes a `proof` that can't
    be guessed, so scanned codes are not limited.
    """
    league = league_of_code(code)
    if league is not None and constant_time_compare(proof, proof_of(league)):
        return league
    if not may_try_code(address, league):
        raise TooManyGuessesError
    if league is None:
        count_wrong_code(address)
    return league


def proof_of(league: League) -> str:
    """Return the proof that a scanned code contains in addition to the letters."""
    return salted_hmac("join", f"{league.pk} {league.code}").hexdigest()[:PROOF_LENGTH]


def league_of_code(code: str) -> League | None:
    """Return the league with this code, unless it is a demo. Case and spaces are ignored."""
    typed = "".join(code.split()).upper()
    if len(typed) not in CODE_LENGTHS or not typed.isascii():
        return None
    return League.objects.filter(code=typed, book__disposable=False).first()


def taken_names(league: League) -> QuerySet[Player]:
    """Return the players that a user has claimed."""
    return league.players.exclude(user=None)


def free_names(league: League) -> QuerySet[Player]:
    """Return the players that no user has claimed."""
    return league.players.filter(user=None).order_by("name")


@transaction.atomic
def join(league: League, player: Player, *, user: User | None = None, email: str = "") -> User:
    """Join with the code, in the same way as `claim_player`.

    Raises PermissionDenied if a host has to approve phones. In that case, use `request_to_join`.
    """
    if league.approves:
        raise PermissionDenied("A host has to approve devices that join.")
    return claim_player(league, player, user=user, email=email)


@transaction.atomic
def claim_player(
    league: League,
    player: Player,
    *,
    user: User | None = None,
    email: str = "",
    role: Role = Role.PLAYER,
) -> User:
    """Claim the name for the user, or for a new user without a password.

    Existing members keep their role. Raises RefusedError if the name is taken, the user already has
    a name, or the e-mail address is invalid.
    """
    lock_league(league.pk)
    player = Player.objects.get(pk=player.pk)
    refuse([*wrong_join(league, player, user, email), *_too_many(league, user)])
    if user is None:
        username = f"phone-{uuid4().hex[:20]}"
        # The user has no password, so they can't sign in on another device.
        user = User.objects.create_user(username, email=email, first_name=player.name[:60])
    Membership.objects.get_or_create(league=league, user=user, defaults={"role": role})
    player.user = user
    player.save(update_fields=["user"])
    # A declaration is secret, also from another account of the same player.
    DealtPlayer.objects.filter(player=player).update(declared_by=None)
    bump_league(league.pk)
    log_action(Kind.JOINED, by=user, league=league)
    return user


def _too_many(league: League, user: User | None) -> Iterator[Problem]:
    """Yield a problem if the league is full or the user is in too many leagues."""
    if user is not None:
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if user.memberships.filter(league=league).exists():
            return
        yield from row_limits.LEAGUES.exceeded(user.memberships)
    yield from row_limits.MEMBERS.exceeded(league.memberships)


def wrong_join(league: League, player: Player, user: User | None, email: str) -> Iterator[Problem]:
    """Yield the problems that prevent this user from joining under this name."""
    if player.league_id != league.pk:
        yield problem("player", "unknown-player", "the league has no such player")
    elif player.user_id is not None:
        yield problem("player", "name-taken", "another player has already picked this name")
    elif user is not None and league.players.filter(user=user).exists():
        yield problem("player", "has-a-name", "you already have a name in this league")
    if email:
        try:
            validate_email(email)
        except ValidationError:
            yield problem("email", "bad-email", "this is not a valid e-mail address")


# Join requests, for leagues in which a host approves each phone.


State = JoinRequest.State
PATIENCE = timedelta(hours=12)


@transaction.atomic
def request_to_join(
    league: League, player: Player, *, user: User | None = None, email: str = "", kind: str = ""
) -> tuple[JoinRequest, str]:
    """Request to join under a free name. Return the request and the phone's token.

    A new request by a signed-in user replaces the user's earlier request. Raises RefusedError.
    """
    bump_league_and_nights(league)
    too_many = row_limits.JOIN_REQUESTS.exceeded(waiting(league))
    refuse([*wrong_join(league, player, user, email), *too_many])
    if user is not None:
        mine = waiting(league).filter(user=user)
        mine.update(state=State.ENDED, decided_at=timezone.now(), email="")
    token = new_token()
    join_request = JoinRequest.objects.create(
        league=league,
        player=player,
        user=user,
        email=email,
        kind=kind[:60],
        token_hash=hashed(token),
    )
    log_action(Kind.JOIN_ASKED, by=user, league=league)
    return join_request, token


def waiting(league: League) -> QuerySet[JoinRequest]:
    """Return the waiting requests, oldest first."""
    since = timezone.now() - PATIENCE
    rows = league.join_requests.filter(state=State.WAITING, made_at__gt=since)
    return rows.select_related("player", "user").order_by("made_at", "pk")


def request_of(token: str) -> JoinRequest | None:
    rows = JoinRequest.objects.select_related("league", "player", "user")
    return rows.filter(token_hash=hashed(token)).first() if token else None


@transaction.atomic
def accept(request: JoinRequest, *, by: User | None) -> JoinRequest:
    """Accept the phone under the name that it picked. Raises RefusedError.

    Accepting it twice changes nothing.
    """
    request = _lock_request(request)
    if request.state == State.ACCEPTED:
        return request
    refuse(_not_waiting(request))
    request.user = claim_player(
        request.league, request.player, user=request.user, email=request.email
    )
    _decide(request, State.ACCEPTED, by)
    return request


@transaction.atomic
def decline(request: JoinRequest, *, by: User | None) -> JoinRequest:
    """Reject the phone. Raises RefusedError if it was accepted."""
    request = _lock_request(request)
    if request.state != State.REFUSED:
        refuse(_not_waiting(request))
        _decide(request, State.REFUSED, by)
        log_action(Kind.JOIN_REFUSED, by=by, of=request.user, league=request.league)
    return request


@transaction.atomic
def withdraw(request: JoinRequest) -> None:
    """End the request, unless a host has decided it."""
    request = _lock_request(request)
    if request.state == State.WAITING:
        _decide(request, State.ENDED, None)


@transaction.atomic
def use_acceptance(request: JoinRequest) -> User | None:
    """Mark the request as used, and return the user that the accepted phone may sign in as.

    A request can be used only once. Return None if the phone has already signed in, or if a host
    has removed it since it was accepted.
    """
    request = _lock(request)
    if request.state != State.ACCEPTED or request.entered_at is not None:
        return None
    JoinRequest.objects.filter(pk=request.pk).update(entered_at=timezone.now())
    is_in = Membership.objects.filter(league=request.league, user=request.user).exists()
    return request.user if is_in else None


def _lock_request(request: JoinRequest) -> JoinRequest:
    """Lock the nights and the league in the same order as `leave`, then the request."""
    bump_league_and_nights(request.league)
    return _lock(request)


def _lock(request: JoinRequest) -> JoinRequest:
    """Lock the request, so that two hosts can't decide it at the same time."""
    rows = JoinRequest.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league__book", "player", "user").get(pk=request.pk)


def _decide(request: JoinRequest, state: JoinRequest.State, by: User | None) -> None:
    request.state, request.decided_by, request.decided_at = state, by, timezone.now()
    request.email = ""  # the address now belongs to the user, or is no longer needed
    request.save(update_fields=["state", "decided_by", "decided_at", "user", "email"])


def _not_waiting(request: JoinRequest) -> Iterator[Problem]:
    if request.state != State.WAITING:
        yield problem("request", request.state, f"this request is {request.state}")
    elif request.made_at < timezone.now() - PATIENCE:
        yield problem("request", "ended", "this request has expired: ask the player to join again")


# Invitations for one person. The link works only once and expires. Only its hash is stored.


# Lifetimes in days.
USUAL_DAYS = 7
MOST_DAYS = 60
# Invitations can't grant the host role, because a leaked link would give full control of the
# league.
ROLES = (Role.PLAYER, Role.SCOREKEEPER, Role.VIEWER)
# Inviting a person with one of these roles requires a fresh sign-in.
TRUSTED = (Role.SCOREKEEPER,)
ROLE_CHOICES = tuple((each.value, str(each.label)) for each in ROLES)


@transaction.atomic
def invite(
    league: League,
    name: str,
    *,
    by: User,
    player: Player | None = None,
    role: str = Role.PLAYER,
    days: int = USUAL_DAYS,
) -> tuple[Invitation, str]:
    """Create an invitation and return it with its token, which is not stored.

    `player` is the player that the invited person will join as. If it is None, the person picks a
    free name. `days` is how long the invitation stays valid. Raises RefusedError.
    """
    lock_league(league.pk)
    refuse(_problems(league, name, player, role, days))
    token = new_token()
    invitation = Invitation.objects.create(
        league=league,
        name=tidy(name),
        player=player,
        role=role,
        token_hash=hashed(token),
        made_by=by,
        expires_at=timezone.now() + timedelta(days=days),
    )
    log_action(Kind.INVITED, by=by, league=league, role=role)
    return invitation, token


def open_invitations(league: League) -> QuerySet[Invitation]:
    """Return the league's valid, unused invitations, newest first."""
    live = league.invitations.filter(used_at=None, ended_at=None, expires_at__gt=timezone.now())
    return live.select_related("player", "made_by").order_by("-made_at")


def invitation_of(token: str) -> Invitation | None:
    rows = Invitation.objects.select_related("league", "player")
    live = rows.filter(used_at=None, ended_at=None, expires_at__gt=timezone.now())
    return live.filter(token_hash=hashed(token)).first()


@transaction.atomic
def end(league: League, invitation_id: UUID, *, by: User | None) -> None:
    """End the invitation. Ending it twice changes nothing."""
    lock_league(league.pk)
    rows = league.invitations.filter(pk=invitation_id, used_at=None, ended_at=None)
    if rows.update(ended_at=timezone.now()):
        log_action(Kind.INVITATION_ENDED, by=by, league=league)


@transaction.atomic
def use(
    invitation: Invitation, player: Player, *, user: User | None = None, email: str = ""
) -> User:
    """Join with the invitation, once. Approval by a host is not needed. Raises RefusedError."""
    lock_league(invitation.league_id)
    rows = Invitation.objects.select_for_update(of=("self",), no_key=True)
    now = timezone.now()
    usable = rows.filter(pk=invitation.pk, used_at=None, ended_at=None, expires_at__gt=now).first()
    if usable is None:
        text = "this invitation was already used or has expired"
        raise RefusedError([problem("", "invitation-over", text)])
    if usable.player_id not in (None, player.pk):
        raise RefusedError([problem("player", "other-name", "this invitation is for another name")])
    joined = claim_player(
        invitation.league, player, user=user, email=email, role=Role(invitation.role)
    )
    Invitation.objects.filter(pk=invitation.pk).update(used_at=now, used_by=joined)
    return joined


def _problems(
    league: League, name: object, player: Player | None, role: object, days: object
) -> Iterator[Problem]:
    yield from wrong_text("name", name)
    if player is not None and player.league_id != league.pk:
        yield problem("player", "unknown-player", "the league has no such player")
    elif player is not None and player.user_id is not None:
        yield problem("player", "name-taken", "another player has already picked this name")
    if role not in ROLES:
        yield problem("role", "bad-option", f"this is {' or '.join(ROLES)}")
    yield from wrong_number("days", days, 1, MOST_DAYS, code="bad-days")
    yield from row_limits.INVITATIONS.exceeded(open_invitations(league))
