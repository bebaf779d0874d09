"""Verifiable seat draws, and balanced tables with the fewest moves.

Balancing and drawing who moves follow the Tournament Directors Association,
https://www.pokertda.com/
"""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.common.errors import RefusedError
from league.tournaments.seating import MOST_TABLES, Place, draw, moves, seat_for
from tests.helpers.league.tournaments import ids

chances = st.randoms(use_true_random=False)
sizes = st.integers(2, 11)


def sits(seated: dict, seats: int) -> list[int]:  # type: ignore[type-arg]
    """Check that no seat is shared, and return the number of players at each table."""
    assert len(set(seated.values())) == len(seated)
    assert all(1 <= place.seat <= seats for place in seated.values())
    return sorted(Counter(place.table for place in seated.values()).values())


@given(st.integers(1, 44), sizes, st.text(max_size=5))
def test_seat_draw_uses_the_fewest_tables_with_even_sizes(
    count: int, seats: int, seed: str
) -> None:
    if count > seats * MOST_TABLES:
        with pytest.raises(RefusedError):
            draw(ids(count), seats=seats, seed=seed)
        return
    seated = draw(ids(count), seats=seats, seed=seed)
    table_sizes = sits(seated, seats)
    assert len(table_sizes) == -(-count // seats)
    assert table_sizes[-1] - table_sizes[0] <= 1
    assert seated == draw(list(reversed(ids(count))), seats=seats, seed=seed)


@given(chances, st.integers(1, 30), sizes)
def test_late_player_joins_the_smallest_table(chance: Random, count: int, seats: int) -> None:
    seated = draw(ids(min(count, seats * MOST_TABLES - 1)), seats=seats, seed="s")
    for player in chance.sample(list(seated), chance.randint(0, len(seated) - 1)):
        del seated[player]
    new = ids(99)[-1]
    before = Counter(place.table for place in seated.values())
    place = seat_for(new, seated, seats=seats, seed="s")
    assert place not in seated.values()
    if min(before.values()) < seats:
        assert before[place.table] == min(before.values())
    sits({**seated, new: place}, seats)


@given(chances, st.integers(2, 36), sizes)
def test_moves_balance_tables_and_break_up_surplus_ones(
    chance: Random, count: int, seats: int
) -> None:
    seated = draw(ids(min(count, seats * MOST_TABLES)), seats=seats, seed="s")
    for player in chance.sample(list(seated), chance.randint(0, len(seated) - 1)):
        del seated[player]
    result = moves(seated, seats=seats, seed="s")
    after = {**seated, **{move.player: move.to for move in result}}
    table_sizes = sits(after, seats)
    assert len(table_sizes) == -(-len(seated) // seats)
    assert table_sizes[-1] - table_sizes[0] <= 1
    assert len({move.player for move in result}) == len(result)
    assert len(result) == fewest(seated, seats)
    assert moves(after, seats=seats, seed="s") == []


def fewest(seated: dict, seats: int) -> int:  # type: ignore[type-arg]
    """Return the fewest moves, found by trying all final table sizes."""
    now = Counter(place.table for place in seated.values())
    tables = -(-len(seated) // seats)
    low, odd = divmod(len(seated), tables)
    counts = []
    for wanted in product(*[(0, low, low + 1)] * len(now)):
        used = [each for each in wanted if each]
        fits = len(used) == tables and used.count(low + 1) == odd
        if fits and sum(wanted) == len(seated):
            counts.append(
                sum(max(0, has - want) for has, want in zip(now.values(), wanted, strict=True))
            )
    return min(counts)


def test_player_is_refused_if_all_four_tables_are_full() -> None:
    full = {player: Place(at // 2 + 1, at % 2 + 1) for at, player in enumerate(ids(8))}
    with pytest.raises(RefusedError):
        seat_for(ids(9)[-1], full, seats=2, seed="s")
