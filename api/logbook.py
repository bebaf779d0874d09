"""Who did what in a league, for its hosts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import BadQuery
from api.fields import Moment, Told
from api.resource import Resource
from api.schema import operation
from league.access import Action, find_league
from league.logbook import Done, logbook
from league.refusals import fault

BEFORE = "before"
ASKS = (OpenApiParameter(BEFORE, datetime, description="Only what was done before this."),)


class DoneTold(Told):
    """What was done: `by` and `of` are names under which people sign in, null for nobody's."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    of = serializers.CharField(allow_null=True)
    about = serializers.DictField()


class LogbookTold(Told):
    results = DoneTold(many=True)


class Logbook(Resource):
    parameters = frozenset((BEFORE,))

    @operation("The last hundred things done, the latest first", LogbookTold, parameters=ASKS)
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = [_told(each) for each in logbook(league, before=self._before())]
        return Response({"results": self.told(DoneTold, rows, many=True)})

    def _before(self) -> datetime | None:
        told = self.request.query_params.get(BEFORE)
        if told is None:
            return None
        try:
            before: datetime = Moment().run_validation(told)
        except serializers.ValidationError as error:
            text = "this is a moment with its offset, as 2026-11-21T20:00:00Z"
            raise BadQuery([fault(BEFORE, "bad-time", text)]) from error
        return before


def _told(done: Done) -> dict[str, Any]:
    names = {name: str(user) if user else None for name, user in (("by", done.by), ("of", done.of))}
    return {"at": done.at, "kind": done.kind, "about": done.about, **names}
