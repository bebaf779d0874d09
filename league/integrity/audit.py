"""Audit leagues by recomputing results from the rows. A correct league has no findings.

Leagues are audited separately, one check at a time. Data that can't be read is a finding for its
league and does not stop the audit of other leagues.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Sum

from league.charges.charging import WITH_BOX, charge_transfers
from league.closing import closing_hash
from league.closing.payment_plans import unplanned
from league.closing.payments import chips_left, unpaid
from league.closing.standings import last_closings, on_the_table
from league.games.documents import wrong_document
from league.hands.chip_movements import closing_transfers
from league.hands.verification import expected_lines, posted_lines, replay
from league.integrity import sealed_audit
from league.integrity.row_owners import strays
from league.journal.sealed_rows import CHIPS
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    Closing,
    ClosingLine,
    ConflictingRecord,
    Erasure,
    GameDocument,
    League,
    Night,
    ObjectionAnswer,
    Payment,
    Player,
    Revision,
    Season,
    Tournament,
)
from league.nights import accounts
from league.nights.accounts import PostingKey
from league.nights.cash_box import find_cash_box
from league.proofs.signing import proofs_of, statement_text
from league.proofs.verification import Proof, ProofError, digest, is_signed, read_statement
from league.tournaments.events import state_of
from ledger.audit import Finding, audit_rows, unguarded
from ledger.balances import balances, statement
from ledger.models import Account, Book, Transfer
from ledger.sql import batched

BATCH = 500

Chips = Counter[str]


def expected_balances(league: League) -> Chips:
    """Return each account's expected balance, computed from rows and not from the ledger."""
    chips: Chips = Counter()
    for debit, credit, amount in _expected_transfers(league):
        chips[debit] -= amount
        chips[credit] += amount
    return chips


def _expected_transfers(league: League) -> Iterator[tuple[str, str, int]]:
    yield from _exchange_transfers(league)
    for batch in batched(valid_revisions(league).iterator(BATCH), BATCH):
        posted = posted_lines(revision.posting_id for revision in batch)
        for revision in batch:
            lines = posted.get(revision.posting_id, Counter())
            yield from expected_lines(revision, revision.answer, lines).elements()
    # the posted corrections to a carry, and the pots that a later night took over
    posted_carries = Transfer.objects.filter(
        book=league.book, posting__key__startswith=PostingKey.CARRY.prefix
    )
    yield from posted_carries.values_list("debit__key", "credit__key", "amount")
    for night in Night.objects.filter(season__league=league).exclude(opening_pots=[]):
        for pot in night.opening_pots:
            before = accounts.carry(UUID(pot["from"]))
            yield before.key, accounts.carry(night.pk).key, pot["amount"]
    charges = Charge.objects.filter(night__season__league=league, posting__reversal=None)
    for charge in charges.select_related("night").prefetch_related("shares"):
        nets = {each.player_id: each.gets - each.owes for each in charge.shares.all()}
        season, keeper = charge.night.season_id, charge.keeper_id
        for move in charge_transfers(season, nets, fund=charge.fund, keeper=keeper):
            yield move.debit.key, move.credit.key, move.amount
    closings = Closing.objects.filter(league=league, posting__reversal=None)
    for closing in closings.prefetch_related("lines"):
        for move in closing_transfers(closing.night_id, closing.lines.all()):
            yield move.debit.key, move.credit.key, move.amount
    paid = Payment.objects.filter(planned__plan__season__league=league)
    for payment in paid.filter(state=Payment.State.CONFIRMED).select_related("planned"):
        payer, payee = (
            accounts.tab(payment.planned.payer_id),
            accounts.tab(payment.planned.payee_id),
        )
        yield payee.key, payer.key, payment.chips


def _exchange_transfers(league: League) -> Iterator[tuple[str, str, int]]:
    for bought in BuyIn.objects.filter(night__season__league=league, posting__reversal=None):
        payer = bought.banker_id or bought.player_id
        stack = accounts.stack(bought.night_id, bought.player_id)
        yield accounts.tab(payer).key, stack.key, bought.chips
    for out in CashOut.objects.filter(night__season__league=league, posting__reversal=None):
        payee = out.banker_id or out.player_id
        stack = accounts.stack(out.night_id, out.player_id)
        yield stack.key, accounts.tab(payee).key, out.chips


def valid_revisions(league: League) -> QuerySet[Revision]:
    rows = Revision.objects.filter(hand__night__season__league=league)
    rows = rows.filter(current=True, hand__voided=False).select_related("hand", "document")
    return rows.order_by("hand__night", "hand__number")


# Tournament charges must match their tournament's events.


def differing_results(league: League) -> Iterator[Finding]:
    """Yield tournaments whose charge does not match their entries, places and deal."""
    ended = Tournament.objects.filter(
        night__season__league=league, charge__isnull=False, charge__posting__reversal=None
    )
    rows = ended.select_related("night__season__league", "charge__posting")
    for tournament in rows.prefetch_related("charge__shares").order_by("pk"):
        wanted = {
            result.player: (result.prize + result.bounties, result.paid, result.place)
            for result in state_of(tournament).results
        }
        charge = tournament.charge
        shares = charge.shares.all() if charge else ()
        if {each.player_id: (each.gets, each.owes, each.place) for each in shares} != wanted:
            text = f"{league}, {tournament.night}: a tournament's charge differs from its result"
            yield Finding("tournament-differs", text, (str(tournament.pk),))


# A closing's signature must match its rows.


def broken_proofs(league: League) -> Iterator[Finding]:
    """Yield the closings that are unsigned, or whose signed statement differs from the rows."""
    rows = Closing.objects.filter(league=league)
    for closing in rows.filter(signed=None).select_related("night").order_by("sequence"):
        text = f"{league}, {closing} was never signed"
        yield Finding("not-signed", text, (str(closing.pk),))
    erased = Erasure.objects.filter(Q(player__league=league) | Q(player=None)).exists()
    for closing, proof in proofs_of(rows):
        if flaw := _flaw(closing, proof, erased=erased):
            yield Finding("proof-broken", f"{league}, {closing}: {flaw}", (str(closing.pk),))


def _flaw(closing: Closing, proof: Proof, *, erased: bool) -> str:
    if not is_signed(proof):
        return "its signature does not match its statement"
    if not proof.names and not erased:
        return "its names can't be checked, although no person was erased"
    try:
        names = digest(proof.names) if proof.names else read_statement(proof.statement).names
    except ProofError as spoilt:
        return str(spoilt)
    at = closing.signed.imported_at
    text = statement_text(closing, chips=digest(proof.chips), names=names, imported_at=at)
    if text != proof.statement:
        return "the signed statement differs from its rows"
    return ""


UNREADABLE = "unreadable"

Check: TypeAlias = Callable[[League], Iterable[Finding]]


def audit(league: League | None = None) -> list[Finding]:
    """Return the findings for one league, or for all leagues and ledger books."""
    findings = unguarded()
    if league:
        return [*findings, *audit_league(league)]
    findings += [*attempt("all leagues", "strays", strays), *changed_documents()]
    findings += attempt("the service", "seals", partial(sealed_audit.broken_seals, None))
    for key in list(League.objects.order_by("pk").values_list("pk", flat=True)):
        findings += attempt(f"league {key}", "all of it", partial(_of_each, key))
    for book in Book.objects.filter(league=None).order_by("pk"):
        findings += attempt(f"book {book.pk}", "books", partial(audit_rows, book))
    return findings


def audit_league(league: League) -> list[Finding]:
    """Return all findings for a league and the games that it has dealt."""
    return _of_league(league, *CHECKS, strays, changed_documents)


def _of_each(key: UUID) -> list[Finding]:
    return _of_league(League.objects.select_related("book").get(pk=key), *CHECKS)


def _of_league(league: League, *chosen: Check) -> list[Finding]:
    findings: list[Finding] = []
    for check in chosen:
        findings += attempt(str(league), check.__name__.replace("_", " "), partial(check, league))
    return findings


def attempt(called: str, what: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return a check's findings, or a single finding if unreadable rows make it fail.

    The check has a savepoint if the caller has an open transaction. Otherwise it has none, because
    on SQLite a transaction would block players during the audit.
    """
    try:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            return list(check())
    except Exception as error:
        if not connection.is_usable():
            raise  # the rows did not cause this error
        text = f"{called}: {what} can't be checked, a row can't be read ({type(error).__name__})"
        return [Finding(UNREADABLE, text, (called,))]


def books(league: League) -> list[Finding]:
    """Return the findings for the league's ledger book."""
    return audit_rows(league.book)


def changed_documents(league: League | None = None) -> Iterator[Finding]:
    """Yield game documents that have changed since hands were dealt under them.

    If `league` is given, only the documents of its games and hands are checked.
    """
    rows = GameDocument.objects.all()
    if league:
        dealt = Q(revisions__hand__night__season__league=league)
        rows = rows.filter(dealt | Q(versions__game__league=league)).distinct()
    for key in list(rows.order_by("pk").values_list("pk", flat=True)):
        yield from attempt(f"document {key}", "its hash", partial(_changed, key))


def _changed(key: str) -> Iterator[Finding]:
    row = GameDocument.objects.get(pk=key)
    if wrong := wrong_document(row):
        yield Finding("document-changed", f"document {key} ({row.name}): {wrong}", (key,))


def broken_seals(league: League) -> Iterator[Finding]:
    """Yield the differences between the rows and the league's journal."""
    return sealed_audit.broken_seals(league)


def broken_links(league: League) -> Iterator[Finding]:
    """Yield closings whose hash does not match their content or the previous closing."""
    rows = Closing.objects.filter(league=league).select_related("night__season__league__book")
    previous = ""
    for number, closing in enumerate(rows.order_by("sequence"), start=1):
        called = f"{league}, {closing.night}, closing {closing.number}"
        if closing.sequence != number or closing.previous_hash != previous:
            text = f"{called} does not follow the previous closing"
            yield Finding("chain-broken", text, (str(closing.pk),))
        if closing.hash != closing_hash.hash_of(closing):
            text = f"{called} differs from its seal"
            yield Finding("seal-broken", text, (str(closing.pk),))
        previous = closing.hash


def invalid_rows(league: League) -> Iterator[Finding]:
    """Yield rows with JSON that this service would not have written.

    Pages and statistics rely on this JSON. Players referenced in the JSON must belong to the
    league.
    """
    players = {str(pk) for pk in league.players.values_list("pk", flat=True)}
    revisions = Revision.objects.filter(hand__night__season__league=league)
    conflicts = ConflictingRecord.objects.filter(night__season__league=league)
    for what, rows in (("revision", revisions), ("conflicting record", conflicts)):
        for pk, names, record, answer in _values(rows, "names", "record", "answer"):
            valid = (
                isinstance(names, dict)
                and all(player in players for player in names.values())
                and isinstance(record, dict)
                and isinstance(answer, dict)
                and all(key in answer for key in (*CHIPS, "findings"))
            )
            if not valid:
                yield _invalid(league, what, pk)
    for pk, pots in _values(Night.objects.filter(season__league=league), "opening_pots"):
        if not _pots(pots, players):
            yield _invalid(league, "night", pk)
    for pk, pots in _values(Closing.objects.filter(league=league), "kept"):
        if not _pots(pots, players):
            yield _invalid(league, "closing", pk)


def _values(rows: QuerySet[Any], *names: str) -> Iterator[tuple[Any, ...]]:
    return rows.order_by("pk").values_list("pk", *names).iterator(BATCH)


def _invalid(league: League, what: str, pk: object) -> Finding:
    return Finding("strange", f"{league}, {what} {pk} has invalid values", (str(pk),))


def _pots(pots: object, players: set[str]) -> bool:
    if not isinstance(pots, list):
        return False
    for pot in pots:
        match pot:
            case {"amount": int(), "for": [_, *_] as entitled} if players.issuperset(entitled):
                pass
            case _:
                return False
    return True


def differing_answers(league: League) -> Iterator[Finding]:
    """Yield the hands that can't be replayed, or whose replay differs from the posted result."""
    numbers = list(valid_revisions(league).values_list("pk", "hand__number"))
    for at in range(0, len(numbers), BATCH):
        batch = numbers[at : at + BATCH]
        findings = _replayed(league, batch, str(league))
        if any(each.code == UNREADABLE for each in findings):
            findings = [
                finding
                for pk, number in batch
                for finding in _replayed(league, [(pk, number)], f"{league}, hand {number}")
            ]
        yield from findings


def _replayed(league: League, revisions: list[tuple[UUID, int]], called: str) -> list[Finding]:
    rows = valid_revisions(league).filter(pk__in=[pk for pk, _ in revisions])
    return attempt(called, "its replay", partial(_differing, league, rows))


def _differing(league: League, rows: QuerySet[Revision]) -> Iterator[Finding]:
    for hand in replay(rows):
        text = f"{league}, hand {hand.number} does not replay: {hand.text}"
        yield Finding("hand-differs", text, (str(hand.hand),))


def differing_balances(league: League) -> Iterator[Finding]:
    """Yield the accounts whose balance differs from the one computed from the league's rows."""
    wanted, actual = expected_balances(league), balances(league.book)
    for key in sorted(wanted.keys() | actual.keys()):
        if wanted[key] != actual.get(key, 0):
            text = f"{league}, {key} has {actual.get(key, 0)} chips but should have {wanted[key]}"
            yield Finding("balance-differs", text, (key,))


def differing_debts(league: League) -> Iterator[Finding]:
    """Yield the players whose tab differs from their unpaid payments and unplanned results.

    Open nights are left out. A pot that stays for a later night is a claim of the players who may
    still win it, but not on their tabs.
    """
    debts: Counter[UUID] = Counter()
    for planned in unpaid().filter(plan__season__league=league):
        debts.update(
            {planned.payee_id: chips_left(planned), planned.payer_id: -chips_left(planned)}
        )
    nights = Night.objects.filter(season__league=league).select_related("season")
    coins = nights.order_by().values_list("season", "chip_value", "currency").distinct()
    seasons = {season.pk: season for season in Season.objects.filter(league=league)}
    for season, value, currency in coins:
        debts.update(unplanned(seasons[season], Night(chip_value=value, currency=currency)))
    # A reopened night's plan stays in effect, but its results are not on the tabs.
    lines = ClosingLine.objects.filter(closing__in=last_closings().filter(league=league))
    for line in lines.select_related("closing__posting__reversal"):
        is_reopened = hasattr(line.closing.posting, "reversal")
        debts[line.player_id] -= line.settles - (0 if is_reopened else line.tab)
    tabs = balances(league.book, kind="tab")
    on_table = on_the_table(league)
    for player in Player.with_box.filter(league=league).order_by("pk"):
        tab = tabs.get(accounts.tab(player.pk).key, 0) - on_table[player.pk]
        if tab != debts[player.pk]:
            text = f"{league}, {player} has {tab} chips on the tab but {debts[player.pk]} to settle"
            yield Finding("debts-differ", text, (accounts.tab(player.pk).key,))


def wrong_cash_boxes(league: League) -> Iterator[Finding]:
    """Yield findings if the cash box was used as a player or paid more than it contained.

    A box has shares only in charges for starting cash and for differences found by counting.

    Only the first excess payment is reported. `differing_balances` compares the box's balance with
    the buy-ins, cash-outs, charges and payments.
    """
    if (box := find_cash_box(league)) is None:
        return
    for account in Account.objects.filter(book=league.book, key=accounts.tab(box.pk).key):
        for entry in (each for each in statement(account) if each.balance > 0):
            text = f"{league}, the cash box paid {entry.balance} more than it had: {entry.posting}"
            yield Finding("box-negative", text, (entry.posting,))
            break
    in_charges = ChargeShare.objects.filter(player=box)
    for share in in_charges.exclude(charge__kind__in=WITH_BOX).order_by("pk"):
        text = f"{league}, charge {share.charge_id} changes the cash box"
        yield Finding("box-charged", text, (str(share.charge_id),))
    played = (box.seats, box.buy_ins, box.cash_outs, box.counts, box.objections)
    if any(rows.exists() for rows in played):
        yield Finding("box-plays", f"{league}, the cash box is used as a player", (str(box.pk),))


def wrong_answers(league: League) -> Iterator[Finding]:
    """Yield the answered objections whose correction is not a later revision of the hand."""
    rows = ObjectionAnswer.objects.filter(objection__hand__night__season__league=league)
    later = Q(
        kind=ObjectionAnswer.Kind.CORRECTED,
        revision__hand=F("objection__hand"),
        revision__number__gt=F("objection__revision__number"),
    )
    others = Q(revision=None) & ~Q(kind=ObjectionAnswer.Kind.CORRECTED)
    same_hand = Q(objection__revision__hand=F("objection__hand"))
    for key in (
        rows.exclude(same_hand & (later | others))
        .order_by("pk")
        .values_list("objection", flat=True)
    ):
        text = f"{league}, objection {key} has an answer that does not fit its hand"
        yield Finding("objection-differs", text, (str(key),))


def unsettled_nights(league: League) -> Iterator[Finding]:
    """Yield chips left by closed nights and finished hands in accounts that should be empty."""
    nights = Night.objects.filter(season__league=league, state=Night.State.CLOSED)
    # a later night takes over all of these chips
    kept_pots = {
        accounts.carry(row.night_id).key: sum(pot["amount"] for pot in row.kept)
        for row in Closing.objects.filter(league=league, posting__reversal=None)
    }
    closed = {str(pk) for pk in nights.values_list("pk", flat=True)}
    for key, chips in balances(league.book, nonzero=True).items():
        kind, _, rest = key.partition(":")
        night = rest.partition(":")[0]
        if kind == "pot" or (night in closed and chips != kept_pots.get(key, 0)):
            yield Finding("chips-left", f"{league}, {key} still has {chips} chips", (key,))
    sums = Closing.objects.filter(league=league).annotate(left=Sum("lines__settles"))
    for closing in sums.exclude(left=0).exclude(left=None):
        text = f"{league}, closing {closing.sequence} does not add up to zero"
        yield Finding("lines-unbalanced", text, (str(closing.pk),))


# A league's checks, by name.
CHECKS: tuple[Check, ...] = (
    books,
    invalid_rows,
    broken_links,
    broken_seals,
    broken_proofs,
    differing_answers,
    differing_balances,
    differing_debts,
    unsettled_nights,
    differing_results,
    wrong_cash_boxes,
    wrong_answers,
)
