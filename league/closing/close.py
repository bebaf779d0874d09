"""Close a night in one transaction. Closing it again returns the same closing.

Closing replays every hand. Unclaimed pots go back to the players or stay for the next night. The
chip count determines each player's chips, and any difference is posted to the drift account. Stacks
move to the tabs, and the plan has as few payments as possible. The night's row is locked first, so
if two requests are concurrent, the second returns the first one's result.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Max, QuerySet, Sum
from django.utils import timezone

from league.change_version import bump_night
from league.chat import services
from league.closing import (
    chip_count,
    chip_requests,
    closing_hash,
    notifications,
    payment_plans,
)
from league.closing.chip_count import NightCount
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.common.locks import lock_league
from league.common.money import evenly
from league.common.text import wrong_text
from league.deals.open_deal import drop_any
from league.hands.chip_movements import chip_totals, closing_transfers
from league.hands.verification import replay_night
from league.jobs import closing_jobs, leases
from league.journal import entries
from league.models import (
    LONGEST_REASON,
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    Closing,
    ClosingJob,
    ClosingLine,
    ConflictingRecord,
    League,
    LeftoverPolicy,
    Night,
    Season,
    Tournament,
    UncountedPolicy,
    User,
)
from league.nights.accounts import PostingKey, actor_of
from league.nights.carried_pots import handed_on, read_pots, shares
from league.nights.nights import hands, lock_and_bump, was_played
from league.notices.messages import notify_to_count
from league.proofs.signing import sign
from league.webhooks import events
from ledger.models import Posting
from ledger.posting import post, reverse


def lines_of(
    closing: Closing, tally: NightCount, shared_by: Sequence[UUID]
) -> Iterator[ClosingLine]:
    """Yield a line for each seated player and each player with cash, charges or carried pots.

    `shared_by` lists the players who share missing or surplus chips. Odd chips go to the first
    players in the list.
    """
    night = closing.night
    bought, cashed = _sums(BuyIn, night, "player"), _sums(CashOut, night, "player")
    cash, charged, corrected = _cash(night), _charged(night), _payout_corrections(night)
    entered, prizes = _tournaments(night)
    carried = shares([*read_pots(closing.kept), *handed_on(night)])
    carried.subtract(shares(read_pots(night.opening_pots)))
    difference: dict[UUID, int] = {}
    if tally.missing:
        difference = evenly(tally.missing, list(dict.fromkeys(shared_by)))
    sat = {line.player: line for line in tally.lines}
    for player in dict.fromkeys([*sat, *cash, *charged, *entered, *carried]):
        line = ClosingLine(closing=closing, player_id=player, position=0)
        if tally_line := sat.get(player):
            line.position, line.stack, line.back = (
                tally_line.position,
                tally_line.stack,
                tally_line.back,
            )
            line.counted = tally_line.counted
        line.bought, line.cashed = bought[player], cashed[player]
        line.put_right, line.bears = corrected[player], difference.get(player, 0)
        line.entered, line.prizes = entered[player], prizes[player]
        line.cash, line.charged = cash[player], charged[player]
        line.settles = line.tab + carried[player]
        yield line


def _sums(rows: type[BuyIn] | type[CashOut], night: Night, by: str) -> Counter[UUID]:
    counted = rows.objects.filter(night=night, posting__reversal=None).exclude(**{by: None})
    return Counter(dict(counted.values_list(by).annotate(chips=Sum("chips")).order_by()))


def _cash(night: Night) -> Counter[UUID]:
    """Return how cash payments changed the tabs.

    A cash payment for chips credits the player and debits the banker.
    """
    cash: Counter[UUID] = Counter()
    for rows, direction in ((BuyIn, 1), (CashOut, -1)):
        handled = rows.objects.filter(night=night, posting__reversal=None).exclude(banker=None)
        for player, banker, chips in handled.values_list("player", "banker", "chips"):
            cash[player] += direction * chips
            cash[banker] -= direction * chips
    return cash


def _charged(night: Night) -> Counter[UUID]:
    """Return how costs, side bets and the fund changed the tabs.

    The fund keeper is credited with the fund's money. Players whose shares add up to 0 are
    included.
    """
    charged: Counter[UUID] = Counter()
    shares = _shares_of_charges(night).exclude(charge__kind=Charge.Kind.TOURNAMENT)
    for player, gets, owes in shares.values_list("player", "gets", "owes"):
        charged[player] += gets - owes
    funds = Charge.objects.filter(night=night, posting__reversal=None).exclude(keeper=None)
    for keeper, chips in funds.values_list("keeper", "fund"):
        charged[keeper] += chips
    return charged


def _tournaments(night: Night) -> tuple[Counter[UUID], Counter[UUID]]:
    """Return each player's tournament entries and prizes in chips."""
    entered: Counter[UUID] = Counter()
    prizes: Counter[UUID] = Counter()
    shares = _shares_of_charges(night).filter(charge__kind=Charge.Kind.TOURNAMENT)
    for player, gets, owes in shares.values_list("player", "gets", "owes"):
        entered[player] += owes
        prizes[player] += gets
    return entered, prizes


def _shares_of_charges(night: Night) -> QuerySet[ChargeShare]:
    return ChargeShare.objects.filter(charge__night=night, charge__posting__reversal=None)


def _payout_corrections(night: Night) -> Counter[UUID]:
    """Return the chips that moved between tabs because the table paid the wrong players."""
    corrected: Counter[UUID] = Counter()
    for revision in hands(night).filter(hand__voided=False):
        for name, chips in chip_totals(revision.record, revision.answer).owed.items():
            corrected[UUID(revision.names[name])] += chips
    return corrected


NIGHTLY = "nightly"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """A host's decisions about a count that is incomplete or does not add up.

    If `by_hands` is true, uncounted chips are computed from the hands. `shared_by` lists the
    players who share missing or surplus chips, in the order in which they get odd chips. `missing`
    is the difference that was shown to the host. If the difference has changed since, the closing
    is refused. `ended_at` is when an imported night ended. The default is now.
    """

    by_hands: bool = False
    shared_by: Sequence[UUID] = ()
    missing: int | None = None
    ended_at: datetime | None = None


@transaction.atomic
def close_night(
    night: Night,
    closing_id: UUID,
    *,
    by: User | None,
    decisions: Decisions | None = None,
    reason: str = "",
) -> Closing:
    """Close the night, or return its closing if it is already closed.

    Raises RefusedError with all problems that a host has to resolve first: `recorded-twice`,
    `hand-differs`, `still-playing`, `not-counted` or `does-not-add-up`. Raises IdReusedError if the
    id belongs to a different night's closing.
    """
    if lock_and_bump(night) == Night.State.CLOSED:
        return current_closing(night)
    if closing := Closing.objects.filter(pk=closing_id).first():
        if closing.night_id != night.pk:
            raise IdReusedError
        return closing
    refuse(wrong_text("reason", reason, longest=LONGEST_REASON, needed=False))
    drop_any(night)
    return _close(
        night,
        closing_id,
        by=by,
        decisions=decisions or Decisions(),
        reason=reason,
        problems=_recorded_twice(night),
    )


@transaction.atomic
def reopen_night(night: Night, *, by: User | None) -> Night:
    """Undo the closing so that the night continues. Its payment plan stays in effect."""
    if lock_and_bump(night) == Night.State.CLOSED:
        lifted = lift(night, by=by)
        closing_jobs.schedule_closing(night, after=timezone.now())
        _seal_opened(lifted)
    return night


def current_closing(night: Night) -> Closing:
    """Return the night's closing that is in effect."""
    return night.closings.select_related("posting").get(posting__reversal=None)


def lift(night: Night, *, by: User | None) -> Closing | None:
    """Undo the closing for a correction, if the night is closed.

    The caller has locked the night.
    """
    closing = night.closings.filter(posting__reversal=None).select_related("posting").first()
    if closing is None:
        return None
    _lock_league(night)
    memo = f"night {night.number}, closing {closing.number} taken back"
    reverse(closing.posting, PostingKey.REOPEN.of(closing.pk), memo=memo, actor=actor_of(by))
    night.state, night.ended_at = Night.State.OPEN, None
    night.save(update_fields=["state", "ended_at"])
    return closing


def close_again(
    lifted: Closing, closing_id: UUID, *, by: User | None, reason: str = ""
) -> dict[str, int] | None:
    """Close the night again after a correction, or leave it to the hosts.

    The closing uses the previous decisions. The night stays open if they do not resolve all
    problems. If another closing already has the id, a new id is derived from the given one. Return
    the chips by which the payments of each player changed, or None if the night stays open.
    """
    night = lifted.night
    while Closing.objects.filter(pk=closing_id).exists():
        closing_id = uuid5(closing_id, "again")
    shared_by = tuple(
        lifted.lines.exclude(bears=0).order_by("position").values_list("player", flat=True)
    )
    lacked = lifted.lines.aggregate(chips=Sum("bears"))["chips"] or 0
    missing = lacked if shared_by else None
    decisions = Decisions(by_hands=lifted.by_hands, shared_by=shared_by, missing=missing)
    try:
        with transaction.atomic():
            closing = _close(night, closing_id, by=by, decisions=decisions, reason=reason)
    except RefusedError as refused:
        notify_of_problems(night, refused)
        _seal_opened(lifted)
        return None
    before, after = (
        {line.player.name: line.tab for line in each.lines.select_related("player")}
        for each in (lifted, closing)
    )
    changes = ((name, after.get(name, 0) - before.get(name, 0)) for name in before | after)
    return {name: chips for name, chips in changes if chips}


def _seal_opened(lifted: Closing | None) -> None:
    """Record in the journal that the night was reopened."""
    if lifted:
        taken_back = Posting.objects.filter(reverses=lifted.posting_id)
        entries.append(lifted.league_id, entries.Kind.REOPENED, taken_back)


def notify_of_problems(night: Night, refused: RefusedError) -> None:
    """Leave the night open and notify the hosts about the problems to resolve."""
    bump_night(night.pk)
    job = closing_jobs.schedule_closing(night, after=timezone.now())
    job.asks, job.asked = refused.errors[0]["code"], job.asked + 1
    job.save(update_fields=["asks", "asked"])
    if any(error["code"] == "not-counted" for error in refused.errors):
        notify_to_count(night, by=None)
    notifications.notify_hosts(night, job.asked, [error["text"] for error in refused.errors])


def _close(
    night: Night,
    closing_id: UUID,
    *,
    by: User | None,
    decisions: Decisions,
    reason: str,
    problems: Iterable[Problem] = (),
) -> Closing:
    league = _lock_league(night)
    tally = chip_count.tally(night)
    before = night.closings.count()
    limits = row_limits.CLOSINGS.exceeded(before)
    refuse([*problems, *_undecided(night, tally, decisions), *limits])
    seats = (line for line in tally.lines if line.position)
    closing = Closing(
        id=closing_id,
        night=night,
        number=before + 1,
        league=league,
        # Set this even if no player has chips to count, because a later correction can change that.
        by_hands=decisions.by_hands and any(line.counted is None for line in seats),
        reason=reason,
        made_by=by,
    )
    if league.leftover == LeftoverPolicy.STAYS:
        closing.kept = [pot.as_json() for pot in tally.pots]
    lines = list(lines_of(closing, tally, decisions.shared_by))
    closing.posting = post(
        league.book,
        PostingKey.CLOSE.of(closing_id),
        closing_transfers(night.pk, lines),
        memo=f"night {night.number}, closing {closing.number}",
        actor=actor_of(by) or NIGHTLY,
    )
    return _seal(closing, lines, ended_at=decisions.ended_at)


def _lock_league(night: Night) -> League:
    """Lock the league of a locked night, before its book, and reload the night's season.

    The league's options may have changed, or the season may have ended, after they were read.
    """
    league = lock_league(night.season.league_id)
    night.season = Season.objects.get(pk=night.season_id)
    night.season.league = league
    return league


def _seal(closing: Closing, lines: list[ClosingLine], *, ended_at: datetime | None) -> Closing:
    """Store the closing with its lines, plan, hash and signature, and notify the players."""
    night = closing.night
    sequence, closing.previous_hash = closing_hash.last_hash(closing.league)
    closing.sequence = sequence + 1
    closing.save(force_insert=True)
    ClosingLine.objects.bulk_create(lines)
    plan = payment_plans.plan_closing(closing)
    night.state = Night.State.CLOSED
    night.ended_at = min(ended_at or closing.made_at, closing.made_at)
    night.save(update_fields=["state", "ended_at"])
    chip_requests.end_with_night(night)
    closing_jobs.finish_closing(night)
    if notifications.is_news(closing) and (closing.number > 1 or was_played(night)):
        notifications.notify_closed(closing, plan)
        services.publish_closing(closing)
    closing_hash.seal(closing)
    if plan and plan.closing is None:
        closing_hash.seal_plan(plan)
    [proof] = sign([closing])
    events.publish_closing(closing, proof)
    return closing


def _recorded_twice(night: Night) -> Iterator[Problem]:
    """Yield a problem for each hand whose records differ until a host has chosen one.

    A record that arrives after the closing does not reopen the night.
    """
    waiting = night.conflicts.filter(state=ConflictingRecord.State.WAITING)
    numbers = waiting.order_by("hand__number").values_list("hand__number", flat=True)
    for number in numbers.distinct():
        text = f"hand {number} was recorded twice with different results: choose one first"
        yield problem(f"hands/{number}", "recorded-twice", text)


def _undecided(night: Night, tally: NightCount, decisions: Decisions) -> Iterator[Problem]:
    """Yield the problems that a host still has to resolve."""
    for hand in replay_night(night):
        text = f"hand {hand.number} no longer matches its recorded result: {hand.text}"
        yield problem(f"hands/{hand.number}", "hand-differs", text)
    for tournament in Tournament.objects.filter(night=night).running():
        text = f"{tournament} is still running: end it or cancel it first"
        yield problem("tournaments", "still-playing", text)
    if tally.uncounted and not decisions.by_hands:
        names = ", ".join(line.name for line in tally.uncounted)
        yield problem("counts", "not-counted", f"count the chips of {names} first")
    if not tally.missing:
        return
    changed = decisions.missing not in (None, tally.missing)
    if changed or not decisions.shared_by:
        chips, is_one = abs(tally.missing), abs(tally.missing) == 1
        them = "it" if is_one else "them"
        if tally.missing > 0:  # players who share missing chips are credited with them
            are = "chip is" if is_one else "chips are"
            text = f"{chips:,} {are} missing. Who should get {them} back?"
        else:
            extra = "chip" if is_one else "chips"
            text = f"{chips:,} {extra} too many. Who pays for {them}?"
        yield problem("bears", "does-not-add-up", text)
    strangers = set(decisions.shared_by) - {line.player for line in tally.lines}
    if strangers:
        yield problem("bears", "unknown-player", "choose players who played this night")


# Nights are closed automatically, unless decisions are pending. In that case, the hosts have to
# close the night.


# A table counts as still playing if a hand was dealt within this time.
QUIET = timedelta(hours=1)
LEAGUE = "night__season__league"


def leagues_due() -> list[UUID]:
    """Return the leagues that have nights due for closing."""
    return leases.keys_of(leases.due(ClosingJob.objects.all()), LEAGUE, since="due_at")


def close_next(league_id: UUID) -> bool:
    """Close the league's next due night. Return whether there was one."""
    jobs = leases.lease_due(ClosingJob.objects.filter(**{LEAGUE: league_id}), most=1)
    for job in jobs:
        close_due(job.pk, str(job.lease))
    return bool(jobs)


@transaction.atomic
def close_due(job_id: int, lease: str) -> None:
    """Close the job's night under this lease, postpone it, or leave it to the hosts.

    The night and the job change in one transaction, so nothing changes if the worker is killed.
    """
    night = Night.objects.filter(closing_job=job_id).first()
    if night is None:
        return
    # Lock the night, then check whether the lease is still valid.
    Night.objects.select_for_update(no_key=True).get(pk=night.pk)
    if not ClosingJob.objects.filter(pk=job_id, lease=lease, done_at=None).exists():
        return
    job = ClosingJob.objects.select_related("night__season__league__book").get(pk=job_id)
    night, by_hands = job.night, job.night.league.uncounted == UncountedPolicy.HANDS
    if night.state == Night.State.CLOSED:
        closing_jobs.finish_closing(night)
        return
    dealt: datetime | None = night.hands.aggregate(last=Max("made_at"))["last"]
    bought: datetime | None = night.buy_ins.aggregate(last=Max("made_at"))["last"]
    quiet = max(filter(None, (night.started_at, dealt, bought))) + QUIET
    if quiet > timezone.now():
        leases.postpone(ClosingJob.objects.filter(pk=job_id), quiet)
        return
    closing_id = uuid5(job.night_id, f"nightly {job.due_at.isoformat()}")
    try:
        with transaction.atomic():
            close_night(night, closing_id, by=None, decisions=Decisions(by_hands=by_hands))
    except RefusedError as refused:
        notify_of_problems(night, refused)
