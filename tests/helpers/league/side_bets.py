"""Hands that win a side bet, and the side bets offered for them."""

from typing import Any
from uuid import uuid4

from league.charges.charging import charge
from league.charges.side_bets import SideBet, charges_of, of_night
from league.closing.payment_plans import settle_season
from league.models import Charge, Night
from league.nights.buy_ins import buy_in
from league.nights.nights import hands
from league.nights.opening import open_night
from league.stats.count import count_marked
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import again, chosen, closed, dealt


def with_seven_deuce() -> dict[str, Any]:
    """Return a hand that ann wins with 7-2 against bob's kings. dan folded."""
    record = holdem(board=[["7h", "7d", "2c", "Js", "Qc"]])
    record["players"][0]["down"] = ["7s", "2d"]
    record["players"].append({"name": "dan", "paid": 0, "folded": True})
    return record


def bad_beat() -> dict[str, Any]:
    """Return a hand in which ann loses with four eights against four kings."""
    record = holdem(board=[["8h", "8c", "Kh", "Kd", "2d"]])
    record["players"][0]["down"] = ["8s", "8d"]
    record["players"][1]["down"] = ["Ks", "Kc"]
    return record


def everyone_folds_to(winner: str, names: str = "ann bob cat dan") -> dict[str, Any]:
    """Return a hand in which the winner takes the ones of the others. The first player deals."""
    players = [
        {"name": name, "paid": 1} | ({} if name == winner else {"folded": True})
        for name in names.split()
    ]
    return {"variant": "texas-holdem", "button": 0, "players": players}


def bets(night: Night) -> list[SideBet]:
    return of_night(night, hands(night), charges_of(night))


def confirm(night: Night, bet: SideBet) -> Charge:
    return charge(night, bet.new_charge, charge_id=bet.id, by=None)


def a_season_with(*records: dict[str, Any], chips: int = 10) -> tuple[Night, Night]:
    """Create two nights in a league whose fund pays the high hand; the first has these hands."""
    first = a_night()
    cat = player(first, "cat")
    first = chosen(first, season_high_hand=chips, fund_each=3, fund_keeper=cat)
    for record in records:
        dealt(first, record)
    confirm(first, next(each for each in bets(first) if each.new_charge.kind == Charge.Kind.FUND))
    closed(first)
    last = open_night(first.league, night_id=uuid4(), players=[cat, player(first, "ann")])
    buy_in(last, cat, 10, buy_in_id=uuid4(), by=None)
    return first, last


def ended(night: Night) -> Night:
    """Close the night and end its season, with counted stats."""
    closed(night)
    settle_season(night.season, uuid4(), by=None, end=True)
    while count_marked(night.league.pk):
        pass
    return again(night)
