"""Leagues, nights and records for the tests, created with the service's own functions."""

from typing import Any
from uuid import uuid4

from league.closing.open import open_night
from league.models import League, Night, Player, User
from league.nights.buy_ins import buy_in
from league.people.leagues import add_player, make_league

NAMES = ("ann", "bob", "cat", "dan")


def a_user(name: str = "host") -> User:
    return User.objects.create_user(username=f"{name}-{uuid4().hex[:8]}", password="a pass word")


def a_league(host: User | None = None) -> League:
    return make_league(host or a_user(), "Tuesday")


def a_night(league: League | None = None, *, chips: int = 100) -> Night:
    """Create a night with ann, bob, cat and dan in this order, each with this many chips."""
    league = league or a_league()
    players = [add_player(league, name) for name in NAMES]
    night = open_night(league, players=players)
    for player in players if chips else ():
        buy_in(night, player, chips, buy_in_id=uuid4(), by=None)
    return night


def player(night: Night, name: str) -> Player:
    return Player.objects.get(league=night.league, name=name)


def holdem(**changes: Any) -> dict[str, Any]:
    """Return a hand in which ann's aces beat bob's kings for 20 chips. bob deals."""
    record: dict[str, Any] = {
        "variant": "texas-holdem",
        "button": 1,
        "players": [
            {"name": "ann", "paid": 10, "down": ["Ac", "Ad"]},
            {"name": "bob", "paid": 10, "down": ["Kc", "Kd"]},
        ],
        "board": [["2h", "7d", "9s", "Jd", "Qc"]],
    }
    return record | changes


def qualifiers(**changes: Any) -> dict[str, Any]:
    """Return a hand in which no player qualifies, so 20 chips are carried over."""
    record: dict[str, Any] = {
        "variant": "qualifiers",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 10, "down": ["Kc", "Kd", "Ts", "9h", "8h"]},
            {"name": "bob", "paid": 10, "down": ["Qc", "Qd", "Js", "9c", "8c"]},
        ],
        "board": [["2h", "3s"]],
    }
    return record | changes
