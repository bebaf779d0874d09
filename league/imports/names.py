"""Match the names in an import's files with the league's players, and fit hands to the league."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Max

from league.common import row_limits
from league.common.errors import Problem, problem
from league.common.text import lookalike_key, shown, tidy, wrong_name
from league.imports.contents import ImportOptions, ImportProblem
from league.imports.grouping import ImportedHand, PlannedNight
from league.models import FormerName, League, Seat
from league.people.leagues import names_on_receipts, taken_names
from rules.api import rename_players
from rules.formats import fitting
from rules.formats.amounts import Chip

Record = dict[str, Any]


MOST_MATCHES = 200  # of an import that are remembered
MOST_REMEMBERED = 10  # per player, to leave other former names for renaming


def remember_matches(league: League, called: Mapping[str, str], nights: Iterable[UUID]) -> None:
    """Store the names that a host has matched as former names of their players in these nights."""
    players = {lookalike_key(player.name): player for player in league.players.all()}
    rows = FormerName.objects.filter(player__league=league).order_by("pk")
    known: dict[str, UUID] = {}
    number = Counter[UUID]()
    for name, key in rows.values_list("name", "player"):
        number[key] += known.get(name) != key
        known[name] = key
    seats = Seat.objects.filter(night__in=nights, player__in=players.values()).order_by("-pk")
    night_of = dict(seats.values_list("player", "night"))  # the first night of each player
    matched = []
    for name, meant in islice(called.items(), MOST_MATCHES):
        player = players.get(lookalike_key(tidy(meant)))
        if player is None or lookalike_key(name) in players or any(wrong_name(name)):
            continue
        if known.get(name) == player.pk or number[player.pk] >= MOST_REMEMBERED:
            continue
        if night := night_of.get(player.pk):
            number[player.pk] += 1
            matched.append(FormerName(night_id=night, name=name, player=player))
    FormerName.objects.bulk_create(matched, ignore_conflicts=True)


def remembered_matches(league: League, text: str) -> dict[str, str]:
    """Return the names in a file that belonged to players before, each with its last player.

    Names that players have now, or on receipts, need no match. Only the latest `MOST_MATCHES` are
    searched for in the text.
    """
    rows = FormerName.objects.filter(player__league=league).values_list("name", "player__name")
    latest = rows.annotate(last=Max("pk")).order_by("-last")[:MOST_MATCHES]
    own = [*league.players.values_list("name", flat=True), *names_on_receipts(league)]
    keys = {lookalike_key(name) for name in own}
    return {
        name: player
        for name, player, _last in reversed(latest)
        if name in text
        and lookalike_key(name) not in keys
        and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    }


class Names:
    """Maps names in the files to players. `new_players` are the names that no player has yet."""

    def __init__(self, league: League, options: ImportOptions) -> None:
        there = league.players.values_list("name", flat=True)
        former = names_on_receipts(league)
        self.players = {lookalike_key(old): name for old, name in former.items()}
        self.players |= {lookalike_key(name): name for name in there}
        self.taken, self.options = taken_names(league), options
        self.new_players: list[str] = []
        self.meant: dict[str, str | None] = {}
        self.wrong: dict[str, Problem] = {}  # why a player can't be added, keyed by name

    def called(self, name: str, id_: str = "") -> str | None:
        """Return the league's name for the player with this name or id in the file.

        Return None if there is no such player and players may not be created.
        """
        meant = self._meant(name, id_)
        if meant not in self.meant:
            self.meant[meant] = self._called(tidy(meant))
        return self.meant[meant]

    def existing(self, name: str, id_: str = "") -> str | None:
        """Return the name of an existing or already added player, without adding one."""
        meant = self._meant(name, id_)
        return self.players.get(lookalike_key(tidy(meant)))

    def _meant(self, name: str, id_: str) -> str:
        """Return the name that the host matched with this id or name, or the name itself."""
        called = self.options.called
        return called.get(id_) or called.get(name) or name

    def chosen(self, ids: set[str]) -> bool:
        """Return whether the host has matched any of the ids with a player."""
        return not ids.isdisjoint(self.options.called)

    def new_players_of(self, nights: Iterable[PlannedNight]) -> list[str]:
        """Return the new players in the hands and ledgers that would be recorded."""
        unused = set(self.new_players)
        for night in nights:
            unused.difference_update(row.name for row in night.ledger)
            for _, event in night.events if unused else ():
                if unused and isinstance(event, ImportedHand) and not event.known:
                    unused.difference_update(fitting.names(event.record))
        return [name for name in self.new_players if name not in unused]

    def _called(self, name: str) -> str | None:
        key = lookalike_key(name)
        player = self.players.get(key)
        if player is None and self.options.add_players:
            too_many = list(row_limits.PLAYERS.exceeded(len(set(self.players.values()))))
            taken = [self.taken[key]] if key in self.taken else []
            if wrong := too_many or list(wrong_name(name)) or taken:
                self.wrong[name] = wrong[0]
                return None
            self.new_players.append(name)
            self.players[key] = player = name
        return player

    def stranger(self, name: str) -> Problem:
        """Return the reason why a name in the files does not match a player."""
        text = f"the league has no player {shown(name)}"
        if wrong := self.wrong.get(tidy(self.options.called.get(name, name))):
            code = "too-many" if wrong["code"] == "too-many" else "unknown-player"
            return problem("players", code, f"{text}, and {wrong['text']}")
        return problem("players", "unknown-player", text)


def fitted(
    hand: ImportedHand, chip: Chip, names: Names, refused: list[ImportProblem]
) -> Record | None:
    """Return the record with the league's chips and names, or None if it was refused."""
    record, too_fine = fitting.in_chips(hand.record, chip)
    if too_fine:
        refused.append(hand.refused(too_fine[0].as_dict()))
        return None
    ids = fitting.ids(record)
    called = {name: names.called(name, ids.get(name, "")) for name in fitting.names(record)}
    strangers = [name for name, meant in called.items() if meant is None]
    refused += [hand.refused(names.stranger(name), player=name) for name in strangers]
    name_of = {name: meant for name, meant in called.items() if meant is not None}
    if not strangers and len(set(name_of.values())) < len(name_of):
        text = "two players of the hand are the same player of the league"
        refused.append(hand.refused(problem("players", "name-twice", text)))
        return None
    return None if strangers else rename_players(record, name_of)


def fitted_known(hand: ImportedHand, chip: Chip, names: Names) -> Record | None:
    """Return the record of a known hand, or None if its names or chips no longer match."""
    record, too_fine = fitting.in_chips(hand.record, chip)
    if too_fine:
        return None
    ids = fitting.ids(record)
    called = {name: names.existing(name, ids.get(name, "")) for name in fitting.names(record)}
    known = {name: meant for name, meant in called.items() if meant is not None}
    return rename_players(record, known) if len(set(known.values())) == len(called) else None
