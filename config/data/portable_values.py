"""Whether a row can be kept by either kind of database: SQLite takes more than PostgreSQL does."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from league.common.text import unstorable

# As JSON is written: what may be a NUL or half a character. Few rows have one.
_SUSPECT = re.compile(r"\\u0000|\\ud[89a-f]")
RANGES = BaseDatabaseOperations.integer_field_ranges


def unportable(model: type[models.Model], row: Sequence[Any], line: str) -> str:
    """Return what of a row one of the databases would refuse, "" where both take it.

    `line` is the row as JSON.
    """
    suspect = _SUSPECT.search(line)
    for field, value in zip(model._meta.concrete_fields, row, strict=True):  # noqa: SLF001 (public)
        if value is None:
            wrong = "" if field.null else "nothing is there"
        elif isinstance(field, models.JSONField):
            wrong = "it is no JSON that can be kept" if suspect and any(unstorable(value)) else ""
        else:
            wrong = _wrong(field, value) or (suspect and _unstorable(value)) or ""
        if wrong:
            table = model._meta.db_table  # noqa: SLF001 (public)
            return f"{field.name} of row {row[0]!s:.40} of {table}: {wrong}"
    return ""


def _unstorable(value: Any) -> str:
    return "a NUL or half a character is in it" if any(unstorable(value)) else ""


def _wrong(field: Any, value: Any) -> str:
    """Return why a value is none of this field's."""
    if isinstance(value, str):
        most = getattr(field, "max_length", None)
        if most and len(value) > most:
            return "it is too long"
    elif type(value) is int and (bounds := _range(field)):
        return "" if bounds[0] <= value <= bounds[1] else "the number is too large"
    try:
        return "" if field.to_python(value) == value else "it is of another type"
    except ValidationError:
        return "it is of another type"


@cache
def _range(field: Any) -> tuple[int, int] | None:
    """Return between which numbers the field's column holds."""
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    return RANGES.get(field.get_internal_type())
