"""The expected state: every player's chips, derived only from the requests.

Each request states its effect on the model, and each hand its chips (`deals.py`). Only nights are
changed in place, so copies are cheap.
"""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from league.models.payments import ONE_ACT
from tests.simulation.beginning import BOX, NAMES, SETTINGS
from tests.simulation.deals import Chips, Deal, evenly

BEARER = "ann"  # receives surplus chips from a chip count and pays for missing ones


@dataclass(frozen=True)
class Hand:
    """A hand's current deal and its number of records. A voided hand moves no chips.

    An imported hand's first record sends no notification.
    """

    deal: Deal
    dealt: datetime
    revisions: int = 1
    voided: bool = False
    is_old: bool = False

    def revised(self, deal: Deal) -> "Hand":
        return replace(self, deal=deal, voided=False, revisions=self.revisions + 1)

    def taken_back(self) -> "Hand":
        return self if self.voided else replace(self, voided=True, revisions=self.revisions + 1)


@dataclass(frozen=True)
class Exchange:
    """Chips that a player bought or, negative, returned."""

    player: str
    chips: int
    at: datetime


@dataclass(frozen=True)
class Seat:
    """A player's seat. `leaving` is when the player's notice is over."""

    leaving: datetime | None = None
    left: datetime | None = None


@dataclass
class Night:
    """A night: seats, exchanges of chips, hands in order, and chip counts with their times.

    A closed night has the stacks taken `home` and the number of `missing` chips. Its first closing
    is `quiet` if neither a hand nor chips moved before it. Chats get no post for it, unless it has
    a charge. `at_start` are the ids of the buy-ins with which the night was started. A `cancelled`
    night has no decision about uncounted chips, so a restored hand reopens it.
    """

    started: datetime
    seats: dict[str, Seat] = field(default_factory=lambda: dict.fromkeys(NAMES, Seat()))
    exchanges: dict[str, Exchange] = field(default_factory=dict)
    hands: dict[str, Hand] = field(default_factory=dict)
    counts: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    home: Chips | None = None
    missing: int = 0
    closings: int = 0
    quiet: bool = False
    at_start: tuple[str, ...] = ()
    cancelled: bool = False

    @property
    def closed(self) -> bool:
        return self.home is not None

    @property
    def played(self) -> list[Hand]:
        return [hand for hand in self.hands.values() if not hand.voided]

    def copy(self) -> "Night":
        return replace(
            self,
            seats=dict(self.seats),
            exchanges=dict(self.exchanges),
            hands=dict(self.hands),
            counts=dict(self.counts),
        )

    def bought(self) -> Counter[str]:
        """Return the chips bought minus the chips returned."""
        chips: Counter[str] = Counter()
        for each in self.exchanges.values():
            chips[each.player] += each.chips
        return chips

    def stacks(self) -> Counter[str]:
        chips = self.bought()
        for hand in self.played:
            chips.update(hand.deal.net)
        return chips

    def carry(self) -> int:
        """Return the chips left for the next hand. A hand can't take more than there are."""
        chips = 0
        for hand in self.played:
            chips = max(0, chips - hand.deal.carried) + hand.deal.carry
        return chips

    def drift(self) -> int:
        """Return the chips that are neither in a stack nor carried."""
        return sum(self.bought().values()) - sum(self.stacks().values()) - self.carry()

    def close(self) -> None:
        """Close the night. A carried pot goes back to the players of the last hand that left one.

        Chip counts taken after the player's last hand and cash-out are kept. A player who cashed
        out and left has only this part of the pot.
        """
        stacks, back = self.stacks(), self._back()
        expected = {name: stacks[name] + back[name] for name in self.seats}
        known = {name: back[name] for name in self.seats if self._is_gone(name)}
        for name, (chips, at) in self.counts.items():
            moved = [hand.dealt for hand in self.played if name in hand.deal.net]
            gone = [each for each in self.exchanges.values() if each.chips < 0]
            moved += [each.at for each in gone if each.player == name]
            if not moved or at >= max(moved):
                known[name] = chips
        off = sum(chips - expected[name] for name, chips in known.items())
        self.missing = self.drift() - off
        if not self.closings:
            counted = any(chips for chips, _at in self.counts.values())
            self.quiet = not (self.played or self.exchanges or counted)
        home = Counter({**expected, **known})
        home[BEARER] += self.missing
        self.home, self.closings = dict(home), self.closings + 1

    def _back(self) -> Counter[str]:
        left = [hand.deal.live for hand in self.played if hand.deal.carry]
        chips = self.carry()
        if not chips:
            return Counter()
        return Counter(dict(zip(left[-1], evenly(chips, left[-1]), strict=True)))

    def _is_gone(self, name: str) -> bool:
        times = {
            sign: [
                each.at
                for each in self.exchanges.values()
                if each.player == name and each.chips * sign > 0
            ]
            for sign in (1, -1)
        }
        if self.seats[name].left is None or not times[-1]:
            return False
        return not times[1] or max(times[-1]) >= max(times[1])

    def reopen(self) -> None:
        self.home, self.cancelled = None, False

    def settle_anew(self, open_nights: AbstractSet[str], key: str) -> None:
        """Close again after a correction, or reopen for the host if the count no longer fits.

        `open_nights` shows which of the two the service did. If the chip count fits, it must close.
        """
        if not self.closed:
            return
        before, closings = self.missing, self.closings
        self.close()
        fits = self.missing == before
        if key in open_nights and (self.counts or self.cancelled or not fits):
            self.closings = closings
            self.reopen()


@dataclass(frozen=True)
class Payment:
    """A reported payment. It moves chips only while it is confirmed.

    `received` is when bob, who is a player, confirmed it. `promised` is whether bob promised it,
    and when, or None if it was marked as received without a promise. `before` is its state before
    it was confirmed.
    """

    payer: str
    payee: str
    chips: int
    state: str = "promised"
    received: datetime | None = None
    promised: tuple[bool, datetime] | None = None
    before: str = ""

    def confirmed(self, now: datetime, *, by_bob: bool) -> "Payment":
        """Return the confirmed payment. A promise right before, by the same user, is no promise."""
        promised = self.promised
        if self.state == "promised" and promised and promised[0] == by_bob:
            promised = promised if now >= promised[1] + ONE_ACT else None
        received = now if by_bob else None
        return replace(
            self, state="confirmed", received=received, promised=promised, before=self.state
        )


@dataclass(frozen=True)
class Objection:
    """A player's objection to a hand that had this number of revisions. "" means no answer."""

    hand: str
    player: str
    revisions: int
    answer: str = ""

    def is_open_by(self, hand: str, player: str) -> bool:
        return (self.hand, self.player, self.answer) == (hand, player, "")


@dataclass(frozen=True)
class Bet:
    """A side bet that a hand with this number of revisions decided, and the players' nets."""

    kind: str
    night: str
    hand: str
    revisions: int
    nets: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Answer:
    """A person's answer to a planned night and its time. `first` orders equal times."""

    says: str
    since: datetime
    first: int


@dataclass
class Model:
    """All nights by id, moves between tabs, payments, and the keys of finished requests.

    `cash` contains the players and chips of buy-ins paid in cash and, negative, of cash-outs paid
    from the cash box. `rows` are the ids of all rows that are written once, and `undone` are the
    ids of undone rows. `answers` belong to planned nights. `entered` and `out` contain tournament
    players. `bets` are the confirmed side bets by the ids of their charges, `rules` the versions of
    the house rules by topic, and `settings` the league's.
    """

    nights: dict[str, Night] = field(default_factory=dict)
    tabs: Counter[str] = field(default_factory=Counter)
    payments: dict[str, Payment] = field(default_factory=dict)
    cash: dict[str, tuple[str, int]] = field(default_factory=dict)
    objections: dict[str, Objection] = field(default_factory=dict)
    answers: dict[str, dict[str, Answer]] = field(default_factory=dict)
    entered: dict[str, tuple[str, ...]] = field(default_factory=dict)
    out: set[tuple[str, str]] = field(default_factory=set)
    bets: dict[str, Bet] = field(default_factory=dict)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=lambda: dict(SETTINGS))
    undone: set[str] = field(default_factory=set)
    rows: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)

    def copy(self) -> "Model":
        return Model(
            {key: night.copy() for key, night in self.nights.items()},
            Counter(self.tabs),
            dict(self.payments),
            dict(self.cash),
            dict(self.objections),
            {key: dict(said) for key, said in self.answers.items()},
            dict(self.entered),
            set(self.out),
            dict(self.bets),
            dict(self.rules),
            dict(self.settings),
            set(self.undone),
            set(self.rows),
            set(self.done),
        )

    def accounts(self) -> Chips:
        """Return the chips in every account that is not empty: tabs and stacks in play."""
        chips_by_account = Counter({f"tab:{player}": chips for player, chips in self.tabs.items()})
        for payment in self.payments.values():
            if payment.state == "confirmed":
                chips_by_account[f"tab:{payment.payer}"] += payment.chips
                chips_by_account[f"tab:{payment.payee}"] -= payment.chips
        for player, chips in self.cash.values():
            chips_by_account.update({f"tab:{player}": chips, f"tab:{BOX}": -chips})
        for key, night in self.nights.items():
            chips_by_account.subtract(
                {f"tab:{player}": chips for player, chips in night.bought().items()}
            )
            if night.home is None:
                chips_by_account.update(
                    {f"carry:{key}": night.carry(), f"drift:{key}": night.drift()}
                )
                chips_by_account.update(
                    {f"stack:{key}:{name}": n for name, n in night.stacks().items()}
                )
            else:
                chips_by_account.update(
                    {f"tab:{name}": chips for name, chips in night.home.items()}
                )
        return {key: chips for key, chips in sorted(chips_by_account.items()) if chips}

    def in_box(self) -> int:
        """Return the cash in the cash box, in chips."""
        return -self.accounts().get(f"tab:{BOX}", 0)

    def hands(self) -> dict[str, tuple[int, bool]]:
        """Return each hand's number of revisions and whether it is voided."""
        return {
            key: (hand.revisions, hand.voided)
            for night in self.nights.values()
            for key, hand in night.hands.items()
        }

    def news(self) -> int:
        """Return how many notifications are due for hands."""
        hands = [hand for night in self.nights.values() for hand in night.hands.values()]
        return sum(hand.revisions - hand.is_old for hand in hands)

    def open_nights(self) -> set[str]:
        return {key for key, night in self.nights.items() if not night.closed}

    def seats(self) -> set[tuple[str, str, datetime | None, datetime | None]]:
        """Return each seat with the times when the player is leaving and when the player left."""
        return {
            (key, name, seat.leaving, seat.left)
            for key, night in self.nights.items()
            for name, seat in night.seats.items()
        }

    def answered_objections(self) -> dict[str, str]:
        """Return each objection's answer."""
        return {key: objection.answer for key, objection in self.objections.items()}

    def given_answers(self) -> set[tuple[str, str, str]]:
        """Return the answers to each planned night."""
        return {
            (key, name, answer.says)
            for key, said in self.answers.items()
            for name, answer in said.items()
        }

    def seated(self, planned: str, seats: int) -> list[str]:
        """Return the players with a seat at the planned night: the first ones who accepted."""
        answers = self.answers[planned].items()
        coming = [(each.since, each.first, name) for name, each in answers if each.says == "yes"]
        return [name for *_, name in sorted(coming)[:seats]]
