"""A league shared by all tests in a file. Each test's changes are rolled back."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from league.stats.count import count_marked
from tests.helpers.api.sample_league import World, a_world, at_the_door, furnish


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A league with an object of every kind and counted statistics.

    Tests with their own transactions cannot use this fixture.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        made = a_world()
        furnish(made)
        count_marked(made.league.pk)
        yield made
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def doors(world: World) -> dict[str, Client]:
    """Clients for every kind of caller, by name."""
    return at_the_door(world.league)
