"""The page tests visit every URL that has a page, in dark and in light mode."""

import pytest

from league.pages.urls import urlpatterns
from tests.helpers.browser.rooms import NOT_PAGES, a_house, shown, visits

pytestmark = pytest.mark.django_db


def test_page_tests_visit_every_page() -> None:
    """Pages must be listed in `tests/helpers/browser/rooms.py` for the axe and tap checks."""
    assert shown() == visits(a_house()).keys()
    assert len(shown()) > 25


def test_every_exempt_page_exists() -> None:
    assert NOT_PAGES.keys() <= {each.name for each in urlpatterns}
