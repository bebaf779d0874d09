"""Standard Webhooks 1.0 (standardwebhooks.com), verified with the reference library."""

import json
import logging
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from uuid import uuid4

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings
from standardwebhooks.webhooks import Webhook as Reference
from standardwebhooks.webhooks import WebhookVerificationError

from league.models import Delivery, League, Role, Webhook
from league.recording.record import record_hand
from league.sending.retries import LONGEST_RETRY_AFTER, WAITS, pause_after, retry_after
from league.webhooks import delivery as webhooks_delivery
from league.webhooks import management
from league.webhooks.delivery import signature
from league.webhooks.management import secret_of
from tests.helpers.api.clients import member, send
from tests.helpers.api.clients import member as client_of
from tests.helpers.league.leagues import a_league, a_night, holdem
from tests.helpers.league.receiver import HERE, Receiver, a_hook, deliver_all, receiver

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def far(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [HERE]
    with receiver() as server:
        yield server


def by_api(league: League, url: str) -> str:
    host, at = client_of(league, Role.HOST), f"/api/v1/leagues/{league.pk}/webhooks"
    return str(send(host, at, {"id": str(uuid4()), "url": url}).json()["secret"])


def by_page(league: League, url: str) -> str:
    form = {"id": uuid4(), "url": url, "events": ["night.closed", "hand.settled"]}
    answer = member(league, Role.HOST).post(f"/leagues/{league.pk}/webhooks", form)
    return _shown(answer.content.decode())


def again_by_api(hook: Webhook) -> str:
    at = f"/api/v1/leagues/{hook.league_id}/webhooks/{hook.pk}/rotate"
    return str(client_of(hook.league, Role.HOST).post(at).json()["secret"])


def again_by_page(hook: Webhook) -> str:
    at = f"/leagues/{hook.league_id}/webhooks/{hook.pk}/rotate"
    return _shown(member(hook.league, Role.HOST).post(at).content.decode())


def _shown(page: str) -> str:
    match = re.search(r'id="address">([^<]+)<', page)
    assert match
    return match[1]


def reads(secret: str, far: Receiver, number: int = -1) -> bool:
    """Return whether a receiver with this secret accepts the message."""
    _, headers, body = far.came[number]
    try:
        Reference(secret).verify(body, headers)
    except WebhookVerificationError:
        return False
    return True


@pytest.mark.parametrize(
    ("make", "rotate"), [(by_api, again_by_api), (by_page, again_by_page)], ids=["api", "page"]
)
def test_message_verifies_during_secret_rotation(
    far: Receiver, make: Callable[[League, str], str], rotate: Callable[[Webhook], str]
) -> None:
    with time_machine.travel(MONDAY, tick=False) as clock:
        night = a_night()
        first = make(night.league, far.url)
        hook = Webhook.objects.get()
        record_hand(night, uuid4(), holdem(), by=None)
        deliver_all()
        assert reads(first, far)
        second = rotate(hook)
        clock.shift(timedelta(hours=12))
        third = rotate(hook)
        management.ping(hook)
        deliver_all()
        assert [reads(secret, far) for secret in (first, second, third)] == [True, True, True]
        clock.shift(timedelta(hours=12))
        management.ping(hook)
        deliver_all()
        assert [reads(secret, far) for secret in (first, second, third)] == [False, True, True]
        clock.shift(timedelta(hours=12))
        management.ping(hook)
        deliver_all()
        assert [reads(secret, far) for secret in (first, second, third)] == [False, False, True]


def test_headers_and_signatures_match_the_specification_exactly(far: Receiver) -> None:
    hook, old = management.create(a_league(), uuid4(), far.url, by=None)
    hook, new = management.rotate(hook)
    delivery = management.ping(hook)
    deliver_all()
    [(_, headers, body)] = far.came
    names = {name for name in headers if name.startswith("webhook-")}
    assert names == {"webhook-id", "webhook-timestamp", "webhook-signature"}
    assert headers["webhook-id"] == str(delivery.event.id)
    assert re.fullmatch(r"[0-9]{10}", headers["webhook-timestamp"])
    assert re.fullmatch(
        r"v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=", headers["webhook-signature"]
    )
    sent = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    theirs = [
        Reference(each).sign(headers["webhook-id"], sent, body.decode()) for each in (new, old)
    ]
    assert headers["webhook-signature"].split(" ") == theirs


def test_changed_id_time_or_body_breaks_the_signature(far: Receiver) -> None:
    _, secret = management.create(a_league(), uuid4(), far.url, by=None)
    management.ping(Webhook.objects.get())
    deliver_all()
    [(path, headers, body)] = far.came
    later = str(int(headers["webhook-timestamp"]) + 1)
    far.came += [
        (path, {**headers, "webhook-id": str(uuid4())}, body),
        (path, {**headers, "webhook-timestamp": later}, body),
        (path, headers, body + b" "),
    ]
    assert [reads(secret, far, number) for number in range(4)] == [True, False, False, False]


def test_payload_contains_type_time_and_data(far: Receiver) -> None:
    night = a_night()
    a_hook(night.league, far.url)
    record_hand(night, uuid4(), holdem(), by=None)
    deliver_all()
    [(_, _, body)] = far.came
    data = json.loads(body)
    event = Delivery.objects.get().event
    assert (data["type"], data["data"]) == ("hand.settled", event.data)
    assert datetime.fromisoformat(data["timestamp"]) == event.made_at
    assert data["timestamp"].endswith("Z")
    assert (data["id"], data["sequence"]) == (str(event.id), event.sequence)


@given(st.text(max_size=40), st.text(min_size=1, max_size=40))
def test_secrets_are_24_to_64_bytes_in_standard_base64(salt: str, key: str) -> None:
    prefix, _, rest = secret_of(salt, key).partition("_")
    assert prefix == "whsec"
    assert 24 <= len(b64decode(rest, validate=True)) <= 64


@given(st.uuids(), st.integers(0, 2**33), st.text(max_size=200))
def test_signature_matches_the_reference_library(event: object, at: int, text: str) -> None:
    secret, sent = secret_of("salt", "key"), datetime.fromtimestamp(at, UTC)
    ours = signature(secret, str(event), at, text.encode())
    assert ours == Reference(secret).sign(str(event), sent, text)


# Responses


@pytest.mark.parametrize("status", [100, 199, 300, 301, 304, 400, 404, 500, 503])
def test_only_2xx_responses_count_as_success(far: Receiver, status: int) -> None:
    far.status = status
    a_hook(a_league(), far.url)
    delivery = management.ping(Webhook.objects.get())
    deliver_all()
    delivery.refresh_from_db()
    assert delivery.state == "waiting"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_all_2xx_responses_count_as_success(far: Receiver, status: int) -> None:
    far.status = status
    a_hook(a_league(), far.url)
    delivery = management.ping(Webhook.objects.get())
    deliver_all()
    delivery.refresh_from_db()
    assert delivery.state == "delivered"


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_delays_all_deliveries_to_the_webhook(
    far: Receiver, status: int, form: str
) -> None:
    with time_machine.travel(MONDAY, tick=False) as clock:
        until = MONDAY + timedelta(hours=3)
        header = "10800" if form == "seconds" else format_datetime(until, usegmt=True)
        far.status, far.headers = status, {"Retry-After": header}
        night = a_night()
        a_hook(night.league, far.url)
        for _ in range(3):
            record_hand(night, uuid4(), holdem(), by=None)
        deliver_all()
        assert len(far.came) == 1
        assert max(Delivery.objects.values_list("due_at", flat=True)) >= until
        clock.move_to(until - timedelta(seconds=1))
        deliver_all()
        assert len(far.came) == 1
        far.status, far.headers = 204, {}
        clock.move_to(until)
        deliver_all()
        assert len(far.came) == 4


def test_retry_after_never_shortens_the_default_wait(far: Receiver) -> None:
    with time_machine.travel(MONDAY, tick=False):
        far.status, far.headers = 500, {"Retry-After": "0"}
        hook = a_hook(a_league(), far.url)
        delivery = management.ping(hook)
        deliver_all()
        delivery.refresh_from_db()
        assert delivery.due_at >= MONDAY + 0.8 * WAITS[0]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("120", 120),
        (" 120 ", 120),
        ("Mon, 02 Mar 2026 12:00:30 GMT", 30),
        ("Mon, 02 Mar 2026 12:00:30 -0000", 30),
        ("Monday, 02-Mar-26 12:00:30 GMT", 30),
        ("Mon Mar  2 12:00:30 2026", 30),
        ("Mon, 02 Mar 2026 11:00:00 GMT", 0),
        ("-5", 0),
        ("soon", 0),
        ("\u0663", 0),
        ("9" * 4_000, LONGEST_RETRY_AFTER.total_seconds()),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_RETRY_AFTER.total_seconds()),
        ("Mon, 02 Mar 99999 12:00:00 GMT", 0),
    ],
)
def test_retry_after_can_be_seconds_or_a_date_and_is_limited(
    header: str | None, seconds: float
) -> None:
    """RFC 9110, 10.2.3 and 5.6.7: the value is a number, or a date in one of three formats."""
    assert retry_after(header, MONDAY) == seconds


@given(st.text(max_size=60))
def test_any_retry_after_value_is_parsed(header: str) -> None:
    assert 0 <= retry_after(header, MONDAY) <= LONGEST_RETRY_AFTER.total_seconds()


@given(st.integers(1, 10_000))
def test_pause_is_limited_after_any_number_of_failures(failures: int) -> None:
    assert timedelta() < pause_after(failures) <= timedelta(hours=2)


def test_waits_between_attempts_grow_as_specified() -> None:
    assert list(WAITS) == sorted(WAITS)
    assert timedelta(days=2) < sum(WAITS, timedelta()) < webhooks_delivery.DISABLE_AFTER


# Secrets


def test_no_secret_is_logged_or_stored(far: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    league = a_league()
    secrets = [by_api(league, far.url)]
    hook = Webhook.objects.get()
    secrets.append(again_by_api(hook))
    far.status = 500
    management.ping(hook)
    deliver_all()
    assert far.came
    rows = [*Webhook.objects.values(), *Delivery.objects.values("event__data", "log__said")]
    for secret in secrets:
        bare = secret.removeprefix("whsec_")
        assert bare not in caplog.text
        assert bare not in str(rows)
