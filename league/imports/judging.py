"""The hands of a planned night settled by the rules, and the chips followed from hand to hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.common.text import shown
from league.games.lookup import playables
from league.hands.chip_movements import moved, unaccounted
from league.hands.validation import answers_to
from league.imports.contents import ImportDifference, ImportProblem
from league.imports.grouping import DISPUTED, REFUSED, Found, PlannedNight, Stated
from league.models import LONGEST_NAME, League, Revision
from rules.api import replay_record
from rules.formats.amounts import in_own_unit
from rules.formats.hands import StackDifference

Record = dict[str, Any]
Answer = dict[str, Any]
AT_ONCE = 200
DISPUTES = frozenset(("stacks-differ",))


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand that the rules settle, with their answer and any rule violations.

    `variant` is what it was settled under. `explained` are the stacks before it, by name, as far as
    earlier statements and hands explain them.
    """

    at: datetime
    found: Found
    variant: Any
    answer: Answer
    findings: list[ImportProblem]
    explained: dict[str, int]


def judged(
    league: League, night: PlannedNight, refused: list[ImportProblem]
) -> Iterator[tuple[int, list[Judged]]]:
    """Yield the hands of a planned night that can be settled, some at a time.

    With the number of hands judged so far. Follows the chips of the players through all events.
    """
    done, play = 0, playables(league.pk)
    for at in range(0, len(night.events), AT_ONCE):
        some = night.events[at : at + AT_ONCE]
        found = [event for _, event in some if isinstance(event, Found)]
        records = [play(each.record) for each in found]
        # together, so that new games share the time limit of one request
        answers = answers_to(records, sent=[each.record for each in found])
        settled = iter(zip(records, answers, strict=True))
        good: list[Judged] = []
        for moment, event in some:
            if isinstance(event, Stated):
                difference = night.check.state(event.statement)
                _note(night, event.file, [difference], line=event.statement.line)
                continue
            record, answer = next(settled)
            if "errors" in answer:
                refused += [event.refused(each) for each in answer["errors"]]
                night.doubts[REFUSED] += 1
                continue
            findings = _findings(event, record, answer)
            explained = _follow(night, event, answer, findings)
            if not event.known:
                done += 1
                night.won.update(answer["net"])
                judged_ = Judged(moment, event, record["variant"], answer, findings, explained)
                good.append(judged_)
        yield done, good


def _follow(
    night: PlannedNight, found: Found, answer: Answer, findings: list[ImportProblem]
) -> dict[str, int]:
    """Follow the chips through a hand; return the stacks before it that are explained."""
    record, check = found.record, night.check
    stacks = record.get("stacks") or []
    names = [player["name"] for player in record["players"]]
    stated = {name: stack for name, stack in zip(names, stacks, strict=False) if stack is not None}
    _note(night, found.file, check.deal(stated), hand=str(found.hand), line=found.line)
    explained = {name: check.explained(name) for name in stated}
    chips = moved(record, answer)
    by_result = record.get("depth") == Revision.Depth.RESULT
    check.move({name: chips.back[name] - chips.paid[name] for name in names}, by_result=by_result)
    differs = any(each.code in DISPUTES for each in findings)
    if differs or any(chips.owed.values()) or unaccounted(record, answer):
        night.doubts[DISPUTED] += 1
    return explained


def _note(
    night: PlannedNight,
    file: str,
    differences: Sequence[StackDifference | None],
    *,
    hand: str = "",
    line: int = 0,
) -> None:
    night.differences += [
        ImportDifference(
            file=shown(file),
            night=night.name,
            player=each.player,
            expected=each.expected,
            stated=each.stated,
            hand=shown(hand)[:LONGEST_NAME],
            line=line,
        )
        for each in differences
        if each is not None
    ]


def _findings(found: Found, record: Record, answer: Answer) -> list[ImportProblem]:
    """Return what in a hand is against the rules, or other than its file says."""
    findings = answer["findings"]
    if "actions" in record:
        findings = in_own_unit(replay_record(record), record)["findings"]
    return [found.refused({"where": "", **each}) for each in findings]
