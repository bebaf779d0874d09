"""The list of a user's sessions, and ending sessions in other browsers."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client

from config.tasks import clear_sessions
from tests.helpers.security.people import is_in, noted, page_text, sign_in, somebody

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1"


@pytest.fixture
def here() -> Client:
    cache.clear()
    somebody()
    return sign_in(user_agent=FIREFOX)


@pytest.fixture
def elsewhere(here: Client) -> Client:
    return sign_in(user_agent=IPHONE)


def test_sessions_are_listed_with_their_browser_and_device(here: Client, elsewhere: Client) -> None:
    page = page_text(here.get("/account/sessions"))
    assert "Firefox, Linux" in page
    assert "Safari, iPhone" in page
    assert page.count("this device") == 1


def test_ending_a_session_signs_it_out(here: Client, elsewhere: Client) -> None:
    row = UserSession.objects.get(session_key=elsewhere.session.session_key)
    assert here.post(f"/account/sessions/{row.pk}/end").url == "/account/sessions"
    assert (is_in(here), is_in(elsewhere)) == (True, False)
    assert noted()[-1] == "sessions-ended"


def test_ending_all_other_sessions_includes_sessions_not_listed(
    here: Client, elsewhere: Client
) -> None:
    UserSession.objects.filter(session_key=elsewhere.session.session_key).delete()
    bob = somebody("bob")
    other = sign_in("bob")
    here.post("/account/sessions/end")
    assert (is_in(here), is_in(elsewhere), is_in(other)) == (True, False, True)
    assert bob.usersession_set.count() == 1


def test_another_users_session_cannot_be_ended(here: Client) -> None:
    somebody("bob")
    other = sign_in("bob")
    row = UserSession.objects.get(session_key=other.session.session_key)
    assert here.post(f"/account/sessions/{row.pk}/end").status_code == 404
    assert is_in(other)


def test_session_that_is_not_listed_appears_after_its_next_request(here: Client) -> None:
    UserSession.objects.all().delete()
    cache.clear()
    here.get("/")
    assert UserSession.objects.get().session_key == here.session.session_key


def test_ended_session_is_deleted(here: Client, elsewhere: Client) -> None:
    Session.objects.filter(session_key=elsewhere.session.session_key).delete()
    clear_sessions()
    assert UserSession.objects.get().session_key == here.session.session_key
