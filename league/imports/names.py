"""Names and chips of a file's hands as the league has them."""

from typing import Any

from league.common import bounds
from league.common.errors import Problem, problem
from league.common.text import shown, tidy, wrong_name
from league.imports.contents import ImportOptions, ImportProblem
from league.imports.grouping import Found
from league.models import League
from rules.api import rename_players
from rules.formats import fitting

Record = dict[str, Any]


class Names:
    """Who is meant by the names of the files; `new_players` are to be added."""

    def __init__(self, league: League, options: ImportOptions) -> None:
        there = league.players.values_list("name", flat=True)
        self.players = {name.lower(): name for name in there}
        self.options = options
        self.new_players: list[str] = []
        self.meant: dict[str, str | None] = {}

    def called(self, name: str, id_: str = "") -> str | None:
        """Return the name in the league of who has this name, or this id, in the file.

        None for nobody, where none is to be made.
        """
        called = self.options.called
        meant = called.get(id_) or called.get(name) or name
        if meant not in self.meant:
            self.meant[meant] = self._called(tidy(meant))
        return self.meant[meant]

    def known(self, name: str, id_: str = "") -> str | None:
        """Return the same, for a name that is in the league or was added; no player is added."""
        called = self.options.called
        meant = called.get(id_) or called.get(name) or name
        return self.players.get(tidy(meant).lower())

    def _called(self, name: str) -> str | None:
        known = self.players.get(name.lower())
        if known is None and self.options.add_players and not list(wrong_name("name", name)):
            if self._is_full():
                return None
            self.new_players.append(name)
            self.players[name.lower()] = known = name
        return known

    def stranger(self, name: str) -> Problem:
        """Return why a name of the files means no player."""
        text = f"the league has no player {shown(name)}"
        if self.options.add_players and self._is_full():
            return problem("players", "too-many", f"{text}, and {bounds.PLAYERS}")
        return problem("players", "unknown-player", text)

    def _is_full(self) -> bool:
        return any(bounds.PLAYERS.exceeded(len(self.players)))


def fitted(each: Found, places: int, names: Names, refused: list[ImportProblem]) -> Record | None:
    """Return the record with the league's chips and names; None once it is refused."""
    record = fitting.with_places(each.record, places)
    if record is None:
        finest = fitting.places(each.record)
        text = f"the amounts have {finest} decimal places, a chip stands for {places}"
        refused.append(each.refused(problem("", "too-fine", text)))
        return None
    ids = fitting.ids(record)
    called = {name: names.called(name, ids.get(name, "")) for name in fitting.names(record)}
    strangers = [name for name, meant in called.items() if meant is None]
    refused += [each.refused(names.stranger(name)) for name in strangers]
    known = {name: meant for name, meant in called.items() if meant is not None}
    if not strangers and len(set(known.values())) < len(known):
        text = "two players of the hand are the same player of the league"
        refused.append(each.refused(problem("players", "name-twice", text)))
        return None
    return None if strangers else rename_players(record, known)


def fitted_known(each: Found, places: int, names: Names) -> Record | None:
    """Return the record of a hand that was recorded before; None if its names are others now."""
    record = fitting.with_places(each.record, places)
    if record is None:
        return None
    ids = fitting.ids(record)
    called = {name: names.known(name, ids.get(name, "")) for name in fitting.names(record)}
    known = {name: meant for name, meant in called.items() if meant is not None}
    return rename_players(record, known) if len(set(known.values())) == len(called) else None
