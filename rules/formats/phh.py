"""Import and export the Poker Hand History format: `.phh` for one hand, `.phhs` for many.

An imported hand becomes a record with actions (docs/history.md). Chips are integers in the smallest
unit of the file. `about` contains fields that a record does not have. A hand that the format cannot
represent (a different game, a modifier, additional verbs) is exported with the whole record in a
custom field. Importing it returns an identical record. A hand that was run several times is written
as PokerKit writes it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

from rules.cards import format_cards
from rules.errors import Problem, counted, quoted
from rules.formats import hands, toml
from rules.formats.amounts import (
    LARGEST,
    Chip,
    chip_of,
    is_chips,
    list_in_units,
    places_of,
    read_number,
    to_units,
)
from rules.formats.games import Code, code_of, codes
from rules.formats.hands import Imported, restore, run_problems, turn
from rules.formats.text_files import LONGEST_HAND
from rules.game.hand import LEAST_RUNS, MOST_RUNS, are_names
from rules.history.actions import Unreadable, read_action, read_cards

Record = dict[str, Any]
AT_LINE = re.compile(r"at line (\d+)")
BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+\Z")
BET = re.compile(r"\b(cbr\s+)(\S+)")

ACTED = re.compile(r"\s*p\d+\s+(?:f|cc|cbr)\b")
STREETS = (3, 4, 5)  # cards on the board after each street, in all games with a board
BOARD = STREETS[-1]

WHOLE_BLIND = "_whole_blind"  # custom field: a short blind does not reduce the amount to call

LISTS = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")
FORCED = ("antes", "blinds_or_straddles")
SINGLES = ("bring_in", "small_bet", "big_bet", "min_bet")
TAKEN = frozenset(  # fields that become part of the record
    ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions", *SINGLES, "_button")
)
STAKES = {"bring_in": "bring_in", "small_bet": "small", "big_bet": "big", "min_bet": "min"}


def read_phh(text: str) -> list[Imported]:
    return list(iter_phh(text))


def iter_phh(text: str) -> Iterator[Imported]:
    """Yield the hands of a text. Unreadable hands have problems and do not affect others."""
    text = text.removeprefix("\ufeff")
    starts = toml.section_starts(text)
    start = next(starts, len(text))
    # with keys before the first section, the text is one hand
    if start == len(text) or not BLANK.match(text, 0, start):
        yield from _hands(text[: LONGEST_HAND + 1], 1, set())
        return
    line, seen = 1 + text.count("\n", 0, start), set[str]()
    for end in chain(starts, [len(text)]):
        yield from _hands(text[start : min(end, start + LONGEST_HAND + 1)], line, seen)
        line += text.count("\n", start, end)
        start = end


def _hands(text: str, line: int, seen: set[str]) -> Iterator[Imported]:
    """Yield the hands of complete sections. `seen` are the names of the sections before them."""
    if len(text) > LONGEST_HAND:
        too_long = f"a hand has more than {LONGEST_HAND:,} characters"
        yield Imported(None, [Problem("", "too-long", too_long)], line=line)
        return
    try:
        tables = toml.loads(text)
    except toml.TomlError as bad:
        at = AT_LINE.search(str(bad))
        line += int(at[1]) - 1 if at else text.count("\n")
        wrong = AT_LINE.sub(f"at line {line}", str(bad), count=1)
        yield Imported(None, [Problem("", "not-toml", wrong)], line=line)
        return
    if not tables or not all(isinstance(value, dict) for value in tables.values()):
        yield _hand(None, tables, line)
        return
    for section, fields in tables.items():
        if section in seen:
            twice = Problem("", "not-toml", f"two sections have the name {quoted(section)}")
            yield Imported(None, [twice], section, line)
        else:
            yield _hand(section, fields, line)
    seen.update(tables)


def _hand(section: str | None, fields: Mapping[str, Any], line: int) -> Imported:
    hand = fields.get("hand")
    name = hand if isinstance(hand, str | int) else section
    if "_record" in fields:
        record, problems = restore(fields)
        return Imported(record, problems, name, line)
    record, problems = to_record(fields)
    if record is not None and section is not None and "about" in record:
        record["about"]["section"] = section
    return Imported(record, problems, name, line)


def to_record(fields: Mapping[str, Any]) -> tuple[Record | None, list[Problem]]:
    """Return the record for the fields of one hand, or None and all problems."""
    alike = [key for key in FORCED if is_chips(fields.get(key))]
    if alike and isinstance(listed := fields.get("starting_stacks"), list):
        # as the format's own tool does, read a number as the amount of every player
        fields = {**fields, **{key: [fields[key]] * len(listed) for key in alike}}
    problems = list(_problems(fields))
    if problems:
        return None, problems
    code = codes("phh")[fields["variant"]]
    places = _places(fields)
    count = len(fields["starting_stacks"])
    names = fields.get("players")
    if not (isinstance(names, list) and len(names) == count and are_names(names)):
        names = [f"p{number}" for number in range(1, count + 1)]
    stacks = list_in_units(fields["starting_stacks"], places)
    record: Record = {
        "variant": code.game,
        **({"options": {"odd_chip": code.odd_chip}} if code.odd_chip else {}),
        "button": count - 1,
        "players": [{"name": name} for name in names],
        "stacks": stacks,
        "stakes": _stakes(fields, stacks, places),
        "actions": _actions(fields["actions"], places),
    }
    if sum(action.count("d db") for action in fields["actions"]) > len(STREETS):
        record |= _divided(record["actions"])
    if "_plain" not in fields:
        others = {key: toml.to_json(value) for key, value in fields.items() if key not in TAKEN}
        if others.get("players") == names:
            del others["players"]
        others.pop(WHOLE_BLIND, None)
        record["about"] = {"format": "phh", "fields": others}
        if places:
            record["about"]["places"] = places
    button = fields.get("_button")
    if type(button) is int and 0 <= button < count - 1:  # the export rotated the players
        record = turn(record, button + 1 - count)
    return record, []


def _places(fields: Mapping[str, Any]) -> int:
    """Return the decimal places of all amounts, including those in the actions."""
    numbers: list[Any] = [fields[key] for key in SINGLES if key in fields]
    for key in LISTS:
        numbers += fields.get(key, ())
    actions = "\n".join(fields["actions"])
    if "." in actions:
        numbers += [read_number(bet[2]) for bet in BET.finditer(actions)]
    return places_of(numbers)


def _problems(fields: Mapping[str, Any]) -> Iterator[Problem]:
    code = fields.get("variant")
    if not isinstance(code, str) or code not in codes("phh"):
        known = ", ".join(codes("phh"))
        yield Problem("variant", "unknown-game", f"the format's codes are {known}")
    stacks = fields.get("starting_stacks")
    if not isinstance(stacks, list) or not stacks:
        yield Problem("starting_stacks", "missing", "a list of chips is required")
        return
    actions = fields.get("actions")
    if not isinstance(actions, list) or not set(map(type, actions)) <= {str}:
        yield Problem("actions", "missing", "a list of strings is required")
    for key in LISTS:
        listed = fields.get(key, [])
        if not _are_numbers(listed, key):
            yield Problem(key, "bad-chips", "a list of chips is required")
            continue
        # some files omit zeros after the blinds
        is_shortened = key == "blinds_or_straddles" and len(listed) < len(stacks)
        if key in fields and len(listed) != len(stacks) and not is_shortened:
            amounts, players = counted(len(listed), "amount"), counted(len(stacks), "player")
            yield Problem(key, "wrong-type", f"{key} has {amounts} for {players}")
    for key in SINGLES:
        if key in fields and not _is_number(fields[key], key):
            yield Problem(key, "bad-chips", "an amount of chips is required")


def _are_numbers(listed: object, key: str) -> bool:
    if not isinstance(listed, list):
        return False
    if set(map(type, listed)) == {int}:  # fast path for the common case
        return bool(min(listed) >= -LARGEST and max(listed) <= LARGEST)
    return all(_is_number(item, key) for item in listed)


def _is_number(value: object, key: str) -> bool:
    """Return whether a value is an exact amount. An unknown stack is infinite."""
    if isinstance(value, Decimal) and value.is_infinite():
        return key == "starting_stacks" and value > 0
    return is_chips(value)


def _stakes(fields: Mapping[str, Any], stacks: list[int | None], places: int) -> Record:
    stakes: Record = {
        short: to_units(fields[key], places) for key, short in STAKES.items() if key in fields
    }
    antes = [ante or 0 for ante in list_in_units(fields.get("antes", ()), places)]
    if any(antes):
        uniform = len(set(antes)) == 1
        stakes["ante"] = antes[0] if uniform else antes
        if uniform and not fields.get("ante_trimming_status", False):
            stakes["dead_ante"] = True
    listed = fields.get("blinds_or_straddles", ())
    blinds = [blind or 0 for blind in list_in_units(listed, places)]
    while blinds and not blinds[-1]:
        del blinds[-1]
    if blinds:
        stakes["blinds"] = blinds
        if WHOLE_BLIND not in fields and blind_is_short(stakes, stacks):
            stakes["short_blind"] = True
    return stakes


def blind_is_short(stakes: Record, stacks: list[int | None]) -> bool:
    """Return whether no player could post the largest blind in full.

    The format's own tool then uses the posted amount as the bet.
    """
    count = len(stacks)
    ante = stakes.get("ante", 0)
    antes = [*ante, *[0] * count][:count] if isinstance(ante, list) else [ante] * count
    blinds = [*stakes.get("blinds", ()), *[0] * count][:count]
    if count == 2:  # both lists start at the dealer's left; heads up, they are reversed
        blinds.reverse()
        antes.reverse()
    whole = max((abs(blind) for blind in blinds), default=0)
    return not any(
        abs(blind) == whole and (stack is None or stack - ante >= whole)
        for blind, ante, stack in zip(blinds, antes, stacks, strict=True)
    )


def _actions(actions: list[str], places: int) -> list[str]:
    if not places and "." not in "".join(actions):
        return list(actions)

    def scaled(bet: re.Match[str]) -> str:
        number = read_number(bet[2])
        units = to_units(number, places) if number is not None else None
        return bet[0] if units is None else f"{bet[1]}{units}"

    # only the part before the comment is scaled
    parts = (action.partition("#") for action in actions)
    return [BET.sub(scaled, action) + mark + comment for action, mark, comment in parts]


def _divided(actions: Sequence[str]) -> Record:
    """Return the runs that the actions contain, and the actions without their cards.

    The format has no runs. But PokerKit writes all cards of a hand that was run several times, one
    run after the other: after the last bet, the board is dealt again.
    """
    dealt = {at: cards for at, text in enumerate(actions) if (cards := _board_cards(text))}
    if sum(map(len, dealt.values())) <= BOARD:
        return {}
    last = max((at for at, text in enumerate(actions) if ACTED.match(text)), default=-1)
    before = sum(len(cards) for at, cards in dealt.items() if at < last)
    missing, after = BOARD - before, [at for at in dealt if at > last]
    added = [card for at in after for card in dealt[at]]
    several, rest = divmod(len(added), missing) if missing > 0 else (0, 0)
    if rest or not LEAST_RUNS <= several <= MOST_RUNS:
        return {}
    runs = [added[first : first + missing] for first in range(0, len(added), missing)]
    return {
        "actions": [text for at, text in enumerate(actions) if at not in after],
        "runs": [{"board": [format_cards(cards)]} for cards in runs],
    }


def _board_cards(text: str) -> list[int]:
    """Return the cards that an action deals to the board."""
    words = text.partition("#")[0].split()
    return list(read_cards(words[2]) or ()) if words[:2] == ["d", "db"] and words[2:] else []


__all__ = ["Code", "Imported", "read_phh", "to_record"]


Fields = dict[str, Any]

KNOWN = frozenset(
    ("variant", "options", "button", "players", "stacks", "stakes", "actions", "about", "runs")
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
    """Write one hand as `.phh`, and several hands or one with a section name as `.phhs`."""
    if len(records) == 1 and "section" not in records[0].get("about", {}):
        return toml.dump(to_fields(records[0]))
    hands: dict[str, str] = {}
    for number, record in enumerate(records, 1):
        section = str(record.get("about", {}).get("section", number))
        while section in hands:
            section = f"{section}-{number}"
        hands[section] = f"[{toml.key(section)}]\n{toml.dump(to_fields(record))}"
    return "\n".join(hands.values())


def to_fields(record: Record) -> Fields:
    code = _code(record)
    if code is not None:
        return _inside(record, code)
    chip = chip_of(record.get("about")) or Chip()
    variant = record["variant"]
    stacks = record.get("stacks") or [None] * len(record["players"])
    return {
        "variant": variant if isinstance(variant, str) else variant.get("name", ""),
        "starting_stacks": [_chips(stack, chip) for stack in stacks],
        "players": [player["name"] for player in record["players"]],
        "actions": list(record["actions"]),
        hands.FIELD: hands.dump_without_actions(record),
    }


def _code(record: Record) -> Code | None:
    """Return the format's code for a hand, or None if the format can't represent the whole hand."""
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
        and all(
            isinstance(action, Unreadable)  # no tool can replay it, so it is kept unchanged
            or (action.verb in VERBS and not (action.verb == "pb" and action.words))
            for action in map(read_action, record["actions"])
        )
    )
    if not fits:
        return None
    # the runs must be read back from actions that deal their cards
    if "runs" not in record:
        return None if _divided(record["actions"]) else code
    both = {"actions": record["actions"], "runs": record["runs"]}
    is_readable = not any(run_problems(record)) and _divided(_with_runs(record)) == both
    return code if is_readable else None


def _with_runs(record: Record) -> list[str]:
    """Return the actions, followed by those that deal the streets of each run."""
    actions = list(record["actions"])
    before = sum(len(_board_cards(text)) for text in actions)
    for run in record.get("runs", ()):
        dealt, [cards] = before, run["board"]
        for count in STREETS:
            if street := "".join(cards[dealt - before : count - before]):
                actions.append(f"d db {street}")
                dealt = count
    return actions


def _is_short(record: Record) -> bool:
    turned = turn(dict(record), record["button"] + 1 - len(record["players"]))
    return blind_is_short(turned.get("stakes", {}), turned["stacks"])


def _chips(chips: int | None, chip: Chip) -> object:
    return {toml.LITERAL: "inf"} if chips is None else chip.amount(chips)


def _inside(record: Record, code: Code) -> Fields:
    count = len(record["players"])
    button = record["button"]
    turned = turn(dict(record), button + 1 - count)
    stakes, about = turned.get("stakes", {}), record.get("about", {})
    chip = chip_of(about) or Chip()
    ante = stakes.get("ante", 0)
    antes = ante if isinstance(ante, list) else [ante] * count
    fields: Fields = {
        "variant": code.code,
        "antes": [_chips(chips, chip) for chips in antes],
        "starting_stacks": [_chips(stack, chip) for stack in turned["stacks"]],
        "actions": _with_runs(turned),
        **{long: _chips(stakes[key], chip) for long, key in STAKES.items() if key in stakes},
    }
    trimmed = bool(ante) and type(ante) is int and not stakes.get("dead_ante", False)
    if trimmed or "about" not in record:  # if the field is omitted, antes are not trimmed
        fields["ante_trimming_status"] = trimmed
    if code.sizes != "stud":
        blinds = [*stakes.get("blinds", ()), *[0] * count][:count]
        fields["blinds_or_straddles"] = [_chips(chips, chip) for chips in blinds]
    if chip != Chip():
        parts = (text.partition("#") for text in fields["actions"])
        fields["actions"] = [
            BET.sub(lambda bet: bet[1] + chip.rewritten(bet[2]), words) + mark + comment
            for words, mark, comment in parts
        ]
    names = [player["name"] for player in turned["players"]]
    if names != [f"p{number}" for number in range(1, count + 1)]:
        fields["players"] = names
    fields |= about.get("fields", {})
    if "short_blind" not in stakes and _is_short(record):
        fields[WHOLE_BLIND] = True
    if button != count - 1:
        fields["_button"] = button
    if "about" not in record:
        fields["_plain"] = True
    first = {key: fields[key] for key in FIRST if key in fields}
    return first | {key: value for key, value in fields.items() if key not in first}
