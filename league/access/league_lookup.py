"""Leagues that are looked up over and over: found as by `find_league`, by SQL that is made once."""

from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, OuterRef, Subquery, UUIDField
from django.http import Http404

from league.access.lookups import Also
from league.access.rights import Action, Bearer, Visitor, person, required
from league.common.statements import Given, Statement
from league.models import League, Membership, Role

# What is asked of a league to decide who may do what, and its book; the rest waits until it is.
_READ = ("id", "book_id", "joined", "inviters")
_COLUMNS = tuple(
    field.attname
    for field in League._meta.concrete_fields  # noqa: SLF001 (made to be read)
    if field.attname in _READ
)


class LeagueLookup:
    """Finds a league with the same columns beside it every time, whoever asks."""

    def __init__(self, also: Also) -> None:
        self.also = also
        found = League.objects.filter(pk=Given("league", UUIDField())).annotate(**also)
        user = Given("user", BigIntegerField())
        roles = Membership.objects.filter(league=OuterRef("pk"), user=user).values("role")
        beside = found.annotate(visitors_role=Subquery(roles[:1]))
        self.of_anyone = Statement(found, *_COLUMNS, *also)
        self.of_user = Statement(beside, *_COLUMNS, *also, "visitors_role")

    def find(self, visitor: Visitor, action: Action | str, league_id: UUID) -> League:
        """Return the league if the visitor may do this there; raises as `access.require`."""
        if isinstance(visitor, Bearer) and visitor.league_id != league_id:
            raise Http404
        user = person(visitor)
        if user is not None:
            rows = self.of_user.rows(league=league_id, user=user.pk)
            role = rows[0][-1] if rows else None
        else:
            rows = self.of_anyone.rows(league=league_id) if isinstance(visitor, Bearer) else []
            role = Role.VIEWER if rows else None
        if not (rows and role):
            raise Http404
        league = self._league(rows[0])
        required(visitor, action, Role(role), league)
        return league

    def _league(self, row: tuple[Any, ...]) -> League:
        width = len(_COLUMNS)
        league = League.from_db(self.of_user.query.db, _COLUMNS, row[:width])
        for name, value in zip(self.also, row[width:], strict=False):
            setattr(league, name, value)
        return league
