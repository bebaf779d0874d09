"""Rebuild and check the facts and sums for nights whose hands have changed."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from league.models import Hand, League, Night, StaleMark, StatsState
from league.stats.facts import facts, read_facts, replace_facts
from league.stats.night_sums import read_sums, sum_nights
from league.stats.recorded_hands import recorded_hands
from ledger.sql import batched, execute, is_postgresql, uuid_text

MOST_MARKS = 200
# hands per transaction during a rebuild, so that other workers wait less than a second
AT_ONCE = 500


def leagues_behind() -> list[UUID]:
    """Return the leagues with hands that are not counted yet."""
    return list(StaleMark.objects.order_by("league").values_list("league", flat=True).distinct())


def count_marked(league_id: UUID, *, most: int = MOST_MARKS) -> int:
    """Count the hands with the `most` oldest marks. Return the number of removed marks."""
    with counting(league_id):
        oldest = StaleMark.objects.filter(league=league_id).order_by("pk")
        hands = dict.fromkeys(oldest.values_list("hand", flat=True)[:most])
        return _count_marked(list(hands))


@contextmanager
def counting(league_id: UUID) -> Iterator[None]:
    """Open a transaction that changes a league's statistics, and lock them.

    PostgreSQL commits without waiting for the disk. A crash loses the sums and also the removal of
    the marks, so the next sweep counts the hands again.
    """
    with transaction.atomic():
        execute(
            "INSERT INTO league_statsstate (league_id, version, differences) VALUES (%s, 1, 0)"
            " ON CONFLICT (league_id) DO UPDATE SET version = league_statsstate.version + 1",
            [uuid_text(league_id)],
        )
        if is_postgresql():
            execute("SET LOCAL synchronous_commit TO off")
        yield


def count(hands: Sequence[str]) -> list[str]:
    """Update the facts and sums of these hands. Return the hands whose facts had changed.

    The caller must hold the lock from `counting`.
    """
    stored = read_facts(hands) if hands else {}
    recorded = [facts(hand) for hand in recorded_hands(hands)] if hands else []
    changed = [
        hand_facts for hand_facts in recorded if stored.get(hand_facts.hand.hand) != hand_facts
    ]
    replace_facts(changed)
    if recorded:
        sum_nights(sorted({hand_facts.hand.night for hand_facts in recorded}))
    return [hand_facts.hand.hand for hand_facts in changed]


def rebuild(league_id: UUID, progress: Callable[[int, int], object] = lambda *_: None) -> int:
    """Count every hand in the league again, night by night. Return the number of hands.

    `progress` receives the number of finished hands and the total. Other workers can count hands in
    between.
    """
    rows = Hand.objects.filter(night__season__league=league_id)
    hands = list(rows.order_by("night__started_at", "night", "number").values_list("pk", flat=True))
    done = 0
    for batch in batched(hands, AT_ONCE):
        with counting(league_id):
            _count_marked(batch)
        done += len(batch)
        progress(done, len(hands))
    StatsState.objects.filter(pk=league_id).update(rebuilt_at=timezone.now())
    return done


def _count_marked(hands: Sequence[UUID]) -> int:
    """Count these hands and remove their marks. Return the number of marks."""
    # Read the marks before the hands, so that marks set later are kept.
    marks = list(StaleMark.objects.filter(hand__in=hands).values_list("pk", flat=True))
    count([uuid_text(hand) for hand in hands])
    StaleMark.objects.filter(pk__in=marks).delete()
    return len(marks)


EVERY = timedelta(hours=20)  # shorter than the time between two nights
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference between a night's stored statistics and its recorded hands."""

    night: str
    text: str
    hand: str = ""


def leagues_due() -> list[UUID]:
    """Return the leagues whose hands were not checked recently, longest unchecked first.

    Demo leagues are not checked.
    """
    lately = StatsState.objects.filter(league=OuterRef("pk"), checked_at__gt=timezone.now() - EVERY)
    hands = Night.objects.filter(season__league=OuterRef("pk"), hands__isnull=False)
    rows = League.objects.filter(~Exists(lately), Exists(hands), book__disposable=False)
    return list(rows.order_by("stats_state__checked_at", "pk").values_list("pk", flat=True))


def check_league(league_id: UUID, *, chance: Random | None = None) -> list[Difference]:
    """Count a random night in the league again. Report and correct differences."""
    nights = Night.objects.filter(season__league=league_id, hands__isnull=False)
    keys = sorted(set(nights.values_list("pk", flat=True)))
    if not keys:
        return []
    # it does not matter if the choice of night is predictable
    night = (chance or Random()).choice(keys)  # noqa: S311
    return check_night(league_id, night)


def check_night(league_id: UUID, night: UUID) -> list[Difference]:
    """Count the night again. Report and correct hands and sum tables that differ."""
    while count_marked(league_id):
        pass
    with counting(league_id):
        # skip hands recorded in the meantime, because they have not been counted yet
        waiting = StaleMark.objects.filter(hand=OuterRef("pk"))
        hands = Hand.objects.filter(~Exists(waiting), night=night).order_by("number")
        before = read_sums([uuid_text(night)])
        wrong = count([uuid_text(hand) for hand in hands.values_list("pk", flat=True)])
        differences = [
            Difference(night=str(night), hand=hand, text=f"hand {hand} was not counted as recorded")
            for hand in wrong
        ]
        after = read_sums([uuid_text(night)])
        if not wrong:
            differences = [
                Difference(night=str(night), text=f"{table} is not the sum of the facts")
                for table in after
                if before[table] != after[table]
            ]
        state = StatsState.objects.filter(pk=league_id)
        now = timezone.now()
        state.update(checked_at=now, differences=F("differences") + len(differences))
        if differences:
            state.update(rebuilt_at=now)
    for each in differences:
        logger.warning("stats of league %s, night %s: %s", league_id, each.night, each.text)
    return differences
