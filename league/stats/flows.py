"""Whose stakes went to whom: pure sums over one hand, exact to the chip.

The stakes of a pot go to its winners in proportion, each loser's like every other's. Rounding is
cumulative over both, so that what each one staked and what each one won comes out whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Flow = tuple[int, int, int]  # position of who lost, position of who won, chips


def flows(stakes: Sequence[int], won: Sequence[int], carried: int, carry: int) -> list[Flow]:
    """Return what went from player to player; `carried` came from and `carry` went to nobody.

    What two players took from each other is offset: at most one of the two directions is there.
    """
    whole = sum(won) + carry
    if not whole or whole != sum(stakes) + carried:
        return []
    if whole in won:  # one has it all, and with it every stake
        winner = won.index(whole)
        losers = enumerate(stakes)
        return [(loser, winner, chips) for loser, chips in losers if chips and loser != winner]
    return _netted(_shared([*stakes, carried], [*won, carry], whole), len(stakes))


def flows_by_pot(
    stakes: Sequence[int], pots: Iterable[Mapping[str, Any]], places: Mapping[str, int]
) -> list[Flow]:
    """Return the flows of a hand with side pots, each pot by itself; none where it has others.

    A pot takes from each stake the part between the pot before and the least stake of its players.
    """
    found: dict[tuple[int, int], int] = {}
    floor, layers = 0, list(pots)
    for number, pot in enumerate(layers, start=1):
        seats = [places[name] for name in pot["for"]]
        top = max(stakes) if number == len(layers) else min((stakes[s] for s in seats), default=0)
        parts = [max(0, min(stake, top) - floor) for stake in stakes]
        won = [0] * len(stakes)
        for share in pot["shares"]:
            for name, chips in share["winners"].items():
                won[places[name]] += chips
        if sum(parts) != pot["amount"] or sum(won) != pot["amount"]:
            return []
        for loser, winner, chips in _netted(_shared(parts, won, pot["amount"]), len(stakes)):
            found[loser, winner] = found.get((loser, winner), 0) + chips
        floor = top
    return _offset(found)


def _shared(sources: Sequence[int], sinks: Sequence[int], whole: int) -> dict[tuple[int, int], int]:
    """Return how much of each source went to each sink."""
    cells: dict[tuple[int, int], int] = {}
    upto = 0
    before = [0] * len(sinks)
    for source, stake in enumerate(sources):
        if not stake:
            continue
        upto += stake
        reached = last = 0
        for sink, chips in enumerate(sinks):
            if not chips:
                continue
            reached += chips
            corner = upto * reached // whole
            cells[source, sink] = corner - before[sink] - last
            last, before[sink] = corner - before[sink], corner
    return cells


def _netted(cells: Mapping[tuple[int, int], int], players: int) -> list[Flow]:
    return _offset({pair: n for pair, n in cells.items() if max(pair) < players})


def _offset(cells: Mapping[tuple[int, int], int]) -> list[Flow]:
    """Return each pair once, in the direction in which chips went."""
    found = []
    for (one, other), chips in cells.items():
        back = cells.get((other, one), 0)
        if one < other or (other, one) not in cells:
            left = chips - back
            if one != other and left:
                found.append((one, other, left) if left > 0 else (other, one, -left))
    return sorted(found)
