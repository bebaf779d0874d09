"""The kinds of values that JSON carries here, taken as they are: no text for a number."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rules.presentation.schema_shapes import REFERENCES

RECORD = {"$ref": f"{REFERENCES}Record"}
ANSWER = {"$ref": f"{REFERENCES}Answer"}


@extend_schema_field({})
class AnyJson(serializers.Field[Any, Any, Any, Any]):
    """Whatever JSON can say; who reads it checks it."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "object", "additionalProperties": True})
class AnyObject(AnyJson):
    """An object whose keys stand elsewhere, as those of a game's document."""


@extend_schema_field(RECORD)
class RecordField(AnyJson):
    """A record of a hand; the rules check it."""


@extend_schema_field(ANSWER)
class AnswerField(AnyJson):
    """The answer of the rules to a record."""


@extend_schema_field({"$ref": f"{REFERENCES}Finding"})
class FindingField(AnyJson):
    """What the table did otherwise than the rules say."""


@extend_schema_field({"$ref": f"{REFERENCES}NextDeal"})
class NextDealField(AnyJson):
    """What the record of a match's next deal takes over."""


class StrictInteger(serializers.IntegerField):
    """A whole number: chips, or minor units of a currency."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """Text as it was sent; the league tidies it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class DateTime(serializers.DateTimeField):
    """A moment as ISO 8601 text with its zone, so that nobody has to guess one."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", format="ISO 8601")
        return super().to_internal_value(data)

    def enforce_timezone(self, value: datetime) -> Any:
        if value.tzinfo is None:
            raise serializers.ValidationError("Say the time zone: Z, or +02:00.")
        return super().enforce_timezone(value)


class Id(serializers.UUIDField):
    """A UUID as text; the client makes those of what it sends, so that it can send it again."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class InputSerializer(serializers.Serializer[Any]):
    """What a client sends: a key that means nothing here is an error, not ignored."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, dict) else ()
        if unknown:
            text = "there is no such key here"
            wrong = {key: serializers.ErrorDetail(text, "unknown-key") for key in sorted(unknown)}
            raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)


class OutputSerializer(serializers.Serializer[Any]):
    """What an address answers with."""
