"""Serializers that are made once a thread: DRF copies all fields of one each time that it is made.

For serializers that look at no context: all that read a body, and those of what is asked most.
"""

from threading import local
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

_made = local()


def represent(kind: type[Serializer[Any]], row: object) -> dict[str, Any]:
    """Return the row as JSON, as `kind(row).data` does."""
    representation: dict[str, Any] = _shared(kind).to_representation(row)
    return representation


def validated(kind: type[Serializer[Any]], data: object) -> dict[str, Any]:
    """Return what the data says. Raises ValidationError with all that is wrong with it."""
    try:
        body: dict[str, Any] = _shared(kind).run_validation(data)
    except ValidationError:
        serializer = kind(data=data)  # its errors are told by one of its own
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
    return body


def _shared(kind: type[Serializer[Any]]) -> Serializer[Any]:
    made: dict[type, Serializer[Any]] = vars(_made).setdefault("serializers", {})
    return made.get(kind) or made.setdefault(kind, kind())
