"""Pushes are sent once despite crashes, stop for removed phones, and never reach other users."""

import logging
import time
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from pytest_django import Settings

from league.common import row_limits
from league.common.errors import RefusedError
from league.jobs import leases
from league.models import (
    LogbookEntry,
    Membership,
    Night,
    Notice,
    Player,
    PushMessage,
    PushSubscription,
)
from league.notices import messages, queueing, subscriptions
from league.notices.subscriptions import Address, PushSender
from league.privacy.data_export import as_json, of_user
from league.privacy.erasure import erase_user
from tests.helpers.league.deals import user_of
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.leases import let_leases_run_out
from tests.helpers.league.push_service import (
    PushPhone,
    live,
    make_due,
    send_all,
    signed_by,
    switched_on,
)
from tests.helpers.league.receiver import Receiver, deliver_all, resolved_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def ann(night: Night, service: Receiver) -> PushPhone:
    return switched_on(user_of(player(night, "ann")), service, "ann")


def call(night: Night) -> PushMessage:
    """Ask all players to count their chips. Only ann has a phone."""
    messages.notify_to_count(night, by=None)
    return PushMessage.objects.get()


class Killed(BaseException):
    pass


def die(*_: Any, **__: Any) -> None:
    raise Killed


def test_push_is_encrypted_and_signed_and_has_a_topic(
    ann: PushPhone, night: Night, service: Receiver
) -> None:
    push = call(night)
    send_all()
    [(_, headers, body)] = service.came
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["ttl"] == str(12 * 60 * 60)
    assert headers["topic"] == subscriptions.topic(push.notice)
    assert len(headers["topic"]) == 32
    assert b"Count" not in body
    [told] = ann.came()
    assert told["title"] == "Count your chips"
    push.refresh_from_db()
    assert push.outcome == PushMessage.Outcome.DELIVERED


@pytest.mark.parametrize("where", ["before it sends", "after it has sent"])
def test_killed_worker_neither_loses_nor_duplicates_a_push(
    where: str, ann: PushPhone, night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repeated push has the same tag, so the phone replaces the first one."""
    call(night)
    with monkeypatch.context() as patched:
        sender, name = (
            (subscriptions, "post") if where == "before it sends" else (PushSender, "record")
        )
        patched.setattr(sender, name, die)
        with pytest.raises(Killed):
            send_all()
    send_all()
    assert len(ann.came()) == (where == "after it has sent")  # the lease is still valid
    let_leases_run_out()
    send_all()
    send_all()
    assert len({each["tag"] for each in ann.came()}) == 1
    assert len({headers["topic"] for _, headers, _ in ann.service.came}) == 1
    assert PushMessage.objects.get().outcome == PushMessage.Outcome.DELIVERED
    let_leases_run_out()
    make_due()
    before = len(ann.came())
    send_all()
    assert len(ann.came()) == before


def test_push_with_a_lost_lease_is_not_sent_again(ann: PushPhone, night: Night) -> None:
    call(night)
    [push] = leases.lease_due(PushMessage.objects.all())
    for _ in range(2):
        subscriptions.SENDER.deliver(push)
    assert len(ann.came()) == 1


def test_event_repeated_with_the_same_key_sends_one_notification(
    ann: PushPhone, night: Night
) -> None:
    for _ in range(3):
        call(night)
        send_all()
    assert len(ann.came()) == 1


def test_new_phone_receives_no_earlier_notifications(
    ann: PushPhone, night: Night, service: Receiver
) -> None:
    call(night)
    late = switched_on(user_of(player(night, "ann")), service, "late")
    messages.notify_to_count(night, by=None)
    send_all()
    assert (len(ann.came()), late.came()) == (1, [])


@pytest.mark.parametrize("status", [404, 410])
def test_removed_phone_receives_no_more_notifications(
    status: int, ann: PushPhone, night: Night, service: Receiver
) -> None:
    service.status = status
    call(night)
    send_all()
    row = PushSubscription.objects.get()
    assert row.gone_at
    assert row.address == ""
    assert PushMessage.objects.get().outcome == PushMessage.Outcome.GIVEN_UP
    assert len(service.came) == 1


def test_push_is_retried_later_if_the_service_is_unavailable(
    ann: PushPhone, night: Night, service: Receiver
) -> None:
    service.status, service.headers = 503, {"Retry-After": "120"}
    call(night)
    send_all()
    push = PushMessage.objects.get()
    assert push.done_at is None
    assert push.due_at >= timezone.now() + timedelta(seconds=110)
    service.status, service.headers = 201, {}
    make_due()
    send_all()
    assert PushMessage.objects.get().outcome == PushMessage.Outcome.DELIVERED


def test_refused_push_is_not_retried(ann: PushPhone, night: Night, service: Receiver) -> None:
    service.status = 413
    call(night)
    send_all()
    assert PushMessage.objects.get().outcome == PushMessage.Outcome.GIVEN_UP
    assert live(user_of(player(night, "ann"))) == 1


def test_outdated_push_is_not_sent(ann: PushPhone, night: Night, service: Receiver) -> None:
    call(night)
    Notice.objects.update(made_at=timezone.now() - timedelta(hours=13))
    send_all()
    assert service.came == []
    assert PushMessage.objects.get().outcome == PushMessage.Outcome.GIVEN_UP


def test_former_member_receives_no_notifications(
    ann: PushPhone, night: Night, service: Receiver
) -> None:
    call(night)
    Player.objects.filter(pk=player(night, "ann").pk).update(user=None)
    Membership.objects.filter(user__username="phone-of-ann").delete()
    send_all()
    assert service.came == []


def test_phone_whose_session_ended_receives_no_notifications(
    ann: PushPhone, night: Night, service: Receiver
) -> None:
    """A phone gets no notifications after its user signs out or is signed out elsewhere."""
    call(night)
    Session.objects.all().delete()
    send_all()
    assert service.came == []
    assert live(user_of(player(night, "ann"))) == 0


def test_push_endpoint_cannot_be_a_local_address(
    ann: PushPhone, night: Night, service: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_NETWORKS = []
    call(night)
    send_all()
    assert service.came == []
    assert PushMessage.objects.get().done_at is None
    make_due()
    deliver_all(PushSender(resolved_to("10.0.0.1")))
    assert service.came == []


GOOD_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "push.example.org",
        "http://push.example.org/x",
        "https://10.0.0.1/x",
        "https://127.0.0.1/x",
        "https://ann:secret@push.example.org/x",
        "https://push.example.org:8443/x",
        f"https://push.example.org/{'x' * 2000}",
    ],
)
def test_all_errors_in_a_subscription_are_reported_together(endpoint: str) -> None:
    with pytest.raises(RefusedError) as refused:
        subscriptions.subscribe(
            a_user(), Address(endpoint, "no key", "short"), session_key="x", kind=""
        )
    assert [each["where"] for each in refused.value.errors] == ["endpoint", "p256dh", "auth"]


def test_key_that_is_not_on_the_curve_is_refused() -> None:
    key = GOOD_KEY[:-4] + "AAAA"
    with pytest.raises(RefusedError) as refused:
        subscriptions.subscribe(
            a_user(),
            Address("https://push.example.org/x", key, "BTBZMqHH6r4Tts7J_aSIgg"),
            session_key="x",
            kind="",
        )
    assert [each["where"] for each in refused.value.errors] == ["p256dh"]


def test_tables_logs_and_files_contain_no_endpoints_or_keys(
    ann: PushPhone, night: Night, service: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.status, service.said = 500, b"who is that"
    call(night)
    send_all()
    address, user = ann.address, user_of(player(night, "ann"))
    rows = [
        *PushSubscription.objects.values(),
        *PushMessage.objects.values(),
        *Notice.objects.values(),
    ]
    stored = f"{rows} {list(LogbookEntry.objects.values())} {as_json(of_user(user))} {caplog.text}"
    for secret in (address.endpoint, ann.path, address.p256dh, address.auth):
        assert secret not in stored
    assert "Safari, iPhone" in as_json(of_user(user))
    assert list(LogbookEntry.objects.filter(kind="push-added").values_list("about", flat=True))


def test_phone_belongs_to_the_user_who_signed_in_last(
    ann: PushPhone, night: Night, service: Receiver
) -> None:
    call(night)
    bob = user_of(player(night, "bob"))
    subscriptions.subscribe(bob, ann.address, session_key="another", kind="")
    send_all()
    assert service.came == []
    assert (live(user_of(player(night, "ann"))), live(bob)) == (0, 1)


def test_oldest_phones_beyond_the_limit_are_removed(night: Night, service: Receiver) -> None:
    user = user_of(player(night, "ann"))
    for number in range(row_limits.PUSH_PHONES.most + 2):
        switched_on(user, service, f"phone {number}".replace(" ", "-"))
    assert live(user) == row_limits.PUSH_PHONES.most


def test_vapid_key_is_stored_and_regenerated_if_unreadable(
    settings: Settings,
) -> None:
    first = subscriptions.public_text()
    assert subscriptions.public_text() == first
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another " * 8
    assert subscriptions.public_text() == first
    settings.SECRET_KEY_FALLBACKS = []
    assert subscriptions.public_text() != first


@pytest.mark.parametrize(
    ("site_url", "site", "contact"),
    [
        ("https://example.org", "https://else.example.org", "https://example.org"),
        ("", "https://poker.example.org", "https://poker.example.org"),
        ("", "http://127.0.0.1:8000", "mailto:dealers-choice@localhost"),
    ],
)
def test_push_service_receives_a_contact_address(
    site_url: str, site: str, contact: str, ann: PushPhone, settings: Settings
) -> None:
    """RFC 8292, 2.1. Apple's service rejects a mailto address at localhost."""
    settings.SITE_URL = site_url
    header = subscriptions.authorization(ann.address.endpoint, site)
    assert signed_by(header, ann.service.port)["sub"] == contact


def test_phone_that_cannot_be_decrypted_is_removed(
    ann: PushPhone, night: Night, service: Receiver, settings: Settings
) -> None:
    call(night)
    settings.SECRET_KEY = "another " * 8
    send_all()
    assert service.came == []
    assert live(user_of(player(night, "ann"))) == 0


def test_phones_and_notifications_of_an_erased_user_are_deleted(
    ann: PushPhone, night: Night
) -> None:
    call(night)
    erase_user(user_of(player(night, "ann")), by=None)
    for model in (PushSubscription, PushMessage, Notice):
        assert not model._default_manager.exists()


def test_old_notifications_are_deleted(ann: PushPhone, night: Night) -> None:
    call(night)
    send_all()
    queueing.delete_old()
    assert Notice.objects.exists()
    Notice.objects.update(made_at=timezone.now() - queueing.KEEP - timedelta(days=1))
    queueing.delete_old()
    assert not Notice.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_worker_notifies_three_phones_immediately(service: Receiver) -> None:
    night = a_night()
    phones = [
        switched_on(user_of(player(night, name)), service, name) for name in ("ann", "bob", "cat")
    ]
    messages.notify_to_count(night, by=None)
    patience = time.monotonic() + 15
    while PushMessage.objects.filter(done_at=None).exists() and time.monotonic() < patience:
        time.sleep(0.05)
    assert [phone.titles() for phone in phones] == [["Count your chips"]] * 3
