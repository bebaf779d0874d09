"""Replay a record action by action and settle its final state.

`rules.history.setup` sets up the table. An action that breaks a rule is reported at the table and
does not raise an exception. An action that cannot be carried out has no effect. The final state
becomes a hand or a record of final cards. The hands of many records are settled together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from rules.cards import UNSEEN, format_cards
from rules.errors import Problem
from rules.game.hand import SHOWDOWN, Hand, Player
from rules.history import setup
from rules.history.actions import NOTHING, Action, Unreadable, parse_action
from rules.history.setup import force
from rules.history.table import Irregularity, Seat, Table, board_rows, report
from rules.history.verbs import betting, card_play, dealer, table_play
from rules.history.verbs.table_play import Verb, posting, take
from rules.settlement.checks import counting_zones, hand_problems
from rules.settlement.pots import uncalled
from rules.settlement.reading import Reader, read
from rules.settlement.settle import collector_paused, settle_hands


def act(table: Table, text: str) -> None:
    """Carry out one action as far as possible."""
    _act_all(table, (text,))


def play(table: Table, actions: Iterable[str]) -> None:
    """Carry out all actions of a hand in order."""
    _act_all(table, actions)
    last = table.at == len(table.script.stages) - 1 and not table.over
    if last and table.stage.kind == "bet" and table.limit.kind != "mid":
        # if all players who could still act show or muck, they have checked (docs/history.md)
        waiting = [table.seats[index] for index in table.waiting]
        if all(seat.shown is not None and seat.bet >= table.high for seat in waiting):
            force(table)
    table.index = -1


def _act_all(table: Table, actions: Iterable[str]) -> None:
    players = len(table.seats)
    for index, text in enumerate(actions, table.index + 1):
        table.index = index
        do, action = _bound(text)
        if action.seat < players:
            do(table, action)
        else:
            reason = f"there is no p{action.seat + 1}; the hand has {players} players"
            report(table, "unknown-player", reason, fatal=True)


@lru_cache(maxsize=65536)
def _bound(text: str) -> tuple[Verb, Action]:
    """Return the function and the action for a string. Cached, because hands share most actions."""
    action = parse_action(text)
    if isinstance(action, Unreadable):
        reason = action.reason

        def refuse(table: Table, _action: Action) -> None:
            report(table, "not-an-action", reason, fatal=True)

        return refuse, NOTHING
    return VERBS[action.verb], action


VERBS: dict[str, Verb] = {
    "": dealer.do_nothing,
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
    "swap": table_play.swap,
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


Record = dict[str, Any]
KEPT = ("variant", "modifiers", "options", "button", "carried", "took", "match", "runs")


def is_finished(table: Table, record: Mapping[str, Any]) -> bool:
    """Return whether the hand is over, or whether only cards are left and `runs` deals them."""
    return table.over or ("runs" in record and not table.waiting and table.left > 1)


def final_hand(table: Table, record: Mapping[str, Any]) -> tuple[Hand | None, list[Problem]]:
    """Return the final hand, and every reason why it can't be settled."""
    if "runs" in record:
        return read(end_record(table, record))
    mucked = _mucked(table)
    names = {seat.name: at for at, seat in enumerate(table.seats)}
    reader = Reader(record)
    hand = Hand(
        game=table.game,
        variant=record["variant"] if type(record["variant"]) is str else table.game.name,
        depth=SHOWDOWN,
        button=table.button,
        players=[
            Player(
                seat.name,
                paid=seat.paid,
                dead=seat.dead,
                folded=not (seat.live or seat.killed),
                late=seat.late,
                mucked=at in mucked,
                all_in=seat.all_in,
                # payments to the bank can be derived from the cards
                paid_told=bool(seat.paid) or not table.game.bank,
                declared=seat.declared,
                down=seat.down,
                up=seat.up,
                out=seat.out,
                piles=seat.piles,
            )
            for at, seat in enumerate(table.seats)
        ],
        board=board_rows(table),
        carried=reader.carried(names) if "carried" in record else [],
        took=reader.took(names) if "took" in record else _taken_chips(table),
        tiebreaks=[
            {table.seats[seat].name: cards for seat, cards in dealt.items()}
            for dealt in table.tiebreaks
        ],
        odd_chip=str(table.game.chosen.get("odd_chip", "seat")),
        unit=int(table.game.chosen.get("unit", 1)),
        match=reader.match(names) if "match" in record else None,
    )
    for card, seats in table.shared:
        for at in seats:
            hand.players[at].shared = [*hand.players[at].shared, card]
    problems = reader.problems
    problems += hand_problems(hand, [card for card, _ in table.shared], problems)
    return (None if problems else hand), problems


def taker(table: Table, record: Mapping[str, Any]) -> int | None:
    """Return the seat that wins everything because all other players folded or mucked.

    Return None if hands are compared, if an action broke a rule, or if the cards may not fit the
    game.
    """
    left = [at for at, seat in enumerate(table.seats) if seat.live and seat.shown is not False]
    if len(left) != 1 or table.irregularities or table.again or not table.script.plain:
        return None
    if record.get("carried") or record.get("took") is not None or table.tiebreaks:
        return None
    if "runs" in record:
        return None
    if table.game.match is not None:  # the pot may be kept for the next deal
        return None
    seats, last = table.seats, table.seats[left[0]]
    short = last.paid - last.dead < max([seat.paid - seat.dead for seat in seats])
    unseen = table.left > 1 and _is_unseen(table, last)
    return None if short or unseen or len(seats) > table.game.players[1] else left[0]


def _taken_chips(table: Table) -> dict[str, int] | None:
    return {seat.name: seat.took for seat in table.seats if seat.took} or None


def end_record(table: Table, original: Mapping[str, Any]) -> Record:
    """Return the final record, in the form in which a phone stores a hand without actions."""
    record: Record = {key: original[key] for key in KEPT if key in original}
    mucked = _mucked(table)
    record["players"] = [
        _recorded_player(table, seat, at in mucked) for at, seat in enumerate(table.seats)
    ]
    rows = board_rows(table, gaps="runs" in original)
    if rows:
        record["board"] = [format_cards(row) for row in rows]
    names = [seat.name for seat in table.seats]
    if table.shared:
        record["shared"] = [
            {"card": format_cards([card])[0], "for": [names[seat] for seat in seats]}
            for card, seats in table.shared
        ]
    if table.tiebreaks:
        record["tiebreaks"] = [
            {names[seat]: format_cards(cards) for seat, cards in dealt_hands.items()}
            for dealt_hands in table.tiebreaks
        ]
    if "took" not in record and (took := _taken_chips(table)):
        record["took"] = took
    return record


def _recorded_player(table: Table, seat: Seat, mucked: bool) -> Record:
    player: Record = {"name": seat.name, "paid": seat.paid}
    if table.game.bank and not seat.paid:
        del player["paid"]
    if seat.dead:
        player["dead"] = seat.dead
    if not seat.live and not seat.killed:
        player["folded"] = "late" if seat.late else True
    elif mucked:
        player["mucked"] = True
    if seat.all_in:
        player["all_in"] = True
    for zone, cards in (("down", seat.down), ("up", seat.up), ("out", seat.out)):
        if cards:
            player[zone] = format_cards(cards)
    if seat.piles:
        player["piles"] = {pile: format_cards(cards) for pile, cards in seat.piles.items()}
    if seat.declared:
        player["declared"] = seat.declared
    return player


def _mucked(table: Table) -> set[int]:
    """Return the players left who show nothing, because they muck or have unseen cards.

    If all players mucked, players with known cards show them.
    """
    live = [at for at, seat in enumerate(table.seats) if seat.live]
    if len(live) < 2 or table.game.bank:
        return set()
    unseen = {at for at in live if _is_unseen(table, table.seats[at])}
    away = {at for at in live if table.seats[at].shown is False}
    if unseen.union(away) != set(live):
        for at in sorted(unseen - away):
            name = table.seats[at].name
            if table.seats[at].shown is None:
                report(table, "cards-unknown", f"{name}'s cards are unknown and count as mucked")
        return unseen | away
    return unseen if unseen != set(live) else set()


def _is_unseen(table: Table, seat: Seat) -> bool:
    if UNSEEN not in seat.down and UNSEEN not in seat.up:
        return False
    zones = counting_zones(table.game)
    return ("down" in zones and UNSEEN in seat.down) or ("up" in zones and UNSEEN in seat.up)


Answer = dict[str, Any]
Report = dict[str, str]


class Settled(NamedTuple):
    """The result of a settlement: the chips, keyed by seat, and the findings."""

    won: list[int]
    net: list[int]
    findings: list[Report]


@dataclass(slots=True)
class _Played:
    """A record during its replay, with its table, the final hand, and any problems."""

    table: Table | None = None
    hand: Hand | None = None
    # reasons why there is no table or settlement
    problems: list[Problem] = field(default_factory=list)
    settled: Settled | None = None

    def answer(self, *, strict: bool) -> Answer:
        table, settled = self.table, self.settled
        if table is None:
            wrong = [problem.as_dict() for problem in self.problems]
            return {"starting_stacks": [], "finishing_stacks": None, "won": None,
                    "errors": wrong, "findings": []}  # fmt: skip
        errors: list[Report] = []
        findings: list[Report] = []
        for irregularity in table.irregularities:
            error = irregularity.fatal or (strict and not irregularity.stands)
            (errors if error else findings).append(problem_of(irregularity).as_dict())
        if not (table.over or self.hand or self.problems):
            unfinished = Problem("actions", "not-finished", _stops_at(table)).as_dict()
            (errors if strict else findings).append(unfinished)
        errors += [problem.as_dict() for problem in self.problems]
        starts = [seat.start for seat in table.seats]
        stacks: list[int | None] | None = None
        won: list[int] | None = None
        if settled is not None:
            findings += settled.findings
            # from the settlement, because of payments to a bank and losers who match the pot
            stacks = [
                None if start is None else start + net
                for start, net in zip(starts, settled.net, strict=True)
            ]
            won = settled.won
        elif not table.over:  # an unfinished hand has stacks but no winner
            stacks = [None if seat.start is None else seat.stack for seat in table.seats]
            won = [0] * len(starts)
        return {
            "starting_stacks": starts,
            "finishing_stacks": stacks,
            "won": won,
            "errors": errors,
            "findings": findings,
        }


def replay_record(record: object, *, strict: bool = False) -> Answer:
    """Replay and settle one record (see `replay_many`)."""
    return replay_many([record], strict=strict)[0]


def replay_many(records: Iterable[object], *, strict: bool = False) -> list[Answer]:
    """Replay and settle records with actions. Return stacks, winnings, errors and findings.

    If `strict` is true, every action against the rules is an error. Otherwise only actions that
    could not be carried out are errors, and other violations are findings. `won` and
    `finishing_stacks` are set whenever the hand can be settled, even if there are errors. The stack
    of a player whose chips were not counted is None.
    """
    # paused until the tables are freed, so that the garbage collector does not scan them
    with collector_paused():
        played = [_play(record) for record in records]
        compared = [played_hand for played_hand in played if played_hand.hand is not None]
        hands = [played_hand.hand for played_hand in compared if played_hand.hand is not None]
        answers = settle_hands(hands, brief=True)
        for played_hand, answer in zip(compared, answers, strict=True):
            if "errors" in answer:
                played_hand.problems = [Problem(**error) for error in answer["errors"]]
            else:
                won, net = list(answer["won"].values()), list(answer["net"].values())
                played_hand.settled = Settled(won, net, answer["findings"])
        return [played_hand.answer(strict=strict) for played_hand in played]


def final_record(record: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Return the final record, and every problem that prevents settlement."""
    fields = record if isinstance(record, Mapping) else {}
    table, problems = _table_at_end(record)
    return (None, problems) if table is None else record_at_end(table, fields)


def record_at_end(
    table: Table, record: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Return the result of `final_record` for a table on which all actions have been played."""
    wrong = [
        problem_of(irregularity) for irregularity in table.irregularities if irregularity.fatal
    ]
    if not is_finished(table, record):
        return None, [*wrong, Problem("actions", "not-finished", _stops_at(table))]
    return end_record(table, record), wrong


def _table_at_end(record: object) -> tuple[Table | None, list[Problem]]:
    if not isinstance(record, Mapping):
        return None, [Problem("", "wrong-type", "a record must be an object")]
    table, problems = setup.begin(record)
    if table is not None:
        play(table, record["actions"])
    return table, problems


def _play(record: Any) -> _Played:
    table, problems = _table_at_end(record)
    if table is None:
        return _Played(problems=problems)
    if not is_finished(table, record):
        return _Played(table)
    winner = taker(table, record)
    if winner is not None:
        _, returned = uncalled([seat.paid - seat.dead for seat in table.seats])
        won, net = [0] * len(table.seats), [-seat.paid for seat in table.seats]
        won[winner] = table.pot - returned
        net[winner] += table.pot
        return _Played(table, settled=Settled(won, net, []))
    hand, problems = final_hand(table, record)
    return _Played(table, hand, problems)


def problem_of(irregularity: Irregularity) -> Problem:
    """Return the irregularity as a problem of the record, located at its action."""
    where = f"actions/{irregularity.at}" if irregularity.at >= 0 else "actions"
    return Problem(where, irregularity.code, irregularity.text)


def _stops_at(table: Table) -> str:
    return f"the hand stops at {table.stage.text!r}"
