"""Adapt hands from other formats: names, decimals, the time of a hand, duplicates.

These are pure functions over records. They do not change a record written by hand.
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from rules.errors import Problem
from rules.formats.amounts import Chip, Number, chip_of
from rules.formats.toml import LITERAL

Record = dict[str, Any]
NOON = time(12)
# years outside this range are mistakes, and date arithmetic fails near the limits of datetime
YEARS = range(1900, 2200)
AMOUNTS = ("ante", "blinds", "bring_in", "small", "big", "min", "unit", "mid", "bomb")
PAID = ("paid", "dead")
PUTS = re.compile(
    r"(?<![\w#])((?:cbr|ante|blind|straddle|post|dead|penalty|put|take|mid|buy) ++)"
    r"(\d{1,18})(?!\w)",
    re.ASCII,
)


def content_hash(record: Mapping[str, Any]) -> str:
    """Return a hash of everything in a record except its source."""
    content = {key: value for key, value in record.items() if key != "about"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Origin:
    """A hand's number and time in its file. Each is empty if the file doesn't contain it."""

    number: str
    time: str

    @property
    def text(self) -> str:
        return f"{self.number}@{self.time}" if self.number or self.time else ""

    @property
    def is_unique(self) -> bool:
        """Return whether no two hands of one game share this origin."""
        return bool(self.number and "T" in self.time)


def origin(record: Mapping[str, Any]) -> Origin:
    """Return a hand's number and time in its file."""
    about = record.get("about")
    if not isinstance(about, dict):
        return Origin("", "")
    listed = about.get("fields")
    fields = listed if isinstance(listed, dict) else {}
    numbers = (about.get("hand"), fields.get("hand"), fields.get("game_number"))
    number = next((each for each in numbers if each and isinstance(each, str | int)), "")
    moment = played_at(record, UTC)
    if moment is None:
        return Origin(str(number), "")
    at = moment.at.astimezone(UTC)
    return Origin(str(number), at.isoformat() if moment.exact else at.date().isoformat())


# --- decimals -----------------------------------------------------------------------------------


def chip(record: Mapping[str, Any]) -> Chip | None:
    """Return the value of the record's chip in its file.

    Return None for a record that was not imported, because such a record counts chips.
    """
    about = record.get("about")
    return chip_of(about) if isinstance(about, dict) and "format" in about else None


def in_chips(record: Record, wanted: Chip) -> tuple[Record, list[Problem]]:
    """Convert a record to chips of the value `wanted`. Return it with the amounts that fail."""
    own, stakes, actions = chip(record), record.get("stakes", {}), record.get("actions", [])
    whole = isinstance(stakes, dict) and isinstance(actions, list)
    if own is None or own == wanted or not whole:
        return record, []
    convert = _Conversion(own, wanted)
    about = record["about"]
    unit = {"places": wanted.places} | ({"chip": wanted.units} if wanted.units != 1 else {})
    converted = record | {
        "about": {key: value for key, value in about.items() if key not in ("places", "chip")}
        | convert.keys(about, ("rake", "collected"), "about")
        | unit,
        "stakes": stakes | convert.keys(stakes, AMOUNTS, "stakes"),
        "actions": [convert.action(action, f"actions/{at}") for at, action in enumerate(actions)],
    }
    converted |= convert.keys(record, ("stacks", "took", "carried"), "")
    if isinstance(players := record.get("players"), list):
        converted["players"] = [
            player | convert.keys(player, PAID, f"players/{at}")
            if isinstance(player, dict)
            else player
            for at, player in enumerate(players)
        ]
    return converted, convert.problems


class _Conversion:
    """Converts amounts from one chip to another and collects those that are not whole chips."""

    def __init__(self, own: Chip, wanted: Chip) -> None:
        self.own, self.wanted = own, wanted
        self.problems: list[Problem] = []

    def keys(self, of: Mapping[str, Any], keys: Iterable[str], where: str) -> dict[str, Any]:
        return {key: self.value(of[key], f"{where}/{key}") for key in keys if key in of}

    def value(self, value: Any, where: str) -> Any:
        if type(value) is int:
            return self.chips(value, where)
        if isinstance(value, list):
            return [self.value(item, f"{where}/{at}") for at, item in enumerate(value)]
        if isinstance(value, dict):
            return {
                key: each if key == "for" else self.value(each, f"{where}/{key}")
                for key, each in value.items()
            }
        return value

    def action(self, action: Any, where: str) -> Any:
        if not isinstance(action, str):
            return action
        words, mark, comment = action.partition("#")
        words = PUTS.sub(lambda put: f"{put[1]}{self.chips(int(put[2]), where)}", words)
        return words + mark + comment

    def chips(self, units: int, where: str) -> int:
        chips = self.wanted.chips(units, self.own)
        if chips is None:
            self.problems.append(
                Problem(
                    where.lstrip("/"), "too-fine", not_whole(self.own.amount(units), self.wanted)
                )
            )
        return chips or 0


def not_whole(amount: Number | str, wanted: Chip) -> str:
    """Return the reason why an amount of a file can't be converted."""
    return f"{amount} is not a whole number of chips, which are {wanted.amount(1)} each in the file"


# --- names --------------------------------------------------------------------------------------


def names(record: Mapping[str, Any]) -> list[str]:
    """Return the names of a record's players that are strings."""
    listed = record.get("players")
    rows = listed if isinstance(listed, list) else []
    texts = [row.get("name") for row in rows if isinstance(row, dict)]
    return [name for name in texts if isinstance(name, str)]


def ids(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the players' ids in the file by name, if the file has ids."""
    about = record.get("about")
    listed = about.get("ids") if isinstance(about, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return {}
    return dict(zip(names(record), listed, strict=False))


# --- time ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandTime:
    """The time of a hand. If only the date is known, `exact` is false and the time is noon."""

    at: datetime
    exact: bool


def on_day(day: date, zone: tzinfo) -> HandTime:
    """Return noon on a date, for hands without a time."""
    return HandTime(datetime.combine(day, NOON, zone), exact=False)


def played_at(record: Mapping[str, Any], zone: tzinfo) -> HandTime | None:
    """Return the time of a hand from its file. `zone` applies to times without a time zone."""
    about = record.get("about")
    if not isinstance(about, dict):
        return None
    listed = about.get("fields")
    fields = listed if isinstance(listed, dict) else {}
    for text in (about.get("at"), fields.get("start_date_utc")):
        if not isinstance(text, str):
            continue
        with suppress(ValueError):
            at = datetime.fromisoformat(text)
            if at.year in YEARS:
                return HandTime(at if at.tzinfo else at.replace(tzinfo=UTC), exact=True)
    try:
        day = date(fields["year"], fields["month"], fields["day"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if day.year not in YEARS:
        return None
    clock, own = None, zone
    dealt, name = fields.get("time"), fields.get("time_zone")
    text = dealt.get(LITERAL) if isinstance(dealt, dict) else dealt
    if isinstance(text, str):
        with suppress(ValueError):
            clock = time.fromisoformat(text)
    if isinstance(name, str):
        with suppress(KeyError, ValueError, OSError):  # the name may be unknown or a path
            own = ZoneInfo(name)
    return HandTime(datetime.combine(day, clock or NOON, own), exact=clock is not None)
