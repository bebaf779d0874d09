"""Hands recorded action by action."""

from typing import Any

from tests.helpers.league.leagues import NAMES


def history(**changes: Any) -> dict[str, Any]:
    """Return a hand in which ann's aces beat bob's queens for 40 chips. cat and dan fold."""
    record: dict[str, Any] = {
        "variant": "no-limit-holdem",
        "button": 3,
        "players": [{"name": name} for name in NAMES],
        "stacks": [100] * 4,
        "stakes": {"min": 2, "blinds": [1, 2]},
        "actions": [
            "d dh p1 AsKs", "d dh p2 QhQd", "d dh p3 ????", "d dh p4 ????",
            "p3 f", "p4 f", "p1 cbr 20", "p2 cc", "d db Ah7d3c", "p1 cc", "p2 cc",
            "d db 2h", "p1 cc", "p2 cc", "d db 2c", "p1 cc", "p2 cc", "p1 sm AsKs", "p2 sm QhQd",
        ],
    }  # fmt: skip
    return record | changes


def heads_up() -> dict[str, Any]:
    """Return a hand in which ann's all-in aces hold against bob's kings after the turn."""
    flop = ["d dh p1 AsAh", "d dh p2 KdKc", "p2 cbr 10", "p1 cc", "d db Qs9d4c", "p1 cc", "p2 cc"]
    return history(
        button=1,
        players=[{"name": name} for name in NAMES[:2]],
        stacks=[90, 90],
        actions=[*flop, "d db 5h", "p1 cbr 80", "p2 cc", "d db 2s"],
    )
