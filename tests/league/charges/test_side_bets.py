"""Side bets that the verdict tells: offered while they hold, charged once, whoever says yes."""

from typing import Any
from uuid import uuid4

import pytest

from league.charges.charging import Share, Wanted, charge, undo
from league.charges.side_bets import (
    SideBet,
    charges_of,
    no_longer_won,
    of_night,
    waiting_bets,
)
from league.integrity.audit import audit
from league.models import Charge, Hand, Night, Revision
from league.nights.nights import hands
from league.recording.corrections import revise_hand, void_hand
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import again, chosen, closed, dealt, planned
from tests.helpers.league.side_bets import bad_beat, with_seven_deuce

pytestmark = pytest.mark.django_db
Kind = Charge.Kind


def bets(night: Night) -> list[SideBet]:
    return of_night(night, hands(night), charges_of(night))


def said(night: Night) -> list[str]:
    return [each.text for each in bets(night)]


def current(hand: Hand) -> Revision:
    return Revision.objects.select_related("hand", "document").get(hand=hand, current=True)


def confirm(night: Night, bet: SideBet) -> Charge:
    return charge(night, bet.wanted, charge_id=bet.id, by=None)


def test_a_league_without_side_bets_is_offered_none() -> None:
    night = a_night()
    hand = dealt(night, with_seven_deuce())
    assert bets(night) == []
    assert waiting_bets(night, current(hand)) == []


def test_who_wins_with_seven_deuce_gets_from_everybody_dealt_in_and_once() -> None:
    night = chosen(a_night(), seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    [bet] = waiting_bets(night, current(hand))
    assert bet.text == "ann wins with 7-2: everybody owes 2."
    assert confirm(night, bet) == confirm(night, bet)
    assert bets(night) == []
    charged = {
        each.player.name: (each.gets, each.owes) for each in Charge.objects.get().shares.all()
    }
    assert charged == {"ann": (4, 0), "bob": (0, 2), "dan": (0, 2)}
    assert sorted(planned(closed(night))) == ["bob pays ann 12", "dan pays ann 2"]
    assert audit(night.league) == []


def test_a_bounty_that_was_undone_is_not_offered_again() -> None:
    night = chosen(a_night(), seven_deuce=2)
    dealt(night, with_seven_deuce())
    undo(confirm(night, bets(night)[0]), by=None)
    assert bets(night) == []


def test_a_corrected_hand_says_that_its_bounty_no_longer_holds() -> None:
    night = chosen(a_night(), seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    done = confirm(night, bets(night)[0])
    assert not no_longer_won(done, current(hand))
    revise_hand(hand, uuid4(), holdem(), by=None)
    assert no_longer_won(done, current(hand))
    void_hand(hand, by=None)
    assert no_longer_won(done, current(hand))


def test_a_bad_beat_is_paid_by_the_fund_and_no_more_than_it_has() -> None:
    night = a_night()
    night = chosen(night, bad_beat=50, fund_each=3, fund_keeper=player(night, "cat"))
    hand = dealt(night, bad_beat())
    [fund] = bets(night)
    assert fund.text == "Everybody puts 3 into the fund of the season."
    confirm(night, fund)
    [bet] = bets(night)
    assert bet.text == "ann loses with four eights: 12 from the fund."
    done = confirm(night, bet)
    assert bets(night) == []
    assert not no_longer_won(done, current(hand))  # though the fund is empty now
    assert audit(night.league) == []


def test_the_high_hand_of_the_night_is_the_best_of_all_games_and_its_first() -> None:
    night = chosen(a_night(), high_hand=5)
    hand = dealt(night, bad_beat())
    dealt(night, holdem())
    assert said(night) == ["bob has the high hand, four kings: everybody owes 5."]
    done = confirm(night, bets(night)[0])
    assert {each.player.name: each.net for each in done.shares.all()} == {
        "ann": -5,
        "bob": 15,
        "cat": -5,
        "dan": -5,
    }
    assert bets(night) == []
    assert not no_longer_won(done, current(hand))
    void_hand(hand, by=None)
    assert no_longer_won(done, current(hand))


def test_a_side_bet_that_stands_already_is_not_offered_beside_it() -> None:
    night = chosen(a_night(), seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    shares = {player(night, "ann"): Share(gets=9), player(night, "bob"): Share(owes=9)}
    wanted = Wanted(kind=Kind.BOUNTY, title="by hand", shares=shares, hand=hand)
    charge(night, wanted, charge_id=uuid4(), by=None)
    assert bets(again(night)) == []


def test_more_hands_ask_the_database_no_more(django_assert_max_num_queries: Any) -> None:
    night = a_night()
    night = chosen(
        night, seven_deuce=1, high_hand=1, bad_beat=1, fund_each=1, fund_keeper=player(night, "ann")
    )
    for _ in range(4):
        dealt(night, with_seven_deuce())
        dealt(night, bad_beat())
    dealt_hands, charged = list(hands(night)), charges_of(night)
    with django_assert_max_num_queries(4):
        assert len(of_night(night, dealt_hands, charged)) == 6
