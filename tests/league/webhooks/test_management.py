"""Hosts create, change and retire webhooks."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import Settings

from league.common import row_limits
from league.common.errors import IdReusedError, RefusedError
from league.models import Delivery, Event, LogbookEntry, Webhook
from league.sending import retries
from league.webhooks import management
from league.webhooks.delivery import WebhookSender
from league.webhooks.management import secret_of
from tests.helpers.league.leagues import a_league
from tests.helpers.league.receiver import HERE, a_hook, deliver_all, receiver, resolved_to

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=365)
URL = "https://hooks.example.org/a?b=c"


def refused(url: object, **more: object) -> list[tuple[str, str]]:
    with pytest.raises(RefusedError) as raised:
        a_hook(a_league(), url, **more)  # type: ignore[arg-type]
    return [(each["where"], each["code"]) for each in raised.value.errors]


def test_secret_is_shown_once_and_never_stored() -> None:
    league, hook_id = a_league(), uuid4()
    hook, secret = management.create(league, hook_id, URL, by=None)
    assert secret.startswith("whsec_")
    assert management.create(league, hook_id, URL, by=None) == (hook, "")
    row = Webhook.objects.filter(pk=hook_id).values().get()
    assert not any(secret[6:] in str(value) for value in row.values())
    assert secret_of(hook.salt, "another key") != secret


def test_id_cannot_be_reused_for_a_different_webhook() -> None:
    league, hook_id = a_league(), uuid4()
    management.create(league, hook_id, URL, by=None)
    with pytest.raises(IdReusedError):
        management.create(league, hook_id, "https://other.example.org/", by=None)
    with pytest.raises(IdReusedError):
        management.create(a_league(), hook_id, URL, by=None)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "missing"),
        (7, "wrong-type"),
        ("ftp://example.org/", "bad-url"),
        ("example.org", "bad-url"),
        ("https://", "bad-url"),
        ("https://[::1", "bad-url"),
        ("https://example.org:99999/", "bad-url"),
        ("https://user:pass@example.org/", "bad-url"),
        ("https://example.org/#there", "bad-url"),
        ("https://example.org/a b", "bad-url"),
        ("https://example.org/\r\nHost: evil", "bad-url"),
        ("https://example.org/\u2028", "bad-url"),
        ("https://example.org:8080/", "bad-port"),
        ("http://127.0.0.1/", "private-address"),
        ("http://[::ffff:10.0.0.1]/", "private-address"),
        ("https://example.org/" + "a" * 2_000, "too-long"),
        ("https://example.org/\0", "wrong-type"),
    ],
)
def test_impossible_webhook_address_is_refused(url: object, code: str) -> None:
    assert refused(url) == [("url", code)]


def test_all_errors_are_reported_together() -> None:
    assert refused("x", events=["hand.dealt"], note=None) == [
        ("url", "bad-url"),
        ("note", "wrong-type"),
        ("events", "unknown-event"),
    ]


@pytest.mark.parametrize("events", [[], ["ping"], "hand.settled", None, [7], [["hand.settled"]]])
def test_unknown_events_are_refused(events: object) -> None:
    assert refused(URL, events=events) == [("events", "unknown-event")]


def test_service_setting_allows_calls_to_a_local_network(settings: Settings) -> None:
    settings.WEBHOOK_NETWORKS = ["192.168.1.0/24"]
    assert a_hook(a_league(), "http://192.168.1.7:8123/api/webhook/x").state == "active"
    assert refused("http://192.168.2.7:8123/") == [("url", "private-address")]


def test_number_of_webhooks_per_league_is_limited() -> None:
    league = a_league()
    made = [a_hook(league, URL) for _ in range(row_limits.WEBHOOKS.most)]
    with pytest.raises(RefusedError):
        a_hook(league, URL)
    management.retire(made[0])
    a_hook(league, URL)


def test_events_and_address_can_be_changed_until_retirement() -> None:
    hook = a_hook(a_league(), URL)
    changed = management.change(hook, url="https://b.example.org/", events=["night.closed"])
    assert (changed.url, changed.events) == ("https://b.example.org/", ["night.closed"])
    Webhook.objects.update(failures=3, resumes_at=hook.made_at + timedelta(days=1))
    assert management.change(hook, note="the same receiver").is_paused
    assert not management.change(hook, url=URL).is_paused  # a different receiver
    management.retire(hook)
    for deed in (management.change, management.rotate, management.enable, management.ping):
        with pytest.raises(RefusedError):
            deed(hook)
    management.retire(hook)
    assert Webhook.objects.get().state == "retired"


def test_first_failure_after_enabling_causes_only_a_short_pause() -> None:
    hook = a_hook(a_league(), URL)
    Webhook.objects.update(failures=9, disabled_at=hook.made_at)
    management.enable(hook)
    sent = management.ping(hook)
    deliver_all(WebhookSender(resolved_to("10.0.0.1")))  # this address is not called
    pause = Webhook.objects.get().resumes_at - sent.event.made_at
    assert pause < 2 * retries.FIRST_PAUSE


def sent_long_ago(hook: Webhook, days: int) -> Delivery:
    """Create a delivery that arrived n days ago."""
    sent = management.ping(hook)
    at = timezone.now() - timedelta(days=days)
    Event.objects.filter(pk=sent.event_id).update(made_at=at)
    Delivery.objects.filter(pk=sent.pk).update(done_at=at, outcome="delivered")
    return sent


def test_time_range_is_resent_in_order_with_the_same_ids(settings: Settings) -> None:
    settings.WEBHOOK_NETWORKS = [HERE]
    now = timezone.now()
    with receiver() as far:
        league = a_league()
        hook, other = a_hook(league, far.url), a_hook(league, far.url)
        days = [sent_long_ago(hook, age) for age in (5, 4, 3, 2)]
        sent_long_ago(other, 4)
        after, before = (Event.objects.get(pk=days[at].event_id).made_at for at in (1, 3))
        assert management.resend_between(hook, after, before, by=None) == 2
        deliver_all()
        assert far.ids == [str(delivery.event.id) for delivery in days[1:3]]
        entry = LogbookEntry.objects.latest("pk")
        assert (entry.kind, entry.about["deliveries"]) == ("webhook-resent", 2)
        waits = management.ping(hook)
        assert management.resend_between(hook, waits.event.made_at, now + YEAR, by=None) == 0


def test_time_range_with_too_many_deliveries_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(management, "MOST_RESENT", 2)
    hook, now = a_hook(a_league(), URL), timezone.now()
    for days in (3, 2):
        sent_long_ago(hook, days)
    assert management.resend_between(hook, now - YEAR, now, by=None) == 2
    sent_long_ago(hook, 1)
    Delivery.objects.update(done_at=now, outcome="delivered")
    with pytest.raises(management.TooManyDeliveriesError):
        management.resend_between(hook, now - YEAR, now, by=None)
    assert not Delivery.objects.filter(done_at=None).exists()


def test_backward_time_range_or_retired_webhook_is_refused() -> None:
    hook, now = a_hook(a_league(), URL), timezone.now()
    with pytest.raises(RefusedError, match="later than"):
        management.resend_between(hook, now, now, by=None)
    management.retire(hook)
    with pytest.raises(RefusedError, match="was removed"):
        management.resend_between(hook, now - YEAR, now, by=None)
