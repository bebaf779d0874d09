"""Starting a night in a league with many names. Recent players come first, others by search."""

from uuid import uuid4

import pytest
from django.test import Client

from league.models import League, Night, Player, Role
from league.nights.nights import MANY_NAMES, stacks
from league.people.leagues import add_player
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league, a_night
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    """A league in which dan and three others have played, and 500 players have not."""
    league = a_night().league
    Player.objects.bulk_create(
        Player(league=league, name=f"Adam {number}") for number in range(495)
    )
    add_player(league, "Zoë")
    return league


@pytest.fixture
def host(league: League) -> Client:
    return member(league, Role.HOST)


def names(page: object) -> list[str]:
    return [row.player.name for row in page.context["form"].rows]  # type: ignore[attr-defined]


def test_recent_players_are_listed_before_many_others(host: Client, league: League) -> None:
    page = host.get(f"/leagues/{league.pk}/nights/new")
    assert names(page)[:4] == ["ann", "bob", "cat", "dan"]
    assert len(names(page)) == MANY_NAMES
    assert "checked" not in html(page)


def test_search_finds_a_player_and_keeps_what_was_typed(host: Client, league: League) -> None:
    at = f"/leagues/{league.pk}/nights/new"
    ann, zoe = (league.players.get(name=name) for name in ("ann", "Zoë"))
    form = {"key": str(uuid4()), "name": "Late", "usual": "70"}
    form |= {f"sits-{ann.pk}": "on", f"seat-{ann.pk}": "2", f"chips-{ann.pk}": "fifty"}
    page = host.post(at, form | {"find": "find", "search": "zOË"})
    assert names(page) == ["Zoë", "ann"]
    assert not page.context["form"].errors
    assert all(text in html(page) for text in ('value="fifty"', 'value="Late"', 'value="70"'))
    assert html(page).count("checked") == 1
    assert league.seasons.get().nights.count() == 1
    form |= {f"chips-{ann.pk}": "50", f"sits-{zoe.pk}": "on", f"seat-{zoe.pk}": "1"}
    answer = host.post(at, form | {"search": "zOË"})
    assert answer.status_code == 302
    night = league.seasons.get().nights.get(pk=form["key"])
    assert stacks(night) == {zoe.pk: 70, ann.pk: 50}


def test_guest_with_the_name_of_a_player_can_be_seated_as_that_player(
    host: Client, league: League
) -> None:
    night = Night.objects.get()
    form = {"name": " zoë ", "key": str(uuid4())}
    page = html(host.post(f"/nights/{night.pk}/guests", form))
    zoe = league.players.get(name="Zoë")
    assert "Add Zoë to the table" in page
    assert f'name="player" value="{zoe.pk}"' in page
    assert host.post(f"/nights/{night.pk}/seats", {"player": zoe.pk}).status_code == 302
    assert night.seats.filter(player=zoe).exists()
    again = html(host.post(f"/nights/{night.pk}/guests", form))
    assert "to the table" not in again


def test_search_without_a_match_is_reported(host: Client, league: League) -> None:
    at = f"/leagues/{league.pk}/nights/new"
    page = host.post(at, {"key": str(uuid4()), "find": "find", "search": "nowhere"})
    assert "No players found. Check the spelling." in html(page)
    assert len(names(page)) == MANY_NAMES


def test_small_league_lists_and_preselects_all_players_without_a_search() -> None:
    league = a_league()
    for name in ("ann", "bob"):
        add_player(league, name)
    page = html(member(league, Role.HOST).get(f"/leagues/{league.pk}/nights/new"))
    assert "checked" in page
    assert "Find a player" not in page
