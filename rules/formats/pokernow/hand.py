"""Convert one hand of PokerNow's log to a record.

The chips on the lines are added up first: what each player puts in, gets back and collects. A hand
whose chips do not add up is rejected. A hand that can't be replayed (with a bounty, or with a
bomb pot in a game without one) is recorded at depth `result`, with the chips put in and
collected.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from rules.cards import format_cards
from rules.errors import Problem
from rules.formats.amounts import places_of, read_number, to_units
from rules.formats.games import codes, pokernow_games, pokernow_variants
from rules.formats.hands import Imported, RecordBuilder
from rules.formats.pokernow.log_lines import (
    NOT_OF_STREET,
    POSTS,
    RUNS,
    SECOND_BOARD,
    Act,
    Board,
    LoggedHand,
    OwnCards,
)
from rules.history.actions import write_cards
from rules.history.replay import is_finished

Record = dict[str, Any]


def read_hand(hand: LoggedHand, names: Mapping[str, str], amounts: str, hero: str) -> Imported:
    """Return the record of a hand, or all errors. `names` maps player ids to names."""
    record = None
    problems = list(_problems(hand, amounts))
    if not problems:
        record, problems = _Reader(hand, names, amounts, hero).record()
    return Imported(record, problems, hand.start.number, hand.line)


def _problems(hand: LoggedHand, amounts: str) -> Iterator[Problem]:
    game, stacks = hand.start.game, hand.stacks
    if game not in pokernow_games():
        games = ", ".join(pokernow_games())
        yield Problem(
            "game",
            "unknown-game",
            f"the game {game[:60]!r} is unknown; the format's games are {games}",
        )
    if not stacks:
        yield Problem("players", "missing", "the log has no line of stacks for this hand")
    if len(stacks) > 1:
        yield Problem("players", "stacks-twice", "two hands overlap in the log")
    for part in (part for stack_list in stacks for part in stack_list.unread):
        yield Problem("players", "not-read", f"{part[:60]!r} is not a player")
    if len(stacks) == 1 and not stacks[0].unread:
        if not hand.seats:
            yield Problem("players", "no-players", "the line of stacks names no players")
        elif len(hand.seats) != len(stacks[0].players):
            yield Problem("players", "name-twice", "the line of stacks names a player twice")
    for line in hand.unread:
        yield Problem("actions", "not-read", f"line {line} can't be read and may move chips")
    if amounts == "cents" and _places(hand):
        yield Problem("", "bad-chips", "the log has decimals, so its amounts can't be cents")


def _places(hand: LoggedHand) -> int:
    stacks = (player.chips for each in hand.stacks for player in each.players)
    acts = (line.chips for line in hand.lines if isinstance(line, Act) and line.chips)
    return places_of(read_number(chips) for chips in (*stacks, *acts))


class _Reader:
    """Converts one hand to a record."""

    def __init__(self, hand: LoggedHand, names: Mapping[str, str], amounts: str, hero: str) -> None:
        self.hand, self.amounts, self.hero = hand, amounts, hero
        self.places = _places(hand)
        self.seats = hand.seats
        self.names = [names[id_] for id_ in hand.seats]
        self.put: Counter[int] = Counter()  # chips put in on earlier streets and between streets
        self.street: Counter[int] = Counter()
        self.back: Counter[int] = Counter()
        self.took: Counter[int] = Counter()
        self.posted: list[str] = []
        self.problems: list[Problem] = []
        self.notes = {line.note for line in hand.lines if isinstance(line, Board)}
        self.bomb = any(line.what == "bet" for line in hand.lines if isinstance(line, Act))
        self.bounty = any(line.verb == "bounty" for line in hand.lines if isinstance(line, Act))

    def chips(self, text: str) -> int:
        """Return chips in the smallest unit. With `cents`, amounts already have that unit."""
        number = read_number(text)
        units = to_units(number, self.places) if number is not None else None
        if units is None:
            self.problems.append(
                Problem("actions", "bad-chips", f"{text[:40]} is not an amount of chips")
            )
        return units or 0

    def record(self) -> tuple[Record | None, list[Problem]]:
        stacks = [self.chips(player.chips) for player in self.hand.stacks[0].players]
        for line in self.hand.lines:
            self.count(line)
        paid = [self.put[seat] + self.street[seat] for seat in range(len(stacks))]
        went_in, came_out = sum(paid), sum(self.back.values()) + sum(self.took.values())
        if went_in != came_out:
            text = f"the players put in {went_in:,}, but the log returns {came_out:,}"
            self.problems.append(Problem("actions", "does-not-add-up", text))
        short = [at for at, stack in enumerate(stacks) if paid[at] > stack and not self.bounty]
        for at in short:
            text = f"{self.names[at]} puts in {paid[at]:,}, more than the stack of {stacks[at]:,}"
            self.problems.append(Problem("actions", "does-not-add-up", text))
        if self.problems:
            return None, self.problems
        played = self.played(stacks, paid)
        return played or self.result(stacks, paid), []

    # --- adding up the chips of the log ---------------------------------------------------------

    def count(self, line: Act | Board | OwnCards) -> None:
        if isinstance(line, Board):
            if not line.note:
                self.put.update(self.street)
                self.street.clear()
        elif isinstance(line, Act):
            seat = self.seats.get(line.id)
            if seat is None:
                self.strange(line.id)
            elif line.verb in COUNTS:
                COUNTS[line.verb](self, seat, line)

    def strange(self, id_: str) -> None:
        text = f"{id_} acts but has no stack in this hand"
        self.problems.append(Problem("actions", "unknown-player", text))

    def put_in(self, seat: int, line: Act) -> None:
        """Set the total that a player has put in on this street, including posts."""
        total, before = self.chips(line.chips), self.street[seat]
        if total < before:
            text = f"{self.names[seat]} has put in {before} on this street, more than {total}"
            self.problems.append(Problem("actions", "does-not-add-up", text))
        self.street[seat] = total
        if line.verb == "post" and total > before:
            self.posted.append(self.posting(seat, line.what, total - before))

    def post(self, seat: int, line: Act) -> None:
        if line.what in NOT_OF_STREET:
            self.put[seat] += self.chips(line.chips)
            self.posted.append(self.posting(seat, line.what, self.chips(line.chips)))
        else:
            self.put_in(seat, line)

    def give_back(self, seat: int, line: Act) -> None:
        self.back[seat] += self.chips(line.chips)

    def collect(self, seat: int, line: Act) -> None:
        self.took[seat] += self.chips(line.chips)

    def posting(self, seat: int, what: str, chips: int) -> str:
        return f"p{seat + 1} {POSTS[what]} {chips}"

    def pay_bounty(self, seat: int, line: Act) -> None:
        chips = self.chips(line.chips.removeprefix("-"))
        pays = line.chips.startswith("-")
        other = self.seats.get(line.to) if line.to else None
        if line.to and other is None:
            self.strange(line.to)
            return
        payer, payee = (seat, other) if pays else (other, seat)
        if payer is not None:
            self.put[payer] += chips
        if payee is not None:
            self.took[payee] += chips

    # --- records --------------------------------------------------------------------------------

    def header(self, stacks: list[int]) -> Record:
        about: Record = {"format": "pokernow", "amounts": self.amounts, "ids": list(self.seats)}
        about["hand"] = self.hand.start.number
        if self.hand.at:
            about["at"] = self.hand.at
        if self.places:
            about["places"] = self.places
        return {
            "button": self.button(),
            "players": [{"name": name} for name in self.names],
            "stacks": stacks,
            "about": about,
        }

    def button(self) -> int:
        """Return the dealer's seat. With a dead button, it is the seat before the first blind."""
        if self.hand.dealer in self.seats:
            return self.seats[self.hand.dealer]
        blinds = (
            self.seats[line.id]
            for line in self.hand.lines
            if isinstance(line, Act) and "blind" in line.what and line.id in self.seats
        )
        return (next(blinds, 0) - 1) % len(self.seats)

    def result(self, stacks: list[int], paid: list[int]) -> Record:
        """Return the hand with its chips only. Returned chips count as not put in."""
        code = codes("ohh")[pokernow_games()[self.hand.start.game]]
        header = self.header(stacks)
        for seat, player in enumerate(header["players"]):
            player["paid"] = paid[seat] - self.back[seat]
        took = {self.names[seat]: chips for seat, chips in self.took.items()}
        return {"variant": code.game, **header, "depth": "result", "took": took}

    def played(self, stacks: list[int], paid: list[int]) -> Record | None:
        """Return the hand with its actions, or None if a replay gives different chips."""
        runs = self.runs() if self.notes & RUNS else None
        game = None if self.bounty or runs == [] else self.game()
        if game is None:
            return None
        header = game | self.header(stacks) | ({"runs": runs} if runs else {})
        builder = RecordBuilder(header, self.posted)
        own = self.own_cards()
        for line in self.lines_before(runs):
            if action := self.action(line):
                builder.deal(own)
                builder.do(action)
        record, problems = builder.ended()
        table = builder.table
        if record is None or problems or table is None or not is_finished(table, record):
            return None
        if any(each.fatal for each in table.irregularities):
            return None
        if [seat.paid for seat in table.seats] != paid:
            return None
        if self.took:
            record["took"] = {self.names[seat]: chips for seat, chips in self.took.items()}
        return record

    def runs(self) -> list[Record]:
        """Return the cards of each run, or nothing if they can't be distinguished."""
        dealt: dict[str, list[int]] = {}
        for line in self.hand.lines:
            if isinstance(line, Board):
                dealt.setdefault(line.note, []).extend(line.cards)
        first, *others = dealt.get("", []), *(dealt[note] for note in dealt if note in RUNS)
        sizes = {len(cards) for cards in others}
        streets = [len(line.cards) for line in self.hand.lines if self.is_first_board(line)]
        before = len(first) - max(sizes)
        if len(sizes) != 1 or SECOND_BOARD in dealt or before not in accumulate([0, *streets]):
            return []
        runs = [first[before:], *others]
        return [{"board": [format_cards(cards)]} for cards in runs]

    @staticmethod
    def is_first_board(line: Act | Board | OwnCards) -> bool:
        """Return whether a line deals cards to the board before the runs or in the first run."""
        return isinstance(line, Board) and not line.note

    def lines_before(self, runs: list[Record] | None) -> Iterator[Act | Board | OwnCards]:
        """Yield the lines of the hand without the cards of its runs."""
        boards = [line for line in self.hand.lines if isinstance(line, Board) and not line.note]
        last = sum(len(line.cards) for line in boards)
        last -= len(runs[0]["board"][0]) if runs else 0
        dealt = 0
        for line in self.hand.lines:
            if runs and isinstance(line, Board):
                dealt += len(line.cards)
                if line.note or dealt > last:
                    continue
            yield line

    def game(self) -> Record | None:
        """Return the game that was dealt, with its options and stakes."""
        key = pokernow_games()[self.hand.start.game]
        code, two_boards = codes("ohh")[key], SECOND_BOARD in self.notes
        stakes = self.stakes(code.code)
        if code.betting:
            stakes["betting"] = code.betting
        if not (self.bomb or two_boards):
            return {"variant": code.game, "stakes": stakes}
        variants = pokernow_variants(key)
        variant = variants.get("two_boards" if two_boards else "bomb")
        if variant is None:
            return None
        if "betting" in variants:
            stakes["betting"] = variants["betting"]
        start = {"options": {"start": "bomb" if self.bomb else "blinds"}} if two_boards else {}
        return {"variant": variant, **start, "stakes": stakes}

    def stakes(self, code: str) -> Record:
        sizes: dict[str, int] = {}
        for line in self.hand.lines:
            if isinstance(line, Act) and line.verb == "post":
                sizes.setdefault(line.what, self.chips(line.chips))
        blinds = [sizes.get("small blind", 0), sizes.get("big blind", 0)]
        stakes: Record = {"blinds": blinds} if any(blinds) else {}
        if "FL" in code:
            stakes |= {"small": blinds[1], "big": 2 * blinds[1]}
        elif blinds[1]:
            stakes["min"] = blinds[1]
        return stakes

    def own_cards(self) -> dict[int, tuple[int, ...]]:
        """Return the cards of the player who exported the log, if the caller names that player."""
        cards = next((each.cards for each in self.hand.lines if isinstance(each, OwnCards)), None)
        seat = self.seats.get(self.hero)
        if seat is None and self.hero in self.names:
            seat = self.names.index(self.hero)
        return {} if cards is None or seat is None else {seat: cards}

    def action(self, line: Act | Board | OwnCards) -> str:
        """Return the action of a line. It is empty for pots, and for posts, which come first."""
        if isinstance(line, Board):
            return f"d db {write_cards(list(line.cards))}"
        if isinstance(line, OwnCards):
            return ""
        player = f"p{self.seats[line.id] + 1}"
        if line.verb == "bet":
            return f"{player} cbr {self.chips(line.chips)}"
        if line.verb == "show":
            return f"{player} sm {write_cards(list(line.cards))}"
        return f"{player} {SHORT[line.verb]}" if line.verb in SHORT else ""


COUNTS: dict[str, Callable[[_Reader, int, Act], None]] = {
    "post": _Reader.post,
    "bet": _Reader.put_in,
    "call": _Reader.put_in,
    "return": _Reader.give_back,
    "collect": _Reader.collect,
    "bounty": _Reader.pay_bounty,
}
SHORT = {"call": "cc", "check": "cc", "fold": "f"}
