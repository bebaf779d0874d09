"""The pages on which hosts manage a league's webhooks."""

import re
from uuid import uuid4

import pytest

from league.models import Role, Webhook
from league.webhooks import delivery
from league.webhooks.management import secrets_of
from tests.helpers.api.clients import member, someone
from tests.helpers.league.leagues import a_league
from tests.helpers.league.pages import html
from tests.helpers.league.receiver import a_hook, resolved_to

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/"


def address(hook: Webhook, rest: str = "") -> str:
    return f"/leagues/{hook.league_id}/webhooks/{hook.pk}{rest}"


def test_host_creates_a_webhook_and_sees_its_secret_once() -> None:
    league = a_league()
    host, at = member(league, Role.HOST), f"/leagues/{league.pk}/webhooks"
    form = {"id": uuid4(), "url": URL, "note": "board", "events": ["night.closed"]}
    answer = host.post(at, form)
    hook = Webhook.objects.get()
    match = re.search(r'id="address">([^<]+)<', html(answer))
    assert match
    assert [match[1]] == secrets_of(hook)
    assert answer["Cache-Control"] == "private, no-store"
    assert hook.events == ["night.closed"]
    for page in (at, address(hook)):
        text = html(host.get(page))
        assert "board" in text
        assert match[1] not in text


def test_error_is_shown_next_to_the_typed_value() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    form = {"id": uuid4(), "url": "http://10.0.0.1/", "events": ["night.closed"]}
    answer = host.post(f"/leagues/{league.pk}/webhooks", form)
    assert answer.status_code == 400
    assert b"not a public internet address" in answer.content
    assert b'value="http://10.0.0.1/"' in answer.content


def test_host_tests_a_webhook_sees_the_result_and_resends_it() -> None:
    hook = a_hook(a_league(), URL)
    host = member(hook.league, Role.HOST)
    host.post(address(hook, "/ping"))
    delivery.WebhookSender(resolved_to("10.0.0.1")).send_next(hook.league_id)
    hook.deliveries.update(outcome="given-up", done_at=hook.made_at)
    page = html(host.get(address(hook)))
    assert "may not be called" in page
    assert "The last delivery failed. The next try is at" in page
    assert "failed" in page
    host.post(address(hook, f"/deliveries/{hook.deliveries.get().pk}"))
    assert hook.deliveries.get().state == "waiting"
    assert "The last delivery failed" not in html(host.get(address(hook)))


def test_host_resends_a_time_range_of_deliveries() -> None:
    hook = a_hook(a_league(), URL)
    host = member(hook.league, Role.HOST)
    assert "Resend a period" not in html(host.get(address(hook)))
    host.post(address(hook, "/ping"))
    hook.deliveries.update(outcome="delivered", done_at=hook.made_at)
    page = host.get(address(hook))
    span = {each.html_name: each.value() for each in page.context["form"]}
    typed = {name: each.strftime("%Y-%m-%dT%H:%M") for name, each in span.items()}
    for form, message in (
        ({**typed, "before": typed["after"]}, "This must be later than"),
        ({"after": "soon"}, "Enter a valid date/time."),
    ):
        answer = host.post(address(hook, "/deliveries/span"), form)
        assert answer.status_code == 400
        assert message in html(answer)
    assert hook.deliveries.get().state == "delivered"
    answer = host.post(address(hook, "/deliveries/span"), typed, follow=True)
    assert "sending 1 delivery again" in html(answer)
    assert hook.deliveries.get().state == "waiting"


def test_host_rotates_the_secret_and_enables_and_removes_the_webhook() -> None:
    hook = a_hook(a_league(), URL)
    host = member(hook.league, Role.HOST)
    assert b'id="address"' in host.post(address(hook, "/rotate")).content
    Webhook.objects.update(disabled_at=hook.made_at)
    assert b"was turned off" in host.get(address(hook)).content
    host.post(address(hook, "/enable"))
    assert Webhook.objects.get().state == "active"
    host.post(address(hook, "/retire"))
    assert Webhook.objects.get().state == "retired"
    for page in (f"/leagues/{hook.league_id}/webhooks", address(hook)):
        assert '<span class="tag">removed</span>' in html(host.get(page))
    assert b'id="address"' not in host.post(address(hook, "/rotate")).content
    assert host.post(address(hook, "/delete")).status_code == 404


def test_only_hosts_can_open_webhook_pages() -> None:
    hook = a_hook(a_league(), URL)
    for role in (Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER):
        assert member(hook.league, role).get(address(hook)).status_code == 403
    assert someone().get(address(hook)).status_code == 404
    assert member(a_league(), Role.HOST).post(address(hook, "/retire")).status_code == 404
