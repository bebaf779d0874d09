"""Settle dealer's choice poker hands: who wins which chips, and why.

    from rules import settle
    answer = settle({"variant": "texas-holdem", "button": 0, "players": [...]})

`settle` takes a record and returns an answer, both plain JSON. Games are documents in `catalog`.
"""

from rules.api import HandsError, Problem, evaluate, problems, rename_players, settle, settle_many

__all__ = [
    "HandsError",
    "Problem",
    "evaluate",
    "problems",
    "rename_players",
    "settle",
    "settle_many",
]
