"""Strict JSON fields: for example, a string is not accepted as a number."""

import re
from collections.abc import Mapping
from datetime import datetime
from threading import local
from typing import Any, Protocol, TypeVar

from django.db.models import Model
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

from rules.presentation.schema_shapes import REFERENCES

Row = TypeVar("Row", bound=Model)
RECORD = {"$ref": f"{REFERENCES}Record"}
ANSWER = {"$ref": f"{REFERENCES}Answer"}
WALL_CLOCK = re.compile(r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")


@extend_schema_field({})
class AnyJson(serializers.Field[Any, Any, Any, Any]):
    """Any JSON value. The view validates it."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "object", "additionalProperties": True})
class AnyObject(AnyJson):
    """A JSON object, such as a chart or a points document."""


@extend_schema_field({"$ref": f"{REFERENCES}GameDocument"})
class GameDocumentField(AnyJson):
    """The document of a game (docs/games.md)."""


@extend_schema_field({"$ref": f"{REFERENCES}GameForm"})
class GameFormField(AnyJson):
    """The questions of the form for recording a game."""


@extend_schema_field({"$ref": f"{REFERENCES}GameRules"})
class GameRulesField(AnyJson):
    """The rules of a game in sentences."""


@extend_schema_field({"$ref": f"{REFERENCES}ErrorDetail"})
class FaultField(AnyJson):
    """An error in a game."""


@extend_schema_field({"$ref": f"{REFERENCES}GameOddsFound"})
class OddsField(AnyJson):
    """The results of random deals, once they have been computed."""


@extend_schema_field(RECORD)
class RecordField(AnyJson):
    """A hand's record, which is validated by the rules."""


@extend_schema_field(ANSWER)
class AnswerField(AnyJson):
    """The rules' answer to a record."""


@extend_schema_field({"$ref": f"{REFERENCES}Finding"})
class FindingField(AnyJson):
    """A case in which the table deviated from the rules."""


@extend_schema_field({"$ref": f"{REFERENCES}NextDeal"})
class NextDealField(AnyJson):
    """The values that a match carries over into its next deal's record."""


class StrictInteger(serializers.IntegerField):
    """A whole number: chips, or minor units of a currency."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """Text exactly as it was sent, because the league normalizes it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """Either true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class DateTime(serializers.DateTimeField):
    """A time as ISO 8601 text with its UTC offset."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", format="ISO 8601")
        return super().to_internal_value(data)

    def enforce_timezone(self, value: datetime) -> Any:
        if value.tzinfo is None:
            raise serializers.ValidationError("Include the time zone: Z, or +02:00.")
        return super().enforce_timezone(value)


# The JSON schema format `time` requires a UTC offset (RFC 3339), but a wall-clock time has none.
@extend_schema_field({"type": "string", "pattern": WALL_CLOCK.pattern, "example": "20:00"})
class WallClockTime(serializers.TimeField):
    """A time of day in the league's time zone."""

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str) or not WALL_CLOCK.fullmatch(value):
            self.fail("invalid", format="hh:mm[:ss]")
        return super().to_internal_value(value)


class Id(serializers.UUIDField):
    """A UUID as text. Clients create ids, which allows them to repeat requests."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


# The fields of a row in a response. A docstring would become the schema's description of each.
class RowSerializer(serializers.ModelSerializer[Row]):
    def get_extra_kwargs(self) -> dict[str, Any]:
        return {name: {"read_only": True} for name in self.Meta.fields}


class InputSerializer(serializers.Serializer[Any]):
    """A request body. Unknown keys are errors."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, dict) else ()
        if unknown:
            text = "this key is unknown"
            wrong = {key: serializers.ErrorDetail(text, "unknown-key") for key in sorted(unknown)}
            raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)


class Prices(Protocol):
    """What a chip is worth, in minor units of a currency."""

    chip_value: int
    currency: str


class OutputSerializer(serializers.Serializer[Any]):
    """A response body."""


class MoneySerializer(OutputSerializer):
    """An amount of money in minor units of its currency."""

    amount = serializers.IntegerField()
    currency = serializers.CharField(help_text="ISO 4217")


def money_of(chips: int, prices: Prices) -> dict[str, Any]:
    """Return the value of chips at the prices of a night or a payment plan."""
    return {"amount": chips * prices.chip_value, "currency": prices.currency}


def name_field(source: str, *, nullable: bool = False) -> serializers.CharField:
    """Return the field for a player's name, such as `banker_name` from `banker.name`."""
    options: dict[str, Any] = {"allow_null": True, "default": None} if nullable else {}
    return serializers.CharField(source=f"{source}.name", read_only=True, **options)


class CashBoxField(serializers.BooleanField):
    """Whether the payer or the payee of a planned payment is the league's cash box.

    `planned` is the attribute that contains the planned payment.
    """

    def __init__(self, planned: str = "*") -> None:
        super().__init__(
            source=planned,
            read_only=True,
            help_text="true if the payer or the payee is the league's cash box",
        )

    def to_representation(self, value: Any) -> bool:
        return bool(value.payer.is_box or value.payee.is_box)


def created_field(source: str = "made_at") -> serializers.DateTimeField:
    """Return the field for a stored time."""
    return serializers.DateTimeField(source=source, read_only=True)


class StateField(serializers.ChoiceField):
    """A state. `names` maps the stored states to the API's states."""

    def __init__(self, names: Mapping[str, str], **options: Any) -> None:
        self.names = names
        super().__init__([(name, name) for name in names.values()], **options)

    def to_representation(self, value: Any) -> str:
        return self.names[value]


# One instance of each serializer per thread, because DRF copies all fields for each new instance.
# This works for serializers that do not use the context: all request body serializers, and the
# serializers of some frequent responses.


_made = local()


def represent(kind: type[Serializer[Any]], row: object) -> dict[str, Any]:
    """Return the row as JSON, like `kind(row).data`."""
    representation: dict[str, Any] = _shared(kind).to_representation(row)
    return representation


def validated(kind: type[Serializer[Any]], data: object) -> dict[str, Any]:
    """Return the validated data. Raises ValidationError with all errors."""
    try:
        body: dict[str, Any] = _shared(kind).run_validation(data)
    except ValidationError:
        serializer = kind(data=data)  # create a new serializer to report the errors
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
    return body


def _shared(kind: type[Serializer[Any]]) -> Serializer[Any]:
    made: dict[type, Serializer[Any]] = vars(_made).setdefault("serializers", {})
    return made.get(kind) or made.setdefault(kind, kind())
