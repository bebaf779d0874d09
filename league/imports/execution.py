"""Record the hands of a plan in batches, each with its players and chips, directly or by a worker.

It can be stopped after any batch. Chips that a file reports before a player's hands, and that its
stacks imply, are sold on the tab before the hands that need them. A stack that nothing explains is
no purchase: the difference is reported, and the night stays open.
"""

import logging
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.audit_log import Kind, log_action
from league.closing.chip_count import tally
from league.closing.close import Decisions, close_night
from league.closing.payments import LIVE, open_chips, receive
from league.common import bounds
from league.common.errors import IdReusedError, NightClosedError, RefusedError, problem, refuse
from league.common.text import tidy
from league.hands.chip_movements import chip_totals
from league.hands.validation import Verdict
from league.hands.writing import write_hands
from league.imports.contents import (
    EVERYONE,
    ImportDifference,
    ImportOptions,
    ImportProblem,
    Source,
    import_problem,
)
from league.imports.grouping import COUNTED, REFUSED, PlannedNight, SettledHand, settled_hands
from league.imports.planning import ImportPlan, night_of, plan, seated, take_ledger
from league.jobs import closing_jobs, leases
from league.models import (
    Closing,
    Hand,
    ImportJob,
    League,
    Night,
    PlannedPayment,
    Player,
    Revision,
    User,
)
from league.nights.nights import buy_in, lock_open_night, stacks
from rules.formats import fitting

Record = dict[str, Any]
Answer = dict[str, Any]


@dataclass(slots=True)
class Report:
    """The result of an import or of its preview: hands by night, known hands, problems.

    `findings` are those of hands that are recorded as they happened, `differences` the stacks that
    no hand or statement explains.
    """

    recorded: int = 0
    known: int = 0
    refused: list[ImportProblem] = field(default_factory=list)
    nights: list[tuple[PlannedNight, int]] = field(default_factory=list)
    new_players: list[str] = field(default_factory=list)
    findings: list[ImportProblem] = field(default_factory=list)
    differences: list[ImportDifference] = field(default_factory=list)


def look(league: League, planned: ImportPlan, report: Report) -> Iterator[int]:
    """Report what recording the plan would come to, as far as the rules can say.

    Yields how many hands were checked.
    """
    report.known += planned.known
    report.refused += planned.refused
    report.new_players += planned.new_players
    planned.doubt_refused()
    done = 0
    for night in planned.nights:
        good = 0
        for number, some in settled_hands(league, night, report.refused):
            good += len(some)
            report.findings += [finding for each in some for finding in each.findings]
            yield done + number
        done += night.hands
        report.recorded += good
        report.nights.append((night, good))
        report.differences += night.differences


def record_plan(
    league: League, planned: ImportPlan, report: Report, *, options: ImportOptions, by: User | None
) -> Iterator[int]:
    """Record the plan into the report. Yields how many hands were handled."""
    report.known += planned.known
    report.refused += planned.refused
    report.new_players += planned.new_players
    planned.doubt_refused()
    done = 0
    for night in planned.nights:
        before = report.recorded
        _take_ledger(league, night, report, by, counting=False)
        for number, good in settled_hands(league, night, report.refused):
            _record(league, night, good, report, by)
            yield done + number
        done += night.hands
        _take_ledger(league, night, report, by, counting=True)
        report.nights.append((night, report.recorded - before))
        report.differences += night.differences
        _close(league, night, report, options, by)
    log_action(
        Kind.IMPORTED,
        by=by,
        league=league,
        recorded=report.recorded,
        refused=len(report.refused),
    )


def _take_ledger(
    league: League, planned: PlannedNight, report: Report, by: User | None, *, counting: bool
) -> None:
    wrong = take_ledger(league, planned, by=by, counting=counting)
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
    """Record all of these. If that is refused, record them one by one to find the cause."""
    try:
        report.recorded += _record_all(league, planned, good, by)
        report.findings += [finding for each in good for finding in each.findings]
    except NightClosedError:
        closed = problem("night", "night-closed", f"the night {planned.name} is closed")
        report.refused += [each.found.refused(closed) for each in good]
        planned.doubts[REFUSED] += len(good)
    except RefusedError as refused:
        if len(good) > 1:
            for each in good:
                _record(league, planned, [each], report, by)
        else:
            report.refused += [good[0].found.refused(each) for each in refused.errors]
            planned.doubts[REFUSED] += 1


@transaction.atomic
def _record_all(
    league: League, planned: PlannedNight, good: Sequence[SettledHand], by: User | None
) -> int:
    if not good:
        return 0
    night = night_of(league, planned)
    lock_open_night(night)
    recorded = Hand.objects.filter(pk__in=[each.found.id for each in good])
    if recorded.exclude(night__season__league=league).exists():
        raise IdReusedError
    known = set(recorded.values_list("pk", flat=True))
    fresh = [each for each in good if each.found.id not in known]
    _same_chips(night, fresh)
    players = seated(night, (n for each in fresh for n in fitting.names(each.found.record)))
    _top_up(night, fresh, players, by)
    write_hands(night, [_settled(night, each, players) for each in fresh], by=by)
    return len(fresh)


def _settled(
    night: Night, settled_hands: SettledHand, players: Mapping[str, Player]
) -> tuple[Hand, Verdict]:
    record = settled_hands.found.record
    verdict = Verdict(
        record=record,
        variant=settled_hands.variant,
        answer=settled_hands.answer | {"variant": record["variant"]},
        names={name: players[name].pk for name in fitting.names(record)},
    )
    return Hand(id=settled_hands.found.id, night=night, made_at=settled_hands.at), verdict


def _same_chips(night: Night, fresh: Sequence[SettledHand]) -> None:
    """Refuse chips with another value than those imported into the night before."""
    before = Revision.objects.filter(hand__night=night, current=True).order_by("-hand__number")
    last = before.values_list("record", flat=True).first()
    places = fitting.places(last) if last else None
    if places is None:
        return
    for each in fresh:
        if fitting.places(each.found.record) not in (None, places):
            text = f"chips of this night stand for {places} decimal places: ask for as many"
            raise RefusedError([problem("about/places", "other-chips", text)])


def _top_up(
    night: Night, fresh: Sequence[SettledHand], players: Mapping[str, Player], by: User | None
) -> None:
    """Sell the players what they have by the statements of the files, beyond what they have here.

    What no file states was bought if it was put in.
    """
    known = stacks(night)
    stand = {name: known.get(player.pk, 0) for name, player in players.items()}
    bought: Counter[str] = Counter()
    for each in fresh:
        record, answer = each.found.record, each.answer
        chips = chip_totals(record, answer)
        for player in record["players"]:
            name = player["name"]
            wanted = each.explained.get(name, chips.paid[name])
            more = max(0, wanted - stand[name])
            bought[name] += more
            stand[name] += more - chips.paid[name] + chips.back[name]
    for name, more in bought.items():
        if more:
            first = fresh[0].found.id
            buy_in_id = uuid5(night.pk, f"import:{first}:{players[name].pk}")
            buy_in(night, players[name], more, buy_in_id=buy_in_id, by=by)


# --- the end ------------------------------------------------------------------------------------


def _close(
    league: League, planned: PlannedNight, report: Report, options: ImportOptions, by: User | None
) -> None:
    rows = Night.objects.select_related("season__league__book")
    night = rows.filter(pk=planned.id, season__league=league).first()
    if night is None or night.state == Night.State.CLOSED:
        return
    if planned.ledger and planned.events and (off := len(tally(night).off)):
        planned.doubts[COUNTED] += off
    reasons = planned.open_reasons()
    if reasons:
        closing_jobs.leave_to_host(night, closing_jobs.IN_DOUBT)
    if not options.close:
        return
    if reasons:
        text = f"the night stays open until a host closes it: {'; '.join(reasons)}"
        report.refused.append(
            import_problem(problem("close", "kept-open", text), file=f"night {planned.name}")
        )
        return
    bears = _bearers(night, options.bears)
    decisions = Decisions(by_hands=True, bears=bears, ended_at=planned.ends_at)
    try:
        with transaction.atomic():
            closing = close_night(
                night, uuid5(night.pk, "import:closing"), by=by, decisions=decisions
            )
            if options.settled:
                _settle(closing, by)
    except RefusedError as refused:
        file = f"night {planned.name}"
        report.refused += [import_problem(each, file=file) for each in refused.errors]


def _bearers(night: Night, bears: str) -> list[UUID]:
    """Return the players who share a difference: all who played, one of them, or none."""
    if not bears:
        return []
    lines, name = tally(night).lines, tidy(bears).lower()
    return [line.player for line in lines if bears == EVERYONE or line.name.lower() == name]


def _settle(closing: Closing, by: User | None) -> None:
    """Record the payments of the night as paid and received."""
    for planned in PlannedPayment.objects.filter(plan__closing=closing).order_by("pk"):
        if chips := open_chips(planned, states=LIVE):
            receive(planned, uuid5(closing.pk, f"settled:{planned.pk}"), chips, by=by)


RUN_TASK = "league.tasks.run_imports"
MOST_TRIES = 3
MOST_SHOWN = 200  # of refusals, of differences and of findings
KEPT = timedelta(days=1)
MOST_PREVIEWS = 5  # of a league: a new file replaces the oldest that was previewed
logger = logging.getLogger(__name__)


class LeaseLostError(Exception):
    """Another worker has taken the job, or its host has changed what it does."""


def start_import(
    league: League, name: str, text: str, options: ImportOptions, *, by: User
) -> ImportJob:
    """Store a file, to be previewed by a worker. Raises RefusedError if the league has too many."""
    with transaction.atomic():
        League.objects.select_for_update(no_key=True).get(pk=league.pk)
        refuse(bounds.IMPORTS.exceeded(ImportJob.objects.filter(league=league, done_at=None)))
        previews = ImportJob.objects.filter(league=league, records=False, done_at__isnull=False)
        oldest = previews.order_by("-made_at").values_list("pk", flat=True)[MOST_PREVIEWS - 1 :]
        ImportJob.objects.filter(pk__in=list(oldest)).delete()
        job = ImportJob.objects.create(
            league=league,
            by=by,
            name=name,
            content=zlib.compress(text.encode("utf-8", "surrogatepass"), level=1),
            options=asdict(options),
            due_at=timezone.now(),
        )
        transaction.on_commit(_wake)
    return job


def restart(job: ImportJob, options: ImportOptions, *, records: bool) -> None:
    """Preview or record the file with these options, unless its hands are recorded or being so."""
    idle = Q(records=False) | Q(done_at__isnull=False, summary__isnull=True)
    changed = ImportJob.objects.filter(idle, pk=job.pk).update(
        records=records,
        options=asdict(options),
        due_at=timezone.now(),
        done_at=None,
        lease=None,
        leased_until=None,
        tries=0,
        hands=None,
        hands_done=0,
        summary=None,
    )
    if changed:
        transaction.on_commit(_wake)


def leagues_due() -> list[UUID]:
    return leases.keys_of(leases.due(ImportJob.objects.all()), "league", since="due_at")


def run_next(league_id: UUID) -> bool:
    """Run the oldest job of the league; return whether there was one."""
    taken = leases.take_due(ImportJob.objects.filter(league=league_id), most=1)
    for job in taken:
        if job.tries > MOST_TRIES:
            leases.finish(_mine(job))
            continue
        try:
            _run(job)
        except LeaseLostError:
            logger.info("Another worker goes on with the import %s.", job.pk)
    return bool(taken)


def forget() -> None:
    """Delete jobs a day after they were made."""
    leases.free(ImportJob.objects.filter(made_at__lt=timezone.now() - KEPT)).delete()


def summary_of(report: Report, *, recorded: bool) -> dict[str, Any]:
    """Return what a page shows of a report, as JSON; `recorded`: it is no preview."""
    remarks: dict[str, Sequence[ImportProblem | ImportDifference]] = {
        "refused": report.refused,
        "differences": report.differences,
        "findings": report.findings,
    }
    return {
        "is_recorded": recorded,
        "recorded": report.recorded,
        "known": report.known,
        "new_players": report.new_players,
        "nights": [
            {
                "name": night.name,
                "hands": hands,
                "won": [each for each in night.won.most_common() if each[1]],
                "reasons": night.open_reasons(),
            }
            for night, hands in report.nights
        ],
        "remarks": {
            name: {"some": [each.as_dict() for each in some[:MOST_SHOWN]], "count": len(some)}
            for name, some in remarks.items()
        },
    }


def _run(job: ImportJob) -> None:
    league = League.objects.select_related("book").get(pk=job.league_id)
    options = ImportOptions(**job.options)
    text = zlib.decompress(job.content).decode("utf-8", "surrogatepass")
    job.content = b""
    planned = plan(league, [Source(job.name, "", text)], options)
    del text
    # hands that this job recorded before its worker died are not known ones
    known = planned.known if job.known is None or not job.records else job.known
    before = planned.known - known
    planned.known = known
    _save(job, hands=planned.hands + before, hands_done=before, known=known)
    report = Report()
    if job.records:
        steps = record_plan(league, planned, report, options=options, by=job.by)
    else:
        steps = look(league, planned, report)
    for done in steps:
        _save(job, hands_done=before + done)
    report.recorded += before
    _save(
        job,
        summary=summary_of(report, recorded=job.records),
        **({"content": b""} if job.records else {}),
    )
    leases.finish(_mine(job))


def _save(job: ImportJob, **values: object) -> None:
    """Store values and hold the lease. Raises LeaseLostError."""
    if not _mine(job).update(leased_until=leases.until(), **values):
        raise LeaseLostError


def _mine(job: ImportJob) -> QuerySet[ImportJob]:
    return ImportJob.objects.filter(pk=job.pk, lease=job.lease)


def _wake() -> None:
    """Wake a worker; without a broker the next sweep does it."""
    try:
        current_app.send_task(RUN_TASK)
    except OperationalError:
        logger.warning("The broker is away: imports wait for the next sweep.")
