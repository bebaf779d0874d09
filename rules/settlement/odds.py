"""Estimate the odds of a game from many random deals.

All players stay in, no player draws or discards, and cards speak. For games with choices the result
is only an approximation, as `assumed` in the answer states.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import RANK_NAMES
from rules.game import workload
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.ranking import CEILING, FIRST_RANK, describe, read_strength
from rules.showdown.evaluation import dealt_shape, measure_rows
from rules.showdown.game_scales import scale_of
from rules.showdown.measures import SINGLE_BITS, points_of
from rules.showdown.naming import card_name
from rules.showdown.selections import count_choices

BATCH = 4096
MOST_AT_ONCE = 1 << 27  # maximum number of hands evaluated between two progress reports
MOST_DEALS = 10_000_000
ROWS = 12  # maximum number of rows in a share's table on a terminal
Table = NDArray[np.int64]  # shape: (deals, players)
Progress = Callable[[int, int], object]  # called with the number of deals done and the total


class OddsError(Exception):
    """The game does not compare hands, or can't be dealt to this many players."""


@dataclass
class _Tally:
    """The winning hands of one share: their strengths and deciding measures, one per deal."""

    strengths: list[NDArray[np.int64]]
    measures: list[NDArray[np.int8]]


def odds(
    game: Game,
    *,
    players: int = 5,
    deals: int = 20_000,
    seed: int = 1,
    progress: Progress = lambda done, whole: None,
) -> dict[str, Any]:
    """Return how often each category wins each share, as plain JSON.

    Rates are fractions of all deals. Raises OddsError if there is nothing to compare.
    """
    tallies = [_Tally([], []) for _ in game.shares]
    scoops = 0
    done = 0
    for rows in deal_rows(game, players, deals, seed):
        scoops += _tally(game, players, rows, tallies)
        done += len(rows) // players
        progress(done, deals)
    return {
        "game": game.name,
        "players": players,
        "deals": deals,
        "assumed": (
            "all players stay in until the showdown, no player draws or discards, and cards speak"
        ),
        "shares": [_share(game, n, tally) for n, tally in enumerate(tallies) if tally.strengths],
        "scoop": scoops / deals,
    }


def deal_rows(game: Game, players: int, deals: int, seed: int) -> Iterator[NDArray[np.int16]]:
    """Yield batches of random deals. Each row has a player's own cards and then the board.

    The rows of a deal are consecutive. Raises OddsError if hands can't be compared or dealt.
    """
    if not game.shares or not game.compares_hands:
        raise OddsError("this game does not compare hands")
    if game.is_joint:
        raise OddsError("there are no odds for a share that several hands win together")
    shape = dealt_shape(game)
    least, most = game.players
    board = sum(map(len, game.common_rows))
    needed = shape.own * players + board
    if not least <= players <= most or needed > len(game.deck):
        raise OddsError(f"{game.name} is for {least} to {most} players")
    ways = sum(
        count_choices(game, measure.patterns or game.hand, measure.line, shape)
        for measure in workload.measures(game)
    )
    measured = max(1, ways * workload.readings(game))  # hands measured per player in one deal
    at_once = max(64, min(BATCH, MOST_AT_ONCE // (players * measured)))
    random = np.random.default_rng(seed)
    cards = np.array(sorted(game.deck), dtype=np.int16)[:, None]
    for first in range(0, deals, at_once):
        # Each row is a position in the deck, so one step of the (Fisher-Yates) shuffle covers all
        # deals at once. The shuffle stops after the last card that is dealt.
        count = min(at_once, deals - first)
        deck = np.repeat(cards, count, axis=1)
        places, numbers = deck.reshape(-1), np.arange(count)
        for place in range(needed):
            drawn = numbers + count * random.integers(place, len(deck), size=count)
            cards_drawn = places[drawn]
            places[drawn] = deck[place]
            deck[place] = cards_drawn
        dealt = deck[:needed].T
        own = dealt[:, board:].reshape(count, players, shape.own)
        common = np.repeat(dealt[:, None, :board], players, axis=1)
        rows = np.concatenate([own, common], axis=2)
        yield rows.reshape(count * players, shape.own + board)


def _tally(game: Game, players: int, rows: NDArray[np.int16], tallies: Sequence[_Tally]) -> int:
    """Tally the winner of each share in a batch. Return the number of scooped deals."""
    winners: list[NDArray[np.bool_]] = []
    measures = [(share, one) for share in game.shares for one in share.alternatives]
    measured = iter(measure_rows(game, dealt_shape(game), rows, measures))
    for tally, share in zip(tallies, game.shares, strict=True):
        alternatives = [next(measured).reshape(-1, players) for _ in share.alternatives]
        if share.neighbour:
            winners.append(np.roll(winners[0], 1 if share.neighbour == "left" else -1, axis=1))
            continue
        # the first measure for which a player in the deal qualifies decides
        strengths = alternatives[0].copy()
        deciding = np.zeros(len(strengths), dtype=np.int8)
        for index, other in enumerate(alternatives[1:], start=1):
            nobody = strengths.max(axis=1) < 0
            strengths[nobody] = other[nobody]
            deciding[nobody] = index
        best = strengths.max(axis=1)
        tally.strengths.append(best)
        tally.measures.append(deciding)
        winners.append((strengths == best[:, None]) & (best >= 0)[:, None])
    # a scoop is a deal that one player wins without sharing
    held = [wins.sum(axis=1) for wins in winners]
    alone = np.ones(len(winners[0]), dtype=bool)
    everywhere = np.ones_like(winners[0])
    for wins, count in zip(winners, held, strict=True):
        alone &= count <= 1
        everywhere &= wins | (count == 0)[:, None]
    won = np.sum(held, axis=0) > 0
    return int((alone & won & everywhere.any(axis=1)).sum())


# --- names of hands -----------------------------------------------------------------------------


def _share(game: Game, index: int, tally: _Tally) -> dict[str, Any]:
    share = game.shares[index]
    strengths = np.concatenate(tally.strengths)
    measures = np.concatenate(tally.measures)
    won = strengths >= 0
    categories: dict[str, int] = {}
    for measure, alternative in enumerate(share.alternatives):
        of_measure = strengths[won & (measures == measure)]
        kinds = of_measure  # numbers that identify the category, in the order of the strengths
        if alternative.scale in TABLE_SCALES:
            lowest = scale_of(game, alternative.scale).lowest_wins
            kinds = -((CEILING - kinds) >> FIRST_RANK) if lowest else kinds >> FIRST_RANK
        _, first, counts = np.unique(kinds, return_index=True, return_counts=True)
        for value, count in zip(of_measure[first].tolist(), counts.tolist(), strict=True):
            name = _category(game, alternative, value)
            categories[name] = categories.get(name, 0) + count
    ordered = sorted(categories.items(), key=lambda pair: -pair[1])
    return {
        "name": share.name,
        "nobody": float(1 - won.mean()),
        "won_by": [{"category": name, "rate": n / len(strengths)} for name, n in ordered],
        "median": _median(game, share.alternatives, strengths[won], measures[won]),
    }


def _category(game: Game, alternative: Alternative, strength: int) -> str:
    """Return the kind of a winning hand: a category, the high card of a low, points or cards."""
    if alternative.scale in TABLE_SCALES:
        scale = scale_of(game, alternative.scale)
        category, ranks = read_strength(scale, strength)
        if scale.lowest_wins and category == "high-card":
            return f"{RANK_NAMES[(ranks[0] - 2) % 13]} low"
        return category.replace("-", " ")
    if alternative.scale in BADUGI_SCALES:
        return f"{strength >> 20}-card badugi"
    if alternative.scale == "holds":
        return alternative.text
    if alternative.scale in {"highest", "lowest"}:
        while strength >> SINGLE_BITS:
            strength >>= SINGLE_BITS
        if alternative.scale == "lowest":
            strength = max(game.singles.values()) + 1 - strength
        return next(card_name(card) for card, place in game.singles.items() if place == strength)
    return f"{points_of(game, alternative, strength):,} points"


def _median(
    game: Game,
    alternatives: Sequence[Alternative],
    strengths: Table,
    measures: NDArray[np.int8],
) -> str:
    """Return the median of the winning hands, or an empty string if no hand wins."""
    if not len(strengths):
        return ""
    middle, measure = len(strengths) // 2, len(alternatives) - 1
    of_measure = strengths[measures == measure]
    while middle >= len(of_measure):  # a hand that wins on a later measure ranks lower
        middle, measure = middle - len(of_measure), measure - 1
        of_measure = strengths[measures == measure]
    alternative, strength = alternatives[measure], int(np.partition(of_measure, middle)[middle])
    if alternative.scale in TABLE_SCALES:
        return describe(scale_of(game, alternative.scale), strength)
    return _category(game, alternative, strength)


def as_text(answer: Mapping[str, Any]) -> str:
    """Format the odds for a terminal."""
    lines = [
        f"{answer['game']}, {answer['players']} players, {answer['deals']} deals",
        answer["assumed"],
    ]
    for share in answer["shares"]:
        lines += ["", f"{share['name']} (median winning hand: {share['median']})"]
        rates = [(one["category"], one["rate"]) for one in share["won_by"]]
        rates += [("nobody", share["nobody"])] if share["nobody"] else []
        lines += [
            f"  {name:22} {rate:7.2%}  {'#' * round(40 * rate)}" for name, rate in rates[:ROWS]
        ]
        if others := sum(rate for _, rate in rates[ROWS:]):
            lines.append(f"  {'others':22} {others:7.2%}")
    return "\n".join(
        [*lines, "", f"one player wins the whole pot in {answer['scoop']:.1%} of the deals"]
    )
