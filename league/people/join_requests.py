"""Phones that join a league whose host says yes to each: they wait, are let in, or are not."""

from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.change_version import bump_league_and_nights
from league.common import bounds
from league.common.errors import Problem, problem, refuse
from league.common.tokens import hashed, new_token
from league.models import JoinRequest, League, Membership, Player, User
from league.people.joining import come_in, wrong_join

State = JoinRequest.State
PATIENCE = timedelta(hours=12)


@transaction.atomic
def ask(
    league: League, player: Player, *, user: User | None = None, email: str = "", kind: str = ""
) -> tuple[JoinRequest, str]:
    """Ask to come in under a name that is free; returns the request, and what the phone shows.

    Whoever signs in and asks again has one request. Raises Refused.
    """
    bump_league_and_nights(league)
    too_many = bounds.JOIN_REQUESTS.exceeded(waiting(league))
    refuse([*wrong_join(league, player, user, email), *too_many])
    if user is not None:
        mine = waiting(league).filter(user=user)
        mine.update(state=State.ENDED, decided_at=timezone.now(), email="")
    token = new_token()
    made = JoinRequest.objects.create(
        league=league,
        player=player,
        user=user,
        email=email,
        kind=kind[:60],
        token_hash=hashed(token),
    )
    log_action(Kind.JOIN_ASKED, by=user, league=league)
    return made, token


def waiting(league: League) -> QuerySet[JoinRequest]:
    """Return the phones that wait, those that came first first."""
    since = timezone.now() - PATIENCE
    rows = league.join_requests.filter(state=State.WAITING, made_at__gt=since)
    return rows.select_related("player", "user").order_by("made_at", "pk")


def request_of(token: str) -> JoinRequest | None:
    """Return the request of the phone that has this token."""
    rows = JoinRequest.objects.select_related("league", "player", "user")
    return rows.filter(token_hash=hashed(token)).first() if token else None


@transaction.atomic
def accept(request: JoinRequest, *, by: User | None) -> JoinRequest:
    """Let the phone in under the name that it picked; twice is once. Raises Refused."""
    request = _again(request)
    if request.state == State.ACCEPTED:
        return request
    refuse(_over(request))
    request.user = come_in(request.league, request.player, user=request.user, email=request.email)
    _decide(request, State.ACCEPTED, by)
    return request


@transaction.atomic
def decline(request: JoinRequest, *, by: User | None) -> JoinRequest:
    """Let the phone not in. Raises Refused where it is in."""
    request = _again(request)
    if request.state != State.REFUSED:
        refuse(_over(request))
        _decide(request, State.REFUSED, by)
        log_action(Kind.JOIN_REFUSED, by=by, of=request.user, league=request.league)
    return request


@transaction.atomic
def enter(request: JoinRequest) -> User | None:
    """Return as whom the accepted phone goes on, once.

    None where it did so before, or where a host has taken it out again meanwhile.
    """
    request = _lock(request)
    if request.state != State.ACCEPTED or request.entered_at is not None:
        return None
    JoinRequest.objects.filter(pk=request.pk).update(entered_at=timezone.now())
    is_in = Membership.objects.filter(league=request.league, user=request.user).exists()
    return request.user if is_in else None


def _again(request: JoinRequest) -> JoinRequest:
    """Lock the request as `_lock`, after nights and league: who leaves comes that way as well."""
    bump_league_and_nights(request.league)
    return _lock(request)


def _lock(request: JoinRequest) -> JoinRequest:
    """Lock the request, so that of two who tap one is first."""
    rows = JoinRequest.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league__book", "player", "user").get(pk=request.pk)


def _decide(request: JoinRequest, state: JoinRequest.State, by: User | None) -> None:
    request.state, request.decided_by, request.decided_at = state, by, timezone.now()
    request.email = ""  # the user has it, or nobody needs it
    request.save(update_fields=["state", "decided_by", "decided_at", "user", "email"])


def _over(request: JoinRequest) -> Iterator[Problem]:
    if request.state != State.WAITING:
        yield problem("request", request.state, f"it is {request.state}")
    elif request.made_at < timezone.now() - PATIENCE:
        yield problem("request", "ended", "it has waited too long: let the phone ask again")
