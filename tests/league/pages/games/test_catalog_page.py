"""The list of games is searchable by name, alias and properties."""

import re
import zlib

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Role
from league.pages.games.catalog import similar_games
from league.pages.games.finder import index_at
from league.people.favourites import set_favourite
from rules.documents import catalog
from tests.helpers.league.leagues import a_league, a_user

ROW = re.compile(r'<li class="game-row"([^>]*)>\s*<a class="line"\s+href="/games/([a-z0-9-]+)"')


def listed(client: Client, asked: str, **chips: str | list[str]) -> set[str]:
    """Return the games that the page lists for a search and filters, without scripts."""
    page = client.get(reverse("games"), {"q": asked, **chips}).content.decode()
    rows = {slug: "hidden" not in tag for tag, slug in ROW.findall(page)}
    assert rows.keys() == set(catalog.slugs())
    return {slug for slug, is_shown in rows.items() if is_shown}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "there", "missing"),
    [
        ("omaha split", "omaha-8", "texas-holdem"),
        ("plo", "pot-limit-omaha", "omaha-8"),
        ("wild 5 cards", "deuces-wild", "baseball"),
        ("PASSING declare", "anaconda", "anaconda-high"),
        ("7-27", "seven-twenty-seven", "guts"),
        ("several deals", "guts", "razz"),
    ],
)
def test_game_can_be_found_by_its_names_and_by_similar_games(
    client: Client, asked: str, there: str, missing: str
) -> None:
    slugs = listed(client, asked)
    assert there in slugs
    assert missing not in slugs


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "first"), [("omaha 8", "omaha-8"), ("o8", "omaha-8"), ("big o", "big-omaha-8")]
)
def test_nearest_name_is_listed_first(client: Client, text: str, first: str) -> None:
    """Big Omaha 8 used to be listed before Omaha-8."""
    page = client.get(reverse("games"), {"q": text}).content.decode()
    shown = [slug for tag, slug in ROW.findall(page) if "hidden" not in tag]
    assert shown[0] == first


# A rule in plain words, and a game that has it (names from Joslyn's guide).
PLAIN_WORDS = [
    ("low spade in the hole wins half", "omaha-spade"),
    ("the highest spade in the hole", "chicago"),
    ("lowest hole card is wild", "low-hole-wild"),
    ("one eyed jacks are wild", "one-eyed-jacks"),
    ("community cards in a cross", "criss-cross"),
    ("2s are wild", "deuces-wild"),
    ("2's wild", "dr-pepper"),
    ("twos wild", "deuces-and-jacks"),
    ("3s and 9s wild", "baseball"),
    ("the card after a queen is wild", "follow-the-queen"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("asked", "game"), PLAIN_WORDS)
def test_game_can_be_found_by_plain_words_in_its_rules(
    client: Client, asked: str, game: str
) -> None:
    """The search used to find 0 games for "low spade in the hole wins half"."""
    slugs = listed(client, asked)
    assert game in slugs
    assert len(slugs) < 30


@pytest.mark.django_db
def test_plain_words_find_only_games_whose_rules_contain_them(client: Client) -> None:
    """ "twos wild" also found games with "two" cards and a wild card, e.g. Criss-Cross.

    All games that split the pot with a spade, by their names: Joslyn's guide, as above.
    """
    spades = listed(client, "low spade in the hole wins half")
    assert spades == {"omaha-spade", "chicago", "black-mariah", "stampler", "stumpler"}
    assert listed(client, "twos wild") == listed(client, "2s are wild")
    assert "criss-cross" not in listed(client, "twos wild")


@pytest.mark.django_db
def test_rules_are_searched_only_if_no_name_matches(client: Client) -> None:
    assert listed(client, "chicago") < listed(client, "highest spade") | listed(client, "chicago")
    assert listed(client, "in the hand of the player") == set()


@pytest.mark.django_db
def test_rule_word_index_is_small(client: Client) -> None:
    """Browsers download the index on the first search. The names alone took up 5.6 kB."""
    index = client.get(index_at()).content
    assert len(zlib.compress(index)) < 16_000


@pytest.mark.django_db
def test_filters_narrow_the_search_results(client: Client) -> None:
    """Filters are URL parameters and need no scripts.

    If filters exclude each other, the last one applies.
    """
    omaha = listed(client, "omaha")
    split = listed(client, "omaha", kind="split")
    assert "omaha-8" in split < omaha
    five = listed(client, "omaha", kind="split", cards="5")
    assert five < split
    assert listed(client, "omaha", kind="split", cards=["4", "5"]) == five
    assert listed(client, "", players="11") == set(catalog.slugs())  # this filter does not exist
    assert listed(client, "", kind=["wild", "x" * 10_000]) == listed(client, "", kind="wild")


@pytest.mark.django_db
def test_all_games_are_listed_without_a_search(client: Client) -> None:
    assert listed(client, "") == set(catalog.slugs())
    assert listed(client, "no game is called so at all") == set()


@pytest.mark.django_db
def test_game_links_to_three_similar_games(client: Client) -> None:
    page = client.get(reverse("game", args=["omaha-8"])).content.decode()
    for game in similar_games("omaha-8"):
        assert reverse("game", args=[game["slug"]]) in page
    assert {catalog.family(game["slug"]) for game in similar_games("omaha-8")} == {"omaha"}
    assert all(len(similar_games(slug)) == 3 for slug in catalog.slugs()[::20])


@pytest.mark.django_db
def test_game_opened_from_a_league_keeps_its_navigation() -> None:
    league, host = a_league(), Client()
    host.force_login(league.memberships.get(role=Role.HOST).user)
    back, url = reverse("house-games", args=[league.pk]), reverse("game", args=["omaha-8"])
    assert f"{url}?league={league.pk}" in host.get(back).content.decode()
    page = host.get(url, {"league": str(league.pk)}).content.decode()
    assert page.count(back) == 2  # in the navigation and above the title
    assert f"{reverse('game', args=[similar_games('omaha-8')[0]['slug']])}?league=" in page


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["own", "x", "{}"])
def test_game_shows_no_navigation_of_other_leagues(client: Client, asked: str) -> None:
    league = a_league()
    client.force_login(a_user("stranger"))
    given = {"own": str(league.pk)}.get(asked, asked)
    page = client.get(reverse("game", args=["omaha-8"]), {"league": given})
    assert page.status_code == 200
    assert league.name not in page.content.decode()
    assert str(league.pk) not in page.content.decode()


@pytest.mark.django_db
def test_families_stay_collapsed_until_a_search(client: Client) -> None:
    """The list used to be 30,800 pixels long on a phone."""
    page = " ".join(client.get(reverse("games")).content.decode().split())
    assert page.count("<details data-family>") > 10
    assert "<details data-family open>" not in page
    results = " ".join(client.get(reverse("games"), {"q": "razz"}).content.decode().split())
    assert 0 < results.count("<details data-family open>") < 5
    assert results.count("<details data-family hidden open>") > 10


@pytest.mark.django_db
def test_list_is_revalidated_only_for_anonymous_visitors(client: Client) -> None:
    first = client.get(reverse("games"))
    again = {"If-None-Match": first.headers["ETag"]}
    assert client.get(reverse("games"), headers=again).status_code == 304
    client.force_login(a_user())
    own = client.get(reverse("games"), headers=again)
    assert own.status_code == 200
    assert own.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in own.headers


@pytest.mark.django_db
def test_list_shows_only_the_visitors_own_stars(client: Client) -> None:
    user = a_user()
    client.force_login(user)
    for starred in (True, False):
        set_favourite(user, "razz", starred=starred)
        page = client.get(reverse("games")).content.decode()
        assert ('aria-pressed="true"' in page) == starred
        assert "aria-pressed" not in Client().get(reverse("games")).content.decode()
