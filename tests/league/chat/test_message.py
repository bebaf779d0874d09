"""Chat messages, sent by apprise in its own process to a local server."""

import json
import time
from typing import Any
from urllib.parse import unquote_plus

import pytest

from league.chat.message import Message, disarmed, send
from tests.helpers.league.receiver import HERE, Receiver, receiver
from tests.helpers.stages import sample

MESSAGE = Message("Thursdays: Night 3", "1. ann +10\n2. bob -10", b"\x89PNG\r\n\x1a\n")


def there(service: Receiver, topic: str = "thursdays") -> str:
    return f"ntfy://127.0.0.1:{service.port}/{topic}?mode=private&image=no"


@pytest.fixture
def allowed(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [HERE]


@pytest.mark.usefixtures("allowed")
def test_chat_message_includes_text_and_picture() -> None:
    with receiver() as service:
        service.status = 200
        answer = send("ntfy", there(service), MESSAGE)
    assert (answer.arrived, answer.partly, answer.status) == (True, False, 200)
    said = b"".join(body for *_, body in service.came)
    assert b"\x89PNG" in said
    messages = " ".join(unquote_plus(path) for path, *_ in service.came)
    assert "Thursdays: Night 3" in messages
    assert "2. bob -10" in messages


def test_local_addresses_are_never_contacted() -> None:
    with receiver() as service:
        answer = send("ntfy", there(service), MESSAGE)
    assert (answer.arrived, answer.partly, answer.status) == (False, False, None)
    assert answer.blocked == "a private address"
    assert service.came == []


@pytest.mark.usefixtures("allowed")
def test_redirect_is_not_followed() -> None:
    with receiver() as service, receiver() as other:
        service.status, service.headers = 307, {"Location": f"http://127.0.0.1:{other.port}/"}
        answer = send("ntfy", there(service), MESSAGE)
    assert not answer.arrived
    assert answer.status == 307
    assert other.came == []


@pytest.mark.usefixtures("allowed")
def test_proxy_set_in_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver() as service, receiver() as proxy:
        service.status = 200
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        answer = send("ntfy", there(service), MESSAGE)
    assert answer.arrived
    assert proxy.came == []


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("status", sample([401, 404, 429, 500], 2))
def test_service_response_is_reported(status: int) -> None:
    with receiver() as service:
        service.status = status
        answer = send("ntfy", there(service), MESSAGE)
    assert (answer.arrived, answer.partly, answer.status) == (False, False, status)


@pytest.mark.usefixtures("allowed")
def test_sending_to_an_unresponsive_service_stops_at_the_deadline() -> None:
    with receiver() as service:
        service.answers.clear()
        began = time.monotonic()
        answer = send("ntfy", there(service), MESSAGE, seconds=3.0)
        assert time.monotonic() - began < 10
    assert (answer.arrived, answer.partly) == (False, True)  # the result is unknown


def test_mentions_and_links_in_names_are_disabled() -> None:
    """Names such as @everyone (Discord) and <!channel> (Slack) would notify all members."""
    text = disarmed("@everyone <!channel> <https://example.org|here>")
    assert "@everyone" not in text
    assert "<" not in text
    assert json.dumps(text)
    # https://support.discord.com/hc/en-us/articles/210298617: masked links
    for masked in ("[the recap](https://evil.example)", "[[a](b)](c)", "![a](b)"):
        assert "](" not in disarmed(masked)
