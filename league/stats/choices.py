"""What a player did in a hand or where it found them: what leaks are looked for in.

A choice belongs to a game, or to none where the game makes no difference (a seat, an hour).
"""

from collections.abc import Iterator
from functools import lru_cache

from league.stats.facts import HandRow, ResultRow

DECLARED, STAYED, DEALT, SEAT, HOUR = "declared", "stayed", "dealt", "seat", "hour"


@lru_cache(maxsize=256)
def _of_no_game(position: int, hour: int) -> tuple[tuple[str, str], ...]:
    """Return the same few texts for most hands of a rebuild."""
    return ("", f"{SEAT}:{position}"), ("", f"{HOUR}:{hour}")


def choices_of(hand: HandRow, each: ResultRow) -> Iterator[tuple[str, str]]:
    """Yield the game and the choice of all that a player's part in a hand counts for."""
    yield from _of_no_game(each.position, hand.hour)
    if each.position == 0:
        yield hand.game, DEALT
    if each.showdown if each.stayed is None else each.stayed:
        yield hand.game, STAYED
    if each.declared:
        yield hand.game, f"{DECLARED}:{each.declared}"


# The same as SQL, of facts f and their results r: game, choice and condition of each.
AS_SQL = (
    ("''", f"'{SEAT}:' || r.position", "NOT f.voided"),
    ("''", f"'{HOUR}:' || f.hour", "NOT f.voided"),
    ("f.game", f"'{DEALT}'", "r.position = 0"),
    ("f.game", f"'{STAYED}'", "COALESCE(r.stayed, r.showdown)"),
    ("f.game", f"'{DECLARED}:' || r.declared", "r.declared <> ''"),
)


def told(choice: str) -> tuple[str, str]:
    """Return of which kind a choice is, and which of them."""
    kind, _, which = choice.partition(":")
    return kind, which
