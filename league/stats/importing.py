"""Read the file of a season into an empty league: the same nights, hands and books to the chip.

Every id becomes one that follows from it and the league, wherever it stands, keys of accounts and
postings included; so one file can be read into several leagues. Chips are posted through the
ledger in their order; closings are sealed anew, each upon the one before.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any
from uuid import UUID, uuid5

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, transaction
from django.db.models import Model

from league import chain
from league.leagues import wrong_terms
from league.logbook import Kind, note
from league.models import (
    Closing,
    Hand,
    League,
    PlannedPayment,
    Player,
    Revision,
    Season,
    StaleMark,
    User,
)
from league.refusals import Refused, fault, refuse
from league.stats.season_file import (
    BY_NAME,
    FORMAT,
    TERMS,
    columns,
    is_planned,
    posting_field,
)
from ledger.models import Posting
from ledger.posting import AccountRef, Move, PostingRefused, post, reverse

AT_ONCE = 200
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

Told = dict[str, Any]
# What comes of rows that lack something, or hold what can't be.
WRONG = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    ValidationError,
    ObjectDoesNotExist,
    DatabaseError,
    PostingRefused,
)


def import_season(league: League, lines: Iterable[str], *, by: User | None = None) -> Season:
    """Return the season that the file told. Raises Refused: not a file of this kind, or the league
    has players or nights already."""
    try:
        with transaction.atomic():
            season = _import(league, lines)
            note(Kind.SEASON_IMPORTED, by=by, league=league)
            return season
    except WRONG as error:
        text = f"the file is no whole season: {type(error).__name__} {error}"
        raise Refused([fault("file", "not-whole", text)]) from None


def _import(league: League, lines: Iterable[str]) -> Season:
    told = _read(league, lines)
    _take_terms(league, next(told, {}))
    reading = _Reading(league)
    for name, rows in groupby(told, key=lambda row: row.pop("row", "")):
        reading.take(str(name), rows)
    reading.seal()
    reading.mark()
    return league.seasons.get()


def _read(league: League, lines: Iterable[str]) -> Iterator[Told]:
    """Yield the objects of the lines, every id in them given a new one."""
    for line in lines:
        if line.strip():
            try:
                told = json.loads(_ID.sub(lambda old: str(uuid5(league.pk, old[0])), line))
            except (ValueError, RecursionError):
                told = None
            if not isinstance(told, dict):
                raise Refused([fault("file", "not-json", "the file is no season")])
            yield told


def _take_terms(league: League, head: Told) -> None:
    if {key: head.get(key) for key in FORMAT} != FORMAT:
        raise Refused([fault("file", "unknown-format", "the file is no season of this version")])
    if league.players.exists() or Hand.objects.filter(night__season__league=league).exists():
        raise Refused([fault("league", "not-empty", "a season is read into an empty league")])
    league.seasons.all().delete()
    for name in TERMS:
        setattr(league, name, head["league"][name])
    refuse(wrong_terms(league.currency, league.time_zone, league.chip_value))
    others = {field.name for field in league._meta.fields} - set(TERMS)  # noqa: SLF001 (to be read)
    league.clean_fields(exclude=others)
    league.save(update_fields=TERMS)


class _Reading:
    """What is being read: the postings by key, the rows of closings until they are sealed."""

    def __init__(self, league: League) -> None:
        self.league = league
        self.postings: dict[str, Posting] = {}
        self.waiting: dict[str, list[Told]] = {}
        self.upto: dict[str, int] = {}

    def take(self, name: str, rows: Iterable[Told]) -> None:
        """Store the rows of one table."""
        if name == "Posting":
            for row in rows:
                self._post(row)
        elif name in {"Closing", "Line", "Plan", "PlannedPayment", "Payment", "PaymentStep"}:
            self.waiting[name] = list(rows)
        elif name in BY_NAME:
            self._store(BY_NAME[name], rows)
        else:
            raise Refused([fault("file", "unknown-row", f"the file has a row {name!r}")])

    def _post(self, row: Told) -> None:
        key, memo = row["key"], row["memo"]
        if row["reverses"]:
            done = reverse(self.postings[row["reverses"]], key, memo=memo)
        else:
            moves = [
                Move(AccountRef(debit, kind), AccountRef(credit, other), amount)
                for debit, kind, credit, other, amount in row["moves"]
            ]
            done = post(self.league.book, key, moves, memo=memo)
        self.postings[key] = done
        last = done.transfers.order_by("-pk").values_list("pk", flat=True).first()
        self.upto[key] = last or 0

    def _store(self, model: type[Model], rows: Iterable[Told]) -> None:
        made = [self._made(model, row) for row in rows]
        model._default_manager.bulk_create(  # noqa: SLF001 (any model has one)
            made, batch_size=AT_ONCE, ignore_conflicts=model.__name__ == "GameDocument"
        )

    def _made(self, model: type[Model], row: Told) -> Model:
        posting = posting_field(model)
        values = {
            field.attname: field.to_python(row[field.attname])
            if not is_planned(field)
            else self._planned(*row[field.attname])
            for field in columns(model)
        }
        if posting:
            found = self.postings.get(row[posting] or "")
            values[f"{posting}_id"] = found and found.pk
        if model in {Season, Player, Closing}:
            values["league_id"] = self.league.pk
        return model(**values)

    def _planned(self, plan: str, position: int) -> int:
        return PlannedPayment.objects.get(plan=UUID(plan), position=position).pk

    def seal(self) -> None:
        """Store the closings one by one with what they cover, each sealed upon the one before."""
        for row in self.waiting.pop("Closing", ()):
            closing = self._made(Closing, row)
            assert isinstance(closing, Closing)  # noqa: S101 (for the types)
            sequence, closing.previous_hash = chain.last_hash(self.league)
            closing.sequence, closing.hash = sequence + 1, ""
            closing.upto = self._last_before(closing)
            closing.save(force_insert=True)
            self._store_of("Line", "closing_id", str(closing.pk))
            plans = self._store_of("Plan", "closing_id", str(closing.pk))
            for plan in plans:
                self._store_of("PlannedPayment", "plan_id", plan["id"])
            closing.hash = chain.hash_of(closing)
            closing.save(update_fields=["hash"])
        for name in ("Plan", "PlannedPayment", "Payment", "PaymentStep"):
            self._store(BY_NAME[name], self.waiting.pop(name, ()))

    def _last_before(self, closing: Closing) -> int:
        """Return the night's last transfer when it was closed: none that came with or before it."""
        upto = 0
        for key, posting in self.postings.items():
            upto = max(upto, self.upto[key])
            if posting.pk == closing.posting_id:
                break
        mine = chain.transfers(closing.night).filter(pk__lte=upto).order_by("-pk")
        return mine.values_list("pk", flat=True).first() or 0

    def _store_of(self, name: str, column: str, value: str) -> list[Told]:
        """Store the waiting rows that belong to another; return them."""
        rows = self.waiting.get(name, [])
        mine = [row for row in rows if row[column] == value]
        self.waiting[name] = [row for row in rows if row[column] != value]
        self._store(BY_NAME[name], mine)
        return mine

    def mark(self) -> None:
        """Leave word that the hands are to be counted."""
        rows = Revision.objects.filter(hand__night__season__league=self.league, current=True)
        marks = (
            StaleMark(league=self.league, hand_id=hand, revision_id=revision)
            for revision, hand in rows.values_list("pk", "hand")
        )
        StaleMark.objects.bulk_create(marks, batch_size=AT_ONCE)


def new_id(league: League, old: UUID) -> UUID:
    """Return the id that a row of the file gets in this league."""
    return uuid5(league.pk, str(old))
