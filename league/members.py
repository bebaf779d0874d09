"""Who is in a league, and as what: a league has a host at all times."""

from collections.abc import Iterator

from django.db import transaction

from league.devices import free
from league.logbook import Kind, note
from league.models import League, Membership, Role, User
from league.refusals import Fault, fault, refuse


@transaction.atomic
def change_role(member: Membership, role: Role, *, by: User | None = None) -> Membership:
    """Give the member another role. Raises Refused for the last host."""
    _lock(member)
    if role != Role.HOST:
        refuse(last_host(member))
    Membership.objects.filter(pk=member.pk).update(role=role)
    note(Kind.ROLE_CHANGED, by=by, of=member.user, league=member.league, role=role)
    member.role = role
    return member


@transaction.atomic
def remove(member: Membership, *, by: User | None = None) -> None:
    """Take the member out of the league; the name at the table is free for another phone.

    Raises Refused for the last host.
    """
    _lock(member)
    refuse(last_host(member))
    for player in member.league.players.filter(user=member.user_id):
        free(player, by=by)
    Membership.objects.filter(pk=member.pk).delete()
    note(Kind.MEMBER_REMOVED, by=by, of=member.user, league=member.league)


def _lock(member: Membership) -> None:
    League.objects.select_for_update(no_key=True).get(pk=member.league_id)


def last_host(member: Membership) -> Iterator[Fault]:
    """Yield a fault where the member is the only host."""
    hosts = Membership.objects.filter(league=member.league_id, role=Role.HOST)
    if list(hosts.values_list("pk", flat=True)) == [member.pk]:
        yield fault("role", "last-host", "the league would have no host")
