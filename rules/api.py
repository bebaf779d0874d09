"""What the rules do for others: settle records, replay histories, look games up.

Documents, formats and pages of rules have modules of their own beside this one.
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
from rules.game.workload import TOO_MUCH, says_too_much
from rules.ranking import SCALES
from rules.settlement import reading
from rules.settlement.odds import OddsError, odds
from rules.settlement.player_names import KEYED_BY_PLAYER, NAMING_PLAYERS, rename_players
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
    "is_name",
    "json_schema",
    "odds",
    "problems",
    "ranks_high",
    "rename_players",
    "replay_many",
    "replay_record",
    "says_too_much",
    "seen_as",
    "settle",
    "settle_many",
    "strength",
    "warm_up",
    "won_with_seven_deuce",
]


def settle(record: object, *, brief: bool = False) -> Answer:
    """The answer to a record: who won what and why, or everything that is wrong with it.

    See docs/record.md for both shapes. `brief` leaves out `hands`, `story` and `reasons`.
    """
    return settle_many([record], brief=brief)[0]


def settle_many(records: Iterable[object], *, brief: bool = False) -> list[Answer]:
    """The answers to many records, in their order; far faster than one at a time."""
    waiting = iter(records)
    answers: list[Answer] = []
    with collector_paused():
        while read := [read_record(record) for record in islice(waiting, SLICE)]:
            answers += settle_read(read, brief=brief)
    return answers


Read = tuple[Hand | None, list[Problem]]  # the hand of a record, or why it has none


def read_record(record: object) -> Read:
    """What `settle_read` settles; of a record with actions, the hand at their end."""
    if not (isinstance(record, Mapping) and "actions" in record):
        return reading.read(record)
    final, wrong = final_record(record)
    return (None, wrong) if final is None or wrong else reading.read(final)


def settle_read(read: Sequence[Read], *, brief: bool) -> Iterator[Answer]:
    """The answers to records that were read, in their order."""
    answers = settle_hands([hand for hand, _ in read if hand is not None], brief=brief)
    return (refusal(wrong) if hand is None else next(answers) for hand, wrong in read)


# Histories are loaded when the first one is replayed: a fourth of the import of all else.


def replay_record(record: object, *, strict: bool = False) -> Answer:
    """What came of one record with actions; see `replay_many`."""
    return replay_many([record], strict=strict)[0]


def replay_many(records: Iterable[object], *, strict: bool = False) -> list[Answer]:
    """What came of each record with actions: stacks, winnings, errors, findings.

    See `rules.history.replay_many`.
    """
    from rules import history  # noqa: PLC0415

    return history.replay_many(records, strict=strict)


def final_record(record: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The record of the end that the actions came to, and all that keeps it from being settled."""
    from rules import history  # noqa: PLC0415

    return history.final_record(record)


def final_record_and_betting(
    record: Mapping[str, Any],
) -> tuple[dict[str, Any] | None, "list[Any] | None"]:
    """The end that a record's actions came to, and what each player's bets come to.

    None for an end that they do not come to, and where a record tells no bets.
    """
    from rules.history import betting_counts  # noqa: PLC0415

    return betting_counts.final_record_and_betting(record)


def all_in(record: Mapping[str, Any]) -> "AllIn | None":
    """What players could expect when all betting had ended before the last card of a board.

    None of a hand without actions, or that ended otherwise.
    """
    from rules.history import all_ins  # noqa: PLC0415

    return all_ins.all_in(record, partial(settle_many, brief=True))


def problems(record: object) -> list[Problem]:
    """Every reason why a record can't be settled; none when it can."""
    hand, wrong = read_record(record)
    if hand is None or hand.depth == RESULT or not hand.tiebreaks:
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
    """The strength of each of many hands of one game, higher is better; -1 does not qualify.

    `game` is a slug, a document, or a `Game` (see `game_of`) where options or modifiers matter.
    `cards` is an array (hands, cards) of numbers, 4 * rank + suit (see `rules.cards`), or of texts
    such as "As", or as much in lists. A row holds the cards of one hand: down, up, those of its
    piles, then the board. `down` says how many lie face down where the game leaves that open.

    Returns whole numbers (hands,), which compare within one share (by name; the first unless
    told) and one of its measures: 0 is the first, the next counts where nobody qualifies. What
    kills a hand is not asked. Work is linear in the hands, memory beside both arrays the same for
    any number of them. Raises GameError, and HandsError (a ValueError) with the first hand that is
    none.
    """
    if not isinstance(game, Game):
        dealt = game_of({"variant": game})
        if dealt.game is None:
            raise GameError(dealt.problems)
        game = dealt.game
    return evaluation.evaluate(game, cards, share=share, measure=measure, down=down)


def warm_up() -> None:
    """Make the largest table of strengths, which the first hand would wait for."""
    table(SCALES["high"], 5)
