"""Hands that are sent together: all are recorded, or none."""

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.hands.serializers import NewHandInputSerializer
from api.http.fields import DateTime, FindingField, InputSerializer, OutputSerializer
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from league.access import Action, find_night
from league.recording.batch import MOST_HANDS as MOST_AT_ONCE
from league.recording.batch import Sent, record_batch
from league.recording.recorded import Recorded

OUTCOMES = ("recorded", "again", "merged", "waiting", "refused", "taken")


class BatchHandInputSerializer(NewHandInputSerializer):
    """One of several hands that are sent together."""

    made_at = DateTime(required=False, help_text="When it was dealt; now by default")


class HandBatchInputSerializer(InputSerializer):
    """Hands in the order in which they were dealt."""

    hands = serializers.ListField(
        child=BatchHandInputSerializer(), min_length=1, max_length=MOST_AT_ONCE
    )


class BatchHandSerializer(OutputSerializer):
    """What came of one of them; the whole hand is at its own address."""

    id = serializers.UUIDField(source="hand.pk")
    number = serializers.IntegerField(source="hand.number")
    outcome = serializers.ChoiceField(OUTCOMES)
    net = serializers.DictField(source="answer.net", child=serializers.IntegerField())
    findings = serializers.ListField(source="answer.findings", child=FindingField())


class HandBatchSerializer(OutputSerializer):
    hands = BatchHandSerializer(many=True)


class NightBatch(Resource):
    @operation(
        "record_hands",
        "Record the night's next hands together, all or none; 200 where all were recorded before",
        HandBatchSerializer,
        body=HandBatchInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD_HANDS, night_id)
        sent = [
            Sent(hand_id=each["id"], record=each["record"], made_at=each.get("made_at"))
            for each in self.validated_body(HandBatchInputSerializer)["hands"]
        ]
        recorded = record_batch(night, sent, by=self.user)
        data = {"hands": [told(each) for each in recorded]}
        return Response(data, status=201 if any(each.created for each in recorded) else 200)


def told(recorded: Recorded) -> dict[str, Any]:
    """Return what the serializer says of one, without asking each of its fields."""
    hand, answer = recorded.hand, recorded.answer
    return {
        "id": str(hand.pk),
        "number": hand.number,
        "outcome": recorded.outcome,
        "net": answer["net"],
        "findings": answer["findings"],
    }
