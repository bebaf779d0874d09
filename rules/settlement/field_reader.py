"""Reads single values of a record: chips, cards, names, lists; whatever is wrong has its path."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.cards import CARDS, not_a_card
from rules.error_text import path_part, quoted
from rules.errors import Problem
from rules.game.hand import (
    MOST_CARDS,
    MOST_CHIPS,
    MOST_PLAYERS,
)
from rules.game.nearest import nearest
from rules.game.workload import MOST_PROBLEMS


class FieldReader:
    """Reads the values of a record, keeping every problem."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.problems: list[Problem] = []

    def problem(self, where: str, code: str, text: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(where, code, text))
        elif len(self.problems) == MOST_PROBLEMS:
            text = f"{MOST_PROBLEMS} things are wrong, and more: the others are not told"
            self.problems.append(Problem(where, code, text))

    # the last part of a path is joined only where there is trouble: most records have none

    def chips(self, where: str, value: object, *key: object) -> int:
        """A whole number of chips from 0 to 10^12; 0 when it is none."""
        if type(value) is int and 0 <= value <= MOST_CHIPS:
            return value
        where = _path(where, key)
        if type(value) is int or type(value) is float:
            self.problem(where, "bad-chips", "chips are whole numbers from 0 to 10^12")
        else:
            self.problem(where, "wrong-type", "a number of chips is needed here")
        return 0

    def truth(self, where: str, value: object, key: str) -> bool:
        if type(value) is not bool:
            self.problem(_path(where, (key,)), "wrong-type", "true or false is needed here")
            return False
        return value

    def cards(self, where: str, raw: object, *key: object) -> list[int]:
        """A list of cards; what is no card is a problem and left out."""
        try:
            if type(raw) is list:
                return [CARDS[card] for card in raw]
        except (KeyError, TypeError):
            pass
        return self._cards_one_by_one(_path(where, key), raw)

    def _cards_one_by_one(self, where: str, raw: object) -> list[int]:
        if not isinstance(raw, list):
            self.problem(where, "wrong-type", "a list of cards is needed here")
            return []
        if len(raw) > MOST_CARDS:
            self.problem(where, "card-count", f"{len(raw)} cards are more than any deck has")
            return []
        found = []
        for index, card in enumerate(raw):
            if type(card) is not str:
                self.problem(f"{where}/{index}", "wrong-type", "a card is a text such as As")
            elif card not in CARDS:
                self.problem(f"{where}/{index}", "bad-card", not_a_card(card))
            else:
                found.append(CARDS[card])
        return found

    def unknown_keys(self, where: str, raw: Mapping[str, Any], known: Iterable[str]) -> None:
        for key in raw:
            if key not in known and len(self.problems) <= MOST_PROBLEMS:
                path = f"{where}/{path_part(key)}" if where else path_part(key)
                near = nearest(str(key), known)
                hint = f"; is it {' or '.join(near)}?" if near else ""
                self.problem(path, "unknown-key", f"no such key{hint}")

    def items(self, where: str, raw: object, what: str, most: int = MOST_PLAYERS) -> list[Any]:
        """A list of at most so many things."""
        if type(raw) is list and len(raw) <= most:
            return raw
        self.problem(where, "wrong-type", f"a list of at most {most} {what} is needed here")
        return []

    def seats(self, where: str, raw: object, names: Mapping[str, int]) -> tuple[int, ...]:
        listed = self.items(where, raw, "names")
        if raw == []:
            self.problem(where, "wrong-type", "whom is it for? name at least one player")
        found = []
        for index, name in enumerate(listed):
            if type(name) is str and name in names:
                found.append(names[name])
            else:
                text = f"{quoted(name)} is not at the table"
                self.problem(f"{where}/{index}", "unknown-player", text)
        return tuple(sorted(set(found)))


def _path(where: str, key: tuple[object, ...]) -> str:
    """The path of a value; its last part may be as long and as strange as whoever sent it likes."""
    return "/".join((where, *[path_part(part) for part in key]))
