"""From a plan to recorded hands, some at a time: each some with its players and chips, or not.

It can be stopped after any of them. Chips that lay before a player and that the night does not
know of were bought: they are sold on the tab before the hands that need them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid5

from django.db import transaction
from django.db.models import Sum

from league.bulk import Dealt, record_many
from league.chips import moved
from league.closing import Decisions, close_night
from league.counts import count_all
from league.imports.grouping import Found, PlannedNight
from league.imports.planning import Plan
from league.imports.wishes import Refusal, Wishes, refusal
from league.leagues import add_player
from league.logbook import Kind, note
from league.models import BuyIn, CashOut, Hand, League, Night, Player, Revision, User
from league.nights import buy_in, lock_open_night, open_night, seat, stacks
from league.refusals import Fault, NightClosed, Refused, fault
from league.texts import shown
from league.verdicts import answer_to
from league.versions import playable_in
from rules.formats import fitting
from rules.formats.files import in_own_unit
from rules.history import replay_record

Record = dict[str, Any]
Answer = dict[str, Any]
AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand that the rules settle, with their answer, and what in it is against the rules."""

    at: datetime
    found: Found
    answer: Answer
    findings: list[Refusal]


@dataclass(slots=True)
class Report:
    """What came of an import, or would come of it: hands by night, hands known before, the rest.

    `findings` are those of hands that are recorded as they happened.
    """

    recorded: int = 0
    known: int = 0
    refused: list[Refusal] = field(default_factory=list)
    nights: list[tuple[PlannedNight, int]] = field(default_factory=list)
    new_players: list[str] = field(default_factory=list)
    findings: list[Refusal] = field(default_factory=list)


def look(league: League, planned: Plan) -> Report:
    """Return what recording the plan would come to, as far as the rules can tell."""
    report = Report(0, planned.known, list(planned.refused), [], planned.new_players)
    for night in planned.nights:
        good = [each for some in judged(league, night, report.refused) for each in some]
        report.recorded += len(good)
        report.nights.append((night, len(good)))
        report.findings += [finding for each in good for finding in each.findings]
    return report


def judged(league: League, night: PlannedNight, refused: list[Refusal]) -> Iterator[list[Judged]]:
    """Yield the hands of a planned night that can be settled, some at a time."""
    for at in range(0, len(night.hands), AT_ONCE):
        good: list[Judged] = []
        for dealt_at, found in night.hands[at : at + AT_ONCE]:
            record = playable_in(league.pk, found.record)
            answer = answer_to(record)
            errors = answer.get("errors", ())
            refused += [found.refused(each) for each in errors]
            if not errors:
                good.append(Judged(dealt_at, found, answer, _findings(found, record, answer)))
        yield good


def _findings(found: Found, record: Record, answer: Answer) -> list[Refusal]:
    """Return what in a hand is against the rules, or other than its file says."""
    told = answer["findings"]
    if "actions" in record:
        told = in_own_unit(replay_record(record), record)["findings"]
    return [found.refused({"where": "", **each}) for each in told]


def record_plan(
    league: League, planned: Plan, report: Report, *, wishes: Wishes, by: User | None
) -> Iterator[int]:
    """Record what was planned into the report; yields how many hands were looked at."""
    report.known += planned.known
    report.refused += planned.refused
    report.new_players += planned.new_players
    done = 0
    for night in planned.nights:
        before = report.recorded
        _take_ledger(league, night, report, by, counting=False)
        for number, good in enumerate(judged(league, night, report.refused), 1):
            _record(league, night, good, report, by)
            yield done + min(number * AT_ONCE, len(night.hands))
        done += len(night.hands)
        _take_ledger(league, night, report, by, counting=True)
        report.nights.append((night, report.recorded - before))
        if wishes.close:
            _close(night, report, by)
    note(
        Kind.IMPORTED,
        by=by,
        league=league,
        recorded=report.recorded,
        refused=len(report.refused),
    )


# --- hands --------------------------------------------------------------------------------------


def _record(
    league: League, planned: PlannedNight, good: Sequence[Judged], report: Report, by: User | None
) -> None:
    """Record all of these; where that is refused, one by one, to tell which."""
    try:
        report.recorded += _record_all(league, planned, good, by)
        report.findings += [finding for each in good for finding in each.findings]
    except NightClosed:
        closed = fault("night", "night-closed", f"the night {planned.name} is closed")
        report.refused += [each.found.refused(closed) for each in good]
    except Refused as refused:
        if len(good) > 1:
            for each in good:
                _record(league, planned, [each], report, by)
        else:
            report.refused += [good[0].found.refused(each) for each in refused.errors]


@transaction.atomic
def _record_all(
    league: League, planned: PlannedNight, good: Sequence[Judged], by: User | None
) -> int:
    if not good:
        return 0
    night = _night(league, planned)
    lock_open_night(night)
    recorded = Hand.objects.filter(pk__in=[each.found.id for each in good])
    known = set(recorded.values_list("pk", flat=True))
    fresh = [each for each in good if each.found.id not in known]
    _same_chips(night, fresh)
    players = _seated(night, (n for each in fresh for n in fitting.names(each.found.record)))
    _top_up(night, fresh, players, by)
    dealt = [
        Dealt(hand_id=each.found.id, record=each.found.record, made_at=each.at, answer=each.answer)
        for each in fresh
    ]
    record_many(night, dealt, by=by)
    return len(fresh)


def _night(league: League, planned: PlannedNight) -> Night:
    rows = Night.objects.select_related("season__league__book").filter(pk=planned.id)
    return rows.first() or open_night(
        league, night_id=planned.id, name=planned.name, started_at=planned.starts_at
    )


def _same_chips(night: Night, fresh: Sequence[Judged]) -> None:
    """Refuse chips of another worth than those that were imported into the night before."""
    before = Revision.objects.filter(hand__night=night, current=True).order_by("-hand__number")
    last = before.values_list("record", flat=True).first()
    told = fitting.places(last) if last else None
    if told is None:
        return
    for each in fresh:
        if fitting.places(each.found.record) not in (None, told):
            text = f"chips of this night stand for {told} decimal places: ask for as many"
            raise Refused([fault("about/places", "other-chips", text)])


def _seated(night: Night, names: Iterator[str]) -> dict[str, Player]:
    """Return the players of these names, made and seated where they were not."""
    wanted = list(dict.fromkeys(names))
    league = night.league
    players = {each.name: each for each in league.players.filter(name__in=wanted)}
    seats = set(night.seats.filter(left_at=None).values_list("player", flat=True))
    for name in wanted:
        player = players.get(name) or add_player(league, name)
        players[name] = player
        if player.pk not in seats:
            seat(night, player)
    return players


def _top_up(
    night: Night, fresh: Sequence[Judged], players: Mapping[str, Player], by: User | None
) -> None:
    """Sell everybody what they will turn out to have had beyond what the night knows of."""
    known = stacks(night)
    stand = {name: known.get(player.pk, 0) for name, player in players.items()}
    bought: Counter[str] = Counter()
    for each in fresh:
        record, answer = each.found.record, each.answer
        chips = moved(record, answer)
        told = record.get("stacks") or [None] * len(record["players"])
        for player, stack in zip(record["players"], told, strict=True):
            name = player["name"]
            wanted = chips.paid[name] if stack is None else stack
            more = max(0, wanted - stand[name])
            bought[name] += more
            stand[name] += more - chips.paid[name] + chips.back[name]
    for name, more in bought.items():
        if more:
            first = fresh[0].found.id
            buy_in_id = uuid5(night.pk, f"import:{first}:{players[name].pk}")
            buy_in(night, players[name], more, buy_in_id=buy_in_id, by=by)


# --- ledgers ------------------------------------------------------------------------------------


def _take_ledger(
    league: League, planned: PlannedNight, report: Report, by: User | None, *, counting: bool
) -> None:
    """Sell the chips that a ledger says were bought; once the hands are in, count what was left."""
    if not planned.ledger:
        return
    try:
        with transaction.atomic():
            night = _night(league, planned)
            lock_open_night(night)
            players = _seated(night, (row.name for row in planned.ledger))
            if counting:
                left = {players[row.name]: row.left for row in planned.ledger}
                told = ":".join(f"{row.name}={row.left}" for row in planned.ledger)
                count_all(night, left, counts_id=uuid5(night.pk, f"ledger:{told}"), by=by)
            else:
                report.refused += _sell(night, planned, players, by)
    except NightClosed:
        if counting and not _is_told(league, planned):
            closed = fault("night", "night-closed", f"the night {planned.name} is closed")
            report.refused.append(refusal(closed, file=planned.ledger_file))
    except Refused as refused:
        report.refused += [refusal(each, file=planned.ledger_file) for each in refused.errors]


def _sell(
    night: Night, planned: PlannedNight, players: Mapping[str, Player], by: User | None
) -> list[Refusal]:
    """Sell what a ledger says beyond what was bought already; tell where more was bought."""
    wrong = []
    for row in planned.ledger:
        bought = _bought(night, players[row.name])
        if row.chips > bought:
            key = f"ledger:{players[row.name].pk}:{bought}:{row.chips}"
            buy_in_id = uuid5(night.pk, key)
            buy_in(night, players[row.name], row.chips - bought, buy_in_id=buy_in_id, by=by)
        elif row.chips < bought:
            text = f"{shown(row.name)} bought {row.chips} by the ledger, {bought} by the night"
            wrong.append(refusal(_differs(text), file=planned.ledger_file))
    return wrong


def _is_told(league: League, planned: PlannedNight) -> bool:
    """Tell whether the night knows all that the ledger says was bought."""
    night = _night(league, planned)
    rows = league.players.filter(name__in=[row.name for row in planned.ledger])
    players = {player.name: player for player in rows}
    return all(
        row.name in players and _bought(night, players[row.name]) == row.chips
        for row in planned.ledger
    )


def _differs(text: str) -> Fault:
    return fault("buy_in", "ledger-differs", text)


def _bought(night: Night, player: Player) -> int:
    """Return the chips that the player has bought at this night, less what was given back."""
    stands = {"night": night, "player": player, "posting__reversal": None}
    bought = BuyIn.objects.filter(**stands).aggregate(chips=Sum("chips"))["chips"] or 0
    back = CashOut.objects.filter(**stands).aggregate(chips=Sum("chips"))["chips"] or 0
    return int(bought - back)


# --- the end ------------------------------------------------------------------------------------


def _close(planned: PlannedNight, report: Report, by: User | None) -> None:
    night = Night.objects.select_related("season__league__book").filter(pk=planned.id).first()
    if night is None or night.state == Night.State.CLOSED:
        return
    try:
        closing_id = uuid5(night.pk, "import:closing")
        close_night(night, closing_id, by=by, decisions=Decisions(by_hands=True))
    except Refused as refused:
        file = f"night {planned.name}"
        report.refused += [refusal(each, file=file) for each in refused.errors]
