"""What came of one hand of a file."""

from dataclasses import dataclass, field
from typing import Any

from rules.errors import Problem


@dataclass(slots=True)
class Imported:
    """One hand of a file: its record, or why there is none; its name in the file, and the line
    on which it begins (0: not known)."""

    record: dict[str, Any] | None
    problems: list[Problem] = field(default_factory=list)
    hand: str | int | None = None
    line: int = 0
