"""The next dealer after a hand, in a match and between its deals (`next_dealer`)."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from league.deals.table import next_dealer
from league.matches import MatchState, MatchStatus
from league.models import Player, Revision, Seat

START = datetime(2026, 1, 1, tzinfo=UTC)
MOST = 6
ORDERS = st.lists(st.booleans(), min_size=1, max_size=20)


def table_of(number: int) -> list[Seat]:
    """Return seats at the odd positions, so that other players can sit down between them."""
    return [seat_at(2 * place + 1, joined=START) for place in range(number)]


def seat_at(position: int, *, joined: datetime) -> Seat:
    player = Player(id=uuid4(), name=f"player {position}")
    return Seat(id=uuid4(), player=player, position=position, joined_at=joined)


def hand_by(dealer: Seat, seats: list[Seat], *, again: bool = False) -> Revision:
    """Return a hand of all these players. `again` is true if the game is dealt again."""
    return Revision(
        hand_id=uuid4(),
        record={
            "players": [{"name": seat.player.name} for seat in seats],
            "button": seats.index(dealer),
        },
        names={seat.player.name: str(seat.player_id) for seat in seats},
        answer={"reasons": [{"dealer": dealer.player.name}] if again else []},
    )


def match_after(
    deal: Revision, seats: list[Seat], *, out: tuple[Seat, ...] = (), keeps: bool = False
) -> MatchStatus:
    """Return the match after a deal of these players. The players in `out` have no lives."""
    lives = {seat.player.name: int(seat not in out) for seat in seats}
    button = deal.record["button"]
    after = [*range(button + 1, len(seats)), *range(button + 1)]
    named = button if keeps else next(at for at in after if seats[at] not in out)
    return MatchStatus(
        hand=UUID(str(deal.hand_id)),
        match=str(deal.hand_id),
        variant="guts",
        modifiers=[],
        deal=1,
        state=MatchState(deal=2, lives=lives),
        dealer=seats[named].player.name,
        keeps_dealer=keeps,
        players=frozenset(str(seat.player_id) for seat in seats),
        dealt_at=START + timedelta(hours=1),
        next={"button": named},
        winners=[],
    )


def dealt(last: Revision | None, seats: list[Seat], match: MatchStatus | None = None) -> Seat:
    seat = next_dealer(last, seats, match)
    assert seat is not None
    return seat


@given(st.integers(2, MOST), ORDERS)
def test_players_deal_in_turn_whether_hands_are_of_the_match_or_not(
    number: int, of_match: list[bool]
) -> None:
    """After a different game, the match's named dealer used to deal twice in a row."""
    seats, last, match = table_of(number), None, None
    for place, is_of_match in enumerate(of_match):
        dealer = dealt(last, seats, match)
        assert dealer == seats[place % number]
        last = hand_by(dealer, seats)
        match = match_after(last, seats) if is_of_match else match


@given(st.data())
def test_match_skips_players_without_lives_and_players_who_sit_out(data: st.DataObject) -> None:
    seats = table_of(data.draw(st.integers(4, MOST)))
    out = data.draw(st.sampled_from(seats))
    sits_out = data.draw(st.sampled_from([seat for seat in seats if seat != out]))
    playing = [seat for seat in seats if seat != sits_out]
    first = data.draw(st.sampled_from([seat for seat in playing if seat != out]))
    match = match_after(hand_by(first, playing), playing, out=(out,))
    other = hand_by(data.draw(st.sampled_from(seats)), seats)
    left = [seat for seat in playing if seat != out]
    place = seats.index(seats[other.record["button"]])
    in_turn = [*seats[place + 1 :], *seats[: place + 1]]
    assert dealt(other, seats, match) == next(seat for seat in in_turn if seat in left)
    assert dealt(other, seats) == in_turn[0]


@given(st.integers(2, MOST), st.data())
def test_game_that_is_dealt_again_keeps_its_dealer(number: int, data: st.DataObject) -> None:
    seats = table_of(number)
    dealer = data.draw(st.sampled_from(seats))
    assert dealt(hand_by(dealer, seats, again=True), seats) == dealer


@given(st.integers(2, MOST), st.data())
def test_match_that_keeps_its_dealer_keeps_it_after_a_different_game(
    number: int, data: st.DataObject
) -> None:
    seats = table_of(number)
    dealer, other = data.draw(st.sampled_from(seats)), data.draw(st.sampled_from(seats))
    match = match_after(hand_by(dealer, seats), seats, keeps=True)
    assert dealt(hand_by(other, seats), seats, match) == dealer


@given(st.integers(2, MOST), st.data())
def test_deal_passes_from_a_player_who_left_to_the_next_taken_seat(
    number: int, data: st.DataObject
) -> None:
    seats = table_of(number)
    place = data.draw(st.integers(0, number - 1))
    last = hand_by(seats[place], seats, again=data.draw(st.booleans()))
    seats[place].left_at = START
    match = data.draw(st.sampled_from([None, match_after(last, seats, keeps=True)]))
    newcomer = seat_at(2 * place + 2, joined=START + timedelta(hours=2))
    assert dealt(last, seats, match) == seats[(place + 1) % number]
    seats.insert(place + 1, newcomer)
    assert dealt(last, seats, match) == newcomer


def test_empty_table_has_no_dealer() -> None:
    assert next_dealer(None, [], None) is None
