"""Write hold'em and Omaha hands in PokerStars' text, for trackers.

The text is read back before it is returned. If that changes the chips that players win, the hand is
rejected with the reason.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from rules.cards import CARDS, UNSEEN
from rules.errors import Problem
from rules.formats import fitting
from rules.formats.amounts import Chip, chip_of
from rules.formats.games import Code, fitting_code, missing_code
from rules.formats.hands import run_problems
from rules.formats.pokerstars.hand_lines import (
    NO_WORD,
    Post,
    cards,
    chips,
    format_time,
    names,
    posts_of,
)
from rules.formats.pokerstars.played_hand import FOLDED, PlayedHand, played
from rules.formats.pokerstars.text_reader import read_pokerstars
from rules.history import Table, begin, replay_record
from rules.history.actions import Action, read_action

Record = Mapping[str, Any]
RUNS = ("FIRST", "SECOND", "THIRD", "FOURTH")
TIMES = {2: "twice", 3: "three times", 4: "four times"}
STREETS = {3: "FLOP", 4: "TURN", 5: "RIVER"}
TABLES = (2, 6, 9, 10)  # table sizes that exist in poker rooms
TABLE_NAME = "Home game"
MOST_ID = 10**15


def write_pokerstars(record: Record, hero: str = "") -> tuple[str | None, list[Problem]]:
    """Return one hand as text, or errors. With a `hero`, only cards that the hero saw appear."""
    table, problems = begin(record)
    if table is None:
        return None, problems
    code = fitting_code(table, "pokerstars")
    if code is None:
        return None, [missing_code(record, "pokerstars")]
    posts, problems = posts_of(record, table)
    problems += _unsupported(record, hero)
    hand = None if problems else played(record)
    if hand is None or hand.problems:
        return None, problems or (hand.problems if hand else [])
    text = _Writer(record, table, code, hand, hero).text(posts)
    hands = read_pokerstars(text)
    chip = chip_of(record.get("about")) or Chip()
    back = [fitting.in_chips(each.record, chip)[0] for each in hands if each.record is not None]
    won = replay_record(back[0])["won"] if len(back) == len(hands) == 1 else None
    if won == [hand.won[player["name"]] for player in record["players"]]:
        return text, []
    reason = "the format can't describe this hand: the text leads to other winnings"
    return None, [Problem("stakes", "does-not-come-back", reason)]


def _unsupported(record: Record, hero: str) -> Iterator[Problem]:
    """Yield an error for each part of the hand that the format can't represent."""
    for at, stack in enumerate(record.get("stacks") or [None] * len(record["players"])):
        if stack is None:
            yield Problem(f"stacks/{at}", "missing", "the format requires the stack of each player")
    if record.get("carried"):
        yield Problem(
            "carried", "no-such-word", "the format has no chips carried from an earlier hand"
        )
    yield from run_problems(record)
    if hero and all(player["name"] != hero for player in record["players"]):
        yield Problem("players", "unknown-player", f"no player is called {hero[:60]!r}")
    for at, text in enumerate(record["actions"]):
        action = read_action(text)
        if isinstance(action, Action) and action.verb in NO_WORD:
            reason = f"the format has no word for {action.verb!r}"
            yield Problem(f"actions/{at}", "no-such-word", reason)


class _Writer:
    """Plays the hand and writes a line for each event."""

    def __init__(
        self, record: Record, table: Table, code: Code, hand: PlayedHand, hero: str = ""
    ) -> None:
        self.record, self.table, self.code, self.hand = record, table, code, hand
        about = record.get("about") or {}
        self.about = about if about.get("format") == "pokerstars" else {}
        self.chip = chip_of(about) or Chip()
        currency = self.about.get("currency", "")
        self.currency = currency if isinstance(currency, str) and len(currency) <= 5 else ""
        self.sign = self.currency[:1]
        self.own = [player["name"] for player in record["players"]]
        self.names = names(self.own)
        self.seats = self._seats()
        self.heroes = [at for at, name in enumerate(self.own) if name == hero or not hero]
        self.hero = hero
        self.lines: list[str] = []
        self.last_bet = 0  # index of the line after which an uncalled bet is returned
        self.board = 0
        # the complete board of each run, if there are several
        self.boards = [
            (*hand.board, *(CARDS[card] for card in run["board"][0]))
            for run in record.get("runs", ())
        ]

    def _seats(self) -> list[int]:
        seats = self.about.get("seats")
        count = len(self.own)
        if isinstance(seats, list) and len(seats) == count and all(type(s) is int for s in seats):
            return seats
        return list(range(1, count + 1))

    def chips(self, units: int) -> str:
        return chips(units, self.chip, self.sign)

    def say(self, line: str) -> None:
        self.lines.append(line)

    def text(self, posts: list[Post]) -> str:
        self.header(posts)
        for post in posts:
            self.posted(post)
        self.say("*** HOLE CARDS ***")
        for at in self.heroes:
            if self.hand.known[at]:
                self.say(f"Dealt to {self.names[at]} {cards(self.hand.known[at])}")
        self.last_bet = len(self.lines)
        for step in self.hand.steps:
            self.streets(step.board)
            if step.line:
                self.say(f"{self.names[step.seat]}: {self.worded(step.line, step.chips)}")
                self.last_bet = len(self.lines)
        self.streets(self.hand.board)
        dealt = self.board
        for run, board in zip(RUNS, self.boards, strict=False):
            self.board = dealt
            self.streets(board, f"{run} ")
        for name, amount in self.hand.returned.items():
            back = f"Uncalled bet ({self.chips(amount)}) returned to {self.called(name)}"
            self.lines.insert(self.last_bet, back)
        self.ended()
        self.summary(posts)
        return "\n".join(self.lines) + "\n"

    def worded(self, line: str, amounts: tuple[int, ...]) -> str:
        return line.format(*map(self.chips, amounts))

    def called(self, name: str) -> str:
        return self.names[self.own.index(name)]

    # --- before the cards -----------------------------------------------------------------------

    def header(self, posts: list[Post]) -> None:
        sizes = self.sizes(posts)
        number = self.about.get("hand")
        if type(number) is not int:
            number = int(fitting.content_hash(self.record)[:12], 16) % MOST_ID
        played_at = fitting.played_at(self.record, UTC)
        unit = f" {self.currency[1:].strip()}" if self.currency[1:].strip() else ""
        of = "/".join(map(self.chips, sizes))
        at = format_time(played_at.at if played_at else None)
        self.say(f"PokerStars Hand #{number}: {self.code.code} ({of}{unit}) - {at}")
        most = max(self.seats)
        size = next((seats for seats in TABLES if seats >= most), most)
        play = "" if self.sign else "(Play Money) "
        button = self.seats[self.record["button"]]
        self.say(f"Table '{TABLE_NAME}' {size}-max {play}Seat #{button} is the button")
        for seat, name, stack in zip(self.seats, self.names, self.record["stacks"], strict=True):
            self.say(f"Seat {seat}: {name} ({self.chips(stack)} in chips)")

    def sizes(self, posts: list[Post]) -> tuple[int, int]:
        """Return the bets of a fixed game, or the blinds, in full even if a player was short."""
        stakes = self.table.stakes
        if self.code.sizes == "fixed":
            return stakes.small, stakes.big
        if len(stakes.blinds) > 1:
            return abs(stakes.blinds[0]), abs(stakes.blinds[1])
        blinds = {post.kind: post.nominal for post in reversed(posts)}
        return blinds.get("small blind", 0), blinds.get("big blind", 0)

    def posted(self, post: Post) -> None:
        all_in = " and is all-in" if post.all_in else ""
        self.say(f"{self.names[post.seat]}: posts {post.kind} {self.chips(post.amount)}{all_in}")

    # --- the deal and the end -------------------------------------------------------------------

    def streets(self, board: tuple[int, ...], run: str = "") -> None:
        """Write the streets dealt so far."""
        for count, street in STREETS.items():
            if self.board < count <= len(board):
                before = f"{cards(board[: count - 1])} " if count > 3 else ""
                new = cards(board[:3] if count == 3 else board[count - 1 : count])
                self.say(f"*** {run}{street} *** {before}{new}")
                self.board = count

    def ended(self) -> None:
        hand, several = self.hand, bool(self.boards)
        for run, result in zip(RUNS, hand.results, strict=False):
            if hand.showdown:
                self.say(f"*** {f'{run} ' if several else ''}SHOW DOWN ***")
                for at in hand.order:
                    self.showed(at, result)
            for name, amount, pot in hand.collected(result):
                self.say(f"{self.called(name)} collected {self.chips(amount)} from {pot}")
        if not hand.showdown:
            for at in hand.order:
                self.showed(at, hand.answer)

    def showed(self, at: int, result: Record) -> None:
        shown = self.hand.shown[at]
        if shown:
            words = f"shows {cards(shown)} ({self.hand.hand_name(result, self.own[at])})"
        else:
            words = "mucks hand" if self.hand.showdown else "doesn't show hand"
        self.say(f"{self.names[at]}: {words}")

    def summary(self, posts: list[Post]) -> None:
        amounts = [amount for amount in self.hand.pots if amount]
        self.say("*** SUMMARY ***")
        parts = ""
        if len(amounts) > 1:
            sides = [f"Side pot-{at} {self.chips(each)}." for at, each in enumerate(amounts[1:], 1)]
            if len(sides) == 1:
                sides = [sides[0].replace("pot-1", "pot")]
            parts = " ".join([f" Main pot {self.chips(amounts[0])}.", *sides])
        self.say(f"Total pot {self.chips(sum(amounts))}{parts} | Rake {self.chips(0)}")
        if self.boards:
            self.say(f"Hand was run {TIMES[len(self.boards)]}")
            for run, board in zip(RUNS, self.boards, strict=False):
                self.say(f"{run} Board {cards(board)}")
        elif self.hand.board:
            self.say(f"Board {cards(self.hand.board)}")
        marks = {post.seat: f" ({post.kind})" for post in posts if "blind" in post.kind}
        for at, seat in enumerate(self.seats):
            button = " (button)" if at == self.record["button"] else ""
            seat_text = f"{button}{marks.get(at, '')}"
            self.say(f"Seat {seat}: {self.names[at]}{seat_text} {self.came_to(at)}")

    def came_to(self, at: int) -> str:
        hand, name = self.hand, self.own[at]
        if (street := hand.folded[at]) is not None:
            return FOLDED[street] if hand.bet[at] or street else f"{FOLDED[0]} (didn't bet)"
        won = hand.won[name]
        if shown := hand.shown[at]:
            results = [
                f"{f'won ({self.chips(won)})' if (won := result['won'][name]) else 'lost'}"
                f" with {hand.hand_name(result, name)}"
                for result in hand.results
            ]
            return f"showed {cards(shown)} and {', and '.join(results)}"
        if won:
            return f"collected ({self.chips(won)})"
        known = hand.known[at] if not self.hero else ()
        return f"mucked {cards(known)}" if known and UNSEEN not in known else "mucked"
