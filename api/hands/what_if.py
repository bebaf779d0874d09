"""Settle a recorded hand under other options, modifiers or another version of its game."""

from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import (
    AnswerField,
    AnyJson,
    InputSerializer,
    OutputSerializer,
    StrictInteger,
    Text,
)
from api.http.resource import Resource
from api.openapi.schema import operation
from league.access import Action, Visitor, find_hand
from league.common.errors import refuse
from league.hands.what_if import Alternative, choices, settle_alternative
from league.models import Revision
from rules.presentation.schema_shapes import REFERENCES

MOST_CHOICES = 50  # the most options or modifiers in a request
LONGEST_WORD = 200


@extend_schema_field({"$ref": f"{REFERENCES}GameOption"})
class OptionField(AnyJson):
    """An option as in the form of a game."""


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["string", "integer"]}})
class ChosenField(AnyJson):
    """Choices by option."""

    def to_internal_value(self, data: object) -> dict[str, str | int]:
        plain = isinstance(data, dict) and len(data) <= MOST_CHOICES
        if not plain or any(type(each) not in (str, int) for each in data.values()):  # type: ignore[attr-defined]
            raise serializers.ValidationError("This must map options to words or numbers.")
        return data  # type: ignore[return-value]


class GameVersionSerializer(OutputSerializer):
    """Another version of the game. Number 0 is the current version of a game of the catalog."""

    number = serializers.IntegerField()
    created_at = serializers.DateTimeField(source="written_at", allow_null=True)


class WhatIfChoicesSerializer(OutputSerializer):
    """What can be changed. `chosen` and `modified` are as recorded.

    `reason` is the reason why nothing can be changed, or empty.
    """

    options = serializers.ListField(child=OptionField())
    chosen = ChosenField()
    modifiers = serializers.ListField(child=serializers.CharField())
    modified = serializers.ListField(child=serializers.CharField())
    versions = GameVersionSerializer(many=True)
    reason = serializers.CharField()


class WhatIfInputSerializer(InputSerializer):
    """What to change. `modifiers` are all modifiers; without it, they are as recorded."""

    options = ChosenField(default=dict)
    modifiers = serializers.ListField(
        child=Text(max_length=LONGEST_WORD), required=False, max_length=MOST_CHOICES
    )
    version = StrictInteger(required=False, min_value=0, max_value=10**6)


class WhatIfSerializer(OutputSerializer):
    """The result in one line, and the answer of the rules."""

    text = serializers.CharField()
    answer = AnswerField()


class HandWhatIf(Resource):
    @operation(
        "list_what_if_choices",
        "The options, modifiers and versions that the hand can be settled under",
        WhatIfChoicesSerializer,
    )
    def get(self, request: Request, hand_id: UUID) -> Response:
        offered = choices(_current(self.visitor, hand_id))
        return Response(self.serialize(WhatIfChoicesSerializer, offered))

    @operation(
        "settle_what_if",
        "Settle the hand under another option, modifier or version; nothing is stored",
        WhatIfSerializer,
        body=WhatIfInputSerializer,
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        current = _current(self.visitor, hand_id)
        body = self.validated_body(WhatIfInputSerializer)
        outcome = settle_alternative(current, Alternative(**body))
        refuse(outcome.errors)
        return Response(self.serialize(WhatIfSerializer, outcome))


def _current(visitor: Visitor, hand_id: UUID) -> Revision:
    hand = find_hand(visitor, Action.VIEW, hand_id)
    rows = Revision.objects.select_related("document", "hand__night__season")
    return rows.get(hand=hand, current=True)
