"""What a player did in a hand or where it found them: what leaks are looked for in.

A choice belongs to a game, or to none where the game makes no difference (a seat, an hour).
"""

from functools import lru_cache

from league.stats.facts import HandRow, ResultRow

DECLARED, STAYED, DEALT, SEAT, HOUR = "declared", "stayed", "dealt", "seat", "hour"


Choice = tuple[str, str]  # the game, and what was chosen


def choices_of(hand: HandRow, each: ResultRow) -> tuple[Choice, ...]:
    """Return all that a player's part in a hand counts for."""
    stayed = each.showdown if each.stayed is None else each.stayed
    return _choices(hand.game, hand.hour, each.position, stayed, each.declared)


@lru_cache(maxsize=4096)
def _choices(
    game: str, hour: int, position: int, stayed: bool, declared: str
) -> tuple[Choice, ...]:
    """Return the same few for most hands of a rebuild."""
    found = [("", f"{SEAT}:{position}"), ("", f"{HOUR}:{hour}")]
    if position == 0:
        found.append((game, DEALT))
    if stayed:
        found.append((game, STAYED))
    if declared:
        found.append((game, f"{DECLARED}:{declared}"))
    return tuple(found)


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
