"""Stars are personal, and starred games come first in every list. Requests may be repeated."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from league.deals.proposals import choices
from league.deals.table import Table
from league.models import Favourite, Night, Role, User
from league.pages.games.finder import dealt_here
from league.people.favourites import favourites, set_favourite
from league.people.leagues import add_member
from league.people.leaving import leave
from league.recording.record import record_hand
from league.stats.count import count_marked
from league.stats.figures.games import hands_by_game
from tests.helpers.api.clients import member, someone
from tests.helpers.league.house_games import a_house_game
from tests.helpers.league.leagues import a_night, a_user, holdem, qualifiers
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def star(client: Client, at: str, *, starred: bool = True, **headers: str) -> Any:
    """Star or unstar a game as a phone does."""
    told = {"Accept": "application/json", "Star-Of": client.session["_auth_user_id"]}
    return client.post(at, {"starred": "1" if starred else "0"}, headers=told | headers)


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_repeated_star_is_stored_once_and_removed_by_a_single_request(host: Client) -> None:
    """docs/decisions/0007: repeating a request is harmless."""
    at = reverse("star-game", args=["omaha-8"])
    for _ in range(2):
        assert star(host, at).json() == {"game": "omaha-8", "starred": True}
    assert Favourite.objects.count() == 1
    for _ in range(2):
        assert star(host, at, starred=False).json()["starred"] is False
    assert not Favourite.objects.exists()


def test_starring_for_another_user_or_when_signed_out_is_refused(
    host: Client, client: Client
) -> None:
    at = reverse("star-game", args=["omaha-8"])
    assert star(host, at, **{"Star-Of": "0"}).status_code == 403
    answer = client.post(at, {"starred": "1"}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()) == (401, {"why": "signed-out"})
    assert not Favourite.objects.exists()


def test_unknown_game_is_not_starred(host: Client, night: Night) -> None:
    own = a_house_game(night)
    for at in (
        reverse("star-game", args=["no-such"]),
        reverse("star-game", args=[own.slug]),
        reverse("star-house-game", args=[night.league.pk, "no-such"]),
        reverse("star-house-game", args=[a_night().league.pk, "omaha-8"]),
    ):
        answer = star(host, at)
        assert (answer.status_code, answer.json()) == (404, {"why": "gone"})
    assert (
        someone().post(reverse("star-house-game", args=[night.league.pk, own.slug])).status_code
        == 404
    )
    assert not Favourite.objects.exists()


def test_catalog_star_applies_in_all_leagues_and_house_game_star_only_in_its_own(
    night: Night,
) -> None:
    user, other = a_user(), a_night().league
    for league in (night.league, other):
        add_member(league, user, Role.PLAYER)
    own = a_house_game(night)
    assert set_favourite(user, "omaha-8", starred=True, league=night.league)
    assert set_favourite(user, own.slug, starred=True, league=night.league)
    assert set(favourites(user, night.league.pk).own) == {"omaha-8", own.slug}
    assert set(favourites(user, other.pk).own) == {"omaha-8"}
    leave(night.league, user, by=None)
    assert set(favourites(user, night.league.pk).own) == {"omaha-8"}


def test_games_starred_by_members_are_favourites(night: Night) -> None:
    ann, bob, stranger = a_user("ann"), a_user("bob"), a_user("stranger")
    for user in (ann, bob):
        add_member(night.league, user, Role.PLAYER)
    set_favourite(bob, "omaha-8", starred=True)
    set_favourite(stranger, "razz", starred=True)
    found = favourites(ann, night.league.pk)
    assert (set(found.own), set(found.loved)) == (set(), {"omaha-8"})


def test_star_button_works_without_scripts_and_returns_to_the_list(host: Client) -> None:
    answer = host.post(reverse("star-game", args=["razz"]), {"starred": "1"})
    assert answer.headers["Location"] == reverse("games")
    page = html(host.get(reverse("games")))
    first = page.index("<h2")
    assert page.index("Favourites", first) < page.index("/games/razz", first)
    assert page.index("/games/razz", first) < page.index("/games/omaha-8", first)


def counted(night: Night) -> None:
    while count_marked(night.league.pk):
        pass


def test_number_of_deals_per_game_comes_from_the_statistics(host: Client, night: Night) -> None:
    for record in (holdem(), holdem(), qualifiers()):
        record_hand(night, uuid4(), record, by=None)
    assert hands_by_game(night.league.pk) == {}
    counted(night)
    assert hands_by_game(night.league.pk) == {"texas-holdem": 2, "qualifiers": 1}
    assert hands_by_game(a_night().league.pk) == {}
    page = html(host.get(reverse("house-games", args=[night.league.pk])))
    assert "2×" in page
    only = html(host.get(reverse("house-games", args=[night.league.pk]), {"kind": "dealt"}))
    assert "<b data-left>2</b>" in only
    one = html(
        host.get(
            reverse("house-games", args=[night.league.pk]), {"kind": "dealt", "q": "qualifiers"}
        )
    )
    assert words_of_count(one) == ("1", "game")
    assert words_of_count(only) == ("2", "games")


def words_of_count(page: str) -> tuple[str, str]:
    count = page.partition("<b data-left>")[2].partition("</b>")
    return count[0], re.sub(r"<[^>]*>", "", count[2].partition("</span>")[0]).strip()


def drawn(page: HttpResponse) -> list[str]:
    found = html(page).partition("data-suggestions")[2].partition("</div>")[0]
    return [part.partition('"')[0] for part in found.split('name="variant" value="')[1:]]


def test_seed_determines_which_games_not_dealt_recently_are_suggested(
    host: Client, night: Night
) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    at = reverse("deal", args=[night.pk])
    offered = choices(Table(night), dealt_here(night, user_of(host)))
    for seed in (0, 7, 9999):
        page = host.get(at, {"draw": f"{seed:04}"})
        assert drawn(page) == [candidate.slug for candidate in offered.suggested(seed)]
        assert "texas-holdem" not in drawn(page)
    assert drawn(host.get(at)) == drawn(host.get(at))
    for seed in ("10000", "-1", "x", "²", "9" * 5000):
        assert drawn(host.get(at, {"draw": seed})) == drawn(host.get(at))


def test_game_starred_by_members_is_suggested(host: Client, night: Night) -> None:
    set_favourite(user_of(host), "razz", starred=True)
    page = host.get(reverse("deal", args=[night.pk]))
    assert "razz" in drawn(page)
    assert "Favourite" in html(page)
