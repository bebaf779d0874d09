"""Payouts of a tournament: by place, or shared among the remaining players by chips or ICM."""

from collections.abc import Sequence
from fractions import Fraction

from league.common.errors import RefusedError, problem

MOST_FOR_ICM = 10  # each more doubles the work


def by_chips(stacks: Sequence[int], prizes: Sequence[int]) -> list[int]:
    """Return whole chips: the lowest prize for each, and the rest in proportion to the stacks.

    `prizes` are those of the places that remain, one for each stack.
    """
    lowest = min(prizes)
    rest, chips = sum(prizes) - lowest * len(stacks), sum(stacks)
    return _whole([lowest + Fraction(rest * stack, chips) for stack in stacks], sum(prizes))


def by_icm(stacks: Sequence[int], prizes: Sequence[int]) -> list[int]:
    """Return whole chips by the Independent Chip Model.

    Raises RefusedError for too many players.
    """
    return _whole(icm(stacks, prizes), sum(prizes))


def icm(stacks: Sequence[int], prizes: Sequence[int]) -> list[Fraction]:
    """Return what each stack is worth of the prizes. Raises RefusedError for too many players.

    Malmuth-Harville: who is first has the chance of their part of the chips; who is second that of
    their part of what the others have, and so on. https://en.wikipedia.org/wiki/Independent_Chip_Model
    """
    count = len(stacks)
    if count > MOST_FOR_ICM:
        text = f"ICM is worked out for at most {MOST_FOR_ICM} players"
        raise RefusedError([problem("stacks", "too-many", text)])
    worth, total = [Fraction(0)] * count, sum(stacks)
    # The chance that exactly these players have the first places, in whatever order.
    chances = {0: Fraction(1)}
    for prize in prizes[:count]:
        following: dict[int, Fraction] = {}
        for placed, chance in chances.items():
            left = total - sum(stacks[at] for at in range(count) if placed >> at & 1)
            for at in range(count):
                if not placed >> at & 1:
                    part = chance * Fraction(stacks[at], left)
                    worth[at] += part * prize
                    key = placed | 1 << at
                    following[key] = following.get(key, Fraction(0)) + part
        chances = following
    return worth


def _whole(shares: Sequence[Fraction], total: int) -> list[int]:
    """Return whole chips that add up to the total: those left over go to the largest rests."""
    whole = [int(share) for share in shares]
    order = sorted(range(len(shares)), key=lambda at: whole[at] - shares[at])
    for at in order[: total - sum(whole)]:
        whole[at] += 1
    return whole


# What the places of a tournament are paid.


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
