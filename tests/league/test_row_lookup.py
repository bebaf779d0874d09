"""A row by SQL that is made once is the row that the ORM would have found."""

from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import BigIntegerField, OuterRef, Subquery, UUIDField
from django.test.utils import CaptureQueriesContext

from league.common.row_lookup import RowLookup
from league.common.statements import Given
from league.models import Membership, Night, Player
from tests.helpers.league.leagues import a_night

pytestmark = pytest.mark.django_db

ROLES = Membership.objects.filter(
    league=OuterRef("season__league"), user=Given("user", BigIntegerField())
)
NIGHTS = Night.objects.select_related("season__league__book").annotate(
    role=Subquery(ROLES.values("role"))
)
LOOKUP = RowLookup(NIGHTS.filter(pk=Given("night", UUIDField())))


def columns(row: object) -> dict[str, object]:
    return {key: value for key, value in vars(row).items() if not key.startswith("_")}


def test_it_has_every_column_of_itself_and_of_the_rows_beside_it() -> None:
    night = Night.objects.select_related("season__league__book").get(pk=a_night().pk)
    host = night.league.created_by
    assert host is not None
    with CaptureQueriesContext(connection) as queries:
        found = LOOKUP.first(night=night.pk, user=host.pk)
        assert found is not None
        for mine, theirs in ((found.season, night.season), (found.league, night.league)):
            assert columns(mine) == columns(theirs)
        assert found.league.book == night.league.book
    assert len(queries) == 1
    assert columns(found) == columns(night) | {"role": "host"}
    assert not found._state.adding


def test_values_are_those_of_this_call_and_of_no_call_before() -> None:
    first, second = a_night(), a_night()
    for night in (first, second, first):
        found = LOOKUP.first(night=night.pk, user=None)
        assert found is not None
        assert (found.pk, vars(found)["role"]) == (night.pk, None)
    assert LOOKUP.first(night=uuid4(), user=None) is None


def test_a_row_beside_that_is_not_there_is_none() -> None:
    """A player whose name nobody has taken has no user."""
    lookup = RowLookup(Player.objects.select_related("user").filter(pk=Given("id", UUIDField())))
    player = Player.objects.filter(league=a_night().league, user=None).first()
    assert player is not None
    found = lookup.first(id=player.pk)
    assert found is not None
    assert found.user is None
