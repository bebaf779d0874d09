"""Play a hand to its end and collect the data for its text: actions, shown cards, winners."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.cards import UNSEEN
from rules.errors import Problem
from rules.history import Table, act, begin
from rules.history.actions import DEALER, Action, read_action
from rules.history.betting_round import by_position
from rules.history.replay import problem_of, record_at_end
from rules.history.table import board_rows
from rules.settlement import reading
from rules.settlement.settle import settle_hands

Record = Mapping[str, Any]
ALLOWED = frozenset(("cards-missing", "cards-unknown"))
FOLDED = ("folded before Flop", "folded on the Flop", "folded on the Turn", "folded on the River")
STREET = {0: 0, 3: 1, 4: 2, 5: 3}


@dataclass(frozen=True, slots=True)
class Step:
    """A player's action as words with placeholders for the chips, and the board before it."""

    seat: int
    line: str
    chips: tuple[int, ...]
    board: tuple[int, ...]


@dataclass(slots=True)
class PlayedHand:
    """A hand at its end, with the steps that led there."""

    steps: list[Step] = field(default_factory=list)
    board: tuple[int, ...] = ()
    folded: list[int | None] = field(default_factory=list)  # the street on which each player folded
    bet: list[bool] = field(default_factory=list)  # whether each player put in more than the ante
    known: list[tuple[int, ...]] = field(default_factory=list)  # the known cards in each hand
    shown: list[tuple[int, ...]] = field(default_factory=list)
    # the remaining players, in the order in which they show
    order: list[int] = field(default_factory=list)
    showdown: bool = False
    answer: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def won(self) -> dict[str, int]:
        chips: dict[str, int] = self.answer["won"]
        return chips

    @property
    def returned(self) -> dict[str, int]:
        return {name: chips for name, chips in self.answer["returned"].items() if chips}

    @property
    def pots(self) -> list[int]:
        return [pot["amount"] for pot in self.answer["pots"]]

    @property
    def results(self) -> list[dict[str, Any]]:
        """The answer to each run, or the only answer."""
        runs: list[dict[str, Any]] = self.answer.get("runs") or [self.answer]
        return runs

    @staticmethod
    def collected(result: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
        """Yield each winner, the chips won and the pot, the last side pot first."""
        pots = [pot for pot in result["pots"] if pot["amount"]]
        for at in reversed(range(len(pots))):
            side = "side pot" if len(pots) == 2 else f"side pot-{at}"
            called = "pot" if len(pots) == 1 else side if at else "main pot"
            won: dict[str, int] = {}
            for share in pots[at]["shares"]:
                for name, chips in share["winners"].items():
                    won[name] = won.get(name, 0) + chips
            for name, chips in won.items():
                yield name, chips, called

    @staticmethod
    def hand_name(result: Mapping[str, Any], name: str) -> str:
        """Name a player's hand, for high and low if both count."""
        held = result.get("hands", {}).get(name, {})
        names = [each["name"] for each in held.values()]
        if len(names) > 1:
            return "; ".join(
                f"{way} {each}" for way, each in zip(("HI:", "LO:"), names, strict=False)
            )
        return names[0] if names else "the only hand shown"

    def add_action(self, table: Table, action: Action, before: "_TableBefore") -> None:
        at, seat = action.seat, table.seats[action.seat]
        paid, bet, _ = before.bets[at]
        moved = seat.paid - paid
        end = " and is all-in" if moved and not seat.stack else ""
        line = ""
        amounts: tuple[int, ...] = (moved,)
        match action.verb:
            case "f":
                line = "folds"
                self.folded[at] = STREET.get(len(before.board), 0)
            case "cc" if moved:
                line = "calls {}"
            case "cc" if at != before.alone:
                line = "checks"
            case "cbr" if bet + moved <= before.high:
                line = "calls {}"
            case "cbr" if before.high:
                line, amounts = "raises {} to {}", (bet + moved - before.high, bet + moved)
            case "cbr":
                line = "bets {}"
        if action.verb in {"blind", "straddle", "post"} or (moved and line):
            self.bet[at] = True
        if line:
            self.steps.append(Step(at, line + end, amounts, before.board))

    def finish(self, table: Table, record: Record, mucking: list[int]) -> None:
        self.board = _board(table)
        final, self.problems = record_at_end(table, record)
        if final is None or self.problems:
            return
        read_hand, self.problems = reading.read(final)
        if read_hand is None or self.problems:
            return
        self.answer = next(settle_hands([read_hand], brief=False))
        if UNSEEN in self.board:
            self.problems = [Problem("board", "unknown-card", "a card of the board is unknown")]
            return
        # blinds that are part of the stakes also count as bets
        for at, seat in enumerate(table.seats):
            self.bet[at] = self.bet[at] or (
                not table.own_blinds and bool(by_position(table.order, table.stakes.blinds).get(at))
            )
            self.known.append(() if UNSEEN in seat.down else tuple(seat.down))
        mucked = [bool(player.get("mucked")) for player in final["players"]]
        live = [at for at in table.order if table.seats[at].live]
        self.order = [at for at in dict.fromkeys(mucking) if at in live]
        self.order += [at for at in live if at not in self.order]
        self.showdown = len(live) > 1
        self.shown = [
            self.known[at] if seat.live and not mucked[at] and (self.showdown or seat.shown) else ()
            for at, seat in enumerate(table.seats)
        ]


def played(record: Record) -> PlayedHand:
    """Return the played hand of a record with stacks, and the errors that prevent its export."""
    table, problems = begin(record)
    if table is None:
        return PlayedHand(problems=problems)
    hand = PlayedHand(folded=[None] * len(table.seats), bet=[False] * len(table.seats))
    mucking: list[int] = []
    for text in record["actions"]:
        action = read_action(text)
        if isinstance(action, Action) and action.seat != DEALER and action.verb:
            before = _TableBefore(table)
            act(table, text)
            if action.verb == "sm":
                mucking.append(action.seat)
            else:
                hand.add_action(table, action, before)
        else:
            act(table, text)
    hand.problems = [
        problem_of(irregularity)
        for irregularity in table.irregularities
        if irregularity.code not in ALLOWED
    ]
    if not hand.problems:
        hand.finish(table, record, mucking)
    return hand


class _TableBefore:
    """The state of the table before an action."""

    def __init__(self, table: Table) -> None:
        self.alone = table.alone
        self.board = _board(table)
        self.bets = [(seat.paid, seat.bet, seat.live) for seat in table.seats]
        self.high = max(table.high, *(bet for _, bet, _ in self.bets))


def _board(table: Table) -> tuple[int, ...]:
    return tuple(card for row in board_rows(table) for card in row)
