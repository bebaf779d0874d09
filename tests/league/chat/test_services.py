"""Chat addresses, parsed by our own patterns and rebuilt for apprise."""

from typing import Any

import apprise
import pytest

from league.chat.services import SERVICES, read_address
from league.common.errors import RefusedError

# apprise includes a replacement for imghdr, which later versions of Python lack.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
ADDRESSES = {
    "discord": "https://discord.com/api/webhooks/123456789012345678/aB-c_d" + "x" * 60,
    "telegram": "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/-1001234567890",
    "slack": "https://hooks.slack.com/services/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",
    "matrix": "matrixs://syt_abcdefghijkl@matrix.example.org/!room:example.org",
    "ntfy": "https://ntfy.example.org/our-long-topic",
    "mail": "mailtos://me%40example.org:secret@smtp.example.org?to=us@example.org",
}
PLUGINS = {
    "discord": "NotifyDiscord",
    "telegram": "NotifyTelegram",
    "slack": "NotifySlack",
    "matrix": "NotifyMatrix",
    "ntfy": "NotifyNtfy",
    "mail": "NotifyEmail",
}
HOSTILE = (
    "",
    "file:///etc/passwd",
    "json://127.0.0.1/",
    "syslog://",
    "https://discord.com/api/webhooks/1/abc?template=/etc/passwd",
    "https://discord.com.example.org/api/webhooks/1/abc",
    "https://ntfy.sh/topic?attach=file:///etc/passwd",
    "https://ntfy.sh/a/b",
    "https://user:password@ntfy.sh/topic",
    "matrixs://token_of_it@example.org/!room:example.org?mode=slack",
    "mailtos://a:b@smtp.example.org?to=us@example.org&attach=/etc/passwd",
    "mailtos://a:b@smtp.example.org?to=us@example.org,them@example.org",
    "ntfys://example.org/topic\nX: y",
)


def _plugin(service: str) -> Any:
    url = read_address(ADDRESSES[service]).url
    return apprise.Apprise.instantiate(url, suppress_exceptions=False)


def test_every_service_has_an_address_format_and_a_documented_example() -> None:
    assert [each.code for each in SERVICES] == list(ADDRESSES)
    assert all(each.example and each.how for each in SERVICES)


@pytest.mark.parametrize("service", ADDRESSES)
def test_apprise_accepts_the_address_of_every_service(service: str) -> None:
    """The formats are documented at https://github.com/caronc/apprise/wiki."""
    place = read_address(f" {ADDRESSES[service]} ")
    assert place.service == service
    assert type(_plugin(service)).__name__ == PLUGINS[service]


@pytest.mark.parametrize("service", ADDRESSES)
def test_displayed_address_contains_no_secret(service: str) -> None:
    label = read_address(ADDRESSES[service]).label
    assert len(label) <= 4 or label.endswith("example.org")


def test_apprise_receives_the_parts_of_an_address_unchanged() -> None:
    mail, matrix = (_plugin(service) for service in ("mail", "matrix"))
    assert (mail.user, mail.password, mail.from_addr[1]) == (
        "me@example.org",
        "secret",
        "me@example.org",
    )
    assert matrix.rooms == ["!room:example.org"]


@pytest.mark.parametrize("address", HOSTILE)
def test_apprise_options_and_unsupported_services_are_refused(address: str) -> None:
    """Options such as templates and attachments could read local files."""
    with pytest.raises(RefusedError) as refused:
        read_address(address)
    assert [each["where"] for each in refused.value.errors] == ["address"]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("https://10.0.0.1/topic", "private-address"),
        ("https://127.0.0.1/topic", "private-address"),
        ("https://ntfy.example.org:22/topic", "bad-port"),
        ("https://ntfy.example.org:99999/topic", "bad-url"),
        ("http://ntfy.example.org/topic", "bad-url"),
        ("matrix://token_of_it@example.org/!room:example.org", "bad-url"),
        ("mailtos://a:b@192.168.1.1?to=us@example.org", "private-address"),
        ("mailtos://a:b@smtp.example.org:25?to=us@example.org", "bad-port"),
        ("https://ntfy.sh/" + "x" * 3000, "too-long"),
    ],
)
def test_forbidden_address_is_refused(address: str, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_address(address)
    assert [each["code"] for each in refused.value.errors] == [code]


def test_unknown_address_is_compared_with_the_examples() -> None:
    with pytest.raises(RefusedError, match=r"ntfy or e-mail\. Compare it with"):
        read_address("https://example.org/topic/x/y")


def test_owner_can_allow_an_address_on_the_local_network(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = ["192.168.1.0/24"]
    assert read_address("http://192.168.1.5:8080/topic").url.startswith("ntfy://192.168.1.5:8080/")
