"""From a record with actions to the table at its end, read from top to bottom.

begin -> act, one action at a time; `rules.history.ending` goes on from there. What the table did
otherwise than the rules say is a trouble of the table, never an exception; what can't be carried
out changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from rules import dealt
from rules.game import Game
from rules.history import betting, dealing, playing
from rules.history.actions import (
    MOST_ACTION,
    MOST_ACTIONS,
    NOTHING,
    Action,
    Unreadable,
    read_action,
)
from rules.history.script import script_of
from rules.history.stages import advance
from rules.history.stakes import Stakes, read_stakes
from rules.history.table import UNKNOWN_STACK, Seat, Table, pay, wrong
from rules.reader import Reader
from rules.record import RECORD_KEYS, Problem, are_names

Record = dict[str, Any]
Seats = tuple[int, ...]
Verb = Callable[[Table, Action], None]

# --- begin --------------------------------------------------------------------------------------


def begin(record: Mapping[str, Any]) -> tuple[Table | None, list[Problem]]:
    """The table before the first action, or None with everything that is wrong."""
    reader = Reader(record)
    if not record.keys() <= RECORD_KEYS:
        reader.unknown_keys("", record, RECORD_KEYS)
    found = dealt.game_of(record)
    reader.problems += [Problem(*problem) for problem in found.problems]
    names = _names(record.get("players")) or [player.name for player in reader.players()]
    button = reader.button(len(names))
    stakes, wrong_stakes = read_stakes(record.get("stakes"))
    stacks = _stacks(reader, record.get("stacks"), len(names))
    known = len(reader.problems)
    problems = [*reader.problems, *wrong_stakes, *_action_problems(record.get("actions"))]
    if "about" in record:
        problems += _about_problems(record["about"])
    names_at = {name: at for at, name in enumerate(names)} if "carried" in record else {}
    carried = reader.carried(names_at)
    problems += reader.problems[known:]
    if found.game is None or problems:
        return None, problems
    seats = [
        Seat(name, stack, UNKNOWN_STACK if stack is None else stack)
        for name, stack in zip(names, stacks, strict=True)
    ]
    table = set_table(found.game, stakes, button, seats, record["actions"])
    table.pot += sum(some.amount for some in carried)
    return table, []


def _names(raw: object) -> list[str]:
    """The names of players of whom nothing else is told, the usual case; none otherwise."""
    if type(raw) is not list or set(map(type, raw)) != {dict} or set(map(len, raw)) != {1}:
        return []
    names = [player.get("name") for player in raw]
    return names if are_names(names) else []


def _stacks(reader: Reader, raw: object, count: int) -> list[int | None]:
    """What everybody began with, None where nobody counted it."""
    if raw is None:
        return [None] * count
    if not isinstance(raw, list) or len(raw) != count:
        reader.problem("stacks", "wrong-type", f"a list of {count} stacks is needed here")
        return [None] * count
    return [
        stack if stack is None else reader.chips("stacks", stack, at)
        for at, stack in enumerate(raw)
    ]


def _about_problems(raw: object) -> Iterable[Problem]:
    """Where a record came from is not read here, but what writes it again relies on its shape."""
    if raw is None:
        return
    if not isinstance(raw, dict):
        yield Problem("about", "wrong-type", "an object is needed here")
        return
    places = raw.get("places", 0)
    if type(places) is not int or not 0 <= places <= MOST_PLACES:
        yield Problem("about/places", "wrong-type", f"a number from 0 to {MOST_PLACES} is needed")
    if not isinstance(raw.get("fields", {}), dict):
        yield Problem("about/fields", "wrong-type", "an object is needed here")


MOST_PLACES = 9


def _action_problems(raw: object) -> Iterable[Problem]:
    if type(raw) is list and len(raw) <= MOST_ACTIONS and set(map(type, raw)) <= {str}:
        if not raw or max(map(len, raw)) <= MOST_ACTION:
            return ()
    elif not isinstance(raw, list | tuple) or len(raw) > MOST_ACTIONS:
        text = f"a list of at most {MOST_ACTIONS} actions is needed here"
        return [Problem("actions", "missing" if raw is None else "wrong-type", text)]
    return [
        Problem(f"actions/{at}", "wrong-type", f"an action is a text of {MOST_ACTION} characters")
        for at, text in enumerate(raw)
        if type(text) is not str or len(text) > MOST_ACTION
    ]


def set_table(
    game: Game, stakes: Stakes, button: int, seats: list[Seat], actions: Iterable[str] = ()
) -> Table:
    """Everybody sits, the antes and blinds that the stakes tell are in."""
    count = len(seats)
    order, after = seating(count, button, 1 if game.clockwise else -1)
    told = "\n".join(actions)
    table = Table(
        game=game,
        script=script_of(game),
        stakes=stakes,
        button=button,
        seats=seats,
        order=order,
        after=after,
        left=count,
        own_antes=" ante" in told,
        own_blinds=" blind " in told or " straddle " in told or " post " in told,
    )
    if game.bank:  # the dealer is the bank and holds no hand
        table.left -= 1
    else:
        _post(table)
    advance(table)
    return table


@lru_cache(maxsize=1024)
def seating(count: int, button: int, step: int) -> tuple[Seats, tuple[Seats, ...]]:
    """The seats from the first to be dealt to, and those behind each seat, in turn."""
    order = tuple([(button + step * at) % count for at in range(1, count + 1)])
    after = {seat: order[at + 1 :] + order[:at] for at, seat in enumerate(order)}
    return order, tuple([after[seat] for seat in range(count)])


def _post(table: Table) -> None:
    stakes, seats = table.stakes, table.seats
    bomb = table.script.bomb
    if not table.own_antes:
        if stakes.antes:
            for seat, amount in betting.by_position(table.order, stakes.antes).items():
                _ante(table, seats[seat], amount)
        elif amount := (stakes.bomb if bomb and stakes.bomb else stakes.ante):
            for seat in table.order:
                _ante(table, seats[seat], amount)
    if not table.own_blinds and stakes.blinds and not bomb:
        for seat, amount in betting.by_position(table.order, stakes.blinds).items():
            seats[seat].bet += pay(table, seats[seat], abs(amount))


def _ante(table: Table, seat: Seat, amount: int) -> None:
    paid = pay(table, seat, amount)
    # antes that are not the same for all can't be stakes: nobody could call them
    if table.stakes.dead_ante or table.stakes.antes:
        seat.dead += paid


# --- act ----------------------------------------------------------------------------------------


def act(table: Table, text: str) -> None:
    """One action, carried out as far as it can be."""
    _act_all(table, (text,))


def play(table: Table, actions: Iterable[str]) -> None:
    """All actions of a hand, one after the other."""
    _act_all(table, actions)
    table.index = -1


def _act_all(table: Table, actions: Iterable[str]) -> None:
    players = len(table.seats)
    for text in actions:
        table.index += 1
        do, action = bound(text)
        if action.seat < players:
            do(table, action)
        else:
            told = f"there are {players} players, no p{action.seat + 1}"
            wrong(table, "unknown-player", told, fatal=True)


@lru_cache(maxsize=65536)
def bound(text: str) -> tuple[Verb, Action]:
    """What is to be done for a text; the same texts come in most hands."""
    action = read_action(text)
    if isinstance(action, Unreadable):
        return _unreadable(action.reason), NOTHING
    return VERBS[action.verb], action


def _pays(into: str, *, posted: bool = False) -> Verb:
    """A verb that puts chips in: as a bet, as dead chips, or as what the cards ask for."""

    def put_in(table: Table, action: Action) -> None:
        amount = action.amount
        if amount is None and into == "ante" and len(action.words) != 1:
            amount = table.stakes.ante
        if amount is None:
            wrong(table, "bad-amount", "how many chips?", fatal=True)
            return
        seat = table.seats[action.seat]
        _check_time(table, into, seat)
        paid = pay(table, seat, amount)
        if paid < amount and into == "dead":
            wrong(table, "wrong-size", f"{seat.name} has only {paid}")
        if into == "bet":
            seat.bet += paid
            seat.blind += 0 if posted else paid
            if table.stage.kind == "bet" and not table.acted:
                betting.open_round(table)
        elif into == "dead" or (into == "ante" and table.stakes.dead_ante):
            seat.dead += paid

    return put_in


def _check_time(table: Table, into: str, seat: Seat) -> None:
    if into in {"ante", "bet"} and (table.rounds > 1 or table.acted or table.over):
        wrong(table, "too-late", f"{seat.name} posts after the betting began")
    if into == "stake" and not table.game.bank:
        wrong(table, "no-such-step", "chips are put and taken against a bank alone")


def take(table: Table, action: Action) -> None:
    if action.amount is None:
        wrong(table, "bad-amount", "how many chips?", fatal=True)
        return
    table.seats[action.seat].took += action.amount


def _nothing(table: Table, action: Action) -> None:
    """A comment, or an empty text."""


def _unreadable(reason: str) -> Verb:
    def refuse(table: Table, action: Action) -> None:
        wrong(table, "not-an-action", reason, fatal=True)

    return refuse


VERBS: dict[str, Verb] = {
    "": _nothing,
    "f": betting.give_up,
    "cc": betting.check_or_call,
    "cbr": betting.bet_or_raise,
    "pb": betting.bring_in,
    "mid": betting.put_mid,
    "ante": _pays("ante"),
    "blind": _pays("bet"),
    "straddle": _pays("bet"),
    "post": _pays("bet", posted=True),
    "dead": _pays("dead"),
    "penalty": _pays("dead"),
    "put": _pays("stake"),
    "take": take,
    "sd": playing.throw_away,
    "buy": playing.buy,
    "pass": playing.pass_on,
    "tu": playing.turn_over,
    "set": playing.lay,
    "in": playing.stay,
    "out": playing.drop_out,
    "declare": playing.declare,
    "sm": playing.show,
    "dh": dealing.deal,
    "dd": dealing.deal,
    "du": dealing.deal,
    "db": dealing.deal_board,
    "tb": dealing.turn_board,
    "rb": dealing.replace_board,
    "rr": dealing.remove_row,
    "dc": dealing.deal_common,
    "dt": dealing.deal_tiebreak,
    "burn": dealing.do_nothing,
    "shuffle": dealing.do_nothing,
    "fact": dealing.state_fact,
}
