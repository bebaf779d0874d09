"""Final tables by chips, by points for places, and with only the best nights counted."""

from collections.abc import Mapping
from decimal import Decimal
from uuid import uuid4

import pytest

from league.closing.close import Decisions, close_night
from league.common.errors import RefusedError
from league.models import League, Season
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.record import record_hand
from league.scoring.points_document import catalog, document_of
from league.scoring.season_table import (
    Contest,
    Option,
    change,
    choose,
    contest_points,
    places_of,
    scored_table,
)
from tests.helpers.league.leagues import a_league

pytestmark = pytest.mark.django_db

PLACES = Option(scoring="places", points=(5, 3, 1))


@pytest.fixture
def season() -> Season:
    """Three closed nights of ann, bob and cat: +20 -10 -10, -30 +30 0, -5 -5 +10."""
    league = a_league()
    people = {name: add_player(league, name) for name in ("ann", "bob", "cat")}
    for nets in ((20, -10, -10), (-30, 30, 0), (-5, -5, 10)):
        _night(league, people, dict(zip(people, nets, strict=True)))
    found: Season = league.seasons.get()
    return found


def _night(league: League, people: Mapping[str, object], nets: dict[str, int]) -> None:
    night = open_night(league, players=people.values())  # type: ignore[arg-type]
    for player in people.values():
        buy_in(night, player, 100, buy_in_id=uuid4(), by=None)  # type: ignore[arg-type]
    paid = [{"name": name, "paid": max(0, -net)} for name, net in nets.items()]
    won = {name: net for name, net in nets.items() if net > 0}
    told = {"variant": "texas-holdem", "button": 0, "depth": "result", "players": paid, "took": won}
    record_hand(night, uuid4(), told, by=None)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))


def test_scoring_by_net_adds_up_the_nights(season: Season) -> None:
    table = scored_table(season)
    assert [(line.place, line.name, line.score, line.wins) for line in table] == [
        (1, "bob", 15, 1),
        (2, "cat", 0, 1),
        (3, "ann", -15, 1),
    ]
    assert sum(line.net for line in table) == 0


def test_tied_players_share_the_points_of_their_places(season: Season) -> None:
    """The points are 5, 2, 2 (second and third share 3 + 1), then 1, 5, 3, then 2, 2, 5."""
    found = scored_table(season, PLACES)
    assert [(each.name, each.score) for each in found] == [
        ("cat", 1000),
        ("bob", 900),
        ("ann", 800),
    ]


def test_only_the_best_nights_count(season: Season) -> None:
    found = scored_table(season, Option(scoring="places", points=(5, 3, 1), best_nights=1))
    assert [(line.place, line.name, line.score, line.counted) for line in found] == [
        (1, "bob", 500, 1),
        (2, "cat", 500, 1),
        (3, "ann", 500, 1),
    ]
    chips = scored_table(season, Option(best_nights=2))
    assert [(line.name, line.score, line.net) for line in chips] == [
        ("bob", 25, 15),
        ("ann", 15, -15),
        ("cat", 10, 0),
    ]


def test_three_tied_players_share_points_rounded_to_hundredths() -> None:
    one, two, three = uuid4(), uuid4(), uuid4()
    nets = {one: 0, two: 0, three: 0}
    assert contest_points(Contest(places_of(nets)), (5, 3)) == dict.fromkeys((one, two, three), 266)


def test_change_keeps_what_another_host_changed_meanwhile(season: Season) -> None:
    stale = Season.objects.get(pk=season.pk)
    change(season, {"best_nights": 3}, by=None)
    changed = change(stale, {"drop_worst": 1}, by=None)
    assert (changed.best_nights, changed.drop_worst) == (3, 1)


def test_season_keeps_its_scoring_option(season: Season) -> None:
    choose(season, PLACES, by=None)
    response = Season.objects.get(pk=season.pk)
    assert (response.scoring, response.points, response.best_nights) == ("places", [5, 3, 1], None)
    assert scored_table(response)[0].name == "cat"


def test_all_errors_in_a_scoring_option_are_reported_together(season: Season) -> None:
    with pytest.raises(RefusedError) as refused:
        choose(season, Option(scoring="luck", points=(5, -1), best_nights=0), by=None)
    assert [(each["where"], each["code"]) for each in refused.value.errors] == [
        ("scoring", "bad-option"),
        ("points/1", "bad-points"),
        ("best_nights", "bad-nights"),
    ]


def test_document_scores_by_field_size_and_attendance(season: Season) -> None:
    """The formula is players minus place plus one, with three players, plus a point for each night.

    The nights are +20 -10 -10, -30 +30 0, -5 -5 +10, and tied players share second and third place:
    (2 + 1) / 2. So ann has 3 + 1 + 1.5, bob 1.5 + 3 + 1.5 and cat 1.5 + 2 + 3, each plus 3.
    """
    document = {
        "title": "Ours",
        "formula": "players - place + 1",
        "attendance": 1,
        "examples": [{"players": 3, "place": 1, "points": 3}],
    }
    choose(season, Option(scoring="document", document=document), by=None)
    table = scored_table(Season.objects.get(pk=season.pk))
    assert [(line.name, line.score) for line in table] == [
        ("cat", 950),
        ("bob", 900),
        ("ann", 850),
    ]


def test_worst_nights_are_dropped(season: Season) -> None:
    """By net: ann keeps +20 -5, bob +30 -5, cat +10 0."""
    table = scored_table(season, Option(drop_worst=1))
    assert [(line.name, line.score, line.counted) for line in table] == [
        ("bob", 25, 2),
        ("ann", 15, 2),
        ("cat", 10, 2),
    ]


def test_missed_night_counts_as_a_night_with_zero(season: Season) -> None:
    """dan attends only the fourth night, so three missed nights can be dropped."""
    people = {player.name: player for player in season.league.players.all()}
    people["dan"] = add_player(season.league, "dan")
    _night(season.league, people, {"ann": 0, "bob": 0, "cat": 10, "dan": -10})
    scores = {line.name: line.score for line in scored_table(season, Option(drop_worst=1))}
    assert scores == {"ann": 15, "bob": 25, "cat": 20, "dan": 0}


def test_own_spending_lowers_the_points_of_dr_neau() -> None:
    """sqrt(9 * 25 * 25 / 25) / 2 = 7.5 for the winner, and 5.30 if the winner spent 50."""
    players = [uuid4() for _ in range(9)]
    places = {player: place for place, player in enumerate(players, start=1)}
    document = document_of(catalog()["dr-neau"])
    for spent, points in ((25, 750), (50, 530)):
        contest = Contest(places, Decimal(25), {players[0]: Decimal(spent)})
        assert contest_points(contest, (), document)[players[0]] == points
