"""Benchmark data: leagues with one night each, hands to record, and HTTP requests."""

import json
from random import Random
from typing import Any
from uuid import uuid4

NAMES = ("ann", "bob", "cat", "dan")
EMPTY = "/bench/empty"
EMPTY_WITH_TOKEN = "/bench/empty-with-token"  # noqa: S105 (an address)


def leagues(number: int) -> list[Any]:
    """Create leagues with one night each, at which four players have chips."""
    from league.models import User  # noqa: PLC0415
    from league.nights.buy_ins import buy_in  # noqa: PLC0415
    from league.nights.opening import open_night  # noqa: PLC0415
    from league.people.leagues import add_player, make_league  # noqa: PLC0415

    nights = []
    for place in range(number):
        host = User.objects.create_user(username=f"host{place}")
        league = make_league(host, f"League {place}")
        players = [add_player(league, name) for name in NAMES]
        nights.append(night := open_night(league, players=players))
        for player in players:
            buy_in(night, player, 1_000_000, buy_in_id=uuid4(), by=host)
    return nights


def record(chance: Random) -> dict[str, Any]:
    """Return a Texas Hold'em showdown between four players."""
    from rules.cards import TEXTS  # noqa: PLC0415

    deck = chance.sample(TEXTS[:52], 13)
    rows = [
        {"name": name, "paid": 12, "down": deck[2 * seat : 2 * seat + 2]}
        for seat, name in enumerate(NAMES)
    ]
    return {"variant": "texas-holdem", "button": 3, "players": rows, "board": [deck[8:]]}


_TOKENS: dict[Any, str] = {}


def token(night: Any) -> str:
    """Return a new token for the host."""
    from league.models import Scope  # noqa: PLC0415
    from league.people.api_keys import make_token  # noqa: PLC0415

    if night.league.pk not in _TOKENS:
        host = night.league.created_by
        _TOKENS[night.league.pk] = make_token(night.league, host, "bench", Scope.RECORD)[1]
    return _TOKENS[night.league.pk]


def get(night: Any, address: str) -> str:
    """Return a request for this URL by the night's host."""
    return "\r\n".join([*_head(night, f"GET {address}"), "", ""])


def hand(night: Any, record: dict[str, Any], *, address: str = "") -> str:
    """Return a request that posts a hand, by default to the hand's night."""
    asked = {"id": str(uuid4()), "record": record}
    return _post(night, address or f"/api/v1/nights/{night.pk}/hands", asked)


def batch(night: Any, records: list[dict[str, Any]]) -> str:
    """Return a request that posts several hands."""
    hands = [{"id": str(uuid4()), "record": each} for each in records]
    return _post(night, f"/api/v1/nights/{night.pk}/hands/batch", {"hands": hands})


def _post(night: Any, address: str, asked: dict[str, Any]) -> str:
    body = json.dumps(asked)
    head = [*_head(night, f"POST {address}"), "Content-Type: application/json"]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", body])


def _head(night: Any, what: str) -> list[str]:
    return [f"{what} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token(night)}"]
