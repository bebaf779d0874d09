"""What the places of a tournament are paid."""

from collections.abc import Sequence

# The percents of the places, up to so many players. For a table and for 20 players as home games
# pay: http://www.homepokergames.com/home-poker-tournament-payout-structure.php, how many of a small
# table: http://pokerclock.com/eng/home-games/poker-tournament-payouts; between and above them about
# a fifth of the field, as evenly.
USUAL: tuple[tuple[int, tuple[int, ...]], ...] = (
    (4, (100,)),
    (6, (70, 30)),
    (12, (50, 30, 20)),
    (17, (47, 27, 16, 10)),
    (27, (45, 25, 15, 10, 5)),
    (36, (40, 23, 14, 10, 8, 5)),
)
MANY = (38, 22, 14, 10, 7, 5, 4)


def usual_parts(entrants: int) -> tuple[int, ...]:
    """Return the percents of the places that are paid among so many players."""
    return next((parts for most, parts in USUAL if entrants <= most), MANY)


def payouts(pool: int, parts: Sequence[int], *, round_to: int = 1) -> list[int]:
    """Return the prizes, the first place first: they add up to the pool and never grow.

    Each is rounded down to a multiple of `round_to`; what is left over goes to the first.
    """
    whole = sum(parts)
    prizes = [pool * part // whole // round_to * round_to for part in parts]
    prizes[0] += pool - sum(prizes)
    return prizes
