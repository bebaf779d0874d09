"""What came of hands that were replayed: one answer a record, many settled together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.errors import Problem
from rules.game.hand import Hand
from rules.history import ending, replay, setup
from rules.history.table import Irregularity, Table
from rules.settlement.pots import uncalled
from rules.settlement.settle import collector_paused, settle_hands

Answer = dict[str, Any]
Report = dict[str, str]


class Settled(NamedTuple):
    """Chips by seat, and what looks wrong."""

    won: list[int]
    net: list[int]
    findings: list[Report]


@dataclass(slots=True)
class _Played:
    """A record on its way: the table it came to, the hand at its end, what is in the way."""

    table: Table | None = None
    hand: Hand | None = None
    problems: list[Problem] = field(default_factory=list)  # no table, or no settlement
    settled: Settled | None = None


def replay_record(record: object, *, strict: bool = False) -> Answer:
    """What came of one record; see `replay_many`."""
    return replay_many([record], strict=strict)[0]


def replay_many(records: Iterable[object], *, strict: bool = False) -> list[Answer]:
    """What came of each record with actions: stacks, winnings, errors, findings.

    Strict, every action against the rules is an error; as it happened, only what could not be
    carried out is one and the rest are findings. `won` and `finishing_stacks` are told whenever
    the hand can be settled, errors or not. A stack that nobody counted is None.
    """
    with collector_paused():  # the tables are gone again before it looks for cycles
        played = [_play(record) for record in records]
        compared = [one for one in played if one.hand is not None]
        hands = [one.hand for one in compared if one.hand is not None]
        answers = settle_hands(hands, brief=True)
        for one, answer in zip(compared, answers, strict=True):
            if "errors" in answer:
                one.problems = [Problem(**error) for error in answer["errors"]]
            else:
                won, net = list(answer["won"].values()), list(answer["net"].values())
                one.settled = Settled(won, net, answer["findings"])
        return [_answer(one, strict=strict) for one in played]


def final_record(record: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The record of the end that the actions came to, and all that keeps it from being settled."""
    told = record if isinstance(record, Mapping) else {}
    table, problems = _table_at_end(record)
    return (None, problems) if table is None else record_at_end(table, told)


def record_at_end(
    table: Table, told: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The same of a table on which all actions of a record have been played."""
    wrong = [
        problem_of(irregularity) for irregularity in table.irregularities if irregularity.fatal
    ]
    if not table.over:
        return None, [*wrong, Problem("actions", "not-finished", _stops_at(table))]
    return ending.final_record(table, told), wrong


def _table_at_end(record: object) -> tuple[Table | None, list[Problem]]:
    if not isinstance(record, Mapping):
        return None, [Problem("", "wrong-type", "a record is an object")]
    table, problems = setup.begin(record)
    if table is not None:
        replay.play(table, record["actions"])
    return table, problems


def _play(record: Any) -> _Played:
    table, problems = _table_at_end(record)
    if table is None:
        return _Played(problems=problems)
    if not table.over:
        return _Played(table)
    taker = ending.taker(table, record)
    if taker is not None:
        _, returned = uncalled([seat.paid - seat.dead for seat in table.seats])
        won, net = [0] * len(table.seats), [-seat.paid for seat in table.seats]
        won[taker] = table.pot - returned
        net[taker] += table.pot
        return _Played(table, settled=Settled(won, net, []))
    hand, problems = ending.final_hand(table, record)
    return _Played(table, hand, problems)


def problem_of(irregularity: Irregularity) -> Problem:
    """The irregularity as a problem of the record, at its action."""
    where = f"actions/{irregularity.at}" if irregularity.at >= 0 else "actions"
    return Problem(where, irregularity.code, irregularity.text)


def _stops_at(table: Table) -> str:
    return f"the hand stops at {table.stage.text!r}"


def _answer(one: _Played, *, strict: bool) -> Answer:
    table, settled = one.table, one.settled
    if table is None:
        errors = [problem.as_dict() for problem in one.problems]
        return {"starting_stacks": [], "finishing_stacks": None, "won": None,
                "errors": errors, "findings": []}  # fmt: skip
    errors, findings = _told(table, strict=strict)
    errors += [problem.as_dict() for problem in one.problems]
    if settled is not None:
        findings += settled.findings
    settleable = settled is not None or not table.over  # while it goes on nobody has won
    return {
        "starting_stacks": [seat.start for seat in table.seats],
        "finishing_stacks": _finishing(table, settled) if settleable else None,
        "won": ([0] * len(table.seats) if settled is None else settled.won) if settleable else None,
        "errors": errors,
        "findings": findings,
    }


def _told(table: Table, *, strict: bool) -> tuple[list[Report], list[Report]]:
    """The irregularities of a table as errors and as findings."""
    errors: list[Report] = []
    findings: list[Report] = []
    for irregularity in table.irregularities:
        error = irregularity.fatal or (strict and not irregularity.stands)
        (errors if error else findings).append(problem_of(irregularity).as_dict())
    if not table.over:
        unfinished = Problem("actions", "not-finished", _stops_at(table)).as_dict()
        (errors if strict else findings).append(unfinished)
    return errors, findings


def _finishing(table: Table, settled: Settled | None) -> list[int | None]:
    """What is left to everybody; against a bank, and where losers match the pot, the settlement
    says who put in what."""
    if settled is None:
        return [None if seat.start is None else seat.stack for seat in table.seats]
    return [
        None if seat.start is None else seat.start + net
        for seat, net in zip(table.seats, settled.net, strict=True)
    ]
