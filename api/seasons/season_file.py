"""A season as one file: everything of it, and its way into an empty league."""

from collections.abc import Mapping
from io import StringIO
from typing import IO, Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.seasons.seasons import SeasonSerializer
from league.access import Action, find_league, find_season
from league.archive.export_season import export_season, file_name
from league.archive.file_format import MEDIA_TYPE
from league.archive.import_season import import_season

FILE = {MEDIA_TYPE: OpenApiTypes.STR}


class Lines(BaseParser):
    """The lines of a file, one text. What is no text is no JSON either, and told as that."""

    media_type = MEDIA_TYPE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        # no longer than any body may be: its length was looked at before it came here
        return stream.read().decode(errors="replace")


class SeasonFile(Resource):
    selects_fields = False

    @extend_schema(
        operation_id="export_season",
        summary="Everything of the season as one file, a row a line",
        request=None,
        responses={(200, MEDIA_TYPE): OpenApiTypes.STR},
    )
    def get(self, request: Request, season_id: UUID) -> StreamingHttpResponse:
        season = find_season(self.visitor, Action.MANAGE, season_id)
        lines = (f"{line}\n" for line in export_season(season))
        headers = {"Content-Disposition": f'attachment; filename="{file_name(season)}"'}
        return StreamingHttpResponse(lines, content_type=MEDIA_TYPE, headers=headers)


class LeagueSeasonFile(Resource):
    parser_classes = (Lines,)

    @extend_schema(
        operation_id="import_season",
        summary="Read such a file into an empty league",
        request=FILE,
        responses={201: SeasonSerializer},
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        # line by line: as a list, short lines are forty times as large as the file
        lines = StringIO(str(request.data))
        season = import_season(league, lines, by=self.user)
        at = reverse("api:season", args=[season.pk])
        return Response(
            self.serialize(SeasonSerializer, season), status=201, headers={"Location": at}
        )
