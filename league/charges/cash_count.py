"""Count the cash in the league's cash box when a night is closed.

If the cash differs from the books, players chosen by a host bear the difference: they pay for
missing cash, or get surplus cash. This is a charge between their tabs and the box, so it is listed,
settled and undone like any other charge. Then the box's balance is the counted cash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from league.audit_log import Kind, log_action
from league.charges.charging import NewCharge, Share, charge
from league.closing.close import close_night
from league.common.errors import RefusedError, problem, refuse
from league.common.locks import lock_league
from league.common.money import evenly, in_money
from league.models import Charge, Closing, Night, Player, User
from league.nights.cash_box import box_chips, cash_box
from league.nights.nights import lock_and_bump
from ledger.posting import lock_book


@dataclass(frozen=True, slots=True, kw_only=True)
class CashCount:
    """The cash counted in the cash box, in chips, and a host's decision about a difference.

    `shared_by` lists the players who share the difference, in the order in which they get odd
    chips. `expected` is the cash that was shown to the host. If it has changed since, the closing
    is refused.
    """

    counted: int
    expected: int | None = None
    shared_by: Sequence[UUID] = ()


@transaction.atomic
def close_counted(
    night: Night, closing_id: UUID, *, by: User | None, cash: CashCount | None, **options: Any
) -> Closing:
    """Close the night after the cash box was counted. `options` are those of `close_night`.

    If `cash` is None, the box was not counted. Raises RefusedError with `box-differs` and the
    problems of `close_night`, or IdReusedError.
    """
    if cash is None or lock_and_bump(night) == Night.State.CLOSED:
        return close_night(night, closing_id, by=by, **options)
    # Lock the box's balance against other nights. Lock order: night, league, book.
    league = lock_league(night.league.pk)
    lock_book(league.book_id)
    expected = box_chips(night.league)
    problems = []
    if cash.counted != expected:
        held, found = in_money(expected, night), in_money(cash.counted, night)
        amount = in_money(abs(cash.counted - expected), night)
        question = "Who pays the missing" if cash.counted < expected else "Who gets the extra"
        text = f"the cash box should hold {held}. You counted {found}. {question} {amount}?"
        if not cash.shared_by or cash.expected not in (None, expected):
            problems.append(problem("cash_bears", "box-differs", text))
        seated = set(night.seats.values_list("player", flat=True))
        if not seated.issuperset(cash.shared_by):
            text = "choose players who played this night"
            problems.append(problem("cash_bears", "unknown-player", text))
        if not problems:
            _charge_difference(night, cash, expected, charge_id=uuid5(closing_id, "cash"), by=by)
    try:
        closing = close_night(night, closing_id, by=by, **options)
    except RefusedError as refused:
        raise RefusedError([*problems, *refused.errors]) from None
    refuse(problems)
    about = {"night": night.number, "chips": cash.counted, "expected": expected}
    log_action(Kind.CASH_COUNTED, by=by, league=night.league, of=None, **about)
    return closing


def _charge_difference(
    night: Night, cash: CashCount, expected: int, *, charge_id: UUID, by: User | None
) -> None:
    players = {player.pk: player for player in Player.objects.filter(pk__in=cash.shared_by)}
    missing = expected - cash.counted
    parts = evenly(missing, list(dict.fromkeys(cash.shared_by)))
    shares = {players[who]: _share(-chips) for who, chips in parts.items() if chips}
    shares[cash_box(night.league)] = _share(missing)
    title = _("counted %(counted)s, expected %(expected)s") % {
        "counted": in_money(cash.counted, night),
        "expected": in_money(expected, night),
    }
    difference = NewCharge(kind=Charge.Kind.CASH_COUNT, title=title, shares=shares)
    charge(night, difference, charge_id=charge_id, by=by)


def _share(chips: int) -> Share:
    return Share(gets=chips) if chips > 0 else Share(owes=-chips)
