"""Who wins which share of a pot: qualifying, falling back, going both ways, ties.

One pot at a time, on its own players alone (docs/rulings.md 3, 4 and 6).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# strengths[share][alternative][seat]; negative: does not qualify
Strengths = Sequence[Sequence[Mapping[int, int]]]
BOTH = "both"


@dataclass(frozen=True)
class Entry:
    """What the players of a pot declared: the shares of each seat, and who goes for all of them.

    None: cards speak, and everyone contests every share.
    """

    declared: Mapping[int, frozenset[int]] | None = None  # shares by seat
    for_all: frozenset[int] = frozenset()  # seats that must win every share they contest

    def contesting(self, share: int, seats: Sequence[int]) -> Sequence[int]:
        """Those of the seats who contest a share."""
        if self.declared is None:
            return seats
        return [seat for seat in seats if share in self.declared[seat]]


class Outcome(NamedTuple):
    """One share of one pot. `winners` are tied when there are more than one.

    `alternative` is the measure it was decided by, `tied` all who were equal before a tie-break.
    """

    share: int
    winners: tuple[int, ...]
    alternative: int | None = None
    tied: tuple[int, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A player who went for all shares and did not win this one: beaten, tied, or not qualified."""

    seat: int
    share: int
    why: str  # beaten, tied, not-qualified
    by: tuple[int, ...] = ()


class Contest(NamedTuple):
    outcomes: tuple[Outcome, ...]
    failures: tuple[Failure, ...] = ()


def decide(
    seats: Sequence[int],
    strengths: Strengths,
    entry: Entry,
    *,
    outright: bool,
    joint: Sequence[int] = (),
) -> Contest:
    """The winners of every share of a pot among these seats.

    `joint`: of each share so many measures must be won by one and the same; empty where none is.
    """
    if joint:
        going = [entry.contesting(share, seats) for share in range(len(strengths))]
        both = zip(strengths, going, joint, strict=True)
        return Contest(tuple([_joint(s, *some) for s, some in enumerate(both)]))
    if entry.declared is None:
        return Contest(tuple([_outcome(s, some, seats) for s, some in enumerate(strengths)]))
    going = [entry.contesting(share, seats) for share in range(len(strengths))]
    for_all = [seat for seat in seats if seat in entry.for_all]
    if not for_all:
        return Contest(tuple([_outcome(s, strengths[s], some) for s, some in enumerate(going)]))
    failures = [
        failure
        for seat in for_all
        for share, contestants in enumerate(going)
        if (failure := _failure(seat, share, strengths[share], contestants, outright=outright))
    ]
    out = {failure.seat for failure in failures}
    left = [[seat for seat in some if seat not in out] for some in going]
    outcomes = tuple(_outcome(s, strengths[s], left[s]) for s in range(len(strengths)))
    return Contest(outcomes, tuple(failures))


def winners(
    seats: Sequence[int], strengths: Strengths, entry: Entry, *, outright: bool
) -> list[tuple[int, ...]]:
    """The winners of every share alone, see `decide`."""
    if entry.declared is None:
        return [_highest(alternatives, seats)[1] for alternatives in strengths]
    decided = decide(seats, strengths, entry, outright=outright).outcomes
    return [outcome.winners for outcome in decided]


def _alternative(alternatives: Sequence[Mapping[int, int]], seats: Sequence[int]) -> int | None:
    """The first measure on which anybody qualifies."""
    for index, strengths in enumerate(alternatives):
        if max([strengths[seat] for seat in seats], default=-1) >= 0:
            return index
    return None


def _outcome(
    share: int, alternatives: Sequence[Mapping[int, int]], seats: Sequence[int]
) -> Outcome:
    index, highest = _highest(alternatives, seats)
    return Outcome(share, highest, index, highest)


def _highest(
    alternatives: Sequence[Mapping[int, int]], seats: Sequence[int]
) -> tuple[int | None, tuple[int, ...]]:
    """The measure that decides, and the seats with the highest strength on it."""
    for index, strengths in enumerate(alternatives if seats else ()):
        shown = [strengths[seat] for seat in seats]
        best = max(shown)
        if best >= 0:
            if shown.count(best) == 1:
                return index, (seats[shown.index(best)],)
            return index, tuple([seat for seat in seats if strengths[seat] == best])
    return None, ()


def _joint(
    share: int, alternatives: Sequence[Mapping[int, int]], seats: Sequence[int], together: int
) -> Outcome:
    """A share whose first measures must all be won by the same, else by the measures after them."""
    if together > 1:
        best = [_outcome(share, [one], seats).winners for one in alternatives[:together]]
        winners = tuple(seat for seat in best[0] if all(seat in some for some in best))
        if winners:
            return Outcome(share, winners, 0, winners)
        after = _outcome(share, alternatives[together:], seats)
        at = None if after.alternative is None else after.alternative + together
        return after._replace(alternative=at)
    return _outcome(share, alternatives, seats)


def beside(outcome: Outcome, winners: Sequence[int], seats: Sequence[int], step: int) -> Outcome:
    """A share of those who sit so many seats on from the winners, among all in the pot."""
    places = [(seats.index(seat) + step) % len(seats) for seat in winners]
    won = tuple(dict.fromkeys(seats[place] for place in places))
    return outcome._replace(winners=won, tied=won)


def _failure(
    seat: int,
    share: int,
    alternatives: Sequence[Mapping[int, int]],
    contestants: Sequence[int],
    *,
    outright: bool,
) -> Failure | None:
    """Why a player who goes for all does not win this share; compared with all who contest it."""
    index = _alternative(alternatives, contestants)
    if index is None or alternatives[index][seat] < 0:
        return Failure(seat, share, "not-qualified")
    strengths = alternatives[index]
    own = strengths[seat]
    better = [other for other in contestants if strengths[other] > own]
    if better:
        best_first = sorted(better, key=lambda other: -strengths[other])
        return Failure(seat, share, "beaten", tuple(best_first))
    equal = tuple(o for o in contestants if o != seat and strengths[o] == own)
    return Failure(seat, share, "tied", equal) if outright and equal else None


# --- chips --------------------------------------------------------------------------------------


def divide(amount: int, among: int) -> list[int]:
    """An amount divided evenly, odd chips one each to the first."""
    even, odd = divmod(amount, among)
    return [even + 1] * odd + [even] * (among - odd)


def pay(amount: int, winners: Sequence[int], first: Callable[[int], object]) -> dict[int, int]:
    """A share among tied winners, odd chips one each in the order of `first`."""
    if len(winners) == 1:
        return {winners[0]: amount}
    ordered = sorted(winners, key=first)  # type: ignore[arg-type]
    chips = dict(zip(ordered, divide(amount, len(ordered)), strict=True))
    return {seat: chips[seat] for seat in winners}
