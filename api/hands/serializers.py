"""Hands and their revisions as JSON, and the bodies that clients send."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.http.fields import (
    AnswerField,
    DateTime,
    Id,
    InputSerializer,
    RecordField,
    RowSerializer,
    StrictInteger,
    Text,
    created_field,
)
from league.common.text import game_of
from league.hands.validation import Verdict
from league.models import LONGEST_REASON, Revision

MOST_HANDS = 10**8  # maximum number of hands in a night


class HandSerializer(RowSerializer[Revision]):
    """A hand with its current revision.

    `names` maps each name in the record to a player. `document_hash` is the hash of the rules.
    `game` is the game's slug, or its name if the record contains the game itself.
    """

    id = serializers.UUIDField(source="hand_id", read_only=True)
    night = serializers.UUIDField(source="hand.night_id", read_only=True)
    number = serializers.IntegerField(source="hand.number", read_only=True)
    played_at = serializers.DateTimeField(source="hand.made_at", read_only=True)
    voided = serializers.BooleanField(source="hand.voided", read_only=True)
    game = serializers.SerializerMethodField()
    game_name = serializers.CharField(source="document.name", read_only=True)
    revision = serializers.IntegerField(source="number", read_only=True)
    revised_at = serializers.DateTimeField(source="made_at", read_only=True)
    document_hash = serializers.CharField(source="document_id", read_only=True)
    names = serializers.DictField(child=serializers.UUIDField(), read_only=True)
    record = RecordField(read_only=True)
    answer = AnswerField(read_only=True)

    class Meta:
        model = Revision
        fields: tuple[str, ...] = (
            "id",
            "night",
            "number",
            "played_at",
            "voided",
            "revision",
            "revised_at",
            "reason",
            "depth",
            "game",
            "game_name",
            "document_hash",
            "names",
            "record",
            "answer",
        )

    def get_game(self, revision: Revision) -> str:
        return game_of(revision.record["variant"], revision.document.name)

    def to_representation(self, instance: Revision) -> dict[str, Any]:
        """Return a hand as JSON. This is faster than calling the individual fields."""
        if self.fields.keys() != WHOLE:
            return super().to_representation(instance)
        hand, as_time = instance.hand, self.fields["played_at"].to_representation
        return {
            "id": str(instance.hand_id),
            "night": str(hand.night_id),
            "number": hand.number,
            "played_at": as_time(hand.made_at),
            "voided": hand.voided,
            "revision": instance.number,
            "revised_at": as_time(instance.made_at),
            "reason": instance.reason,
            "depth": instance.depth,
            "game": self.get_game(instance),
            "game_name": instance.document.name,
            "document_hash": instance.document_id,
            "names": instance.names,
            "record": instance.record,
            "answer": instance.answer,
        }


WHOLE = frozenset(HandSerializer.Meta.fields)


class RevisionSerializer(RowSerializer[Revision]):
    """A complete record of a hand. Revisions are kept even after they are replaced."""

    document_hash = serializers.CharField(source="document_id", read_only=True)
    names = serializers.DictField(child=serializers.UUIDField(), read_only=True)
    record = RecordField(read_only=True)
    answer = AnswerField(read_only=True)
    created_at = created_field()

    class Meta:
        model = Revision
        fields = (
            "id",
            "number",
            "current",
            "voids",
            "depth",
            "document_hash",
            "names",
            "record",
            "answer",
            "created_at",
            "reason",
        )


class HandDetailSerializer(HandSerializer):
    """A hand with all its revisions, oldest first."""

    revisions = serializers.SerializerMethodField()

    class Meta(HandSerializer.Meta):
        fields = (*HandSerializer.Meta.fields, "revisions")

    @extend_schema_field(RevisionSerializer(many=True))
    def get_revisions(self, current: Revision) -> Any:
        revisions = Revision.objects.filter(hand=current.hand_id).order_by("number")
        return RevisionSerializer(revisions, many=True).data


class HandCheckSerializer(serializers.Serializer[Verdict]):
    """The result that recording the hand now would have."""

    answer = AnswerField()
    names = serializers.DictField(child=serializers.UUIDField())


USUAL = {"id", "record"}


class RecordInputSerializer(InputSerializer):
    """A hand to record. The client creates the id."""

    id = Id()
    record = RecordField()


class NewHandInputSerializer(RecordInputSerializer):
    """A new hand. Subclasses may only add optional fields without default values."""

    def to_internal_value(self, data: Any) -> Any:
        """Read a body with only an id and a record. This is faster without the fields."""
        if isinstance(data, dict) and data.keys() == USUAL and isinstance(data["id"], str):
            with suppress(ValueError):
                if data["record"] is not None:
                    return {"id": UUID(data["id"]), "record": data["record"]}
        return super().to_internal_value(data)


class HandInputSerializer(NewHandInputSerializer):
    """A new hand, with the client's view of the night to detect hands recorded on two devices."""

    played_at = DateTime(
        source="made_at", required=False, help_text="when the hand was played; now by default"
    )
    seen = StrictInteger(
        required=False,
        min_value=0,
        max_value=MOST_HANDS,
        help_text="the number of the last hand that the client has seen",
    )
    number = StrictInteger(
        required=False,
        min_value=1,
        max_value=MOST_HANDS,
        help_text=(
            "the number that the client expects for the hand; by default the one after `seen`"
        ),
    )


class RevisionInputSerializer(RecordInputSerializer):
    """A corrected record, with an id for the new revision."""

    reason = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class HandCheckInputSerializer(InputSerializer):
    record = RecordField()


class HandVoidInputSerializer(InputSerializer):
    reason = Text(default="", allow_blank=True, max_length=LONGEST_REASON)
