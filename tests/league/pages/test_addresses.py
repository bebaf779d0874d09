"""The page tests visit every URL that has a page, in dark and in light mode."""

import pytest
from django.test import Client

from league.models import User
from league.pages.urls import urlpatterns
from tests.helpers.browser.rooms import NOT_PAGES, a_house, shown, visits

pytestmark = pytest.mark.django_db


def test_page_tests_visit_every_page() -> None:
    """Pages must be listed in `tests/helpers/browser/rooms.py` for the axe and tap checks."""
    assert shown() == visits(a_house()).keys()
    assert len(shown()) > 25


def test_every_exempt_page_exists() -> None:
    assert NOT_PAGES.keys() <= {each.name for each in urlpatterns}


def test_every_visited_address_returns_a_page(client: Client) -> None:
    house = a_house("a dealer names the game")
    client.force_login(User.objects.get(username="joel"))
    for name, paths in visits(house).items():
        for path in paths:
            answer = client.get(path)
            # signed-in users are redirected away from the sign-in pages
            assert answer.status_code == 200 or name in ("sign-in", "sign-up"), path
            assert answer.status_code < 400, path
