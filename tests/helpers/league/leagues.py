"""Leagues, nights and records for the tests."""

from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F

from league.models import BuyIn, League, Night, Player, Seat, User
from league.nights.accounts import PostingKey, stack, tab
from league.nights.opening import open_night
from league.people.leagues import colour_of, make_league
from ledger.models import NewPosting, NewTransfer
from ledger.posting import post_many

NAMES = ("ann", "bob", "cat", "dan")


def a_user(name: str = "host") -> User:
    return User.objects.create_user(username=f"{name}-{uuid4().hex[:8]}", password="a pass word")


def a_league(host: User | None = None) -> League:
    return make_league(host or a_user(), "Tuesday")


@transaction.atomic
def a_night(league: League | None = None, *, chips: int = 100, name: str = "") -> Night:
    """Create a night with ann, bob, cat and dan in this order, each with this many chips.

    The rows are those of `add_player`, `seat` and `buy_in`. Thousands of tests start with this
    night, so it takes one statement for each table, not several for each player.
    """
    league = league or a_league()
    ids: dict[int, UUID] = {}
    while len(ids) < len(NAMES):
        made = uuid4()
        ids.setdefault(colour_of(made), made)
    rows = zip(ids.values(), NAMES, strict=True)
    players = Player.objects.bulk_create(Player(id=pk, league=league, name=n) for pk, n in rows)
    League.objects.filter(pk=league.pk).update(version=F("version") + len(players))
    night = open_night(league, name=name)
    Seat.objects.bulk_create(
        Seat(night=night, player=player, position=place) for place, player in enumerate(players, 1)
    )
    if chips:
        _sell(night, players, chips)
    writes = len(players) * (2 if chips else 1)
    Night.objects.filter(pk=night.pk).update(version=F("version") + writes)
    return night


def _sell(night: Night, players: list[Player], chips: int) -> None:
    """Sell this many chips to each player, on the tab."""
    bought = [BuyIn(id=uuid4(), night=night, player=player, chips=chips) for player in players]
    sold = [
        NewPosting(
            key=PostingKey.BUY_IN.of(row.pk),
            transfers=(NewTransfer(tab(row.player_id), stack(night.pk, row.player_id), chips),),
            memo="buy-in",
        )
        for row in bought
    ]
    for row, posting in zip(bought, post_many(night.league.book, sold), strict=True):
        row.posting = posting
    BuyIn.objects.bulk_create(bought)


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
