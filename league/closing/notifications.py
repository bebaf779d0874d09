"""Notifications about closed nights and unpaid payments.

Users choose how they receive notifications.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.closing.payments import LIVE, unpaid
from league.common.money import in_money
from league.models import (
    Charge,
    Closing,
    ClosingLine,
    Membership,
    Night,
    PaymentPlan,
    PlannedPayment,
    Player,
    Role,
    User,
)
from league.notices.messages import payments_link
from league.notices.queueing import NoticeKind, Notification, notify

NEWS = timedelta(days=7)
REMIND_AFTER = timedelta(days=3)
REMIND_EVERY = timedelta(days=7)
MOST_REMINDERS = 4


def is_news(closing: Closing) -> bool:
    """Return whether a closing is announced. Old nights from a file are no news."""
    night = closing.night
    ended_at = night.ended_at or closing.made_at
    return not night.imported or closing.made_at - ended_at < NEWS


def notify_closed(closing: Closing, plan: PaymentPlan | None) -> None:
    """Notify the players of their results and payments.

    After a correction, notify only the players whose payments changed. If the correction changed
    payments of the season, this includes players who missed the night.
    """
    planned = [(each, each.chips) for each in payments_of(plan)] if plan else []
    before = plan.replacements.select_related("planned") if plan else ()
    replaced = [(each.planned, each.chips) for each in before]
    paying = {who for each, _ in [*planned, *replaced] for who in (each.payer_id, each.payee_id)}
    lines = {line.player_id: line for line in closing.lines.all()}
    messages = []
    for player in Player.objects.filter(pk__in={*lines, *paying}).select_related("user"):
        mine = _payments_of_player(player.pk, planned)
        changed = mine.keys() != _payments_of_player(player.pk, replaced).keys()
        if player.user and (changed or closing.number == 1):
            messages.append(_closed(closing, player.user, lines.get(player.pk), mine.values()))
    notify(NoticeKind.NIGHT_CLOSED, closing.league, messages)


def _payments_of_player(
    player: UUID, planned: Iterable[tuple[PlannedPayment, int]]
) -> dict[tuple[UUID, UUID, int], PlannedPayment]:
    """Return the player's payments, keyed by payer, payee and chips."""
    return {
        (each.payer_id, each.payee_id, chips): each
        for each, chips in planned
        if player in {each.payer_id, each.payee_id}
    }


def notify_hosts(night: Night, times: int, reasons: Iterable[str]) -> None:
    """Notify the hosts about the problems to resolve, after 1, 2, 4, 8 and so on attempts."""
    if times & (times - 1):
        return
    lines = [
        _("%(night)s couldn't be closed automatically:") % {"night": night},
        *(f"- {each}" for each in reasons),
    ]
    hosts = Membership.objects.filter(league=night.league, role=Role.HOST)
    key = f"asks:{night.pk}:{night.closings.count()}:{times}"
    messages = [
        Notification(
            user=host.user,
            key=f"{key}:{host.user_id}",
            title=_("Settle %(night)s") % {"night": night},
            body=" ".join(lines),
            link=f"/nights/{night.pk}",
            lines=lines,
        )
        for host in hosts.select_related("user")
    ]
    notify(NoticeKind.NIGHT_UNSETTLED, night.league, messages)


def remind_payers() -> None:
    """Remind payers of payments that are several days old, a limited number of times.

    If the payer has reported the whole payment as sent, the payee is reminded to confirm it.
    Payments of nights that were not announced have no reminders.
    """
    now = timezone.now()
    owed = unpaid().filter(plan__made_at__lte=now - REMIND_AFTER)
    rows = owed.select_related(
        "payer__user", "payee__user", "plan__season__league", "plan__closing__night"
    )
    rows = rows.prefetch_related("plan__closing__lines", "paid", "replacements")
    load_earlier(planned.plan for planned in rows)
    for planned in rows:
        times = (now - REMIND_AFTER - planned.plan.made_at) // REMIND_EVERY
        closing = planned.plan.closing
        if times >= MOST_REMINDERS or (closing and not is_news(closing)):
            continue
        payer, payee = planned.payer, planned.payee
        if payer.is_box:
            worth = in_money(planned.open_chips(), planned.plan)
            line = _("You can take %(worth)s from the cash box.") % {"worth": worth}
            to, subject = payee.user, _("%(worth)s in the cash box") % {"worth": worth}
        elif chips := planned.open_chips(*LIVE):
            worth = in_money(chips, planned.plan)
            line = _("You still owe %(name)s %(worth)s.") % {"name": payee, "worth": worth}
            to, subject = payer.user, _("%(worth)s to %(name)s") % {"name": payee, "worth": worth}
        else:
            worth = in_money(planned.open_chips(), planned.plan)
            line = _("%(name)s marked %(worth)s as sent. Did you receive it?")
            line = line % {"name": payer, "worth": worth}
            to, subject = payee.user, _("%(worth)s from %(name)s") % {"name": payer, "worth": worth}
        if to:
            reminder = Notification(
                user=to,
                key=f"owes:{planned.pk}:{times}",
                title=subject,
                body=line,
                link=payments_link(planned.plan),
                lines=[line, f"{sentence(planned)}."],
            )
            notify(NoticeKind.PAYMENT_DUE, planned.plan.season.league, [reminder])


def sentence(planned: PlannedPayment) -> str:
    """Return a sentence with the payer, the payee, the chips and the reason."""
    why = ", ".join(_reasons(planned, "{:,}".format))
    pays = _pays(planned, f"{planned.chips:,}")
    return f"{why}: {pays}" if why else pays


def payment_line(planned: PlannedPayment, chips: int) -> str:
    """Return the payer, the payee and these chips, such as "bob pays ann (10 chips)"."""
    text = ngettext("%(chips)s chip", "%(chips)s chips", chips)
    amount = text % {"chips": f"{chips:,}"}
    if planned.payer.is_box:
        line = _("%(payee)s takes from the cash box (%(amount)s)")
    elif planned.payee.is_box:
        line = _("%(payer)s puts into the cash box (%(amount)s)")
    else:
        line = _("%(payer)s pays %(payee)s (%(amount)s)")
    return line % {"payer": planned.payer, "payee": planned.payee, "amount": amount}


def short_reason(planned: PlannedPayment) -> str:
    """Return the results that the payment comes from, in money, or "" without results."""
    return ", ".join(_reasons(planned, lambda chips: in_money(chips, planned.plan)))


def _reasons(planned: PlannedPayment, shown: Callable[[int], str]) -> Iterator[str]:
    """Yield the payer's and the payee's part of the reason. `shown` formats chips.

    A part lists what adds up to the player's debt or claim, such as "bob lost 10 and received 5 in
    cash". If that is unknown for either player, for example because the plan covers several nights,
    both parts only contain the sum. A payment is higher than the payer's or the payee's own result
    only if that player is the league's banker, who passes chips on.
    """
    people = ((planned.payer, -planned.lost), (planned.payee, planned.won))
    bankers = [who for who, chips in people if abs(chips) < planned.chips and not who.is_box]
    results = {
        who: chips for who, chips in people if chips and not who.is_box and who not in bankers
    }
    parts = {who: _parts(planned, who) for who in results}
    known = all(sum(part[0] for part in parts[who]) == chips for who, chips in results.items())
    for who, chips in results.items():
        owed = (chips, _("owes %(amount)s"), _("is owed %(amount)s"), "")
        texts = [
            (less if part < 0 else more) % {"amount": shown(abs(part)), "name": name}
            for part, less, more, name in (parts[who] if known else [owed])
            if part
        ]
        yield f"{who} {get_text_list(texts, _('and'))}"
    if planned.lost or planned.won:
        yield from (_("through %(name)s") % {"name": who} for who in bankers)


# Chips, the text if they are a debt, the text if they are a claim, and the other player.
_Part = tuple[int, str, str, str]


def _parts(planned: PlannedPayment, who: Player) -> list[_Part]:
    """Return the chips that make up the player's debt or claim in a closing's plan."""
    load_earlier([planned.plan])
    closing, starting_cash = planned.plan.closing, vars(planned.plan)["starting_cash"]
    lines = closing.lines.all() if closing else ()
    parts = [
        part
        for line in lines
        if line.player_id == who.pk
        for part in (
            (line.net, _("lost %(amount)s"), _("won %(amount)s"), ""),
            (line.cash, _("received %(amount)s in cash"), _("paid %(amount)s in cash"), ""),
            (starting_cash.get(who.pk, 0), "", _("put %(amount)s into the cash box"), ""),
            (
                line.charged - starting_cash.get(who.pk, 0),
                _("owes %(amount)s for costs and other charges"),
                _("is owed %(amount)s for costs and other charges"),
                "",
            ),
        )
    ]
    return [*parts, *_paid_before(planned.plan, who)]


def _paid_before(plan: PaymentPlan, who: Player) -> Iterator[_Part]:
    """Yield the player's payments of the night's earlier plans, which the plan did not replace.

    Payments that are neither sent nor received any more have no part.
    """
    for earlier in vars(plan)["earlier"]:
        kept = earlier.chips - sum(
            each.chips for each in earlier.replacements.all() if each.plan.made_at <= plan.made_at
        )
        if earlier.due != kept or earlier.open_chips() != earlier.sent_chips:
            continue
        if earlier.payer_id == who.pk:
            text = _("sent %(amount)s to %(name)s before the change")
            yield kept, text, text, earlier.payee.in_sentence
        elif earlier.payee_id == who.pk:
            text = _("was sent %(amount)s by %(name)s before the change")
            if not earlier.open_chips():
                text = _("received %(amount)s from %(name)s before the change")
            yield -kept, text, text, earlier.payer.in_sentence


def load_earlier(plans: Iterable[PaymentPlan]) -> None:
    """Load the starting cash and earlier closings' payments that explain these plans' payments."""
    new = [plan for plan in plans if "earlier" not in vars(plan)]
    again = [plan.closing for plan in new if plan.closing and plan.closing.number > 1]
    rows = PlannedPayment.objects.none()
    if again:
        nights = {closing.night_id for closing in again}
        rows = PlannedPayment.objects.filter(plan__closing__night__in=nights).order_by("pk")
        rows = rows.select_related("payer", "payee", "plan__closing")
        rows = rows.prefetch_related("paid", "replacements__plan")
    for plan in new:
        vars(plan)["earlier"] = [
            row for row in rows if plan.closing and _is_before(row, plan.closing)
        ]
    _load_starting_cash(new)


def _load_starting_cash(plans: Iterable[PaymentPlan]) -> None:
    """Load the starting cash that the plans' closings contain, in chips per player."""
    closings: dict[Closing, Counter[UUID]] = {}
    for plan in plans:  # several rows may have loaded the same plan
        vars(plan)["starting_cash"] = Counter[UUID]()
        if plan.closing and any(line.charged for line in plan.closing.lines.all()):
            cash = closings.setdefault(plan.closing, Counter[UUID]())
            vars(plan)["starting_cash"] = cash
    if not closings:
        return
    rows = Charge.objects.filter(kind=Charge.Kind.STARTING_CASH)
    rows = rows.filter(night__in={closing.night_id for closing in closings})
    of_share = ("night", "posting", "posting__reversal", "shares__player", "shares__gets")
    for night, posting, reversal, player, chips in rows.values_list(*of_share):
        for closing, starting_cash in closings.items():
            # A book's postings are numbered in order.
            last = closing.posting_id
            if closing.night_id == night and posting < last and (reversal or last) >= last:
                starting_cash[player] += chips


def _is_before(planned: PlannedPayment, closing: Closing) -> bool:
    of = planned.plan.closing
    return of is not None and of.night_id == closing.night_id and of.number < closing.number


def _pays(planned: PlannedPayment, amount: str) -> str:
    """Return the payer, the payee and the amount as a sentence without a full stop."""
    payer, payee = planned.payer, planned.payee
    if payer.is_box:
        line = _("%(payee)s takes %(amount)s from the cash box")
    elif payee.is_box:
        line = _("%(payer)s puts %(amount)s into the cash box")
    else:
        line = _("%(payer)s pays %(payee)s %(amount)s")
    return line % {"payer": payer, "payee": payee, "amount": amount}


def payments_of(plan: PaymentPlan) -> list[PlannedPayment]:
    """Return the payments of the plan in order, with the related rows that `sentence` reads."""
    rows = plan.payments.select_related("payer", "payee", "plan__closing")
    planned = list(rows.prefetch_related("plan__closing__lines").order_by("position"))
    load_earlier(each.plan for each in planned)
    return planned


def _closed(
    closing: Closing, user: User, line: ClosingLine | None, planned: Iterable[PlannedPayment]
) -> Notification:
    """Return a player's notification with the result, if there is a line, and all payments.

    Push messages omit the reasons. The notification links to the payments if the player has any.
    """
    night = closing.night
    is_closed, changed = _("%(night)s is closed"), _("%(night)s has changed")
    title = (is_closed if closing.number == 1 else changed) % {"night": night}
    brought = _result(line) if line else _("Your payments have changed.")
    payments = [(each, in_money(each.chips, night)) for each in planned]
    link = payments_link(payments[0][0].plan) if payments else f"/nights/{night.pk}"
    return Notification(
        user=user,
        key=f"closed:{closing.pk}:{user.pk}",
        title=title,
        body=" ".join([brought, *(f"{_pays(each, worth)}." for each, worth in payments)]),
        link=link,
        lines=[brought, *(f"{sentence(each)} ({worth})." for each, worth in payments)],
    )


def _result(line: ClosingLine) -> str:
    chips = abs(line.net)
    if line.net > 0:
        text = ngettext(
            "You won %(chips)s chip (%(worth)s).", "You won %(chips)s chips (%(worth)s).", chips
        )
    else:
        text = ngettext(
            "You lost %(chips)s chip (%(worth)s).", "You lost %(chips)s chips (%(worth)s).", chips
        )
    values = {"chips": f"{chips:,}", "worth": in_money(chips, line.closing.night)}
    return text % values if chips else _("You broke even.")
