"""Record an import plan's hands in batches, each with its players and chips.

The import can be stopped after any batch. If a file reports chips before a player's hands, or its
stacks imply them, the chips are sold on the tab before the hands that need them. An unexplained
stack does not count as a purchase. Instead, the difference is reported and the night stays open.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid5

from django.db import transaction

from league.audit_log import Kind, log_action
from league.closing.chip_count import tally
from league.closing.close import Decisions, close_night
from league.closing.payments import LIVE, receive
from league.common.errors import (
    IdReusedError,
    NightClosedError,
    Problem,
    RefusedError,
    problem,
    refuse,
)
from league.hands.chip_movements import chip_totals
from league.hands.validation import Verdict
from league.hands.writing import write_hands
from league.imports.contents import (
    ImportDifference,
    ImportOptions,
    ImportProblem,
    import_problem,
)
from league.imports.grouping import COUNTED, REFUSED, PlannedNight, SettledHand, settled_hands
from league.imports.ledgers import (
    import_ledger,
    night_of,
    note_booked,
    other_chip,
    recorded_night,
    seated,
)
from league.imports.names import remember_matches
from league.imports.planning import ImportPlan
from league.jobs import closing_jobs
from league.models import (
    Hand,
    League,
    Night,
    PlannedPayment,
    Player,
    User,
)
from league.nights.buy_ins import buy_in
from league.nights.nights import lock_and_bump_open, stacks
from rules.formats import fitting
from rules.formats.amounts import Chip

Record = dict[str, Any]
Answer = dict[str, Any]


@dataclass(slots=True)
class Report:
    """The result of an import or of its preview.

    `known` is the number of hands that were already recorded, and `nights` contains the number of
    hands per night. `findings` are rule violations in recorded hands. `differences` are stacks that
    are not explained by any hand or statement. `chip` and `is_whole` are the plan's.
    """

    recorded: int = 0
    known: int = 0
    refused: list[ImportProblem] = field(default_factory=list)
    nights: list[tuple[PlannedNight, int]] = field(default_factory=list)
    new_players: list[str] = field(default_factory=list)
    findings: list[ImportProblem] = field(default_factory=list)
    differences: list[ImportDifference] = field(default_factory=list)
    chip: Chip | None = None
    is_whole: bool = False


def preview(league: League, planned: ImportPlan, report: Report) -> Iterator[int]:
    """Report the expected result of recording the plan, as far as the rules determine it.

    Yields how many hands and ledgers have been checked.
    """
    _begin(planned, report)
    done = 0
    for night in planned.nights:
        good = 0
        for number, batch in settled_hands(league, night, report.refused):
            good += len(batch)
            report.findings += [finding for each in batch for finding in each.findings]
            yield done + number
        done += night.steps
        report.recorded += good
        report.nights.append((night, good))
        report.differences += night.differences


def record_plan(
    league: League, planned: ImportPlan, report: Report, *, options: ImportOptions, by: User | None
) -> Iterator[int]:
    """Record the plan, fill the report, and yield how many hands and ledgers are done."""
    _begin(planned, report)
    done = 0
    for night in planned.nights:
        before = report.recorded
        _import_ledger(league, night, report, by, counting=False)
        for number, good in settled_hands(league, night, report.refused):
            _record(league, night, good, report, by)
            yield done + number
        done += night.steps
        _import_ledger(league, night, report, by, counting=True)
        report.nights.append((night, report.recorded - before))
        report.differences += night.differences
        report.refused += _close(league, night, options, by)
        if night.ledger:
            yield done
    if options.called:
        remember_matches(league, options.called, [night.id for night, _hands in report.nights])
    log_action(
        Kind.IMPORTED,
        by=by,
        league=league,
        recorded=report.recorded,
        refused=sum(not each.keeps_open for each in report.refused),
        nights=sum(night.is_new for night, _hands in report.nights),
    )


def _begin(planned: ImportPlan, report: Report) -> None:
    report.known += planned.known
    report.refused += planned.refused
    report.new_players += planned.new_players
    report.chip, report.is_whole = planned.chip, planned.is_whole


def _import_ledger(
    league: League, planned: PlannedNight, report: Report, by: User | None, *, counting: bool
) -> None:
    wrong = import_ledger(league, planned, by=by, counting=counting)
    report.refused += wrong
    planned.doubts[REFUSED] += len(wrong)


# --- hands --------------------------------------------------------------------------------------


def _record(
    league: League,
    planned: PlannedNight,
    good: Sequence[SettledHand],
    report: Report,
    by: User | None,
) -> None:
    """Record all of the hands. If that fails, record them one by one to find the cause."""
    try:
        report.recorded += _record_all(league, planned, good, by)
        report.findings += [finding for hand in good for finding in hand.findings]
    except NightClosedError:
        closed = problem("night", "night-closed", f"the night {planned.name} is closed")
        report.refused += [hand.imported.refused(closed) for hand in good]
        planned.doubts[REFUSED] += len(good)
    except RefusedError as refused:
        if len(good) > 1:
            for hand in good:
                _record(league, planned, [hand], report, by)
        else:
            report.refused += [good[0].imported.refused(error) for error in refused.errors]
            planned.doubts[REFUSED] += 1


@transaction.atomic
def _record_all(
    league: League, planned: PlannedNight, good: Sequence[SettledHand], by: User | None
) -> int:
    if not good:
        return 0
    night = night_of(league, planned)
    lock_and_bump_open(night)
    recorded = Hand.objects.filter(pk__in=[hand.imported.id for hand in good])
    if recorded.exclude(night__season__league=league).exists():
        raise IdReusedError
    known = set(recorded.values_list("pk", flat=True))
    fresh = [hand for hand in good if hand.imported.id not in known]
    # all chips of a night must have the same value
    refuse(other_chip(night, {fitting.chip(hand.imported.record) for hand in fresh}))
    players = seated(night, (n for hand in fresh for n in fitting.names(hand.imported.record)))
    _top_up(night, fresh, players, by)
    settled = []
    for hand in fresh:
        record = hand.imported.record
        verdict = Verdict(
            record=record,
            variant=hand.variant,
            answer=hand.answer | {"variant": record["variant"]},
            names={name: players[name].pk for name in fitting.names(record)},
        )
        settled.append((Hand(id=hand.imported.id, night=night, made_at=hand.at), verdict))
    write_hands(night, settled, by=by)
    return len(fresh)


def _top_up(
    night: Night, fresh: Sequence[SettledHand], players: Mapping[str, Player], by: User | None
) -> None:
    """Sell players the chips that the files report, except chips that they already have.

    A stack that no file states must at least cover the chips that the player put in.
    """
    known = stacks(night)
    stand = {name: known.get(player.pk, 0) for name, player in players.items()}
    bought: Counter[str] = Counter()
    for hand in fresh:
        record, answer = hand.imported.record, hand.answer
        chips = chip_totals(record, answer)
        for player in record["players"]:
            name = player["name"]
            wanted = hand.explained.get(name, chips.paid[name])
            more = max(0, wanted - stand[name])
            bought[name] += more
            stand[name] += more - chips.paid[name] + chips.back[name]
    for name, more in bought.items():
        if more:
            first = fresh[0].imported.id
            buy_in_id = uuid5(night.pk, f"import:{first}:{players[name].pk}")
            buy_in(night, players[name], more, buy_in_id=buy_in_id, by=by)


# --- the end ------------------------------------------------------------------------------------


def _close(
    league: League, planned: PlannedNight, options: ImportOptions, by: User | None
) -> list[ImportProblem]:
    """Close the night, or return the reasons why it stays open."""
    night = recorded_night(league, planned)
    if night is None or night.state == Night.State.CLOSED:
        return []
    if planned.ledger and planned.events and (off := len(tally(night).off)):
        planned.doubts[COUNTED] += off
    reasons = planned.open_reasons()
    if reasons:
        closing_jobs.leave_to_host(night, closing_jobs.IN_DOUBT)
    if not options.close:
        return []
    if reasons:
        text = f"the night stays open until a host closes it: {'; '.join(reasons)}"
        return [_kept_open(planned, problem("close", "kept-open", text))]
    lines = tally(night).lines
    planned.seats = [line.name for line in lines]
    payers = planned.payers
    shared_by = [line.player for line in lines if line.name in payers]
    decisions = Decisions(by_hands=True, shared_by=shared_by, ended_at=planned.ends_at)
    try:
        with transaction.atomic():
            closing = close_night(
                night, uuid5(night.pk, "import:closing"), by=by, decisions=decisions
            )
            planned_payments = PlannedPayment.objects.filter(plan__closing=closing).order_by("pk")
            for payment in planned_payments if options.settled else ():
                if chips := payment.open_chips(*LIVE):
                    receive(payment, uuid5(closing.pk, f"settled:{payment.pk}"), chips, by=by)
    except RefusedError as refused:
        planned.refusals += [each["text"] for each in refused.errors]
        return [_kept_open(planned, each) for each in refused.errors]
    if planned.ledger:
        note_booked(night, planned)
    return []


def _kept_open(planned: PlannedNight, cause: Problem) -> ImportProblem:
    return replace(import_problem(cause, file=f"night {planned.name}"), keeps_open=True)
