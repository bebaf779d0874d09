"""Plan an import: identify hands, group them into nights, and compare ledgers.

A hand's id is derived from its content and from its number and time in the file, so the hand is
recorded once even if several files contain it. If a file contains an identical second hand without
a number or without a time, that is a separate hand. Records and PHH files may contain hands that
were exported from the league, so their hands are also compared with the league's hands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID, uuid5

from league.common import row_limits
from league.common.errors import Problem, problem
from league.common.money import money_of
from league.common.text import lookalike_key, shown, tidy, unstorable, wrong_name
from league.imports.contents import ImportOptions, ImportProblem, Source, import_problem
from league.imports.grouping import (
    REFUSED,
    UNKNOWN,
    ImportedHand,
    LedgerRow,
    Nights,
    PlannedNight,
    StatedStack,
    pack,
)
from league.imports.ledgers import compare_ledger
from league.models import League, Revision
from rules.api import rename_players
from rules.formats import fitting
from rules.formats.amounts import Chip, written
from rules.formats.files import LEDGER, format_of, iter_text
from rules.formats.hands import StackStatement
from rules.formats.ledgers import Ledger, is_past_nights, read_ledger, read_past_nights
from rules.formats.pokernow.log import Line

Record = dict[str, Any]


class Names:
    """Maps names in the files to players. `new_players` have to be created."""

    def __init__(self, league: League, options: ImportOptions) -> None:
        there = league.players.values_list("name", flat=True)
        self.players = {lookalike_key(name): name for name in there}
        self.options = options
        self.new_players: list[str] = []
        self.meant: dict[str, str | None] = {}

    def called(self, name: str, id_: str = "") -> str | None:
        """Return the league's name for the player with this name or id in the file.

        Return None if there is no such player and players may not be created.
        """
        called = self.options.called
        meant = called.get(id_) or called.get(name) or name
        if meant not in self.meant:
            self.meant[meant] = self._called(tidy(meant))
        return self.meant[meant]

    def existing(self, name: str, id_: str = "") -> str | None:
        """Return the name of an existing or already added player, without adding one."""
        called = self.options.called
        meant = called.get(id_) or called.get(name) or name
        return self.players.get(lookalike_key(tidy(meant)))

    def chosen(self, ids: set[str]) -> bool:
        """Return whether the host has matched any of the ids with a player."""
        return not ids.isdisjoint(self.options.called)

    def _called(self, name: str) -> str | None:
        player = self.players.get(lookalike_key(name))
        if player is None and self.options.add_players and not list(wrong_name(name)):
            if self._is_full():
                return None
            self.new_players.append(name)
            self.players[lookalike_key(name)] = player = name
        return player

    def stranger(self, name: str) -> Problem:
        """Return the reason why a name in the files does not match a player."""
        text = f"the league has no player {shown(name)}"
        if self.options.add_players and self._is_full():
            return problem("players", "too-many", f"{text}, and {row_limits.PLAYERS}")
        return problem("players", "unknown-player", text)

    def _is_full(self) -> bool:
        return any(row_limits.PLAYERS.exceeded(len(self.players)))


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


AT_ONCE = 500
MOST_COMPARED = 20_000  # the league's latest revisions that are compared with the hands of a file


@dataclass(slots=True)
class ImportPlan:
    """The hands that would be recorded, and the refused and known hands that would not.

    `of_one_date` are the ledgers of a table's dates. Their problems concern no other date. `chip`
    is the value of a chip in the files, or None if they count chips. `is_whole` is true if the
    files have no decimals.
    """

    nights: list[PlannedNight] = field(default_factory=list)
    refused: list[ImportProblem] = field(default_factory=list)
    known: int = 0
    new_players: list[str] = field(default_factory=list)
    of_one_date: set[str] = field(default_factory=set)
    chip: Chip | None = None
    is_whole: bool = True

    @property
    def steps(self) -> int:
        return sum(night.steps for night in self.nights)

    def refuse(self, cause: Problem, file: str, *, line: int = 0, player: str = "") -> None:
        self.refused.append(import_problem(cause, file=file, line=line, player=player))

    def doubt_refused(self) -> None:
        """Keep the nights of a file open if any part of the file was refused.

        If no hand of the file could be read, all nights stay open, because the file may belong to
        any of them.
        """
        by_file: dict[str, list[PlannedNight]] = {file: [] for file in self.of_one_date}
        for night in self.nights:
            files = {night.ledger_file, *(shown(event.file) for _, event in night.events)} - {""}
            for file in files:
                by_file.setdefault(file, []).append(night)
        for refused in self.refused:
            for night in by_file.get(refused.file, self.nights):
                night.doubts[REFUSED] += 1


@dataclass(slots=True)
class _Ledger:
    """A ledger from a file. `day` is its date in a table of past nights."""

    file: str
    read: Ledger
    day: date | None = None


@dataclass(frozen=True, slots=True)
class _ReadHand:
    """A hand from a file, with the stacks stated before the hand.

    `found` is None if the hand was refused, or at the end of the file.
    """

    file: str
    found: ImportedHand | None
    before: list[StackStatement]
    is_hand: bool


def plan(league: League, sources: Iterable[Source], options: ImportOptions) -> ImportPlan:
    """Return a plan for importing these files."""
    import_plan = ImportPlan()
    read_hands: list[_ReadHand] = []
    ledgers: list[_Ledger] = []
    for source in sources:
        if is_past_nights(source.text) or (options.amounts and LEDGER.match(source.text)):
            ledgers += _read_ledgers(source, options, import_plan)
        else:
            hands = list(_hands(league, source, options, import_plan))
            if sum(read_hand.is_hand for read_hand in hands) == 1:
                hands = [
                    replace(hand, found=hand.found and replace(hand.found, alone=True))
                    for hand in hands
                ]
            read_hands += hands
    of_hands = [read_hand.found for read_hand in read_hands if read_hand.found is not None]
    chips_of_hands = [fitting.chip(hand.record) for hand in of_hands]
    of_files = [each.places for each in chips_of_hands if each is not None]
    of_files += [stack.places for read_hand in read_hands for stack in read_hand.before]
    of_files += [ledger.read.places for ledger in ledgers]
    finest = max(of_files, default=0)  # decimal places
    if options.places is not None:
        chip = Chip(options.places, options.units)
    else:
        by_money = options.by_value and (finest or any(ledger.day for ledger in ledgers))
        chip = Chip.of(money_of(1, league)) if by_money else Chip(finest)
    import_plan.chip, import_plan.is_whole = chip if of_files else None, not any(of_files)
    names, nights = Names(league, options), Nights(league, options)
    placed = _place_hands(league, of_hands, chip, names, nights, import_plan)
    _fill_nights(read_hands, placed, chip, names, nights, import_plan)
    for ledger in ledgers:
        _plan_ledger(ledger, chip, names, nights, import_plan)
    for night in nights.nights.values():
        wrong = compare_ledger(league, night, chip)
        import_plan.refused += [import_problem(each, file=night.ledger_file) for each in wrong]
    import_plan.nights, import_plan.new_players = nights.in_order(), names.new_players
    return import_plan


Placed = dict[int, tuple[PlannedNight, datetime, ImportedHand | None]]  # keyed by the hand's `id()`


def _place_hands(
    league: League,
    hands: list[ImportedHand],
    chip: Chip,
    names: Names,
    nights: Nights,
    made: ImportPlan,
) -> Placed:
    """Return each hand's night, time and event, including hands from an earlier import."""
    placed: Placed = {}
    recorded = _recorded(league, hands)
    exported = _exported(league, hands, recorded)
    done: set[UUID] = set()
    for listed in hands:
        hand = listed
        if hand.id not in recorded and recorded.get(hand.old_id) == hand.origin:
            hand = replace(hand, id=hand.old_id)
        elif hand.id not in recorded and (equal := exported.get(hand.key)):
            hand = replace(hand, id=equal.pop(0))
            recorded[hand.id] = hand.origin
        night, at = nights.place(hand)
        if hand.id in done:  # another file has the same hand
            made.known += 1
            placed[id(listed)] = night, at, None
            continue
        done.add(hand.id)
        if hand.id in recorded:
            made.known += 1
            record = fitted_known(hand, chip, names)
            if record is None:
                night.doubts[UNKNOWN] += 1
        else:
            record = fitted(hand, chip, names, made.refused)
        event = replace(hand, packed=pack(record), known=hand.id in recorded) if record else None
        placed[id(listed)] = night, at, event
    return placed


def _recorded(league: League, hands: list[ImportedHand]) -> dict[UUID, fitting.Origin]:
    """Return which of the ids, current and old, the league has, with their hands' origins."""
    ids = list({hand.id for hand in hands} | {hand.old_id for hand in hands})
    recorded: dict[UUID, fitting.Origin] = {}
    for start in range(0, len(ids), AT_ONCE):
        batch = ids[start : start + AT_ONCE]
        rows = Revision.objects.filter(hand__in=batch, hand__night__season__league=league, number=1)
        for hand, about in rows.values_list("hand", "record__about"):
            recorded[hand] = fitting.origin({"about": about})
    return recorded


def _exported(
    league: League, hands: list[ImportedHand], recorded: Mapping[UUID, fitting.Origin]
) -> dict[str, list[UUID]]:
    """Return the league's hands that equal an unknown hand, keyed by its `key`, oldest first."""
    keys = {hand.key for hand in hands if hand.id not in recorded} - {""}
    if not keys:
        return {}
    rows = Revision.objects.filter(hand__night__season__league=league).order_by("-made_at", "pk")
    columns = rows.values_list("hand", "record")[:MOST_COMPARED]
    equal: dict[str, list[UUID]] = {}
    for hand, record in columns.iterator():
        if (key := _key(record)) in keys and hand not in recorded:
            same = equal.setdefault(key, [])
            same[:0] = [] if hand in same else [hand]
    return equal


def _key(record: Mapping[str, Any]) -> str:
    """Return the hash of a record's content, with the hand's number and time in its file."""
    content, origin = fitting.content_hash(record), fitting.origin(record)
    return f"{content}:{origin.text}" if origin.text else content


def _fill_nights(
    read_hands: list[_ReadHand],
    placed: Placed,
    chip: Chip,
    names: Names,
    nights: Nights,
    made: ImportPlan,
) -> None:
    """Add hands and the stacks stated between them to their nights, in file order."""
    beside: tuple[PlannedNight, datetime] | None = None
    for read_hand in read_hands:
        hand = placed[id(read_hand.found)] if read_hand.found is not None else None
        if hand is not None:
            beside = hand[:2]
        for statement in read_hand.before:
            name, own = names.existing(statement.player, statement.id), Chip(statement.places)
            if beside is None or name is None:
                continue
            chips, before = chip.chips(statement.chips, own), chip.chips(statement.before, own)
            if chips is None or before is None:
                amount = statement.chips if chips is None else statement.before
                wrong = problem("", "too-fine", fitting.not_whole(amount, own, chip))
                made.refused.append(import_problem(wrong, file=read_hand.file, line=statement.line))
                continue
            stated = replace(statement, player=name, chips=chips, before=before)
            if (place := nights.of_statement(statement, *beside)) is not None:
                night, at = place
                # a stack count that belongs before a hand may be entered during the hand
                moment = min(at, hand[1]) if hand is not None else at
                night.events.append((moment, StatedStack(read_hand.file, stated)))
        if hand is not None and hand[2] is not None:
            hand[0].events.append((hand[1], hand[2]))


# --- reading ------------------------------------------------------------------------------------


def _hands(
    league: League, source: Source, options: ImportOptions, made: ImportPlan
) -> Iterator[_ReadHand]:
    suffix = PurePath(source.name).suffix.lower()
    seen: Counter[str] = Counter()
    is_own = format_of(source.text, suffix) in ("records", "phh")
    for read_hand in iter_text(source.text, suffix, options.amounts):
        wrong = [each.as_dict() for each in read_hand.problems]
        if not wrong and read_hand.is_hand:
            if isinstance(read_hand.record, dict):
                wrong = list(unstorable(read_hand.record))
            else:
                wrong = [problem("", "wrong-type", "a record must be an object")]
        if wrong or not isinstance(read_hand.record, dict):
            place = {"file": source.name, "hand": read_hand.hand, "line": read_hand.line}
            made.refused += [import_problem(one, **place) for one in wrong]  # type: ignore[arg-type]
            yield _ReadHand(source.name, None, read_hand.before, read_hand.is_hand)
            continue
        key, origin = _key(read_hand.record), fitting.origin(read_hand.record)
        content = key.partition(":")[0]
        seen.update({content, key})
        occurrence = 1 if origin.is_unique else seen[key]
        hand = ImportedHand(
            id=uuid5(league.pk, f"hand:{key}:{occurrence}"),
            old_id=uuid5(league.pk, f"hand:{content}:{seen[content]}"),
            key=key if is_own else "",
            origin=origin,
            file=source.name,
            folder=source.folder,
            line=read_hand.line,
            hand=read_hand.hand,
            packed=pack(read_hand.record),
        )
        yield _ReadHand(source.name, hand, read_hand.before, read_hand.is_hand)


# --- ledgers ------------------------------------------------------------------------------------


def _read_ledgers(source: Source, options: ImportOptions, made: ImportPlan) -> list[_Ledger]:
    if is_past_nights(source.text):
        past = read_past_nights(source.text)
        _refuse_lines(past.lines, source.name, made)
        if too_many := list(row_limits.NIGHTS.exceeded(0, adding=len(past.nights))):
            made.refuse(too_many[0], source.name)
            return []
        # a problem in a night's rows keeps only that night open
        days = sorted(past.nights.items())
        name = shown(source.name)
        ledgers = [_Ledger(f"{name} ({day})", ledger, day) for day, ledger in days]
        made.of_one_date |= {ledger.file for ledger in ledgers}
    else:
        ledgers = [_Ledger(source.name, read_ledger(source.text, options.amounts))]
    for ledger in ledgers:
        _refuse_lines(ledger.read.lines, ledger.file, made)
        if ledger.read.balance and not options.bears:
            balance = written(ledger.read.balance, ledger.read.places)
            text = f"the nets of {ledger.day or 'the ledger'} add up to {balance} instead of 0"
            made.refuse(problem("net", "does-not-add-up", text), ledger.file)
    return ledgers


def _refuse_lines(lines: Iterable[Line], file: str, made: ImportPlan) -> None:
    for line in lines:
        made.refuse(problem("", f"ledger-{line.why}", line.text), file, line=line.number)


def _plan_ledger(
    ledger: _Ledger, chip: Chip, names: Names, nights: Nights, made: ImportPlan
) -> None:
    file, own = ledger.file, Chip(ledger.read.places)
    if ledger.day and nights.has_other(ledger.day):
        text = f"the league already has a night on {ledger.day}, which would count twice"
        made.refuse(problem("night", "night-twice", text), file)
        return
    listed = [(each, (each.buy_in, each.buy_out + each.stack)) for each in ledger.read.players]
    too_fine = [
        f"{shown(player.name)}: {fitting.not_whole(amount, own, chip)}"
        for player, amounts in listed
        for amount in amounts
        if chip.chips(amount, own) is None
    ]
    if too_fine:
        for text in too_fine:
            made.refuse(problem("", "too-fine", text), file)
        return
    rows: dict[str, list[int]] = {}
    named: dict[str, str] = {}  # the first id of each player, or the name in a file without ids
    for player, amounts in listed:
        name = names.called(player.name, player.id)
        if name is None:
            made.refuse(names.stranger(player.name), file, player=player.name)
            continue
        first = named.setdefault(name, own_id := player.id or player.name)
        if first != own_id and not names.chosen({first, own_id}):
            text = (
                f"{shown(name)} has the {'ids' if player.id else 'names'} {shown(first)} and "
                f"{shown(own_id)}: match each one with a player, or both with one"
            )
            made.refuse(problem("players", "name-twice", text), file)
            continue
        row = rows.setdefault(name, [0, 0])
        for place, amount in enumerate(amounts):
            row[place] += chip.chips(amount, own) or 0
    if rows:
        night = nights.of_ledger(file, ledger.read, ledger.day)
        if night.ledger:
            text = f"the night {night.name} already has the ledger in {shown(night.ledger_file)}"
            made.refuse(problem("night", "ledger-twice", text), file)
            night.doubts[REFUSED] += 1
            return
        night.ledger_file = file
        night.ledger += [LedgerRow(name, chips, left) for name, (chips, left) in rows.items()]
