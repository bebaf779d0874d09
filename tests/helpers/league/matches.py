"""Matches for the tests: deals that contain the state after the previous deal."""

from typing import Any
from uuid import uuid4

from league.deals.table import Table
from league.models import Hand, Night, Revision
from league.nights import accounts
from league.recording.record import record_hand
from ledger.balances import balances
from tests.helpers.league.leagues import NAMES

CARDS = dict(zip(NAMES, (["As", "Ad"], ["Ks", "Kd"], ["Qs", "Qd"], ["Js", "Jd"]), strict=True))

# No player wins the deal. The worst hand loses a life, and the last player with a life takes the
# pot.
LIVES = """\
name = "Two Lives"
players = [2, 8]
deal = ["ante", "2 down"]
hand = ["2 down"]
shares = ["high"]
match = ["lives 2", "life from worst"]
"""


def guts(*staying: str, paid: int = 5, legs: str = "3", **keys: Any) -> dict[str, Any]:
    """Return a guts deal in which ann has aces, bob kings, cat queens and dan jacks."""
    players = [
        {"name": name, "paid": paid}
        | ({"down": CARDS[name]} if name in staying else {"folded": True})
        for name in NAMES
    ]
    return {
        "variant": "guts",
        "button": 0,
        "options": {"legs": legs},
        "players": players,
    } | keys


def following(night: Night, record: dict[str, Any]) -> dict[str, Any]:
    """Return the record as the next deal of the night's match, if a match is in progress."""
    match = Table(night).match
    return record | match.next_deal_fields(NAMES) if match else record


def deals_on(night: Night, record: dict[str, Any]) -> Hand:
    """Record the next deal of the night's match."""
    return record_hand(night, uuid4(), following(night, record), by=None).hand


def current(hand: Hand) -> Revision:
    return hand.revisions.get(current=True)


def match_before(hand: Hand) -> dict[str, Any]:
    """Return the match state that the hand contains."""
    record = current(hand).record
    return {key: record[key] for key in ("match", "carried") if key in record}


def drift(night: Night) -> int:
    """Return the chips that the night's hands do not explain."""
    return sum(balances(night.league.book, keys=[accounts.drift(night.pk).key]).values())
