"""Import Open Hand History: one JSON object `{"ohh": {...}}` per hand.

The importer follows the specification (https://hh-specs.handhistory.org) for games with a code.
`about` contains the header fields.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rules.cards import CARDS, UNSEEN, format_cards
from rules.errors import Problem
from rules.formats.amounts import is_chips, places_of, to_units
from rules.formats.games import codes
from rules.formats.hands import Imported, RecordBuilder
from rules.formats.text_files import LONGEST_HAND
from rules.formats.toml import to_json
from rules.game.hand import LEAST_RUNS, MOST_RUNS
from rules.history.actions import write_cards
from rules.json_text import EXACT, describe_error, next_value

Fields = Mapping[str, Any]
Record = dict[str, Any]
STUD = (
    "the format records neither the bring-in nor which cards "
    "are up nor whether the lowest hand wins"
)
UNTOLD = {  # reasons why the format can't fully describe these games
    "Stud": STUD,
    "StudHiLo": STUD,
    "Draw": "the format records neither discards nor which draw game was played",
}
TOLD = frozenset(("players", "rounds", "pots"))  # header fields that are already in the record


POSTS = {
    "Post Ante": "ante",
    "Post SB": "blind",
    "Post BB": "blind",
    "Straddle": "straddle",
    "Post Dead": "dead",
    "Post Extra Blind": "post",
}
PLAYS = {"Fold": "f", "Check": "cc", "Call": "cc", "Mucks Cards": "sm"}
BETS = frozenset(("Bet", "Raise"))
BETTING = frozenset(("Fold", "Check", "Call", *BETS))
# the flag of a hand whose board was dealt twice or more
RUN_FLAG = "Run_It_Twice"
# actions that do not belong to the hand
BESIDE = frozenset(("Added Chips", "Sits Down", "Stands Up"))


@dataclass(frozen=True, slots=True)
class Act:
    """One action of the file: the seat in the record, the kind, chips and cards."""

    seat: int
    what: str
    amount: int
    cards: tuple[int, ...]
    where: str


def read_ohh(text: str) -> Iterator[Imported]:
    """Yield the hands of a text, which may be in a list or follow each other."""
    at = counted = 0
    line = 1
    is_listed = False
    while True:
        try:
            at, is_listed = next_value(text, at, is_listed=is_listed)
            line += text.count("\n", counted, at)
            counted = at
            if at == len(text) and not is_listed:
                return
            value, at = _decoded(text, at)
        except (ValueError, RecursionError) as error:
            yield Imported(None, [Problem("", "not-json", describe_error(error))], line=line)
            return
        fields = value.get("ohh") if isinstance(value, Mapping) else None
        if not isinstance(fields, Mapping):
            wrong = Problem("ohh", "missing", "this is not a hand of Open Hand History")
            yield Imported(None, [wrong], line=line)
            continue
        record, problems = None, list(_problems(fields))
        if not problems:
            record, problems = _record(fields)
        yield Imported(record, problems, fields.get("game_number"), line)


def _decoded(text: str, at: int) -> tuple[object, int]:
    """Return the JSON value at a position, and its end. Errors state their place in the text."""
    part = text[at : at + LONGEST_HAND]
    try:
        value, length = EXACT.raw_decode(part)
    except json.JSONDecodeError as error:
        if len(part) == LONGEST_HAND:
            too_long = f"Not JSON or more than {LONGEST_HAND:,} characters"
            raise json.JSONDecodeError(too_long, text, at) from None
        raise json.JSONDecodeError(error.msg, text, at + error.pos) from None
    return value, at + length


def _game(fields: Fields) -> str:
    limit = fields.get("bet_limit")
    kind = limit.get("bet_type") if isinstance(limit, Mapping) else limit
    return f"{fields.get('game_type')} {kind}"


def _problems(fields: Fields) -> Iterator[Problem]:
    if _game(fields) not in codes("ohh"):
        kind = fields.get("game_type")
        why = UNTOLD.get(kind) if isinstance(kind, str) else None
        known = f"the format's games are {', '.join(codes('ohh'))}"
        yield Problem("game_type", "unknown-game", f"{_game(fields)[:60]!r}: {why or known}")
    for key in ("players", "rounds"):
        listed = fields.get(key)
        if not isinstance(listed, list) or not all(isinstance(item, Mapping) for item in listed):
            yield Problem(key, "missing", "a list of objects is required")
            return
    for at, player in enumerate(fields["players"]):
        for key in ("id", "seat", "name", "starting_stack"):
            kind = str if key == "name" else (int, Decimal)
            value = player.get(key)
            if not isinstance(value, kind) or (key != "name" and not is_chips(value)):
                yield Problem(f"players/{at}/{key}", "missing", f"the player has no {key}")
    for at, round_ in enumerate(fields["rounds"]):
        actions = round_.get("actions", [])
        if not (
            isinstance(actions, list)
            and all(
                isinstance(action, Mapping) and isinstance(action.get("action"), str)
                for action in actions
            )
        ):
            yield Problem(
                f"rounds/{at}", "wrong-type", "a round must have a street, cards and actions"
            )


# --- the table ----------------------------------------------------------------------------------


def _record(fields: Fields) -> tuple[Record | None, list[Problem]]:
    actions = [action for round_ in fields["rounds"] for action in round_.get("actions", ())]
    numbers = [fields.get(key) for key in (*BLINDS, "ante_amount")]
    numbers += [player["starting_stack"] for player in fields["players"]]
    numbers += [action.get("amount") for action in actions]
    if not all(number is None or is_chips(number) for number in numbers):
        return None, [Problem("", "bad-chips", "an amount is invalid, too large or too fine")]
    places = places_of(numbers)
    acted = {id_of(action) for action in actions if action["action"] not in BESIDE}
    playing = [player for player in fields["players"] if player["id"] in acted]
    players = sorted(playing, key=lambda player: player["seat"])
    if not players:
        return None, [Problem("players", "no-players", "the hand has no players")]
    seats = {player["id"]: at for at, player in enumerate(players)}
    acts, problems = acts_of(fields, seats, places)
    if problems:
        return None, problems
    runs = runs_of(fields)
    if isinstance(runs, Problem):
        return None, [runs]
    header = _header(fields, players, places)
    raise_to = uses_raise_to(fields, acts, places)
    if runs:
        header["runs"] = [{"board": [format_cards(run.cards)]} for run in runs]
        took = _took(fields, {player["id"]: player["name"] for player in players}, places)
        if took and sum(took.values()) == _sums(acts, raise_to=raise_to)[1]:
            header["took"] = took
    dealt = {at for run in runs for at in run.rounds}
    return _grown(fields, header, acts, dealt, raise_to=raise_to)


def _header(fields: Fields, players: list[Fields], places: int) -> Record:
    code = codes("ohh")[_game(fields)]
    seat = fields.get("dealer_seat")
    dealer = seat if type(seat) is int else 0
    behind = [at for at, player in enumerate(players) if player["seat"] <= dealer]
    small, big = (to_units(fields.get(key, 0), places) or 0 for key in BLINDS)
    stakes: Record = {"blinds": [small, big]} if big else {}
    if "FL" in code.code:
        stakes |= {"small": big, "big": 2 * big}
    elif big:
        stakes["min"] = big
    if code.betting:
        stakes["betting"] = code.betting
    about: Record = {
        "format": "ohh",
        "fields": {key: to_json(value) for key, value in fields.items() if key not in TOLD},
        "players": [
            {k: to_json(v) for k, v in player.items() if k not in {"name", "starting_stack"}}
            for player in players
        ],
    }
    if places:
        about["places"] = places
    return {
        "variant": code.game,
        "button": behind[-1] if behind else len(players) - 1,
        "players": [{"name": player["name"]} for player in players],
        "stacks": [to_units(player["starting_stack"], places) for player in players],
        "stakes": stakes,
        "about": about,
    }


BLINDS = ("small_blind_amount", "big_blind_amount")


@dataclass(slots=True)
class Run:
    """The cards that a run adds to the board, and the rounds that deal them."""

    cards: list[int]
    rounds: list[int]


def runs_of(fields: Fields) -> list[Run] | Problem:
    """Return the runs of a hand, or none if its board was dealt once.

    According to the specification, a hand that was run twice has several rounds of the same street.
    The streets of a run follow the last bet, and all runs deal the same streets.
    """
    rounds, streets = fields["rounds"], dict[str, list[int]]()
    for at, round_ in enumerate(rounds):
        if isinstance(street := round_.get("street"), str) and round_.get("cards"):
            streets.setdefault(street, []).append(at)
    counts = [len(places) for places in streets.values()]
    several = max(counts, default=0)
    flags = fields.get("flags")
    flagged = isinstance(flags, list) and RUN_FLAG in flags
    if several < LEAST_RUNS:
        text = "the hand was run several times, but its rounds contain only one board"
        return Problem("rounds", "bad-runs", text) if flagged else []
    repeated = [places for places in streets.values() if len(places) > 1]
    first = min(places[0] for places in repeated)
    bets = any(
        act["action"] in BETTING for each in rounds[first:] for act in each.get("actions") or ()
    )
    alike = counts == sorted(counts) and {1, several} >= set(counts)
    if bets or not alike or several > MOST_RUNS:
        text = f"streets dealt again must follow the last bet, up to {MOST_RUNS} times each"
        return Problem("rounds", "bad-runs", text)
    runs = []
    for numbers in zip(*repeated, strict=True):
        cards = [card for at in numbers for card in cards_of(rounds[at]["cards"])]
        runs.append(Run(cards, list(numbers)))
    return runs


def _took(fields: Fields, names: Mapping[Any, str], places: int) -> dict[str, int] | None:
    """Return the chips that each player won from pots without rake, or None if that is unclear."""
    took = dict.fromkeys(names.values(), 0)
    pots = fields.get("pots")
    for pot in pots if isinstance(pots, list) else []:
        wins = pot.get("player_wins") if isinstance(pot, Mapping) else None
        if not isinstance(wins, list) or pot.get("rake") or pot.get("jackpot"):
            return None
        for win in wins:
            name = names.get(id_of(win)) if isinstance(win, Mapping) else None
            chips = to_units(win.get("win_amount"), places) if name is not None else None
            if name is None or chips is None or chips < 0:
                return None
            took[name] += chips
    return took


def _grown(
    fields: Fields, header: Record, rounds: list[list[Act]], dealt: set[int], *, raise_to: bool
) -> tuple[Record | None, list[Problem]]:
    """Return the record. `dealt` contains the rounds whose cards belong to a run."""
    posted = [act for acts in rounds for act in acts if act.what in POSTS]
    antes = sum(act.what == "Post Ante" for act in posted)
    # if only some players post an ante, the others can't call it, so it is dead
    verbs = POSTS | ({"Post Ante": "dead"} if antes < len(header["players"]) else {})
    posts = [f"p{act.seat + 1} {verbs[act.what]} {act.amount}" for act in posted]
    added = sum(act.amount for acts in rounds for act in acts if act.what == "Add to Pot")
    if added:
        header["carried"] = added
    builder = RecordBuilder(header, posts)
    for at, (round_, acts) in enumerate(zip(fields["rounds"], rounds, strict=True)):
        board = cards_of(round_.get("cards")) if at not in dealt else []
        if board and builder.table is not None and builder.table.slots_due:
            builder.board(board)
        dealt_cards: dict[int, list[int]] = {}  # a player's cards may be dealt separately
        for act in acts:
            if act.what == "Dealt Cards":
                dealt_cards.setdefault(act.seat, []).extend(act.cards)
        builder.deal(dealt_cards)
        for act in acts:
            if act.what in PLAYS:
                builder.do(f"p{act.seat + 1} {PLAYS[act.what]}")
            elif act.what == "Shows Cards":
                known = act.cards and UNSEEN not in act.cards
                cards = write_cards(act.cards) if known else "-"
                builder.do(f"p{act.seat + 1} sm {cards}")
            elif act.what in BETS:
                before = 0 if raise_to and act.what == "Raise" else builder.in_front(act.seat)
                builder.bet_to(act.seat, before + act.amount)
    return builder.ended()


def id_of(action: Fields) -> Any:
    """Return the id of the acting player, or None if it is invalid."""
    player_id = action.get("player_id")
    return player_id if isinstance(player_id, int | Decimal) else None


def cards_of(raw: object) -> list[int]:
    """Parse a list of cards. Invalid cards count as unseen."""
    listed = raw if isinstance(raw, list) else []
    return [CARDS.get(card, UNSEEN) if isinstance(card, str) else UNSEEN for card in listed]


KNOWN = frozenset((*POSTS, *PLAYS, *BETS, "Dealt Cards", "Shows Cards", "Add to Pot"))


def acts_of(
    fields: Fields, seats: Mapping[Any, int], places: int
) -> tuple[list[list[Act]], list[Problem]]:
    """Return the actions of every round, and a problem for each unreadable action."""
    problems: list[Problem] = []
    rounds = []
    for number, round_ in enumerate(fields["rounds"]):
        acts = []
        for at, action in enumerate(round_.get("actions", ())):
            where = f"rounds/{number}/actions/{at}"
            what = action["action"]
            seat = seats.get(id_of(action), -1)
            amount = to_units(action.get("amount") or 0, places)
            if what in BESIDE:
                continue
            if what not in KNOWN:
                text = f"there is no action {what[:40]!r}"
                problems.append(Problem(where, "not-an-action", text))
            elif seat < 0 and what != "Add to Pot":
                problems.append(Problem(where, "unknown-player", "there is no such player"))
            elif amount is None or amount < 0:
                problems.append(Problem(where, "bad-chips", "an amount of chips is required"))
            else:
                cards = tuple(cards_of(action.get("cards")))
                acts.append(Act(seat, what, amount, cards, where))
        rounds.append(acts)
    return rounds, problems


def uses_raise_to(fields: Fields, rounds: list[list[Act]], places: int) -> bool:
    """Return whether the amount of a raise is the total bet instead of the chips put in.

    The specification defines it as the chips put in, but files differ. The pots show which
    definition a file uses.
    """
    pots = fields.get("pots")
    listed = pots if isinstance(pots, list) else []
    amounts = [to_units(pot.get("amount", 0), places) for pot in listed if isinstance(pot, Mapping)]
    whole = sum(amount for amount in amounts if amount)
    return whole in _sums(rounds, raise_to=True) and whole not in _sums(rounds, raise_to=False)


def _sums(rounds: list[list[Act]], *, raise_to: bool) -> tuple[int, int]:
    """Return the sum of the pots with and without uncalled chips."""
    paid: dict[int, int] = {}
    for acts in rounds:
        front: dict[int, int] = {}
        for act in acts:
            if act.what in {"Dealt Cards", "Shows Cards", "Mucks Cards", "Fold", "Check"}:
                continue
            dead = act.what in {"Post Ante", "Post Dead"}
            before = 0 if dead else front.get(act.seat, 0)
            added = act.amount - before if act.what == "Raise" and raise_to else act.amount
            paid[act.seat] = paid.get(act.seat, 0) + added
            if not dead:
                front[act.seat] = before + added
    stakes = sorted(paid.values(), reverse=True)
    uncalled = stakes[0] - stakes[1] if len(stakes) > 1 else 0
    return sum(stakes), sum(stakes) - uncalled
