"""Bomb pots every n hands: the count of hands since the last one, and the reminders.

"A Bomb Pot is a twist on a regular hand of poker as all players are required to contribute chips to
the pot in the form of an ante. There's also no pre-flop betting" (PokerStars, "What is a bomb
pot?"). docs/rulings.md 17 decides when the next one is due.
"""

import pytest
from django.test import Client

from league.charges import side_games
from league.deals.table import Table
from league.models import Deal, Night, Role
from league.nights.nights import hands
from league.recording.corrections import void_hand
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night
from tests.helpers.league.matches import deals_on, guts
from tests.helpers.league.nights import chosen, dealt
from tests.helpers.league.pages import html
from tests.helpers.league.side_bets import everyone_folds_to

pytestmark = pytest.mark.django_db
REMINDER = "Next hand: bomb pot, everyone antes 5."


@pytest.fixture
def night() -> Night:
    return chosen(a_night(), bomb_pot_every=3, bomb_pot_ante=5)


def is_due(night: Night) -> bool:
    return side_games.is_bomb_pot_due(night.league, hands(night).order_by("-hand__number"))


def due_after(night: Night, *variants: str) -> list[bool]:
    """Deal these games, and return after each whether the next hand is a bomb pot."""
    due = []
    for variant in variants:
        dealt(night, everyone_folds_to("ann") | {"variant": variant})
        due.append(is_due(night))
    return due


def test_every_third_hand_is_a_bomb_pot(night: Night) -> None:
    assert not is_due(night)
    played = ["texas-holdem", "texas-holdem", "bomb-pot-holdem", "omaha-8", "texas-holdem"]
    assert due_after(night, *played) == [False, True, False, False, True]


def test_early_bomb_pot_restarts_the_count(night: Night) -> None:
    played = ["bomb-pot-holdem", "texas-holdem", "texas-holdem"]
    assert due_after(night, *played) == [False, False, True]


def test_another_game_skips_the_bomb_pot(night: Night) -> None:
    assert due_after(night, *["texas-holdem"] * 5) == [False, True, False, False, True]


def test_voided_hands_do_not_count(night: Night) -> None:
    hand = dealt(night, everyone_folds_to("ann"))
    dealt(night, everyone_folds_to("bob"))
    assert is_due(night)
    void_hand(hand, by=None)
    assert not is_due(night)


def test_league_without_bomb_pots_gets_no_reminder() -> None:
    night = a_night()
    assert due_after(night, *["texas-holdem"] * 3) == [False] * 3


def test_pages_remind_the_table_and_name_the_bomb_pot_with_one_tap(night: Night) -> None:
    host = member(night.league, Role.HOST)
    pages = [f"/nights/{night.pk}", f"/nights/{night.pk}/deal", f"/nights/{night.pk}/screen"]

    def reminded(client: Client = host) -> list[bool]:
        return [REMINDER in html(client.get(page)) for page in pages]

    assert reminded() == [False] * 3
    due_after(night, "texas-holdem", "texas-holdem")
    assert reminded() == [True] * 3
    assert REMINDER in html(member(night.league, Role.VIEWER).get(pages[0]))
    form = html(host.get(pages[0])).partition(REMINDER)[0].rpartition("<form")[2]
    assert f'action="{pages[1]}"' in form
    assert 'name="variant" value="bomb-pot-holdem"' in form
    assert host.post(pages[1], {"variant": "bomb-pot-holdem"}).status_code == 302
    assert Deal.objects.get(night=night).variant == "bomb-pot-holdem"
    assert [REMINDER in html(host.get(page)) for page in (pages[0], pages[2])] == [False] * 2


def test_running_match_determines_the_next_game(night: Night) -> None:
    host = member(night.league, Role.HOST)
    dealt(night, everyone_folds_to("ann"))
    deals_on(night, guts("ann", "bob"))
    assert Table(night).match
    assert is_due(night)
    for page in ("", "/deal", "/screen"):
        assert REMINDER not in html(host.get(f"/nights/{night.pk}{page}"))
