"""The table before the first action: seats, stacks, antes and blinds."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from rules.cards import UNSEEN
from rules.documents import game_lookup
from rules.errors import Problem
from rules.game import workload
from rules.game.game import Game
from rules.game.hand import MOST_CHIPS, MOST_PLACES, RECORD_KEYS, are_names
from rules.history.actions import MOST_ACTION, MOST_ACTIONS
from rules.history.betting_round import by_position
from rules.history.script import script_of
from rules.history.stages import advance
from rules.history.table import (
    Seat,
    Stakes,
    Table,
    fold,
    pay,
    place,
    read_stakes,
    report,
)
from rules.settlement.reading import Reader

OBJECTS, NUMBERS, TEXTS = {dict}, {int}, {str}


def begin(record: Mapping[str, Any]) -> tuple[Table | None, list[Problem]]:
    """Return the table before the first action, or None with all problems."""
    reader = Reader(record)
    if not record.keys() <= RECORD_KEYS:
        reader.unknown_keys("", record, RECORD_KEYS)
    dealt_game = game_lookup.game_of(record)
    reader.problems += dealt_game.problems
    listed: Any = record.get("players")
    # players usually have no other fields
    alone = type(listed) is list and {*map(type, listed)} == OBJECTS and {*map(len, listed)} == {1}
    names = [player.get("name") for player in listed] if alone else []
    if not names or not are_names(names):
        names = [player.name for player in reader.players()]
    button = reader.button(len(names))
    stakes, wrong_stakes = read_stakes(record.get("stakes"))
    stacks = _stacks(reader, record.get("stacks"), len(names))
    problem_count = len(reader.problems)
    problems = [*reader.problems, *wrong_stakes, *_action_problems(record.get("actions"))]
    if reason := workload.of_history(len(names), record.get("actions")):
        problems.append(Problem("actions", "wrong-type", reason))
    if "about" in record:
        problems += _about_problems(record["about"])
    carried = (
        reader.carried({name: at for at, name in enumerate(names)}) if "carried" in record else []
    )
    problems += reader.problems[problem_count:]
    if dealt_game.game is not None and dealt_game.game.against_pot:
        text = "a hand of a game of bets against the pot can't be recorded by its actions"
        problems.append(Problem("actions", "no-such-step", text))
    if dealt_game.game is None or problems:
        return None, problems
    seats = [*map(Seat, names, stacks)]
    table = set_table(dealt_game.game, stakes, button, seats, record["actions"])
    if carried:
        table.pot += sum([pot.amount for pot in carried])
    return table, []


def _stacks(reader: Reader, raw: object, count: int) -> list[int | None]:
    """Return the starting stacks, with None for players whose chips were not counted."""
    if raw is None:
        return [None] * count
    if not isinstance(raw, list) or len(raw) != count:
        reader.problem("stacks", "wrong-type", f"a list of {count} stacks is required")
        return [None] * count
    if {*map(type, raw)} == NUMBERS and min(raw) >= 0 and max(raw) <= MOST_CHIPS:
        return raw  # fast path for the common case
    return [
        stack if stack is None else reader.chips("stacks", stack, at)
        for at, stack in enumerate(raw)
    ]


def _about_problems(raw: object) -> Iterable[Problem]:
    """Check the shape of `about`. The replay ignores `about`, but exporters depend on the shape."""
    if raw is None:
        return
    if not isinstance(raw, dict):
        yield Problem("about", "wrong-type", "an object is required")
        return
    places = raw.get("places", 0)
    if type(places) is not int or not 0 <= places <= MOST_PLACES:
        yield Problem("about/places", "wrong-type", f"a number from 0 to {MOST_PLACES} is required")
    units = raw.get("chip", 1)
    if type(units) is not int or not 1 <= units <= MOST_CHIPS:
        yield Problem("about/chip", "wrong-type", f"a number from 1 to {MOST_CHIPS} is required")
    if not isinstance(raw.get("fields", {}), dict):
        yield Problem("about/fields", "wrong-type", "an object is required")


def _action_problems(raw: object) -> Iterable[Problem]:
    if type(raw) is list and len(raw) <= MOST_ACTIONS and TEXTS.issuperset(map(type, raw)):
        if not raw or max(map(len, raw)) <= MOST_ACTION:
            return ()
    elif not isinstance(raw, list | tuple) or len(raw) > MOST_ACTIONS:
        text = f"a list of at most {MOST_ACTIONS} actions is required"
        return [Problem("actions", "missing" if raw is None else "wrong-type", text)]
    text = f"an action must be a string of at most {MOST_ACTION} characters"
    wrong = (at for at, each in enumerate(raw) if type(each) is not str or len(each) > MOST_ACTION)
    return [
        Problem(f"actions/{at}", "wrong-type", text) for at in islice(wrong, workload.MOST_PROBLEMS)
    ]


def set_table(
    game: Game, stakes: Stakes, button: int, seats: list[Seat], actions: Iterable[str] = ()
) -> Table:
    """Seat all players and post the antes and blinds of the stakes."""
    text = "\n".join(actions)
    table = Table(script_of(game), stakes, button, seats)
    table.own_antes = " ante" in text
    table.own_blinds = " blind " in text or " straddle " in text or " post " in text
    if game.bank:  # the dealer acts as the bank and does not hold a hand
        table.left -= 1
        advance(table)
        return table
    bomb = table.script.bomb
    antes: dict[int, int] = {}
    if stakes.antes:
        antes = by_position(table.order, stakes.antes)
    elif amount := (stakes.bomb if bomb and stakes.bomb else stakes.ante):
        antes = dict.fromkeys(table.order, amount)
    if not table.own_antes:
        for at, amount in antes.items():
            paid = pay(table, seats[at], amount)
            # unequal antes can't be part of the stakes, because the other players can't call them
            if stakes.dead_ante or stakes.antes:
                seats[at].dead += paid
    if not table.own_blinds and stakes.blinds and not bomb:
        for at, amount in by_position(table.order, stakes.blinds).items():
            seats[at].bet += pay(table, seats[at], abs(amount))
    advance(table)
    return table


# Advances a table to a later stage of the deal, if the record may omit the stages in between.


def arrive(table: Table, kinds: frozenset[str]) -> bool:
    """Advance to a stage of one of these kinds. Return false if there is no such stage."""
    if table.stage.kind in kinds:
        return True
    stages = table.script.stages
    target = next((at for at in range(table.at + 1, len(stages)) if stages[at].kind in kinds), None)
    if table.over or target is None:
        what = "the hand is over" if table.over else f"the game is at {table.stage.text!r}"
        report(table, "no-such-step", f"this action is not possible now: {what}")
        return False
    for _ in range(len(stages)):  # limits the loop, because stages repeat while cards are turned
        if table.at >= target:  # true at the end, because the end comes after every stage
            break
        if not _may_be_missing(table):
            report(
                table, "no-such-step", f"this action is not possible before {table.stage.text!r}"
            )
            return False
        force(table)
    return table.stage.kind in kinds


def _may_be_missing(table: Table) -> bool:
    """Return whether the record may omit the rest of a stage.

    It may omit cards that were dealt but not recorded, but not cards that were never dealt.
    """
    if table.stage.kind in {"board", "replace"}:
        return not table.owed
    if table.stage.kind == "deal" and table.owed and table.rounds:
        wanted = len(table.stage.zones)
        return any(seat.live and len(seat.owed) < wanted for seat in table.seats)
    return True


def force(table: Table) -> None:
    """Finish a stage whose actions are missing, using the simplest assumption."""
    stage = table.stage
    if stage.kind == "bet":
        while table.waiting and not table.over:
            index = table.waiting[0]
            seat = table.seats[index]
            if table.high > seat.bet or table.limit.kind == "mid":
                report(
                    table,
                    "fold-missing",
                    f"{seat.name} did not respond to the bet and counts as folded",
                )
                fold(table, index)
            else:
                report(
                    table,
                    "check-missing",
                    f"{seat.name} did not act and counts as having checked",
                )
                del table.waiting[0]
    else:
        if table.owed:
            report(table, "cards-missing", f"some cards of {stage.text!r} are not recorded")
            for seat in table.seats:
                for zone in seat.owed:
                    place(table, seat, zone, UNSEEN)
                seat.owed = ()
            table.slots_due = ()
            table.common_due = False
            table.owed = 0
        if table.waiting:
            report(table, "step-missed", f"{stage.text!r} is not recorded for all players")
            table.waiting = []
    if not table.over:
        advance(table)
