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
from decimal import Decimal
from pathlib import PurePath
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from league.closing.chip_count import wrong_count
from league.common import row_limits
from league.common.errors import Problem, problem
from league.common.money import in_money, money_of
from league.common.text import shown, unstorable
from league.imports.contents import (
    ImportOptions,
    ImportProblem,
    Source,
    import_problem,
)
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
from league.imports.names import Names, fitted, fitted_known
from league.models import League, Night, Revision
from league.nights.opening import too_many_nights, wrong_start
from league.people.leagues import latest_season, names_on_receipts
from rules.api import rename_players
from rules.formats import fitting
from rules.formats.amounts import Chip
from rules.formats.files import LEDGER, format_of, iter_text
from rules.formats.hands import StackStatement
from rules.formats.ledgers import Ledger, Player, is_past_nights, read_ledger, read_past_nights
from rules.formats.pokernow.log import Line

Record = dict[str, Any]


AT_ONCE = 500
MOST_HANDS = 50_000  # maximum number of hands and unreadable lines of a file
MINUS = "\N{MINUS SIGN}"
MOST_COMPARED = 20_000  # the league's latest revisions that are compared with the hands of a file


@dataclass(slots=True)
class ImportPlan:
    """The hands that would be recorded, and the refused and known hands that would not.

    `of_one_date` are the ledgers of a table's dates. Their problems concern no other date. A
    ledger with a refused row is left out, so that no part of a night is recorded. `chip`
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
            for night in () if refused.keeps_open else by_file.get(refused.file, self.nights):
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

    `hand` is None if the hand was refused, or at the end of the file.
    """

    file: str
    hand: ImportedHand | None
    before: list[StackStatement]
    is_hand: bool


def plan(
    league: League,
    sources: Iterable[Source],
    options: ImportOptions,
    unread: Iterable[ImportProblem] = (),
) -> ImportPlan:
    """Return a plan for importing these files. `unread` are other files that can't be read."""
    import_plan = ImportPlan(refused=[*unread])
    read_hands: list[_ReadHand] = []
    ledgers: list[_Ledger] = []
    for source in sources:
        if is_past_nights(source.text) or (options.amounts and LEDGER.match(source.text)):
            ledgers += _read_ledgers(source, options, import_plan)
        else:
            hands = list(_hands(league, source, options, import_plan))
            if sum(read_hand.is_hand for read_hand in hands) == 1:
                hands = [
                    replace(read_hand, hand=read_hand.hand and replace(read_hand.hand, alone=True))
                    for read_hand in hands
                ]
            read_hands += hands
    of_hands = [read_hand.hand for read_hand in read_hands if read_hand.hand is not None]
    chips_of_hands = [fitting.chip(hand.record) for hand in of_hands]
    places = [each.places for each in chips_of_hands if each is not None]
    places += [stack.places for read_hand in read_hands for stack in read_hand.before]
    places += [ledger.read.places for ledger in ledgers]
    has_dates = any(ledger.day for ledger in ledgers)
    chip = _chip(league, options, max(places, default=0), has_dates=has_dates)
    import_plan.chip, import_plan.is_whole = chip if places else None, not any(places)
    names, nights = Names(league, options), Nights(league, options)
    placed = _place_hands(league, of_hands, chip, names, nights, import_plan)
    _fill_nights(read_hands, placed, chip, names, nights, import_plan)
    for ledger in ledgers:
        _plan_ledger(ledger, chip, names, nights, import_plan)
    for night in nights.nights.values():
        wrong = compare_ledger(league, night, chip)
        import_plan.refused += [import_problem(each, file=night.ledger_file) for each in wrong]
        _check_balance(league, night, chip, options, import_plan)
    import_plan.nights = nights.in_order()
    import_plan.doubt_refused()
    _refuse_unopenable(league, options, import_plan)
    import_plan.new_players = names.new_players_of(import_plan.nights)
    return import_plan


def _chip(league: League, options: ImportOptions, places: int, *, has_dates: bool) -> Chip:
    """Return the value of a chip in files with these decimal places."""
    if options.places is not None:
        return Chip(options.places, options.units)
    by_money = options.by_value and (places or has_dates)
    return Chip.of(money_of(1, league)) if by_money else Chip(places)


class _PlacedHand(NamedTuple):
    """A hand's night and time. `event` is None for a repeated or refused hand."""

    night: PlannedNight
    at: datetime
    event: ImportedHand | None


def _place_hands(
    league: League,
    hands: list[ImportedHand],
    chip: Chip,
    names: Names,
    nights: Nights,
    made: ImportPlan,
) -> list[_PlacedHand]:
    """Return each hand with its night, including hands from an earlier import."""
    placed = []
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
            placed.append(_PlacedHand(night, at, None))
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
        placed.append(_PlacedHand(night, at, event))
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
    placed: Iterable[_PlacedHand],
    chip: Chip,
    names: Names,
    nights: Nights,
    made: ImportPlan,
) -> None:
    """Add hands and the stacks stated between them to their nights, in file order.

    `placed` contains the hands of `read_hands` that were not refused, in the same order.
    """
    nearest: _PlacedHand | None = None  # the last hand of the file up to here
    remaining = iter(placed)
    for read_hand in read_hands:
        hand = next(remaining) if read_hand.hand is not None else None
        nearest = hand or nearest
        for statement in read_hand.before:
            name, own = names.existing(statement.player, statement.id), Chip(statement.places)
            if nearest is None or name is None:
                continue
            chips, before = chip.chips(statement.chips, own), chip.chips(statement.before, own)
            if chips is None or before is None:
                amount = statement.chips if chips is None else statement.before
                wrong = problem("", "too-fine", fitting.not_whole(own.amount(amount), chip))
                made.refused.append(import_problem(wrong, file=read_hand.file, line=statement.line))
                continue
            stated = replace(statement, player=name, chips=chips, before=before)
            place = nights.of_statement(statement, nearest.night, nearest.at)
            if place is not None:
                night, at = place
                # a stack count that belongs before a hand may be entered during the hand
                moment = min(at, hand.at) if hand is not None else at
                night.events.append((moment, StatedStack(read_hand.file, stated)))
        if hand is not None and hand.event is not None:
            hand.night.events.append((hand.at, hand.event))


# --- reading ------------------------------------------------------------------------------------


def _hands(
    league: League, source: Source, options: ImportOptions, made: ImportPlan
) -> Iterator[_ReadHand]:
    suffix = PurePath(source.name).suffix.lower()
    seen: Counter[str] = Counter()
    is_own = format_of(source.text, suffix) in ("records", "phh")
    former = names_on_receipts(league)  # the file may have been exported before a renaming
    for number, read_hand in enumerate(iter_text(source.text, suffix, options.amounts)):
        if number == MOST_HANDS:
            text = f"a file has at most {MOST_HANDS:,} hands: split it"
            made.refuse(problem("", "too-many", text), source.name, line=read_hand.line)
            return
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
            key=_key(rename_players(read_hand.record, former)) if is_own else "",
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
    return ledgers


def _refuse_lines(lines: Iterable[Line], file: str, made: ImportPlan) -> None:
    for line in lines:
        made.refuse(problem("", f"ledger-{line.why}", line.text), file, line=line.number)


def _plan_ledger(
    ledger: _Ledger, chip: Chip, names: Names, nights: Nights, made: ImportPlan
) -> None:
    file = ledger.file
    if ledger.day and nights.has_other(ledger.day):
        text = f"the league already has a night on {ledger.day}, which would count twice"
        made.refuse(problem("night", "night-twice", text), file)
        return
    refused = len(made.refused)
    rows = _ledger_rows(ledger, chip, names, made)
    if ledger.read.lines or len(made.refused) > refused:  # a night isn't imported in part
        if ledger.read.lines or not all(each.player for each in made.refused[refused:]):
            text = f"{ledger.day or 'this ledger'} isn't imported until its rows are correct"
            made.refuse(problem("night", "night-left-out", text), file)
        return
    if too_many := list(row_limits.SEATS.exceeded(0, adding=len(rows))):
        made.refuse(too_many[0], file)
    elif rows:
        night = nights.of_ledger(file, ledger.read, ledger.day)
        if night.ledger:
            text = f"{shown(file)} isn't imported: the night {night.name} already has a ledger"
            made.refuse(problem("night", "ledger-twice", text), night.ledger_file)
            return
        night.ledger_file, night.ledger = file, rows


def _check_balance(
    league: League, night: PlannedNight, chip: Chip, options: ImportOptions, made: ImportPlan
) -> None:
    """Note a ledger's difference. If no player of the night gets it, the night stays open."""
    if not night.missing or night.booked:
        return
    amount, money = chip.amount(-night.missing), money_of(-night.missing, league)
    total = in_money(-night.missing, league)
    total = total if amount == money else f"{Decimal(amount):,f} ({total})"
    text = f"the nets of {night.name} add up to {total.replace('-', MINUS)} instead of 0"
    night.bears = options.bears
    if options.bears and not night.payers:
        text += f", and {shown(options.bears)} did not play"
    night.imbalance = text
    if not night.payers:
        wrong = import_problem(problem("net", "does-not-add-up", text), file=night.ledger_file)
        made.refused.append(replace(wrong, keeps_open=True))


def _ledger_rows(ledger: _Ledger, chip: Chip, names: Names, made: ImportPlan) -> list[LedgerRow]:
    """Return the rows in the league's chips and names, except rows that are refused."""
    own, file = Chip(ledger.read.places), ledger.file
    rows: dict[str, LedgerRow] = {}
    named: dict[str, str] = {}  # the first id of each player, or the name in a file without ids
    for player in ledger.read.players:
        name = _player_of(player, names, named, file, made)
        row = rows.get(name or "") or LedgerRow(name or player.name, 0, 0, player.line)
        amounts = player.buy_in, player.buy_out + player.stack
        bought, left = (chip.chips(amount, own) for amount in amounts)
        if bought is not None and left is not None:
            row = replace(row, chips=row.chips + bought, left=row.left + left)
        if bought is None or left is None:
            for part in player.amounts:
                if chip.chips(part.units, own) is None:
                    text = f"{shown(player.name)}: {fitting.not_whole(part.text, chip)}"
                    made.refuse(problem("", "too-fine", text), file, line=part.line)
        for verb, chips in (("bought", row.chips), ("has", row.left)):
            for fault in wrong_count(chips):
                text = f"{shown(row.name)} {verb} {chips:,} chips: {fault['text']}"
                made.refuse(fault | {"text": text}, file, line=player.line)
        if name is not None:
            rows[name] = row
    return list(rows.values())


def _player_of(
    player: Player, names: Names, named: dict[str, str], file: str, made: ImportPlan
) -> str | None:
    """Return the league's name for a player of a ledger, or refuse the player's rows."""
    name = names.called(player.name, player.id)
    if name is None:
        cause = names.stranger(player.name)
        made.refuse(cause, file, line=player.line, player=player.name)
        return None
    first = named.setdefault(name, own_id := player.id or player.name)
    if first != own_id and not names.chosen({first, own_id}):
        text = (
            f"{shown(name)} has the {'ids' if player.id else 'names'} {shown(first)} and "
            f"{shown(own_id)}: match each one with a player, or both with one"
        )
        made.refuse(problem("players", "name-twice", text), file, line=player.line)
        return None
    return name


# --- opening ------------------------------------------------------------------------------------


def _refuse_unopenable(league: League, options: ImportOptions, made: ImportPlan) -> None:
    """Refuse the new nights that can't be opened, because of their time or the league's limits."""
    there = set(Night.objects.filter(season__league=league).values_list("pk", flat=True))
    season = latest_season(league)
    in_season = 0 if season.ends_on else season.nights.count()
    running = Night.objects.filter(season__league=league, state=Night.State.OPEN).count()
    planned, made.nights = made.nights, []
    for night in planned:
        wrong = []
        if night.id not in there:
            wrong = [*wrong_start(night.starts_at), *too_many_nights(in_season, running)]
        if not wrong:
            made.nights.append(night)
            is_new = night.id not in there
            in_season += is_new
            running += is_new and (not options.close or bool(night.open_reasons()))
        for fault in wrong:
            hands = [event for _, event in night.events if isinstance(event, ImportedHand)]
            made.refused += [hand.refused(fault) for hand in hands if not hand.known]
            for row in night.ledger[:1]:
                made.refuse(fault, night.ledger_file, line=row.line)
