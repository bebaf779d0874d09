"""Signing a phone out revokes everything it created. Keys end with their owner's membership."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.audit_log import Kind, logged_actions
from league.closing.chip_requests import Exchange, exchange
from league.common.errors import RefusedError
from league.models import (
    ChipRequest,
    Device,
    League,
    Membership,
    Night,
    Player,
    Role,
    Scope,
    User,
)
from league.people import devices, members
from league.people.api_keys import link_of, make_link, make_token, token_of
from league.people.joining import invitation_of, invite
from league.people.leagues import add_member
from league.planned_nights.answer_links import give_links
from league.planned_nights.answer_links import link_of as link_to_answer
from league.privacy.erasure import erase_player, erase_user
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import bought, post, someone

pytestmark = pytest.mark.django_db
BROWSER = "Mozilla/5.0 (iPhone) Safari/605"


@pytest.fixture
def night() -> Night:
    return a_night()


def a_phone(night: Night, name: str = "bob") -> Client:
    """A phone that joined using the join page."""
    client = Client(headers={"User-Agent": BROWSER})
    form = {"player": str(player(night, name).pk)}
    assert client.post(f"/join/{night.league.code}", form).status_code == 302
    return client


def member_of(player: Player) -> Membership:
    player.refresh_from_db()
    return Membership.objects.get(league=player.league, user=player.user)


def keys_of(member: Membership) -> list[str]:
    return [
        make_token(member.league, member.user, scope, scope, days=3650)[1] for scope in Scope.values
    ]


def opens(text: str, night: Night) -> bool:
    client = Client(headers={"Authorization": f"Bearer {text}"})
    return client.get(f"/api/v1/nights/{night.pk}").status_code == 200


WAYS: dict[str, Callable[[Membership, User], Any]] = {
    "removed": lambda member, host: members.remove(member, by=host),
    "phone signed out": lambda member, host: devices.sign_out(
        Device.objects.select_related("player", "user", "league").get(user=member.user), by=host
    ),
    "name freed": lambda member, host: devices.free(Player.objects.get(user=member.user), by=host),
    "name erased": lambda member, host: erase_player(
        Player.objects.select_related("league__book").get(user=member.user), by=host
    ),
    "account erased": lambda member, host: erase_user(member.user, by=host),
}


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCOREKEEPER, Role.HOST])
@pytest.mark.parametrize("way", WAYS)
def test_removing_a_phone_revokes_its_tokens_links_and_membership(
    way: str, role: Role, night: Night
) -> None:
    phone, host = a_phone(night), night.league.created_by
    assert host
    member = member_of(player(night, "bob"))
    members.change_role(member, role, by=host)
    tokens = keys_of(member)
    _, link = make_link(night.league, "sheet", by=member.user)
    assert all(opens(token, night) for token in tokens)
    assert phone.get(f"/nights/{night.pk}").status_code == 200
    WAYS[way](member, host)
    assert phone.get(f"/nights/{night.pk}").status_code in (302, 404)
    assert not any(opens(token, night) for token in tokens)
    assert [token_of(token) for token in tokens] == [None] * 3
    assert link_of(link) is None
    assert not Membership.objects.filter(pk=member.pk).exists()
    assert not Player.objects.filter(league=night.league).exclude(user=None).exists()


def test_tokens_stay_revoked_when_a_member_returns(night: Night) -> None:
    a_phone(night)
    member = member_of(player(night, "bob"))
    tokens, user = keys_of(member), member.user
    members.remove(member, by=None)
    add_member(night.league, user, Role.HOST)
    assert not any(opens(each, night) for each in tokens)


def test_token_without_a_membership_gives_no_access(night: Night) -> None:
    """Tokens are rejected no matter how the membership row was deleted."""
    member = add_member(night.league, a_user(), Role.SCOREKEEPER)
    tokens = keys_of(member)
    Membership.objects.filter(pk=member.pk).delete()
    assert [token_of(each) for each in tokens] == [None] * 3


def test_signing_out_a_phone_ends_its_chip_requests(night: Night) -> None:
    phone = a_phone(night)
    body = bought(night, player(night, "bob"), 5, banker=player(night, "ann"))
    assert post(phone, f"nights/{night.pk}/buy-ins", **body).status_code == 202
    devices.free(player(night, "bob"), by=None)
    assert ChipRequest.objects.get().state == "ended"


def test_signing_out_a_hosts_phone_revokes_its_keys_but_keeps_the_role(night: Night) -> None:
    """A host's stolen phone is signed out, and the host signs in again elsewhere."""
    host = a_user()
    add_member(night.league, host, Role.HOST)
    client = Client()
    client.force_login(host)
    form = {"player": str(player(night, "bob").pk)}
    assert client.post(f"/join/{night.league.code}", form).status_code == 302
    tokens = keys_of(member_of(player(night, "bob")))
    _, invitation = invite(night.league, "whoever has the phone", by=host, role=Role.SCOREKEEPER)
    waits = Exchange(
        kind="buy-in", id=uuid4(), night=night, player=player(night, "cat"), chips=5,
        banker=player(night, "ann"),
    )  # fmt: skip
    exchange(waits, by=host, word=player(night, "ann"))
    devices.sign_out(Device.objects.select_related("user", "league").get(user=host), by=None)
    assert invitation_of(invitation) is None
    assert ChipRequest.objects.get().state == "ended"
    assert client.get(f"/nights/{night.pk}").status_code == 302
    assert not any(opens(each, night) for each in tokens)
    assert Membership.objects.get(league=night.league, user=host).role == Role.HOST
    assert player(night, "bob").user is None


def test_last_hosts_phone_cannot_be_signed_out(night: Night) -> None:
    a_phone(night)
    member = member_of(player(night, "bob"))
    members.change_role(member, Role.HOST)
    host = Membership.objects.get(user=night.league.created_by)
    members.remove(host, by=member.user)
    phone = Device.objects.select_related("user", "league").get(user=member.user)
    with pytest.raises(RefusedError):
        devices.sign_out(phone, by=member.user)
    page = someone(night, Role.SCOREKEEPER)
    assert page.post(f"/phones/{phone.pk}/sign-out").status_code == 403
    assert Membership.objects.filter(pk=member.pk).exists()


CHANGES = {
    (Role.HOST, Role.SCOREKEEPER): {Scope.READ, Scope.RECORD},
    (Role.HOST, Role.PLAYER): {Scope.READ},
    (Role.SCOREKEEPER, Role.VIEWER): {Scope.READ},
    (Role.PLAYER, Role.SCOREKEEPER): {Scope.READ},
    (Role.PLAYER, Role.HOST): {Scope.READ},
    (Role.SCOREKEEPER, Role.HOST): {Scope.READ, Scope.RECORD},
}


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_role_changes_never_extend_a_keys_permissions(
    before: Role, after: Role, night: Night
) -> None:
    """A demotion ends keys above the new role. A promotion does not extend existing keys."""
    member = add_member(night.league, a_user(), before)
    tokens = dict(zip(Scope, keys_of(member), strict=True))
    _, link = make_link(night.league, "sheet", by=member.user)
    members.change_role(Membership.objects.get(pk=member.pk), after)
    left = {scope for scope, text in tokens.items() if token_of(text)}
    # Feed links stop working when their creator loses the host role.
    assert (left, link_of(link) is None) == (CHANGES[before, after], before == Role.HOST)


# The code


@pytest.mark.parametrize("new", [False, True])
def test_host_can_change_the_join_code_when_signing_out_a_phone(new: bool, night: Night) -> None:
    a_phone(night)
    code, host = night.league.code, someone(night, Role.HOST)
    phone = Device.objects.get()
    page = html(host.get(f"/leagues/{night.league.pk}/phones"))
    assert 'name="new_code"' in page
    host.post(f"/phones/{phone.pk}/sign-out", {"new_code": "1"} if new else {})
    assert (League.objects.get().code != code) == new
    assert Client().get(f"/join/{code}").status_code == (404 if new else 200)
    kinds = {each.kind for each in logged_actions(night.league)}
    assert (Kind.CODE_RENEWED in kinds, Kind.PHONE_SIGNED_OUT in kinds) == (new, True)


@pytest.mark.parametrize("new", [False, True])
def test_token_can_change_the_join_code_when_signing_out_a_phone(new: bool, night: Night) -> None:
    a_phone(night)
    code, host = night.league.code, someone(night, Role.HOST)
    at = f"leagues/{night.league.pk}/devices/{Device.objects.get().pk}/sign-out"
    body = {"new_code": True} if new else {}
    assert post(host, at, **body).json()["signed_out_at"]
    assert (League.objects.get().code != code) == new
    assert post(host, at, new_code="yes").status_code == 400


@pytest.mark.parametrize("way", ["sign out", "free", "remove", "of a scorekeeper"])
def test_former_user_of_a_player_cannot_answer_with_the_link(night: Night, way: str) -> None:
    """Reminders and calendars contain the link, which requires no sign-in."""
    a_phone(night)
    bob = player(night, "bob")
    member = member_of(bob)
    others = give_links(night.league, night.league.players.all())
    if way == "of a scorekeeper":
        member.user.set_password("a pass word")
        member.user.save()
        Membership.objects.filter(pk=member.pk).update(role=Role.SCOREKEEPER)
    if way == "remove":
        members.remove(member)
    elif way == "free":
        devices.free(bob)
    else:
        devices.sign_out(Device.objects.get(player=bob))
    bob.refresh_from_db()
    assert bob.user is None
    token = others.pop(bob.pk)
    assert link_to_answer(token) is None
    assert Client().get(f"/answers/{token}").status_code == 404
    assert all(link_to_answer(each) for each in others.values())
    assert give_links(night.league, [bob])[bob.pk] != token
