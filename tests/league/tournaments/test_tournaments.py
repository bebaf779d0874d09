"""A tournament's fees and prizes go through the ledger and its night's payment plan."""

from datetime import timedelta
from uuid import uuid4, uuid5

import pytest
from django.utils import timezone

from league.charges import charging
from league.closing.close import close_night
from league.closing.standings import standings
from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.integrity.audit import audit
from league.models import Charge, ChargeShare, Player, Tournament, TournamentEvent
from league.scoring.season_table import Option, scored_table
from league.tournaments import events, finishing, making
from league.tournaments.clock import Level
from league.tournaments.events import NewEvent, running_tournament, state_of, tournaments_of
from league.tournaments.field import Act
from ledger.balances import balances
from tests.helpers.league.leagues import a_league, a_night, player
from tests.helpers.league.nights import again, closed, nets, planned, tabs
from tests.helpers.league.tournaments import a_tournament, details, entered, happens, undone

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def fresh(tournament: Tournament) -> Tournament:
    return tournaments_of(tournament.night).get(pk=tournament.pk)


def played(tournament: Tournament) -> Tournament:
    """bob knocks out cat, and then ann knocks out bob. Ann wins 60 and two bounties."""
    ann, bob, cat = entered(tournament, "ann", "bob", "cat")
    happens(tournament, Act.OUT, cat, bob)
    happens(tournament, Act.OUT, bob, ann)
    finishing.finish(tournament, by=None)
    return fresh(tournament)


def codes(error: pytest.ExceptionInfo[RefusedError]) -> list[str]:
    return [each["code"] for each in error.value.errors]


def test_fees_and_prizes_become_debts_between_players_paid_with_the_night() -> None:
    night = a_night()
    tournament = played(a_tournament(night))
    assert tabs(night.league) == {
        "ann": 45 - 100,
        "bob": -20 - 100,
        "cat": -25 - 100,
        "dan": -100,
    }
    assert audit(night.league) == []
    closing = closed(again(night))
    assert nets(closing) == {"ann": 45, "bob": -20, "cat": -25, "dan": 0}
    assert planned(closing) == ["cat pays ann 25", "bob pays ann 20"]
    lines = {line.player.name: (line.entered, line.prizes) for line in closing.lines.all()}
    assert lines == {"ann": (25, 70), "bob": (25, 5), "cat": (25, 0), "dan": (0, 0)}
    assert tournament.charge is not None
    places = ChargeShare.objects.filter(charge=tournament.charge).order_by("place")
    assert [share.player.name for share in places] == ["ann", "bob", "cat"]
    assert audit() == []


def test_tournament_with_the_highest_prices_ends_and_its_night_closes() -> None:
    """Two entries of 10^12 used to create a pool too large to transfer, so no night closed."""
    night = a_night()
    for price in making.PRICES:
        with pytest.raises(RefusedError) as refusal:
            a_tournament(night, **{price: making.MOST_PRICE + 1})
        assert {error["where"] for error in refusal.value.errors} == {price}
    most = dict.fromkeys(making.PRICES, making.MOST_PRICE)
    played(a_tournament(night, **most, add_on_stack=1))
    closing = closed(again(night))
    # the entry fees of two other players, and the bounty on bob
    assert nets(closing)["ann"] == 3 * making.MOST_PRICE


def test_season_counts_tournament_results_as_money_and_by_place() -> None:
    night = a_night()
    played(a_tournament(night))
    closed(again(night))
    season = again(night).season
    assert {line.name: line.net for line in standings(season)} == {
        "ann": 45,
        "bob": -20,
        "cat": -25,
        "dan": 0,
    }
    scored = scored_table(season, Option(scoring="places", points=(10, 6, 1)))
    of_hands = 100 * (10 + 6 + 1) // 4  # all four players are even at the table
    assert {line.name: line.score for line in scored} == {
        "ann": of_hands + 1000,
        "bob": of_hands + 600,
        "cat": of_hands + 100,
        "dan": of_hands,
    }


def test_night_cannot_be_closed_during_its_tournament() -> None:
    night = a_night()
    tournament = a_tournament(night)
    entered(tournament, "ann", "bob")
    with pytest.raises(RefusedError) as refused:
        closed(night)
    assert codes(refused) == ["still-playing"]
    making.call_off(tournament, by=None)
    closed(again(night))
    assert tabs(night.league) == {}
    with pytest.raises(RefusedError) as refused:
        happens(tournament, Act.ENTRY, player(night, "cat"))
    assert codes(refused) == ["called-off"]


def test_undoing_the_result_lets_a_tournament_continue_and_end_differently() -> None:
    night = a_night()
    tournament = played(a_tournament(night))
    with pytest.raises(RefusedError) as refusal:
        undone(tournament, tournament.events.last().pk)  # type: ignore[union-attr]
    assert codes(refusal) == ["over"]
    finishing.resume(tournament, by=None)
    assert running_tournament(night) == tournament
    undone(tournament, tournament.events.order_by("number").last().pk)  # type: ignore[union-attr]
    happens(tournament, Act.OUT, player(night, "ann"), player(night, "bob"))
    finishing.finish(tournament, by=None)
    assert nets(closed(again(night))) == {"ann": -25, "bob": 50, "cat": -25, "dan": 0}
    assert audit() == []


def test_undoing_the_result_reopens_a_closed_night() -> None:
    night = a_night()
    tournament = played(a_tournament(night))
    closed(again(night))
    finishing.resume(fresh(tournament), by=None)
    assert again(night).state == "open"
    finishing.finish(tournament, by=None)
    # finishing again returns the same charge
    assert finishing.finish(tournament, by=None) == fresh(tournament).charge
    close_night(again(night), uuid4(), by=None)
    assert audit() == []


def test_undoing_a_tournament_charge_reopens_the_tournament() -> None:
    tournament = played(a_tournament(a_night()))
    assert tournament.charge is not None
    charging.undo(tournament.charge, by=None)
    assert running_tournament(tournament.night) == tournament


def test_remaining_players_can_split_the_prizes() -> None:
    night = a_night()
    tournament = a_tournament(night, bounty=0, parts=[50, 30, 20])
    ann, bob, cat = entered(tournament, "ann", "bob", "cat")
    happens(tournament, Act.OUT, cat, bob)
    state = state_of(fresh(tournament))
    assert finishing.prizes_left(state) == [30, 18]
    ways = finishing.deals(state, {bob.pk: 10_000, ann.pk: 5_000})
    assert ways["chips"] == {bob.pk: 26, ann.pk: 22}
    assert ways["icm"] == {bob.pk: 26, ann.pk: 22}
    with pytest.raises(RefusedError) as refused:
        finishing.finish(tournament, deal={bob.pk: 26, ann.pk: 23}, by=None)
    assert codes(refused) == ["does-not-add-up"]
    with pytest.raises(RefusedError) as refused:
        finishing.finish(tournament, deal={bob.pk: 26, cat.pk: 22}, by=None)
    assert codes(refused) == ["bad-deal"]
    with pytest.raises(RefusedError) as refused:
        finishing.finish(tournament, by=None)
    assert codes(refused) == ["still-playing"]
    finishing.finish(tournament, deal={bob.pk: 26, ann.pk: 22}, by=None)
    assert nets(closed(again(night))) == {"ann": 2, "bob": 6, "cat": -8, "dan": 0}
    assert audit() == []


def test_clock_continues_across_server_restarts() -> None:
    tournament = a_tournament(a_night())
    now = timezone.now()
    assert (state_of(fresh(tournament), now).passed, state_of(fresh(tournament)).runs) == (0, False)
    events.start_clock(tournament, by=None)
    events.start_clock(tournament, by=None)
    started = fresh(tournament).clock_started_at
    assert started is not None
    state = state_of(fresh(tournament), started + 610 * SECOND)
    assert (state.passed, state.clock.number, state.clock.left) == (610_000, 1, 290_000)
    events.go_to_level(tournament, 2)
    events.pause_clock(tournament)
    later = state_of(fresh(tournament), now + 9_000 * SECOND)
    assert (later.clock.number, later.runs) == (2, False)
    assert 0 <= later.clock.passed < 5_000
    with pytest.raises(RefusedError):
        events.go_to_level(tournament, 3)


def test_late_entry_is_refused() -> None:
    night = a_night()
    tournament = a_tournament(night, late_until=1)
    entered(tournament, "ann")
    events.go_to_level(tournament, 1)  # the break that follows the first level
    entered(tournament, "cat")
    events.go_to_level(tournament, 2)
    with pytest.raises(RefusedError) as refusal:
        entered(tournament, "bob")
    assert codes(refusal) == ["too-late"]


def test_seats_are_drawn_and_late_players_get_a_seat() -> None:
    night = a_night()
    tournament = a_tournament(night, seats=2)
    ann, bob = entered(tournament, "ann", "bob")
    key = uuid4()
    assert len(events.draw_seats(tournament, key, by=None)) == 2
    assert events.draw_seats(tournament, key, by=None) == []
    [cat] = entered(tournament, "cat")
    seats = state_of(fresh(tournament)).field.seats
    assert sorted(seats.values()) == [(1, 1), (1, 2), (2, seats[cat.pk].seat)]
    happens(tournament, Act.OUT, ann, cat)
    [move] = events.balance_tables(tournament, uuid4(), by=None)
    assert (move.player_id, move.table) in {(cat.pk, 1), (bob.pk, 2)}
    assert events.balance_tables(tournament, uuid4(), by=None) == []


def test_event_is_stored_once_and_an_id_identifies_one_event() -> None:
    night = a_night()
    tournament = a_tournament(night)
    ann, bob = player(night, "ann"), player(night, "bob")
    key = uuid4()
    for _ in range(2):
        events.record_event(tournament, key, NewEvent(kind=Act.ENTRY, player=ann), by=None)
    assert TournamentEvent.objects.count() == 1
    with pytest.raises(IdReusedError):
        events.record_event(tournament, key, NewEvent(kind=Act.ENTRY, player=bob), by=None)
    assert making.make(night, tournament.pk, details(), by=None) == tournament
    with pytest.raises(IdReusedError):
        making.make(night, tournament.pk, details(entry=30), by=None)


def test_players_from_other_leagues_and_invalid_values_are_refused_together() -> None:
    night = a_night()
    tournament = a_tournament(night)
    stranger = Player.objects.create(league=a_league(), name="eve")
    with pytest.raises(RefusedError) as refused:
        happens(tournament, Act.ENTRY, stranger)
    assert codes(refused) == ["unknown-player"]
    with pytest.raises(RefusedError) as refused:
        a_tournament(
            night, entry=0, rebuy=5, rebuy_stack=0, levels=[Level(60)], parts=[60, 50], seats=99
        )
    assert [each["where"] for each in refused.value.errors] == [
        "entry",
        "rebuy",
        "levels",
        "seats",
        "parts",
    ]


def test_prices_are_fixed_after_the_first_entry_but_levels_can_change() -> None:
    night = a_night()
    tournament = a_tournament(night)
    making.change(tournament, details(entry=30), by=None)
    entered(tournament, "ann")
    with pytest.raises(RefusedError) as refusal:
        making.change(tournament, details(entry=40), by=None)
    assert codes(refusal) == ["already-entered"]
    changed = making.change(tournament, details(entry=30, levels=[Level(60, 1, 2)]), by=None)
    assert changed.levels == [
        {"seconds": 60, "small": 1, "big": 2, "ante": 0, "game": ""},
    ]


def test_tournament_on_a_closed_night_is_refused() -> None:
    night = a_night()
    closed(night)
    with pytest.raises(NightClosedError):
        a_tournament(night)


def test_charge_that_differs_from_the_events_is_reported() -> None:
    tournament = played(a_tournament(a_night()))
    tournament.events.filter(kind="out", number=4).update(knocked_out_by=[])
    assert "tournament-differs" in {each.code for each in audit(tournament.night.league)}


def test_tournament_with_one_player_cannot_end() -> None:
    tournament = a_tournament(a_night())
    entered(tournament, "ann")
    with pytest.raises(RefusedError) as refusal:
        finishing.finish(tournament, by=None)
    assert codes(refusal) == ["too-few"]
    assert not Charge.objects.exists()
    assert sum(balances(tournament.night.league.book).values()) == 0


def sitting(tournament: Tournament) -> dict[str, tuple[int, int]]:
    state = state_of(fresh(tournament))
    return {state.players[who].name: tuple(place) for who, place in state.field.seats.items()}


def test_player_restored_after_a_mistaken_knockout_gets_a_free_seat() -> None:
    """Two players used to share a seat: cat got ann's seat, and then ann's knockout was undone."""
    tournament = a_tournament(a_night(), seats=2)
    ann, _ = entered(tournament, "ann", "bob")
    events.draw_seats(tournament, uuid4(), by=None)
    out = happens(tournament, Act.OUT, ann)
    entered(tournament, "cat")
    undone(tournament, out)
    seats = sitting(tournament)
    assert seats.keys() == {"ann", "bob", "cat"}
    assert len(set(seats.values())) == 3


def test_returning_player_keeps_a_free_seat_or_gets_a_drawn_one() -> None:
    tournament = a_tournament(a_night())
    ann, *_ = entered(tournament, "ann", "bob", "cat")
    undone(tournament, happens(tournament, Act.OUT, ann))
    assert sitting(tournament) == {}
    out = happens(tournament, Act.OUT, ann)
    events.draw_seats(tournament, uuid4(), by=None)
    undone(tournament, out)
    before = sitting(tournament)
    assert before.keys() == {"ann", "bob", "cat"}
    undone(tournament, happens(tournament, Act.OUT, ann))
    assert sitting(tournament) == before


def test_seats_are_drawn_with_a_key_unique_to_the_tournament() -> None:
    night = a_night()
    first, second = a_tournament(night), a_tournament(night)
    for each in (first, second):
        entered(each, "ann", "bob")
    key = uuid4()
    assert len(events.draw_seats(first, key, by=None)) == 2
    assert events.draw_seats(first, key, by=None) == []
    with pytest.raises(IdReusedError):
        events.draw_seats(second, key, by=None)
    assert sitting(second) == {}


def test_event_whose_seat_would_reuse_an_event_id_is_refused() -> None:
    tournament = a_tournament(a_night())
    entered(tournament, "ann", "bob")
    events.draw_seats(tournament, uuid4(), by=None)
    cat, dan = (player(tournament.night, name) for name in ("cat", "dan"))
    key = uuid4()
    taken = uuid5(key, "seat")
    events.record_event(tournament, taken, NewEvent(kind=Act.ENTRY, player=cat), by=None)
    with pytest.raises(IdReusedError):
        events.record_event(tournament, key, NewEvent(kind=Act.ENTRY, player=dan), by=None)
    assert "dan" not in sitting(tournament)
    assert TournamentEvent.objects.filter(pk=key).count() == 0


def test_other_charges_do_not_block_a_result() -> None:
    """A client can predict a result's id from its tournament's id."""
    night = a_night()
    tournament = a_tournament(night)
    ann, bob = (player(night, name) for name in ("ann", "bob"))
    shares = {ann: charging.Share(gets=1), bob: charging.Share(owes=1)}
    pizza = charging.NewCharge(kind="cost", title="Pizza", shares=shares)
    for number in range(2):
        taken = uuid5(tournament.pk, f"result:{number}")
        charging.charge(night, pizza, charge_id=taken, by=None)
    played(tournament)
    assert tabs(night.league)["ann"] == 45 + 2 - 100
    assert audit(night.league) == []
