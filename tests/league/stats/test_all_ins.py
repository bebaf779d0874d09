"""All-in adjusted results are stored like all totals and drawn next to actual results."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.charts.catalog import KINDS, ChartScope, ChartSubject
from league.models import AllInTally, League, Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats import count, luck
from league.stats.figures.all_ins import all_ins
from league.stats.scopes import of_all_time
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.histories import history
from tests.helpers.league.leagues import a_league, holdem, player
from tests.helpers.league.stats_rows import count_all, rows

pytestmark = pytest.mark.django_db

START = datetime(2026, 1, 1, 20, tzinfo=UTC)
DEAL = ["d dh p1 AsAh", "d dh p2 KdKc", "d dh p3 ????", "d dh p4 ????", "p3 f", "p4 f"]


def turned(river: str) -> dict[str, Any]:
    """Return an all-in for 200 after the turn, where ann's aces win on 42 of 44 rivers."""
    flop = ["p1 cbr 10", "p2 cc", "d db Qs9d4c", "p1 cc", "p2 cc", "d db 5h"]
    return history(actions=[*DEAL, *flop, "p1 cbr 90", "p2 cc", f"d db {river}"])


def at_once(**changes: Any) -> dict[str, Any]:
    """Return an all-in before the flop: aces win 1,388,072 of 1,712,304 boards and split 6,538."""
    board = ["d db Qs9d4c", "d db 5h", "d db 2s"]
    return history(actions=[*DEAL, "p1 cbr 100", "p2 cc", *board], **changes)


def run_twice(*rivers: str) -> dict[str, Any]:
    """Return the all-in after the turn, with two rivers. Each counts for half of the pot."""
    record = turned("")
    del record["actions"][-1]
    return record | {"runs": [{"board": [[river]]} for river in rivers]}


def unreckoned() -> dict[str, Any]:
    """Return an all-in whose odd chips depend on the cards, so there are too many boards to
    settle."""
    return at_once(options={"odd_chip": "high card"})


def played(*evenings: list[dict[str, Any]]) -> League:
    league = a_league()
    record_all(league, evenings)
    count_with_luck(league)
    return league


def record_all(league: League, evenings: Sequence[list[dict[str, Any]]]) -> None:
    people = [add_player(league, name) for name in ("ann", "bob", "cat", "dan")]
    for number, hands in enumerate(evenings):
        night = open_night(league, players=people, started_at=START + timedelta(days=number))
        for each in people:
            buy_in(night, each, 900, buy_in_id=uuid4(), by=None)
        for record in hands:
            record_hand(night, uuid4(), record, by=None)
    count_all(league)


def count_with_luck(league: League) -> None:
    count_all(league)
    while luck.find_luck(league.pk, deals=5):
        pass


def test_hand_run_twice_has_the_expected_result_of_one_deal() -> None:
    """Ann wins one of two rivers, 100 of 200, and was expected to win 190.909."""
    league = played([run_twice("2s", "Kh")])
    first = all_ins(of_all_time(league))[0]
    assert (first.name, first.won, first.expected) == ("ann", 100, 190.909)


def test_season_matches_a_manual_calculation() -> None:
    """Aces hold on the first night. On the second a king comes, and a hand is not calculated.

    Ann's expected result is 190.909 of 200 twice. She won 200, nothing and 200.
    """
    league = played([turned("2s")], [turned("Kh"), unreckoned()])
    by_player = {line.name: line for line in all_ins(of_all_time(league))}
    assert (by_player["ann"].hands, by_player["ann"].exact, by_player["ann"].won) == (3, 2, 400)
    assert by_player["ann"].expected == pytest.approx(200 + 2 * 190.909)
    assert by_player["bob"].luck == pytest.approx(-by_player["ann"].luck)
    assert set(by_player) == {"ann", "bob"}


def test_expected_share_before_the_flop_counts_all_boards() -> None:
    """Ann's expected share is 1,391,341 / 1,712,304 of 200, and she won all 200."""
    by_player = {line.name: line for line in all_ins(of_all_time(played([at_once()])))}
    assert (by_player["ann"].exact, by_player["bob"].exact) == (1, 1)
    assert by_player["ann"].luck == pytest.approx(200 - 200 * 1_391_341 / 1_712_304, abs=0.001)
    assert by_player["bob"].luck == pytest.approx(-by_player["ann"].luck)


def test_chart_shows_adjusted_results_next_to_actual_results() -> None:
    """Ann's nets are +100, then -100 + 100: adjusted 90.9, then 90.9 - 100 + 190.9 - 0."""
    league = played([turned("2s")], [turned("Kh"), unreckoned()])
    [kind] = [
        chart for chart in KINDS if chart.of == ChartSubject.PLAYER and chart.name == "all-ins"
    ]
    ann, dan = (league.players.get(name=name) for name in ("ann", "dan"))
    drawn = kind.rows(ChartScope(scope=of_all_time(league), player=ann.pk))
    assert [(line["player"], line["totals"]) for line in drawn] == [
        ("Actual", [100, 100]),
        ("Adjusted", [91, 282]),
    ]
    assert kind.rows(ChartScope(scope=of_all_time(league), player=dan.pk)) == []


def test_chart_is_empty_without_a_calculated_all_in() -> None:
    league = played([unreckoned(), holdem()])
    [kind] = [each for each in KINDS if each.of == ChartSubject.PLAYER and each.name == "all-ins"]
    ann = league.players.get(name="ann")
    assert kind.rows(ChartScope(scope=of_all_time(league), player=ann.pk)) == []
    assert all_ins(of_all_time(league))[0].exact == 0


@pytest.mark.parametrize("seed", range(2))
def test_incremental_all_in_figures_match_a_rebuild_and_plain_sql(seed: int) -> None:
    """Hands are recorded, corrected, voided and calculated in any order."""
    league, chance = played([holdem()]), Random(seed)
    night = Night.objects.get()
    tellings = (turned("2s"), turned("Kh"), unreckoned(), holdem(), history())
    hands = []
    for _ in range(10):
        hands.append(record_hand(night, uuid4(), chance.choice(tellings), by=None).hand)
        if chance.random() < 0.5:
            count_with_luck(league)
        if chance.random() < 0.4:
            revise_hand(chance.choice(hands), uuid4(), chance.choice(tellings), by=None)
        if chance.random() < 0.2:
            void_hand(hands.pop(chance.randrange(len(hands))), by=None)
    record_hand(night, uuid4(), turned("2s"), by=None)
    count_with_luck(league)
    counted = rows(league)
    assert counted[AllInTally._meta.db_table]
    assert count.check_night(league.pk, night.pk) == []
    count.rebuild(league.pk)
    assert rows(league) == counted


def test_calculation_stops_at_its_time_limit() -> None:
    """Each run calculates at least one hand, so all hands are calculated in the end."""
    league = a_league()
    record_all(league, [[turned("2s"), turned("Kh"), holdem()]])
    turns = [luck.find_luck(league.pk, deals=5, seconds=0) for _ in range(4)]
    assert turns == [1, 1, 1, 0]


def test_api_and_page_show_all_ins() -> None:
    league = played([turned("2s"), turned("Kh"), unreckoned()])
    key = link_to(league)
    body = Client().get(f"/api/v1/leagues/{league.pk}/stats?fields=all_ins&key={key}").json()
    [ann, bob] = body["all_ins"]
    assert (ann["player_name"], ann["hands"], ann["exact"], ann["won"]) == ("ann", 3, 2, 400)
    assert ann["luck"] == pytest.approx(-bob["luck"]) == pytest.approx(200 - 2 * 190.909, abs=0.01)
    at = f"/api/v1/players/{ann['player']}/charts/all-ins"
    assert Client().get(f"{at}?key={key}").json()["$schema"]
    assert len(Client().get(f"{at}/rows?key={key}").json()["results"]) > 2
    member = Client()
    member.force_login(league.memberships.get().user)
    page = member.get(f"/players/{ann['player']}").content.decode()
    assert "2 all-ins before the last card:" in page
    assert "1 more not included" in page
    dan = member.get(f"/players/{player(Night.objects.get(), 'dan').pk}").content.decode()
    assert "All-in adjusted" not in dan
