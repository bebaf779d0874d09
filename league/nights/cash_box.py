"""The league's cash box, which holds the cash paid for chips until a player takes it.

The box is a row of `Player` that no person owns. It takes and pays cash like a banker. A buy-in
paid in cash charges the box's tab instead of the player's, so the box owes the chips to the table.
Its balance is therefore the debt of its tab. A closing and a payment plan treat that debt like any
other: the box pays the players who are owed chips.

    100 bought for cash        box -100, stack +100
    30 cashed out from the box stack -30, box +30      70 chips in the box
    the box pays bob 70        bob -70, box +70        the box is empty

A box never pays more than it contains. Every function that takes chips out of it calls
`wrong_amount`, which locks the book.
"""

from collections import Counter
from collections.abc import Iterator
from uuid import uuid5

from django.db.models import F, OuterRef, Subquery, Sum, UUIDField
from django.db.models.functions import Coalesce
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from league.common.errors import Problem, problem
from league.common.money import Coined, in_money
from league.common.statements import Given, RowLookup
from league.models import League, Payment, PaymentReplacement, PlannedPayment, Player
from league.nights import accounts
from ledger.balances import balances
from ledger.posting import lock_book

NAME = "Cash box"


_BOX = RowLookup(Player.with_box.filter(league=Given("league", UUIDField()), is_box=True))


def find_cash_box(league: League) -> Player | None:
    """Return the league's cash box, or None if it was never used."""
    return _BOX.first(league=league.pk)


def cash_box(league: League) -> Player:
    """Return the league's cash box. It is not stored before it is used (`store_cash_box`).

    Its id is derived from the league, so repeated first requests name the same box.
    """
    if box := find_cash_box(league):
        return box
    names = Player.objects.filter(league=league, name__istartswith=NAME)
    taken = {name.lower() for name in names.values_list("name", flat=True)}
    free = (f"{NAME} {number}" for number in range(2, len(taken) + 3))
    name = next(each for each in (NAME, *free) if each.lower() not in taken)
    return Player(pk=uuid5(league.pk, NAME), league=league, name=name, is_box=True)


def store_cash_box(banker: Player | None) -> None:
    """Store the cash box if `banker` is a box that is used for the first time."""
    if banker is not None and banker.is_box:
        new = {"pk": banker.pk, "name": banker.name}
        Player.with_box.get_or_create(league=banker.league, is_box=True, defaults=new)


def box_chips(league: League) -> int:
    """Return the cash in the league's cash box, in chips. It is 0 if the box was never used."""
    box = find_cash_box(league)
    return chips_in(box) if box else 0


def chips_in(box: Player) -> int:
    """Return the cash in this box, in chips."""
    key = accounts.tab(box.pk).key
    return -balances(box.league.book, keys=[key]).get(key, 0)


def promised(box: Player) -> Counter[str]:
    """Return the chips that payment plans assign to players and that are not taken yet, by name."""
    later = PaymentReplacement.objects.filter(planned=OuterRef("pk"))
    taken = Payment.objects.filter(planned=OuterRef("pk"), state=Payment.State.CONFIRMED)
    less = [
        Coalesce(Subquery(rows.order_by().values("planned").values(sum=Sum("chips"))), 0)
        for rows in (later, taken)
    ]
    rows = PlannedPayment.objects.filter(payer=box).annotate(left=F("chips") - less[0] - less[1])
    chips = Counter[str]()
    for name, left in rows.filter(left__gt=0).order_by("pk").values_list("payee__name", "left"):
        chips[name] += left
    return chips


def promised_text(held: int, chips: Counter[str], of: Coined) -> str:
    """Return how much of the cash is promised to which players, or "" if it is all free."""
    if held <= 0 or not chips:
        return ""
    text = _("%(worth)s of it promised to %(names)s")
    if chips.total() >= held:
        text = _("all of it promised to %(names)s")
    return text % {
        "worth": in_money(chips.total(), of),
        "names": get_text_list(list(chips), _("and")),
    }


def wrong_amount(
    box: Player | None, chips: int, *, where: str = "chips", planned: bool = False
) -> Iterator[Problem]:
    """Yield a problem if these chips can't leave the box. `box` may be a banker or None.

    Chips that payment plans have assigned to players are available only if `planned` is true, which
    it isn't for cash-outs.
    """
    if box is None or not box.is_box:
        return
    lock_book(box.league.book_id)
    held, league = max(chips_in(box), 0), box.league
    others = Counter[str]() if planned else promised(box)
    left = max(held - others.total(), 0)
    if chips > left:
        has, lacks = in_money(held, league), in_money(chips - left, league)
        text = _("the cash box has only %(has)s, %(lacks)s short")
        if part := promised_text(held, others, league):
            text = _("the cash box has %(has)s, %(part)s: %(lacks)s short")
        yield problem(where, "box-short", text % {"has": has, "part": part, "lacks": lacks})
