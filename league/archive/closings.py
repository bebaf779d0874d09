"""Check that closings and plans match what the league would have written.

The league's own functions can't recompute closings, because they use the current terms, seats and
plans. A line in the file contains only what was known at the table: the count, which players bear
missing chips, and whether pots were returned. The rest is computed from earlier postings, and the
file must agree with what `close_night` would accept. If several sets of payments are possible, the
file also contains the planned set, because ties were broken by ids. The planned set must have fewer
payments than there are players.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID, uuid4

from league.archive.reading import Errors, Row, SeasonContent, Values
from league.common.money import evenly
from league.hands.findings import Finding
from league.hands.validation import Verdict
from league.models import ClosingLine
from league.nights import accounts
from league.nights.carried_pots import Pot, fitted, pots_of_hand, shares
from ledger.models import AccountRef, NewTransfer

Ids = Mapping[str, Mapping[int, UUID]]
Coin = tuple[int, str]


class BookkeepingError(Exception):
    """A posting is not possible at its position in the file."""

    def __init__(self, text: str, where: str = "of") -> None:
        self.text, self.where = text, where
        super().__init__(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedPosting:
    """A posting to make. `undoes` is the index of the posting that it reverses."""

    kind: str
    of: int
    key: str
    memo: str
    transfers: tuple[NewTransfer, ...]
    undoes: int | None = None


@dataclass(slots=True)
class Progress:
    """The postings so far, and the state after them.

    Every figure that a closing needs is updated with each posting, because a file may close a night
    thousands of times. Totals and shares of zero are removed.
    """

    postings: list[ReplayedPosting] = field(default_factory=list)
    # the index of each posting, keyed by kind and subject
    places: dict[tuple[str, int], int] = field(default_factory=dict)
    balances: Counter[str] = field(default_factory=Counter)
    # totals for the closing lines, keyed by night, then by player and column
    sums: dict[int, dict[tuple[int, str], int]] = field(default_factory=dict)
    # (night, player) for bankers and players with charges
    beside: set[tuple[int, UUID]] = field(default_factory=set)
    open: set[int] = field(default_factory=set)  # nights that have begun and are not closed
    closed: dict[int, int] = field(default_factory=dict)  # current closings, keyed by night
    closings: Counter[int] = field(default_factory=Counter)  # number of closings per night
    hands: dict[int, int] = field(default_factory=dict)  # current revisions, keyed by hand
    # indexes of postings: each hand's first posting; the cash-outs in order, keyed by night and
    # player; and the cash-outs made by mistake
    dealt: dict[int, int] = field(default_factory=dict)
    cashed_out: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    cashed_by_mistake: set[int] = field(default_factory=set)
    findings: dict[int, list[Finding]] = field(default_factory=dict)  # findings, keyed by revision
    before: UUID = field(default_factory=uuid4)  # represents all nights that are not in the file
    # keyed by night: the revisions that left a pot, keyed by hand; and the last of these revisions,
    # if known
    carrying: dict[int, dict[int, int]] = field(default_factory=dict)
    last_carrying: dict[int, int | None] = field(default_factory=dict)
    # the pots of unfinished matches, keyed by night and match
    match_pots: dict[UUID, dict[str, int]] = field(default_factory=dict)
    keeping: set[int] = field(default_factory=set)  # closed nights that keep pots for a later night
    # keyed by night: shares of the pots that the night opened with, and of the pots that it passed
    # on
    opened_with: dict[int, Counter[UUID]] = field(default_factory=dict)
    handed_on: dict[int, Counter[UUID]] = field(default_factory=dict)
    # (night, player) for pots that were passed on
    in_pots: set[tuple[int, UUID]] = field(default_factory=set)
    lines: dict[int, ClosingLine] = field(default_factory=dict)  # keyed by line number in the file
    # last settlement of each night
    settles: dict[int, dict[UUID, int]] = field(default_factory=dict)
    # chips without a payment plan
    unplanned: dict[Coin, Counter[UUID]] = field(default_factory=dict)
    plans: set[int] = field(default_factory=set)
    # (lost, won), keyed by payment
    stakes: dict[int, tuple[int, int]] = field(default_factory=dict)
    paid: Counter[int] = field(default_factory=Counter)  # chips paid, keyed by planned payment

    def add(self, night: int, player: int, name: str, chips: int) -> None:
        """Add chips to one of a player's totals in a night."""
        sums = self.sums.setdefault(night, {})
        sums[player, name] = sums.get((player, name), 0) + chips
        if not sums[player, name]:
            del sums[player, name]


@dataclass(frozen=True)
class Replay:
    """The replay of a season file.

    It contains the rows with their new ids, the settled hands, and the progress.
    """

    content: SeasonContent
    ids: Ids
    settled: Mapping[int, Verdict]
    errors: Errors
    done: Progress = field(default_factory=Progress)

    def player(self, number: int) -> UUID:
        return self.ids["Player"][number]

    def night(self, number: int) -> UUID:
        return self.ids["Night"][number]

    def night_of(self, revision: Row) -> int:
        return int(self.content.row("Hand", revision["hand"])["night"])

    def stack(self, row: Row) -> AccountRef:
        return accounts.stack(self.night(row["night"]), self.player(row["player"]))

    def pots(self, stored: Iterable[Values]) -> list[Pot]:
        """Return stored pots with the new player ids."""
        return [Pot(each["amount"], tuple(map(self.player, each["for"]))) for each in stored]

    @cached_property
    def season(self) -> UUID:
        [season] = self.content.of("Season")
        return self.ids["Season"][season.number]

    @cached_property
    def box(self) -> UUID | None:
        """The cash box, if the file has one."""
        boxes = (row for row in self.content.of("Player") if row["is_box"])
        return next((self.player(row.number) for row in boxes), None)

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
    def replaced(self) -> Mapping[int | None, list[Row]]:
        return self.content.grouped("PaymentReplacement", "plan")

    @cached_property
    def plan_of(self) -> Mapping[int, Row]:
        """The plans that belong to a closing, keyed by closing number."""
        return {row["closing"]: row for row in self.content.of("Plan") if row["closing"]}

    @cached_property
    def plans_after(self) -> Mapping[int | None, list[Row]]:
        """The plans without a closing, grouped by the closing after which they were made."""
        plans: dict[int | None, list[Row]] = {}
        for row in self.content.of("Plan"):
            if not row["closing"]:
                plans.setdefault(row["after"], []).append(row)
        return plans

    @cached_property
    def seated(self) -> set[tuple[int, int]]:
        """The (night, player) pairs of all seats."""
        return {(row["night"], row["player"]) for row in self.content.of("Seat")}

    @cached_property
    def counted(self) -> set[tuple[int, int, int]]:
        """The (night, player, chips) triples of all chip counts."""
        rows = self.content.of("Count")
        return {(row["night"], row["player"], row["chips"]) for row in rows}


SUMS = ("bought", "cashed", "put_right", "entered", "prizes", "cash", "charged")
# Columns of a line that are computed because the file does not contain them.
FOLLOWS = (*SUMS, "stack", "settles")
Lines = Sequence[tuple[Row, ClosingLine]]
Pairs = Sequence[tuple[UUID, UUID]]


def closed_lines(playing: Replay, closing: Row) -> list[ClosingLine]:
    """Return the lines of a closing, and add errors if the file's lines differ."""
    night, done = closing["night"], playing.done
    lines: list[tuple[Row, ClosingLine]] = []
    for row in playing.lines.get(closing.number, []):
        player, sums = playing.player(row["player"]), done.sums.get(night, {})
        values = {name: row[name] for name in ("position", "back", "counted", "bears")}
        values |= {name: sums.get((row["player"], name), 0) for name in SUMS}
        stack = done.balances[accounts.stack(playing.night(night), player).key]
        line = ClosingLine(player_id=player, stack=stack, **values)
        lines.append((row, line))
    _check_pots(playing, closing, lines)
    _check_counts(playing, closing, lines)
    _check_players(playing, closing, lines)
    # each player's share of the pots that are kept, minus the player's share when the night opened
    kept_shares = shares(playing.pots(closing["kept"]))
    kept_shares.update(done.handed_on.get(night, Counter()))
    kept_shares.subtract(done.opened_with.get(night, Counter()))
    for row, line in lines:
        line.settles = line.tab + kept_shares[line.player_id]
        done.lines[row.number] = line
    return [line for _, line in lines]


# --- pots -----------------------------------------------------------------------------------------


def _check_pots(playing: Replay, closing: Row, lines: Lines) -> None:
    """Check that pots without a winner are either all kept or all returned."""
    kept_pots = playing.pots(closing["kept"])
    back = any(line.back for _, line in lines)
    left = _pots_left(playing, closing, lines)
    if kept_pots or not back:
        if back or kept_pots != left:
            chips = sum(pot.amount for pot in left)
            text = f"{chips} chips have no winner: keep all of them, or return all of them"
            playing.errors.add(closing.line, "kept", "bad-pot", text)
        return
    wanted = shares(left)
    for row, line in lines:
        if line.back != wanted[line.player_id]:
            text = (
                f"this player gets back {wanted[line.player_id]} chips from pots without a winner"
            )
            playing.errors.add(row.line, "back", "bad-pot", text)


def _pots_left(playing: Replay, closing: Row, lines: Lines) -> list[Pot]:
    """Return the pots that make up the night's carry.

    If no hand left a pot and the night opened with none, the carry belongs to the players seated at
    the closing. The seats do not record which players those were, so the closing's players are
    used, ordered by seat.
    """
    night, done = closing["night"], playing.done
    chips = done.balances[accounts.carry(playing.night(night)).key]
    if chips <= 0:
        return []
    if night not in done.last_carrying:
        hands = done.carrying.get(night, {})
        last = max(hands, key=lambda hand: playing.content.row("Hand", hand)["number"], default=0)
        done.last_carrying[night] = hands.get(last)
    verdict = playing.settled.get(done.last_carrying[night] or 0)
    pots = pots_of_hand(verdict.record, verdict.answer, verdict.names) if verdict else []
    if pots := pots or playing.pots(playing.content.row("Night", night)["opening_pots"]):
        return fitted(pots, chips)
    named = {player for pot in closing["kept"] for player in pot["for"]}
    seats = sorted((row for row, _ in lines), key=lambda row: int(row["position"]))
    players = [
        playing.player(row["player"])
        for row in seats
        if (night, row["player"]) in playing.seated and (row["back"] or row["player"] in named)
    ]
    return [Pot(chips, tuple(players))] if players else []


def take_over_pots(playing: Replay, night: Row) -> None:
    """Open a night with pots that other nights kept.

    Add an error if the other nights did not keep these pots.
    """
    done = playing.done
    opened: dict[int | None, list[Pot]] = {}
    for pot, values in zip(playing.pots(night["opening_pots"]), night["opening_pots"], strict=True):
        opened.setdefault(values["from"], []).append(pot)
    kept_pots: dict[int | None, list[Pot]] = {}
    for number in done.keeping:
        closing = playing.content.row("Closing", done.closed[number])
        chips = done.balances[accounts.carry(playing.night(number)).key]
        kept_pots[number] = fitted(playing.pots(closing["kept"]), chips) if chips > 0 else []
    for before in {*opened, *kept_pots}:
        if before is not None and opened.get(before, []) != kept_pots.get(before, []):
            called = playing.content.row("Night", before)["number"]
            text = f"these are not the pots that night {called} kept"
            playing.errors.add(night.line, "opening_pots", "bad-pot", text)
    everything = [pot for pots in opened.values() for pot in pots]
    moved = [(done.handed_on, before, pots) for before, pots in opened.items() if before]
    for to, at, pots in [*moved, (done.opened_with, night.number, everything)]:
        to[at] = to.get(at, Counter()) + shares(pots)  # `+` drops players with a share of zero
        done.in_pots.update((at, player) for pot in pots for player in pot.players)
    done.keeping.difference_update(opened)


# --- counts and players ---------------------------------------------------------------------------


def _check_counts(playing: Replay, closing: Row, lines: Lines) -> None:
    """Check that each player was counted, or cashed out and has only returned pot chips.

    Missing chips must be shared evenly. Any of the players may get the odd chips.
    """
    night = closing["night"]
    for row, line in lines:
        went = line.cashed > 0 and line.counted == line.back
        counted = (night, row["player"], line.counted)
        if line.counted is not None and not went and counted not in playing.counted:
            playing.errors.add(
                row.line,
                "counted",
                "not-counted",
                "this is not the player's counted number of chips",
            )
    open_lines = [(row, line) for row, line in lines if line.counted is None]
    uncounted = any((night, row["player"]) in playing.seated for row, _ in open_lines)
    needed = any(line.stack for _, line in open_lines)
    if (needed and not closing["by_hands"]) or (closing["by_hands"] and not uncounted):
        text = "a player was not counted" if needed else "all players were counted"
        playing.errors.add(closing.line, "by_hands", "not-counted", text)
    drift = playing.done.balances[accounts.drift(playing.night(night)).key]
    missing = drift + sum(line.drift for _, line in lines)
    bearing = [(row, line) for row, line in lines if line.bears]
    for row, line in bearing:
        if (night, row["player"]) not in playing.seated and not line.back:
            text = "only players of this night can share the difference"
            playing.errors.add(row.line, "bears", "unknown-player", text)
    parts = evenly(missing, range(len(bearing))).values() if bearing else ()
    shares = sorted((line.bears for _, line in bearing), key=abs, reverse=True)
    if shares != list(parts) or (missing and not bearing):
        text = f"{missing} chips are missing, but they are not shared evenly"
        for at in [row.line for row, _ in bearing] or [closing.line]:
            playing.errors.add(at, "bears" if bearing else "", "does-not-add-up", text)


def _check_players(playing: Replay, closing: Row, lines: Lines) -> None:
    """Check that each line's player had a seat, handled cash, was charged or shared a pot."""
    night, done = closing["night"], playing.done
    pots = playing.pots(closing["kept"])
    wanted = {playing.player(player) for player, _ in done.sums.get(night, {})}
    wanted |= {player for player, chips in shares(pots).items() if chips}
    wanted |= done.opened_with.get(night, Counter()).keys()
    wanted |= done.handed_on.get(night, Counter()).keys()
    for _ in wanted - {line.player_id for _, line in lines}:
        text = "a player whose chips moved or who shares a pot has no line"
        playing.errors.add(closing.line, "", "not-whole", text)
    in_pots = {player for pot in pots for player in pot.players}
    for row, line in lines:
        players = (
            line.back
            or line.player_id in in_pots
            or (night, row["player"]) in playing.seated
            or (night, line.player_id) in done.beside
            or (night, line.player_id) in done.in_pots
        )
        if not players:
            text = "this player had no seat, handled no cash, was not charged and shared no pot"
            playing.errors.add(row.line, "player", "unknown-player", text)


# --- plans ----------------------------------------------------------------------------------------


def plan_closing(playing: Replay, closing: Row) -> None:
    """Add a closing's open chips, then replay its plan and the season's plans made after it."""
    done, night = playing.done, playing.content.row("Night", closing["night"])
    lines = [done.lines[row.number] for row in playing.lines.get(closing.number, [])]
    if lines:
        left = done.unplanned.setdefault(_coin(night), Counter())
        last = {line.player_id: line.settles for line in lines}
        _subtract(left, done.settles.get(night.number, {}))
        _subtract(left, {player: -chips for player, chips in last.items()})
        done.settles[night.number] = last
    if plan := playing.plan_of.get(closing.number):
        if _coin(plan) != _coin(night):
            text = "a closing's plan must use the chip value of its night"
            playing.errors.add(plan.line, "chip_value", "bad-plan", text)
        _plan(playing, plan)
    plan_season(playing, closing.number)


def plan_season(playing: Replay, after: int | None) -> None:
    """Replay the season's plans that were made after this closing and before the next closing.

    The first plan settles everything, so plans without payments come last. A plan that replaces
    payments comes after the plans that made them. It can be made while another night is open, by a
    correction.
    """
    plans = playing.plans_after.get(after, [])
    paying = (playing.planned, playing.replaced)
    for plan in sorted(plans, key=lambda row: not any(row.number in rows for rows in paying)):
        if playing.done.open and plan.number not in playing.replaced:
            text = "a season can't be settled while a night is open"
            playing.errors.add(plan.line, "after", "night-open", text)
        _plan(playing, plan)


def _coin(row: Row) -> Coin:
    return row["chip_value"], row["currency"]


def _subtract(left: Counter[UUID], chips: dict[UUID, int]) -> None:
    """Subtract chips, and remove players who have no open chips left."""
    for player, number in chips.items():
        left[player] -= number
        if not left[player]:
            del left[player]


def _replace(playing: Replay, plan: Row, left: Counter[UUID]) -> None:
    """Add the chips that the plan replaces to the unplanned chips."""
    done, add = playing.done, playing.errors.add
    for row in playing.replaced.get(plan.number, []):
        planned, chips = playing.content.row("PlannedPayment", row["planned"]), row["chips"]
        if planned["plan"] not in done.plans:
            add(row.line, "planned", "bad-plan", "it is of a plan that was made later")
        elif _coin(playing.content.row("Plan", planned["plan"])) != _coin(plan):
            add(row.line, "planned", "bad-plan", "its chips have another value")
        payer, payee = playing.player(planned["payer"]), playing.player(planned["payee"])
        _subtract(left, {payer: chips})
        _subtract(left, {payee: -chips})


def check_replaced(playing: Replay) -> None:
    """Check, after the replay, that paid and replaced chips do not exceed the planned chips."""
    covered = Counter(playing.done.paid)
    for row in playing.content.of("PaymentReplacement"):
        covered[row["planned"]] += row["chips"]
    for planned in playing.content.of("PlannedPayment"):
        if covered[planned.number] > planned["chips"]:
            text = "more was paid or replaced than was planned"
            playing.errors.add(planned.line, "chips", "too-much", text)


def _plan(playing: Replay, plan: Row) -> None:
    """Replay a plan and remove its chips from the unplanned chips.

    Add errors if the plan does not settle the unplanned chips.
    """
    done, rows, add = playing.done, playing.planned.get(plan.number, []), playing.errors.add
    left = done.unplanned.pop(_coin(plan), Counter())
    _replace(playing, plan, left)
    pairs = [(playing.player(row["payer"]), playing.player(row["payee"])) for row in rows]
    evened: Counter[UUID] = Counter()
    for row, (payer, payee) in zip(rows, pairs, strict=True):
        evened[payer] -= row["chips"]
        evened[payee] += row["chips"]
        done.stakes[row.number] = max(-left[payer], 0), max(left[payee], 0)
    done.plans.add(plan.number)
    wrong = {player for player in {*left, *evened} if left[player] != evened[player]}
    if wrong:
        # Small payments wait for the next plan. Each player's open chips must be below the maximum
        # that unpaid small payments can add up to.
        below = plan["waits_below"]
        waiting = {player: left[player] - evened[player] for player in wrong}
        few = max(map(abs, waiting.values())) <= (below - 1) * (len(waiting) - 1)
        if few and all(row["chips"] >= below for row in rows):
            done.unplanned[_coin(plan)] = Counter(waiting)
            _subtract(left, waiting)
            wrong = set()
    for row, pair in zip(rows, pairs, strict=True):
        if wrong.intersection(pair):
            text = f"these players had {left[pair[0]]} and {left[pair[1]]} open chips at that time"
            add(row.line, "chips", "bad-plan", text)
    if wrong - {player for pair in pairs for player in pair}:
        add(plan.line, "", "bad-plan", "the plan does not settle all open chips")
    elif not wrong and not _has_few_payments(pairs, left):
        add(plan.line, "", "bad-plan", "fewer payments would settle the same chips")
    if sorted(row["position"] for row in rows) != list(range(len(rows))):
        add(plan.line, "", "not-whole", "a payment of this plan is missing")


def _has_few_payments(pairs: Pairs, left: Counter[UUID]) -> bool:
    """Return whether the payments are as few as a plan accepts.

    Either one player pays every other player once, or is paid once by each. Or losers pay winners
    in fewer payments than there are players.
    """
    if not pairs:
        return True
    for player in pairs[0]:
        others = {
            payee if payer == player else payer
            for payer, payee in pairs
            if player in {payer, payee}
        }
        if len(others) == len(pairs):
            return True
    ways = all(left[payer] < 0 < left[payee] for payer, payee in pairs)
    return ways and len(set(pairs)) == len(pairs) <= max(len(left) - 1, 0)
