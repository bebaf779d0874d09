"""The books while a season file is played through: what was done so far, and what holds then."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID, uuid4

from league.archive.reading import Errors, Row, SeasonContent, Values
from league.closing.carried_pots import Pot
from league.hands.findings import Finding
from league.hands.validation import Verdict
from league.models import ClosingLine
from league.nights import accounts
from ledger.posting import AccountRef, Move

Ids = Mapping[str, Mapping[int, UUID]]
Coin = tuple[int, str]


class BookkeepingError(Exception):
    """A posting was not possible at its place in the file."""

    def __init__(self, text: str, where: str = "of") -> None:
        self.text, self.where = text, where
        super().__init__(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPosting:
    """A posting to make. `undoes` is the place of the posting that it reverses."""

    kind: str
    of: int
    key: str
    memo: str
    moves: tuple[Move, ...]
    undoes: int | None = None


@dataclass(slots=True)
class Done:
    """The postings so far, and what holds after them.

    Every figure that a closing needs is updated with each posting, since a file may close a night
    thousands of times. Sums and shares of zero are left out.
    """

    postings: list[PlayedPosting] = field(default_factory=list)
    places: dict[tuple[str, int], int] = field(default_factory=dict)  # by kind and subject
    balances: Counter[str] = field(default_factory=Counter)
    # by night: the sums of a closing's line, by player and column
    sums: dict[int, dict[tuple[int, str], int]] = field(default_factory=dict)
    # (night, player) of bankers and of players that a charge names
    beside: set[tuple[int, UUID]] = field(default_factory=set)
    open: set[int] = field(default_factory=set)  # nights that have begun and are not closed
    closed: dict[int, int] = field(default_factory=dict)  # the closing by night
    closings: Counter[int] = field(default_factory=Counter)  # how many, by night
    hands: dict[int, int] = field(default_factory=dict)  # the revision that counts, by hand
    # places of postings: the first of each hand; the cash-outs by night and player in their order;
    # the cash-outs that were mistakes
    dealt: dict[int, int] = field(default_factory=dict)
    cashed_out: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    cashed_by_mistake: set[int] = field(default_factory=set)
    findings: dict[int, list[Finding]] = field(default_factory=dict)  # by revision
    before: UUID = field(default_factory=uuid4)  # represents nights that are not in the file
    # by night: revisions, by hand, that left a pot; the last of them where it is known
    carrying: dict[int, dict[int, int]] = field(default_factory=dict)
    last_carrying: dict[int, int | None] = field(default_factory=dict)
    keeping: set[int] = field(default_factory=set)  # closed nights whose pots wait for a night
    # by night: shares of the pots that it opened with, and of those that it handed on
    opened_with: dict[int, Counter[UUID]] = field(default_factory=dict)
    handed_on: dict[int, Counter[UUID]] = field(default_factory=dict)
    in_pots: set[tuple[int, UUID]] = field(default_factory=set)  # (night, player) of such pots
    lines: dict[int, ClosingLine] = field(default_factory=dict)  # by line of the file
    settles: dict[int, dict[UUID, int]] = field(default_factory=dict)  # by night, last closing
    unplanned: dict[Coin, Counter[UUID]] = field(default_factory=dict)  # open chips in no plan yet
    plans: set[int] = field(default_factory=set)
    stakes: dict[int, tuple[int, int]] = field(default_factory=dict)  # (lost, won) by payment
    paid: Counter[int] = field(default_factory=Counter)  # by planned payment

    def add(self, night: int, player: int, name: str, chips: int) -> None:
        """Add to a sum of a player at a night."""
        sums = self.sums.setdefault(night, {})
        sums[player, name] = sums.get((player, name), 0) + chips
        if not sums[player, name]:
            del sums[player, name]


@dataclass(frozen=True)
class Playing:
    """A season file with the new ids of its rows, the verdicts on its hands, and what was done."""

    content: SeasonContent
    ids: Ids
    settled: Mapping[int, Verdict]
    errors: Errors
    done: Done = field(default_factory=Done)

    def player(self, number: int) -> UUID:
        return self.ids["Player"][number]

    def night(self, number: int) -> UUID:
        return self.ids["Night"][number]

    def night_of(self, revision: Row) -> int:
        return int(self.content.row("Hand", revision["hand"])["night"])

    def stack(self, row: Row) -> AccountRef:
        return accounts.stack(self.night(row["night"]), self.player(row["player"]))

    def pots(self, stored: Iterable[Values]) -> list[Pot]:
        """Return the pots of a row."""
        return [Pot(each["amount"], tuple(map(self.player, each["for"]))) for each in stored]

    @cached_property
    def season(self) -> UUID:
        [season] = self.content.of("Season")
        return self.ids["Season"][season.number]

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
        found: dict[int | None, list[Row]] = {}
        for row in self.content.of("Plan"):
            if not row["closing"]:
                found.setdefault(row["after"], []).append(row)
        return found

    @cached_property
    def seated(self) -> set[tuple[int, int]]:
        """(night, player) of all seats."""
        return {(row["night"], row["player"]) for row in self.content.of("Seat")}

    @cached_property
    def counted(self) -> set[tuple[int, int, int]]:
        """(night, player, chips) of all counts."""
        rows = self.content.of("Count")
        return {(row["night"], row["player"], row["chips"]) for row in rows}
