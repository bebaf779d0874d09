"""A night shared by all tests in a file. After each test it is rolled back."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from league.models import Night
from tests.helpers.league.leagues import a_night
from tests.helpers.league.nights import again


@pytest.fixture(scope="module")
def shared_night(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Night]:
    """Create the night. Tests with their own transactions can't use it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_night()
        transaction.set_rollback(True)


@pytest.fixture
def night(shared_night: Night, db: None) -> Night:
    """A night with four players, reloaded so that tests do not share cached values."""
    return again(shared_night)
