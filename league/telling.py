"""What the letters of a league say, and to whom."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from league.letters import write
from league.models import Closing, Line, Membership, Night, Plan, PlannedPayment, Role
from league.money import in_money
from league.paying import open_chips, unpaid

REMIND_AFTER = timedelta(days=3)
REMIND_EVERY = timedelta(days=7)
MOST_REMINDERS = 4


def tell_closed(closing: Closing, plan: Plan | None) -> None:
    """Write to the players what the night brought and whom to pay.

    After a correction only to those whom it touches.
    """
    planned = _payments(plan) if plan else []
    night = closing.night
    for line in closing.lines.select_related("player__user").order_by("position"):
        mine = [each for each in planned if line.player_id in {each.payer_id, each.payee_id}]
        if line.player.user and (mine or closing.number == 1):
            key = f"closed:{closing.pk}:{line.player_id}"
            subject = _named(night, "is closed" if closing.number == 1 else "has changed")
            write(key, line.player.user.email, subject, _told(line, mine, night))


def ask_hosts(night: Night, times: int, reasons: Iterable[str]) -> None:
    """Write to the hosts what they have to see to: at the first time, the second, the fourth..."""
    if times & (times - 1):
        return
    said = [
        f"{night} could not be closed by itself:",
        *(f"- {each}" for each in reasons),
        *_where(night),
    ]
    hosts = Membership.objects.filter(league=night.league, role=Role.HOST)
    for host in hosts.select_related("user"):
        key = f"asks:{night.pk}:{night.closings.count()}:{times}:{host.user_id}"
        write(key, host.user.email, _named(night, "is to be settled"), said)


def remind_payers() -> None:
    """Write to those who have owed for some days, a few times."""
    now = timezone.now()
    owed = unpaid().filter(plan__made_at__lte=now - REMIND_AFTER)
    for planned in owed.select_related("payer__user", "payee", "plan__season__league"):
        times = (now - REMIND_AFTER - planned.plan.made_at) // REMIND_EVERY
        if times < MOST_REMINDERS and planned.payer.user:
            _remind(planned, times)


def sentence(planned: PlannedPayment) -> str:
    """Return who pays whom how much, and why."""
    payer, payee = planned.payer, planned.payee
    why = [f"{payer} lost {planned.lost}"] if planned.lost else []
    why += [f"{payee} won {planned.won}"] if planned.won else []
    pays = f"{payer} pays {payee} {planned.chips}"
    return f"{', '.join(why)}: {pays}" if why else pays


def _told(line: Line, planned: Iterable[PlannedPayment], night: Night) -> Iterator[str]:
    result = "won" if line.net >= 0 else "lost"
    yield f"You {result} {abs(line.net)} chips ({_worth(abs(line.net), night)})."
    for each in planned:
        yield f"{sentence(each)} ({_worth(each.chips, night)})."
    yield from _where(night)


def _remind(planned: PlannedPayment, times: int) -> None:
    league, chips = planned.plan.season.league, open_chips(planned)
    worth = in_money(chips, league.chip_value, league.currency)
    said = [f"Still to be paid to {planned.payee}: {worth}.", f"{sentence(planned)}."]
    to = planned.payer.user.email if planned.payer.user else ""
    write(f"owes:{planned.pk}:{times}", to, f"{league}: {worth} to {planned.payee}", said)


def _named(night: Night, what: str) -> str:
    return f"{night.league}: {night} {what}"


def _worth(chips: int, night: Night) -> str:
    return in_money(chips, night.chip_value, night.league.currency)


def _where(night: Night) -> list[str]:
    return [f"{settings.SITE_URL}/nights/{night.pk}"] if settings.SITE_URL else []


def _payments(plan: Plan) -> list[PlannedPayment]:
    return list(plan.payments.select_related("payer", "payee").order_by("position"))
