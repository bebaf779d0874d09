"""`manage.py mcp`: serve a league to a local assistant over standard input and output."""

import os
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import close_old_connections
from rest_framework.exceptions import AuthenticationFailed

from api import mcp
from api.mcp.caller import Caller, reader_at, reader_of
from league.access import Bearer
from league.management.base_command import ServiceCommand
from league.models import League

TOKEN = "DEALERS_CHOICE_TOKEN"  # noqa: S105 (the name of a variable)
NOBODY = f"Whose league? Put a token into {TOKEN}, or name a league by --league."


class Command(ServiceCommand):
    help = (
        f"Serve an assistant over stdin and stdout with data of the league of {TOKEN} or --league."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        text = (
            "the id of a league, for users with access to the database; takes "
            "precedence over the token"
        )
        parser.add_argument("--league", type=UUID, help=text)

    def handle(self, **options: Any) -> None:
        if not mcp.is_there():
            raise CommandError(mcp.TO_TYPE)
        league_id: UUID | None = options["league"]
        if league_id and not League.objects.filter(pk=league_id).exists():
            raise CommandError(f"There is no league {league_id}.", returncode=2)
        if not (league_id or _token()):
            raise CommandError(NOBODY, returncode=2)
        try:
            bearer_at(league_id)
        except AuthenticationFailed as error:
            raise CommandError(f"{TOKEN}: {error.detail}", returncode=2) from None
        from api.mcp.server import serve_stdio  # noqa: PLC0415 (optional dependency)

        serve_stdio(lambda: Caller(bearer_at(league_id)))


def bearer_at(league_id: UUID | None) -> Bearer:
    """Return the caller, read for each question because a token can be revoked.

    Raises AuthenticationFailed.
    """
    close_old_connections()
    return reader_at(league_id) if league_id else reader_of(_token())


def _token() -> str:
    return os.environ.get(TOKEN, "").strip()
