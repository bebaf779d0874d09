"""Deliveries arrive once and in order, are retried for days, and can be resent manually."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks.webhooks import Webhook as Reference
from standardwebhooks.webhooks import WebhookVerificationError

from league.common.errors import RefusedError
from league.models import (
    Delivery,
    DeliveryTry,
    Event,
    EventKind,
    League,
    Membership,
    OutgoingMail,
    Webhook,
)
from league.recording.record import record_hand
from league.sending import retries
from league.webhooks import delivery as webhooks_delivery
from league.webhooks import management
from league.webhooks.events import publish_ping
from tests.helpers.league.leagues import a_league, a_night, holdem
from tests.helpers.league.leases import let_leases_run_out
from tests.helpers.league.receiver import (
    HERE,
    Receiver,
    a_hook,
    deliver_all,
    make_due,
    receiver,
    resolved_to,
)

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def far(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [HERE]
    with receiver() as server:
        yield server


def a_delivery(league: League, url: str) -> Delivery:
    return management.ping(a_hook(league, url))


def again(delivery: Delivery) -> Delivery:
    return Delivery.objects.select_related("webhook").get(pk=delivery.pk)


def statuses(delivery: Delivery) -> list[int | None]:
    return list(delivery.log.order_by("number").values_list("status", flat=True))


def test_delivery_has_a_signature_a_date_and_an_event_name(far: Receiver) -> None:
    hook, secret = management.create(a_league(), uuid4(), far.url, by=None)
    delivery = management.ping(hook)
    deliver_all()
    [(_, headers, body)] = far.came
    assert headers["webhook-id"] == str(delivery.event.id)
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    assert Reference(secret).verify(body, headers)["type"] == "ping"
    assert headers["content-type"] == "application/json"
    assert (again(delivery).state, statuses(delivery)) == ("delivered", [204])


def test_events_are_delivered_in_order_of_occurrence(far: Receiver) -> None:
    night = a_night()
    a_hook(night.league, far.url)
    for _ in range(5):
        record_hand(night, uuid4(), holdem(), by=None)
    deliver_all()
    assert far.ids == [str(event.id) for event in Event.objects.order_by("sequence")]
    assert len(far.ids) == 5


def test_delivery_interrupted_by_a_dead_worker_is_resent_with_the_same_id(
    far: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivery = a_delivery(a_league(), far.url)

    class Killed(BaseException):
        pass

    def die(*_: Any) -> None:
        raise Killed

    with time_machine.travel(MONDAY + timedelta(days=365), tick=False):
        make_due()
        with monkeypatch.context() as patched:
            patched.setattr(webhooks_delivery.WebhookSender, "record", die)
            with pytest.raises(Killed):
                deliver_all()
        deliver_all()
        assert len(far.came) == 1  # the lease is still valid
        let_leases_run_out()
        deliver_all()
    assert far.ids == [str(delivery.event.id)] * 2
    assert len({body for *_, body in far.came}) == 1
    assert again(delivery).state == "delivered"


def test_delivery_whose_lease_was_lost_is_not_sent_again(far: Receiver) -> None:
    a_delivery(a_league(), far.url)
    leased = webhooks_delivery.SENDER.lease_next(League.objects.get().pk)
    assert leased
    webhooks_delivery.SENDER.deliver(leased)
    webhooks_delivery.SENDER.deliver(leased)
    assert len(far.came) == 1


def test_failed_delivery_is_retried_with_longer_waits_and_given_up_after_days(
    far: Receiver,
) -> None:
    far.status, far.said = 500, b"out of chips"
    with time_machine.travel(MONDAY, tick=False) as clock:
        delivery = a_delivery(a_league(), far.url)
        waits = []
        while again(delivery).done_at is None:
            deliver_all()
            if again(delivery).done_at is None:
                waits.append(again(delivery).due_at - datetime.now(UTC))
                clock.move_to(again(delivery).due_at)
        passed = datetime.now(UTC) - MONDAY
    assert again(delivery).state == "given-up"
    assert statuses(delivery) == [500] * retries.MOST_TRIES
    usual = zip(waits, retries.WAITS, strict=True)
    assert all(0.8 * usual_wait <= wait <= 1.2 * usual_wait for wait, usual_wait in usual)
    assert timedelta(days=2) < passed < webhooks_delivery.DISABLE_AFTER
    assert set(delivery.log.values_list("said", flat=True)) == {"out of chips"}


def test_retries_are_spread_over_time() -> None:
    assert len({retries.wait_after(3) for _ in range(20)}) > 1


def test_delivery_arrives_when_the_receiver_recovers(far: Receiver) -> None:
    delivery = a_delivery(a_league(), far.url)
    far.status = 503
    deliver_all()
    assert (again(delivery).state, far.status) == ("waiting", 503)
    assert again(delivery).webhook.failing_since is not None
    far.status = 200
    make_due()
    deliver_all()
    assert (again(delivery).state, statuses(delivery)) == ("delivered", [503, 200])
    assert again(delivery).webhook.failing_since is None


def test_failing_webhook_does_not_delay_others(far: Receiver) -> None:
    night = a_night()
    a_hook(night.league, "http://127.0.0.1:1/")
    a_hook(night.league, far.url)
    record_hand(night, uuid4(), holdem(), by=None)
    deliver_all()
    assert len(far.came) == 1


def test_webhook_that_fails_for_days_is_disabled_and_its_host_is_emailed(
    far: Receiver,
) -> None:
    far.status = 500
    with time_machine.travel(MONDAY, tick=False) as clock:
        night = a_night()
        host = Membership.objects.get(league=night.league).user
        host.email = "host@example.org"
        host.save()
        hook = a_hook(night.league, far.url)
        for _ in range(5):
            record_hand(night, uuid4(), holdem(), by=None)
            clock.shift(timedelta(days=1))
            deliver_all()
        record_hand(night, uuid4(), holdem(), by=None)
    hook.refresh_from_db()
    assert hook.state == "disabled"
    assert not Delivery.objects.filter(done_at=None).exists()
    letter = OutgoingMail.objects.get()
    assert letter.to == "host@example.org"
    assert "127.0.0.1" in letter.body
    with pytest.raises(RefusedError):
        management.ping(hook)
    management.enable(hook)
    far.status = 200
    delivery = management.ping(hook)
    deliver_all()
    assert again(delivery).state == "delivered"


def test_receiver_that_returns_410_is_not_called_again(far: Receiver) -> None:
    """RFC 9110, 15.5.11."""
    far.status = 410
    delivery = a_delivery(a_league(), far.url)
    deliver_all()
    assert (again(delivery).state, again(delivery).webhook.state) == ("given-up", "disabled")


def test_delivery_resent_manually_has_the_same_id(far: Receiver) -> None:
    delivery = a_delivery(a_league(), far.url)
    deliver_all()
    management.resend(again(delivery))
    deliver_all()
    assert far.ids == [str(delivery.event.id)] * 2
    assert statuses(delivery) == [204, 204]


def test_retired_webhook_receives_no_deliveries_even_if_pending(far: Receiver) -> None:
    delivery = a_delivery(a_league(), far.url)
    leased = webhooks_delivery.SENDER.lease_next(delivery.webhook.league_id)
    assert leased
    management.retire(delivery.webhook)
    webhooks_delivery.SENDER.deliver(leased)
    assert far.came == []
    assert again(delivery).state == "given-up"


def test_event_for_a_retired_webhook_is_given_up(far: Receiver) -> None:
    hook = management.retire(a_hook(a_league(), far.url))
    delivery = publish_ping(hook)
    deliver_all()
    assert far.came == []
    assert again(delivery).state == "given-up"


def test_private_address_behind_a_public_name_is_not_called() -> None:
    delivery = a_delivery(a_league(), "https://hooks.example.org/")
    deliver_all(webhooks_delivery.WebhookSender(resolved_to("169.254.169.254")))
    [row] = DeliveryTry.objects.all()
    assert row.status is None
    assert "may not be called" in row.said
    assert again(delivery).state == "waiting"


def test_old_secret_also_signs_for_a_day_after_rotation(far: Receiver) -> None:
    with time_machine.travel(MONDAY, tick=False) as clock:
        hook, old = management.create(a_league(), uuid4(), far.url, by=None)
        hook, new = management.rotate(hook)
        management.ping(hook)
        deliver_all()
        clock.shift(timedelta(hours=25))
        management.ping(hook)
        deliver_all()
    (_, first, during), (_, second, after) = far.came
    with time_machine.travel(MONDAY, tick=False):
        for secret in (new, old):
            assert Reference(secret).verify(during, first)["type"] == "ping"
    with time_machine.travel(MONDAY + timedelta(hours=25), tick=False):
        assert Reference(new).verify(after, second)["type"] == "ping"
        with pytest.raises(WebhookVerificationError):
            Reference(old).verify(after, second)


def test_old_deliveries_are_deleted_from_the_log(far: Receiver) -> None:
    delivery = a_delivery(a_league(), far.url)
    deliver_all()
    waiting = a_delivery(a_league(), far.url)
    Delivery.objects.filter(pk=delivery.pk).update(done_at=MONDAY - timedelta(days=365))
    webhooks_delivery.SENDER.delete_old()
    assert [row.pk for row in Delivery.objects.all()] == [waiting.pk]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_second_attempt_does_not_wait_for_a_sweep(
    far: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second attempt used to wait for the next sweep, up to 19 s instead of 5 s."""
    monkeypatch.setattr(retries, "WAITS", (timedelta(seconds=0.5), timedelta(minutes=5)))
    far.status = 500
    delivery = a_delivery(a_league(), far.url)
    deadline = time.monotonic() + 10
    while delivery.log.count() < 2:
        assert time.monotonic() < deadline, "it was not tried again"
        time.sleep(0.05)
    first, second = delivery.log.order_by("number").values_list("made_at", flat=True)
    assert second - first >= timedelta(seconds=0.5 * (1 - retries.SPREAD))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_worker_delivers_a_hand_immediately(far: Receiver) -> None:
    night = a_night()
    a_hook(night.league, far.url)
    record_hand(night, uuid4(), holdem(), by=None)
    deadline = time.monotonic() + 20
    while not Delivery.objects.filter(outcome="delivered").exists():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)
    assert len(far.came) == 1
    assert Webhook.objects.get().failing_since is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_enabling_a_paused_webhook_sends_its_waiting_deliveries(far: Receiver) -> None:
    hook, now = a_hook(a_league(), far.url), timezone.now()
    event = Event.objects.create(league=hook.league, kind=EventKind.PING, data={})
    delivery = Delivery.objects.create(webhook=hook, event=event, due_at=now)
    Webhook.objects.update(resumes_at=now + timedelta(hours=1))
    management.enable(hook)
    deadline = time.monotonic() + 10
    while again(delivery).done_at is None:
        assert time.monotonic() < deadline, "it was not sent"
        time.sleep(0.05)
    assert far.ids == [str(delivery.event.id)]
