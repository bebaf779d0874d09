"""The fast output and parsing of hands give the same results as the serializers."""

import json
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import ModelSerializer

from api.hands.serializers import HandInputSerializer, HandSerializer
from api.hands.views import (
    BatchHandInputSerializer,
    BatchHandSerializer,
    batch_result,
    current_revision,
)
from api.http.fields import InputSerializer
from league.models import Revision
from league.recording.record import SentHand, record_batch
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import dealt

pytestmark = pytest.mark.django_db


def by_fields(revision: Revision) -> object:
    return ModelSerializer.to_representation(HandSerializer(), revision)


@pytest.mark.parametrize("record", [holdem(), holdem(took={"bob": 20})])
def test_fast_hand_output_matches_the_serializer(record: dict[str, object]) -> None:
    revision = current_revision(dealt(a_night(), record).pk)
    assert HandSerializer(revision).data == by_fields(revision)
    assert list(HandSerializer(revision).data) == list(HandSerializer.Meta.fields)


@pytest.mark.parametrize("record", [holdem(), holdem(took={"bob": 20})])
def test_fast_batch_output_matches_the_serializer(record: dict[str, object]) -> None:
    [recorded] = record_batch(a_night(), [SentHand(hand_id=uuid4(), record=record)], by=None)
    assert json.dumps(batch_result(recorded)) == json.dumps(BatchHandSerializer(recorded).data)


ID = uuid4()


@pytest.mark.parametrize("kind", [HandInputSerializer, BatchHandInputSerializer])
@pytest.mark.parametrize(
    "sent",
    [
        {"id": str(ID), "record": {}},
        {"id": ID.hex, "record": []},
        {"id": f"urn:uuid:{ID}", "record": 1},
        *({"id": each, "record": {}} for each in ("", "x", "0" * 31, str(ID.int), 1, True, None)),
        *({"id": str(ID), "record": each} for each in (None, "", False)),
        {"id": str(ID)},
        {"record": {}},
        {"id": str(ID), "record": {}, "also": 1},
        [],
        "id",
    ],
)
def test_fast_parser_matches_the_serializer(kind: Any, sent: Any) -> None:
    assert outcome(kind().run_validation, sent) == outcome(
        lambda data: InputSerializer.to_internal_value(kind(), data), sent
    )


def outcome(read: Any, sent: Any) -> object:
    try:
        return dict(read(sent))
    except ValidationError as error:
        return repr(error.detail)
