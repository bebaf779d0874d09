"""Who wins what in a dealer's choice poker hand, and why.

    from rules import settle
    answer = settle({"variant": "texas-holdem", "button": 0, "players": [...]})

A record goes in, an answer comes out; both are plain JSON. Games are documents, see `catalog`.
"""

from rules.record import Problem
from rules.settle import find_problems as problems
from rules.settle import settle, settle_many

__all__ = ["Problem", "problems", "settle", "settle_many"]
