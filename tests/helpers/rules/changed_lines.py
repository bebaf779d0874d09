"""Logs with one changed line."""

import re
from collections.abc import Sequence
from random import Random

from tests.helpers.rules.log_cards import DECK

NUMBER = re.compile(r"\d+(?:\.\d+)?")
WHO = re.compile(r'"[^"]*(?:"[^"]*"[^"]*)? @ [^"\s]+"')


def one_line_changed(chance: Random, lines: Sequence[str]) -> tuple[str, list[str]]:
    """Remove, repeat, move or change one line. Return a description of the change and the lines."""
    at = chance.randrange(len(lines))
    line, others = lines[at], [*lines[:at], *lines[at + 1 :]]
    how = chance.choice(("removed", "repeated", "moved", "number", "number", "player", "cards"))
    if how == "removed":
        return f"removed {line}", others
    if how == "repeated":
        return f"repeated {line}", [*lines[:at], line, *lines[at:]]
    if how == "moved":
        to = min(len(others), max(0, at + chance.choice((-3, -1, 1, 3))))
        return f"moved {line} by {to - at}", [*others[:to], line, *others[to:]]
    changed = line
    if how == "number" and (numbers := list(NUMBER.finditer(line))):
        amount = chance.choice(numbers)
        number = max(
            0, int(amount[0].replace(".", "")) + chance.choice((-10, -5, -1, 1, 5, 10, 100))
        )
        whole = f"{number // 100}.{number % 100:02}" if "." in amount[0] else str(number)
        changed = line[: amount.start()] + whole + line[amount.end() :]
    elif how == "player" and (quoted := WHO.findall("\n".join(lines))):
        mentioned = WHO.findall(line)
        if mentioned:
            changed = line.replace(chance.choice(mentioned), chance.choice(quoted), 1)
    elif how == "cards":
        card = chance.choice(DECK)
        changed = re.sub(r"(?:10|[2-9JQKA])[♣♦♥♠]", card, line, count=1)
    return f"{how} {line} -> {changed}", [*lines[:at], changed, *lines[at + 1 :]]
