"""Players are notified about plans, seats and cancelled nights, but not about their own actions."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league.models import League, Notice, Player, Role, User
from league.people.leagues import add_member, add_player
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, cancel, plan
from tests.helpers.league.leagues import a_league
from tests.helpers.league.push_service import send_all, switched_on
from tests.helpers.league.receiver import Receiver

pytestmark = pytest.mark.django_db


def a_player(league: League, name: str, service: Receiver) -> Player:
    """Return a league player with a phone that gets notifications."""
    user = User.objects.create_user(name, email=f"{name}@example.org")
    add_member(league, user, Role.PLAYER)
    switched_on(user, service, name)
    return add_player(league, name, user=user)


def notices() -> list[tuple[str, str]]:
    rows = Notice.objects.order_by("kind", "user__username")
    return [(each.kind, each.user.username) for each in rows.select_related("user")]


def test_players_get_relevant_messages_with_working_links(service: Receiver) -> None:
    league = a_league()
    ann, bob, cat = (a_player(league, name, service) for name in ("ann", "bob", "cat"))
    starts_at = timezone.now() + timedelta(days=3)
    planned = plan(league, uuid4(), starts_at, Details(seats=1), by=ann.user)
    plan(league, planned.pk, starts_at, Details(seats=1), by=ann.user)  # sent again
    assert notices() == [("night-planned", "bob"), ("night-planned", "cat")]
    answer_for(planned, ann, "yes")
    answer_for(planned, bob, "yes")
    answer_for(planned, cat, "no")
    answer_for(planned, ann, "no")
    assert notices()[0] == ("moved-up", "bob")
    cancel(planned)
    cancel(planned)
    assert [who for kind, who in notices() if kind == "night-cancelled"] == ["bob"]
    for notice in Notice.objects.select_related("user"):
        client = Client()
        client.force_login(notice.user)
        assert client.get(notice.link).status_code == 200
    send_all()
    assert len(service.came) == len(notices()) == 4
