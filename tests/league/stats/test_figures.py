"""All of a season's figures, calculated manually from three nights."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from league.models import League, Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.record import record_hand
from league.stats.figures import games, players, records, results_by_night
from league.stats.scopes import Scope, of_all_time
from tests.helpers.league.leagues import NAMES, a_league, holdem, qualifiers
from tests.helpers.league.records import OMAHA, PUT_AND_TAKE
from tests.helpers.league.stats_rows import count_all

pytestmark = pytest.mark.django_db

START = datetime(2026, 1, 1, 20, tzinfo=UTC)


@pytest.fixture
def league() -> League:
    """Three nights.

    First: ann +10 and bob -10 at hold'em, twice, an hour apart, bob deals; then Omaha (ann +37, bob
    +13, cat -40, dan -10), cat deals. Second: qualifiers carried, ann deals (ann -10, bob -10);
    hold'em recorded as a result, bob wins 15 from cat. Third: bob beats ann by 10, ann deals.
    """
    league = a_league()
    people = [add_player(league, name) for name in NAMES]
    first, second, third = (_night(league, people, number) for number in range(3))
    _deal(first, holdem(), 0)
    _deal(first, holdem(), 60)
    _deal(first, OMAHA, 120)
    _deal(second, qualifiers(), 30)
    payers = [{"name": "bob", "paid": 15}, {"name": "cat", "paid": 15}]
    result = {"variant": "texas-holdem", "button": 1, "depth": "result", "players": payers}
    _deal(second, result | {"took": {"bob": 30}}, 60)
    _deal(third, _bob_wins(), 30)
    count_all(league)
    return league


def _night(league: League, people: list[Any], number: int) -> Night:
    night = open_night(league, players=people, started_at=START + timedelta(days=number))
    for player in people:
        buy_in(night, player, 100, buy_in_id=uuid4(), by=None)
    return night


def _deal(night: Night, record: dict[str, Any], minutes: int) -> None:
    at = night.started_at + timedelta(minutes=minutes)
    record_hand(night, uuid4(), record, by=None, made_at=at)


def _bob_wins() -> dict[str, Any]:
    hand = holdem(button=0)
    ann, bob = (player["down"] for player in hand["players"])
    return hand | {
        "players": [
            {"name": "ann", "paid": 10, "down": bob},
            {"name": "bob", "paid": 10, "down": ann},
        ]
    }


def everything(league: League) -> Scope:
    return of_all_time(league)


def test_net_hands_and_rates_are_calculated_for_each_player(league: League) -> None:
    by_player = {figures.name: figures for figures in players.players(everything(league))}
    assert [(name, figures.hands, figures.net) for name, figures in by_player.items()] == [
        ("ann", 5, 37),
        ("bob", 6, 8),
        ("dan", 1, -10),
        ("cat", 2, -55),
    ]
    ann = by_player["ann"]
    assert ann.net_per_100 == 740
    assert (ann.showdowns, ann.showdowns_won, ann.showdown_rate) == (5, 3, 0.6)
    assert (ann.highs, ann.highs_won, ann.lows, ann.lows_won) == (3, 2, 1, 1)
    assert (ann.splits, ann.scoops, ann.scoop_rate) == (1, 0, 0.0)
    assert (ann.mistakes, ann.moved) == (1, -25)
    assert (by_player["dan"].showdown_rate, by_player["dan"].low_rate) == (None, None)


def test_verified_hands_and_results_are_distinguished(league: League) -> None:
    seen = players.players(of_all_time(league, verified=True))
    results_only = players.players(of_all_time(league, verified=False))
    assert [(line.name, line.net) for line in results_only] == [("bob", 15), ("cat", -15)]
    whole = {line.name: line.net for line in players.players(everything(league))}
    assert whole == {
        line.name: line.net + sum(other.net for other in results_only if other.name == line.name)
        for line in seen
    } | {"dan": -10}


def test_hours_of_a_night_are_attributed_in_proportion_to_hands(league: League) -> None:
    """The nights last two hours, one hour and half an hour. Ann was in 3/3, 1/2 and 1/1 hands."""
    by_player = {line.name: line for line in players.players(everything(league))}
    assert by_player["ann"].hours == pytest.approx(2 + 0.5 + 0.5)
    assert by_player["cat"].hours == pytest.approx(2 / 3 + 0.5)
    assert by_player["ann"].net_per_hour == pytest.approx(37 / 3)
    assert replace(by_player["ann"], hours=0.9).net_per_hour is None


def test_later_hand_adds_hours_to_its_night(league: League) -> None:
    """The third night began half an hour before its hand. A second hand comes an hour later."""
    before = results_by_night.hours(everything(league))
    _deal(Night.objects.latest("started_at"), holdem(), 90)
    count_all(league)
    hours = results_by_night.hours(everything(league))
    assert {who: spent - before[who] for who, spent in hours.items() if spent > before[who]} == {
        line.player: pytest.approx(1)
        for line in players.players(everything(league))
        if line.name in ("ann", "bob")
    }
    cache.clear()
    assert results_by_night.hours(everything(league)) == hours


def test_declarations_are_counted_by_direction_with_the_profit_from_both_ways(
    league: League,
) -> None:
    figures = players.declaration_figures(everything(league))
    assert [(each.name, each.way, each.hands, each.right, each.net) for each in figures] == [
        ("ann", "low", 1, 1, 37),
        ("bob", "high", 1, 1, 13),
        ("cat", "both", 1, 0, -40),
    ]


def test_net_by_game_lists_the_best_game_first(league: League) -> None:
    ann = players.players(everything(league))[0].player
    rows = games.by_game(everything(league), player=ann)
    assert [(each.game_name, each.hands, each.net) for each in rows] == [
        ("Omaha-8", 1, 37),
        ("Texas Hold'em", 3, 10),
        ("Qualifiers", 1, -10),
    ]


def test_carried_pots_and_table_mistakes_are_counted(league: League) -> None:
    by_game = {line.game: line for line in games.games(everything(league))}
    assert (by_game["qualifiers"].carries, by_game["qualifiers"].carry_rate) == (1, 1.0)
    assert (by_game["texas-holdem"].hands, by_game["texas-holdem"].pot) == (4, 90)
    assert by_game["texas-holdem"].showdowns == 3
    assert (by_game["omaha-8"].mistakes, by_game["omaha-8"].moved) == (1, 25)


def test_hands_dealt_by_a_player_are_summed_by_game(league: League) -> None:
    bob = next(line.player for line in players.players(everything(league)) if line.name == "bob")
    rows = games.by_dealer(everything(league), dealer=bob)
    assert [(line.game, line.player_name, line.hands, line.net) for line in rows] == [
        ("texas-holdem", "ann", 2, 20),
        ("texas-holdem", "bob", 2, -20),
    ]
    own = games.by_dealer(everything(league), own=True)
    assert {(line.dealer_name, line.game, line.net) for line in own} == {
        ("ann", "qualifiers", -10),
        ("ann", "texas-holdem", -10),
        ("bob", "texas-holdem", -20),
        ("cat", "omaha-8", -40),
        ("cat", "texas-holdem", -15),
    }


def test_net_by_seat_starts_after_the_dealer(league: League) -> None:
    rows = players.seats(everything(league))
    assert [(each.position, each.hands, each.net) for each in rows if each.name == "ann"] == [
        (0, 2, -20),
        (1, 2, 20),
        (2, 1, 37),
    ]


def test_flows_are_the_chips_that_each_loser_paid_to_each_winner(league: League) -> None:
    """In hold'em ann wins 20 from bob, and bob wins 10 from ann and 15 from cat.

    Omaha adds its side pots.
    """
    flows = {
        (flow.loser_name, flow.winner_name): flow.chips
        for flow in players.flows(everything(league))
    }
    scope = of_all_time(league, verified=False)
    assert [(flow.loser_name, flow.winner_name, flow.chips) for flow in players.flows(scope)] == [
        ("cat", "bob", 15)
    ]
    won = dict.fromkeys(NAMES, 0)
    for (loser, winner), chips in flows.items():
        won[winner] += chips
        won[loser] -= chips
    # no player won the carried twenty of qualifiers
    assert won == {"ann": 47, "bob": 18, "cat": -55, "dan": -10}


def test_nights_add_up_to_a_total(league: League) -> None:
    attended = results_by_night.evenings(everything(league))
    [ann] = [each for each in attended.players if each.name == "ann"]
    assert [attended.nights[at].name for at in ann.at] == ["Night 1", "Night 2", "Night 3"]
    assert (ann.hands, ann.nets, ann.totals) == ([3, 1, 1], [57, -10, -10], [57, 47, 37])


def test_attendance_streaks_and_comebacks_are_calculated(league: League) -> None:
    forms = {each.name: each for each in results_by_night.forms(everything(league))}
    ann, bob, dan = forms["ann"], forms["bob"], forms["dan"]
    assert (ann.attendance, dan.attendance) == (1.0, pytest.approx(1 / 3))
    assert (ann.streak, ann.won, ann.lost, ann.best, ann.worst) == (-2, 1, 2, 57, -10)
    # bob's total is -7, then -2 after the second night, then ten more
    assert (bob.nights_won, bob.streak, bob.comeback) == (2, 2, 7)
    assert results_by_night.comeback([-5, -20, 3, -4]) == 20


def test_records_name_hands_and_cards(league: League) -> None:
    scope = everything(league)
    assert [each.chips for each in records.biggest_pots(scope)[:2]] == [105, 30]
    [best] = [each for each in records.best_hands(scope) if each.game == "texas-holdem"]
    assert (best.shown[0].name, best.shown[0].called) == ("ann", "pair of aces")
    assert set(best.shown[0].cards) == {"Ac", "Ad", "Qc", "Jd", "9s"}
    beat = records.worst_beats(scope)[0]
    assert beat.shown[0].called == "three aces"
    assert records.biggest_scoops(scope) == []


def test_put_and_take_is_split_by_dealer_and_player(league: League) -> None:
    """Ann deals once and wins one chip from bob.

    Then bob deals twice and wins one chip from ann each time.
    """
    night = Night.objects.latest("started_at")
    for at, (dealer, other) in enumerate((("ann", "bob"), ("bob", "ann"), ("bob", "ann"))):
        _deal(night, PUT_AND_TAKE | {"players": _bank_and_player(dealer, other)}, 60 + at)
    count_all(league)
    banks = {each.name: each for each in games.banks(everything(league))}
    ann, bob = banks["ann"], banks["bob"]
    assert (ann.hands_as_dealer, ann.net_as_dealer) == (1, 1)
    assert (ann.hands_as_player, ann.net_as_player) == (2, -2)
    assert (bob.hands_as_dealer, bob.net_as_dealer) == (2, 2)
    assert (bob.hands_as_player, bob.net_as_player) == (1, -1)


def _bank_and_player(dealer: str, other: str) -> list[dict[str, Any]]:
    bank, player = PUT_AND_TAKE["players"]
    return [bank | {"name": dealer}, player | {"name": other}]
