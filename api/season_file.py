"""A season as one file: everything of it, and its way into an empty league."""

from collections.abc import Mapping
from typing import IO, Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.once import once
from api.resource import Resource
from api.seasons import SeasonTold
from league.access import Action, find_league, find_season
from league.stats.exporting import export_season, file_name
from league.stats.importing import import_season
from league.stats.season_file import MEDIA_TYPE

FILE = {MEDIA_TYPE: OpenApiTypes.STR}


class Lines(BaseParser):
    """The lines of a file, a list of texts. What is no text is no JSON either, and told as that."""

    media_type = MEDIA_TYPE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        # no longer than any body may be: its length was looked at before it came here
        return [line.decode(errors="replace") for line in stream.read().splitlines()]


class SeasonFile(Resource):
    picks = False

    @extend_schema(
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
        summary="Read such a file into an empty league",
        request=FILE,
        responses={201: SeasonTold},
    )
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        season = import_season(league, request.data, by=self.user)
        at = reverse("api:season", args=[season.pk])
        return Response(self.told(SeasonTold, season), status=201, headers={"Location": at})
