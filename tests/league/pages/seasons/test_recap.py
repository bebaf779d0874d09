"""A season's recap, on a page and as a picture to share."""

import re
from pathlib import Path
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.core.cache import cache
from django.test import Client

import league
from league.charges.charging import NewCharge, Share, charge
from league.closing.standings import live_standings, open_nights
from league.hands.pictures import in_lines
from league.models import Charge, Night, Player, Role
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.pages.seasons.recap import recap_of
from league.pages.seasons.recap_picture import HEIGHT, SENTENCES_FOOT, WIDTH, NetLine, Poster, drawn
from league.recap import blocks, on_podium
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.scoring.season_table import Option, Placing, choose
from league.stats.figures.achievements import DEFINITIONS, Achievement, achievements
from league.stats.league_state import league_state
from league.stats.scopes import of_season
from tests.helpers.api.clients import member, someone
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import closed
from tests.helpers.league.pages import html
from tests.helpers.league.stats_rows import count_all

RED = "#ff8c8c"
PNG = b"\x89PNG\r\n\x1a\n"
LONG = "Wilhelmina <b>& the Würstchen</b> of Nether Wallop"
POSTER = {"league": "Tuesday", "season": "Spring", "nights": 2, "hands": 30, "podium": []}


@pytest.fixture
def night() -> Night:
    """A closed night with three hands that ann won from bob."""
    night = a_night()
    for _ in range(3):
        record_hand(night, uuid4(), holdem(), by=None)
    closed(night)
    count_all(night.league)
    return night


@pytest.fixture
def guest(night: Night) -> Client:
    return member(night.league, Role.VIEWER)


def page_text(client: Client, path: str) -> str:
    page = client.get(path)
    assert page.status_code == 200
    return html(page)


def at(night: Night, ending: str = "") -> str:
    return f"/seasons/{night.season_id}/recap{ending}"


@pytest.mark.django_db
def test_recap_shows_podium_best_hand_sentences_and_badges(guest: Client, night: Night) -> None:
    page = page_text(guest, at(night))
    podium = page.partition('id="podium-title"')[2].partition("</section>")[0]
    assert podium.index("ann") < podium.index("cat") < podium.index("dan")
    assert "bob" not in podium
    assert "+30" in podium
    assert "ann showed the best hand: a pair of aces" in page
    assert 'aria-label="ace of clubs"' in page
    assert "bob lost 30 chips at Night 1." in page
    assert "ann won 3 hands in a row at Night 1." in page
    assert "badges.svg#pizza" in page
    assert f'viewBox="0 0 {WIDTH} {HEIGHT}"' in page
    assert f'href="{at(night)}.png"' in page


@pytest.mark.django_db
def test_recap_writes_the_day_of_a_night_named_by_it_in_words() -> None:
    """Sentences once contained 2026-02-13, where all other pages show Fri 13 Feb 2026."""
    night = a_night(name="2026-02-13")
    record_hand(night, uuid4(), holdem(), by=None)
    closed(night)
    count_all(night.league)
    page = page_text(member(night.league, Role.VIEWER), at(night))
    assert "bob lost 10 chips at Fri 13 Feb 2026." in page
    facts = [each.facts.get("night") for each in achievements(of_season(night.season))]
    assert "2026-02-13" in facts  # the API's value


@pytest.mark.django_db
def test_recap_states_that_hands_with_wild_cards_do_not_count(guest: Client, night: Night) -> None:
    """The table saw four aces with two wild cards, and the recap showed a full house."""
    assert "Best hand without wild cards" in page_text(guest, at(night))


@pytest.mark.django_db
def test_podium_follows_the_seasons_ranking(guest: Client, night: Night) -> None:
    """A season ranked by points once had a podium by chips."""
    choose(night.season, Option(scoring="places", points=(5, 3, 1)), by=None)
    page = page_text(guest, at(night))
    podium = page.partition('id="podium-title"')[2].partition("</ol>")[0]
    assert "5 points" in podium
    assert "+30" not in podium


def test_podium_is_for_players_who_did_not_lose_and_for_places_that_fit() -> None:
    """Two of seven players who tied at -40 once stood in second place."""

    def podium(*nets: int) -> list[int]:
        placings = [Placing(nets.index(net) + 1, "x", net, uuid4()) for net in nets]
        return [each.score for each in on_podium(placings)]

    assert podium(280, -40, -40, -40) == [280]
    assert podium(30, 20, 10, -60) == [30, 20, 10]
    assert podium(30, 10, 10, 10) == [30]


def test_tied_players_stand_on_blocks_of_equal_height() -> None:
    placings = [Placing(place, "x", 0, uuid4()) for place in (1, 1, 3)]
    first, second, third = blocks(placings)
    assert first.height == second.height > third.height
    assert len({block.y + block.height for block in (first, second, third)}) == 1


@pytest.mark.django_db
def test_podium_and_chart_agree_while_a_night_is_open(guest: Client, night: Night) -> None:
    """The podium included only the closed night, but the chart next to it both nights.

    Ann won 30 at the closed night. Bob wins two hands of 100 tonight, with aces, and buys 50 more.
    """
    later = open_night(night.league, players=night.league.players.all())
    for name in ("ann", "bob"):
        buy_in(later, player(night, name), 200, buy_in_id=uuid4(), by=None)
    hand = holdem()
    for item, cards in zip(hand["players"], (["Kc", "Kd"], ["Ac", "Ad"]), strict=True):
        item |= {"down": cards, "paid": 100}
    for _ in range(2):
        record_hand(later, uuid4(), hand, by=None)
    buy_in(later, player(night, "bob"), 50, buy_in_id=uuid4(), by=None)
    count_all(night.league)
    page = page_text(guest, at(night))
    podium = page.partition('id="podium-title"')[2].partition("</section>")[0]
    assert re.findall(r">(\w+)</a>|([+\u2212]\d+)", podium)[:2] == [("bob", ""), ("", "+170")]
    assert "Night 2</a> is still open. Its chips count as they are now." in page
    leaders = page.partition('id="led-title"')[2].partition("</section>")[0]
    # The numbers of nights, which "led after 2 nights" did not make clear.
    assert re.findall(r">(\w+)</span>|led for (\d nights?)", leaders)[:2] == [
        ("ann", ""),
        ("", "1 night"),
    ]
    state = league_state(night.league.pk)
    recap = recap_of(of_season(night.season), state)
    assert recap
    assert (recap.lines[0].name, recap.lines[0].totals[-1]) == ("bob", 170)
    places = live_standings(night.season)
    assert {item.name: item.net for item in places} == {
        line.name: line.totals[-1] for line in recap.lines
    } | {"cat": 0, "dan": 0}
    assert open_nights(night.season) == [later]
    last = open_night(night.league, players=night.league.players.all())
    page = page_text(guest, at(night))
    assert "2 nights are still open. Their chips count as they are now." in page
    closed(later)
    closed(last)
    assert "is still open" not in page_text(guest, at(night))


@pytest.mark.django_db
def test_season_links_to_its_recap_and_players_to_achievements(guest: Client, night: Night) -> None:
    assert f'href="{at(night)}"' in page_text(guest, f"/seasons/{night.season_id}")
    page = page_text(guest, f"/players/{player(night, 'bob').pk}")
    assert "bob lost 30 chips at Night 1" in page
    assert "Lose the most in one night" in page
    assert "ann won 3 hands" not in page


@pytest.mark.django_db
def test_voiding_a_hand_removes_it_from_the_recap(guest: Client, night: Night) -> None:
    assert "3 hands in a row" in page_text(guest, at(night))
    void_hand(night.hands.first(), by=None)
    count_all(night.league)
    assert "in a row" not in page_text(guest, at(night))


@pytest.mark.django_db
def test_outsiders_cannot_open_the_recap(night: Night) -> None:
    for ending in ("", ".png"):
        assert someone().get(at(night, ending)).status_code == 404
        assert Client().get(at(night, ending)).status_code == 302


@pytest.mark.django_db
def test_recap_of_a_season_without_hands_shows_a_message() -> None:
    night = a_night()
    guest = member(night.league, Role.VIEWER)
    assert "No hands this season yet" in page_text(guest, at(night))
    assert guest.get(at(night, ".png")).content.startswith(PNG)


@pytest.mark.django_db
def test_recap_picture_has_portrait_format_and_is_sent_once(guest: Client, night: Night) -> None:
    answer = guest.get(at(night, ".png"))
    png = answer.content
    assert answer["Content-Type"] == "image/png"
    assert png.startswith(PNG)
    # it would be three times as large without the drawing library's compression
    assert len(png) < 100_000
    size = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    assert size == (WIDTH, HEIGHT) == (1080, 1350)
    again = guest.get(at(night, ".png"), headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    later = open_night(night.league, players=night.league.players.all())
    record_hand(later, uuid4(), holdem(), by=None)
    count_all(night.league)
    changed = guest.get(at(night, ".png"), headers={"If-None-Match": answer["ETag"]})
    assert changed.status_code == 200


@pytest.mark.django_db
def test_player_name_is_escaped_everywhere(guest: Client, night: Night) -> None:
    Player.objects.filter(pk=player(night, "ann").pk).update(name=LONG[:40])
    cache.clear()
    for path in (at(night), f"/players/{player(night, LONG[:40]).pk}"):
        page = page_text(guest, path)
        assert "<b>& the" not in page
        assert "&lt;b&gt;&amp; the" in page
    assert guest.get(at(night, ".png")).content.startswith(PNG)


@pytest.mark.parametrize("name", ["ann", LONG, "\u5f20\u4f1f" * 20, "a\x00\ud800b", "</svg>"])
def test_recap_picture_can_be_drawn_for_any_names(name: str) -> None:
    poster = Poster(
        **{**POSTER, "league": name, "season": name, "podium": [Placing(1, name, 10, uuid4())] * 2},
        lines=[NetLine(name, nets, RED) for nets in ([0, 10, -10], [0, -5, 5], [0, 0, 0])],
        best=None,
        sentences=[],
    )
    ET.fromstring(drawn(poster))  # noqa: S314 (our own picture)


def test_recap_picture_draws_one_line_per_player_even_for_few_nights() -> None:
    for lines in ([], [NetLine("ann", [0], RED)], [NetLine("ann", [0, 0], RED)]):
        svg = drawn(Poster(**POSTER, lines=lines, best=None, sentences=[]))
        assert svg.count("<polyline") == len(lines)


def test_sentence_wraps_between_words_within_the_width() -> None:
    text = "ann won five hands in a row at the longest night of all"
    lines = in_lines(text, 28, 400, 4)
    assert " ".join(lines) == text
    assert len(lines) > 1
    assert in_lines(text, 28, 250, 2)[-1].endswith("\u2026")
    assert in_lines("n" * 500, 28, 400, 2)[0].endswith("\u2026")
    assert in_lines("", 28, 400, 2) == []


def test_every_achievement_has_a_badge() -> None:
    badges = Path(league.__file__).parent / "static" / "league" / "badges.svg"
    drawn_ones = {each.get("id") for each in ET.parse(badges).getroot()}  # noqa: S314 (our own)
    assert {each.badge for each in DEFINITIONS} == drawn_ones


def test_sentences_end_above_the_footer() -> None:
    sentences = [sentence(f"{'ann won ' * 20}{number}") for number in range(9)]
    for number in range(9):
        svg = drawn(Poster(**POSTER, lines=[], best=None, sentences=sentences[:number]))
        heights = [int(each) for each in re.findall(r"translate\(80 (\d+)\)", svg)]
        assert len(heights) == min(number, 5)
        assert all(y < SENTENCES_FOOT for y in heights)


def sentence(text: str) -> Achievement:
    return Achievement(
        code="first-win",
        title="First win",
        sentence=text,
        takes="",
        badge="moon",
        player=uuid4(),
        name="ann",
        facts={},
        of_the_table=False,
    )


@pytest.mark.django_db
def test_podium_includes_tournaments_of_an_open_night(night: Night) -> None:
    """The night's page counted the tournament, and the recap did not."""
    later = open_night(night.league, players=[player(night, "bob"), player(night, "cat")])
    bob, cat = player(night, "bob"), player(night, "cat")
    shares = {bob: Share(gets=80, place=1), cat: Share(owes=80, place=2)}
    prize = NewCharge(kind=Charge.Kind.TOURNAMENT, title="", shares=shares)
    before = {row.name: row.net for row in live_standings(night.season)}
    charge(later, prize, charge_id=uuid4(), by=None)
    after = {row.name: row.net for row in live_standings(night.season)}
    assert (after["bob"] - before["bob"], after["cat"] - before["cat"]) == (80, -80)
