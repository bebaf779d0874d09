"""What each winner of a pot's shares gets, where neither ties nor odd chips go by the cards."""

from collections.abc import Callable, Sequence

from rules.game.game import Game
from rules.settlement.chips import contest

Shares = list[tuple[int, int, dict[int, int]]]  # the way, its amount, chips by seat


def shares_of(
    game: Game,
    amount: int,
    winners: Sequence[tuple[int, ...]],
    first: Callable[[int], int],
) -> Shares | None:
    """How a pot is shared among the winners of every share; None where that takes a closer look:
    nobody wins it, ties are broken (perhaps of those who do not qualify), cards decide odd chips.
    """
    if len(winners) == 1 and len(winners[0]) == 1:  # mostly
        return [(0, amount, {winners[0][0]: amount})]
    among = len(winners) - winners.count(())
    if not among or (game.ties != "split" and {*map(len, winners)} != {1}):
        return None
    parts = iter(contest.divide(amount, among))
    shares: Shares = []
    for way, seats in enumerate(winners):
        if not seats:
            shares.append((way, 0, {}))
            continue
        part = next(parts)
        if len(seats) == 1:
            shares.append((way, part, {seats[0]: part}))
        elif game.table_options[0] == "high card" and part % len(seats):
            return None
        else:
            shares.append((way, part, contest.pay(part, seats, first)))
    return shares
