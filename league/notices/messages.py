"""The text, recipients and links of notifications.

The user who caused a notification does not receive it. The text is short and contains no more than
the linked page, because it appears on locked screens.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.common.money import in_money
from league.models import (
    Deal,
    DealtPlayer,
    Membership,
    Night,
    Objection,
    ObjectionAnswer,
    Payment,
    PaymentPlan,
    Player,
    PushSubscription,
    Revision,
    Role,
    Seat,
    User,
)
from league.notices.queueing import NoticeKind, Notification, notify

# A correction made within this time needs no notification, because the players are still at the
# table and see it there.
AT_THE_TABLE = timedelta(minutes=2)


def notify_dealer(night: Night, player: Player, hand_id: object) -> None:
    """Notify the next dealer, once after each hand."""
    if player.user:
        message = Notification(
            user=player.user,
            key=f"deal:{hand_id}:{player.user_id}",
            title=_("Your turn to deal"),
            body=str(night),
            link=f"/nights/{night.pk}/deal",
        )
        notify(NoticeKind.DEAL_NEXT, night.league, [message])


def any_phone_at(night: Night) -> bool:
    """Return whether any seated player has a phone that receives notifications."""
    here = Seat.objects.filter(night=night, left_at=None).values("player__user")
    return PushSubscription.objects.filter(user__in=here, gone_at=None).exists()


def notify_declarers(deal: Deal) -> None:
    """Notify players in the hand who have not declared, once per round of declarations."""
    holding = (DealtPlayer.State.IN, DealtPlayer.State.ALL_IN)
    rows = deal.players.filter(state__in=holding, declaration="", player__user__isnull=False)
    users = [row.player.user for row in rows.select_related("player__user")]
    messages = [
        Notification(
            user=user,
            key=f"declare:{deal.pk}:{deal.stage}:{user.pk}",
            title=_("Your turn to declare"),
            body=str(deal.night),
            link=f"/nights/{deal.night_id}/deal",
        )
        for user in users
        if user
    ]
    notify(NoticeKind.DECLARE, deal.night.league, messages)


def notify_to_count(night: Night, *, by: User | None) -> None:
    """Notify the seated players to count their chips, once per night."""
    seats = Seat.objects.filter(night=night, left_at=None, player__user__isnull=False)
    users = [seat.player.user for seat in seats.select_related("player__user")]
    messages = [
        Notification(
            user=user,
            key=f"count:{night.pk}:{user.pk}",
            title=_("Count your chips"),
            body=str(night),
            link=f"/nights/{night.pk}/count",
        )
        for user in _except(users, by)
    ]
    notify(NoticeKind.COUNT, night.league, messages)


def notify_payee(payment: Payment, *, by: User | None) -> None:
    """Ask the payee whether the payment has arrived."""
    planned = payment.planned
    names = {"name": planned.payer, "worth": in_money(payment.chips, planned.plan)}
    line = _("%(name)s marked %(worth)s as sent. Did you receive it?") % names
    title = _("%(worth)s from %(name)s") % names
    _notify_of_payment(NoticeKind.PAID, payment, planned.payee, (title, line), by)


def notify_payer(payment: Payment, *, by: User | None) -> None:
    """Notify the payer that the payment has arrived."""
    planned = payment.planned
    names = {"name": planned.payee, "worth": in_money(payment.chips, planned.plan)}
    line = _("%(name)s received %(worth)s.") % names
    title = _("%(worth)s to %(name)s") % names
    _notify_of_payment(NoticeKind.CONFIRMED, payment, planned.payer, (title, line), by)


def notify_corrected(before: Revision, after: Revision) -> None:
    """Notify the players whose result in a hand has changed."""
    night, by = after.hand.night, after.made_by
    if before.number == 1 and after.made_at - before.made_at < AT_THE_TABLE:
        return
    was, is_now = _nets(before), _nets(after)
    changed = {number for number in was | is_now if was.get(number, 0) != is_now.get(number, 0)}
    players = Player.objects.filter(pk__in=changed, user__isnull=False).select_related("user")
    users = {player.user_id: str(player.pk) for player in players}
    messages = []
    for user in _except([player.user for player in players], by):
        more = is_now.get(users[user.pk], 0) - was.get(users[user.pk], 0)
        chips = abs(more)
        if more > 0:
            body = ngettext(
                "You have %(chips)s more chip.", "You have %(chips)s more chips.", chips
            )
        else:
            body = ngettext(
                "You have %(chips)s chip less.", "You have %(chips)s fewer chips.", chips
            )
        messages.append(
            Notification(
                user=user,
                key=f"corrected:{after.pk}:{user.pk}",
                title=_("Hand %(number)s was corrected") % {"number": after.hand.number},
                body=body % {"chips": f"{chips:,}"},
                link=f"/hands/{after.hand_id}",
            )
        )
    notify(NoticeKind.HAND_CORRECTED, night.league, messages)


def notify_objection(objection: Objection) -> None:
    """Notify the hosts of an objection to a hand."""
    hand, league = objection.hand, objection.hand.night.league
    hosts = Membership.objects.filter(league=league, role=Role.HOST).select_related("user")
    messages = [
        Notification(
            user=user,
            key=f"objected:{objection.pk}:{user.pk}",
            title=_("Hand %(number)s is disputed") % {"number": hand.number},
            body=f"{objection.player}: {objection.reason}",
            link=f"/hands/{hand.pk}#objections",
        )
        for user in _except([host.user for host in hosts], objection.made_by)
    ]
    notify(NoticeKind.HAND_OBJECTED, league, messages)


def notify_of_answer(answer: ObjectionAnswer) -> None:
    hand = answer.objection.hand
    lines = {
        ObjectionAnswer.Kind.STANDS: _("The hand was kept as recorded."),
        ObjectionAnswer.Kind.CORRECTED: _("The hand was corrected."),
        ObjectionAnswer.Kind.WITHDRAWN: _("The dispute was withdrawn."),
    }
    messages = [
        Notification(
            user=user,
            key=f"objection-answered:{answer.pk}:{user.pk}",
            title=_("Your dispute of hand %(number)s") % {"number": hand.number},
            body=" ".join(filter(None, [lines[ObjectionAnswer.Kind(answer.kind)], answer.text])),
            link=f"/hands/{hand.pk}#objections",
        )
        for user in _except([answer.objection.player.user], answer.made_by)
    ]
    notify(NoticeKind.OBJECTION_ANSWERED, hand.night.league, messages)


def payments_link(plan: PaymentPlan) -> str:
    """Return the path of the page with the payments of the plan's night or season."""
    if plan.closing:
        return f"/nights/{plan.closing.night_id}/payments"
    return f"/seasons/{plan.season_id}"


def _notify_of_payment(
    kind: NoticeKind, payment: Payment, to: Player, words: tuple[str, str], by: User | None
) -> None:
    plan, (title, line) = payment.planned.plan, words
    message = [
        Notification(
            user=user,
            key=f"{kind}:{payment.pk}:{payment.steps.count()}:{user.pk}",
            title=title,
            body=line,
            link=f"{payments_link(plan)}#payment-{payment.pk}",
        )
        for user in _except([to.user], by)
    ]
    notify(kind, plan.season.league, message)


def _except(users: Iterable[User | None], by: User | None) -> list[User]:
    return [user for user in users if user and user != by]


def _nets(revision: Revision) -> dict[str, int]:
    """Return each player's net in the revision, keyed by player id.

    Returns {} if the hand was removed.
    """
    if revision.voids:
        return {}
    net = revision.answer["net"]
    return {player: net[name] for name, player in revision.names.items()}
