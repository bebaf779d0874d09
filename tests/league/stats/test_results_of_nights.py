"""The results of closed nights are those of their closings, as in the standings."""

from collections import Counter
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from hypothesis import given, settings
from hypothesis import strategies as st

from league.charges.charging import NewCharge, Share, charge
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.standings import standings
from league.models import Charge, League, Night
from league.privacy.erasure import erase_player
from league.recording.corrections import void_hand
from league.stats.figures.achievements import achievements
from league.stats.figures.players import over_nights, players, seasons
from league.stats.figures.results_by_night import Evenings, evenings, forms
from league.stats.scopes import Scope, of_all_time, of_season
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.night_acts import Act, Table, a_table, acts, changes, options, play
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.stats_rows import count_all
from tests.helpers.league.tournaments import play_tournament

pytestmark = pytest.mark.django_db


def plays_tournament(first: str, second: str) -> Act:
    return lambda table: play_tournament(table.night, first, second)


def bets(winner: str, loser: str, chips: int) -> Act:
    def act(table: Table) -> None:
        shares = {
            table.players[winner]: Share(gets=chips),
            table.players[loser]: Share(owes=chips),
        }
        wanted = NewCharge(kind=Charge.Kind.HIGH_HAND, title="high hand", shares=shares)
        charge(table.night, wanted, charge_id=uuid4(), by=None)

    return act


def reads() -> Act:
    def act(table: Table) -> None:
        count_all(table.league)
        for scope in scopes(table.league):
            evenings(scope)

    return act


def scopes(league: League) -> list[Scope]:
    return [of_all_time(league), *(of_season(season) for season in league.seasons.all())]


def nets(read: Evenings) -> dict[UUID, int]:
    """Return the players' nets over the closed nights."""
    sums: Counter[UUID] = Counter()
    for each in read.players:
        for at, net in zip(each.at, each.nets, strict=True):
            sums[each.player] += net if read.nights[at].closed else 0
    return {who: net for who, net in sums.items() if net}


def in_standings(league: League) -> dict[UUID, int]:
    sums: Counter[UUID] = Counter()
    for season in league.seasons.all():
        rows = {row.player: row.net for row in standings(season) if row.net}
        assert nets(evenings(of_season(season))) == rows
        sums.update(rows)
    return {who: net for who, net in sums.items() if net}


pairs = st.permutations(["ann", "bob", "cat"]).map(lambda names: names[:2])
deeds = st.one_of(
    acts,
    acts,
    changes,
    pairs.map(lambda names: plays_tournament(*names)),
    st.builds(lambda names, chips: bets(*names, chips), pairs, st.integers(1, 40)),
    st.builds(reads),
)


@settings(max_examples=examples(60))
@given(st.lists(deeds, max_size=24), options)
def test_results_of_closed_nights_add_up_to_the_standings(
    sequence: list[Act], chosen: dict[str, str]
) -> None:
    table = a_table(**chosen)
    play(table, sequence)
    count_all(table.league)
    league = table.league
    read_on = [evenings(scope) for scope in scopes(league)]
    assert nets(read_on[0]) == in_standings(league)
    states = dict(Night.objects.filter(season__league=league).values_list("pk", "state"))
    for night in read_on[0].nights:
        assert night.closed == (states[UUID(night.key)] == Night.State.CLOSED)
    cache.clear()
    assert [evenings(scope) for scope in scopes(league)] == read_on


@pytest.fixture
def night() -> Night:
    """An open night. Ann won 10 from bob in a hand, and 50 in a tournament with bob and cat."""
    night = a_night()
    dealt(night)
    play_tournament(night, "ann", "bob", "cat")
    count_all(night.league)
    return again(night)


def by_name(night: Night) -> dict[str, int]:
    return {each.name: each.totals[-1] for each in evenings(of_season(night.season)).players}


def test_open_night_counts_hands_until_it_is_closed_and_after_it_is_reopened(night: Night) -> None:
    hands = {"ann": 10, "bob": -10}
    assert by_name(night) == hands
    assert evenings(of_season(night.season)).has_open
    closed(night, ann=105, bears="dan")  # five chips are missing
    assert by_name(again(night)) == {"ann": 55, "bob": -35, "cat": -25, "dan": 5}
    assert not evenings(of_season(night.season)).has_open
    reopen_night(again(night), by=None)
    assert by_name(again(night)) == hands
    closed(again(night))
    assert by_name(again(night)) == {"ann": 60, "bob": -35, "cat": -25, "dan": 0}


def test_voiding_a_hand_of_a_closed_night_changes_its_result_before_it_is_counted(
    night: Night,
) -> None:
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert by_name(night)["ann"] == 60
    void_hand(night.hands.get(), by=None)  # closes the night again
    assert by_name(night) == {"ann": 50, "bob": -25, "cat": -25, "dan": 0}
    count_all(night.league)
    assert by_name(night) == {"ann": 50, "bob": -25, "cat": -25, "dan": 0}


def test_night_with_only_a_tournament_counts_as_attended() -> None:
    night = a_night()
    play_tournament(night, "ann", "bob")
    closed(again(night))
    scope = of_season(night.season)
    read = evenings(scope)
    assert {each.name: each.nets for each in read.players}["ann"] == [25]
    assert (read.held, read.has_open) == (1, False)
    rows = {row.name: row for row in over_nights(players(scope, read=read), read)}
    assert (rows["ann"].net, rows["ann"].hands, rows["ann"].net_per_100) == (25, 0, None)
    assert {form.name: (form.nights, form.best) for form in forms(scope)}["bob"] == (1, -25)
    assert seasons(scope) == []  # counts hands


def test_erased_player_keeps_the_results(night: Night) -> None:
    closed(night)
    erase_player(player(night, "bob"), by=None)
    assert sorted(by_name(again(night)).values()) == [-35, -25, 0, 60]


def test_rates_and_seasons_count_only_hands(night: Night) -> None:
    closed(night)
    scope = of_season(night.season)
    read = evenings(scope)
    ann = next(row for row in over_nights(players(scope, read=read), read) if row.name == "ann")
    assert (ann.net, ann.hands, ann.net_per_100) == (60, 1, 1000)
    [row] = [row for row in seasons(scope) if row.name == "ann"]
    assert (row.net, row.net_per_100) == (10, 1000)


def test_player_goes_home_even_by_the_chip_count() -> None:
    night = a_night()
    for _ in range(10):
        dealt(night)
    count_all(night.league)
    scope = of_season(night.season)
    assert "even-night" not in {each.code for each in achievements(scope)}
    closed(night, ann=100, bob=100)
    even = [each.name for each in achievements(scope) if each.code == "even-night"]
    assert even == ["ann", "bob"]
