"""The sums that are kept, as data: which tables there are, and how each follows from the facts."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Model

from league.models import (
    AllInTally,
    BettingTally,
    CallTally,
    ChoiceTally,
    DealerTally,
    DeclareTally,
    FlowTally,
    LuckTally,
    NightTally,
    PlayerTally,
    SeatTally,
)


@dataclass(frozen=True)
class Sum:
    """A table of sums: its key after season and verified, its columns after hands.

    Each column has the SQL by which it follows from facts f and their results r, for the check;
    there is none for what is kept as JSON.
    """

    model: type[Model]
    keys: tuple[str, ...]
    sources: tuple[tuple[str, str], ...]
    of_results: bool = True  # a row of r for each hand and player, or f alone
    only: str = "NOT f.voided"

    @cached_property
    def table(self) -> str:
        return str(self.model._meta.db_table)  # noqa: SLF001 (made to be read)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.sources)

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        return ("season_id", "verified", *self.keys)

    @cached_property
    def all_columns(self) -> tuple[str, ...]:
        return (*self.key_columns, "hands", *self.columns)


def _sum(column: str) -> str:
    return f"sum({column})"


def _count(condition: str) -> str:
    return f"count(*) FILTER (WHERE {condition})"


PLAYERS = Sum(
    PlayerTally,
    ("player_id", "game"),
    (
        ("net", _sum("r.net")),
        ("put", _sum("r.put")),
        ("won", _sum("r.won")),
        ("showdowns", _count("r.showdown")),
        ("showdowns_won", _count("r.showdown AND r.won > 0")),
        ("highs", _count("r.won_high IS NOT NULL")),
        ("highs_won", _count("r.won_high")),
        ("lows", _count("r.won_low IS NOT NULL")),
        ("lows_won", _count("r.won_low")),
        ("splits", _count("r.scooped IS NOT NULL")),
        ("scoops", _count("r.scooped")),
        ("mistakes", _count("r.moved <> 0")),
        ("moved", _sum("r.moved")),
    ),
)
DECLARES = Sum(
    DeclareTally,
    ("player_id", "way"),
    (("times_right", _count("r.was_right")), ("net", _sum("r.net"))),
    only="NOT f.voided AND r.declared <> ''",
)
CALLS = Sum(CallTally, ("dealer_id", "game", "player_id"), (("net", _sum("r.net")),))
DEALERS = Sum(
    DealerTally,
    ("dealer_id", "game"),
    (
        ("pot", _sum("f.pot")),
        ("carried", _sum("f.carried")),
        ("carry", _sum("f.carry")),
        ("carries", _count("f.carry > 0")),
        ("showdowns", _count("f.showdown")),
        ("mistakes", _count("f.mistaken")),
        ("moved", _sum("f.moved")),
    ),
    of_results=False,
)
BETTING = Sum(
    BettingTally,
    ("player_id", "game", "position"),
    (
        ("choices", _count("r.entered IS NOT NULL")),
        ("entered", _count("r.entered")),
        ("raised", _count("r.raised")),
        ("three_bet_choices", _count("r.three_bet IS NOT NULL")),
        ("three_bets", _count("r.three_bet")),
        ("saw_second", _count("r.saw_second")),
        ("stayed", _count("r.stayed")),
        ("stayed_won", _count("r.stayed AND r.won > 0")),
        ("bets", _sum("r.bets")),
        ("calls", _sum("r.calls")),
    ),
    only="NOT f.voided AND r.bets IS NOT NULL",
)
SEATS = Sum(SeatTally, ("player_id", "position"), (("net", _sum("r.net")),))
FLOWS = Sum(FlowTally, ("loser_id", "winner_id"), (("chips", ""),))
NIGHTS = Sum(NightTally, ("night_id", "player_id"), (("net", _sum("r.net")),))
LUCK = Sum(
    LuckTally,
    ("player_id",),
    (("won", ""), ("expected", ""), ("variance", "")),
)
ALL_INS = Sum(
    AllInTally,
    ("night_id", "player_id"),
    (("won", ""), ("adjusted", ""), ("exact", "")),
)
CHOICES = Sum(ChoiceTally, ("night_id", "player_id", "game", "choice"), (("net", "sum(f.net)"),))
SUMS = (
    PLAYERS,
    DECLARES,
    BETTING,
    CALLS,
    DEALERS,
    SEATS,
    FLOWS,
    NIGHTS,
    LUCK,
    ALL_INS,
    CHOICES,
)
