"""Verify every sealed row against the journal, and verify the journal itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Q, QuerySet

from league.integrity import triggers
from league.journal import entries
from league.journal.entries import ExpectedDigests, Kind
from league.journal.sealed_rows import BY_NAME, TABLES, SealedRow, Table, sealed
from league.models import (
    NO_LEAGUE,
    Closing,
    ClosingLine,
    ConflictingRecord,
    Erasure,
    GameDocument,
    Hand,
    HouseGameVersion,
    League,
    LogbookEntry,
    Night,
    PlannedPayment,
    Player,
    Revision,
    User,
)
from league.models.journal import new_salt
from league.nights.accounts import PostingKey
from league.proofs.signing import delete_salts
from ledger.audit import Finding
from ledger.models import Posting
from ledger.sql import snapshot

ExpectedRows = dict[tuple[str, str], ExpectedDigests]


REWRITING = (Kind.ERASED, Kind.RENAMED)  # entries that contain the earlier digests of words


@dataclass(frozen=True, slots=True)
class ChainContent:
    """The rows of a journal chain, and the problems of the chain itself."""

    known: ExpectedRows = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    salt: str = ""


def read_journal(league: League | None) -> ChainContent:
    """Read the chain from its start."""
    head = entries.head(league)
    reading = ChainContent(salt=head.salt)
    if head.sequence and head.league_id != (league.pk if league else None):
        reading.wrong.append("the journal is said to be of another league")
    number, previous = 0, ""
    for entry in entries.entries(league):
        if (entry.sequence, entry.previous_hash) != (number + 1, previous):
            reading.wrong.append(f"{entry} does not follow the one before it")
        number, previous = entry.sequence, entry.hash
        if entry.hash != entries.hash_of(entry):
            reading.wrong.append(f"{entry} is not as it was written")
            continue
        for values in entry.rows:
            row = SealedRow(*values)
            if entry.kind == Kind.DELETED:
                reading.known.pop(key_of(row), None)
                continue
            known = reading.known.setdefault(key_of(row), ExpectedDigests(since=entry.made_at))
            for part in _update_digests(known, row, entry.kind):
                kind = kind_of(BY_NAME[row.table])
                reading.wrong.append(f"{entry} has other {part} of {kind} {row.key} than before")
    if (head.sequence, head.hash) != (number, previous):
        reading.wrong.append(f"the journal ends at {number} and should at {head.sequence}")
    return reading


def _update_digests(digests: ExpectedDigests, row: SealedRow, kind: str) -> Iterator[str]:
    """Update the expected digests from an entry.

    Yield the parts that must not change but did.
    """
    erased = kind == Kind.ERASED
    rewritten = erased and BY_NAME[row.table].rewritable and row.was == digests.fixed
    if digests.fixed and digests.fixed != row.fixed and not rewritten:
        yield "content"
    if digests.words and digests.words != (row.was if kind in REWRITING else row.words):
        yield "words"
    digests.fixed, digests.words, digests.state = row.fixed, row.words, row.state
    later = BY_NAME[row.table].later
    for column, user in row.who.items():
        before = digests.who.get(column)
        named = before is None and column in digests.who and column not in later
        if user is not None and user != before and (before is not None or named):
            yield column
        digests.who[column] = before if user is None else user


def key_of(row: SealedRow) -> tuple[str, str]:
    return row.table, row.key


def kind_of(table: Table) -> str:
    return str(table.model._meta.verbose_name)  # noqa: SLF001 (public)


OF_NO_LEAGUE = {LogbookEntry: Q(league=None), Erasure: Q(player=None)}
# Postings that are sealed as soon as they are made. All others are sealed by a closing.
AT_ONCE = (PostingKey.REOPEN, PostingKey.PAYMENT, PostingKey.PAYMENT_BACK)
DOCUMENTS = str(GameDocument._meta.db_table)  # noqa: SLF001 (public)
MOST_KEYS = 500  # SQLite limits the number of values in a query


def broken_seals(league: League | None) -> Iterator[Finding]:
    """Yield all differences from the league's journal, or from the service's journal if None."""
    called = str(league or "the service")
    findings: list[Finding] = []
    with snapshot():
        reading = read_journal(league)
        findings.extend(
            Finding("journal-broken", f"{called}, {text}", (called,)) for text in reading.wrong
        )
        for table in TABLES:
            try:
                findings.extend(_differences(table, league, called, reading))
            except (ValueError, TypeError) as error:
                text = f"{called}, {kind_of(table)}: a row can't be read ({type(error).__name__})"
                findings.append(Finding("seal-broken", text, (table.name,)))
        if league:
            findings.extend(_differing_states(league))
    yield from findings


@transaction.atomic
def seal_imported(league: League | None) -> int:
    """Seal the imported rows that need a seal. Return the number of sealed rows."""
    head, known = entries.lock_head(league or NO_LEAGUE), read_journal(league).known
    unsealed: list[SealedRow] = []
    for table in TABLES:
        stored = sealed(_rows(table, league, known), head.salt)
        rows = [row for row in stored if key_of(row) not in known]
        due = _due(table, league, [row.key for row in rows])
        unsealed += [row for row in rows if row.key in due]
    return entries.add_parts(head, Kind.FOUND, unsealed)


@contextmanager
def rewriting(league: League) -> Iterator[None]:
    """Allow an erasure to rewrite words in sealed rows, then seal the rows with a new salt.

    The caller must hold the locks on the nights and the league, in a transaction. A game document
    is sealed by every league that has dealt the game, and each of these leagues gets an entry.
    """
    expected, was = read_journal(league).known, {}
    old = entries.head(league).salt
    for row in _worded(league, old, expected):
        was[key_of(row)] = row.words
    # lock the league's documents
    documents = GameDocument.objects.filter(pk__in=documents_of(league)).order_by("pk")
    held = [str(document.pk) for document in documents.select_for_update(no_key=True)]
    versions = HouseGameVersion.objects.filter(game__league=league).order_by("pk")
    games = (versions, GameDocument.objects.filter(pk__in=held))
    before = {key_of(row): row.fixed for rows in games for row in sealed(rows, old)}
    with triggers.renaming():
        yield
        delete_salts(league)
    changed = [
        replace(row, was=before[key_of(row)])
        for rows in games
        for row in sealed(rows.all(), old)
        if row.fixed != before[key_of(row)]
    ]
    head = entries.lock_head(league)
    head.salt = new_salt()
    rows = (replace(row, was=was[key_of(row)]) for row in _worded(league, head.salt, expected))
    mine = (row for row in changed if key_of(row) in expected)
    erasures = sealed(Erasure.objects.filter(player__league=league), head.salt)
    entries.add_parts(head, Kind.ERASED, [*rows, *mine, *erasures])
    shared = [row for row in changed if row.table == DOCUMENTS]
    keys = [row.key for row in shared]
    dealt = Q(seasons__nights__hands__revisions__document__in=keys)
    reported = Q(seasons__nights__conflicts__document__in=keys)
    others = League.objects.filter(dealt | reported).exclude(pk=league.pk) if keys else ()
    for other in sorted({row.pk: row for row in others}.values(), key=lambda row: row.pk):
        head, known = entries.lock_head(other), read_journal(other).known
        entries.add_parts(head, Kind.ERASED, (row for row in shared if key_of(row) in known))


@contextmanager
def renaming(league: League) -> Iterator[None]:
    """Allow the name of a player to be replaced in sealed rows, then seal these rows again.

    The caller must hold the locks on the nights and the league, in a transaction. Receipts show the
    former name, so the salt stays, unlike after an erasure.
    """
    expected, salt = read_journal(league).known, entries.head(league).salt
    was = {key_of(row): row.words for row in _worded(league, salt, expected)}
    with triggers.renaming():
        yield
    rows = ((row, was[key_of(row)]) for row in _worded(league, salt, expected))
    changed = [replace(row, was=words) for row, words in rows if row.words != words]
    if changed:
        entries.add_parts(entries.lock_head(league), Kind.RENAMED, changed)


def documents_of(league: League) -> set[str]:
    """Return the hashes of all documents that the league has written or dealt."""
    written = HouseGameVersion.objects.filter(game__league=league)
    dealt = Revision.objects.filter(hand__night__season__league=league)
    reported = ConflictingRecord.objects.filter(night__season__league=league)
    return {
        key
        for rows in (written, dealt, reported)
        for key in rows.order_by().values_list("document", flat=True).distinct()
    }


def _worded(league: League, salt: str, expected: ExpectedRows) -> Iterator[SealedRow]:
    """Yield the league's sealed rows that contain words."""
    for table in TABLES:
        rows = sealed(_rows(table, league, expected), salt) if table.words else iter(())
        yield from (row for row in rows if key_of(row) in expected)


# --- the rows -----------------------------------------------------------------------------------


def _rows(table: Table, league: League | None, expected: ExpectedRows) -> Any:
    """Return the rows that the chain may contain."""
    if league is None:
        mine = OF_NO_LEAGUE.get(table.model)
        return table.rows.filter(mine) if mine else table.rows.none()
    if table.league:
        return table.rows.filter(**{table.league: league})
    keys = {key for name, key in expected if name == table.name}
    keys.update(_documents(league).values_list("document", flat=True))
    return table.rows.filter(pk__in=keys)


@dataclass(slots=True)
class _TableDifferences:
    """The differences between a table and the journal.

    `wrong` lists (key, part of the row). `strange` lists unsealed rows, and `open` lists rows whose
    state has changed. Rows of an open night may correctly be in both lists. `unnamed` lists rows
    that no longer reference their user, as (key, column, user, since when).
    """

    wrong: list[tuple[str, str]] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    unnamed: list[tuple[str, str, int, Any]] = field(default_factory=list)

    def add(self, table: Table, row: SealedRow, digests: ExpectedDigests | None) -> None:
        """Add the differences between a row and what the journal expects."""
        if digests is None:
            self.strange.append(row.key)
            return
        if row.fixed != digests.fixed:
            self.wrong.append((row.key, "content"))
        if row.words != digests.words:
            self.wrong.append((row.key, "words"))
        if row.state != digests.state:
            self.open.append(row.key)
        for column, user in row.who.items():
            before = digests.who.get(column)
            if user is None and before is not None:
                self.unnamed.append((row.key, column, before, digests.since))
            elif user != before and before is None and column in table.later:
                self.open.append(row.key)
            elif user != before:
                self.wrong.append((row.key, column))


def _differences(
    table: Table, league: League | None, called: str, reading: ChainContent
) -> Iterator[Finding]:
    gone = {key for name, key in reading.known if name == table.name}
    differences = _TableDifferences()
    for row in sealed(_rows(table, league, reading.known), reading.salt):
        gone.discard(row.key)
        differences.add(table, row, reading.known.get(key_of(row)))
    due = _due(table, league, [*differences.strange, *differences.open])
    wrong = [*differences.wrong]
    numbers = {user for _, _, user, _ in differences.unnamed}
    users = User.objects.filter(pk__in=numbers) if numbers else User.objects.none()
    joined = dict(users.values_list("pk", "date_joined"))
    for key, column, user, since in differences.unnamed:
        # If the account still exists, a row must reference it. But after restoring a backup, the id
        # may have been reassigned to a newer user.
        if user in joined and joined[user] <= since:
            wrong.append((key, column))
    wrong += [(key, "state") for key in differences.open if key in due]
    for key, part in dict.fromkeys(wrong):
        text = f"{called}, {_name(table, key)}: {part} differs from the seal"
        yield Finding("seal-broken", text, (key,))
    for key in (each for each in differences.strange if each in due):
        yield Finding("not-sealed", f"{called}, {_name(table, key)} was never sealed", (key,))
    for key in sorted(gone):
        text = f"{called}, {kind_of(table)} {key} was sealed but is missing"
        yield Finding("row-gone", text, (key,))


def _due(table: Table, league: League | None, keys: list[str]) -> set[str]:
    """Return the keys of the rows that must be sealed in their current state."""
    due: set[str] = set()
    for start in range(0, len(keys), MOST_KEYS):
        rows = table.rows.filter(pk__in=keys[start : start + MOST_KEYS])
        due |= {str(key) for key in _sealable(table, league, rows).values_list("pk", flat=True)}
    return due


def _sealable(table: Table, league: League | None, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    if league is None:
        return rows
    if table.night:
        return rows.filter(**{f"{table.night}__in": _closed(league)})
    if table.model is GameDocument:
        return rows.filter(pk__in=_documents(league).values("document"))
    if table.model is Player:
        planned = PlannedPayment.objects.filter(plan__season__league=league)
        lines = ClosingLine.objects.filter(closing__league=league)
        named = Q(pk__in=lines.values("player")) | Q(pk__in=planned.values("payer"))
        return rows.filter(named | Q(pk__in=planned.values("payee")))
    if table.model is Posting:
        last = Closing.objects.filter(league=league).order_by("-posting").first()
        made = Q(pk__lte=last.posting_id if last else 0)
        for key in AT_ONCE:
            made |= Q(key__startswith=key.prefix)
        return rows.filter(made)
    return rows


def _closed(league: League) -> "QuerySet[Any]":
    """Return the nights that are closed according to their closings, regardless of their state."""
    in_effect = Closing.objects.filter(league=league, posting__reversal=None)
    return in_effect.values("night")


def _documents(league: League) -> "QuerySet[Any]":
    return Revision.objects.filter(hand__night__in=_closed(league)).order_by()


# --- derived states -------------------------------------------------------------------------------


def _differing_states(league: League) -> Iterator[Finding]:
    """Yield the rows whose state differs from the state implied by related rows."""
    in_effect = Closing.objects.filter(league=league, posting__reversal=None)
    ended = dict(in_effect.values_list("night", "made_at"))
    for night in Night.objects.filter(season__league=league):
        state = Night.State.CLOSED if night.pk in ended else Night.State.OPEN
        # An imported night may have ended before this service closed it.
        closed_at = ended.get(night.pk)
        none = night.ended_at is None and closed_at is None
        during = night.ended_at and closed_at and night.started_at <= night.ended_at <= closed_at
        if night.state != state or not (none or during):
            text = f"{league}, {night} is {night.state}, which contradicts its closings"
            yield Finding("state-differs", text, (str(night.pk),))
    rows = Revision.objects.filter(hand__night__season__league=league).order_by("hand", "number")
    last = {hand: (key, voids) for hand, key, voids in rows.values_list("hand", "pk", "voids")}
    current = set(rows.filter(current=True).values_list("pk", flat=True))
    for hand in Hand.objects.filter(night__season__league=league).iterator():
        key, voids = last.pop(hand.pk, (None, False))
        if key not in current or hand.voided != voids:
            text = f"{league}, {hand} differs from its last revision"
            yield Finding("state-differs", text, (str(hand.pk),))
        current.discard(key)
    for key in current:
        text = f"{league}, revision {key} is current but is not the last of its hand"
        yield Finding("state-differs", text, (str(key),))


# --- names of rows --------------------------------------------------------------------------------


def _name(table: Table, key: str) -> str:
    """Return the row's displayed name, or its key if the row can't be displayed."""
    try:
        return f"{kind_of(table)} {key} ({table.rows.get(pk=key)})"
    except (ObjectDoesNotExist, ValueError, TypeError):
        return f"{kind_of(table)} {key}"
