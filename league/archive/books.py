"""How far the books of a season's file have been played: what was done, and what stands by it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID, uuid4

from league.archive.hands import Settled
from league.archive.reading import Errors, Row, SeasonContent, Values
from league.closing.carried_pots import Pot
from league.hands.findings import Finding
from league.models import Line
from league.nights import accounts
from ledger.posting import AccountRef, Move

Ids = Mapping[str, Mapping[int, UUID]]
Coin = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A posting that is to be made; `undoes` is the place of the one that it reverses."""

    kind: str
    of: int
    key: str
    memo: str
    moves: tuple[Move, ...]
    undoes: int | None = None

    def mirror(self) -> tuple[Move, ...]:
        return tuple(Move(each.credit, each.debit, each.amount) for each in self.moves)


@dataclass(slots=True)
class Done:
    """What has been done so far: the postings, and what stands by them.

    What a closing asks for is kept up with each posting: a file may close a night ten thousand
    times. Sums and shares that are zero are not there.
    """

    made: list[Made] = field(default_factory=list)
    places: dict[tuple[str, int], int] = field(default_factory=dict)
    balances: Counter[str] = field(default_factory=Counter)
    # by night: what a line of a closing adds up, by player and what the line calls it
    sums: dict[int, dict[tuple[int, str], int]] = field(default_factory=dict)
    # night, whose tab it touches beside the play: who handled cash for it, whom a charge names
    beside: set[tuple[int, UUID]] = field(default_factory=set)
    open: set[int] = field(default_factory=set)  # nights that have begun and are not closed
    closed: dict[int, int] = field(default_factory=dict)  # by which closing, by night
    closings: Counter[int] = field(default_factory=Counter)  # how many, by night
    hands: dict[int, int] = field(default_factory=dict)  # which revision stands, by hand
    # places: where a hand was first dealt; by night and player where chips were cashed, the last
    # one last; which of these were a mistake
    dealt: dict[int, int] = field(default_factory=dict)
    cashed_out: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    cashed_by_mistake: set[int] = field(default_factory=set)
    findings: dict[int, list[Finding]] = field(default_factory=dict)  # by revision
    before: UUID = field(default_factory=uuid4)  # for the nights that left pots and are not here
    # pots: by night the hands that stand and left some, with the last of them where it is known
    carrying: dict[int, dict[int, int]] = field(default_factory=dict)
    last_carrying: dict[int, int | None] = field(default_factory=dict)
    # closed nights whose pots wait for a night to open
    keeping: set[int] = field(default_factory=set)
    # what each one had of the pots that a night opened with, and of those that it handed on
    opened_with: dict[int, Counter[UUID]] = field(default_factory=dict)
    handed_on: dict[int, Counter[UUID]] = field(default_factory=dict)
    in_pots: set[tuple[int, UUID]] = field(default_factory=set)  # night, who may win one of these
    # lines as their closings found them, by line of the file; what the last of a night settles
    lines: dict[int, Line] = field(default_factory=dict)
    settles: dict[int, dict[UUID, int]] = field(default_factory=dict)
    # what no plan has evened out, by what a chip is worth
    unplanned: dict[Coin, Counter[UUID]] = field(default_factory=dict)
    plans: set[int] = field(default_factory=set)
    # what the two had lost and won, by planned payment; what has come of it
    stakes: dict[int, tuple[int, int]] = field(default_factory=dict)
    paid: Counter[int] = field(default_factory=Counter)

    def add(self, night: int, player: int, name: str, chips: int) -> None:
        """Add to a sum of a player at a night."""
        sums = self.sums.setdefault(night, {})
        sums[player, name] = sums.get((player, name), 0) + chips
        if not sums[player, name]:
            del sums[player, name]

    def has_cashed_out(self, night: int, player: int, *, since: int) -> bool:
        """Tell whether the player has cashed out after this place, and it was no mistake."""
        places = self.cashed_out.get((night, player), [])
        while places and places[-1] in self.cashed_by_mistake:
            places.pop()
        return bool(places) and places[-1] > since

    def sum_of(self, night: int, player: int, name: str) -> int:
        return self.sums.get(night, {}).get((player, name), 0)


class Impossible(Exception):
    """This could not have been done then."""

    def __init__(self, text: str, where: str = "of") -> None:
        self.text, self.where = text, where
        super().__init__(text)


@dataclass(frozen=True)
class Playing:
    """What is played, and how far."""

    content: SeasonContent
    ids: Ids
    settled: Mapping[int, Settled]
    errors: Errors
    done: Done = field(default_factory=Done)

    def player(self, number: int) -> UUID:
        return self.ids["Player"][number]

    def night(self, number: int) -> UUID:
        return self.ids["Night"][number]

    def stack(self, row: Row) -> AccountRef:
        return accounts.stack(self.night(row["night"]), self.player(row["player"]))

    def pots(self, content: Iterable[Values]) -> list[Pot]:
        """Return pots as a row tells them."""
        return [Pot(each["amount"], tuple(map(self.player, each["for"]))) for each in content]

    @cached_property
    def lines(self) -> Mapping[int | None, list[Row]]:
        return self.content.grouped("Line", "closing")

    @cached_property
    def shares(self) -> Mapping[int | None, list[Row]]:
        return self.content.grouped("ChargeShare", "charge")

    @cached_property
    def planned(self) -> Mapping[int | None, list[Row]]:
        return self.content.grouped("PlannedPayment", "plan")

    @cached_property
    def plan_of(self) -> Mapping[int, Row]:
        """The plan of each closing that has one."""
        return {row["closing"]: row for row in self.content.of("Plan") if row["closing"]}

    @cached_property
    def plans_after(self) -> Mapping[int | None, list[Row]]:
        """The plans of the season, by the closing after which they were made."""
        return plans_after(self.content)

    @cached_property
    def seated(self) -> set[tuple[int, int]]:
        """Who has sat at which night: (night, player)."""
        return {(row["night"], row["player"]) for row in self.content.of("Seat")}

    @cached_property
    def counted(self) -> set[tuple[int, int, int]]:
        """What was counted: (night, player, chips)."""
        rows = self.content.of("Count")
        return {(row["night"], row["player"], row["chips"]) for row in rows}


def plans_after(content: SeasonContent) -> dict[int | None, list[Row]]:
    """Return the plans that are of no closing, by the closing after which they were made."""
    found: dict[int | None, list[Row]] = {}
    for row in content.of("Plan"):
        if not row["closing"]:
            found.setdefault(row["after"], []).append(row)
    return found
