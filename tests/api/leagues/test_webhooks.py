"""/api/v1/leagues/{id}/webhooks"""

from uuid import uuid4

import pytest

from league.models import Role, Webhook
from league.recording.record import record_hand
from tests.helpers.api.clients import member, refusal, reported_errors, send, someone
from tests.helpers.league.leagues import a_league, a_night, holdem
from tests.helpers.league.receiver import a_hook

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/"


def address(hook: Webhook, rest: str = "") -> str:
    return f"/api/v1/leagues/{hook.league_id}/webhooks/{hook.pk}{rest}"


def test_host_creates_a_webhook_and_sees_its_secret_once() -> None:
    league, hook_id = a_league(), str(uuid4())
    host, at = member(league, Role.HOST), f"/api/v1/leagues/{league.pk}/webhooks"
    sent = {"id": hook_id, "url": URL, "events": ["hand.settled"], "note": "scoreboard"}
    first, again = send(host, at, sent), send(host, at, sent)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first["Location"] == f"{at}/{hook_id}"
    body = first.json()
    assert body["secret"].startswith("whsec_")
    assert (body["url"], body["events"], body["state"]) == (URL, ["hand.settled"], "active")
    assert "secret" not in again.json()
    [listed] = host.get(at).json()["results"]
    assert listed == again.json() == host.get(f"{at}/{hook_id}").json()


def test_all_errors_are_reported_together() -> None:
    league, hook_id = a_league(), str(uuid4())
    host, at = member(league, Role.HOST), f"/api/v1/leagues/{league.pk}/webhooks"
    private = {"id": hook_id, "url": "http://10.0.0.1/", "events": [], "note": "n" * 200}
    assert reported_errors(send(host, at, private)) == [
        ("url", "private-address"),
        ("note", "too-long"),
        ("events", "unknown-event"),
    ]
    sent = {"id": hook_id, "url": URL, "secret": "x", "events": 7}
    assert reported_errors(send(host, at, sent)) == [("secret", "unknown-key")]
    assert reported_errors(send(host, at, {})) == [("url", "missing"), ("id", "missing")]


def test_webhook_can_be_changed_rotated_and_retired() -> None:
    hook = a_hook(a_league(), URL)
    host = member(hook.league, Role.HOST)
    changed = host.patch(address(hook), {"note": "b"}, content_type="application/json")
    assert (changed.json()["note"], changed.json()["url"]) == ("b", URL)
    assert host.post(address(hook, "/rotate")).json()["secret"].startswith("whsec_")
    Webhook.objects.update(disabled_at=hook.made_at)
    assert reported_errors(host.post(address(hook, "/ping"))) == [("", "disabled")]
    assert host.post(address(hook, "/enable")).json()["state"] == "active"
    assert host.post(address(hook, "/retire")).json()["state"] == "retired"
    assert reported_errors(host.post(address(hook, "/rotate"))) == [("", "retired")]


def test_deliveries_can_be_listed_and_resent() -> None:
    night = a_night()
    hook = a_hook(night.league, URL)
    host = member(night.league, Role.HOST)
    record_hand(night, uuid4(), holdem(), by=None)
    ping = host.post(address(hook, "/ping"))
    assert (ping.status_code, ping.json()["type"]) == (202, "ping")
    hook.deliveries.update(outcome="given-up", done_at=hook.made_at)
    results = host.get(address(hook, "/deliveries")).json()["results"]
    assert [each["type"] for each in results] == ["ping", "hand.settled"]
    assert [(each["state"], each["due_at"], each["attempts"]) for each in results] == [
        ("given-up", None, []),
        ("given-up", None, []),
    ]
    again = host.post(address(hook, f"/deliveries/{results[1]['id']}/resend"))
    assert (again.status_code, again.json()["state"]) == (202, "waiting")
    refusal(host.post(address(hook, f"/deliveries/{uuid4()}/resend")), 404)


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER])
def test_only_hosts_can_see_and_change_webhooks(role: Role) -> None:
    hook = a_hook(a_league(), URL)
    client = member(hook.league, role)
    refusal(client.get(f"/api/v1/leagues/{hook.league_id}/webhooks"), 403)
    for rest in ("/rotate", "/enable", "/retire", "/ping"):
        refusal(client.post(address(hook, rest)), 403)
    refusal(client.get(address(hook, "/deliveries")), 403)


def test_outsiders_and_other_hosts_cannot_find_a_webhook() -> None:
    hook, other = a_hook(a_league(), URL), a_league()
    refusal(someone().get(address(hook)), 404)
    host = member(other, Role.HOST)
    refusal(host.get(address(hook)), 404)
    refusal(host.get(f"/api/v1/leagues/{other.pk}/webhooks/{hook.pk}"), 404)
