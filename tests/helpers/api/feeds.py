"""Reading feeds like an external program."""

from typing import Any

from django.test import Client

from league.models import League
from tests.helpers.api.sample_league import link_to


def reads(league: League, feed: str, query: str = "") -> Any:
    """Return the response of a feed, read with a feed link of the league."""
    return Client().get(f"/api/v1/leagues/{league.pk}/feeds/{feed}?key={link_to(league)}{query}")
