"""Pages for a season, a player and a game, with messages for missing data."""

import re
from datetime import date, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from league.charts.rendering import render_requested as draw_charts
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.payments import receive
from league.closing.standings import standings
from league.models import (
    League,
    Night,
    PlannedPayment,
    Player,
    PlayerTally,
    RenderedChart,
    Role,
)
from league.nights.buy_ins import buy_in
from league.nights.nights import stacks
from league.pages.parts.numbers import signed
from league.pages.seasons.stats_cache import cached_standings
from league.recording.record import record_hand
from league.stats.league_state import league_state
from tests.helpers.api.clients import member, someone
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.pages import html
from tests.helpers.league.stats_rows import count_all
from tests.helpers.league.tournaments import play_tournament

pytestmark = pytest.mark.django_db
OPEN_NIGHTS = "Includes open nights: hands so far."


@pytest.fixture
def night() -> Night:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    record_hand(night, uuid4(), crossed(a_house_game(night).slug), by=None)
    count_all(night.league)
    return night


@pytest.fixture
def guest(night: Night) -> Client:
    return member(night.league, Role.VIEWER)


def paths(night: Night) -> dict[str, str]:
    league = night.league.pk
    return {
        "season": f"/seasons/{night.season_id}",
        "stats": f"/leagues/{league}/stats",
        "player": f"/players/{player(night, 'ann').pk}",
        "game": f"/leagues/{league}/stats/game?game=texas-holdem",
    }


def page_text(page: HttpResponse) -> str:
    assert page.status_code == 200
    return html(page)


def names(page: str) -> list[str]:
    """Return the players in the table of figures, in order."""
    table = page[page.index('class="figures"') :].partition("</table>")[0]
    return re.findall(r'<th scope="row"[^>]*><a[^>]*>(\w+)</a>', table)


def test_net_per_hundred_hands_is_shown_only_after_a_hundred_hands(
    guest: Client, night: Night
) -> None:
    """After ten hands, luck would be multiplied by ten."""
    page = page_text(guest.get(paths(night)["season"]))
    assert "Per 100" not in page
    assert "Per 100" not in page_text(guest.get(f"{paths(night)['stats']}?sort=per-100"))
    assert "Per 100" not in page_text(guest.get(paths(night)["game"]))
    PlayerTally.objects.filter(player=player(night, "ann")).update(hands=100)
    cache.clear()
    page = page_text(guest.get(paths(night)["season"]))
    assert "Per 100 hands" in page
    assert "Per 100 hands" in page_text(guest.get(paths(night)["game"]))
    assert 'id="sort-per-100"' in page_text(guest.get(f"{paths(night)['stats']}?sort=per-100"))


@pytest.mark.parametrize("name", ["season", "stats", "player", "game"])
def test_outsiders_cannot_open_stats(night: Night, name: str) -> None:
    assert someone().get(paths(night)[name]).status_code == 404


@pytest.mark.parametrize("name", ["season", "stats", "player", "game"])
def test_page_of_a_league_without_hands_shows_the_first_steps(name: str) -> None:
    night = a_night()
    page = member(night.league, Role.VIEWER).get(paths(night)[name])
    if name == "game":
        assert page.status_code == 404
    else:
        text = "t played a hand yet" if name == "player" else "No hands"
        assert text in page_text(page)
        assert f'href="/leagues/{night.league.pk}"' in page_text(page)


@pytest.mark.parametrize("name", ["season", "stats", "player"])
def test_page_shows_that_uncounted_hands_are_being_counted(name: str) -> None:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    page = page_text(member(night.league, Role.VIEWER).get(paths(night)[name]))
    assert "Updating the statistics" in page
    assert "hx-get" in page


def test_waiting_hands_are_shown_next_to_the_counted_hands(guest: Client, night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)
    page = page_text(guest.get(paths(night)["season"]))
    assert "Updating (1 hand)" in page
    assert names(page)


def test_streaks_and_recap_show_that_they_include_the_open_night(
    guest: Client, night: Night
) -> None:
    """Both contradicted the standings above them, which contain only closed nights."""
    page = page_text(guest.get(paths(night)["season"]))
    streaks = page.partition('id="forms-title"')[2].partition("<table")[0]
    assert OPEN_NIGHTS in streaks
    assert page.count(OPEN_NIGHTS) == 3  # the chart, the players and the streaks
    assert "Includes open nights" in page
    assert OPEN_NIGHTS in page_text(guest.get(paths(night)["player"]))
    closed(night)
    page = page_text(guest.get(paths(night)["season"]))
    assert "Includes open nights" not in page
    assert OPEN_NIGHTS not in page
    assert OPEN_NIGHTS not in page_text(guest.get(paths(night)["player"]))


def test_closed_night_has_the_same_nets_on_all_pages(guest: Client, night: Night) -> None:
    """The players' table, the player's page and the recap once showed the nets of hands only."""
    play_tournament(night, "ann", "bob")
    closed(night, ann=stacks(night)[player(night, "ann").pk] - 3, bears="dan")
    [ann] = [row for row in standings(night.season) if row.name == "ann"]
    season, player_page, recap = (
        page_text(guest.get(path))
        for path in (
            paths(night)["season"],
            f"{paths(night)['player']}?season={night.season_id}",
            f"/seasons/{night.season_id}/recap",
        )
    )
    net = signed(ann.net)
    for table in ("places", "nights", "figures", "forms"):
        section = season.partition(f'id="{table}-title"' if table != "places" else 'id="places"')[2]
        assert net in section.partition("</table>")[0], table
    facts = player_page.partition('class="facts"')[2].partition("</dl>")[0]
    assert facts.count(net) == 3  # the net, the best night and the worst night
    assert net in recap.partition('id="nights-title"')[2].partition("</table>")[0]


def test_pages_show_that_nets_per_hour_count_only_hands(guest: Client, night: Night) -> None:
    note = "Results per hour include only hands."
    later = timezone.now() + timedelta(hours=3)
    record_hand(night, uuid4(), holdem(), by=None, made_at=later)
    count_all(night.league)
    for more_than_hands in (False, True):
        if more_than_hands:
            play_tournament(night, "ann", "bob")
            close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
        for name in ("season", "player"):
            page = page_text(guest.get(paths(night)[name]))
            assert "Per hour" in page
            assert (note in page) == more_than_hands


def test_season_of_tournaments_only_has_nets_and_no_games() -> None:
    night = a_night()
    play_tournament(night, "ann", "bob")
    closed(again(night))
    guest = member(night.league, Role.VIEWER)
    page = page_text(guest.get(paths(night)["season"]))
    assert names(page) == ["ann", "cat", "dan", "bob"]
    assert "Net over nights" in page
    assert "Memorable hands" not in page
    assert "+25" in page_text(guest.get(paths(night)["player"]))
    assert "No hands this season yet" not in page_text(
        guest.get(f"/seasons/{night.season_id}/recap")
    )
    assert guest.get(f"/leagues/{night.league.pk}/stats").status_code == 200


def test_season_links_to_its_players_and_games(guest: Client, night: Night) -> None:
    page = page_text(guest.get(paths(night)["season"]))
    for told in ("/players/", "/stats/game?game=texas-holdem", "/stats/game?game=grandmas-cross"):
        assert f'href="{told}' in page or told in page
    assert f'href="/seasons/{night.season_id}"' in page_text(
        guest.get(f"/leagues/{night.league.pk}")
    )
    assert "/players/" in page_text(guest.get(f"/nights/{night.pk}"))


def test_cards_of_notable_hands_are_shown_in_the_order_of_the_hand_name(
    guest: Client, night: Night
) -> None:
    """The worst beat used to be shown as 10 J 8 9 Q."""
    players = [
        {"name": "ann", "paid": 10, "down": ["Qh", "Kd"]},
        {"name": "bob", "paid": 10, "down": ["7c", "3h"]},
    ]
    beat = {"variant": "texas-holdem", "button": 0, "players": players}
    record_hand(night, uuid4(), beat | {"board": [["Td", "Js", "8h", "9c", "2s"]]}, by=None)
    count_all(night.league)
    page = html(guest.get(f"/seasons/{night.season_id}"))
    beats = page[page.index("Worst beats") :]
    ranks = re.findall(r"(jack|ten|nine|eight|seven) of", beats)
    assert ranks[:5] == ["jack", "ten", "nine", "eight", "seven"]


def test_figures_can_be_sorted_in_both_directions(guest: Client, night: Night) -> None:
    path = paths(night)["season"]
    assert names(page_text(guest.get(path))) == ["ann", "bob"]
    assert names(page_text(guest.get(f"{path}?sort=-net"))) == ["bob", "ann"]
    assert 'aria-sort="ascending"' in page_text(guest.get(f"{path}?sort=-net"))
    assert names(page_text(guest.get(f"{path}?sort=nonsense"))) == ["ann", "bob"]


def test_figures_can_be_filtered_by_game(guest: Client, night: Night) -> None:
    page = page_text(guest.get(f"{paths(night)['stats']}?game=texas-holdem"))
    assert "Players, Texas Hold" in page
    figures = page[page.index('class="figures"') :].partition("</table>")[0]
    assert '<td class="num">+10</td><td class="num">1</td>' in figures


def test_figures_of_a_game_belong_to_the_chosen_season(guest: Client, night: Night) -> None:
    empty = night.league.seasons.create(name="Before", starts_on=date(2020, 1, 1))
    game = paths(night)["game"]
    for season in ("all", str(night.season_id)):
        assert "Average pot" in page_text(guest.get(f"{game}&season={season}"))
    page = page_text(guest.get(f"{game}&season={empty.pk}"))
    assert "Average pot" not in page
    assert "played this season" in page


def test_unknown_season_is_not_found(guest: Client, night: Night) -> None:
    other = a_league().seasons.get().pk
    for season in ("nonsense", str(other), "'"):
        for name in ("stats", "player"):
            assert guest.get(paths(night)[name], {"season": season}).status_code == 404
        asked = {"game": "texas-holdem", "season": season}
        assert guest.get(paths(night)["game"], asked).status_code == 404
    assert guest.get(f"/leagues/{night.league.pk}/stats/game?game=none").status_code == 404


# Charts


def pictures(page: str) -> list[str]:
    return re.findall(r'(?:src|srcset)="(/leagues/[^"]+\.svg)"', page)


def sizes(page: str) -> list[str]:
    return re.findall(r'<img[^>]* (width="\d+" height="\d+")', page)


def test_finished_chart_replaces_its_placeholder_for_league_members(
    guest: Client, night: Night
) -> None:
    path = paths(night)["season"]
    before = page_text(guest.get(path))
    assert before.count('class="plate"') == before.count('aria-busy="true"') == 3
    assert not pictures(before)
    [waiting, *_] = re.findall(r'hx-get="(/leagues/[^"]+/charts/[^"]+)"', before)
    assert "aria-busy" in page_text(guest.get(waiting))
    draw_charts(night.league.pk)
    after = page_text(guest.get(path))
    assert "aria-busy" not in after
    assert sizes(before) == sizes(after)
    assert len(pictures(after)) == 12
    assert after.count("Show as table") == 3
    fragment = page_text(guest.get(waiting))
    assert "<html" not in fragment
    assert len(pictures(fragment)) == 4
    first = guest.get(pictures(after)[0])
    assert first.headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in first.headers["Cache-Control"]
    assert first.content.startswith(b"<svg")
    assert b"font-family:Figtree;" in first.content
    only_members_see_charts(guest, night, pictures(after)[0])
    record_hand(night, uuid4(), holdem(), by=None)
    count_all(night.league)
    assert not set(pictures(after)).intersection(pictures(page_text(guest.get(path))))


def only_members_see_charts(guest: Client, night: Night, picture: str) -> None:
    assert someone().get(picture).status_code == 404
    other: League = a_league()
    theirs = picture.replace(str(night.league.pk), str(other.pk))
    assert member(other, Role.HOST).get(theirs).status_code == 404
    assert guest.get(picture.replace("wide", "huge")).status_code == 404
    assert RenderedChart.objects.filter(league=other).count() == 0


def test_cached_standings_match_fresh_ones(night: Night) -> None:
    """A changed tab or a closing updates the standings. Other hands leave the cache unchanged."""
    league, season = night.league, night.season
    ann = player(night, "ann")

    def places() -> str:
        cached = cached_standings(league_state(league.pk), season)
        cache.clear()
        assert cached_standings(league_state(league.pk), season) == cached
        return cached

    seen = [places()]
    for act in (
        lambda: closed(night, cat=99, bears="ann"),
        lambda: receive(PlannedPayment.objects.first(), uuid4(), 1, by=None),
        lambda: reopen_night(again(night), by=None),
        lambda: closed(again(night)),
    ):
        act()
        seen.append(places())
    assert all(before != after for before, after in pairwise(seen[1:]))
    night = reopen_night(again(night), by=None)
    for act in (
        lambda: buy_in(night, ann, 30, buy_in_id=uuid4(), by=None),
        lambda: dealt(night, holdem(took={"bob": 20})),
        lambda: dealt(night),
    ):
        act()
        places()


def test_new_name_is_shown_immediately(guest: Client, night: Night) -> None:
    path = paths(night)["season"]
    assert "Zoe" not in page_text(guest.get(path))
    Player.objects.filter(pk=player(night, "bob").pk).update(name="Zoe")
    assert "Zoe" in names(page_text(guest.get(path)))


@pytest.mark.parametrize("name", ["season", "player", "game"])
def test_name_that_looks_like_markup_is_escaped(guest: Client, night: Night, name: str) -> None:
    Player.objects.filter(pk=player(night, "bob").pk).update(name="<i>Zoe</i>")
    page = page_text(guest.get(paths(night)[name]))
    assert "&lt;i&gt;Zoe&lt;/i&gt;" in page
    assert "<i>Zoe" not in page
