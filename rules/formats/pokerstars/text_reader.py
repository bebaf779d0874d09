"""Read hands in PokerStars' text, for the games in `codes.toml`."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rules.cards import format_cards
from rules.errors import Problem
from rules.formats.amounts import Number, is_chips, places_of, to_units
from rules.formats.games import Code, codes
from rules.formats.hands import Imported, RecordBuilder
from rules.formats.pokerstars.hand_lines import (
    MOST_SEATS,
    POSTS,
    Act,
    HandLines,
    Line,
    Seat,
    read_chips,
    read_time,
    sort_lines,
)
from rules.formats.text_files import MOST_UNREAD, NOT_UNDERSTOOD, lines, unread
from rules.game.hand import LEAST_RUNS, MOST_RUNS
from rules.history.actions import MOST_ACTIONS, write_cards

# The first line of a hand in PokerStars' text specifies the place, the game and the stakes.
#
# PokerStars Home Game Hand #1: {Riverside}  Hold'em No Limit (1/2) - 2020/05/22 ...
# PokerStars Hand #1: Tournament #2, €5.00+€0.50 EUR Hold'em No Limit - Level III (25/50) - ...
# PokerStars Hand #1: HORSE (Hold'em Limit, $1.00/$2.00 USD) - ...


STARTS = (
    "PokerStars Hand #",
    "PokerStars Game #",
    "PokerStars Zoom Hand #",
    "PokerStars Home Game",
)
SIGNS = "$€£¥₹"
LONGEST = 300  # maximum length of a first line in characters
MOST_LINES = 5_000  # maximum number of lines of a hand
PRICE = rf"[{SIGNS}]?\d[\d.,]{{0,20}}(?:FPP|SC)?"
# A tournament and its price, e.g. "$5+$0.50 USD", "500FPP", "Freeroll", "100+10", or empty.
TOURNAMENT = re.compile(
    rf"(?:Zoom )?Tournament #\d{{1,20}},\s{{1,4}}(?:Table #\d{{1,20}}, )?"
    rf"(?:(?:Freeroll|{PRICE}(?:\+{PRICE}){{0,3}})(?: [A-Z]{{3}}| Play Money)?\s{{1,4}}(?:- )?)?",
    re.ASCII,
)
MIXED = r"(?:[A-Z0-9][\w/-]{0,20}(?: [\w/-]{1,20}){0,3}(?: \(\d-Max\))? \()?"
LEVEL = r"(?: - (?:Match Round \w{1,10}, )?(?:Level \w{1,10})?)?"
KNOWN = "|".join(map(re.escape, sorted(codes("pokerstars"), key=len, reverse=True)))
# The part of the line before the blinds.
GAME = re.compile(
    rf"(?:{TOURNAMENT.pattern})?{MIXED}(?P<game>{KNOWN})(?:\)?{LEVEL}\s{{1,3}}\(|, )", re.ASCII
)
STAKES = re.compile(
    r"\((?:ante [^\s,]{1,20}, )?(?P<small>[^\s()/]{1,20})/(?P<big>[^\s()/]{1,20})"
    r"(?: - (?:Ante [^\s()]{1,20}|[^\s()]{1,20} Cap(?: -)?))?(?:\s{1,3}(?P<iso>[A-Z]{3}))?\s?\)",
    re.ASCII | re.IGNORECASE,
)


class Header(NamedTuple):
    """The contents of the first line of a hand. `at` is empty if the line has no time."""

    number: int
    code: Code
    sizes: tuple[Number, Number]
    currency: str
    at: str


def read_header(text: str) -> Header | Problem:
    """Return the contents of the first line of a hand, or why it can't be read."""
    title, _, rest = text[:LONGEST].partition(": ")
    number = title.rpartition("#")[2]
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        return Problem("hand", "not-read", f"no hand has the number {number[:40]!r}")
    rest = rest.strip()
    if rest.startswith("{"):  # the name of a home game club can be any text
        rest = rest.rpartition("}")[2].lstrip()
    game = GAME.match(rest)
    if game is None:
        games = ", ".join(codes("pokerstars"))
        words = rest.partition(" (")[0]
        return Problem(
            "game",
            "unknown-game",
            f"the game {words[:60]!r} is unknown; the format's games are {games}",
        )
    sizes = STAKES.match(f"({rest[game.end() :]}")
    small, big = (read_chips(sizes[each]) for each in ("small", "big")) if sizes else (None, None)
    if sizes is None or small is None or big is None:
        return Problem("stakes", "not-read", "the blinds must be in brackets after the game")
    sign = sizes["small"][0] if sizes["small"][0] in SIGNS else ""
    currency = f"{sign}{sizes['iso'] or ''}" if sign else ""
    code = codes("pokerstars")[game["game"]]
    return Header(int(number), code, (small, big), currency, read_time(rest))


Record = dict[str, Any]
# the line between hands sent by e-mail
ARCHIVE = re.compile(r"\*{3,40} # \d{1,10} \*{3,40}", re.ASCII)
SHOWDOWN = frozenset(("shows", "mucks"))
SHORT = {"folds": "f", "checks": "cc", "calls": "cc", "mucks": "sm"}
BUTTON = re.compile(r" Seat #(\d{1,3}) is the button", re.ASCII)


def read_pokerstars(text: str) -> list[Imported]:
    """Return the hands of a text, then its unreadable lines."""
    return list(iter_pokerstars(text))


def iter_pokerstars(text: str) -> Iterator[Imported]:
    """Yield the hands of a text one by one, then its unreadable lines."""
    left_out: list[Line] = []
    hand: list[Line] = []
    for number, full in enumerate(lines(text), 1):
        line = Line(number, full.removesuffix("\n").removesuffix("\r").removeprefix("\ufeff"))
        if line.text.startswith(STARTS):
            if hand:
                yield _hand(hand, left_out)
            hand = [line]
        elif ARCHIVE.fullmatch(line.text.strip()):
            continue
        elif hand:
            hand += [line] if len(hand) <= MOST_LINES else []
        elif line.text.strip() and len(left_out) <= MOST_UNREAD:
            left_out.append(line)
    if hand:
        yield _hand(hand, left_out)
    for place, line in enumerate(left_out):
        text = unread(place, NOT_UNDERSTOOD, line.text)
        problem = Problem(f"line {line.number}", "not-read", text)
        yield Imported(None, [problem], line=line.number)


def _hand(lines: Sequence[Line], left_out: list[Line]) -> Imported:
    first = lines[0]
    if len(lines) > MOST_LINES:
        too_long = Problem("", "too-long", f"the hand has more than {MOST_LINES:,} lines")
        return Imported(None, [too_long], line=first.number)
    header = read_header(first.text)
    if isinstance(header, Problem):
        return Imported(None, [header], line=first.number)
    table = lines[1].text[-LONGEST:] if len(lines) > 1 else ""
    button = BUTTON.search(table)
    if button is None:
        wrong = Problem("button", "missing", "the second line names no button")
        return Imported(None, [wrong], header.number, first.number)
    hand = sort_lines(lines[2:])
    problems = list(_problems(hand))
    if problems:
        return Imported(None, problems, header.number, first.number)
    record, problems = _record(header, hand, int(button[1]))
    left_out += hand.unread[: MOST_UNREAD + 1 - len(left_out)]
    return Imported(record, problems, header.number, first.number)


def _problems(hand: HandLines) -> Iterator[Problem]:
    names = [seat.name for seat in hand.seats]
    if not names or hand.crowded:
        text = (
            f"the text lists more than {MOST_SEATS} seats" if names else "the text lists no seats"
        )
        yield Problem("players", "no-players", text)
    if len(set(names)) < len(names):
        yield Problem("players", "name-twice", "two players have the same name")
    sizes = {len(cards) for cards in hand.runs.values()}
    if hand.is_run and not (LEAST_RUNS <= len(hand.runs) <= MOST_RUNS and len(sizes) == 1):
        text = f"the text must deal {LEAST_RUNS} to {MOST_RUNS} runs with the same number of cards"
        yield Problem("runs", "bad-runs", text)
    if len(hand.acts) > MOST_ACTIONS // 2:
        yield Problem("actions", "wrong-type", "the hand has too many actions")
    if not all(map(is_chips, _numbers(hand))):
        yield Problem("", "bad-chips", "an amount is too large or too fine")


def _numbers(hand: HandLines) -> Iterator[Number]:
    yield from (seat.chips for seat in hand.seats)
    yield from (step.chips for step in (*hand.posts, *hand.acts))
    for taken in hand.collected.values():
        yield from taken
    yield hand.rake


# --- the record ---------------------------------------------------------------------------------


def _record(header: Header, hand: HandLines, button: int) -> tuple[Record | None, list[Problem]]:
    places = places_of((*header.sizes, *_numbers(hand)))
    acted = {act.seat for act in (*hand.posts, *hand.acts)} | hand.known.keys()
    acted |= hand.collected.keys()
    playing = sorted((seat for seat in hand.seats if seat.name in acted), key=lambda s: s.number)
    if not playing:
        return None, [Problem("players", "no-players", "the hand has no players")]
    seats = {seat.name: at for at, seat in enumerate(playing)}
    posts = list(_posts(header, hand, seats, places))
    builder = RecordBuilder(_start(header, hand, playing, button, places), posts)
    known = {seats[name]: cards for name, cards in hand.known.items() if name in seats}
    builder.deal(known)
    for act in _shown_once(hand.acts) if hand.runs else hand.acts:
        if act.verb == "board":
            if builder.table is not None and builder.table.slots_due:
                builder.board(act.cards)
            continue
        seat = seats[act.seat]
        if act.verb in SHORT:
            builder.do(f"p{seat + 1} {SHORT[act.verb]}")
        elif act.verb == "shows":
            builder.do(f"p{seat + 1} sm {write_cards(act.cards)}")
        else:
            builder.bet_to(seat, to_units(act.chips, places) or 0)
    record, problems = builder.ended()
    if record is not None and hand.collected:
        took = {
            name: sum(to_units(chips, places) or 0 for chips in taken)
            for name, taken in hand.collected.items()
            if name in seats
        }
        if not hand.rake:
            record["took"] = took
        elif len(took) > 1:  # the rake alone determines what a single winner collected
            record["about"]["collected"] = [took.get(seat.name, 0) for seat in playing]
    return record, problems


def _shown_once(acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the actions of a hand with runs, in which players show their cards after each run.

    A player who mucks in one run and shows in another shows.
    """
    shows = {act.seat for act in acts if act.verb == "shows"}
    done: set[str] = set()
    for act in acts:
        if act.verb in SHOWDOWN:
            if act.seat in done or (act.verb == "mucks" and act.seat in shows):
                continue
            done.add(act.seat)
        yield act


def _start(
    header: Header, hand: HandLines, playing: list[Seat], button: int, places: int
) -> Record:
    small, big = (to_units(each, places) or 0 for each in header.sizes)
    stakes: Record = {"min": big, "blinds": [small, big]}
    if header.code.sizes == "fixed":
        stakes = {"small": small, "big": big, "blinds": _blinds(header, hand, places)}
    if header.code.betting:
        stakes["betting"] = header.code.betting
    behind = [at for at, seat in enumerate(playing) if seat.number <= button]
    about: Record = {"format": "pokerstars", "hand": header.number}
    about["seats"] = [seat.number for seat in playing]
    values = {"at": header.at, "currency": header.currency, "places": places}
    about |= {key: value for key, value in values.items() if value}
    if hand.rake:
        about["rake"] = to_units(hand.rake, places) or 0
    runs = [{"board": [format_cards(cards)]} for cards in hand.runs.values()]
    return {
        "variant": header.code.game,
        "button": behind[-1] if behind else len(playing) - 1,
        "players": [{"name": seat.name} for seat in playing],
        "stacks": [to_units(seat.chips, places) for seat in playing],
        "stakes": stakes,
        "about": about,
        **({"runs": runs} if runs else {}),
    }


def _blinds(header: Header, hand: HandLines, places: int) -> list[int]:
    """Return the blinds of a fixed-limit game, whose first line contains only the bets.

    The big blind equals the small bet, even if a player could not post it in full.
    """
    posted = {post.verb: to_units(post.chips, places) or 0 for post in reversed(hand.posts)}
    least = to_units(header.sizes[0], places) or 0
    return [posted.get("small blind", 0), max(posted.get("big blind", 0), least)]


def _posts(header: Header, hand: HandLines, seats: dict[str, int], places: int) -> Iterator[str]:
    """Yield the antes and blinds. A new player's second big blind does not change the turn."""
    antes = sum(post.verb == "the ante" for post in hand.posts)
    big = to_units(header.sizes[1], places) or 0
    if header.code.sizes == "fixed":
        big = _blinds(header, hand, places)[1]
    seen: set[str] = set()
    for post in hand.posts:
        who, chips = f"p{seats[post.seat] + 1}", to_units(post.chips, places) or 0
        verb = POSTS[post.verb]
        if verb == "ante" and antes < len(seats):
            # if only some players post an ante, the others can't call it, so it is dead
            verb = "dead"
        if verb == "blind" and post.verb in seen:
            verb = "post" if post.verb == "big blind" else "dead"
        if post.verb == "small & big blinds" and chips > big:
            yield f"{who} dead {chips - big}"
            chips = big
        seen.add(post.verb)
        yield f"{who} {verb} {chips}"
