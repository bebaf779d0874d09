"""Who may see or do what, role by role."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from league import access
from league.access import Action
from league.leagues import add_member
from league.models import Hand, Role
from league.nights import open_night
from tests.league.tables import a_league, a_night, a_user, player

pytestmark = pytest.mark.django_db

RULES = {
    Role.HOST: {"look", "record", "manage"},
    Role.SCOREKEEPER: {"look", "record"},
    Role.PLAYER: {"look"},
    Role.VIEWER: {"look"},
}


@pytest.mark.parametrize("action", Action)
@pytest.mark.parametrize("role", Role)
def test_a_role_allows_what_it_says_and_nothing_else(role: Role, action: Action) -> None:
    league, user = a_league(), a_user()
    add_member(league, user, role)
    allowed = action in RULES[role]
    assert access.may(user, action, league) == allowed
    if allowed:
        assert access.require(user, action, league) == role
    else:
        with pytest.raises(PermissionDenied):
            access.require(user, action, league)


@pytest.mark.parametrize("action", Action)
def test_outsiders_cannot_tell_that_a_league_exists(action: Action) -> None:
    league, stranger = a_league(), a_user()
    a_league(stranger)
    for user in (stranger, AnonymousUser()):
        assert not access.may(user, action, league)
        with pytest.raises(Http404):
            access.require(user, action, league)
        with pytest.raises(Http404):
            access.find_league(user, action, league.pk)


def test_what_one_finds_is_of_leagues_that_one_is_in() -> None:
    host = a_user()
    night = a_night(a_league(host))
    hand = Hand.objects.create(id=uuid4(), night=night, number=1)
    ann = player(night, "ann")
    rows = [
        (access.find_league, night.league),
        (access.find_season, night.season),
        (access.find_night, night),
        (access.find_player, ann),
        (access.find_hand, hand),
    ]
    for find, row in rows:
        assert find(host, Action.LOOK, row.pk) == row
        for user, pk in ((a_user(), row.pk), (host, uuid4())):
            with pytest.raises(Http404):
                find(user, Action.LOOK, pk)


def test_one_sees_the_nights_of_ones_own_leagues() -> None:
    host = a_user()
    mine = open_night(a_league(host))
    open_night(a_league())
    assert list(access.nights_of(host)) == [mine]
    assert list(access.leagues_of(host)) == [mine.league]
    assert not access.nights_of(AnonymousUser()).exists()
