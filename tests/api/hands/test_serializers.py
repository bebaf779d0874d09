"""A hand is told at once as its fields would tell it one by one."""

import pytest
from rest_framework.serializers import ModelSerializer

from api.hands.serializers import HandSerializer
from api.hands.views import current_revision
from league.models import Revision
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import dealt

pytestmark = pytest.mark.django_db


def by_fields(revision: Revision) -> object:
    return ModelSerializer.to_representation(HandSerializer(), revision)


@pytest.mark.parametrize("record", [holdem(), holdem(took={"bob": 20})])
def test_a_hand_as_its_fields_tell_it(record: dict[str, object]) -> None:
    revision = current_revision(dealt(a_night(), record).pk)
    assert HandSerializer(revision).data == by_fields(revision)
    assert list(HandSerializer(revision).data) == list(HandSerializer.Meta.fields)
