"""Count hands: their facts follow from the records, and the sums of their nights from the facts.

A mark says that a hand has changed. Counting reads the hand as it is then, so a message that comes
twice, late or in another order changes nothing, and the next sweep finds a mark whose message was
lost. It counts some hundred hands in one transaction, with the new version of the league's stats.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from league.models import Hand, StaleMark, StatsState
from league.stats.fact_rows import read_facts, replace_facts
from league.stats.facts import facts
from league.stats.recorded_hands import recorded_hands
from league.stats.sums import sum_nights
from ledger.sql import batched, execute, native, plain

MOST_MARKS = 200
AT_ONCE = 500  # hands of a rebuild in one transaction: others wait less than a second


def leagues_behind() -> list[UUID]:
    """Return the leagues in which hands wait to be counted."""
    return list(StaleMark.objects.order_by("league").values_list("league", flat=True).distinct())


def count_marked(league_id: UUID, *, most: int = MOST_MARKS) -> int:
    """Count the hands of the oldest marks, at most n; return how many marks were removed."""
    with counting(league_id):
        oldest = StaleMark.objects.filter(league=league_id).order_by("pk")
        hands = dict.fromkeys(oldest.values_list("hand", flat=True)[:most])
        return _count_marked(list(hands))


@contextmanager
def counting(league_id: UUID) -> Iterator[None]:
    """Open a transaction that changes what is counted of a league; other workers wait for it.

    PostgreSQL does not wait for the disk: a crash loses the sums together with the removal of the
    marks, and the next sweep counts the hands again.
    """
    with transaction.atomic():
        execute(
            "INSERT INTO league_statsstate (league_id, version, differences) VALUES (%s, 1, 0)"
            " ON CONFLICT (league_id) DO UPDATE SET version = league_statsstate.version + 1",
            [plain(league_id)],
        )
        if native():
            execute("SET LOCAL synchronous_commit TO off")
        yield


def count(hands: Sequence[str]) -> list[str]:
    """Bring facts and sums up to the records of these hands; return the hands that differed.

    The caller holds the league.
    """
    stored = read_facts(hands) if hands else {}
    recorded = [facts(each) for each in recorded_hands(hands)] if hands else []
    changed = [each for each in recorded if stored.get(each.hand.hand) != each]
    replace_facts(changed)
    if recorded:
        sum_nights(sorted({each.hand.night for each in recorded}))
    return [each.hand.hand for each in changed]


def rebuild(league_id: UUID, progress: Callable[[int, int], object] = lambda *_: None) -> int:
    """Count every hand of the league again, night by night; return their number.

    `progress` takes the hands that are done and their number. Other workers count in between.
    """
    rows = Hand.objects.filter(night__season__league=league_id)
    hands = list(rows.order_by("night__started_at", "night", "number").values_list("pk", flat=True))
    done = 0
    for some in batched(hands, AT_ONCE):
        with counting(league_id):
            _count_marked(some)
        done += len(some)
        progress(done, len(hands))
    StatsState.objects.filter(pk=league_id).update(rebuilt_at=timezone.now())
    return done


def _count_marked(hands: Sequence[UUID]) -> int:
    """Count these hands and remove their marks; return how many marks there were."""
    # read before the hands: a mark that is set later stays
    marks = list(StaleMark.objects.filter(hand__in=hands).values_list("pk", flat=True))
    count([plain(hand) for hand in hands])
    StaleMark.objects.filter(pk__in=marks).delete()
    return len(marks)
