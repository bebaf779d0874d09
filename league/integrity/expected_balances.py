"""What every account of a league should hold, by what people did and not by the ledger."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from uuid import UUID

from django.db.models import QuerySet

from league.charges.charging import moves_of_charge
from league.hands.transfers import moves_of_closing
from league.hands.verification import expected_lines, posted_lines
from league.models import BuyIn, CashOut, Charge, Closing, League, Night, Payment, Revision
from league.nights import accounts
from ledger.models import Transfer

BATCH = 500

Chips = Counter[str]


def expected_balances(league: League) -> Chips:
    """Return what every account should hold, by what people did and not by the ledger."""
    chips: Chips = Counter()
    for debit, credit, amount in _all_moves(league):
        chips[debit] -= amount
        chips[credit] += amount
    return chips


def _all_moves(league: League) -> Iterator[tuple[str, str, int]]:
    yield from _over_the_counter(league)
    for some in _batches(standing_revisions(league).iterator(BATCH)):
        posted = posted_lines(each.posting_id for each in some)
        for each in some:
            found = posted.get(each.posting_id, Counter())
            yield from expected_lines(each, each.answer, found).elements()
    yield from _between_hands(league)
    yield from _beside_the_play(league)
    closings = Closing.objects.filter(league=league, posting__reversal=None)
    for closing in closings.prefetch_related("lines"):
        for move in moves_of_closing(closing.night_id, closing.lines.all()):
            yield move.debit.key, move.credit.key, move.amount
    paid = Payment.objects.filter(planned__plan__season__league=league)
    for payment in paid.filter(state=Payment.State.CONFIRMED).select_related("planned"):
        payer, payee = (
            accounts.tab(payment.planned.payer_id),
            accounts.tab(payment.planned.payee_id),
        )
        yield payee.key, payer.key, payment.chips


def _over_the_counter(league: League) -> Iterator[tuple[str, str, int]]:
    for bought in BuyIn.objects.filter(night__season__league=league, posting__reversal=None):
        payer = bought.banker_id or bought.player_id
        stack = accounts.stack(bought.night_id, bought.player_id)
        yield accounts.tab(payer).key, stack.key, bought.chips
    for out in CashOut.objects.filter(night__season__league=league, posting__reversal=None):
        payee = out.banker_id or out.player_id
        stack = accounts.stack(out.night_id, out.player_id)
        yield stack.key, accounts.tab(payee).key, out.chips


def _beside_the_play(league: League) -> Iterator[tuple[str, str, int]]:
    charges = Charge.objects.filter(night__season__league=league, posting__reversal=None)
    for charge in charges.select_related("night").prefetch_related("shares"):
        nets = {each.player_id: each.gets - each.owes for each in charge.shares.all()}
        season, keeper = charge.night.season_id, charge.keeper_id
        for move in moves_of_charge(season, nets, fund=charge.fund, keeper=keeper):
            yield move.debit.key, move.credit.key, move.amount


def _between_hands(league: League) -> Iterator[tuple[str, str, int]]:
    """Yield what corrections did to a carry, as posted, and pots that a later night took over."""
    posted = Transfer.objects.filter(book=league.book, posting__key__startswith="carry:")
    yield from posted.values_list("debit__key", "credit__key", "amount")
    for night in Night.objects.filter(season__league=league).exclude(opening_pots=[]):
        for pot in night.opening_pots:
            before = accounts.carry(UUID(pot["from"]))
            yield before.key, accounts.carry(night.pk).key, pot["amount"]


def standing_revisions(league: League) -> QuerySet[Revision]:
    rows = Revision.objects.filter(hand__night__season__league=league)
    rows = rows.filter(current=True, hand__voided=False).select_related("hand", "document")
    return rows.order_by("hand__night", "hand__number")


def _batches(rows: Iterable[Revision]) -> Iterator[list[Revision]]:
    waiting = iter(rows)
    while some := list(islice(waiting, BATCH)):
        yield some
