"""The cost of a choice and its certainty, compared with manually calculated figures."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import atan, sin
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.models import ChoiceTally, League, Player
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats import count
from league.stats.figures.leaks import Leak, chance_of, corrected, leaks, two_sided_p_value
from league.stats.scopes import of_all_time
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.leagues import a_league
from tests.helpers.league.records import OMAHA
from tests.helpers.league.stats_rows import count_all, rows

START = datetime(2026, 1, 1, 20, tzinfo=UTC)
NIGHTS = (-10, -14, -12, -8, -16)


def lost(chips: int) -> dict[str, Any]:
    """Return a hand in which cat goes both ways with a worse low than ann's and loses `chips`."""
    ann, _, cat, _ = OMAHA["players"]
    hand = {key: value for key, value in OMAHA.items() if key != "took"}
    return hand | {"button": 0, "players": [ann | {"paid": chips}, cat | {"paid": chips}]}


def played(nets: Sequence[int]) -> League:
    """Create nights of four hands. Cat loses 2 chips in three hands, and the rest in the fourth."""
    league = a_league()
    people = [add_player(league, name) for name in ("ann", "cat")]
    for number, net in enumerate(nets):
        start = START + timedelta(days=7 * number)
        night = open_night(league, players=people, started_at=start)
        for each in people:
            buy_in(night, each, 100, buy_in_id=uuid4(), by=None)
        for chips in (2, 2, 2, -net - 6):
            at = start + timedelta(minutes=5)
            record_hand(night, uuid4(), lost(chips), by=None, made_at=at)
    count_all(league)
    return league


def of(league: League, name: str) -> dict[str, Leak]:
    return {each.kind: each for each in leaks(of_all_time(league)) if each.name == name}


def test_student_s_t_matches_published_tables() -> None:
    """The values are the 97.5 % points in textbooks, for odd and even degrees of freedom."""
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 30: 2.042, 120: 1.980}
    for freedom, t in table.items():
        assert two_sided_p_value(t, freedom) == pytest.approx(0.05, abs=0.0002)
        assert two_sided_p_value(-t, freedom) == two_sided_p_value(t, freedom)


def test_mean_and_probability_match_a_manual_calculation() -> None:
    """The mean is -12, the variance 40 / 4 = 10, and t = -12 / sqrt(10 / 5) = -8.49.

    With 4 degrees of freedom, the chance is 1 - sin(a) (1 + cos(a)^2 / 2), where tan(a) = 8.49 / 2.
    It is about one in a thousand.
    """
    angle = atan(12 / 2**0.5 / 2)
    exact = 1 - sin(angle) * (1 + (1 - sin(angle) ** 2) / 2)
    chance = chance_of(5, sum(NIGHTS), sum(net * net for net in NIGHTS))
    assert chance == pytest.approx(exact)
    assert chance == pytest.approx(0.0010576, abs=0.0000005)


def test_constant_result_uses_the_sign_test() -> None:
    """Five nights of -3 are like five equal coin tosses, which have a chance of 2 in 32."""
    assert chance_of(5, -15, 45) == 1 / 16
    assert chance_of(5, 0, 0) == 1


def test_holm_method_corrects_for_multiple_tests() -> None:
    """The lowest of four p-values is multiplied by four, the next by three. Adjusted
    values never decrease."""
    assert corrected([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.5, 0.6]) == [1, 1]
    assert corrected([]) == []


@pytest.mark.django_db
def test_leak_is_described_in_a_sentence() -> None:
    """The mean of five nights is -12.

    Cat has four questions, all with this answer: going both ways, staying, the seat, the hour. The
    chance is therefore four times 0.0010576. One leak by game is reported, and one by seat or hour.
    Winners have no leaks.
    """
    league = played(NIGHTS)
    leaks_of_cat = of(league, "cat")
    leak = leaks_of_cat["declared"]
    assert (leak.game, leak.which, leak.hands, leak.nights, leak.net) == (
        *("omaha-8", "both", 20, 5),
        -60,
    )
    assert leak.per_night == -12
    assert leak.chance == pytest.approx(4 * 0.0010576, abs=0.0001)
    assert leak.sentence == "At Omaha-8, going both ways costs cat 12 a night."
    assert leak.how_sure == "Probably not just luck."
    assert len(leaks_of_cat) == 2
    assert of(league, "ann") == {}


@pytest.mark.django_db
def test_leak_that_could_be_luck_is_described_as_such() -> None:
    """The mean is -12 again, but from -7, -7, -7, -7 and -32.

    The variance is 500 / 4, so t = -2.4. The chance is 0.074, or about 0.3 for four questions.
    """
    leak = of(played((-7, -7, -7, -7, -32)), "cat")["declared"]
    assert leak.per_night == -12
    assert leak.chance == pytest.approx(4 * 0.0743, abs=0.002)
    assert leak.how_sure == "Could be luck."


@pytest.mark.django_db
def test_no_leaks_are_reported_after_few_nights() -> None:
    assert leaks(of_all_time(played(NIGHTS[:4]))) == []


@pytest.mark.django_db
def test_hands_are_counted_by_hour_within_the_night() -> None:
    league = played(NIGHTS[:1])
    [night] = league.seasons.get().nights.all()
    for minutes in (59, 60, 125, 9000):
        at = night.started_at + timedelta(minutes=minutes)
        record_hand(night, uuid4(), lost(1), by=None, made_at=at)
    count_all(league)
    cat = Player.objects.get(name="cat")
    tallies = ChoiceTally.objects.filter(player=cat, choice__startswith="hour")
    assert dict(tallies.values_list("choice", "hands")) == {
        "hour:0": 5,
        "hour:1": 1,
        "hour:2": 1,
        "hour:23": 1,
    }


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_incremental_choice_counts_match_a_rebuild_and_plain_sql(seed: int) -> None:
    """Hands are recorded, corrected and voided in any order."""
    league, chance = played(NIGHTS[:2]), Random(seed)
    night = league.seasons.get().nights.first()
    assert night is not None
    hands = []
    for _ in range(12):
        hands.append(record_hand(night, uuid4(), lost(chance.randint(1, 5)), by=None).hand)
        if chance.random() < 0.3:
            count_all(league)
        if chance.random() < 0.3:
            revise_hand(chance.choice(hands), uuid4(), lost(chance.randint(1, 9)), by=None)
        if chance.random() < 0.2:
            void_hand(hands.pop(chance.randrange(len(hands))), by=None)
    count_all(league)
    counted = rows(league)
    assert counted[ChoiceTally._meta.db_table]
    assert count.check_night(league.pk, night.pk) == []
    count.rebuild(league.pk)
    assert rows(league) == counted


@pytest.mark.django_db
def test_api_and_page_show_leaks() -> None:
    league = played(NIGHTS)
    at = f"/api/v1/leagues/{league.pk}/stats?fields=leaks&key={link_to(league)}"
    leaks = Client().get(at).json()["leaks"]
    assert {leak["sentence"] for leak in leaks} >= {
        "At Omaha-8, going both ways costs cat 12 a night."
    }
    assert {leak["confidence"] for leak in leaks} == {"hardly-luck"}
    member = Client()
    member.force_login(league.memberships.get().user)
    page = member.get(f"/players/{leaks[0]['player']}").content.decode()
    assert "going both ways costs cat 12 a night." in page
    assert "Probably not just luck." in page
    other = Player.objects.get(league=league, name="ann")
    assert "Leaks" not in member.get(f"/players/{other.pk}").content.decode()
