"""Decide who wins each share of a pot.

Each pot is decided among its own players (docs/rulings.md 3, 4 and 6): hands qualify, fall back, go
both ways and tie.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.game.hand import Hand

# `strengths[share][alternative][seat]`; a negative strength does not qualify
Strengths = Sequence[Sequence[Mapping[int, int]]]
BOTH = "both"
TAKES_ALL = frozenset(("winner-takes-all", "redeal"))  # the next best hand wins nothing


@dataclass(frozen=True)
class Entry:
    """The declarations of a pot's players: the shares by seat, and the seats that go both ways.

    If `declared` is None, cards speak and every player contests every share.
    """

    declared: Mapping[int, frozenset[int]] | None = None  # shares, keyed by seat
    both_ways: frozenset[int] = frozenset()  # seats that must win every share they contest

    def contesting(self, share: int, seats: Sequence[int]) -> Sequence[int]:
        if self.declared is None:
            return seats
        return [seat for seat in seats if share in self.declared[seat]]


CARDS_SPEAK = Entry()


def entry_of(hand: Hand) -> Entry:
    """Return the declarations of the players left."""
    game = hand.game
    if not game.declares:
        return CARDS_SPEAK
    words = {seat: hand.players[seat].declared or "" for seat in hand.live}
    names = game.share_names
    return Entry(
        {
            seat: frozenset(at for at, name in enumerate(names) if word in (name, BOTH))
            for seat, word in words.items()
        },
        frozenset(seat for seat, word in words.items() if word == BOTH),
    )


class Outcome(NamedTuple):
    """The result of one share of one pot. If there are several `winners`, they are tied.

    `alternative` is the index of the deciding measure. `tied` contains all players who were tied
    before a tie-break. If no other player takes the share, `lost` contains the players with
    the best hand who are out because they declared both ways.
    """

    share: int
    winners: tuple[int, ...]
    alternative: int | None = None
    tied: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A player who went for all shares and failed to win this share."""

    seat: int
    share: int
    why: str  # "beaten", "tied" or "not-qualified"
    by: tuple[int, ...] = ()


class Contest(NamedTuple):
    """The outcome of each share of a pot.

    If `cancelled`, the players with the best hands all declared both ways and failed, and each
    keeps the shares that they won.
    """

    outcomes: tuple[Outcome, ...]
    failures: tuple[Failure, ...] = ()
    cancelled: bool = False


def decide(
    seats: Sequence[int],
    strengths: Strengths,
    entry: Entry,
    *,
    outright: bool,
    lost_both: str = "next-best",
    joint: Sequence[int] = (),
) -> Contest:
    """Return the winners of every share of a pot among these seats.

    `joint` is the number of measures of each share that one player must win. It may be empty if
    that number is one for all shares. If `outright` is true, a tie is a loss for a player who goes
    both ways. `lost_both` determines the winners if such a player loses (docs/rulings.md 6).
    """
    going = [entry.contesting(share, seats) for share in range(len(strengths))]
    best = [
        _joint_outcome(share, measures, contestants, joint[share])
        if joint and joint[share] > 1
        else _outcome(share, measures, contestants)
        for share, (measures, contestants) in enumerate(zip(strengths, going, strict=True))
    ]
    failures = [
        failure
        for seat in seats
        if seat in entry.both_ways and not joint
        for share, contestants in enumerate(going)
        if (failure := _failure(seat, share, strengths[share], contestants, outright=outright))
    ]
    if not failures:
        return Contest(tuple(best))
    out = {failure.seat for failure in failures}
    if lost_both == "each-keeps" and all(
        outcome.winners and out.issuperset(outcome.winners) for outcome in best
    ):
        return Contest(tuple(best), tuple(failures), cancelled=True)
    outcomes = []
    for among_all, contestants in zip(best, going, strict=True):
        left = [seat for seat in contestants if seat not in out]
        winners = tuple(seat for seat in among_all.winners if seat not in out)
        if winners:
            outcomes.append(among_all._replace(winners=winners, tied=winners))
        elif left and lost_both not in TAKES_ALL:
            outcomes.append(_outcome(among_all.share, strengths[among_all.share], left))
        else:
            outcomes.append(Outcome(among_all.share, (), lost=among_all.winners))
    return Contest(tuple(outcomes), tuple(failures))


def _outcome(
    share: int, alternatives: Sequence[Mapping[int, int]], seats: Sequence[int]
) -> Outcome:
    """Return the best seats on the first measure for which any seat qualifies."""
    for index, strengths in enumerate(alternatives if seats else ()):
        shown = [strengths[seat] for seat in seats]
        best = max(shown)
        if best >= 0:
            if shown.count(best) == 1:
                winners: tuple[int, ...] = (seats[shown.index(best)],)
            else:
                winners = tuple([seat for seat in seats if strengths[seat] == best])
            return Outcome(share, winners, index, winners)
    return Outcome(share, ())


def _joint_outcome(
    share: int, alternatives: Sequence[Mapping[int, int]], seats: Sequence[int], together: int
) -> Outcome:
    """Decide a share with several measures. Later measures apply if no player wins them all."""
    best = [_outcome(share, [one], seats).winners for one in alternatives[:together]]
    winners = tuple(seat for seat in best[0] if all(seat in holders for holders in best))
    if winners:
        return Outcome(share, winners, 0, winners)
    after = _outcome(share, alternatives[together:], seats)
    if after.alternative is None:
        return after
    return after._replace(alternative=after.alternative + together)


def share_of_neighbours(
    outcome: Outcome, winners: Sequence[int], seats: Sequence[int], side: str
) -> Outcome:
    """Give a share to the winners' neighbours among the pot's players, on the left or right."""
    step = 1 if side == "left" else -1
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
    """Return why a player going for all shares does not win this share, or None if they do."""
    index = _outcome(share, alternatives, contestants).alternative
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
    """Divide an amount evenly. The first parts get one odd chip each."""
    even, odd = divmod(amount, among)
    return [even + 1] * odd + [even] * (among - odd)


def pay(amount: int, winners: Sequence[int], first: Callable[[int], object]) -> dict[int, int]:
    """Divide a share among tied winners. Odd chips go one each in the order of `first`."""
    if len(winners) == 1:
        return {winners[0]: amount}
    ordered = sorted(winners, key=first)  # type: ignore[arg-type]
    chips = dict(zip(ordered, divide(amount, len(ordered)), strict=True))
    return {seat: chips[seat] for seat in winners}
