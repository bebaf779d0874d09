"""Reading feeds like an external program."""

from typing import Any

from django.test import Client

from league.models import League
from tests.helpers.api.sample_league import link_to


def reads(league: League, feed: str, query: str = "") -> Any:
    """Return a feed's response, read with one of the league's feed links."""
    return Client().get(f"/api/v1/leagues/{league.pk}/feeds/{feed}?key={link_to(league)}{query}")
