"""The Poker Hand History format out. What it has a code for goes out as other tools read it.

What it has no words for (another game, a modifier, a verb of ours) goes out with the record in a
field of our own, and comes back equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.formats import embedded_record, toml_text
from rules.formats.amounts import from_units, rewritten
from rules.formats.codes import Code, code_of
from rules.formats.phh.importer import BET, STAKES, WHOLE_BLIND, blind_is_short
from rules.formats.seat_rotation import turn
from rules.history.actions import Unreadable, read_action

Record = Mapping[str, Any]
Fields = dict[str, Any]

KNOWN = frozenset(
    ("variant", "options", "button", "players", "stacks", "stakes", "actions", "about")
)
SIZES = {
    "fixed": frozenset(("ante", "dead_ante", "blinds", "short_blind", "small", "big")),
    "min": frozenset(("ante", "dead_ante", "blinds", "short_blind", "min")),
    "stud": frozenset(("ante", "dead_ante", "bring_in", "small", "big")),
}
VERBS = frozenset(("", "dh", "db", "pb", "cbr", "cc", "f", "sd", "sm"))
FIRST = ("variant", "ante_trimming_status", "antes", "blinds_or_straddles", *STAKES,
         "starting_stacks", "actions")  # fmt: skip


def write_phh(records: Sequence[Record]) -> str:
    """One hand as `.phh`; more than one, or one with a section's name, as `.phhs`."""
    if len(records) == 1 and "section" not in records[0].get("about", {}):
        return toml_text.dump(to_fields(records[0]))
    sections = _sections(records)
    hands = (
        f"[{toml_text.key(section)}]\n{toml_text.dump(to_fields(record))}"
        for section, record in zip(sections, records, strict=True)
    )
    return "\n".join(hands)


def _sections(records: Iterable[Record]) -> list[str]:
    found: list[str] = []
    for number, record in enumerate(records, 1):
        told = str(record.get("about", {}).get("section", number))
        while told in found:
            told = f"{told}-{number}"
        found.append(told)
    return found


def to_fields(record: Record) -> Fields:
    """The fields of one hand."""
    code = _code(record)
    return _outside(record) if code is None else _inside(record, code)


def _code(record: Record) -> Code | None:
    """The format's code of a hand, None when the format can't hold all of it."""
    variant = record.get("variant")
    code = code_of("phh", variant) if isinstance(variant, str) else None
    if code is None or not record.keys() <= KNOWN or "stacks" not in record:
        return None
    wanted = {"odd_chip": code.odd_chip} if code.odd_chip else None
    stakes = record.get("stakes", {})
    blinds = stakes.get("blinds", ())
    fits = (
        record.get("options") == wanted
        and all(player.keys() == {"name"} for player in record["players"])
        and record.get("about", {}).get("format", "phh") == "phh"
        and stakes.keys() <= SIZES[code.sizes]
        and len(blinds) <= len(record["players"])
        and (not blinds or blinds[-1] != 0)
        and stakes.get("short_blind", True) is True
        and ("short_blind" not in stakes or _is_short(record))
        and all(_is_known(action) for action in record["actions"])
    )
    return code if fits else None


def _is_short(record: Record) -> bool:
    turned = turn(dict(record), record["button"] + 1 - len(record["players"]))
    return blind_is_short(turned.get("stakes", {}), turned["stacks"])


def _is_known(text: str) -> bool:
    action = read_action(text)
    if isinstance(action, Unreadable):
        return True  # it can't be replayed, here or there, and is kept as it stands
    return action.verb in VERBS and not (action.verb == "pb" and action.words)


def _outside(record: Record) -> Fields:
    about = record.get("about", {})
    places = about.get("places", 0)
    variant = record["variant"]
    stacks = record.get("stacks") or [None] * len(record["players"])
    return {
        "variant": variant if isinstance(variant, str) else variant.get("name", ""),
        "starting_stacks": [_chips(stack, places) for stack in stacks],
        "players": [player["name"] for player in record["players"]],
        "actions": list(record["actions"]),
        embedded_record.FIELD: embedded_record.keep(record),
    }


def _chips(units: int | None, places: int) -> object:
    return {toml_text.LITERAL: "inf"} if units is None else from_units(units, places)


def _inside(record: Record, code: Code) -> Fields:
    count = len(record["players"])
    button = record["button"]
    turned = turn(dict(record), button + 1 - count)
    about = record.get("about", {})
    places = about.get("places", 0)
    fields: Fields = {"variant": code.code} | _amounts(turned, code, places)
    fields["starting_stacks"] = [_chips(stack, places) for stack in turned["stacks"]]
    fields["actions"] = [_action(text, places) for text in turned["actions"]]
    names = [player["name"] for player in turned["players"]]
    if names != [f"p{number}" for number in range(1, count + 1)]:
        fields["players"] = names
    fields |= about.get("fields", {})
    if "short_blind" not in record.get("stakes", {}) and _is_short(record):
        fields[WHOLE_BLIND] = True
    if button != count - 1:
        fields["_button"] = button
    if "about" not in record:
        fields["_plain"] = True
    first = {key: fields[key] for key in FIRST if key in fields}
    return first | {key: value for key, value in fields.items() if key not in first}


def _amounts(record: Record, code: Code, places: int) -> Fields:
    stakes = record.get("stakes", {})
    count = len(record["players"])
    ante = stakes.get("ante", 0)
    antes = ante if isinstance(ante, list) else [ante] * count
    fields: Fields = {}
    trimmed = bool(ante) and type(ante) is int and not stakes.get("dead_ante", False)
    if trimmed or "about" not in record:  # left out, they are not
        fields["ante_trimming_status"] = trimmed
    fields["antes"] = [_chips(chips, places) for chips in antes]
    if code.sizes != "stud":
        blinds = [*stakes.get("blinds", ()), *[0] * count][:count]
        fields["blinds_or_straddles"] = [_chips(chips, places) for chips in blinds]
    for long, short in STAKES.items():
        if short in stakes:
            fields[long] = _chips(stakes[short], places)
    return fields


def _action(text: str, places: int) -> str:
    if not places:
        return text
    said, mark, comment = text.partition("#")
    scaled = BET.sub(lambda bet: bet[1] + rewritten(bet[2], places), said)
    return scaled + mark + comment
