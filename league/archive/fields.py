"""Readers for the fields of a season file.

Each reader accepts the values that the league itself would write. A value of a different type is
rejected, never converted: true is not a number, and neither is "1".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from league.common.errors import Problem, problem
from league.common.text import tidy, unstorable, wrong_text
from league.models import LONGEST_NAME
from league.people.leagues import wrong_currency
from ledger.models import MOST_CHIPS

EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
CLOCKS_DIFFER = timedelta(days=2)
LAST_DAY = date(2999, 12, 31)
MOST_IN_A_LIST = 1_000

Named = tuple[str, int]


class FieldError(Exception):
    """A field's value is invalid.

    `errors` contains the reasons and where in the value the errors are.
    """

    def __init__(self, *errors: Problem) -> None:
        self.errors = errors
        super().__init__()


def field_error(code: str, text: str, where: str = "") -> FieldError:
    return FieldError(problem(where, code, text))


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Converts a value of the file, or raises FieldError.

    `names` returns the (table, number) of each row that the value references.
    """

    read: Callable[[Any], Any]
    names: Callable[[Any], Iterable[Named]] = lambda _: ()


def Ref(table: str) -> FieldReader:  # noqa: N802 (reads like the other fields of a table)
    """Return a reader for the number of another row in the file."""
    return FieldReader(integer(1, 2**31 - 1).read, lambda number: [(table, number)])


def optional(of: FieldReader) -> FieldReader:
    return FieldReader(
        lambda value: None if value is None else of.read(value),
        lambda value: () if value is None else of.names(value),
    )


def integer(least: int, most: int) -> FieldReader:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise field_error("bad-number", f"this must be a whole number from {least} to {most}")
        return value

    return FieldReader(read)


def text(longest: int = LONGEST_NAME, *, needed: bool = True) -> FieldReader:
    def read(value: object) -> str:
        if wrong := list(wrong_text("", value, longest=longest, needed=needed)):
            raise FieldError(*wrong)
        return tidy(str(value)) if longest == LONGEST_NAME else str(value)

    return FieldReader(read)


def among(choices: Sequence[str]) -> FieldReader:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise field_error("bad-option", f"this must be {' or '.join(choices)}")
        return value

    return FieldReader(read)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise field_error("wrong-type", "this must be true or false")
    return value


def _date_time(value: object) -> datetime:
    parsed = _parsed(parse_datetime, value)
    if not isinstance(parsed, datetime) or parsed.tzinfo is None:
        raise field_error("wrong-type", "this must be an ISO 8601 date and time with a time zone")
    if not EARLIEST <= parsed <= timezone.now() + CLOCKS_DIFFER:
        raise field_error("bad-time", "this time is too early or in the future")
    return parsed.astimezone(UTC)


def _day(value: object) -> date:
    parsed = _parsed(parse_date, value)
    if not isinstance(parsed, date):
        raise field_error("wrong-type", "this must be a date such as 2026-01-31")
    if not EARLIEST.date() <= parsed <= LAST_DAY:
        raise field_error("bad-time", "this date is too early or too late")
    return parsed


def _parsed(parse: Callable[[str], object], value: object) -> object:
    try:
        return parse(value) if isinstance(value, str) and value.isascii() else None
    except ValueError:
        return None


def _currency(value: object) -> str:
    if wrong := list(wrong_currency(value)):
        raise FieldError(*(each | {"where": ""} for each in wrong))
    return str(value)


def _json_object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise field_error("wrong-type", "this must be an object")
    if wrong := list(unstorable(value)):
        raise FieldError(*wrong)
    return value


def with_keys(keys: Sequence[str]) -> FieldReader:
    """Return a reader for an object with exactly these keys."""

    def read(value: object) -> dict[str, Any]:
        fields = _json_object(value)
        if fields.keys() != set(keys):
            raise field_error("wrong-fields", f"this must have exactly the keys {', '.join(keys)}")
        return fields

    return FieldReader(read)


def object_of(of: FieldReader) -> FieldReader:
    def read(value: object) -> dict[str, Any]:
        return {key: _read_part(key, of, item) for key, item in _json_object(value).items()}

    return FieldReader(
        read, lambda value: (name for one in value.values() for name in of.names(one))
    )


def list_of(of: FieldReader) -> FieldReader:
    def read(value: object) -> list[Any]:
        if not isinstance(value, list) or len(value) > MOST_IN_A_LIST:
            raise field_error("wrong-type", f"this must be a list of at most {MOST_IN_A_LIST}")
        return [_read_part(str(place), of, item) for place, item in enumerate(value)]

    return FieldReader(read, lambda value: (name for one in value for name in of.names(one)))


def _read_part(where: str, of: FieldReader, value: object) -> Any:
    """Read part of a value, and add its path to any errors."""
    try:
        return of.read(value)
    except FieldError as wrong:
        inner = ("/".join(filter(None, (where, error["where"]))) for error in wrong.errors)
        raise FieldError(
            *(error | {"where": at} for error, at in zip(wrong.errors, inner, strict=True))
        ) from None


def _pot(also: Mapping[str, FieldReader]) -> FieldReader:
    parts = {"amount": integer(1, MOST_CHIPS), "for": list_of(Ref("Player")), **also}

    def read(value: object) -> dict[str, Any]:
        content = with_keys(list(parts)).read(value)
        values = {key: _read_part(key, of, content[key]) for key, of in parts.items()}
        if not values["for"] or len(set(values["for"])) < len(values["for"]):
            raise field_error(
                "bad-pot", "a pot needs at least one player, and each player only once", "for"
            )
        return values

    def names(value: Mapping[str, Any]) -> Iterator[Named]:
        yield from (("Player", number) for number in value["for"])
        if value.get("from") is not None:
            yield "Night", value["from"]

    return FieldReader(read, names)


flag, moment, day, currency = (
    FieldReader(_flag),
    FieldReader(_date_time),
    FieldReader(_day),
    FieldReader(_currency),
)
json_object, anything = FieldReader(_json_object), FieldReader(lambda value: value)
# Chips that are waiting for a winner. If a night opened with the pot, the pot references the night
# that left it. Null means a night in another season.
pot = _pot({})
opening_pot = _pot({"from": optional(Ref("Night"))})
