"""A hand action by action: each one is read and carried out as far as it can be.

`rules.history.setup` sets the table, `rules.history.ending` goes on from its end. What the table
did otherwise than the rules say is noted at the table, never an exception; what can't be carried
out changes nothing.
"""

from collections.abc import Iterable
from functools import lru_cache

from rules.history.actions import NOTHING, Action, Unreadable, parse_action
from rules.history.setup import force
from rules.history.table import Table, wrong
from rules.history.verbs import betting, card_play, dealer, hand_swaps, table_play
from rules.history.verbs.posting import Verb, posting, take


def act(table: Table, text: str) -> None:
    """One action, carried out as far as it can be."""
    _act_all(table, (text,))


def play(table: Table, actions: Iterable[str]) -> None:
    """All actions of a hand, one after the other."""
    _act_all(table, actions)
    _end_last_round(table)
    table.index = -1


def _end_last_round(table: Table) -> None:
    """Once all who could still act show or muck, the last round of betting is over: checks that
    were not told are taken as made (docs/history.md)."""
    last = table.at == len(table.script.stages) - 1 and not table.over
    if not last or table.stage.kind != "bet" or table.limit.kind == "mid":
        return
    waiting = [table.seats[index] for index in table.waiting]
    if all(seat.shown is not None and seat.bet >= table.high for seat in waiting):
        force(table)


def _act_all(table: Table, actions: Iterable[str]) -> None:
    players = len(table.seats)
    for index, text in enumerate(actions, table.index + 1):
        table.index = index
        do, action = _bound(text)
        if action.seat < players:
            do(table, action)
        else:
            told = f"there are {players} players, no p{action.seat + 1}"
            wrong(table, "unknown-player", told, fatal=True)


@lru_cache(maxsize=65536)
def _bound(text: str) -> tuple[Verb, Action]:
    """What is to be done for a text; the same texts come in most hands."""
    action = parse_action(text)
    if isinstance(action, Unreadable):
        return _unreadable(action.reason), NOTHING
    return VERBS[action.verb], action


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
    "ante": posting("ante"),
    "blind": posting("bet"),
    "straddle": posting("bet"),
    "post": posting("bet", posted=True),
    "dead": posting("dead"),
    "penalty": table_play.pay_toll,
    "put": posting("stake"),
    "take": take,
    "sd": card_play.throw_away,
    "buy": card_play.buy,
    "pick": table_play.pick,
    "swap": hand_swaps.swap,
    "keep": table_play.keep,
    "push": table_play.push,
    "bid": table_play.bid,
    "pass": card_play.pass_on,
    "tu": card_play.turn_over,
    "set": card_play.lay,
    "in": card_play.stay,
    "out": card_play.drop_out,
    "declare": card_play.declare,
    "sm": card_play.show,
    "dh": dealer.deal,
    "dd": dealer.deal,
    "du": dealer.deal,
    "db": dealer.deal_board,
    "tb": dealer.turn_board,
    "rb": dealer.replace_board,
    "rr": dealer.remove_row,
    "dc": dealer.deal_common,
    "dt": dealer.deal_tiebreak,
    "burn": dealer.do_nothing,
    "shuffle": dealer.do_nothing,
    "fact": dealer.state_fact,
}
