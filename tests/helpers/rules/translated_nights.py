"""Random nights as PokerStars' text and Open Hand History, translated from their PokerNow logs.

The translation adds up bets itself and shares no code with the readers. It needs a `plain` night.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.helpers.rules.log_cards import in_record

START = re.compile(r'-- starting hand #(\d+) \(.+?\)  \((.+)\) \(dealer: "(.+) @ \S+"\) --')
STACK = re.compile(r'#(\d+) "(.+) @ \S+" \((.+)\)')
ACTION = re.compile(
    r'"(.+) @ \S+" (posts an?|raises to|bets|calls|checks|folds|shows a|collected)(.*)'
)
BOARD = re.compile(r"(Flop|Turn|River)(?: \((\w+) run\))?: .*\[(.+)\]")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
RUN = re.compile(r"on the (\w+) run")
POSTS = {"small blind": "Post SB", "big blind": "Post BB", "ante": "Post Ante"}
GAMES = {
    "No Limit Texas Hold'em": ("Hold'em No Limit", "Holdem", "NL"),
    "Pot Limit Omaha Hi": ("Omaha Pot Limit", "Omaha", "PL"),
}
TIMES = {1: "twice", 2: "three times"}


@dataclass
class Event:
    """A line of a hand. `chips` are added to the pot, and `total` is the bet on the street."""

    what: str  # a verb, a kind of post, or a street
    who: str = ""
    chips: Decimal = Decimal(0)
    total: Decimal = Decimal(0)
    high: Decimal = Decimal(0)  # the highest bet before
    run: str = ""
    cards: list[str] = field(default_factory=list)


@dataclass
class Hand:
    number: int
    game: str
    dealer: str
    seats: list[tuple[int, str, Decimal]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def runs(self) -> list[str]:
        """The words of the runs, or nothing if the board was dealt once."""
        others = dict.fromkeys(event.run for event in self.events if event.run != "first")
        return ["first", *filter(None, others)] if any(others) else []

    def won(self, run: str = "") -> dict[str, Decimal]:
        """Return the chips collected in a run, or in all of them."""
        won: dict[str, Decimal] = defaultdict(Decimal)
        for event in self.events:
            if event.what == "collected" and run in ("", event.run):
                won[event.who] += event.chips
        return won


def hands_of(lines: Sequence[str]) -> Iterator[Hand]:
    hand, street = Hand(0, "", ""), defaultdict[str, Decimal](Decimal)
    for line in lines:
        if start := START.match(line):
            hand, street = Hand(int(start[1]), start[2], start[3]), defaultdict(Decimal)
        elif line.startswith("Player stacks: "):
            stacks = line.removeprefix("Player stacks: ").split(" | ")
            found = [each for stack in stacks if (each := STACK.fullmatch(stack))]
            hand.seats = [(int(each[1]), each[2], Decimal(each[3])) for each in found]
        elif line.startswith("-- ending"):
            yield hand
        elif board := BOARD.match(line):
            cards = in_record(board[3].split(", "))
            hand.events.append(Event(board[1], run=board[2] or "", cards=cards))
            street.clear()
        elif action := ACTION.match(line):
            hand.events.append(_event(action, street))


def _event(action: re.Match[str], street: dict[str, Decimal]) -> Event:
    who, verb, rest = action.groups()
    amount = Decimal(found[0]) if (found := NUMBER.search(rest)) else Decimal(0)
    if verb == "shows a":
        return Event(verb, who, cards=in_record(rest.strip(" .").split(", ")))
    if verb == "collected":
        run = RUN.search(rest)
        return Event(verb, who, amount, run=run[1] if run else "first")
    if verb.startswith("posts"):
        verb = rest.strip().partition(" of ")[0]
        if verb == "ante":
            return Event(verb, who, amount, amount)
    high, before = Decimal(max(street.values(), default=0)), street[who]
    if verb in ("checks", "folds"):
        return Event(verb, who)
    street[who] = amount
    return Event(verb, who, amount - before, amount, high)


# --- PokerStars ---------------------------------------------------------------------------------


def as_pokerstars(lines: Sequence[str], blinds: str) -> str:
    return "\n\n\n".join("\n".join(_stars(hand, blinds)) for hand in hands_of(lines)) + "\n"


def _stars(hand: Hand, blinds: str) -> Iterator[str]:
    button = next(seat for seat, name, _ in hand.seats if name == hand.dealer)
    at = "2024/01/05 20:00:00 ET"
    yield f"PokerStars Hand #{hand.number}:  {GAMES[hand.game][0]} ({blinds}) - {at}"
    yield f"Table 'Night' 9-max (Play Money) Seat #{button} is the button"
    for seat, name, chips in hand.seats:
        yield f"Seat {seat}: {name} ({chips} in chips)"
    posts = [event for event in hand.events if event.what in (*POSTS, "straddle")]
    for event in posts:
        kind = "the ante" if event.what == "ante" else event.what
        yield f"{event.who}: posts {kind} {event.chips}"
    yield "*** HOLE CARDS ***"
    yield from _played(hand, [event for event in hand.events if event not in posts])
    shows = [f"{event.who}: shows [{' '.join(event.cards)}]"
             for event in hand.events if event.what == "shows a"]  # fmt: skip
    for run in hand.runs or [""]:
        if shows:
            yield f"*** {f'{run} ' if run else ''}SHOW DOWN ***".upper()
            yield from shows
        for name, chips in hand.won(run).items():
            yield f"{name} collected {chips} from pot"
    yield "*** SUMMARY ***"
    yield f"Total pot {sum(hand.won().values())} | Rake 0"
    if hand.runs:
        yield f"Hand was run {TIMES[len(hand.runs) - 1]}"


def _played(hand: Hand, events: Sequence[Event]) -> Iterator[str]:
    dealt: list[str] = []
    all_in = False  # whether the players have shown, so that the first run begins
    for event in events:
        all_in = all_in or event.what == "shows a"
        match event.what:
            case "Flop" | "Turn" | "River":
                before = dealt[: {"Flop": 0, "Turn": 3, "River": 4}[event.what]]
                first = "first" if hand.runs and all_in else ""
                run = f"{run} " if (run := event.run or first) else ""
                start = f"[{' '.join(before)}] " if before else ""
                yield f"*** {run}{event.what} ***".upper() + f" {start}[{' '.join(event.cards)}]"
                dealt = [*before, *event.cards]
            case "raises to":
                yield f"{event.who}: raises {event.total - event.high} to {event.total}"
            case "bets" | "calls":
                yield f"{event.who}: {event.what} {event.chips}"
            case "checks" | "folds":
                yield f"{event.who}: {event.what}"


# --- Open Hand History --------------------------------------------------------------------------


def as_ohh(lines: Sequence[str], small: Decimal, big: Decimal) -> str:
    hands = (_ohh(hand, small, big) for hand in hands_of(lines))
    return "\n\n".join(json.dumps({"ohh": hand}, default=float) for hand in hands)


def _ohh(hand: Hand, small: Decimal, big: Decimal) -> dict[str, Any]:
    seats = {name: seat for seat, name, _ in hand.seats}
    rounds: list[dict[str, Any]] = []

    def start(street: str, cards: list[str]) -> None:
        rounds.append({"id": len(rounds), "street": street, "cards": cards, "actions": []})

    start("Preflop", [])
    shows = []
    for event in hand.events:
        word = WORDS.get(event.what) or POSTS.get(event.what)
        if event.what in ("Flop", "Turn", "River"):
            start(event.what, event.cards)
        elif event.what == "shows a":
            shows.append({"player_id": seats[event.who], "action": "Shows Cards",
                          "cards": event.cards})  # fmt: skip
        elif word:
            action = {"player_id": seats[event.who], "action": word, "amount": event.chips}
            rounds[-1]["actions"].append(action)
    start("Showdown", [])
    rounds[-1]["actions"] = shows
    won = hand.won()
    wins = [{"player_id": seats[name], "win_amount": chips} for name, chips in won.items()]
    _, game, limit = GAMES[hand.game]
    return {
        "spec_version": "1.4.7",
        "game_number": str(hand.number),
        "game_type": game,
        "bet_limit": {"bet_type": limit},
        "dealer_seat": seats[hand.dealer],
        "small_blind_amount": small,
        "big_blind_amount": big,
        "flags": ["Run_It_Twice"] if hand.runs else [],
        "players": [{"id": seat, "seat": seat, "name": name, "starting_stack": chips}
                    for seat, name, chips in hand.seats],
        "rounds": rounds,
        "pots": [{"number": 0, "amount": sum(won.values()), "rake": 0, "player_wins": wins}],
    }  # fmt: skip


WORDS = {
    "raises to": "Raise",
    "bets": "Bet",
    "calls": "Call",
    "checks": "Check",
    "folds": "Fold",
    "straddle": "Straddle",
}
