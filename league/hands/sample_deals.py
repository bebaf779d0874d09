"""Random hands with results, which show a game's author how the game works."""

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Any

from league.games.random_deals import Answer, Record, Table, codes, make_up, play_out
from league.hands.validation import answer_to

NAMES = ("Ann", "Bob", "Cat", "Dan")
DEALS = 3
STACK = 100
MOST_TRIES = 40
MOST_SECONDS = 1.0  # time limit per hand


def sample_deals(
    document: dict[str, Any], *, names: Sequence[str] = NAMES, seed: int = 1
) -> list[tuple[Record, Answer]]:
    """Return three hands of the game with their answers, or fewer if no valid hand is found.

    The same seed gives the same hands.
    """
    least, most = document.get("players", (2, 8))
    fit = [*names, *NAMES, *(f"Player {number}" for number in range(1, least + 1))]
    table = list(dict.fromkeys(fit))[: max(least, min(most, len(NAMES)))]
    chance = Random(seed)  # noqa: S311 (not used for security)
    hands = (_legal(document, table, button, chance) for button in range(DEALS))
    return [hand for hand in hands if hand]


def _legal(
    document: dict[str, Any], names: Sequence[str], button: int, chance: Random
) -> tuple[Record, Answer] | None:
    """Return a valid hand, preferably without findings, or None."""
    odd = None
    ends = monotonic() + MOST_SECONDS
    table = Table(
        stacks=dict.fromkeys(names, STACK),
        button=button % len(names),
        carried=(),
        chance=chance,
    )
    for record in (make_up(table, document) for _ in range(MOST_TRIES)):
        if monotonic() > ends:  # a few tries are enough for slow games
            break
        answer = play_out(record, chance, answer_to)
        if "errors" not in answer and not codes(answer):
            return record, answer
        odd = odd or ((record, answer) if "errors" not in answer else None)
    return odd
