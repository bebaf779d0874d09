"""How rows look from outside: whole numbers for chips, ISO times in UTC, ids as UUIDs."""

from typing import Any

from rest_framework import serializers

from league.models import Night, Revision, Seat


class AnyJson(serializers.Field[Any, Any, Any, Any]):
    """Whatever JSON can say; who reads it checks it."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class HandIn(serializers.Serializer[Any]):
    """What a client sends to record a hand; it made the id before."""

    id = serializers.UUIDField()
    record = AnyJson()

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, dict) else ()
        if unknown:
            text = "there is no such key here"
            wrong = {key: serializers.ErrorDetail(text, "unknown-key") for key in sorted(unknown)}
            raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)


class NightOut(serializers.ModelSerializer[Night]):
    league = serializers.UUIDField(source="season.league_id", read_only=True)

    class Meta:
        model = Night
        fields = (
            "id",
            "league",
            "season",
            "number",
            "name",
            "state",
            "started_at",
            "ended_at",
            "chip_value",
            "usual_buy_in",
        )


class SeatOut(serializers.ModelSerializer[Seat]):
    """A seat with the chips before it; the context has the stacks of the night."""

    name = serializers.CharField(source="player.name", read_only=True)
    stack = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = ("player", "name", "position", "stack", "joined_at", "left_at")

    def get_stack(self, seat: Seat) -> int:
        chips: int = self.context["stacks"].get(seat.player_id, 0)
        return chips


class HandOut(serializers.ModelSerializer[Revision]):
    """A hand as one of its revisions tells it, the current one unless asked otherwise."""

    id = serializers.UUIDField(source="hand_id", read_only=True)
    night = serializers.UUIDField(source="hand.night_id", read_only=True)
    number = serializers.IntegerField(source="hand.number", read_only=True)
    made_at = serializers.DateTimeField(source="hand.made_at", read_only=True)
    voided = serializers.BooleanField(source="hand.voided", read_only=True)
    game = serializers.CharField(source="document.name", read_only=True)
    revision = serializers.IntegerField(source="number", read_only=True)
    revised_at = serializers.DateTimeField(source="made_at", read_only=True)

    class Meta:
        model = Revision
        fields = (
            "id",
            "night",
            "number",
            "made_at",
            "voided",
            "revision",
            "revised_at",
            "reason",
            "depth",
            "game",
            "document",
            "names",
            "record",
            "answer",
        )


class RevisionOut(serializers.ModelSerializer[Revision]):
    """One telling of a hand, whole: those that no longer count stay to be seen."""

    class Meta:
        model = Revision
        fields = (
            "id",
            "number",
            "current",
            "voids",
            "depth",
            "document",
            "names",
            "record",
            "answer",
            "made_at",
            "reason",
        )
