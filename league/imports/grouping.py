"""Group the files' hands into nights, and settle each night's hands by the rules.

A night's id is derived from the date, file or folder that its hands share.
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import PurePath
from typing import Any
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.common.errors import Problem
from league.common.money import evenly
from league.common.text import shown, tidy
from league.games.lookup import playables
from league.hands.chip_movements import chip_totals, unaccounted
from league.hands.validation import answers_to
from league.imports.contents import (
    DATE,
    EVERYONE,
    ImportDifference,
    ImportOptions,
    ImportProblem,
    import_problem,
)
from league.models import LONGEST_NAME, League, Night, Revision, Seat
from league.nights.nights import UNPLAYED
from rules.api import replay_record
from rules.formats import fitting
from rules.formats.amounts import in_file_unit
from rules.formats.hands import StackCheck, StackDifference, StackStatement
from rules.formats.ledgers import Ledger

Record = dict[str, Any]
Answer = dict[str, Any]


def pack(record: Record) -> bytes:
    return zlib.compress(json.dumps(record).encode(), level=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedHand:
    """A hand from a file, in the form in which it would be recorded.

    `old_id` is the id that earlier versions gave the hand. `key` is the hash of content and
    origin, or "" in formats in which a league's hands are not exported. `alone` is true if it is
    the only hand in its file. `known` is true if the league has the hand. The record is compressed
    to a tenth of its size, because an import can have 20,000 hands.
    """

    id: UUID
    old_id: UUID
    key: str
    origin: fitting.Origin
    file: str
    folder: str
    line: int
    hand: str | int | None
    packed: bytes
    alone: bool = False
    known: bool = False

    @property
    def record(self) -> Record:
        record: Record = json.loads(zlib.decompress(self.packed))
        return record

    def refused(self, error: Problem, *, player: str = "") -> ImportProblem:
        """Return a problem with its location: file, line, hand and action."""
        _, mark, place = error["where"].partition("actions/")
        action = self.record["actions"][int(place)] if mark and place.isdecimal() else ""
        text = action if isinstance(action, str) else ""
        return import_problem(
            error, file=self.file, hand=self.hand, line=self.line, action=text, player=player
        )


@dataclass(frozen=True, slots=True)
class StatedStack:
    """A stack that a file states between two hands."""

    file: str
    statement: StackStatement


Event = ImportedHand | StatedStack


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A player's line in a ledger: the chips bought, and the chips at the end."""

    name: str
    chips: int
    left: int
    line: int


@dataclass(slots=True, kw_only=True)
class PlannedNight:
    """A night to import, with its hands, the stacks stated between them, and its ledger.

    `events` are in order and include hands that were recorded before, because the chips of later
    hands depend on them. `ledger_known` is true if the night already has the ledger's chips. `won`
    contains the net chips from settled hands, keyed by name. `check`
    tracks the stacks. `differences` are stacks that the check can't explain, and `doubts` are other
    reasons not to close the night.

    `bears` is the option for a ledger that doesn't add up, `imbalance` says by how much it doesn't,
    and `seats` are the players who already sit in the night. `booked` are the nets of a closed
    night, and `booked_shares` are the parts of the difference in them. `warning` says that the
    night may count twice.
    """

    id: UUID
    name: str
    starts_at: datetime
    events: list[tuple[datetime, Event]] = field(default_factory=list)
    ledger: list[LedgerRow] = field(default_factory=list)
    ledger_file: str = ""
    ledger_known: bool = False
    ledger_ends_at: datetime | None = None
    won: Counter[str] = field(default_factory=Counter)
    check: StackCheck = field(default_factory=StackCheck)
    differences: list[ImportDifference] = field(default_factory=list)
    doubts: Counter[str] = field(default_factory=Counter)
    bears: str = ""
    imbalance: str = ""
    warning: str = ""
    seats: list[str] = field(default_factory=list)
    booked: Counter[str] = field(default_factory=Counter)
    booked_shares: dict[str, int] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)  # why closing the night was refused

    @property
    def hands(self) -> int:
        """The number of hands to record."""
        return sum(isinstance(event, ImportedHand) and not event.known for _, event in self.events)

    @property
    def steps(self) -> int:
        """The number of hands and ledgers to record."""
        return self.hands + bool(self.ledger)

    @property
    def is_new(self) -> bool:
        """Whether there are hands or a ledger to record."""
        return bool(self.hands or (self.ledger and not self.ledger_known))

    @property
    def ends_at(self) -> datetime:
        """The time of the last event of the night."""
        times = [at for at, _ in self.events]
        return max([*times, self.ledger_ends_at or self.starts_at, self.starts_at])

    def nets(self) -> list[tuple[str, int]]:
        """Return the players' net chips, highest first, as they are or would be booked.

        They come from the hands, or else from the ledger.
        """
        nets = self.booked
        if not nets:
            nets = Counter(self.won or {row.name: row.left - row.chips for row in self.ledger})
            nets.update(self.shares())
        return [pair for pair in nets.most_common() if pair[1]]

    @property
    def missing(self) -> int:
        """How many chips of the ledger were bought but are not in the final stacks."""
        return sum(row.chips - row.left for row in self.ledger)

    @property
    def payers(self) -> list[str]:
        """The players who share the ledger's difference, in the order of their seats."""
        names = dict.fromkeys([*self.seats, *(row.name for row in self.ledger), *self.won])
        bears = tidy(self.bears).lower()
        return [name for name in names if bears == EVERYONE or name.lower() == bears]

    def shares(self) -> dict[str, int]:
        """Return the parts of the ledger's difference that are or would be booked."""
        if self.booked or not self.imbalance or self.open_reasons():
            return self.booked_shares
        return evenly(self.missing, self.payers)

    def open_reasons(self) -> list[str]:
        """Return the reasons why only a host can close the night.

        The list is empty if its chips are certain.
        """
        doubts = ((doubt, count) for doubt, count in self.doubts.items() if count)
        texts = DOUBTS if self.events else DOUBTS | {REFUSED: "rows not imported: %(count)d"}
        reasons = [texts[doubt] % {"count": count} for doubt, count in doubts]
        if self.differences:
            reasons.append(
                f"stacks that don't match the hands and buy-ins: {len(self.differences)}"
            )
        if unconfirmed := sorted(self.check.unconfirmed):
            names = ", ".join(map(shown, unconfirmed))
            reasons.append(f"the file doesn't contain the final stacks of {names}")
        reasons += self.refusals
        if self.imbalance and (reasons or not self.payers):
            reasons.append(self.imbalance)
        return reasons

    def follow(
        self, hand: ImportedHand, answer: Answer, findings: list[ImportProblem]
    ) -> dict[str, int]:
        """Track the chips through a hand. Return the explained stacks before the hand."""
        record, check = hand.record, self.check
        stacks = record.get("stacks") or []
        names = [player["name"] for player in record["players"]]
        stated = {
            name: stack for name, stack in zip(names, stacks, strict=False) if stack is not None
        }
        self.add_differences(hand.file, check.deal(stated), hand=str(hand.hand), line=hand.line)
        explained = {name: check.explained(name) for name in stated}
        chips = chip_totals(record, answer)
        by_result = record.get("depth") == Revision.Depth.RESULT
        check.move(
            {name: chips.back[name] - chips.paid[name] for name in names}, by_result=by_result
        )
        differs = any(each.code in DISPUTES for each in findings)
        if differs or any(chips.owed.values()) or unaccounted(record, answer):
            self.doubts[DISPUTED] += 1
        return explained

    def add_differences(
        self,
        file: str,
        differences: Sequence[StackDifference | None],
        *,
        hand: str = "",
        line: int = 0,
    ) -> None:
        self.differences += [
            ImportDifference(
                file=shown(file),
                night=self.name,
                player=difference.player,
                expected=difference.expected,
                stated=difference.stated,
                hand=shown(hand)[:LONGEST_NAME],
                line=line,
            )
            for difference in differences
            if difference is not None
        ]


REFUSED, DISPUTED, UNKNOWN, COUNTED = "refused", "disputed", "unknown", "counted"
DOUBTS = {
    REFUSED: "hands and lines not imported: %(count)d",
    DISPUTED: "hands that the file pays differently from the rules: %(count)d",
    UNKNOWN: "earlier hands that can't be read any more: %(count)d",
    COUNTED: "players whose chips in the ledger don't match the hands: %(count)d",
}


DAY = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d)(?!\d)")


def _at(moment: fitting.HandTime) -> datetime:
    return moment.at


class Nights:
    """The nights to import, keyed by the date, file or folder that their hands share."""

    def __init__(self, league: League, options: ImportOptions) -> None:
        self.league, self.options = league, options
        self.zone = ZoneInfo(league.time_zone)
        self.now = timezone.now()
        self.nights: dict[str, PlannedNight] = {}
        self.files: dict[str, str] = {}

    def place(self, hand: ImportedHand) -> tuple[PlannedNight, datetime]:
        """Return the night that a hand belongs to, and when the hand was dealt."""
        moment = fitting.played_at(hand.record, self.zone) or self._named_day(hand)
        moment = moment and self._begun(moment)
        if moment and self.options.nights == DATE:
            return self._of_day(moment), moment.at
        at = moment.at if moment else self.now
        return self._of_file(hand, at), at

    def _named_day(self, hand: ImportedHand) -> fitting.HandTime | None:
        """Return the past day that the name of the file or its folder contains, if any."""
        for day in DAY.findall(f"{hand.file} {hand.folder}"):
            with suppress(ValueError):
                moment = self._begun(fitting.on_day(date.fromisoformat(day), self.zone))
                if moment.at.year in fitting.YEARS and moment.at <= self.now:
                    return moment
        return None

    def _begun(self, moment: fitting.HandTime) -> fitting.HandTime:
        """Return the current time for today's date if it is not yet noon, or else the moment."""
        today = self.now.astimezone(self.zone).date()
        if moment.exact or moment.at <= self.now or moment.at.astimezone(self.zone).date() != today:
            return moment
        return replace(moment, at=self.now)

    def of_statement(
        self, statement: StackStatement, night: PlannedNight, at: datetime
    ) -> tuple[PlannedNight, datetime] | None:
        """Return a statement's night and time.

        A statement without hands has no night. A statement without a time gets the `night` and `at`
        of the adjacent hand.
        """
        moment = fitting.played_at({"about": {"at": statement.at}}, self.zone)
        if moment is None or self.options.nights != DATE:
            return night, moment.at if moment else at
        night_of_day = self.nights.get(self._day_key(moment))
        return (night_of_day, moment.at) if night_of_day else None

    def of_ledger(self, file: str, read: Ledger, day: date | None) -> PlannedNight:
        """Return the ledger's night: its date in a table, or the night of its first session."""
        if day:
            return self._of_day(self._begun(fitting.on_day(day, self.zone)))
        sessions = [each for player in read.players for each in player.sessions]
        first = min(self._moments(sessions, "session_start_at"), default=None, key=_at)
        last = max(self._moments(sessions, "session_end_at"), default=None, key=_at)
        if first and self.options.nights == DATE:
            night = self._of_day(first)
        else:
            stem = PurePath(file).stem
            night = self._night(f"ledger:{stem}", stem, first.at if first else self.now)
        if last:
            night.ledger_ends_at = max(night.ledger_ends_at or last.at, last.at)
        return night

    def _moments(self, sessions: list[dict[str, str]], name: str) -> Iterator[fitting.HandTime]:
        for each in sessions:
            if moment := fitting.played_at({"about": {"at": each.get(name)}}, self.zone):
                yield moment

    def has_other(self, day: date) -> bool:
        """Check whether a night was recorded here on a date, instead of imported for it."""
        key = self._day_key(fitting.on_day(day, self.zone))
        return bool(self._recorded.get(key, set()) - {self._night_id(key)})

    def _warning(self, night: PlannedNight) -> str:
        """Return a warning if most players sat in a night that was recorded here on the date."""
        day = self._day_key(fitting.HandTime(night.starts_at, exact=True))
        others = self._recorded.get(day, set()) - {night.id}
        if not (others and night.is_new):
            return ""
        hands = [event for _, event in night.events if isinstance(event, ImportedHand)]
        names = {row.name for row in night.ledger}
        names.update(name for hand in hands[:AT_ONCE] for name in fitting.names(hand.record))
        seats = Seat.objects.filter(night__in=others, player__name__in=names)
        same = seats.values("player").distinct().count()
        if 2 * same <= len(names):
            return ""
        date_ = day.removeprefix("day:")
        return (
            f"this league has a night on {date_} with {same} of these players: don't count it twice"
        )

    @cached_property
    def _recorded(self) -> dict[str, set[UUID]]:
        """The ids of the nights that were not imported, keyed by their day."""
        recorded: dict[str, set[UUID]] = {}
        rows = Night.objects.filter(season__league=self.league, imported=False).exclude(UNPLAYED)
        for night_id, started_at in rows.values_list("pk", "started_at"):
            key = self._day_key(fitting.HandTime(started_at, exact=True))
            recorded.setdefault(key, set()).add(night_id)
        return recorded

    def _night_id(self, key: str) -> UUID:
        return uuid5(self.league.pk, f"night:{key}")

    def in_order(self) -> list[PlannedNight]:
        """Return the nights with something to record, oldest first."""
        planned = [night for night in self.nights.values() if night.hands or night.ledger]
        for night in planned:
            night.events.sort(key=lambda each: each[0])
            night.warning = self._warning(night)
        return sorted(planned, key=lambda night: night.starts_at)

    def _of_day(self, moment: fitting.HandTime) -> PlannedNight:
        key = self._day_key(moment)
        return self._night(key, key.removeprefix("day:"), moment.at)

    def _day_key(self, moment: fitting.HandTime) -> str:
        """Return the key for a day. Hands before the closing hour belong to the previous day."""
        local = moment.at.astimezone(self.zone)
        if moment.exact:
            local -= timedelta(hours=self.league.closing_hour)
        return f"day:{local.date().isoformat()}"

    def _of_file(self, hand: ImportedHand, at: datetime) -> PlannedNight:
        """Return the night for a file's hands.

        Files with a single hand are combined into one night per folder.
        """
        if hand.alone and hand.folder:
            return self._night(f"folder:{hand.folder}", hand.folder, at)
        stem = PurePath(hand.file).stem
        key = self.files.setdefault(hand.file, f"file:{stem}:{hand.id}")
        return self._night(key, stem, at)

    def _night(self, key: str, name: str, at: datetime) -> PlannedNight:
        if key not in self.nights:
            name = tidy(name)[:LONGEST_NAME].strip()
            self.nights[key] = PlannedNight(id=self._night_id(key), name=name, starts_at=at)
        night = self.nights[key]
        night.starts_at = min(night.starts_at, at)
        return night


AT_ONCE = 200
DISPUTES = frozenset(("stacks-differ",))


@dataclass(frozen=True, slots=True)
class SettledHand:
    """A hand settled by the rules, with its answer and any rule violations.

    `variant` is the game that it was settled under. `explained` maps names to the stacks before the
    hand, as far as earlier statements and hands explain them.
    """

    at: datetime
    imported: ImportedHand
    variant: Any
    answer: Answer
    findings: list[ImportProblem]
    explained: dict[str, int]


def settled_hands(
    league: League, night: PlannedNight, refused: list[ImportProblem]
) -> Iterator[tuple[int, list[SettledHand]]]:
    """Yield batches of hands that can be settled, each with the number settled so far.

    The players' chips are tracked through all events.
    """
    done, play = 0, playables(league.pk)
    for at in range(0, len(night.events), AT_ONCE):
        batch = night.events[at : at + AT_ONCE]
        hands = [event for _, event in batch if isinstance(event, ImportedHand)]
        records = [play(hand.record) for hand in hands]
        # hands are settled together, so that new games share one request's time limit
        answers = answers_to(records, sent=[hand.record for hand in hands])
        settled = iter(zip(records, answers, strict=True))
        good: list[SettledHand] = []
        for moment, event in batch:
            if isinstance(event, StatedStack):
                difference = night.check.state(event.statement)
                night.add_differences(event.file, [difference], line=event.statement.line)
                continue
            record, answer = next(settled)
            if "errors" in answer:
                refused += [event.refused(error) for error in answer["errors"]]
                night.doubts[REFUSED] += 1
                continue
            findings = answer["findings"]
            if "actions" in record:
                findings = in_file_unit(replay_record(record), record)["findings"]
            findings = [event.refused({"where": "", **each}) for each in findings]
            explained = night.follow(event, answer, findings)
            if not event.known:
                done += 1
                night.won.update(answer["net"])
                variant = record["variant"]
                good.append(SettledHand(moment, event, variant, answer, findings, explained))
        yield done, good
