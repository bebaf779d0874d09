"""How strong hands are, however many: in every reading of their wild cards, on each measure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rules.error_text import quoted
from rules.errors import BadHands
from rules.game import workload
from rules.game.game import Alternative, CardsAre, Game, Share
from rules.ranking import IMPOSSIBLE
from rules.showdown.best_hands import Best, best_hands
from rules.showdown.hand_arrays import check_hands, read_hands, shape_of
from rules.showdown.measures.measured import Strengths
from rules.showdown.rows import Cards, holds
from rules.showdown.scales import count_values
from rules.showdown.selections import Layout, Shape
from rules.showdown.share_games import game_of_share, share_games
from rules.showdown.symbols import Reading, decided_rules
from rules.showdown.wilds import lay_out, readings

ROWS_AT_ONCE = 1 << 16  # in all readings of their wild cards, so that memory is bounded
Measure = tuple[Share, Alternative]


def evaluate(
    game: Game, cards: object, *, share: str | None, measure: int, down: int | None
) -> Strengths:
    """The strength of each hand on one measure of a share, see `rules.evaluate`."""
    asked = _measure_of(game, share, measure)
    rows = read_hands(cards)
    strengths = np.empty(len(rows), dtype=np.int64)
    if not len(rows):
        return strengths
    shape = shape_of(game, rows.shape[1], down)
    # a zone may be as full as its game allows, but not all of them at once
    for problem in workload.of_combinations(game, count_values(game, asked[1], shape)):
        raise BadHands(f"{game.name}: {problem.text}")
    step = ROWS_AT_ONCE // workload.readings(game)
    for first in range(0, len(rows), step):
        some = check_hands(game, rows[first : first + step], first)
        [strengths[first : first + len(some)]] = measure_rows(game, shape, some, [asked])
    return strengths


def _measure_of(game: Game, share: str | None, measure: int) -> Measure:
    names = game.share_names
    if not names or not game.compares_hands:
        raise BadHands(f"{game.name}: in this game no hands are compared")
    if share is not None and share not in names:
        raise BadHands(f"{game.name} has no share {quoted(share)}; it has {', '.join(names)}")
    one = game.shares[0 if share is None else names.index(share)]
    if not 0 <= measure < len(one.alternatives):
        told = f"{one.name} has no measure {measure}, counted from 0"
        raise BadHands(f"{told}; it has {len(one.alternatives)}")
    return one, one.alternatives[measure]


def measure_rows(
    game: Game, shape: Shape, rows: NDArray[np.int16], measures: Sequence[Measure]
) -> list[Strengths]:
    """The strength of each row (rows, cards) on each measure; -1 where it does not qualify."""
    if share_games(game):
        return [_measure_alone(game, shape, rows, measure) for measure in measures]
    owners, read = _read(game, shape, rows)
    cards = lay_out(game, shape, rows if owners is None else rows[owners], read)
    found = best_hands(game, [alternative for _, alternative in measures], cards)
    return [
        _best_reading(tested(best, share.tests, cards), owners, len(rows))
        for (share, _), best in zip(measures, found, strict=True)
    ]


def _measure_alone(
    game: Game, shape: Shape, rows: NDArray[np.int16], measure: Measure
) -> Strengths:
    """One measure, in the game as its share sees it."""
    seen, _ = game_of_share(game, game.share_names.index(measure[0].name))
    [strengths] = measure_rows(seen, shape, rows, [measure])
    return strengths


def tested(best: Best, tests: Sequence[CardsAre], cards: Cards) -> Strengths:
    """Strengths, with those out for whom a condition of the share does not hold."""
    strengths = best.strengths
    for test in tests:
        strengths = np.where(holds(test, cards), strengths, IMPOSSIBLE)
    return strengths


def _read(
    game: Game, shape: Shape, rows: NDArray[np.int16]
) -> tuple[NDArray[np.intp] | None, Sequence[Reading]]:
    """Each row once for every reading of its wild cards: whose it is, and the reading.

    None where the deal decides nothing, so that every row is read once.
    """
    if not decided_rules(game):
        return None, ()
    layout = Layout(game, shape)
    some = [readings(game, layout, row) for row in rows.tolist()]
    owners = np.repeat(np.arange(len(rows)), [len(reading) for reading in some])
    return owners, [reading for several in some for reading in several]


def _best_reading(strengths: Strengths, owners: NDArray[np.intp] | None, rows: int) -> Strengths:
    if owners is None:
        return strengths
    best = np.full(rows, IMPOSSIBLE, dtype=np.int64)
    np.maximum.at(best, owners, strengths)
    return best
