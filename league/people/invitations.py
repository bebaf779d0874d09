"""Invite one person by a link, which works once and ends after days; only its hash is kept."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common import bounds
from league.common.errors import Problem, problem, refuse
from league.common.text import tidy, wrong_text
from league.common.tokens import hashed, new_token
from league.models import Invitation, League, Player, Role, User
from league.people.joining import come_in

# In days.
USUAL_DAYS = 7
MOST_DAYS = 60
# A host is made by a host of somebody who is in: no link is worth a whole league.
ROLES = (Role.PLAYER, Role.SCOREKEEPER, Role.VIEWER)
# Whoever invites so gives a role away, which wants a fresh sign-in as any other way does.
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
    """Make an invitation and return it with its token, kept nowhere. Raises Refused.

    `player` is the name that it is for; without one, whoever comes picks one that is free.
    """
    _hold(league)
    refuse(_wrong(league, name, player, role, days))
    token = new_token()
    made = Invitation.objects.create(
        league=league,
        name=tidy(name),
        player=player,
        role=role,
        token_hash=hashed(token),
        made_by=by,
        expires_at=timezone.now() + timedelta(days=days),
    )
    log_action(Kind.INVITED, by=by, league=league, role=role)
    return made, token


def standing(league: League) -> QuerySet[Invitation]:
    """Return the invitations that nobody has used and that have not ended, the last first."""
    live = league.invitations.filter(used_at=None, ended_at=None, expires_at__gt=timezone.now())
    return live.select_related("player", "made_by").order_by("-made_at")


def invitation_of(token: str) -> Invitation | None:
    """Return the invitation that the token opens."""
    rows = Invitation.objects.select_related("league", "player")
    live = rows.filter(used_at=None, ended_at=None, expires_at__gt=timezone.now())
    return live.filter(token_hash=hashed(token)).first()


@transaction.atomic
def end(league: League, invitation_id: UUID, *, by: User | None) -> None:
    """End the invitation at once; doing it twice changes nothing."""
    _hold(league)
    rows = league.invitations.filter(pk=invitation_id, used_at=None, ended_at=None)
    if rows.update(ended_at=timezone.now()):
        log_action(Kind.INVITATION_ENDED, by=by, league=league)


@transaction.atomic
def use(
    invitation: Invitation, player: Player, *, user: User | None = None, email: str = ""
) -> User:
    """Come in by the invitation, once; no host has to approve. Raises Refused."""
    _hold(invitation.league)
    rows = Invitation.objects.select_for_update(of=("self",), no_key=True)
    now = timezone.now()
    found = rows.filter(pk=invitation.pk, used_at=None, ended_at=None, expires_at__gt=now).first()
    refuse(_unusable(found, player))
    joined = come_in(invitation.league, player, user=user, email=email, role=Role(invitation.role))
    Invitation.objects.filter(pk=invitation.pk).update(used_at=now, used_by=joined)
    return joined


def _hold(league: League) -> None:
    """Make writers of the league's invitations wait: before one of them, as who leaves does."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)


def _unusable(found: Invitation | None, player: Player) -> Iterator[Problem]:
    if found is None:
        yield problem("", "invitation-over", "this invitation was used, or has ended")
    elif found.player_id not in (None, player.pk):
        yield problem("player", "other-name", "this invitation is for another name")


def _wrong(
    league: League, name: object, player: Player | None, role: object, days: object
) -> Iterator[Problem]:
    yield from wrong_text("name", name)
    if player is not None and player.league_id != league.pk:
        yield problem("player", "unknown-player", "the league has no such player")
    elif player is not None and player.user_id is not None:
        yield problem("player", "name-taken", "somebody else has picked this name")
    if role not in ROLES:
        yield problem("role", "bad-option", f"this is {' or '.join(ROLES)}")
    if not isinstance(days, int) or isinstance(days, bool) or not 1 <= days <= MOST_DAYS:
        yield problem("days", "bad-days", f"this must be a whole number from 1 to {MOST_DAYS}")
    yield from bounds.INVITATIONS.exceeded(standing(league))
