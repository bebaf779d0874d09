"""POST /api/v1/leagues/{id}/webhooks/{id}/deliveries/resend"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from api.http.problems import TOO_MANY_DELIVERIES
from league.models import LogbookEntry, Role, Webhook
from league.recording.record import record_hand
from league.webhooks import management
from tests.helpers.api.clients import member, refusal, reported_errors, send
from tests.helpers.league.leagues import a_league, a_night, holdem
from tests.helpers.league.receiver import a_hook

pytestmark = pytest.mark.django_db


@pytest.fixture
def hook() -> Webhook:
    """A webhook that has just delivered a hand's event."""
    night = a_night()
    made = a_hook(night.league, "https://hooks.example.org/")
    record_hand(night, uuid4(), holdem(), by=None)
    made.deliveries.update(outcome="delivered", done_at=timezone.now())
    return made


def at(hook: Webhook) -> str:
    return f"/api/v1/leagues/{hook.league_id}/webhooks/{hook.pk}/deliveries/resend"


def hours(after: float, before: float) -> dict[str, Any]:
    now = timezone.now()
    return {
        "after": (now + timedelta(hours=after)).isoformat(),
        "before": (now + timedelta(hours=before)).isoformat(),
    }


def test_host_resends_deliveries_in_a_time_range_once_per_key(hook: Webhook) -> None:
    host, body = member(hook.league, Role.HOST), hours(-1, 1)
    keyed = {"content_type": "application/json", "HTTP_IDEMPOTENCY_KEY": "one"}
    event = hook.deliveries.get().event.id
    first = host.post(at(hook), body, **keyed)
    assert (first.status_code, first.json()) == (202, {"deliveries": 1})
    sent = hook.deliveries.get()
    assert (sent.state, sent.event.id) == ("waiting", event)
    hook.deliveries.update(outcome="delivered", done_at=timezone.now())
    again = host.post(at(hook), body, **keyed)
    assert (again.json(), again["Idempotency-Replayed"]) == ({"deliveries": 1}, "true")
    assert hook.deliveries.get().state == "delivered"
    assert LogbookEntry.objects.filter(kind="webhook-resent").count() == 1
    assert send(host, at(hook), hours(-3, -2)).json() == {"deliveries": 0}


def test_invalid_time_range_is_refused(hook: Webhook) -> None:
    host = member(hook.league, Role.HOST)
    assert reported_errors(send(host, at(hook), {})) == [
        ("after", "missing"),
        ("before", "missing"),
    ]
    assert reported_errors(send(host, at(hook), hours(1, -1))) == [("before", "bad-period")]
    zoneless = {"after": "2026-03-02T20:15:00", "before": "yesterday"}
    assert reported_errors(send(host, at(hook), zoneless)) == [
        ("after", "wrong-type"),
        ("before", "wrong-type"),
    ]


def test_requesting_too_many_deliveries_has_its_own_problem_type(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(management, "MOST_RESENT", 0)
    problem = refusal(send(member(hook.league, Role.HOST), at(hook), hours(-1, 1)), 422)
    assert problem["type"] == "/api/problems/too-many-deliveries"
    assert hook.deliveries.get().state == "delivered"


def test_only_hosts_of_the_league_can_resend_deliveries(hook: Webhook) -> None:
    for role in (Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER):
        refusal(send(member(hook.league, role), at(hook), hours(-1, 1)), 403)
    other = a_league()
    host = member(other, Role.HOST)
    refusal(send(host, at(hook), hours(-1, 1)), 404)
    mine = at(hook).replace(str(hook.league_id), str(other.pk))
    refusal(send(host, mine, hours(-1, 1)), 404)
    assert hook.deliveries.get().state == "delivered"


def test_problem_detail_includes_the_limit() -> None:
    assert str(management.MOST_RESENT) in TOO_MANY_DELIVERIES.detail
