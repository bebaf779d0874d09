"""Import a season file into an empty league, with the same nights, hands and chips.

A file is untrusted input and is fully checked. It is replayed (`playthrough`) before anything is
stored. Then its rows are stored with new ids, its postings are made in the ledger, and its closings
are sealed again in order. Finally the league must pass the audit, otherwise everything is rolled
back.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from league.archive.closings import FOLLOWS, Replay
from league.archive.file_format import MOST_ERRORS, TABLES, TERMS, row_name
from league.archive.playthrough import play_through
from league.archive.reading import Row, Values
from league.audit_log import Kind, log_action
from league.change_version import bump_league
from league.closing import closing_hash
from league.common.errors import RefusedError, problem, refuse
from league.common.locks import lock_league
from league.games.documents import store_documents
from league.hands.writing import revision_values
from league.integrity import sealed_audit
from league.integrity.audit import audit_league
from league.integrity.row_owners import foreign_keys
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    ChipCount,
    Closing,
    ClosingLine,
    Hand,
    League,
    Night,
    Objection,
    ObjectionAnswer,
    Payment,
    PaymentPlan,
    PaymentReplacement,
    PaymentStep,
    PlannedPayment,
    Player,
    Revision,
    Season,
    Seat,
    StaleMark,
    User,
)
from league.options import Options, wrong_settling
from league.proofs.signing import sign_unsigned
from ledger.models import NewPosting, Posting
from ledger.posting import post_many, reverse
from ledger.validation import LedgerError

logger = logging.getLogger(__name__)
# Maximum number of seconds that a request may spend settling hands. The command has no limit.
PATIENCE = 20.0
AT_ONCE = 200  # rows per statement
# Errors caused by inconsistent rows that passed all checks.
WRONG = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    ValidationError,
    ObjectDoesNotExist,
    DatabaseError,
    LedgerError,
)
NOT_WHOLE = "the file is not a complete season: some of its rows don't fit together"
M = TypeVar("M", bound=Model)


def import_season(
    league: League,
    lines: Iterable[str],
    *,
    by: User | None = None,
    seconds: float | None = PATIENCE,
) -> Season:
    """Import the file and return its season.

    Raises RefusedError with all errors of the file, or if the league has players, nights or plans.
    In that case, nothing is stored.
    """
    try:
        with transaction.atomic():
            lock_league(league.pk)
            rows: dict[str, QuerySet[Any]] = {
                "players": Player.with_box.filter(league=league),
                "nights": Night.objects.filter(season__league=league),
                "payment plans": PaymentPlan.objects.filter(season__league=league),
            }
            if found := [name for name, each in rows.items() if each.exists()]:
                text = f"this league has {' and '.join(found)}: import the season into a new league"
                raise RefusedError([problem("league", "not-empty", text)])
            playing = play_through(lines, seconds=seconds)
            if playing.content.league.keys() != {"name", *TERMS}:
                text = f"the first line has name, {', '.join(TERMS)} of a league and nothing else"
                raise RefusedError([problem("league", "unknown-format", text)])
            terms = {name: playing.content.league[name] for name in TERMS}
            refuse(wrong_settling(Options(**terms)))
            league.seasons.all().delete()
            for name, value in terms.items():
                setattr(league, name, value)
            league.save(update_fields=list(terms))
            season = _Writing(league, playing).write_season()
            sealed_audit.seal_imported(league)
            findings = audit_league(league)
            refuse(problem("file", each.code, each.text) for each in findings[:MOST_ERRORS])
            bump_league(league.pk)
            log_action(Kind.SEASON_IMPORTED, by=by, league=league)
            return season
    except WRONG as error:
        # no check reported this problem, so there is a bug in the checks
        logger.warning("a season's file is not whole: %s", type(error).__name__)
        raise RefusedError([problem("file", "not-whole", NOT_WHOLE)]) from None


@dataclass(frozen=True)
class _Writing:
    """Stores the rows of a file. `rows` contains the stored rows, keyed by table and number."""

    league: League
    playing: Replay
    rows: dict[str, dict[int, Any]] = field(default_factory=dict)
    # keyed by kind and subject
    postings: dict[tuple[str, int], Posting] = field(default_factory=dict)

    def write_season(self) -> Season:
        """Store all rows, referenced rows first, and return the season."""
        of, league = self.playing.content.of, {"league_id": self.league.pk}
        [season] = self.store(Season, of("Season"), lambda _: league)
        self.store(Player, of("Player"), lambda _: league)
        self.store(Night, of("Night"), lambda row: self.night_values(season, row))
        self.store(Seat, of("Seat"))
        self.post()
        self.store_hands()
        self.store(Objection, of("Objection"))
        self.store(ObjectionAnswer, of("ObjectionAnswer"))
        self.store(BuyIn, of("BuyIn"), self.posting_of("buy-in"))
        self.store(CashOut, of("CashOut"), self.posting_of("cash-out"))
        self.store(Charge, of("Charge"), self.posting_of("charge"))
        self.store(ChargeShare, of("ChargeShare"))
        self.store(ChipCount, of("Count"))
        self.store_closings(season)
        sign_unsigned(self.league, imported_at=timezone.now())
        self.store(Payment, of("Payment"), self.posting_of("payment"))
        self.store(PaymentStep, of("PaymentStep"))
        return season

    def store(
        self,
        model: type[M],
        rows: Iterable[Row],
        also: Callable[[Row], Values] = lambda _: {},
    ) -> list[M]:
        """Store rows of a table. `also` returns values that the file does not contain."""
        name = row_name(model)
        named = {key.name: row_name(key.related_model) for key in foreign_keys(model)}
        columns = {each.name for each in model._meta.concrete_fields}  # noqa: SLF001 (public)
        columns &= TABLES[name].fields.keys()
        has_id = model._meta.auto_field is None  # noqa: SLF001 (public)
        made: dict[int, M] = {}
        for row in rows:
            values: Values = {"id": self.playing.ids[name][row.number]} if has_id else {}
            for column in columns:
                value, table = row[column], named.get(column)
                if table is None:
                    values[column] = value
                elif table in self.rows:  # identical documents are stored once
                    values[f"{column}_id"] = value and self.rows[table][value].pk
            made[row.number] = model(**(values | also(row)))
        model._base_manager.bulk_create(made.values(), batch_size=AT_ONCE)  # noqa: SLF001
        self.rows.setdefault(name, {}).update(made)
        return list(made.values())

    def night_values(self, season: Season, row: Row) -> Values:
        """Return the season, state, end and opening pots of a night."""
        playing, pots, opening_pots = self.playing, [], row["opening_pots"]
        for pot, values in zip(playing.pots(opening_pots), opening_pots, strict=True):
            before = playing.night(values["from"]) if values["from"] else playing.done.before
            pots.append(pot.as_json() | {"from": str(before)})
        closing = playing.done.closed.get(row.number)
        return {
            "season_id": season.pk,
            "state": Night.State.CLOSED if closing else Night.State.OPEN,
            "ended_at": playing.content.row("Closing", closing)["made_at"] if closing else None,
            "opening_pots": pots,
        }

    # --- the books --------------------------------------------------------------------------------

    def post(self) -> None:
        """Make the postings in order. Postings between two reversals are made in one batch."""
        done, made = self.playing.done.postings, list[Posting]()
        for undoes, group in groupby(done, key=lambda entry: entry.undoes is not None):
            if undoes:
                for entry in group:
                    made.append(reverse(made[entry.undoes or 0], entry.key, memo=entry.memo))
            else:
                new = [
                    NewPosting(key=entry.key, transfers=entry.transfers, memo=entry.memo)
                    for entry in group
                ]
                made += post_many(self.league.book, new)
        for entry, posting in zip(done, made, strict=True):
            self.postings[entry.kind, entry.of] = posting

    def posting_of(self, kind: str) -> Callable[[Row], Values]:
        def values(row: Row) -> Values:
            posting = self.postings.get((kind, row.number))
            return {"posting_id": posting and posting.pk}

        return values

    # --- hands ------------------------------------------------------------------------------------

    def store_hands(self) -> None:
        """Store hands and revisions, and mark them as not counted yet.

        A revision that voids its hand repeats the values of the previous revision.
        """
        content, playing = self.playing.content, self.playing
        settled = playing.settled
        documents = store_documents(verdict.variant for verdict in settled.values())
        document_of = {key: row.pk for key, row in zip(settled, documents, strict=True)}
        rows = sorted(content.of("Revision"), key=lambda row: int(row["number"]))
        last = {row["hand"]: row for row in rows}
        before: dict[int, int] = {}  # for each hand, the last revision that does not void it
        also: dict[int, Values] = {}
        for row in rows:
            if not row["voids"]:
                before[row["hand"]] = row.number
            revision_number = before[row["hand"]]
            verdict, kind = settled[revision_number], "hand taken back" if row["voids"] else "hand"
            values = revision_values(verdict)
            findings = [*verdict.answer["findings"], *playing.done.findings[revision_number]]
            also[row.number] = values | {
                "answer": verdict.answer | {"findings": findings},
                "document_id": document_of[revision_number],
                "current": last[row["hand"]] is row,
                "posting_id": self.postings[kind, revision_number].pk,
            }
        self.store(Hand, content.of("Hand"), lambda row: {"voided": last[row.number]["voids"]})
        stored = self.store(Revision, content.of("Revision"), lambda row: also[row.number])
        StaleMark.objects.bulk_create(
            (
                StaleMark(league=self.league, hand_id=revision.hand_id, revision_id=revision.pk)
                for revision in stored
                if revision.current
            ),
            batch_size=AT_ONCE,
        )

    # --- closings and plans -----------------------------------------------------------------------

    def store_closings(self, season: Season) -> None:
        """Store closings with their lines and plans, and seal each closing.

        The closings are stored in order, because each one is sealed after the previous one.
        """
        playing = self.playing
        self.store_plans_after(season, None)
        for posting in playing.done.postings:
            if posting.kind != "closing":
                continue
            row = playing.content.row("Closing", posting.of)
            [closing] = self.store(Closing, [row], self.closing_values)
            self.store(ClosingLine, playing.lines.get(row.number, []), self.line_values)
            if plan := playing.plan_of.get(row.number):
                self.store_plan(season, plan)
            closing_hash.seal(closing)
            self.store_plans_after(season, row.number)

    def closing_values(self, row: Row) -> Values:
        sequence, previous_hash = closing_hash.last_hash(self.league)
        return {
            "league_id": self.league.pk,
            "sequence": sequence + 1,
            "previous_hash": previous_hash,
            "posting_id": self.postings["closing", row.number].pk,
            "kept": [pot.as_json() for pot in self.playing.pots(row["kept"])],
        }

    def line_values(self, row: Row) -> Values:
        line = self.playing.done.lines[row.number]
        return {name: getattr(line, name) for name in FOLLOWS}

    def store_plans_after(self, season: Season, closing: int | None) -> None:
        """Store and seal the season's plans that were made after this closing."""
        for row in self.playing.plans_after.get(closing, []):
            closing_hash.seal_plan(self.store_plan(season, row))

    def store_plan(self, season: Season, row: Row) -> PaymentPlan:
        stakes = self.playing.done.stakes
        [plan] = self.store(PaymentPlan, [row], lambda _: {"season_id": season.pk})
        self.store(
            PlannedPayment,
            self.playing.planned.get(row.number, []),
            lambda row: dict(zip(("lost", "won"), stakes[row.number], strict=True)),
        )
        self.store(PaymentReplacement, self.playing.replaced.get(row.number, []))
        return plan
