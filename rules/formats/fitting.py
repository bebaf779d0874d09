"""Adapt hands from other formats: names, decimals, the time of a hand, duplicates.

These are pure functions over records. They do not change a record written by hand.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from rules.formats.toml import LITERAL
from rules.game.hand import MOST_PLACES

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


def places(record: Mapping[str, Any]) -> int | None:
    """Return the number of decimal places of chips in the unit of the record's file.

    Return None for a record that was not imported, because such a record counts chips.
    """
    about = record.get("about")
    if not isinstance(about, dict) or "format" not in about:
        return None
    number = about.get("places", 0)
    return number if type(number) is int and 0 <= number <= MOST_PLACES else None


def with_places(record: Record, decimals: int) -> Record | None:
    """Convert a record to chips with `decimals` decimal places. Return None if it needs more."""
    own_places, stakes, actions = (
        places(record),
        record.get("stakes", {}),
        record.get("actions", []),
    )
    whole = isinstance(stakes, dict) and isinstance(actions, list)
    if own_places is None or own_places == decimals or not whole:
        return record
    if own_places > decimals:
        return None
    by = 10 ** (decimals - own_places)
    about = record["about"]
    amounts = {key: _times(about[key], by) for key in ("rake", "collected") if key in about}
    scaled_actions = list(actions)
    for at, action in enumerate(actions):
        if isinstance(action, str):
            words, mark, comment = action.partition("#")
            words = PUTS.sub(lambda put: f"{put[1]}{int(put[2]) * by}", words)
            scaled_actions[at] = words + mark + comment
    scaled = record | {
        "about": about | amounts | {"places": decimals},
        "stakes": stakes | {key: _times(stakes[key], by) for key in AMOUNTS if key in stakes},
        "actions": scaled_actions,
    }
    for key in ("stacks", "took", "carried"):
        if key in record:
            scaled[key] = _times(record[key], by)
    if isinstance(players := record.get("players"), list):
        scaled["players"] = [
            player | {key: _times(player[key], by) for key in PAID if key in player}
            if isinstance(player, dict)
            else player
            for player in players
        ]
    return scaled


def _times(value: Any, by: int) -> Any:
    if type(value) is int:
        return value * by
    if isinstance(value, list):
        return [_times(item, by) for item in value]
    if isinstance(value, dict):
        return {key: each if key == "for" else _times(each, by) for key, each in value.items()}
    return value


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
