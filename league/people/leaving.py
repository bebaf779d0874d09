"""End a membership and everything that depends on it."""

from collections.abc import Iterable, Iterator
from importlib import import_module

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league.change_version import bump_league, bump_night, lock_open_nights
from league.common.errors import Problem, problem, refuse
from league.common.locks import lock_league
from league.models import (
    ChipRequest,
    Device,
    Invitation,
    JoinRequest,
    League,
    Membership,
    NightAnswerLink,
    Player,
    Role,
    User,
)
from league.payment_methods.methods import delete_methods
from league.people.api_keys import end_keys
from league.people.favourites import end_favourites
from league.sign_in.authentication import can_sign_in_again


def lock(league: League) -> None:
    """Lock the open nights and the league. The journal is always locked after these."""
    lock_open_nights(league)
    lock_league(league.pk)


@transaction.atomic
def leave(league: League, user: User, *, by: User | None) -> None:
    """End the user's membership, sessions on phones, tokens, links, names and open requests.

    Raises RefusedError if the user is the last host.
    """
    lock(league)
    _leave(league, user, by=by)


def _leave(league: League, user: User, *, by: User | None) -> None:
    """Remove the user from a league that is already locked.

    Do not lock nights again here. That would wait for nights that were opened in the meantime,
    while holding the league's lock.
    """
    for member in Membership.objects.filter(league=league, user=user):
        refuse(last_host(member))
        member.delete()
    end_keys(league, user, by=by)
    end_invitations(league, user)
    end_chip_requests(league, user)
    end_favourites(league, user)
    JoinRequest.objects.filter(league=league, user=user, state=JoinRequest.State.WAITING).update(
        state=JoinRequest.State.ENDED, decided_at=timezone.now(), email=""
    )
    for device in Device.objects.filter(league=league, user=user, signed_out_at=None):
        end_session(device)
    lose_names(league, user)


def lose_names(league: League, user: User) -> None:
    """Release the user's names, and delete the links for answering under these names."""
    players = Player.objects.filter(league=league, user=user)
    _end_answer_links(list(players))
    players.update(user=None)
    bump_league(league.pk)


def _end_answer_links(players: Iterable[Player]) -> None:
    links = NightAnswerLink.objects.filter(player__in=players, revoked_at=None)
    links.update(revoked_at=timezone.now())


@transaction.atomic
def lose_name(player: Player, *, by: User | None) -> None:
    """Release the name.

    Users who are only players also leave the league. Users who have more than a player's role and
    can sign in without the phone stay members. Raises RefusedError if the user is the last host.
    """
    if player.user is None:
        return
    lock(player.league)
    user, player.user = player.user, None
    _end_answer_links([player])
    if not keeps_membership(player.league, user):
        _leave(player.league, user, by=by)
    player.save(update_fields=["user"])
    bump_league(player.league_id)


def keeps_membership(league: League, user: User) -> bool:
    """Return whether the user stays a member after losing the phone and the name.

    A phone that was made a host or scorekeeper may have no other way to sign in.
    """
    roles = Membership.objects.filter(league=league, user=user).exclude(role=Role.PLAYER)
    return can_sign_in_again(user) and roles.exists()


def end_session(device: Device) -> None:
    """End the phone's session.

    Delete the user's payment methods if the user has no other way to sign in.
    """
    engine = import_module(settings.SESSION_ENGINE)
    engine.SessionStore(device.session_key).delete()
    device.signed_out_at = timezone.now()
    device.save(update_fields=["signed_out_at"])
    others = Device.objects.filter(user=device.user, signed_out_at=None)
    if not (can_sign_in_again(device.user) or others.exists()):
        delete_methods(device.user)


def end_invitations(league: League, user: User) -> None:
    """End the user's unused invitations."""
    mine = Invitation.objects.filter(league=league, made_by=user, used_at=None, ended_at=None)
    mine.update(ended_at=timezone.now())


def end_chip_requests(league: League, user: User) -> None:
    """End the user's unanswered chip requests at the league's nights."""
    state = ChipRequest.State
    mine = ChipRequest.objects.filter(night__season__league=league, made_by=user)
    waiting = mine.filter(state=state.WAITING)
    nights = set(waiting.values_list("night", flat=True))
    waiting.update(state=state.ENDED, decided_at=timezone.now())
    for night in nights:
        bump_night(night)


def last_host(member: Membership) -> Iterator[Problem]:
    """Yield a problem if the member is the league's only host."""
    hosts = Membership.objects.filter(league=member.league_id, role=Role.HOST)
    if list(hosts.values_list("pk", flat=True)) == [member.pk]:
        yield problem(
            "role",
            "last-host",
            "a league needs at least one host: make another member a host first",
        )
