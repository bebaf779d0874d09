"""A league's members and their roles. A league always has at least one host."""

from typing import Any

from django.db import transaction
from django.db.models import F, Func, TextField
from django.db.models.expressions import Combinable

from league.access import ALLOWED, SCOPES
from league.audit_log import Kind, log_action
from league.common.errors import refuse
from league.models import Membership, Role, Scope, User
from league.people.api_keys import end_links, end_tokens
from league.people.devices import free
from league.people.leaving import end_invitations, last_host, leave, lock


@transaction.atomic
def change_role(member: Membership, role: Role, *, by: User | None = None) -> Membership:
    """Give the member a different role. Raises RefusedError if the member is the last host.

    Tokens that exceed the old or the new role end. Therefore a promotion does not extend older
    tokens, and a host's tokens end with the role.
    """
    lock(member.league)
    before = Role(Membership.objects.values_list("role", flat=True).get(pk=member.pk))
    if role != Role.HOST:
        refuse(last_host(member))
    league, user = member.league, member.user
    shared = ALLOWED[before] & ALLOWED[role]
    end_tokens(league, user, [each for each in Scope if not SCOPES[each] <= shared], by=by)
    if before == Role.HOST != role:
        end_links(league, user, by=by)
        end_invitations(league, user)
    Membership.objects.filter(pk=member.pk).update(role=role)
    log_action(Kind.ROLE_CHANGED, by=by, of=member.user, league=member.league, role=role)
    member.role = role
    return member


@transaction.atomic
def remove(member: Membership, *, by: User | None = None) -> None:
    """Remove the member from the league. A different phone can then claim the name.

    Raises RefusedError if the member is the last host.
    """
    lock(member.league)
    refuse(last_host(member))
    for player in member.league.players.filter(user=member.user_id):
        free(player, by=by)
    leave(member.league, member.user, by=by)
    log_action(Kind.MEMBER_REMOVED, by=by, of=member.user, league=member.league)


def names_of(league: str) -> Combinable:
    """Return an expression that joins the ids and names of a league's players and seasons.

    `league` is the field that contains the league's id.
    """
    return _Names(F(league))


class _Names(Func):
    output_field = TextField()
    template = """(SELECT %(function)s(each.line, ',') FROM (
        SELECT CAST(id AS text) || name AS line FROM league_player WHERE league_id = %(at)s
        UNION ALL SELECT CAST(id AS text) || name FROM league_season WHERE league_id = %(at)s
        ORDER BY 1) each)"""

    def as_sqlite(self, compiler: Any, connection: Any, **_: Any) -> Any:
        return self._sql(compiler, "group_concat")

    def as_postgresql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        return self._sql(compiler, "string_agg")

    def _sql(self, compiler: Any, function: str) -> tuple[str, list[Any]]:
        [at] = self.get_source_expressions()
        return self.template % {"function": function, "at": compiler.compile(at)[0]}, []
