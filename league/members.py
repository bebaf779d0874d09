"""Who is in a league, and as what: a league has a host at all times."""

from collections.abc import Iterator

from django.db import transaction

from league.devices import free
from league.models import League, Membership, Role
from league.refusals import Fault, fault, refuse


@transaction.atomic
def change_role(member: Membership, role: Role) -> Membership:
    """Give the member another role. Raises Refused for the last host."""
    _lock(member)
    if role != Role.HOST:
        refuse(_last_host(member))
    Membership.objects.filter(pk=member.pk).update(role=role)
    member.role = role
    return member


@transaction.atomic
def remove(member: Membership) -> None:
    """Take the member out of the league; the name at the table is free for another phone.

    Raises Refused for the last host.
    """
    _lock(member)
    refuse(_last_host(member))
    for player in member.league.players.filter(user=member.user_id):
        free(player)
    Membership.objects.filter(pk=member.pk).delete()


def _lock(member: Membership) -> None:
    League.objects.select_for_update(no_key=True).get(pk=member.league_id)


def _last_host(member: Membership) -> Iterator[Fault]:
    hosts = Membership.objects.filter(league=member.league_id, role=Role.HOST)
    if list(hosts.values_list("pk", flat=True)) == [member.pk]:
        yield fault("role", "last-host", "the league would have no host")
