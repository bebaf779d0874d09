"""Invitations for one person, and phones that wait for a host's approval."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from league.audit_log import Kind, logged_actions
from league.common import row_limits
from league.common.errors import RefusedError
from league.models import Invitation, JoinRequest, League, Membership, Night, Player, Role, User
from league.people import devices, joining
from league.people.leagues import renew_code
from league.people.leaving import leave
from league.people.members import remove
from league.privacy.renaming import rename_player
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.nights import again
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import post, signed_in, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def host(night: Night) -> Client:
    return someone(night, Role.HOST)


def made_by(night: Night) -> User:
    user = night.league.created_by
    assert user
    return user


# Invitations


def link_from(host: Client, night: Night, **form: Any) -> str:
    filled = {"name": "Zoe", "role": "player", "days": "7"} | form
    page = host.post(f"/leagues/{night.league.pk}/invitations", filled)
    assert page.status_code == 200, html(page)
    return str(page.context["link"]).removeprefix("http://testserver")


def test_invitation_can_be_used_once_and_only_for_its_player(night: Night, host: Client) -> None:
    link = link_from(host, night, role="scorekeeper", player=player(night, "bob").pk)
    token = link.rpartition("/")[2]
    assert token not in str(Invitation.objects.values().get())
    phone, names = Client(), html(Client().get(link))
    assert str(player(night, "bob").pk) in names
    assert str(player(night, "cat").pk) not in names
    other = phone.post(link, {"player": str(player(night, "cat").pk)})
    assert other.status_code == 400
    assert phone.post(link, {"player": str(player(night, "bob").pk)}).status_code == 302
    assert phone.get(f"/nights/{night.pk}").status_code == 200
    bob = player(night, "bob").user
    assert Membership.objects.get(user=bob).role == Role.SCOREKEEPER
    assert Client().get(link).status_code == 404
    late = Client().post(link, {"player": str(player(night, "cat").pk)})
    assert late.status_code == 404
    assert {Kind.INVITED, Kind.JOINED} <= {each.kind for each in logged_actions(night.league)}


def test_invitation_expires_and_can_be_revoked(night: Night, host: Client) -> None:
    first, second = link_from(host, night, days="1"), link_from(host, night)
    page = html(host.get(f"/leagues/{night.league.pk}/phones"))
    ids = list(Invitation.objects.values_list("pk", flat=True))
    assert all(str(item) in page for item in ids)
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1), tick=False):
        assert Client().get(first).status_code == 404
        assert Client().get(second).status_code == 200
    for item in ids:
        host.post(f"/leagues/{night.league.pk}/invitations/{item}/end")
    assert Client().get(second).status_code == 404
    assert [item.kind for item in logged_actions(night.league)].count(Kind.INVITATION_ENDED) == 2


def test_invitation_ends_when_its_host_leaves(night: Night) -> None:
    other = a_user()
    member = Membership.objects.create(league=night.league, user=other, role=Role.HOST)
    _, token = joining.invite(night.league, "Zoe", by=other)
    remove(member, by=made_by(night))
    assert joining.invitation_of(token) is None


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"role": "host"}, "role"),
        ({"days": 0}, "days"),
        ({"days": 61}, "days"),
        ({"name": ""}, "name"),
    ],
)
def test_invitation_cannot_grant_the_host_role_or_last_forever(
    wrong: dict[str, Any], where: str, night: Night, host: Client
) -> None:
    sent = {"name": "Zoe"} | wrong
    with pytest.raises(RefusedError) as refused:
        joining.invite(night.league, by=made_by(night), **sent)
    assert [each["where"] for each in refused.value.errors] == [where]
    assert post(host, f"leagues/{night.league.pk}/invitations", **sent).status_code == 400


def test_player_can_join_with_an_invitation_created_with_a_token(
    night: Night, host: Client
) -> None:
    at = f"leagues/{night.league.pk}/invitations"
    body = post(host, at, name="Zoe", role="viewer").json()
    assert host.get(f"/api/v1/{at}").json()["results"][0].keys().isdisjoint({"token", "address"})
    assert body["address"].endswith(f"/invitations/{body['token']}")
    zoe = signed_in(a_user())
    assert zoe.get(f"/api/v1/invitations/{body['token']}").json()["role"] == "viewer"
    came = post(zoe, f"invitations/{body['token']}", player=player(night, "cat"))
    assert came.status_code == 200
    again = post(signed_in(a_user()), f"invitations/{body['token']}", player=player(night, "dan"))
    assert again.status_code == 404


def test_only_hosts_can_create_invitations(night: Night) -> None:
    for role in (Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER):
        client = someone(night, role)
        assert post(client, f"leagues/{night.league.pk}/invitations", name="Z").status_code == 403
        assert client.post(f"/leagues/{night.league.pk}/invitations").status_code == 403


# Approval


@pytest.fixture
def careful(night: Night) -> Night:
    """A night in a league where a host has to approve each phone."""
    League.objects.update(approves=True)
    return again(night)


def knocks(night: Night, name: str = "bob") -> Client:
    phone = Client()
    form = {"player": str(player(night, name).pk)}
    answer = phone.post(f"/join/{night.league.code}", form)
    assert answer.headers["Location"] == "/wait"
    return phone


def test_waiting_phone_joins_automatically_when_a_host_accepts(
    careful: Night, host: Client
) -> None:
    phone, members = knocks(careful), Membership.objects.count()
    waits = html(phone.get("/wait"))
    assert "You asked to join as bob" in waits
    assert 'http-equiv="refresh"' in waits
    assert phone.get(f"/nights/{careful.pk}").status_code == 302  # the phone is not signed in yet
    assert Membership.objects.count() == members
    assert player(careful, "bob").user is None
    response = JoinRequest.objects.get()
    yes = f"/leagues/{careful.league.pk}/join-requests/{response.pk}/accept"
    for place in (f"/nights/{careful.pk}", f"/leagues/{careful.league.pk}"):
        assert yes in html(host.get(place))
        assert yes not in html(someone(careful, Role.PLAYER).get(place))
    assert host.post(yes).status_code == 302
    assert phone.get("/wait").headers["Location"] == f"/nights/{careful.pk}"
    assert phone.get(f"/nights/{careful.pk}").status_code == 200
    assert careful.league.devices.count() == 1
    assert {Kind.JOIN_ASKED, Kind.JOINED} <= {each.kind for each in logged_actions(careful.league)}


def test_all_hosts_are_notified_of_a_waiting_phone(careful: Night) -> None:
    before = careful.version
    knocks(careful)
    assert again(careful).version > before


def test_rejected_phone_cannot_join(careful: Night, host: Client) -> None:
    phone, request = knocks(careful), JoinRequest.objects.get()
    host.post(f"/leagues/{careful.league.pk}/join-requests/{request.pk}/decline")
    assert "The host declined" in html(phone.get("/wait"))
    assert phone.get(f"/nights/{careful.pk}").status_code == 302
    with pytest.raises(RefusedError):
        joining.accept(request, by=None)


def test_waiting_phone_withdraws_its_request_to_pick_another_name(
    careful: Night, host: Client
) -> None:
    phone = knocks(careful)
    assert "Pick another name" in html(phone.get("/wait"))
    assert phone.post("/wait").headers["Location"] == f"/join/{careful.league.code}"
    assert not joining.waiting(careful.league)
    assert phone.get("/wait").headers["Location"] == "/join"
    phone.post(f"/join/{careful.league.code}", {"player": str(player(careful, "cat").pk)})
    assert [each.player.name for each in joining.waiting(careful.league)] == ["cat"]


def test_accepted_request_is_not_withdrawn(careful: Night) -> None:
    phone, request = knocks(careful), JoinRequest.objects.get()
    joining.accept(request, by=None)
    assert phone.post("/wait").headers["Location"] == f"/nights/{careful.pk}"
    joining.withdraw(request)
    assert JoinRequest.objects.get().state == JoinRequest.State.ACCEPTED


def test_list_of_names_explains_the_missing_ones(night: Night, host: Client) -> None:
    """Players on another phone, and invited people without a player, were simply not listed."""
    joining.join(night.league, player(night, "bob"))
    page = html(Client().get(f"/join/{night.league.code}"))
    assert "On another phone: bob." in page
    assert "Not listed? Ask the host to add you." in page
    assert "Not listed?" in html(Client().get(link_from(host, night)))
    own = html(Client().get(link_from(host, night, player=player(night, "cat").pk)))
    assert "On another phone" not in own


def test_name_that_another_phone_just_took_is_named(night: Night, host: Client) -> None:
    """The second of two phones with the same list got Django's "Select a valid choice"."""
    cat = player(night, "cat")
    rename_player(cat, "50% cat", by=None)
    own = link_from(host, night, player=cat.pk)
    joining.join(night.league, cat)
    for at in (f"/join/{night.league.code}", own):
        answer = Client().post(at, {"player": str(cat.pk)})
        assert answer.status_code == 400
        assert "50% cat is already on another phone." in html(answer)
        assert "ask a host to disconnect that phone." in html(answer)


def test_devices_page_explains_names_and_hosts(night: Night, host: Client) -> None:
    page = html(host.get(f"/leagues/{night.league.pk}/phones"))
    assert "Add them on the league page first." in page
    assert "To add a second host" in page


def test_rejecting_a_request_redirects_to_the_league_page_with_a_message(
    careful: Night, host: Client
) -> None:
    knocks(careful)
    no = f"/leagues/{careful.league.pk}/join-requests/{JoinRequest.objects.get().pk}/decline"
    page = html(host.get(f"/leagues/{careful.league.pk}"))
    assert no in page
    assert 'name="league" value="1"' in page
    answer = host.post(no, {"league": "1"}, follow=True)
    assert answer.redirect_chain == [(f"/leagues/{careful.league.pk}", 302)]
    assert "You declined bob." in html(answer)


def test_host_can_claim_a_player_without_approval(careful: Night, host: Client) -> None:
    """The creator of a league may also play, and needs no approval to join."""
    league = careful.league
    at = f"/join/{league.code}"
    assert at in html(host.get(f"/leagues/{league.pk}"))
    answer = host.post(at, {"player": player(careful, "cat").pk})
    assert answer.headers["Location"] == f"/nights/{careful.pk}"
    assert player(careful, "cat").user is not None
    assert "Choose your player" not in html(host.get(f"/leagues/{league.pk}"))


def test_email_address_is_not_requested_if_there_is_no_mail_server(
    night: Night, settings: Settings
) -> None:
    at = f"/join/{night.league.code}"
    assert 'name="email"' in html(Client().get(at))
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    phone = Client()
    assert 'name="email"' not in html(phone.get(at))
    assert phone.post(at, {"player": player(night, "bob").pk}).status_code == 302


def test_approved_session_can_join_only_once(careful: Night) -> None:
    """A later copy of the session cannot join again."""
    knocks(careful)
    request = joining.accept(JoinRequest.objects.get(), by=None)
    assert joining.use_acceptance(request) == request.user
    assert joining.use_acceptance(request) is None


def test_user_signing_in_while_waiting_joins_as_the_approved_user(careful: Night) -> None:
    """Otherwise the player would belong to a user who cannot sign in."""
    phone = knocks(careful)
    phone.force_login(a_user())
    request = joining.accept(JoinRequest.objects.get(), by=None)
    assert phone.get("/wait").headers["Location"] == f"/nights/{careful.pk}"
    assert phone.get(f"/nights/{careful.pk}").status_code == 200
    device = careful.league.devices.get()
    assert request.user
    assert phone.session["_auth_user_id"] == str(request.user.pk)
    assert (device.user, device.session_key) == (request.user, phone.session.session_key)


def test_phone_removed_after_approval_cannot_join(careful: Night) -> None:
    phone = knocks(careful)
    joining.accept(JoinRequest.objects.get(), by=None)
    devices.free(player(careful, "bob"))
    phone.get("/wait")
    assert "_auth_user_id" not in phone.session
    assert not careful.league.devices.exists()


def test_email_address_is_deleted_with_its_join_request(careful: Night) -> None:
    bob, cat, user = player(careful, "bob"), player(careful, "cat"), a_user()
    for name in (bob, cat):  # the second join request replaces the first
        joining.request_to_join(careful.league, name, user=user, email="joel@example.org")
    leave(careful.league, user, by=None)
    assert set(JoinRequest.objects.values_list("state", "email")) == {("ended", "")}


def test_new_join_code_ends_waiting_requests(careful: Night, host: Client) -> None:
    phone = knocks(careful)
    renew_code(careful.league)
    assert "The host declined" in html(phone.get("/wait"))
    assert not joining.waiting(careful.league)


def test_waiting_requests_expire_and_are_limited(careful: Night) -> None:
    knocks(careful)
    response = JoinRequest.objects.get()
    with time_machine.travel(timezone.now() + joining.PATIENCE + timedelta(seconds=1)):
        assert not joining.waiting(careful.league)
        with pytest.raises(RefusedError):
            joining.accept(response, by=None)
    for _ in range(row_limits.JOIN_REQUESTS.most - 1):
        joining.request_to_join(careful.league, player(careful, "cat"))
    with pytest.raises(RefusedError):
        joining.request_to_join(careful.league, player(careful, "cat"))


def test_only_one_of_two_requests_for_the_same_player_joins(careful: Night, host: Client) -> None:
    knocks(careful)
    knocks(careful)
    first, second = JoinRequest.objects.order_by("made_at")
    joining.accept(first, by=None)
    with pytest.raises(RefusedError):
        joining.accept(second, by=None)
    assert Player.objects.exclude(user=None).count() == 1


def test_join_request_made_through_the_api_waits_for_a_host(careful: Night, host: Client) -> None:
    user = a_user()
    client, at = signed_in(user), f"join/{careful.league.code}"
    answer = post(client, at, player=player(careful, "bob"))
    assert (answer.status_code, answer.json()["state"]) == (202, "waiting")
    assert client.get(f"/api/v1/nights/{careful.pk}").status_code == 404
    door = f"leagues/{careful.league.pk}/join-requests"
    [request] = host.get(f"/api/v1/{door}").json()["results"]
    assert someone(careful, Role.SCOREKEEPER).get(f"/api/v1/{door}").status_code == 403
    assert post(client, f"{door}/{request['id']}/accept").status_code == 404
    assert post(host, f"{door}/{request['id']}/accept").json()["state"] == "accepted"
    assert client.get(f"/api/v1/nights/{careful.pk}").status_code == 200


def test_invited_player_does_not_need_to_wait(careful: Night, host: Client) -> None:
    link = link_from(host, careful)
    phone = Client()
    assert "A host approves you" not in html(phone.get(link))
    assert phone.post(link, {"player": str(player(careful, "bob").pk)}).status_code == 302
    assert phone.get(f"/nights/{careful.pk}").status_code == 200
