"""Every page of a league shows its navigation, except for the page that fills the screen."""

import pytest
from django.db import transaction
from django.test import Client

from tests.api.conftest import doors, world
from tests.helpers.api.sample_league import World
from tests.helpers.league.pages import html
from tests.helpers.security.pages import filled, pages

__all__ = ["doors", "world"]
pytestmark = pytest.mark.django_db
IDS = {"league_id", "season_id", "night_id", "player_id", "hand_id", "slug"}
FULL_SCREEN = {"record", "record-again"}
NOT_FOR_MEMBERS = {"game", "game-odds"}  # the public catalog


def test_every_league_page_shows_navigation(world: World, doors: dict[str, Client]) -> None:
    """The pages of a replay and of a hand that was recorded twice showed none."""
    seen = set()
    for route in pages():
        if not IDS & set(route.pattern.converters) or route.name in NOT_FOR_MEMBERS | FULL_SCREEN:
            continue
        with transaction.atomic():
            answer = doors["host"].get(filled(world, route), follow=True)
            transaction.set_rollback(True)
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code != 200 or answer.streaming or not kind.startswith("text/html"):
            continue
        page = html(answer)
        if '<header class="top">' in page:
            seen.add(route.name)
            assert 'class="league-nav unprinted"' in page, route.name
            assert f'<span class="switcher wrap">{world.league.name}</span>' in page, route.name
    assert {"replay", "conflicts", "count", "night", "league"} <= seen
