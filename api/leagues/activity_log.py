"""Who did what in a league, for its hosts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.errors import BadQueryError
from api.http.fields import DateTime, OutputSerializer
from api.http.resource import Resource
from api.http.schema import operation
from league.access import Action, find_league
from league.audit_log import LoggedAction, logged_actions
from league.common.errors import problem

BEFORE = "before"
ASKS = (OpenApiParameter(BEFORE, datetime, description="Only what was done before this."),)


class ActivityLogEntrySerializer(OutputSerializer):
    """What was done: `by` and `of` are names under which people sign in, null for nobody's."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    of = serializers.CharField(allow_null=True)
    about = serializers.DictField()


class ActivityLogSerializer(OutputSerializer):
    results = ActivityLogEntrySerializer(many=True)


class ActivityLog(Resource):
    parameters = frozenset((BEFORE,))

    @operation(
        "list_activity",
        "The last hundred things done, the latest first",
        ActivityLogSerializer,
        parameters=ASKS,
    )
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = [_entry(each) for each in logged_actions(league, before=self._before())]
        return Response({"results": self.serialize(ActivityLogEntrySerializer, rows, many=True)})

    def _before(self) -> datetime | None:
        text = self.request.query_params.get(BEFORE)
        if text is None:
            return None
        try:
            before: datetime = DateTime().run_validation(text)
        except serializers.ValidationError as error:
            message = "this is a moment with its offset, as 2026-11-21T20:00:00Z"
            raise BadQueryError([problem(BEFORE, "bad-time", message)]) from error
        return before


def _entry(done: LoggedAction) -> dict[str, Any]:
    names = {name: str(user) if user else None for name, user in (("by", done.by), ("of", done.of))}
    return {"at": done.at, "kind": done.kind, "about": done.about, **names}
