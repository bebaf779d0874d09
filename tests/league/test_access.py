"""Permissions by role."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from league import access
from league.access import Action, Bearer
from league.models import Hand, Role, Scope
from league.nights.opening import open_night
from league.people.leagues import add_member
from tests.helpers.league.leagues import a_league, a_night, a_user, player

pytestmark = pytest.mark.django_db

RULES = {
    Role.HOST: {"look", "record-hands", "keep-score", "invite", "manage"},
    Role.SCOREKEEPER: {"look", "record-hands", "keep-score"},
    Role.PLAYER: {"look", "record-hands"},
    Role.VIEWER: {"look"},
}


@pytest.mark.parametrize("action", Action)
@pytest.mark.parametrize("role", Role)
def test_role_allows_only_its_own_permissions(role: Role, action: Action) -> None:
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
def test_outsiders_cannot_see_whether_a_league_exists(action: Action) -> None:
    league, stranger = a_league(), a_user()
    a_league(stranger)
    for user in (stranger, AnonymousUser()):
        assert not access.may(user, action, league)
        with pytest.raises(Http404):
            access.require(user, action, league)
        with pytest.raises(Http404):
            access.find_league(user, action, league.pk)


def test_queries_return_only_the_users_own_leagues() -> None:
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
        assert find(host, Action.VIEW, row.pk) == row
        for user, pk in ((a_user(), row.pk), (host, uuid4())):
            with pytest.raises(Http404):
                find(user, Action.VIEW, pk)


def test_users_can_see_nights_of_their_own_leagues() -> None:
    host = a_user()
    mine = open_night(a_league(host))
    open_night(a_league())
    assert list(access.nights_of(host)) == [mine]
    assert list(access.leagues_of(host)) == [mine.league]
    assert not access.nights_of(AnonymousUser()).exists()


SCOPES = {
    Scope.READ: {"look"},
    Scope.RECORD: {"look", "record-hands", "keep-score"},
    Scope.MANAGE: {"look", "record-hands", "keep-score", "invite", "manage"},
}


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("role", Role)
def test_token_is_limited_by_its_scope_and_the_role_of_its_owner(role: Role, scope: Scope) -> None:
    league, user = a_league(), a_user()
    add_member(league, user, role)
    bearer = Bearer(league.pk, scope, user)
    can = {action for action in Action if access.may(bearer, action, league)}
    assert can == RULES[role] & SCOPES[scope]
    for action in Action:
        if action in can:
            assert access.find_league(bearer, action, league.pk) == league
        else:
            with pytest.raises(PermissionDenied):
                access.find_league(bearer, action, league.pk)


def test_token_gives_access_to_one_league_only() -> None:
    host = a_user()
    here, elsewhere = a_league(host), a_league(host)
    bearer = Bearer(here.pk, Scope.MANAGE, host)
    assert list(access.leagues_of(bearer)) == [here]
    assert not access.may(bearer, Action.VIEW, elsewhere)
    with pytest.raises(Http404):
        access.find_league(bearer, Action.VIEW, elsewhere.pk)
    with pytest.raises(Http404):
        access.find_night(bearer, Action.VIEW, a_night(elsewhere).pk)


def test_former_members_token_is_not_accepted() -> None:
    league, user = a_league(), a_user()
    add_member(league, user, Role.PLAYER).delete()
    bearer = Bearer(league.pk, Scope.READ, user)
    assert not access.leagues_of(bearer).exists()
    with pytest.raises(Http404):
        access.find_league(bearer, Action.VIEW, league.pk)


def test_feed_link_is_read_only_and_has_no_user() -> None:
    league = a_league()
    bearer = Bearer(league.pk, Scope.READ)
    assert access.find_league(bearer, Action.VIEW, league.pk) == league
    assert access.require(bearer, Action.VIEW, league) == Role.VIEWER
    assert list(access.leagues_of(bearer)) == [league]
    assert access.player_of(bearer, league) is None
    with pytest.raises(PermissionDenied):
        access.find_league(bearer, Action.KEEP_SCORE, league.pk)
    with pytest.raises(PermissionDenied):
        access.signed_in(bearer)
    with pytest.raises(Http404):
        access.find_league(bearer, Action.VIEW, a_league().pk)


@pytest.mark.parametrize(("scope", "speaks"), [(Scope.READ, False), (Scope.RECORD, True)])
def test_recording_token_acts_only_for_its_own_player(scope: Scope, speaks: bool) -> None:
    night, user = a_night(), a_user()
    ann, bob = player(night, "ann"), player(night, "bob")
    ann.user = user
    ann.save()
    add_member(night.league, user, Role.PLAYER)
    bearer = Bearer(night.league.pk, scope, user)
    assert access.may_act_for(bearer, ann, night.league) == speaks
    assert not access.may_act_for(bearer, bob, night.league)
