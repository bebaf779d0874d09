"""PokerNow's CSV files in: the log of a table, and its ledger.

The files do not say whether 2500 is 2500 chips or 25.00, so the caller must: `amounts` is `cents`
or `units`. A log comes newest first and is put in order by its `order` column. Every line that is
no part of a hand is handed back with its number: nothing is dropped.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.errors import Problem
from rules.formats.amounts import places_of, read_number, to_units
from rules.formats.codes import codes, pokernow_games
from rules.formats.csv_rows import Row, Unreadable, rows
from rules.formats.hand_builder import RecordBuilder
from rules.formats.import_result import Imported
from rules.formats.pokernow.log_lines import (
    AMOUNT,
    BET,
    BOARD,
    CALL,
    COLLECT,
    FOLD,
    POSTS,
    RUN_TWICE,
    SHOW,
    STACKS,
    STARTS,
    Post,
    Stack,
    Start,
    is_beside,
    is_end,
    read_cards,
    read_post,
    read_returned,
    read_said,
    read_stacks,
    read_start,
)
from rules.history.actions import write_cards

Record = dict[str, Any]
ORDER = re.compile(r"\d{1,18}", re.ASCII)
AMOUNTS = ("cents", "units")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file that is in no hand, and why."""

    number: int
    text: str
    why: str  # beside: of the table, not of a hand; unread


@dataclass(slots=True)
class Log:
    hands: list[Imported] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    text: str
    at: str


@dataclass(slots=True)
class _Hand:
    """The lines between a hand's start and the next one's."""

    start: Start
    line: int
    at: str
    entries: list[Entry] = field(default_factory=list)


def read_log(text: str, amounts: str) -> Log:
    """The hands of a log, and all its other lines."""
    log = Log()
    hands: list[_Hand] = []
    for entry in _entries(text, log):
        if start := read_start(entry.text):
            hands.append(_Hand(start, entry.number, entry.at))
        elif entry.text.startswith(STARTS):
            log.lines.append(Line(entry.number, entry.text, "unread"))
        elif is_end(entry.text):
            continue
        elif is_beside(entry.text) or not hands:
            why = "beside" if is_beside(entry.text) else "unread"
            log.lines.append(Line(entry.number, entry.text, why))
        else:
            hands[-1].entries.append(entry)
    for hand in hands:
        log.hands.append(_Reader(hand, amounts, log).imported())
    log.lines.sort(key=lambda line: line.number)
    return log


def _entries(text: str, log: Log) -> list[Entry]:
    """The lines of a log, oldest first."""
    found: list[tuple[int, Entry]] = []
    for place, row in enumerate(_rows(text, log)):
        cells = row.by_column
        order = cells.get("order")
        if "entry" not in cells or (order is not None and not ORDER.fullmatch(order.strip())):
            log.lines.append(Line(row.line, cells.get("entry", row.text[:200]), "unread"))
        else:  # without an order the newest is still the first
            entry = Entry(row.line, cells["entry"].strip(), cells.get("at", "").strip())
            found.append((int(order) if order else -place, entry))
    return [entry for _, entry in sorted(found, key=lambda each: each[0])]


def _rows(text: str, log: Log) -> Iterator[Row]:
    try:
        yield from rows(text)
    except Unreadable as error:
        log.lines.append(Line(error.line, "from here on this is no CSV", "unread"))


class _Reader:
    """One hand of a log on its way to a record."""

    def __init__(self, hand: _Hand, amounts: str, log: Log) -> None:
        self.hand, self.amounts, self.log = hand, amounts, log
        self.places = 0
        self.seats: dict[str, int] = {}
        self.took: dict[int, int] = {}
        self.builder: RecordBuilder | None = None

    def imported(self) -> Imported:
        number = self.hand.start.number
        problems = list(self.problems())
        if problems:
            self.log.lines += [Line(e.number, e.text, "unread") for e in self.hand.entries]
            return Imported(None, problems, number, self.hand.line)
        record, problems = self.record()
        return Imported(record, problems, number, self.hand.line)

    def problems(self) -> Iterator[Problem]:
        game = self.hand.start.game
        if game not in pokernow_games():
            known = ", ".join(pokernow_games())
            yield Problem("game", "unknown-game", f"{game[:60]!r}; known are {known}")
        if not any(entry.text.startswith(STACKS) for entry in self.hand.entries):
            yield Problem("players", "missing", "the log does not say who sat there with what")
        if any(RUN_TWICE.match(entry.text) for entry in self.hand.entries):
            yield Problem("board", "run-twice", "the board was dealt twice: no one result")

    def chips(self, text: str) -> int:
        """Chips in the smallest unit; `cents` are that already."""
        number = read_number(text)
        return (to_units(number, self.places) or 0) if number is not None else 0

    def record(self) -> tuple[Record | None, list[Problem]]:
        said = [entry.text for entry in self.hand.entries]
        amounts = [found["chips"] for text in said for found in AMOUNT.finditer(text)]
        self.places = places_of(read_number(number) for number in amounts)
        stacks = next(text for text in said if text.startswith(STACKS))
        players, wrong = read_stacks(stacks)
        if self.places and self.amounts == "cents":
            return None, [Problem("", "bad-chips", "the log has decimals, so it counts no cents")]
        if wrong:
            return None, [
                Problem("players", "not-read", f"no player: {part[:60]}") for part in wrong
            ]
        if not players:
            return None, [Problem("players", "no-players", stacks[:200])]
        self.seats = {player.id: at for at, player in enumerate(players)}
        posts = [post for text in said if (post := read_post(text)) is not None]
        self.builder = RecordBuilder(self.header(players, posts), list(self.posts(posts)))
        for entry in self.hand.entries:
            if not self.read(entry.text):
                self.log.lines.append(Line(entry.number, entry.text, "unread"))
        record, problems = self.builder.ended()
        if record is not None and self.took:
            names = [player["name"] for player in record["players"]]
            record["took"] = {names[seat]: chips for seat, chips in self.took.items()}
        return record, problems

    def header(self, players: Sequence[Stack], posts: Sequence[Post]) -> Record:
        code = codes("ohh")[pokernow_games()[self.hand.start.game]]
        sizes = {post.what: self.chips(post.chips) for post in reversed(posts)}
        blinds = [sizes.get("small blind", 0), sizes.get("big blind", 0)]
        stakes: Record = {"blinds": blinds} if any(blinds) else {}
        if "FL" in code.code:
            stakes |= {"small": blinds[1], "big": 2 * blinds[1]}
        elif blinds[1]:
            stakes["min"] = blinds[1]
        if code.betting:
            stakes["betting"] = code.betting
        names = Counter(player.name for player in players)
        about: Record = {"format": "pokernow", "amounts": self.amounts, "ids": list(self.seats)}
        about["hand"] = self.hand.start.number
        if self.hand.at:
            about["at"] = self.hand.at
        if self.places:
            about["places"] = self.places
        return {
            "variant": code.game,
            "button": self.button(posts),
            "players": [
                {"name": each.name if names[each.name] == 1 else f"{each.name} ({each.id})"}
                for each in players
            ],
            "stacks": [self.chips(player.chips) for player in players],
            "stakes": stakes,
            "about": about,
        }

    def button(self, posts: Sequence[Post]) -> int:
        """The dealer; behind a dead button, whoever sits before the first blind."""
        dealer = self.hand.start.dealer
        if dealer in self.seats:
            return self.seats[dealer]
        blinds = [post.id for post in posts if "blind" in post.what]
        first = self.seats.get(blinds[0], 0) if blinds else 0
        return (first - 1) % len(self.seats)

    def posts(self, posts: Sequence[Post]) -> Iterator[str]:
        for post in posts:
            if post.what in POSTS and post.id in self.seats:
                who = f"p{self.seats[post.id] + 1}"
                yield f"{who} {POSTS[post.what]} {self.chips(post.chips)}"

    # --- lines ----------------------------------------------------------------------------------

    def read(self, text: str) -> bool:
        """One line of the hand; False when it can't be read."""
        if text.startswith(STACKS):
            return True
        if post := read_post(text):
            return post.what in POSTS and post.id in self.seats
        if board := BOARD.fullmatch(text):
            return self.board(board)
        if returned := read_returned(text):  # the rules return it themselves
            return returned in self.seats
        said = read_said(text)
        if said is None or said.id not in self.seats:
            return False
        for pattern, act in ACTS:
            if found := pattern.fullmatch(said.what):
                return act(self, self.seats[said.id], found)
        return False

    def do(self, action: str) -> bool:
        assert self.builder is not None  # noqa: S101 - made before any line is read
        self.builder.deal({})
        self.builder.do(action)
        return True

    def board(self, board: re.Match[str]) -> bool:
        cards = read_cards(board["cards"])
        return cards is not None and self.do(f"d db {write_cards(cards)}")

    def bet(self, seat: int, found: re.Match[str]) -> bool:
        return self.do(f"p{seat + 1} cbr {self.chips(found['chips'])}")

    def call(self, seat: int, found: re.Match[str]) -> bool:
        return self.do(f"p{seat + 1} cc")

    def fold(self, seat: int, found: re.Match[str]) -> bool:
        return self.do(f"p{seat + 1} f")

    def show(self, seat: int, found: re.Match[str]) -> bool:
        cards = read_cards(found["cards"])
        return cards is not None and self.do(f"p{seat + 1} sm {write_cards(cards)}")

    def collect(self, seat: int, found: re.Match[str]) -> bool:
        self.took[seat] = self.took.get(seat, 0) + self.chips(found["chips"])
        return True


ACTS = (
    (BET, _Reader.bet),
    (CALL, _Reader.call),
    (FOLD, _Reader.fold),
    (SHOW, _Reader.show),
    (COLLECT, _Reader.collect),
)
