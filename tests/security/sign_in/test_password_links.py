"""Password links, created by a host or the service owner, valid once and for an hour."""

from datetime import timedelta
from io import StringIO
from urllib.parse import urlsplit

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from league.audit_log import logged_actions
from league.common.errors import RefusedError
from league.models import League, PasswordLink, PaymentMethod, Player, Role, User
from league.payment_methods.methods import are_closed
from league.people.joining import join
from league.people.leagues import add_member
from league.people.leaving import leave
from league.sign_in import password_links
from tests.helpers.league.leagues import a_league
from tests.helpers.league.payment_methods import HOLDER, IBAN, PAYPAL, likes
from tests.helpers.security.people import (
    NEW,
    PASSWORD,
    gets_in,
    is_in,
    page_text,
    prove,
    sign_in,
    somebody,
)

pytestmark = pytest.mark.django_db

FORM = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def host() -> User:
    cache.clear()
    return somebody("joel")


@pytest.fixture
def league(host: User) -> League:
    return a_league(host)


@pytest.fixture
def ann(league: League) -> User:
    ann = somebody("ann")
    add_member(league, ann, Role.PLAYER)
    return ann


def made(league: League, user: User) -> str:
    """Return the path of a link that the host creates on the members page."""
    answer = sign_in("joel").post(f"/leagues/{league.pk}/passwords", {"user": user.pk})
    assert answer.status_code == 200, answer.content
    assert "no-store" in answer.headers["Cache-Control"]
    return urlsplit(answer.context["made"]).path


def test_member_can_set_a_new_password_with_a_link_from_the_host(league: League, ann: User) -> None:
    elsewhere = sign_in()
    path = made(league, ann)
    assert "Your username is ann" in page_text(Client().get(path))
    assert Client().post(path, FORM).url == "/sign-in"
    assert not is_in(elsewhere)
    assert (gets_in("ann", PASSWORD), gets_in("ann", NEW)) == (False, True)
    kinds = [each.kind for each in logged_actions(league)]
    assert {"password-link-made", "password-link-used"} <= set(kinds)


def test_hosts_link_gives_no_access_to_payment_methods(league: League, ann: User) -> None:
    """A host who uses the link could sign in as the member and redirect payments."""
    likes(ann)
    number = PaymentMethod.objects.filter(user=ann).latest("position").pk
    before = list(PaymentMethod.objects.order_by("pk").values())
    Client().post(made(league, ann), FORM)
    host = sign_in("ann", NEW)
    add = {"kind": "paypal", "handle": "the-host"}
    for answer in (
        host.get("/account/paid"),
        host.post("/account/paid", add),
        host.post(f"/account/paid/{number}/up", follow=True),
        host.post(f"/account/paid/{number}/remove", follow=True),
        host.post("/account/file"),
    ):
        assert answer.status_code in (200, 400)
        text = b"".join(answer) if answer.streaming else answer.content
        assert not [each for each in (IBAN, HOLDER, PAYPAL) if each in text.decode()]
    assert list(PaymentMethod.objects.order_by("pk").values()) == before
    again = made(league, ann)  # a second link does not restore access, whether or not it was used
    Client().post(again, FORM)
    assert PAYPAL not in page_text(sign_in("ann", NEW).get("/account/paid"))
    operators = password_links.make(ann, by=None)
    assert PAYPAL not in page_text(sign_in("ann", NEW).get("/account/paid"))
    assert password_links.use(operators, PASSWORD)
    assert PAYPAL in page_text(sign_in("ann", PASSWORD).get("/account/paid"))


def test_hosts_link_keeps_payment_methods_accessible_if_two_factor_is_on(
    league: League, ann: User
) -> None:
    """The new password alone does not sign in, and only the member has the codes."""
    Authenticator.objects.create(user=ann, type="totp", data={})
    Client().post(made(league, ann), FORM)
    assert not gets_in("ann", NEW)
    assert not are_closed(ann)


def test_password_link_works_only_once(league: League, ann: User) -> None:
    path = made(league, ann)
    Client().post(path, FORM)
    assert Client().get(path).status_code == 404
    other = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert Client().post(path, other).status_code == 404
    assert gets_in("ann", NEW)


def test_only_one_of_two_concurrent_uses_sets_a_password(ann: User) -> None:
    """Both clients have opened the form, but only one of them updates the row."""
    token = password_links.make(ann, by=None)
    assert password_links.use(token, NEW) == ann
    assert password_links.use(token, PASSWORD) is None


def test_password_link_expires_after_an_hour(league: League, ann: User) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        path = made(league, ann)
        clock.shift(timedelta(minutes=59))
        assert Client().get(path).status_code == 200
        clock.shift(timedelta(minutes=2))
        assert Client().get(path).status_code == 404


def test_password_link_is_suspended_while_the_user_belongs_to_another_league(
    league: League, ann: User
) -> None:
    """Otherwise a host could keep the link until the member joins another league."""
    path = made(league, ann)
    elsewhere = add_member(a_league(), ann, Role.PLAYER)
    assert Client().post(path, FORM).status_code == 404
    elsewhere.delete()
    assert Client().get(path).status_code == 200


def test_password_link_ends_when_its_creator_is_no_longer_a_host(
    league: League, ann: User, host: User
) -> None:
    path = made(league, ann)
    league.memberships.filter(user=host).update(role=Role.PLAYER)
    assert Client().post(path, FORM).status_code == 404


def test_password_link_ends_when_the_member_is_removed(
    league: League, ann: User, host: User
) -> None:
    path = made(league, ann)
    leave(league, ann, by=host)
    assert Client().get(path).status_code == 404
    assert Client().post(path, FORM).status_code == 404
    assert gets_in("ann", PASSWORD)


def test_new_password_link_revokes_the_previous_one(league: League, ann: User) -> None:
    first, second = made(league, ann), made(league, ann)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200


def test_only_the_hash_of_a_password_link_is_stored(league: League, ann: User) -> None:
    token = made(league, ann).rpartition("/")[2]
    assert token not in str(list(PasswordLink.objects.values()))
    assert token not in str([each.about for each in logged_actions(league)])


def test_invalid_password_does_not_use_up_the_link(league: League, ann: User) -> None:
    path = made(league, ann)
    assert Client().post(path, {"new_password1": "1", "new_password2": "1"}).status_code == 400
    assert Client().post(path, FORM).status_code == 302


# Accounts that a host could take over


def refused(league: League, user: User, host: User) -> str:
    with pytest.raises(RefusedError) as error:
        password_links.make_for_member(league, user, by=host)
    assert user not in password_links.eligible(password_links.others(league, host), host)
    assert not PasswordLink.objects.exists()
    return str(error.value.errors[0]["code"])


def test_host_creates_a_password_link_for_another_host_of_the_league(
    league: League, ann: User
) -> None:
    """Both have the same rights in the league, and each can remove the other."""
    league.memberships.filter(user=ann).update(role=Role.HOST)
    likes(ann)
    assert Client().post(made(league, ann), FORM).url == "/sign-in"
    assert gets_in("ann", NEW)
    ann.refresh_from_db()
    assert are_closed(ann)


def test_host_cannot_create_a_password_link_for_another_leagues_host(
    league: League, ann: User, host: User
) -> None:
    a_league(ann)
    assert refused(league, ann, host) == "other-leagues"


def test_host_cannot_create_a_password_link_for_another_leagues_player(
    league: League, ann: User, host: User
) -> None:
    """Otherwise a host could get into other leagues through a member of this one."""
    add_member(a_league(), ann, Role.PLAYER)
    assert refused(league, ann, host) == "other-leagues"


def test_host_can_create_a_password_link_for_a_player_in_two_of_their_leagues(
    league: League, ann: User, host: User
) -> None:
    add_member(a_league(host), ann, Role.PLAYER)
    assert password_links.make_for_member(league, ann, by=host)


def test_host_cannot_create_a_password_link_for_a_user_with_a_verified_address(
    league: League, ann: User, host: User
) -> None:
    prove(ann, "ann@example.org")
    assert refused(league, ann, host) == "has-email"


@pytest.mark.parametrize("field", ["is_superuser", "is_staff"])
def test_host_cannot_create_a_password_link_for_the_service_owner(
    league: League, ann: User, host: User, field: str
) -> None:
    setattr(ann, field, True)
    ann.save()
    assert refused(league, ann, host) == "administrator"


def test_host_cannot_create_a_password_link_for_themselves_or_a_stranger(
    league: League, host: User
) -> None:
    assert refused(league, host, host) == "not-a-member"
    assert refused(league, somebody("eve"), host) == "not-a-member"


def test_host_cannot_create_a_password_link_for_a_joined_phone(league: League, host: User) -> None:
    phone = join(league, Player.objects.create(league=league, name="cat"))
    assert refused(league, phone, host) == "no-password"


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER])
def test_only_hosts_can_create_a_password_link(league: League, ann: User, role: Role) -> None:
    add_member(league, somebody("bob"), role)
    path = f"/leagues/{league.pk}/passwords"
    assert sign_in("bob").post(path, {"user": ann.pk}).status_code == 403
    somebody("eve")
    assert sign_in("eve").post(path, {"user": ann.pk}).status_code == 404


def test_password_link_for_a_member_of_another_league_is_not_found(
    league: League, ann: User
) -> None:
    other = a_league(somebody("eve"))
    assert (
        sign_in("eve").post(f"/leagues/{other.pk}/passwords", {"user": ann.pk}).status_code == 404
    )


# Links created by the operator


def commanded(*words: str) -> str:
    out = StringIO()
    call_command("password_link", *words, stdout=out)
    return out.getvalue().strip()


def test_command_can_create_a_password_link_for_any_user(
    league: League, settings: Settings
) -> None:
    settings.SITE_URL = "https://league.example.org"
    said_at = commanded("joel")
    assert said_at.startswith("https://league.example.org/account/password/link/")
    assert Client().post(urlsplit(said_at).path, FORM).status_code == 302
    assert gets_in("joel", NEW)
    assert "password-link-made" in [each.kind for each in logged_actions(league)]


def test_command_turns_off_two_factor_on_request(host: User) -> None:
    for kind in ("totp", "recovery_codes"):
        Authenticator.objects.create(user=host, type=kind, data={})
    commanded("joel")
    assert Authenticator.objects.count() == 2
    commanded("joel", "--end-codes")
    assert not Authenticator.objects.exists()


def test_command_refuses_an_unknown_user() -> None:
    with pytest.raises(CommandError, match="no account nobody"):
        commanded("nobody")
