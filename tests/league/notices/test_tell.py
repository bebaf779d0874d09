"""Each recipient is notified once, according to their settings, and the linked pages open."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from pytest_django import Settings

from league.closing import close
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, promise, receive
from league.deals.open_deal import drop, move_on
from league.hands.objections import answer_objection, object_to
from league.models import (
    Membership,
    Night,
    Notice,
    OutgoingMail,
    PlannedPayment,
    PushMessage,
    Role,
    User,
)
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.notices.queueing import KINDS, Channels, NoticeKind, channels_of, choose
from league.people.leagues import add_member
from league.recording.corrections import revise_hand, undo_hand, void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.league.deals import a_deal, at_stage, user_of
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import a_table, again, closed, counted, dealt, planned
from tests.helpers.league.push_service import PushPhone, send_all, switched_on
from tests.helpers.league.receiver import Receiver

pytestmark = pytest.mark.django_db


def a_person(night: Night, name: str) -> User:
    user = user_of(player(night, name))
    if not Membership.objects.filter(league=night.league, user=user).exists():
        add_member(night.league, user, Role.PLAYER)
    User.objects.filter(pk=user.pk).update(email=f"{name}@example.org")
    user.refresh_from_db()
    return user


def phones(night: Night, service: Receiver, *names: str) -> list[PushPhone]:
    return [switched_on(a_person(night, name), service, name) for name in names]


def from_phone(night: Night, *, made_at: timedelta = timedelta()) -> None:
    seen = night.hands.count()
    context = ClientContext(origin="one phone", seen=seen, number=seen + 1)
    when = timezone.now() - made_at
    record_hand(night, uuid4(), holdem(), by=None, context=context, made_at=when)


def later(**time: int) -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(**time), tick=True)


def recipients(kind: NoticeKind) -> list[str]:
    """Return the names of users who received this kind of notification."""
    rows = Notice.objects.filter(kind=kind).order_by("user__username")
    return [
        each.removeprefix("phone-of-") for each in rows.values_list("user__username", flat=True)
    ]


# Events


def test_each_player_is_notified_of_their_own_result_when_a_night_closes(
    service: Receiver,
) -> None:
    night = a_night()
    ann, bob, cat = phones(night, service, "ann", "bob", "cat")
    dealt(night)
    closed(night)
    send_all()
    for phone, line, page in (
        (ann, "You won 10 chips (0.10 USD). bob pays ann 0.10 USD.", "/payments"),
        (bob, "You lost 10 chips (0.10 USD). bob pays ann 0.10 USD.", "/payments"),
        (cat, "You broke even.", ""),
    ):
        [told] = [each for each in phone.came() if each["title"].endswith("is closed")]
        assert (told["body"], told["link"]) == (line, f"/nights/{night.pk}{page}")


def test_later_closing_notifies_only_players_whose_payments_changed(service: Receiver) -> None:
    night = a_night()
    phones(night, service, "ann", "bob", "cat", "dan")
    dealt(night)
    closed(night)
    send_all()
    assert recipients(NoticeKind.NIGHT_CLOSED) == ["ann", "bob", "cat", "dan"]
    Notice.objects.all().delete()
    close.reopen_night(again(night), by=None)
    record = holdem()
    for each, name in zip(record["players"], ("dan", "cat"), strict=True):
        each |= {"name": name, "paid": 7}
    dealt(again(night), record)
    second = closed(again(night))
    assert planned(second) == ["bob pays ann 10", "cat pays dan 7"]
    send_all()
    assert recipients(NoticeKind.NIGHT_CLOSED) == ["cat", "dan"]


def test_next_dealer_is_notified_once_after_each_hand(service: Receiver) -> None:
    """Bob dealt, so cat deals next. Dan deals after her and gets no notifications."""
    night = a_night()
    ann, _, cat = phones(night, service, "ann", "bob", "cat")
    from_phone(night)
    send_all()
    [told] = cat.came()
    assert (told["title"], told["link"]) == ("Your turn to deal", f"/nights/{night.pk}/deal")
    assert ann.came() == []
    assert Notice.objects.count() == 1


def test_late_recorded_hand_does_not_notify_the_next_dealer(service: Receiver) -> None:
    night = a_night()
    phones(night, service, "cat")
    from_phone(night, made_at=timedelta(hours=1))
    dealt(night)  # a program recorded the hand, so there is no phone to exclude
    assert recipients(NoticeKind.DEAL_NEXT) == []


def test_active_players_are_notified_of_a_declaration_once_per_deal(service: Receiver) -> None:
    night = a_night()
    ann, bob = phones(night, service, "ann", "bob")
    deal = a_deal(night)
    deal.players.filter(player__name="bob").update(state="folded")
    deal = at_stage(deal, "declare")
    before = deal.stage - 1
    move_on(night, deal.pk, before)  # tap again
    assert recipients(NoticeKind.DECLARE) == ["ann"]
    send_all()
    assert ann.titles() == ["Your turn to declare"]
    assert bob.titles() == []
    drop(night, deal.pk)
    at_stage(a_deal(night), "declare")
    assert recipients(NoticeKind.DECLARE) == ["ann", "ann", "bob"]


def test_first_chip_count_notifies_the_players_once(service: Receiver) -> None:
    night = a_night()
    phones(night, service, "ann", "bob", "cat")
    counted(night)
    assert recipients(NoticeKind.COUNT) == ["ann", "bob", "cat"]


def test_player_who_missed_a_corrected_night_is_notified_of_changed_payments(
    service: Receiver,
) -> None:
    first = a_table(settles="season")
    phones(first, service, "cat", "dan")
    record = holdem()
    for each, name in zip(record["players"], ("cat", "ann"), strict=True):
        each["name"] = name
    dealt(first, record)
    closed(first)
    second = open_night(first.league, players=[player(first, name) for name in ("ann", "bob")])
    for seat in second.seats.all():
        buy_in(second, seat.player, 100, buy_in_id=uuid4(), by=None)
    hand = dealt(second)
    close.close_night(second, uuid4(), by=None, decisions=close.Decisions(by_hands=True))
    settle_season(first.season, uuid4(), by=None, end=True)
    Notice.objects.all().delete()
    void_hand(hand, by=None)
    assert recipients(NoticeKind.NIGHT_CLOSED) == ["cat"]


def test_night_without_counts_notifies_players_and_host(service: Receiver) -> None:
    night = a_night()
    [ann] = phones(night, service, "ann")
    host = Membership.objects.get(league=night.league, role=Role.HOST).user
    on = switched_on(host, service, "host")
    dealt(night)
    with later(days=2):
        close.close_next(night.league.pk)
        send_all()
        assert "Count your chips" in ann.titles()
        assert [each.startswith("Settle ") for each in on.titles()] == [True]


def a_debt(night: Night) -> PlannedPayment:
    dealt(night)
    return closed(night).plan.payments.get()


def test_payee_is_notified_of_a_promise_and_payer_of_its_confirmation(service: Receiver) -> None:
    night = a_night()
    ann, bob = phones(night, service, "ann", "bob")
    debt = a_debt(night)
    payment = promise(debt, uuid4(), 10, by=user_of(player(night, "bob")))
    confirm(payment, by=user_of(player(night, "ann")))
    confirm(payment, by=user_of(player(night, "ann")))
    send_all()
    assert [title for title in ann.titles() if "from" in title] == ["0.10 USD from bob"]
    assert [title for title in bob.titles() if " to " in title] == ["0.10 USD to ann"]
    at = f"/nights/{night.pk}/payments"
    assert {notice["link"] for notice in bob.came()} >= {at, f"{at}#payment-{payment.pk}"}
    client = Client()
    client.force_login(user_of(player(night, "bob")))
    assert f'id="payment-{payment.pk}"' in client.get(at).content.decode()


def test_user_is_not_notified_of_their_own_action(service: Receiver) -> None:
    night = a_night()
    phones(night, service, "ann", "bob")
    ann = user_of(player(night, "ann"))
    receive(a_debt(night), uuid4(), 10, by=ann)
    assert recipients(NoticeKind.PAID) == []
    assert recipients(NoticeKind.CONFIRMED) == ["bob"]


def test_players_in_a_changed_hand_are_notified_of_the_difference(service: Receiver) -> None:
    night = a_night()
    ann, bob, cat = phones(night, service, "ann", "bob", "cat")
    hand = dealt(night)
    twice = holdem()
    for each in twice["players"]:
        each["paid"] = 20
    with later(hours=1):
        revise_hand(hand, uuid4(), twice, by=user_of(player(night, "bob")))
        send_all()
        [notification] = ann.came()
        assert notification["title"] == "Hand 1 was corrected"
        assert (notification["body"], notification["link"]) == (
            "You have 10 more chips.",
            f"/hands/{hand.pk}",
        )
        assert bob.came() == cat.came() == []
        void_hand(hand, by=None)
    assert recipients(NoticeKind.HAND_CORRECTED) == ["ann", "ann", "bob"]


def test_undone_hand_does_not_notify_the_players(service: Receiver) -> None:
    night = a_night()
    phones(night, service, "ann", "bob")
    undo_hand(dealt(night), by=None)
    assert recipients(NoticeKind.HAND_CORRECTED) == []


# Recipients' settings


def test_disabled_notification_is_not_sent_by_push_or_mail(service: Receiver) -> None:
    night = a_night()
    ann, bob = phones(night, service, "ann", "bob")
    choose(
        user_of(player(night, "ann")), {NoticeKind.NIGHT_CLOSED: Channels(push=False, mail=False)}
    )
    dealt(night)
    closed(night)
    send_all()
    assert not [each for each in ann.titles() if "closed" in each]
    assert [each for each in bob.titles() if "closed" in each]
    mails = OutgoingMail.objects.filter(subject__endswith="is closed")
    assert list(mails.values_list("to", flat=True)) == ["bob@example.org"]


def test_notification_is_sent_by_mail_if_chosen(settings: Settings) -> None:
    settings.SITE_URL = "https://example.org"
    night = a_night()
    ann = a_person(night, "ann")
    choose(
        ann,
        {
            NoticeKind.PAID: Channels(push=False, mail=True),
            NoticeKind.DECLARE: Channels(True, True),
        },
    )
    payment = promise(a_debt(night), uuid4(), 10, by=None)
    mail = OutgoingMail.objects.get(subject__contains="from bob")
    assert mail.body == (
        "bob marked 0.10 USD as sent. Did you receive it?\n"
        f"https://example.org/nights/{night.pk}/payments#payment-{payment.pk}\n"
    )
    assert channels_of(ann)[NoticeKind.DECLARE] == Channels(
        push=True, mail=False
    )  # this type of notification is never sent by mail


def test_nothing_is_stored_if_there_are_no_recipients() -> None:
    night = a_night()
    from_phone(night)
    closed(night)
    assert not Notice.objects.exists()
    assert not PushMessage.objects.exists()


def test_rolled_back_event_sends_no_notification(service: Receiver) -> None:
    """Notifications are stored in the same transaction as the event that causes them."""
    from django.db import transaction  # noqa: PLC0415

    night = a_night()
    phones(night, service, "ann", "bob")
    dealt(night)
    before = PushMessage.objects.count()
    with transaction.atomic():
        closed(night)
        assert PushMessage.objects.count() > before
        transaction.set_rollback(True)
    assert PushMessage.objects.count() == before


def test_every_link_opens_a_page_that_the_recipient_can_see(service: Receiver) -> None:
    night = a_night()
    phones(night, service, "ann", "bob", "cat")
    at_stage(a_deal(night), "declare")
    from_phone(night)
    hand, bob = night.hands.get(), player(night, "bob")
    Membership.objects.filter(user=user_of(player(night, "cat"))).update(role=Role.HOST)
    answer_objection(object_to(hand, bob, "No", objection_id=uuid4(), by=None), "stands", by=None)
    with later(hours=1):
        void_hand(hand, by=None)
    confirm(promise(a_debt(night), uuid4(), 10, by=None), by=None)
    notices = Notice.objects.select_related("user")
    assert {notice.kind for notice in notices} == set(KINDS) - {
        NoticeKind.NIGHT_UNSETTLED,
        NoticeKind.PAYMENT_DUE,
        # Notifications about planned nights: see tests/league/planned_nights/test_messages.py.
        *(NoticeKind.NIGHT_PLANNED, NoticeKind.ANSWER_WANTED, NoticeKind.MOVED_UP),
        *(NoticeKind.NIGHT_CHANGED, NoticeKind.NIGHT_CANCELLED),
    }
    for notice in notices:
        resolve(notice.link.partition("#")[0])
        client = Client()
        client.force_login(notice.user)
        assert client.get(notice.link, follow=True).status_code == 200, notice.link
