"""A league's navigation: five places, with badges for an open night and the visitor's debts."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.closing.receipts import share
from league.models import Night, Role, User
from league.nights.opening import open_night
from league.pages.parts.look import initials
from league.people.leagues import add_member
from tests.helpers.league.leagues import a_league, a_night, a_user, player
from tests.helpers.league.nights import a_table, closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db
NAVIGATION = 'class="league-nav unprinted"'


def member(night: Night, name: str = "") -> Client:
    client, user = Client(), User.objects.create_user(f"user-{name}")
    add_member(night.league, user, Role.PLAYER)
    if name:
        seated = player(night, name)
        seated.user = user
        seated.save()
    client.force_login(user)
    return client


def test_all_main_pages_link_to_the_open_night() -> None:
    night = a_night()
    client, league = member(night), night.league.pk
    for name in ("league", "house-games", "stats", "money"):
        page = html(client.get(reverse(name, args=[league])))
        assert NAVIGATION in page
        assert f'href="/nights/{night.pk}"' in page, name
    assert client.get(reverse("tonight", args=[league])).url == f"/nights/{night.pk}"


def test_pages_of_a_closed_night_belong_to_the_season() -> None:
    """Its receipt and its payments used to belong to "Money"."""
    night = a_table()
    dealt(night)
    client = member(night, "bob")
    assert current(client, "night", night) == "Tonight"
    closed(night)
    for name in ("night", "hands", "receipt", "payments"):
        assert current(client, name, night) == "Season", name


def current(client: Client, name: str, night: Night) -> str:
    """Return the current place in the navigation of a night's page."""
    navigation = html(client.get(reverse(name, args=[night.pk]))).split(NAVIGATION)[1]
    return re.split(r"</?span>", navigation.split("aria-current")[1])[1]


def test_open_night_is_shown_among_many_later_nights() -> None:
    """Nights that wait for a decision used to be folded under "Earlier nights"."""
    night = a_night(chips=0)
    for _ in range(9):
        closed(open_night(night.league))
    assert night.league.created_by
    client = Client()
    client.force_login(night.league.created_by)
    page = html(client.get(reverse("league", args=[night.league.pk])))
    listed, folded = page.split('id="nights-title"')[1].split("Earlier nights")
    assert reverse("night", args=[night.pk]) in listed
    assert reverse("night", args=[night.pk]) not in folded


def test_long_list_of_nights_does_not_compare_each_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """A season has up to 1,000 nights, so work that grows with their square takes seconds."""
    night = a_night()
    began = timezone.now() - timedelta(days=1)
    shared = {"season": night.season, "chip_value": 1, "currency": "EUR", "usual_buy_in": 100}
    Night.objects.bulk_create(
        Night(number=number, state=Night.State.CLOSED, started_at=began, ended_at=began, **shared)
        for number in range(2, 202)
    )
    comparisons = []
    compare = Night.__eq__

    def counted(one: Night, other: object) -> bool:
        comparisons.append(one)
        return compare(one, other)

    monkeypatch.setattr(Night, "__eq__", counted)
    page = html(member(night).get(reverse("league", args=[night.league.pk])))
    assert "Night 201" in page
    assert len(comparisons) < 200


def test_night_named_by_its_date_shows_the_date_once() -> None:
    """Imported nights are named by their date."""
    began = datetime(2026, 11, 13, 19, tzinfo=UTC)
    night = open_night(a_league(), name="2026-11-13", started_at=began)
    open_night(night.league, name="Birthday", started_at=began + timedelta(days=1))
    page = html(member(night).get(reverse("league", args=[night.league.pk])))
    listed = page.split('id="nights-title"')[1]
    assert "2026-11-13" not in listed
    assert listed.count("Fri 13 Nov 2026") == 1
    assert "Sat 14 Nov 2026" in listed


def test_badge_counts_debts_for_the_payer_only() -> None:
    night = a_table()
    dealt(night)
    closed(night)
    money = reverse("money", args=[night.league.pk])
    assert '<b class="count">1</b>' in html(member(night, "bob").get(money))
    paid = html(member(night, "ann").get(money))
    assert 'class="count"' not in paid
    assert "bob pays you" in paid


def test_visitor_of_a_shared_receipt_sees_no_navigation() -> None:
    night = a_table()
    dealt(night)
    closed(night)
    receipt = f"/receipts/{share(night, by=None)}"
    stranger = Client()
    stranger.force_login(a_user("stranger"))
    for client in (Client(), stranger):
        assert NAVIGATION not in html(client.get(receipt))


def test_only_own_leagues_are_listed() -> None:
    user = a_user()
    first, second = a_league(user), a_league(user)
    other = a_league(a_user("other"))
    client = Client()
    client.force_login(user)
    page = html(client.get(reverse("league", args=[first.pk])))
    assert str(second.pk) in page
    assert str(other.pk) not in page


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ann", "A"), ("Ann van Dyke", "AD"), ("élodie", "É"), ("", "")],
)
def test_initials_are_derived_from_the_name(name: str, expected: str) -> None:
    assert initials(name) == expected
