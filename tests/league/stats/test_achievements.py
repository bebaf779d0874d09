"""Achievements follow from counted hands, and disappear with them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from league.closing.close import Decisions, close_night
from league.models import Hand, League, Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.privacy.erasure import erase_player
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.count import rebuild
from league.stats.figures.achievements import DEFINITIONS, Achievement, achievements
from league.stats.figures.season_facts import Dealt, Feats, Scoop, feats_of
from league.stats.scopes import of_all_time, of_season
from tests.helpers.league.leagues import NAMES, a_league, holdem
from tests.helpers.league.records import OMAHA
from tests.helpers.league.stats_rows import count_all

START = datetime(2026, 1, 1, 20, tzinfo=UTC)
# Cat's deuce and three make a wheel, which wins both high and low outright.
BOTH_WAYS: dict[str, Any] = {
    "variant": "omaha-8",
    "options": {"declare": "high-low"},
    "button": 1,
    "players": [
        {"name": "ann", "paid": 40, "down": ["Ks", "Kd", "Jc", "Ts"], "declared": "high"},
        {"name": "cat", "paid": 40, "down": ["Ac", "Ad", "3h", "2c"], "declared": "both"},
    ],
    "board": [["4h", "5d", "8s", "Ah", "Qc"]],
}


def a_hand(*nets: tuple[str, int], number: int, game: str = "holdem", **more: Any) -> list[Dealt]:
    """Return a hand as it is counted for each of its players."""
    details = {"scooped": False, "declared": ""} | more
    return [
        Dealt(number, f"hand {number}", game, player, net, max(net, 0), **details)
        for player, net in nets
    ]


def night_of(*nets: Sequence[tuple[str, int]]) -> list[Dealt]:
    return [each for at, hand in enumerate(nets, start=1) for each in a_hand(*hand, number=at)]


def by_player(dealt: Sequence[Dealt]) -> dict[str, Feats]:
    return {each.player: each for each in feats_of(dealt)}


def test_streak_counts_only_hands_the_player_was_dealt() -> None:
    """Sitting out a hand neither continues nor ends a streak.

    A hand that the player is dealt without achieving the feat ends it.
    """
    dealt = night_of(
        [("ann", 5), ("bob", -5)],
        [("bob", 5), ("cat", -5)],
        [("ann", 5), ("bob", -5)],
        [("ann", 0), ("bob", 0)],
        [("ann", 5), ("bob", -5)],
    )
    assert {name: each.run for name, each in by_player(dealt).items()} == {
        "ann": 2,
        "bob": 1,
        "cat": 0,
    }


def test_comeback_goes_from_last_in_the_second_half_to_first() -> None:
    down = [("ann", -30), ("bob", 20), ("cat", 10)]
    up = [("ann", 50), ("bob", -25), ("cat", -25)]
    feats = by_player(night_of(down, up))
    assert (feats["ann"].climbed_from, feats["ann"].net) == (30, 20)
    assert not feats["bob"].climbed_from
    even = [("ann", 0), ("bob", 0), ("cat", 0)]
    early = night_of(down, up, even, even)
    assert not by_player(early)["ann"].climbed_from, "behind only while it was early"
    two = night_of([("ann", -30), ("bob", 30)], [("ann", 50), ("bob", -50)])
    assert not by_player(two)["ann"].climbed_from, "of two somebody is always last"


def test_only_a_pot_declared_both_ways_and_won_entirely_is_scooped_both_ways() -> None:
    players = (("ann", 30), ("bob", -30))
    both = a_hand(*players, number=1, scooped=True, declared="both")
    other = a_hand(*players, number=2, scooped=True, declared="high")
    lost = a_hand(*players, number=3, scooped=False, declared="both")
    feats = by_player([*both, *other, *lost])
    assert feats["ann"].scoops == (Scoop(30, "hand 1", "holdem"),)


HANDS = st.lists(
    st.dictionaries(st.sampled_from("abcde"), st.integers(-50, 50), min_size=2), max_size=12
)


@given(hands=HANDS, order=st.randoms(use_true_random=False), names=st.permutations("abcde"))
def test_order_and_names_of_players_do_not_affect_achievements(
    hands: list[dict[str, int]], order: Any, names: list[str]
) -> None:
    """Players with different names and seats get the same achievements, and ties are shared."""
    called = dict(zip("abcde", names, strict=True))
    dealt = night_of(*(list(hand.items()) for hand in hands))
    other = [item._replace(player=called[item.player]) for item in dealt]
    order.shuffle(other)
    expected = {
        called[player]: item._replace(player=called[player])
        for player, item in by_player(dealt).items()
    }
    assert by_player(other) == expected


def test_achievements_are_distinct() -> None:
    codes = [definition.code for definition in DEFINITIONS]
    assert len(set(codes)) == len(codes) == 20
    assert len({str(definition.title) for definition in DEFINITIONS}) == len(codes)
    assert len({str(definition.takes) for definition in DEFINITIONS}) == len(codes)


# With a database


@pytest.fixture
def league() -> League:
    """Four nights in which ann wins from bob. In the last one cat also scoops a pot both ways."""
    league = a_league()
    people = [add_player(league, name) for name in NAMES]
    for number in range(4):
        night = open_night(league, players=people, started_at=START + timedelta(days=number))
        for player in people:
            buy_in(night, player, 500, buy_in_id=uuid4(), by=None)
        for _ in range(3):
            record_hand(night, uuid4(), holdem(), by=None)
        record_hand(night, uuid4(), OMAHA, by=None)
    count_all(league)
    return league


def achievements_in(league: League) -> list[Achievement]:
    """Return all players' achievements, after checking that a fresh calculation gives the same."""
    fresh = achievements(of_all_time(league))
    cache.clear()
    assert achievements(of_all_time(league)) == fresh
    return fresh


def of(league: League, code: str) -> dict[str, dict[str, str | int]]:
    return {each.name: each.facts for each in achievements_in(league) if each.code == code}


def last_night(league: League) -> Night:
    return Night.objects.filter(season__league=league).latest("started_at")


@pytest.mark.django_db
def test_achievements_of_four_nights_match_a_manual_calculation(league: League) -> None:
    """Each night, ann wins +10 three times and +37 in an Omaha pot, so her streak is four."""
    assert of(league, "best-night") == {"ann": {"night": "Night 1", "chips": 67}}
    assert of(league, "worst-night") == {"cat": {"night": "Night 1", "chips": 40}}
    assert of(league, "hands-in-a-row") == {"ann": {"night": "Night 1", "hands": 4}}
    assert of(league, "nights-in-a-row") == {"ann": {"nights": 4}}
    assert set(of(league, "never-missed")) == set(NAMES)
    assert set(of(league, "first-night")) == set(NAMES)
    assert of(league, "specialist") == {"ann": {"game": "Texas Hold'em", "hands": 12, "chips": 120}}
    assert of(league, "best-hand") == {"cat": {"called": "three aces", "game": "Omaha-8"}}
    assert not of(league, "both-ways")
    assert not of(league, "games-in-a-night"), "two games are not three"


@pytest.mark.django_db
def test_first_win_is_that_of_a_closed_night(league: League) -> None:
    """Ann is 67 chips ahead on each of the four nights, but open nights may still change."""
    assert not of(league, "first-win")
    last = last_night(league)
    close_night(last, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert of(league, "first-win") == {"ann": {"night": "Night 4", "chips": 67}}


@pytest.mark.django_db
def test_tied_players_all_get_a_single_achievement(league: League) -> None:
    other = holdem(players=[{**each, "name": name} for each, name in _swapped()])
    for _ in range(6):
        record_hand(last_night(league), uuid4(), other, by=None)
    count_all(league)
    assert set(of(league, "hands-in-a-row")) == {"dan"}
    hands = Hand.objects.filter(night=last_night(league)).order_by("-number")
    for hand in hands[:2]:
        void_hand(hand, by=None)
    count_all(league)
    assert set(of(league, "hands-in-a-row")) == {"ann", "dan"}


def _swapped() -> list[tuple[dict[str, Any], str]]:
    return list(zip(holdem()["players"], ("dan", "cat"), strict=True))


@pytest.mark.django_db
def test_voiding_a_hand_removes_its_achievements(league: League) -> None:
    before = achievements_in(league)
    hand = record_hand(last_night(league), uuid4(), BOTH_WAYS, by=None).hand
    count_all(league)
    assert of(league, "both-ways") == {"cat": {"night": "Night 4", "game": "Omaha-8", "chips": 80}}
    assert achievements_in(league) != before
    void_hand(hand, by=None)
    count_all(league)
    assert achievements_in(league) == before


@pytest.mark.django_db
def test_correcting_a_hand_removes_outdated_achievements(league: League) -> None:
    before = achievements_in(league)
    hand = record_hand(last_night(league), uuid4(), BOTH_WAYS, by=None).hand
    count_all(league)
    assert of(league, "both-ways")
    ann, cat = BOTH_WAYS["players"]
    high = {**BOTH_WAYS, "players": [ann, {**cat, "declared": "high"}]}
    revise_hand(hand, uuid4(), high, by=None)
    count_all(league)
    assert not of(league, "both-ways")
    assert achievements_in(league) != before, "the chips are won all the same"


@pytest.mark.django_db
def test_incremental_achievements_match_a_rebuild(league: League) -> None:
    hand = record_hand(last_night(league), uuid4(), BOTH_WAYS, by=None).hand
    count_all(league)
    before = achievements_in(league)
    rebuild(league.pk)
    assert achievements_in(league) == before
    void_hand(hand, by=None)
    count_all(league)
    before = achievements_in(league)
    rebuild(league.pk)
    assert achievements_in(league) == before


@pytest.mark.django_db
def test_hands_from_other_seasons_are_ignored(league: League) -> None:
    season, other = last_night(league).season, a_league()
    assert achievements(of_season(season))
    assert not achievements(of_season(other.seasons.get()))


@pytest.mark.django_db
def test_erased_players_name_is_not_in_achievements(league: League) -> None:
    ann = league.players.get(name="ann")
    codes = [
        achievement.code for achievement in achievements_in(league) if achievement.player == ann.pk
    ]
    assert codes
    erase_player(ann, by=None)
    count_all(league)
    mine = [achievement for achievement in achievements_in(league) if achievement.player == ann.pk]
    assert [achievement.code for achievement in mine] == codes
    words = " ".join(
        f"{achievement.name} {achievement.sentence} {achievement.facts}"
        for achievement in achievements_in(league)
    )
    assert "ann" not in words.split()


@pytest.mark.django_db
def test_achievements_link_to_hands_of_the_league(league: League) -> None:
    hands = set(Hand.objects.filter(night__season__league=league).values_list("pk", flat=True))
    about: set[UUID] = {each.hand for each in achievements_in(league) if each.hand}
    assert about
    assert about <= hands


@pytest.mark.django_db
def test_renamed_players_keep_their_achievements(league: League) -> None:
    before = {(achievement.code, achievement.player) for achievement in achievements_in(league)}
    for name, player in zip(
        ("zoe", "yan", "xia", "wim"), league.players.order_by("name"), strict=True
    ):
        league.players.filter(pk=player.pk).update(name=name)
    assert {
        (achievement.code, achievement.player) for achievement in achievements_in(league)
    } == before
    assert {achievement.name for achievement in achievements_in(league)} == {
        "zoe",
        "yan",
        "xia",
        "wim",
    }


@pytest.mark.django_db
def test_biggest_pot_names_all_players_who_shared_it(league: League) -> None:
    """The recap named only one of two winners."""
    sentences = {each.sentence for each in achievements_in(league) if each.code == "biggest-pot"}
    assert sentences == {"ann and bob won the biggest pot: 105 chips at Omaha-8."}


@pytest.mark.django_db
def test_sentences_report_only_what_was_recorded(league: League) -> None:
    """They used to say who paid for the pizza, and called every beaten pair a bad beat."""
    [worst] = (each for each in achievements_in(league) if each.code == "worst-night")
    assert worst.title == "Table sponsor"
    assert worst.sentence == "cat lost 40 chips at Night 1. The table says thank you."
    [beaten] = (str(each.sentence) for each in DEFINITIONS if each.code == "beat-survived")
    assert "bad beat" not in beaten
