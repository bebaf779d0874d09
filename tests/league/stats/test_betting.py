"""Bets are counted as in poker trackers and stored like all other totals."""

import importlib
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from league.models import BettingTally, Night, StaleMark
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats import count
from league.stats.figures.betting import betting, betting_by_family, betting_seats
from league.stats.scopes import of_all_time
from tests.helpers.api.sample_league import link_to
from tests.helpers.laws.histories import history as any_history
from tests.helpers.league.histories import history
from tests.helpers.league.leagues import NAMES, a_night, holdem
from tests.helpers.league.stats_rows import count_all, rows

pytestmark = pytest.mark.django_db


def played(night: Night, record: dict[str, Any]) -> Any:
    return record_hand(night, uuid4(), record, by=None).hand


def dealt(seed: int, slug: str) -> dict[str, Any]:
    """Return a hand with random bets by players in the league."""
    hands = (any_history(Random(f"{seed} {at}"), slug) for at in range(99))
    hand = next(each for each in hands if len(each["players"]) <= len(NAMES))
    for player, name in zip(hand["players"], NAMES, strict=False):
        player["name"] = name
    return hand


def test_betting_figures_of_a_hand_match_a_manual_calculation() -> None:
    """Cat and dan fold, ann raises to 20 in the small blind, and bob calls in the big blind.

    Both see the flop and, after six checks, the showdown, which ann wins. A hand recorded only with
    cards has no bets.
    """
    night = a_night()
    played(night, history())
    played(night, holdem())
    count_all(night.league)
    found = {each.name: each for each in betting(of_all_time(night.league))}
    ann, bob, cat = found["ann"], found["bob"], found["cat"]
    assert (ann.game, ann.family, ann.hands) == ("no-limit-holdem", "holdem", 1)
    assert (ann.vpip, ann.pfr, ann.three_bet, ann.wtsd, ann.won_at_showdown) == (1, 1, None, 1, 1)
    assert (bob.vpip, bob.pfr, bob.three_bet, bob.wtsd, bob.won_at_showdown) == (1, 0, 0, 1, 0)
    assert (cat.vpip, cat.wtsd, cat.aggression) == (0, None, None)
    [seat] = betting_seats(of_all_time(night.league), player=ann.player)
    assert (seat.position, seat.game, seat.hands) == (1, None, 1)


def test_betting_is_summed_per_game_family() -> None:
    night = a_night()
    played(night, history())
    played(night, history(variant="texas-holdem"))
    count_all(night.league)
    scope = of_all_time(night.league)
    [ann] = [line for line in betting_by_family(scope) if line.name == "ann"]
    assert (ann.family, ann.game, ann.hands, ann.entered) == ("holdem", None, 2, 2)
    assert len([line for line in betting(scope) if line.name == "ann"]) == 2


def test_incremental_betting_counts_match_a_rebuild_and_plain_sql() -> None:
    """Hands are recorded, corrected and voided in any order."""
    night, chance = a_night(), Random(5)
    hands = []
    for seed in range(24):
        slug = chance.choice(("no-limit-holdem", "limit-omaha-8", "five-card-stud"))
        hands.append(played(night, dealt(seed, slug)))
        if seed % 3 == 0:
            count_all(night.league)
        if seed % 4 == 0:
            revise_hand(chance.choice(hands), uuid4(), dealt(100 + seed, slug), by=None)
        if seed % 5 == 0:
            void_hand(hands.pop(chance.randrange(len(hands))), by=None)
    count_all(night.league)
    counted = rows(night.league)
    assert counted[BettingTally._meta.db_table]
    count.rebuild(night.league.pk)
    assert rows(night.league) == counted
    assert count.check_night(night.league.pk, night.pk) == []


def test_voiding_a_hand_removes_its_bets() -> None:
    night = a_night()
    hand = played(night, history())
    count_all(night.league)
    assert BettingTally.objects.count() == 4
    void_hand(hand, by=None)
    count_all(night.league)
    assert not BettingTally.objects.exists()


def test_existing_hands_are_counted_again() -> None:
    """The migration marks each hand that has actions, and no other hands."""
    night = a_night()
    hand = played(night, history())
    played(night, holdem())
    count_all(night.league)
    migration = importlib.import_module("league.migrations.0016_count_betting")
    migration.mark_histories(apps, connection.schema_editor())
    assert [each.hand_id for each in StaleMark.objects.all()] == [hand.pk]
    counted = rows(night.league)
    count_all(night.league)
    assert {**rows(night.league), "facts": None} == {**counted, "facts": None}


def test_api_and_page_show_betting_figures() -> None:
    night = a_night()
    played(night, history())
    count_all(night.league)
    league = night.league
    at = f"/api/v1/leagues/{league.pk}/stats?fields=betting,betting_seats&key={link_to(league)}"
    body = Client().get(at).json()
    ann = next(line for line in body["betting"] if line["player_name"] == "ann")
    assert (ann["vpip"], ann["pfr"], ann["three_bet"], ann["family"]) == (1.0, 1.0, None, "holdem")
    assert {line["position"] for line in body["betting_seats"]} == {0, 1, 2, 3}
    member = Client()
    member.force_login(league.memberships.get().user)
    page = member.get(f"/players/{ann['player']}")
    assert "1 / 1" in page.content.decode()
    assert "VPIP" in page.content.decode()
    assert '<th scope="row">Hold&#x27;em</th>' in " ".join(page.content.decode().split()).replace(
        "> ", ">"
    ).replace(" <", "<")
