"""The page on which hosts choose how a season is scored, and the ranking on the season's page."""

import pytest
from django.test import Client

from league.models import Night, Role, Season
from league.pages.seasons.scoring import TEMPLATE, TITLES, toml_of
from league.scoring.points_document import catalog, read_document
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """A closed night of four players, with a hand that ann won from bob."""
    night = a_night()
    dealt(night)
    closed(night)
    return night


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def address(night: Night) -> str:
    return f"/seasons/{night.season_id}/scoring"


def test_host_chooses_a_formula_and_the_season_shows_its_points(night: Night, host: Client) -> None:
    """10 * sqrt(4 / place): 20, then (14.14 + 11.55) / 2 for cat and dan, and 10 for bob."""
    season = f"/seasons/{night.season_id}"
    assert "Season ranking" not in html(host.get(season))
    assert host.post(address(night), {"scoring": "square-root"}).status_code == 302
    page = html(host.get(season))
    assert "Season ranking" in page
    assert page.count("<b>12.84</b>") == 2
    assert "<b>20</b>" in page
    assert "<b>10</b>" in page
    assert "Scoring: PokerStars leaderboard without buy-in." in page
    page = html(host.get(address(night)))
    assert 'value="square-root" selected' in page
    assert "1st 28.28 · 2nd 20 · 3rd 16.33 · last 10 points" in page
    assert "1 point for last place, and 1 more for each player you beat." in page


def test_host_can_write_a_custom_formula(night: Night, host: Client) -> None:
    own = {"scoring": "own", "document": TEMPLATE.replace("10 * sqrt", "20 * sqrt")}
    refused = host.post(address(night), own)
    assert refused.status_code == 400
    assert "The formula gives 60 points, not 30." in refused.content.decode()
    own["document"] = own["document"].replace("points = 30", "points = 60")
    assert host.post(address(night), own).status_code == 302
    season = Season.objects.get(pk=night.season_id)
    assert (season.scoring, season.document["knockout"]) == ("document", 2)
    assert "20 * sqrt(players / place)" in html(host.get(address(night)))


def test_points_for_places_must_be_whole_numbers(night: Night, host: Client) -> None:
    sent = {"scoring": "places", "points": "5 x"}
    assert "Enter whole numbers" in host.post(address(night), sent).content.decode()
    sent = {"scoring": "places", "points": "5, 3", "drop_worst": "1"}
    assert host.post(address(night), sent).status_code == 302
    season = Season.objects.get(pk=night.season_id)
    assert (season.points, season.drop_worst) == ([5, 3], 1)
    page = html(host.get(f"/seasons/{night.season_id}"))
    assert "Players with equal points are ranked by net." in page


def test_season_ranked_by_net_again_has_one_table(night: Night, host: Client) -> None:
    """The earlier points stay in the form, and once left a second table of the same nets."""
    host.post(address(night), {"scoring": "places", "points": "5, 3"})
    host.post(address(night), {"scoring": "net", "points": "5, 3"})
    assert "Season ranking" not in html(host.get(f"/seasons/{night.season_id}"))


def test_translators_see_the_titles_of_all_documents() -> None:
    assert {*TITLES} == {document["title"] for document in catalog().values()}


def test_only_hosts_choose_the_scoring(night: Night, client: Client) -> None:
    assert member(night.league, Role.VIEWER).get(address(night)).status_code == 403
    assert client.get(address(night)).status_code == 302


def test_stored_formula_is_shown_as_it_was_written() -> None:
    """Its examples came back as strings, and a control character in the title as itself."""
    text = (
        'title = "Ours\\u007f ä"\nformula = "players"\n\n[[examples]]\n'
        "players = 3\nplace = 1\nbuy_in = 2.5\npoints = 3\n"
    )
    document, problems = read_document(text)
    assert problems == []
    assert toml_of(document) == text
