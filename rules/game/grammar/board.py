"""The rows of the board and the lines across them, each perhaps under a choice of an option."""

from dataclasses import dataclass

from rules.game.grammar.patterns import read_options_hold
from rules.game.grammar.words import SLOT_NAME, Misread, Names, Words


@dataclass(frozen=True)
class Row:
    """Slots in a row; `is_there` says whether the options put it on the table."""

    slots: tuple[str, ...]
    is_there: bool = True


def read_row(text: str, names: Names) -> Row:
    """`a b c`, `d e when mood happy`."""
    slots, _, condition = text.partition(" when ")
    for slot in slots.split():
        if not SLOT_NAME.match(slot) or slot == "when":
            raise Misread(slot, f"{slot!r} is no name for a slot: letters and digits", ())
    if not slots.strip():
        raise Misread("", "a row needs at least one slot", ())
    return Row(tuple(slots.split()), _is_there(condition, names))


def read_line(text: str, names: Names) -> Row:
    """The same, of slots that the board has."""
    line = read_row(text, names)
    for slot in line.slots:
        if slot not in names.slots:
            raise Misread(slot, f"the board has no slot {slot!r}", sorted(names.slots))
    return line


def _is_there(condition: str, names: Names) -> bool:
    """Whether the options ask for a row. Cards can't: they would lie on what is not there."""
    if not condition:
        return True
    return read_options_hold(Words(f"when {condition}"), names, "a row of the board hangs")
