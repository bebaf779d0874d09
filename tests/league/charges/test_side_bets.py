"""A verdict's side bets are offered while they are valid, and charged once if confirmed twice."""

from dataclasses import replace
from uuid import uuid4

import pytest

from league.charges.charging import NewCharge, Share, charge, high_hand_night, undo
from league.charges.requests import charge_bet
from league.charges.side_bets import (
    beaten_by,
    charged_hands,
    charges_of,
    night_with_season_high_hand,
    no_longer_won,
    valid_charges,
    waiting_bets,
)
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import Charge, Hand, Membership, Night, Revision, Role, User
from league.nights.nights import hands
from league.recording.corrections import revise_hand, void_hand
from league.stats.figures.records import best_hands
from league.stats.scopes import of_season
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player
from tests.helpers.league.nights import again, chosen, closed, dealt, planned
from tests.helpers.league.side_bets import (
    a_season_with,
    bad_beat,
    bets,
    confirm,
    ended,
    with_seven_deuce,
)

pytestmark = pytest.mark.django_db
Kind = Charge.Kind


def offered_bets(night: Night) -> list[str]:
    return [each.text for each in bets(night)]


def a_host_of(night: Night) -> User:
    user = a_user()
    Membership.objects.create(league=night.league, user=user, role=Role.HOST)
    return user


def current(hand: Hand) -> Revision:
    return Revision.objects.select_related("hand", "document").get(hand=hand, current=True)


def test_league_without_side_bets_is_offered_none() -> None:
    night = a_night()
    hand = dealt(night, with_seven_deuce())
    assert bets(night) == []
    assert waiting_bets(night, current(hand)) == []


def test_seven_deuce_winner_gets_a_bounty_from_every_player_dealt_in() -> None:
    night = chosen(a_night(), seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    [bet] = waiting_bets(night, current(hand))
    assert bet.text == "ann wins with 7-2. Everyone pays ann 2."
    assert confirm(night, bet) == confirm(night, bet)
    assert bets(night) == []
    charged = {
        each.player.name: (each.gets, each.owes) for each in Charge.objects.get().shares.all()
    }
    assert charged == {"ann": (4, 0), "bob": (0, 2), "dan": (0, 2)}
    assert sorted(planned(closed(night))) == ["bob pays ann 12", "dan pays ann 2"]
    assert audit(night.league) == []


def test_undone_bet_is_offered_again_and_charged_once_more() -> None:
    night = chosen(a_night(), seven_deuce=2)
    dealt(night, with_seven_deuce())
    first = confirm(night, bets(night)[0])
    undo(first, by=None)
    [bet] = bets(night)
    assert bet.id != first.pk
    assert confirm(night, bet) == confirm(night, bet)
    assert bets(night) == []
    undo(Charge.objects.select_related("night__season__league__book").get(pk=bet.id), by=None)
    assert len({first.pk, bet.id, bets(night)[0].id}) == 3
    assert audit(night.league) == []


def test_undone_bad_beat_is_offered_again() -> None:
    night = a_night()
    night = chosen(night, bad_beat=10, fund_each=3, fund_keeper=player(night, "cat"))
    dealt(night, bad_beat())
    confirm(night, bets(night)[0])
    undo(confirm(night, bets(night)[0]), by=None)
    assert offered_bets(night) == ["ann loses with four eights. 10 from the season fund."]


def test_better_hand_replaces_a_charged_high_hand() -> None:
    night = chosen(a_night(), high_hand=5)
    dealt(night, holdem())
    first = confirm(night, bets(night)[0])
    better = dealt(night, bad_beat())
    assert beaten_by(first, hands(night)) == better
    [bet] = bets(night)
    assert bet.text == (
        "bob has the high hand so far, four kings. Everyone pays bob 5."
        " This replaces the charge for hand 1."
    )
    assert waiting_bets(night, current(better), dealt=list(hands(night))) == [bet]
    made = charge_bet(a_host_of(night), night, bet)
    assert [each.pk for each in valid_charges(charges_of(night))] == [made.pk]
    assert bets(night) == []
    void_hand(better, by=None)
    assert no_longer_won(made, current(better))
    [bet] = bets(night)
    assert bet.new_charge == replace(bet.new_charge, hand=first.hand)
    charge_bet(a_host_of(night), night, bet)
    assert audit(night.league) == []


def test_players_who_tie_share_the_high_hand() -> None:
    """The other player pays once, and odd chips go to the first winners."""
    night = chosen(a_night(), high_hand=5)
    tied = holdem(board=[["7h", "7d", "Ks", "9s", "Jh"]])
    tied["players"][0]["down"] = ["3c", "4d"]
    tied["players"][1]["down"] = ["8c", "2d"]
    tied["players"].append(tied["players"][0] | {"name": "cat", "down": ["3d", "4h"]})
    hand = dealt(night, tied)
    [bet] = bets(night)
    assert bet.text == (
        "ann, bob and cat share the high hand so far, pair of sevens. Everyone else pays 5."
    )
    done = confirm(night, bet)
    assert {each.player.name: each.net for each in done.shares.all()} == {
        "ann": 2,
        "bob": 2,
        "cat": 1,
        "dan": -5,
    }
    assert not no_longer_won(done, current(hand))
    dealt(night, tied)
    assert bets(night) == []  # the first of two equal hands keeps the prize
    revise_hand(hand, uuid4(), holdem(), by=None)
    assert no_longer_won(done, current(hand))


def test_bounty_for_a_corrected_hand_is_marked_as_no_longer_won() -> None:
    night = chosen(a_night(), seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    done = confirm(night, bets(night)[0])
    assert not no_longer_won(done, current(hand))
    revise_hand(hand, uuid4(), holdem(), by=None)
    assert no_longer_won(done, current(hand))
    void_hand(hand, by=None)
    assert no_longer_won(done, current(hand))


def test_fund_pays_for_a_bad_beat_up_to_its_balance() -> None:
    night = a_night()
    night = chosen(night, bad_beat=50, fund_each=3, fund_keeper=player(night, "cat"))
    hand = dealt(night, bad_beat())
    [fund] = bets(night)
    assert fund.text == "Everyone puts 3 into the season fund."
    confirm(night, fund)
    [bet] = bets(night)
    assert bet.text == "ann loses with four eights. 12 from the season fund."
    done = confirm(night, bet)
    assert bets(night) == []
    assert not no_longer_won(done, current(hand))  # even though the fund is empty now
    assert audit(night.league) == []


def test_high_hand_of_the_night_is_the_best_hand_of_all_games() -> None:
    night = chosen(a_night(), high_hand=5)
    hand = dealt(night, bad_beat())
    dealt(night, holdem())
    assert offered_bets(night) == ["bob has the high hand so far, four kings. Everyone pays bob 5."]
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


def test_existing_side_bet_is_not_offered_again() -> None:
    night = chosen(a_night(), seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    shares = {player(night, "ann"): Share(gets=9), player(night, "bob"): Share(owes=9)}
    wanted = NewCharge(kind=Kind.BOUNTY, title="by hand", shares=shares, hand=hand)
    charge(night, wanted, charge_id=uuid4(), by=None)
    assert bets(again(night)) == []


def test_season_high_hand_is_offered_on_the_last_night_after_the_season_ended() -> None:
    first, last = a_season_with(bad_beat(), holdem())
    assert Kind.SEASON_HIGH_HAND not in {bet.new_charge.kind for bet in bets(last)}
    last = ended(last)
    assert bets(again(first)) == []
    [bet] = [bet for bet in bets(last) if bet.new_charge.kind != Kind.FUND]
    assert bet.text == "bob has the high hand of the season, four kings. 10 from the season fund."
    assert high_hand_night(last.season) == last
    done = confirm(last, bet)
    assert [(share.player.name, share.net) for share in done.shares.all()] == [("bob", 10)]
    assert done.hand is not None
    assert done.hand.night == first
    assert high_hand_night(last.season) is None
    assert [bet.new_charge.kind for bet in bets(again(last))] == [Kind.FUND]
    assert audit(last.league) == []


def test_season_high_hand_counts_first_runs_only() -> None:
    """docs/rulings.md 18: "only the natural board will qualify" (Poker House of Dallas).

    bob's four kings in a second run are the game's record, but the high hand is his full house.
    """
    twice = bad_beat() | {"board": [["8h", "Kh", "3d"]]}
    twice["runs"] = [{"board": [["4c", "2d"]]}, {"board": [["Kd", "2c"]]}]
    twice["players"][1]["down"] = ["Ks", "Kc"]
    house = holdem(board=[["9h", "9c", "Qh", "Qd", "2d"]])
    house["players"][1]["down"] = ["9s", "3c"]
    first, last = a_season_with(twice, house, holdem())
    last = ended(last)
    assert [each.called for each in best_hands(of_season(last.season))[0].shown] == ["four kings"]
    [bet] = [each for each in bets(last) if each.new_charge.kind == Kind.SEASON_HIGH_HAND]
    assert bet.text == (
        "bob has the high hand of the season, full house, nines over queens."
        " 10 from the season fund."
    )
    assert bet.new_charge.hand == first.hands.get(number=2)


def test_season_high_hand_pays_up_to_the_balance_of_the_fund() -> None:
    _, last = a_season_with(bad_beat(), chips=1_000)
    last = ended(last)
    [bet] = [each for each in bets(last) if each.new_charge.kind == Kind.SEASON_HIGH_HAND]
    assert bet.new_charge.fund == -12


def test_season_high_hand_cannot_be_charged_again_for_a_different_hand() -> None:
    first, last = a_season_with(bad_beat(), holdem())
    last = ended(last)
    [bet] = [each for each in bets(last) if each.new_charge.kind == Kind.SEASON_HIGH_HAND]
    confirm(last, bet)
    other = replace(
        bet.new_charge,
        hand=first.hands.get(number=2),
        shares={player(first, "ann"): Share(gets=1)},
        fund=-1,
    )
    with pytest.raises(RefusedError, match="already been charged"):
        charge(again(last), other, charge_id=uuid4(), by=None)
    with pytest.raises(RefusedError, match="already been charged"):
        charge(again(last), replace(other, hand=None), charge_id=uuid4(), by=None)


def test_only_a_season_high_hand_can_refer_to_a_hand_from_another_night() -> None:
    first, last = a_season_with(bad_beat())
    wanted = NewCharge(
        kind=Kind.BOUNTY,
        shares={player(first, "ann"): Share(gets=1), player(first, "cat"): Share(owes=1)},
        hand=first.hands.get(),
    )
    with pytest.raises(RefusedError, match="no such hand"):
        charge(last, wanted, charge_id=uuid4(), by=None)
    elsewhere = dealt(a_night(a_league()), bad_beat())
    with pytest.raises(RefusedError, match="the season has no such hand"):
        charge(
            last,
            replace(wanted, kind=Kind.SEASON_HIGH_HAND, hand=elsewhere),
            charge_id=uuid4(),
            by=None,
        )


def test_corrected_season_high_hand_is_marked_on_the_night_that_paid_it() -> None:
    first, last = a_season_with(bad_beat())
    last = ended(last)
    [bet] = [each for each in bets(last) if each.new_charge.kind == Kind.SEASON_HIGH_HAND]
    done = confirm(last, bet)
    [account] = charged_hands([done], [])
    assert not no_longer_won(done, account)
    revise_hand(first.hands.get(), uuid4(), holdem(), by=None)
    [account] = charged_hands([done], [])
    assert no_longer_won(done, account)


def test_season_shows_its_high_hand_while_it_is_payable() -> None:
    """The high hand is not offered with an empty fund, or if no hand was shown."""
    last = ended(a_season_with(bad_beat())[1])
    assert night_with_season_high_hand(last.season) == last
    [bet] = [each for each in bets(last) if each.new_charge.kind == Kind.SEASON_HIGH_HAND]
    done = confirm(last, bet)
    undo(Charge.objects.select_related("night__season__league__book").get(pk=done.pk), by=None)
    assert night_with_season_high_hand(last.season) == last

    first, last = a_season_with(bad_beat())
    keeper, winner = first.league.fund_keeper, player(first, "ann")
    prize = NewCharge(kind=Kind.PRIZE, shares={winner: Share(gets=12)}, fund=-12, keeper=keeper)
    charge(again(first), prize, charge_id=uuid4(), by=None)
    assert night_with_season_high_hand(ended(last).season) is None

    last = ended(a_season_with()[1])
    assert night_with_season_high_hand(last.season) is None
