"""Complete nights for the tests: counts, closings and payments."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from league.closing.chip_count import count, tally
from league.closing.close import Decisions, close_night
from league.models import Closing, Hand, League, Night, PlannedPayment, Player, User
from league.nights import accounts
from league.options import choose, options_of
from league.recording.record import record_hand
from ledger.balances import balances
from tests.helpers.league.leagues import a_night, holdem, player


def counted(night: Night, **chips: int | None) -> None:
    """Count these players' chips as given, and the others' as expected from their hands."""
    for line in (each for each in tally(night).lines if each.position):
        response = chips.get(line.name, line.expected)
        count(night, Player.objects.get(pk=line.player), response, count_id=uuid4(), by=None)


def closed(night: Night, *, by: User | None = None, bears: str = "", **chips: int) -> Closing:
    """Count all players and close the night."""
    counted(night, **chips)
    bearing = [player(night, name).pk for name in bears.split()]
    return close_night(night, uuid4(), by=by, decisions=Decisions(shared_by=bearing))


def dealt(night: Night, record: dict[str, Any] | None = None) -> Hand:
    """Record a hand. By default, ann wins 10 from bob."""
    return record_hand(night, uuid4(), record or holdem(), by=None).hand


def chosen(night: Night, **options: Any) -> Night:
    """Return the night after changing its league's settings."""
    choose(night.league, replace(options_of(night.league), **options))
    return again(night)


def again(night: Night) -> Night:
    return Night.objects.select_related("season__league__book").get(pk=night.pk)


def nets(closing: Closing) -> dict[str, int]:
    return {line.player.name: line.net for line in closing.lines.select_related("player")}


def planned(closing: Closing) -> list[str]:
    """Return the plan as sentences: "bob pays ann 10"."""
    rows = PlannedPayment.objects.filter(plan__closing=closing).select_related("payer", "payee")
    return [str(each) for each in rows.order_by("position")]


def tabs(league: League) -> dict[str, int]:
    """Return the tab balances that are not zero, by player name."""
    held = balances(league.book, kind="tab", nonzero=True)
    names = {accounts.tab(each.pk).key: each.name for each in league.players.all()}
    return {names[key]: chips for key, chips in held.items()}


def ids(night: Night, *names: str) -> list[UUID]:
    return [player(night, name).pk for name in names]


def a_table(**options: Any) -> Night:
    """Create a night with four players and 100 chips each, in a league with these settings."""
    return chosen(a_night(), **options)
