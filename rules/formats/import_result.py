"""What came of one hand of a file."""

from dataclasses import dataclass, field
from typing import Any

from rules.errors import Problem
from rules.formats.stacks import StackStatement


@dataclass(slots=True)
class Imported:
    """One hand of a file: its record, or why there is none; its name in the file, and the line
    on which it begins (0: not known).

    `before` are the stacks that the file states between the hand before and this one. The last one
    of a file may have neither a record nor problems: it only holds what is stated after all hands.
    """

    record: dict[str, Any] | None
    problems: list[Problem] = field(default_factory=list)
    hand: str | int | None = None
    line: int = 0
    before: list[StackStatement] = field(default_factory=list)

    @property
    def is_hand(self) -> bool:
        return self.record is not None or bool(self.problems)
