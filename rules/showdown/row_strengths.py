"""How strong rows of cards are on every measure of a game, without the cards behind it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rules.game.game import Game
from rules.showdown import few_rows
from rules.showdown.evaluation import measure_rows
from rules.showdown.selections import Layout, Shape
from rules.showdown.share_games import share_games
from rules.showdown.wilds import readings


def row_strengths(game: Game, shape: Shape, rows: NDArray[np.int16]) -> list[list[int]]:
    """The strengths of rows (rows, cards), share by share and measure by measure; negative where
    none qualifies."""
    how = None if share_games(game) else few_rows.plan(game, shape)
    if how is not None and how.suits(len(rows)):
        return _one_by_one(game, shape, how, rows.tolist())
    measures = [(share, alternative) for share in game.shares for alternative in share.alternatives]
    return [strengths.tolist() for strengths in measure_rows(game, shape, rows, measures)]


def _one_by_one(
    game: Game, shape: Shape, how: few_rows.Plan, rows: Sequence[list[int]]
) -> list[list[int]]:
    layout = Layout(game, shape)
    best = [_best_reading(game, layout, how, row) for row in rows]
    return [[*strengths] for strengths in zip(*best, strict=True)]


def _best_reading(game: Game, layout: Layout, how: few_rows.Plan, row: list[int]) -> list[int]:
    read = [few_rows.measured(how, row, one).strengths for one in readings(game, layout, row)]
    return read[0] if len(read) == 1 else [*map(max, *read)]
