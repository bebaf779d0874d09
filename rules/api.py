"""The public functions of the rules: settle records, replay histories, look up games.

Documents, formats and rules pages have their own modules.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rules.documents.game_lookup import DealtGame, game_of
from rules.errors import GameError, HandsError, Problem
from rules.game.game import Game
from rules.game.hand import MOST_PLACES, MOST_PLAYERS, RESULT, Hand, is_name, seen_as
from rules.game.schema import json_schema
from rules.game.workload import TOO_MUCH, reports_too_much
from rules.ranking import SCALES
from rules.settlement import reading
from rules.settlement.odds import OddsError, odds
from rules.settlement.player_names import KEYED_BY_PLAYER, NAMING_PLAYERS, rename_players
from rules.settlement.runs import run_records
from rules.settlement.settle import (
    SLICE,
    Answer,
    award_problems,
    collector_paused,
    refusal,
    settle_hands,
)
from rules.settlement.side_bets import (
    HighHand,
    bad_beats,
    high_hands,
    is_bomb_pot,
    pot_winners,
    ranks_high,
    strength,
    won_with_seven_deuce,
)
from rules.showdown import evaluation
from rules.showdown.tables import table

if TYPE_CHECKING:
    from rules.history.all_ins import AllIn

__all__ = [
    "KEYED_BY_PLAYER",
    "MOST_PLACES",
    "MOST_PLAYERS",
    "NAMING_PLAYERS",
    "TOO_MUCH",
    "Answer",
    "DealtGame",
    "Game",
    "GameError",
    "HandsError",
    "HighHand",
    "OddsError",
    "Problem",
    "all_in",
    "bad_beats",
    "evaluate",
    "final_record",
    "final_record_and_betting",
    "game_of",
    "high_hands",
    "is_bomb_pot",
    "is_name",
    "json_schema",
    "odds",
    "pot_winners",
    "problems",
    "ranks_high",
    "rename_players",
    "replay_many",
    "replay_record",
    "reports_too_much",
    "run_records",
    "seen_as",
    "settle",
    "settle_many",
    "strength",
    "warm_up",
    "won_with_seven_deuce",
]


def settle(record: object, *, brief: bool = False) -> Answer:
    """Return the chips that each player wins and the reasons, or all errors of the record.

    docs/record.md describes the record and the answer. `brief` omits `hands`, `story` and
    `reasons`.
    """
    return settle_many([record], brief=brief)[0]


def settle_many(records: Iterable[object], *, brief: bool = False) -> list[Answer]:
    """Settle many records, much faster than one at a time. Answers keep the records' order."""
    waiting = iter(records)
    answers: list[Answer] = []
    with collector_paused():
        while read := [read_record(record) for record in islice(waiting, SLICE)]:
            answers += settle_read(read, brief=brief)
    return answers


Read = tuple[Hand | None, list[Problem]]  # a record's hand, or the errors in the record


def read_record(record: object) -> Read:
    """Read a record for `settle_read`. A record with actions is played to its end first."""
    if not (isinstance(record, Mapping) and "actions" in record):
        return reading.read(record)
    final, wrong = final_record(record)
    return (None, wrong) if final is None or wrong else reading.read(final)


def settle_read(read: Sequence[Read], *, brief: bool) -> Iterator[Answer]:
    """Yield the answers to the results of `read_record`, in the same order."""
    answers = settle_hands([hand for hand, _ in read if hand is not None], brief=brief)
    return (refusal(wrong) if hand is None else next(answers) for hand, wrong in read)


# `rules.history` accounts for a quarter of the import time, so it is imported on first use.


def replay_record(record: object, *, strict: bool = False) -> Answer:
    """Return the stacks, winnings, errors and findings of one record with actions."""
    return replay_many([record], strict=strict)[0]


def replay_many(records: Iterable[object], *, strict: bool = False) -> list[Answer]:
    """Replay records with actions. Return each record's stacks, winnings, errors and findings.

    See `rules.history.replay_many`.
    """
    from rules import history  # noqa: PLC0415

    return history.replay_many(records, strict=strict)


def final_record(record: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Return the record of final cards that the actions lead to, and its errors."""
    from rules import history  # noqa: PLC0415

    return history.final_record(record)


def final_record_and_betting(
    record: Mapping[str, Any],
) -> tuple[dict[str, Any] | None, "list[Any] | None"]:
    """Return the record of final cards and each player's bet counts.

    The record is None if the actions do not complete the hand. The counts are None if there are no
    bets.
    """
    from rules.history import betting_counts  # noqa: PLC0415

    return betting_counts.final_record_and_betting(record)


def all_in(record: Mapping[str, Any]) -> "AllIn | None":
    """Return the expected results of a hand whose betting ended before the last board card.

    Return None if the hand has no actions or ended differently.
    """
    from rules.history import all_ins  # noqa: PLC0415

    return all_ins.all_in(record, partial(settle_many, brief=True))


def problems(record: object) -> list[Problem]:
    """Return all errors of a record, or an empty list if it can be settled."""
    hand, wrong = read_record(record)
    if hand is None or hand.depth == RESULT:
        return wrong
    if not any(each.tiebreaks for each in (hand, *hand.runs)):
        return wrong
    return award_problems(hand)


def evaluate(
    game: Game | str | Mapping[str, Any],
    cards: object,
    *,
    share: str | None = None,
    measure: int = 0,
    down: int | None = None,
) -> NDArray[np.int64]:
    """Return the strength of each hand of one game. Higher is better; -1 does not qualify.

    `game` is a slug, a document, or a `Game` (see `game_of`) with options or modifiers. `cards` is
    an array (hands, cards) of numbers, `4 * rank + suit` (see `rules.cards`), or of strings such as
    "As", or nested lists of either. Each row contains the cards of one hand: down, up, its piles,
    then the board. `down` is the number of cards face down, if the game allows several.

    The result is an array of integers (hands,). Strengths are comparable within one share and one
    of its measures. `share` is a name, by default the first share. `measure` 0 is the first
    measure. The next measure applies if no hand qualifies. Killing cards are ignored. The function
    takes time linear in the number of hands and constant additional memory. Raises GameError, and
    HandsError (a ValueError) for the first invalid hand.
    """
    if not isinstance(game, Game):
        dealt = game_of({"variant": game})
        if dealt.game is None:
            raise GameError(dealt.problems)
        game = dealt.game
    return evaluation.evaluate(game, cards, share=share, measure=measure, down=down)


def warm_up() -> None:
    """Build the largest table of strengths in advance, so that the first hand is fast."""
    table(SCALES["high"], 5)
