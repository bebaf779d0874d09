"""What the mails of a league say, and to whom."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.closing.payments import LIVE, open_chips, unpaid
from league.common.money import in_money
from league.jobs.mail import write
from league.models import Closing, Line, Membership, Night, Plan, PlannedPayment, Role

REMIND_AFTER = timedelta(days=3)
REMIND_EVERY = timedelta(days=7)
MOST_REMINDERS = 4


def tell_closed(closing: Closing, plan: Plan | None) -> None:
    """Write to the players what the night brought and whom to pay.

    After a correction only to those whom it touches.
    """
    planned = payments_of(plan) if plan else []
    night = closing.night
    for line in closing.lines.select_related("player__user").order_by("position"):
        mine = [each for each in planned if line.player_id in {each.payer_id, each.payee_id}]
        if line.player.user and (mine or closing.number == 1):
            key = f"closed:{closing.pk}:{line.player_id}"
            subject = _named(night, _("is closed") if closing.number == 1 else _("has changed"))
            said = _told(line, mine, night)
            write(key, line.player.user.email, subject, said, league=night.league)


def ask_hosts(night: Night, times: int, reasons: Iterable[str]) -> None:
    """Write to the hosts what they have to see to: at the first time, the second, the fourth..."""
    if times & (times - 1):
        return
    said = [
        _("%(night)s could not be closed by itself:") % {"night": night},
        *(f"- {each}" for each in reasons),
        *_where(night),
    ]
    hosts = Membership.objects.filter(league=night.league, role=Role.HOST)
    for host in hosts.select_related("user"):
        key = f"asks:{night.pk}:{night.closings.count()}:{times}:{host.user_id}"
        subject = _named(night, _("is to be settled"))
        write(key, host.user.email, subject, said, league=night.league)


def remind_payers() -> None:
    """Write to those who have owed for some days, a few times.

    Where all of it is promised, it is the payee who has to say whether it came.
    """
    now = timezone.now()
    owed = unpaid().filter(plan__made_at__lte=now - REMIND_AFTER)
    rows = owed.select_related(
        "payer__user", "payee__user", "plan__season__league", "plan__closing"
    )
    for planned in rows.prefetch_related("plan__closing__lines"):
        times = (now - REMIND_AFTER - planned.plan.made_at) // REMIND_EVERY
        if times < MOST_REMINDERS:
            _remind(planned, times)


def sentence(planned: PlannedPayment) -> str:
    """Return who pays whom how much, and why.

    What is to be settled is not always what was won: cash that a banker took stands between the
    two, or it is what a correction has changed, or what many nights have brought.
    """
    payer, payee, closing = planned.payer, planned.payee, planned.plan.closing
    nets = {line.player_id: line.net for line in closing.lines.all()} if closing else {}
    why = []
    if planned.lost:
        lost = nets.get(payer.pk) == -planned.lost
        line = _("%(name)s lost %(chips)s") if lost else _("%(name)s owes %(chips)s")
        why.append(line % {"name": payer, "chips": f"{planned.lost:,}"})
    if planned.won:
        won = nets.get(payee.pk) == planned.won
        line = _("%(name)s won %(chips)s") if won else _("%(name)s is owed %(chips)s")
        why.append(line % {"name": payee, "chips": f"{planned.won:,}"})
    names = {"payer": payer, "payee": payee, "chips": f"{planned.chips:,}"}
    pays = _("%(payer)s pays %(payee)s %(chips)s") % names
    return f"{', '.join(why)}: {pays}" if why else pays


def payments_of(plan: Plan) -> list[PlannedPayment]:
    """Return the payments of the plan in their order, with all that `sentence` reads."""
    rows = plan.payments.select_related("payer", "payee", "plan__closing")
    return list(rows.prefetch_related("plan__closing__lines").order_by("position"))


def _told(line: Line, planned: Iterable[PlannedPayment], night: Night) -> Iterator[str]:
    yield _brought(line.net, night)
    for each in planned:
        yield f"{sentence(each)} ({_worth(each.chips, night)})."
    yield from _where(night)


def _brought(net: int, night: Night) -> str:
    chips = abs(net)
    if net > 0:
        line = ngettext(
            "You won %(chips)s chip (%(worth)s).", "You won %(chips)s chips (%(worth)s).", chips
        )
    else:
        line = ngettext(
            "You lost %(chips)s chip (%(worth)s).", "You lost %(chips)s chips (%(worth)s).", chips
        )
    told = {"chips": f"{chips:,}", "worth": _worth(chips, night)}
    return line % told if chips else _("You broke even.")


def _remind(planned: PlannedPayment, times: int) -> None:
    league = planned.plan.season.league
    payer, payee = planned.payer, planned.payee
    if chips := open_chips(planned, states=LIVE):
        worth = in_money(chips, planned.plan)
        line = _("Still to be paid to %(name)s: %(worth)s.") % {"name": payee, "worth": worth}
        to, subject = payer.user, _("%(worth)s to %(name)s") % {"name": payee, "worth": worth}
    else:
        worth = in_money(open_chips(planned), planned.plan)
        line = _("%(name)s says that %(worth)s is paid: did it come?")
        line = line % {"name": payer, "worth": worth}
        to, subject = payee.user, _("%(worth)s from %(name)s") % {"name": payer, "worth": worth}
    said = [line, f"{sentence(planned)}."]
    key, address = f"owes:{planned.pk}:{times}", to.email if to else ""
    write(key, address, f"{league}: {subject}", said, league=league)


def _named(night: Night, what: str) -> str:
    return f"{night.league}: {night} {what}"


def _worth(chips: int, night: Night) -> str:
    return in_money(chips, night)


def _where(night: Night) -> list[str]:
    return [f"{settings.SITE_URL}/nights/{night.pk}"] if settings.SITE_URL else []
