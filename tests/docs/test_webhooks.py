"""The receiver in docs/webhooks.md, tested with real deliveries."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import ThreadingHTTPServer
from threading import Thread
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings

from api.examples import receiver as example
from league.models import Delivery
from league.sending import http_request, retries
from league.webhooks import delivery as webhooks_delivery
from league.webhooks import management
from tests.helpers.config.commands import FENCE, ROOT
from tests.helpers.league.leagues import a_league
from tests.helpers.league.receiver import HERE, Receiver, deliver_all, receiver

pytestmark = pytest.mark.django_db


@pytest.fixture
def far(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [HERE]
    with receiver() as server:
        yield server


def shown() -> Callable[..., bool]:
    """Return the function in the page's example."""
    page = (ROOT / "docs" / "webhooks.md").read_text("utf-8")
    [text] = [block["text"] for block in FENCE.finditer(page) if "def is_ours" in block["text"]]
    assert len(text.partition("def ")[2].splitlines()) <= 10
    names: dict[str, Callable[..., bool]] = {}
    exec(text, names)  # noqa: S102 (our own page)
    return names["is_ours"]


def test_documented_receiver_checks_signature_and_age(far: Receiver) -> None:
    is_ours = shown()
    hook, old = management.create(a_league(), uuid4(), far.url, by=None)
    hook, new = management.rotate(hook)
    management.ping(hook)
    deliver_all()
    [(_, headers, body)] = far.came
    assert is_ours(old, headers, body)
    assert is_ours(new, headers, body)
    assert not is_ours(new, headers, body + b" ")
    assert not is_ours("whsec_" + "A" * 43 + "=", headers, body)
    later = headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}
    assert not is_ours(new, later, body)
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=False):
        assert not is_ours(new, headers, body)


def test_documented_retry_times_are_up_to_date() -> None:
    page = " ".join((ROOT / "docs" / "webhooks.md").read_text("utf-8").split())
    assert (
        timedelta(seconds=5),
        *(timedelta(minutes=each) for each in (5, 30)),
        *(timedelta(hours=each) for each in (2, 5, 10, 14, 20, 24)),
    ) == retries.WAITS
    assert "after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours" in page
    assert (http_request.SECONDS, webhooks_delivery.DISABLE_AFTER.days) == (15, 4)
    assert (retries.FIRST_PAUSE.seconds, retries.LONGEST_PAUSE.seconds) == (15, 3600)


def test_example_receiver_accepts_only_signed_deliveries_and_only_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.WEBHOOK_NETWORKS = [HERE]
    monkeypatch.setattr(example.Receiver, "seen", {})
    monkeypatch.setattr(example.Receiver, "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), example.Receiver) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        hook, secret = management.create(a_league(), uuid4(), url, by=None)
        assert _status(management.ping(hook)) == 401  # the example receiver has no secret yet
        monkeypatch.setattr(example.Receiver, "secret", secret)
        delivery = management.ping(hook)
        assert _status(delivery) == 204
        assert _status(management.resend(Delivery.objects.get(pk=delivery.pk))) == 204
        server.shutdown()
    assert capsys.readouterr().out.count(" ping ") == 1


def _status(delivery: Delivery) -> int | None:
    deliver_all()
    return delivery.log.latest("number").status
