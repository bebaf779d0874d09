"""Leagues for the fault tests.

Each league has a night with four players who have chips. The night is either open, or a past night
that began the day before yesterday, has some hands, and closes when its job is due.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

NAMES = ("ann", "bob", "cat", "dan")
CHIPS = 1_000_000
HANDS = 3


def furnish(nights: int, past: int) -> list[list[dict[str, Any]]]:
    """Create the leagues. Return a list with open nights and a list with past nights.

    A running worker sees no past night before its job has been postponed.
    """
    import time_machine  # noqa: PLC0415 (phones that read this file have no Django)
    from django.db import transaction  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    with transaction.atomic():
        now = [_league(0) for _ in range(nights)]
        with time_machine.travel(timezone.now() - timedelta(days=2)):
            before = [_league(HANDS) for _ in range(past)]
    return [now, before]


def listen(port: int, nights: Sequence[str]) -> None:
    """Give every player at these nights an account and a phone that receives notifications."""
    from league.models import Seat, User  # noqa: PLC0415
    from tests.helpers.league.push_service import switched_on  # noqa: PLC0415
    from tests.helpers.league.receiver import Receiver  # noqa: PLC0415

    service = Receiver(port=port)
    for seat in Seat.objects.filter(night__in=nights).select_related("player"):
        seat.player.user = User.objects.create_user(username=uuid4().hex)
        seat.player.save(update_fields=["user"])
        switched_on(seat.player.user, service)


def chat(port: int, night: str) -> None:
    """Add a chat to the night's league."""
    from league.chat.services import add_channel  # noqa: PLC0415
    from league.models import Night  # noqa: PLC0415

    at = f"http://127.0.0.1:{port}/thursdays"
    add_channel(Night.objects.get(pk=night).league, uuid4(), at, by=None)


def _league(hands: int) -> dict[str, Any]:
    from league.models import ClosingJob, League, Scope, UncountedPolicy, User  # noqa: PLC0415
    from league.nights.buy_ins import buy_in  # noqa: PLC0415
    from league.nights.opening import open_night  # noqa: PLC0415
    from league.people.api_keys import make_token  # noqa: PLC0415
    from league.people.leagues import add_player, make_league  # noqa: PLC0415
    from league.recording.record import record_hand  # noqa: PLC0415

    host = User.objects.create_user(username=uuid4().hex)
    league = make_league(host, "Faults")
    League.objects.filter(pk=league.pk).update(uncounted=UncountedPolicy.HANDS)
    players = [add_player(league, name) for name in NAMES]
    night = open_night(league, players=players)
    for player in players:
        buy_in(night, player, CHIPS, buy_in_id=uuid4(), by=host)
    chance = Random(hands)
    for _ in range(hands):
        record_hand(night, uuid4(), record(chance), by=host)
    job = ClosingJob.objects.get(night=night)
    ClosingJob.objects.filter(pk=job.pk).update(due_at=datetime.fromisoformat("2100-01-01T00:00Z"))
    token = make_token(league, host, "faults", Scope.RECORD)[1]
    return {"night": str(night.pk), "job": job.pk, "token": token}


def record(chance: Random) -> dict[str, Any]:
    """Return a Texas Hold'em showdown with unique cards."""
    ranks, suits = "23456789TJQKA", "shdc"
    deck = [rank + suit for rank in ranks for suit in suits]
    drawn = chance.sample(deck, 13)
    rows = [
        {"name": name, "paid": 12, "down": drawn[2 * seat : 2 * seat + 2]}
        for seat, name in enumerate(NAMES)
    ]
    return {"variant": "texas-holdem", "button": 3, "players": rows, "board": [drawn[8:]]}
