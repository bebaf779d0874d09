"""What the rules do for others: settle records, replay histories, look games up.

Documents, formats and pages of rules have modules of their own beside this one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from rules.documents.game_lookup import DealtGame, game_of
from rules.errors import BadGame, Problem
from rules.game.game import Game
from rules.game.hand import MOST_PLACES, MOST_PLAYERS, RESULT, Hand
from rules.game.schema import json_schema
from rules.game.workload import TOO_MUCH, says_too_much
from rules.history import final_record, replay_many, replay_record
from rules.ranking import SCALES
from rules.settlement import checks
from rules.settlement.core import (
    SLICE,
    Answer,
    award_problems,
    collector_paused,
    refusal,
    settle_hands,
)
from rules.settlement.odds import NoOdds, odds
from rules.settlement.player_names import KEYED_BY_PLAYER, NAMING_PLAYERS, rename_players
from rules.settlement.strengths import ranks_high, strength
from rules.settlement.usual_records import usual_hand
from rules.showdown.strength_tables import table

__all__ = [
    "KEYED_BY_PLAYER",
    "MOST_PLACES",
    "MOST_PLAYERS",
    "NAMING_PLAYERS",
    "TOO_MUCH",
    "Answer",
    "BadGame",
    "DealtGame",
    "Game",
    "NoOdds",
    "Problem",
    "final_record",
    "game_of",
    "json_schema",
    "odds",
    "problems",
    "ranks_high",
    "rename_players",
    "replay_many",
    "replay_record",
    "says_too_much",
    "settle",
    "settle_many",
    "strength",
    "warm_up",
]


def settle(record: object, *, brief: bool = False) -> Answer:
    """The answer to a record: who won what and why, or everything that is wrong with it.

    See docs/record.md for both shapes. `brief` leaves out `hands` and `story`.
    """
    return settle_many([record], brief=brief)[0]


def settle_many(records: Iterable[object], *, brief: bool = False) -> list[Answer]:
    """The answers to many records, in their order; far faster than one at a time."""
    waiting = iter(records)
    answers: list[Answer] = []
    with collector_paused():
        while some := list(islice(waiting, SLICE)):
            answers += _settle_slice(some, brief=brief)
    return answers


def _settle_slice(records: Iterable[object], *, brief: bool) -> Iterator[Answer]:
    read = [_read(record) for record in records]
    hands = [hand for hand, _ in read if hand is not None]
    settled = iter(settle_hands(hands, brief=brief))
    return (refusal(wrong) if hand is None else next(settled) for hand, wrong in read)


def _read(record: object) -> tuple[Hand | None, list[Problem]]:
    """The hand of a record; with actions, the hand that they came to."""
    if type(record) is dict and (hand := usual_hand(record)) is not None:
        return hand, []
    if not (isinstance(record, Mapping) and "actions" in record):
        return checks.read(record)
    final, wrong = final_record(record)
    return (None, wrong) if final is None or wrong else checks.read(final)


def problems(record: object) -> list[Problem]:
    """Every reason why a record can't be settled; none when it can."""
    hand, wrong = _read(record)
    if hand is None or hand.depth == RESULT or not hand.tiebreaks:
        return wrong
    return award_problems(hand)


def warm_up() -> None:
    """Make the largest table of strengths, which the first hand would wait for."""
    table(SCALES["high"], 5)
