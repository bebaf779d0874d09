"""In a tournament's field, chips are conserved and undone events have no effect."""

from collections.abc import Mapping
from random import Random
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from league.tournaments.field import (
    Act,
    Event,
    Field,
    read_field,
    results,
    usual_parts,
    wrong_event,
)
from tests.helpers.league.tournaments import PRICES, STACKS, ids, random_events

chances = st.randoms(use_true_random=False)
ANN, BOB, CAT = ids(3)


def field_of(*events: tuple[Act, UUID] | tuple[Act, UUID, tuple[UUID, ...]]) -> Field:
    return read_field([_event(at, *each) for at, each in enumerate(events)], PRICES, STACKS)


def _event(at: int, kind: Act, who: UUID, by: tuple[UUID, ...] = ()) -> Event:
    return Event(UUID(int=100 + at), kind, who, by)


def nets(field: Field, deal: Mapping[UUID, int] | None = None) -> dict[UUID, int]:
    rows = results(field, PRICES, deal, usual_parts(len(field.players)), 1)
    return {each.player: each.net for each in rows}


@given(chances)
def test_nets_add_up_to_zero_and_prizes_to_the_pool(chance: Random) -> None:
    field = read_field(random_events(chance), PRICES, STACKS)
    assert sum(nets(field).values()) == 0
    ranking = results(field, PRICES, None, usual_parts(len(field.players)), 5)
    assert [result.place for result in ranking] == list(range(1, len(field.players) + 1))
    assert sum(result.prize for result in ranking) == field.pool
    assert sorted([*field.playing, *field.out]) == sorted(field.players)


@given(chances)
def test_chips_in_play_match_the_chips_bought(chance: Random) -> None:
    field = read_field(random_events(chance), PRICES, STACKS)
    bought = len(field.players) * 5_000 + field.rebuys.total() * 4_000
    assert field.chips_in_play == bought + field.add_ons.total() * 6_000


@given(chances)
def test_undone_event_has_no_effect(chance: Random) -> None:
    history = random_events(chance)
    gone = {event.undoes for event in history} | {
        event.id for event in history if event.kind == Act.UNDO
    }
    without = [event for event in history if event.id not in gone]
    assert read_field(history, PRICES, STACKS) == read_field(without, PRICES, STACKS)


@given(chances)
def test_agreed_split_is_paid_as_agreed(chance: Random) -> None:
    field = read_field(random_events(chance), PRICES, STACKS)
    if len(field.playing) > 1:
        rows = results(field, PRICES, None, usual_parts(len(field.players)), 1)
        left = sum(result.prize for result in rows[: len(field.playing)])
        chance.shuffle(field.playing)
        deal = dict.fromkeys(field.playing, 0) | {field.playing[0]: left}
        agreed = results(field, PRICES, deal, usual_parts(len(field.players)), 1)
        assert sum(result.net for result in agreed) == 0
        assert [result.player for result in agreed[: len(deal)]] == list(deal)
        assert agreed[0].prize == left


def test_tournament_results_match_a_manual_calculation() -> None:
    """Three players enter for 20 plus a bounty of 7.

    Bob is knocked out by ann and rebuys for 10 plus a bounty. Ann and cat knock him out again and
    share his 7 (4 and 3). Then ann knocks out cat.
    """
    field = field_of(
        (Act.ENTRY, ANN),
        (Act.ENTRY, BOB),
        (Act.ENTRY, CAT),
        (Act.OUT, BOB, (ANN,)),
        (Act.REBUY, BOB),
        (Act.OUT, BOB, (ANN, CAT)),
        (Act.OUT, CAT, (ANN,)),
    )
    assert (field.pool, field.chips_in_play, field.average) == (70, 19_000, 19_000)
    ann, cat, bob = results(field, PRICES, None, (70, 30), 1)
    assert [ann.player, cat.player, bob.player] == [ANN, CAT, BOB]
    assert (ann.paid, ann.prize, ann.bounties) == (27, 49, 7 + 4 + 7 + 7)
    assert (cat.paid, cat.prize, cat.bounties) == (27, 21, 3)
    assert (bob.paid, bob.prize, bob.bounties) == (44, 0, 0)


def test_unclaimed_bounty_goes_into_the_prize_pool() -> None:
    field = field_of((Act.ENTRY, ANN), (Act.ENTRY, BOB), (Act.OUT, BOB))
    assert field.pool == 47
    assert nets(field) == {ANN: 27, BOB: -27}


def test_all_prizes_are_paid_if_there_are_fewer_players_than_prizes() -> None:
    field = field_of((Act.ENTRY, ANN), (Act.ENTRY, BOB), (Act.OUT, BOB, (ANN,)))
    rows = results(field, PRICES, None, (50, 30, 20), 1)
    assert sum(each.prize for each in rows) == 40


def test_impossible_event_is_refused_with_its_reason() -> None:
    history = [
        _event(0, Act.ENTRY, ANN),
        _event(1, Act.ENTRY, BOB),
        _event(2, Act.OUT, BOB, (ANN,)),
    ]

    def codes(event: Event) -> list[str]:
        return [each["code"] for each in wrong_event(history, event, PRICES, STACKS)]

    key = UUID(int=999)
    assert codes(_event(9, Act.ENTRY, ANN)) == ["already-entered"]
    assert codes(_event(9, Act.OUT, ANN)) == ["last-one"]
    assert codes(_event(9, Act.OUT, BOB, (ANN,))) == ["not-in"]
    assert codes(_event(9, Act.REBUY, CAT)) == ["not-in"]
    assert codes(_event(9, Act.ADD_ON, BOB)) == ["not-in"]
    assert codes(_event(9, Act.ADD_ON, ANN, (BOB,))) == ["bad-event"]
    assert codes(Event(key, Act.ENTRY, None)) == ["required"]
    assert codes(Event(key, Act.SEAT, ANN)) == ["bad-event"]
    assert codes(Event(key, Act.UNDO, None, undoes=key)) == ["unknown-event"]
    assert codes(Event(key, Act.UNDO, None, undoes=history[1].id)) == ["needed"]
    assert codes(Event(key, Act.UNDO, None, undoes=history[2].id)) == []


def test_undone_event_is_not_undone_again() -> None:
    history = [_event(0, Act.ENTRY, ANN)]
    undo = Event(UUID(int=200), Act.UNDO, None, undoes=history[0].id)
    again = Event(UUID(int=201), Act.UNDO, None, undoes=history[0].id)
    assert list(wrong_event(history, undo, PRICES, STACKS)) == []
    errors = list(wrong_event([*history, undo], again, PRICES, STACKS))
    assert [each["code"] for each in errors] == ["already-undone"]
