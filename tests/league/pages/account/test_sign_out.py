"""Users who can't sign in again confirm signing out, which releases their names."""

import pytest
from django.test import Client

from league.models import Device, Night, Role
from league.people.leagues import add_member
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


def a_phone(night: Night) -> Client:
    phone = Client()
    form = {"player": str(player(night, "bob").pk)}
    assert phone.post(f"/join/{night.league.code}", form).status_code == 302
    return phone


def names_to_join_by(night: Night) -> str:
    """Return the page without the line of names that other phones have."""
    page = html(Client().get(f"/join/{night.league.code}"))
    return page.partition("On another phone")[0]


def test_phone_that_cannot_sign_in_again_must_confirm_signing_out(night: Night) -> None:
    """The name used to disappear from the join page, and only a host could restore it."""
    phone = a_phone(night)
    page = html(phone.post("/sign-out"))
    assert "Sign out of this device?" in page
    assert "bob" in page
    assert phone.get(f"/nights/{night.pk}").status_code == 200


def test_signing_out_releases_the_phones_player_name(night: Night) -> None:
    phone = a_phone(night)
    assert "bob" not in names_to_join_by(night)
    assert phone.post("/sign-out", {"sure": "1"}).headers["Location"] == "/"
    assert phone.get(f"/nights/{night.pk}").status_code == 302
    assert "bob" in names_to_join_by(night)
    assert Device.objects.get().signed_out_at is not None
    assert a_phone(night).get(f"/nights/{night.pk}").status_code == 200


def test_last_host_who_cannot_sign_in_again_is_not_signed_out(night: Night) -> None:
    phone = a_phone(night)
    bob = player(night, "bob").user
    assert bob
    add_member(night.league, bob, Role.HOST)
    night.league.memberships.exclude(user=bob).delete()
    answer = phone.post("/sign-out", {"sure": "1"})
    assert answer.status_code == 409
    assert "at least one host" in html(answer)
    assert phone.get(f"/nights/{night.pk}").status_code == 200


def test_user_with_a_password_signs_out_without_confirmation(night: Night) -> None:
    host = member(night.league, Role.HOST)
    assert host.post("/sign-out").headers["Location"] == "/"
    assert Client().post("/sign-out").status_code == 302


def test_phone_is_signed_out_of_all_its_leagues_or_none(night: Night) -> None:
    """The second league's last host must stay, so the phone also stays in the first one."""
    phone, other = a_phone(night), a_night()
    phone.post(f"/join/{other.league.code}", {"player": str(player(other, "cat").pk)})
    bob = player(night, "bob").user
    assert bob
    add_member(other.league, bob, Role.HOST)
    other.league.memberships.exclude(user=bob).delete()
    assert Device.objects.count() == 2
    assert phone.post("/sign-out", {"sure": "1"}).status_code == 409
    assert not Device.objects.exclude(signed_out_at=None).exists()
    assert phone.get(f"/nights/{night.pk}").status_code == 200
