"""What should hold of the leagues, added up again from the rows: nothing is found where it does."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from uuid import UUID

from django.db import connection
from django.db.models import Sum

from league import accounts, chain, seals
from league.models import BuyIn, CashOut, Closing, League, Night, Payment, Revision
from league.moves import moves_of_closing
from league.replaying import expected_lines, posted_lines, replay
from ledger import checks, guards
from ledger.balances import balances
from ledger.checks import Finding
from ledger.models import Transfer

BATCH = 500

Chips = Counter[str]


def audit(league: League | None = None) -> list[Finding]:
    """Return everything that does not hold, in the books and in the leagues that keep them."""
    leagues = [league] if league else list(League.objects.select_related("book").order_by("pk"))
    found = [*checks.audit(league.book if league else None), *unguarded()]
    for each in leagues:
        found += broken_links(each)
        found += other_answers(each)
        found += other_balances(each)
        found += unsettled_nights(each)
    return found


def unguarded() -> list[Finding]:
    """Return the guards that the database lacks."""
    lacking = guards.missing(connection, seals.league())
    return [
        Finding("unguarded", f"the database lacks the trigger {name}", (name,)) for name in lacking
    ]


def broken_links(league: League) -> Iterator[Finding]:
    """Yield the closings whose hash is not that of what they closed, or not of the one before."""
    rows = Closing.objects.filter(league=league).select_related("night__season__league__book")
    previous = ""
    for number, closing in enumerate(rows.order_by("sequence"), start=1):
        called = f"{league}, {closing.night}, closing {closing.number}"
        if closing.sequence != number or closing.previous_hash != previous:
            text = f"{called} does not follow the closing before it"
            yield Finding("chain-broken", text, (str(closing.pk),))
        if closing.hash != chain.hash_of(closing):
            text = f"{called} is not what was sealed"
            yield Finding("seal-broken", text, (str(closing.pk),))
        previous = closing.hash


def other_answers(league: League) -> Iterator[Finding]:
    """Yield the hands that do not replay to what was posted."""
    for some in _batches(_standing(league)):
        for hand in replay(some):
            text = f"{league}, hand {hand.number} does not replay: {hand.text}"
            yield Finding("hand-differs", text, (str(hand.hand),))


def other_balances(league: League) -> Iterator[Finding]:
    """Yield the accounts that do not hold what the rows of the league say."""
    wanted, found = expected_balances(league), balances(league.book)
    for key in sorted(wanted.keys() | found.keys()):
        if wanted[key] != found.get(key, 0):
            text = f"{league}, {key} holds {found.get(key, 0)} and should hold {wanted[key]}"
            yield Finding("balance-differs", text, (key,))


def unsettled_nights(league: League) -> Iterator[Finding]:
    """Yield what closed nights and finished hands have left where nothing should be left."""
    nights = Night.objects.filter(season__league=league, state=Night.State.CLOSED)
    kept = _kept(league)
    closed = {str(pk) for pk in nights.values_list("pk", flat=True)}
    for key, chips in balances(league.book, nonzero=True).items():
        kind, _, rest = key.partition(":")
        night = rest.partition(":")[0]
        if kind == "pot" or (night in closed and chips != kept.get(key, 0)):
            yield Finding("chips-left", f"{league}, {key} still holds {chips}", (key,))
    sums = Closing.objects.filter(league=league).annotate(left=Sum("lines__settles"))
    for closing in sums.exclude(left=0).exclude(left=None):
        text = f"{league}, closing {closing.sequence} does not add up to zero"
        yield Finding("lines-unbalanced", text, (str(closing.pk),))


def expected_balances(league: League) -> Chips:
    """Return what every account should hold, by what people did and not by the ledger."""
    chips: Chips = Counter()
    for debit, credit, amount in _all_moves(league):
        chips[debit] -= amount
        chips[credit] += amount
    return chips


def _all_moves(league: League) -> Iterator[tuple[str, str, int]]:
    yield from _over_the_counter(league)
    for some in _batches(_standing(league)):
        posted = posted_lines(each.posting_id for each in some)
        for each in some:
            found = posted.get(each.posting_id, Counter())
            yield from expected_lines(each, each.answer, found).elements()
    yield from _between_hands(league)
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


def _between_hands(league: League) -> Iterator[tuple[str, str, int]]:
    """Yield what corrections did to a carry, as posted, and pots that a later night took over."""
    posted = Transfer.objects.filter(book=league.book, posting__key__startswith="carry:")
    yield from posted.values_list("debit__key", "credit__key", "amount")
    for night in Night.objects.filter(season__league=league).exclude(opening_pots=[]):
        for pot in night.opening_pots:
            before = accounts.carry(UUID(pot["from"]))
            yield before.key, accounts.carry(night.pk).key, pot["amount"]


def _kept(league: League) -> dict[str, int]:
    """Return the chips that closed nights have kept, by account; a later night takes them whole."""
    rows = Closing.objects.filter(league=league, posting__reversal=None)
    return {
        accounts.carry(each.night_id).key: sum(pot["amount"] for pot in each.kept) for each in rows
    }


def _standing(league: League) -> Iterator[Revision]:
    rows = Revision.objects.filter(hand__night__season__league=league)
    rows = rows.filter(current=True, hand__voided=False).select_related("hand", "document")
    return rows.order_by("hand__night", "hand__number").iterator(BATCH)


def _batches(rows: Iterable[Revision]) -> Iterator[list[Revision]]:
    waiting = iter(rows)
    while some := list(islice(waiting, BATCH)):
        yield some
