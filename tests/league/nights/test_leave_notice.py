"""Notice before leaving: given once, withdrawn, and early cash-outs."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league.audit_log import logged_actions
from league.closing.chip_requests import Exchange, exchange
from league.common.errors import RefusedError
from league.models import CashOut, Night, Role, Seat
from league.nights.leave_notice import give_notice, withdraw_notice
from league.nights.nights import seat
from league.people.joining import join
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.nights import chosen, closed
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db

KIND = "application/json"


@pytest.fixture
def night() -> Night:
    return chosen(a_night(), leave_notice=30)


def leaves(night: Night, name: str, **options: Any) -> Any:
    options = {"leaves": True, "chips": 100} | options
    who = player(night, name)
    wanted = Exchange(kind="cash-out", id=uuid4(), night=night, player=who, **options)
    return exchange(wanted, by=None, word=None)


def refused(night: Night, name: str) -> str:
    with pytest.raises(RefusedError) as caught:
        leaves(night, name)
    assert [each["code"] for each in caught.value.errors] == ["early-leave"]
    return str(caught.value.errors[0]["text"])


def pass_minutes(night: Night, minutes: int) -> None:
    for row in night.seats.exclude(leaving_at=None):
        row.leaving_at = row.leaving_at and row.leaving_at - timedelta(minutes=minutes)
        row.save(update_fields=["leaving_at"])


def test_player_leaves_after_the_notice(night: Night) -> None:
    bob = player(night, "bob")
    assert refused(night, "bob") == "the league requires 30 min of notice, and 30 min remain"
    first = give_notice(night, bob)
    pass_minutes(night, 18)
    again = give_notice(night, bob)
    assert first.leaving_at
    assert again.leaving_at == first.leaving_at - timedelta(minutes=18)
    assert refused(night, "bob") == "the league requires 30 min of notice, and 12 min remain"
    leaves(night, "bob", leaves=False, chips=40)
    pass_minutes(night, 12)
    leaves(night, "bob", chips=60)
    assert seat(night, bob).leaving_at is None
    assert logged(night) == []


def test_player_withdraws_the_notice(night: Night) -> None:
    bob = player(night, "bob")
    give_notice(night, bob)
    for _ in range(2):
        assert withdraw_notice(night, bob).leaving_at is None
    leaves(night, "bob", beyond_limits=True)
    assert logged(night) == [100]
    with pytest.raises(RefusedError):
        give_notice(night, bob)


def test_player_without_chips_and_closing_night_need_no_notice(night: Night) -> None:
    leaves(night, "bob", leaves=False)
    leaves(night, "bob", chips=0)
    assert Seat.objects.get(night=night, player=player(night, "bob")).left_at
    closed(night)
    assert logged(night) == []


def logged(night: Night) -> list[int]:
    rows = logged_actions(night.league)
    return [each.about["chips"] for each in rows if each.kind == "left-early"]


def test_player_gives_notice_with_one_tap(night: Night) -> None:
    bob, phone = player(night, "bob"), Client()
    phone.force_login(join(night.league, bob))
    page, at = f"/nights/{night.pk}", f"/nights/{night.pk}/leave-notice"
    keeper = member(night.league, Role.SCOREKEEPER)
    assert "I'm leaving in 30 minutes" in html(phone.get(page))
    for _ in range(2):
        assert phone.post(at, {"player": bob.pk}).status_code == 302
    leaving = Seat.objects.get(night=night, player=bob).leaving_at
    assert leaving
    assert f"bob is leaving at {timezone.localtime(leaving):%H:%M}" in html(phone.get(page))
    assert "bob is staying" in html(keeper.get(page))
    assert "<summary>A player is leaving</summary>" in html(keeper.get(page))
    assert "Leaves in 30 minutes" in html(keeper.get(page))
    assert phone.post(at, {"player": player(night, "ann").pk}).status_code == 403
    assert phone.post(at, {"player": player(a_night(), "ann").pk}).status_code == 404
    keeper.post(at, {"player": bob.pk, "stays": "on"})
    assert "bob is leaving" not in html(phone.get(page))
    closed(night)
    assert "The night is closed" in html(phone.post(at, {"player": bob.pk}, follow=True))


@pytest.mark.parametrize(
    ("limits", "role", "offers"),
    [
        ("warn", Role.SCOREKEEPER, True),
        ("refuse", Role.SCOREKEEPER, False),
        ("refuse", Role.HOST, True),
    ],
)
def test_page_warns_before_a_player_leaves_early(
    night: Night, limits: str, role: Role, offers: bool
) -> None:
    client = member(chosen(night, limits=limits).league, role)
    body = {"player": str(player(night, "bob").pk), "chips": "100", "key": str(uuid4())}
    text = html(client.post(f"/nights/{night.pk}/leave", body))
    assert "The league requires 30 min of notice, and 30 min remain" in text
    assert ("Cash out before the notice is over" in text) is offers
    done = client.post(f"/nights/{night.pk}/leave", body | {"beyond_limits": "on"})
    assert (done.status_code == 302) is offers
    assert CashOut.objects.filter(pk=body["key"]).exists() is offers


@pytest.mark.parametrize(("limits", "status"), [("warn", 201), ("refuse", 403)])
def test_api_gives_notice_and_requires_confirmation(night: Night, limits: str, status: int) -> None:
    client = member(chosen(night, limits=limits).league, Role.SCOREKEEPER)
    bob, at = str(player(night, "bob").pk), f"/api/v1/nights/{night.pk}"
    given = client.post(f"{at}/leave-notice", {"player": bob}, KIND).json()
    listed = {each["player"]: each["leaving_at"] for each in client.get(at).json()["seats"]}
    assert given["leaving_at"]
    assert listed[bob] == given["leaving_at"]
    body = {"id": str(uuid4()), "player": bob, "chips": 100, "leaves": True}
    answer = client.post(f"{at}/cash-outs", body, KIND)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "early-leave")
    back = client.post(f"{at}/leave-notice", {"player": bob, "leaving": False}, KIND)
    assert back.json()["leaving_at"] is None
    done = client.post(f"{at}/cash-outs", body | {"beyond_limits": True}, KIND)
    assert done.status_code == status


@pytest.mark.parametrize("chips", [0, 100])
def test_repeated_request_to_leave_returns_the_result_after_the_night_closed(
    night: Night, chips: int
) -> None:
    """A phone without a connection may repeat the request when the night is closed."""
    bob = player(night, "bob")
    if not chips:
        leaves(night, "bob", beyond_limits=True)
        seat(night, bob)
    wanted = {"kind": "cash-out", "id": uuid4(), "night": night, "player": bob, "chips": chips}
    request = Exchange(**wanted, leaves=True, beyond_limits=True)
    first = exchange(request, by=None, word=None)
    closed(night)
    assert exchange(request, by=None, word=None) == first
