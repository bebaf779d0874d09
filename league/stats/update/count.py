"""Count hands whose stats are out of date: one transaction, the same work for every hand.

The mark is only a word that a hand has changed. Whoever counts looks at the hand as it is then,
takes away what its stored facts had added and adds what is recorded now; so a word that comes
twice, late or in another order changes nothing, and one that is lost is found by the next sweep.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from league.models import HandFact, StaleMark
from league.stats.facts import Facts, RecordedHand, facts
from league.stats.store.changes import write
from league.stats.store.counted_hands import CurrentHand, current_hands, marked
from league.stats.tallies import Shares, Tallies
from ledger.sql import native, plain, query

MOST_MARKS = 200


def leagues_behind() -> list[UUID]:
    """Return the leagues in which hands wait to be counted."""
    return list(StaleMark.objects.order_by("league").values_list("league", flat=True).distinct())


def count_marked(league_id: UUID, *, most: int = MOST_MARKS) -> int:
    """Count the hands of the oldest marks, at most so many; return how many marks were taken off.

    None are while the league is being rebuilt: they are counted after that.
    """
    with counting(league_id) as free:
        hands = marked(league_id, most) if free else []
        _count(hands)
    return sum(len(each.marks) for each in hands)


# How PostgreSQL runs a step. A crash loses the sums together with the removal of the mark, so a
# step does not wait for the disk. Rows are looked up by their keys: a hash join would read a whole
# table of all nights for one of them.
_SETTINGS = {"synchronous_commit": "off", "enable_hashjoin": "off"}
_SET = "".join(f", set_config('{name}', '{value}', true)" for name, value in _SETTINGS.items())


@contextmanager
def counting(league_id: UUID) -> Iterator[bool]:
    """Hold what is counted of a league, until all of it stands; others wait.

    Yields whether anything may be changed: nothing may while the league is being rebuilt.
    """
    with transaction.atomic():
        [(rebuilder, *_)] = query(
            "INSERT INTO league_statsstate (league_id, version, differences) VALUES (%s, 1, 0)"
            " ON CONFLICT (league_id) DO UPDATE SET version = league_statsstate.version + 1"
            f" RETURNING rebuilder{_SET if native() else ''}",
            [plain(league_id)],
        )
        yield rebuilder is None


def count(hands: Sequence[str]) -> None:
    """Bring the stats of these hands up to their records; the caller holds the league."""
    if hands:
        _count(current_hands(hands))


def _count(hands: Sequence[CurrentHand]) -> None:
    sums, found = Tallies(), []
    before = [each.counted for each in hands if each.counted]
    for each in before:
        sums.add(each.facts, each.luck, sign=-1)
    for hand in hands:
        rows, luck = counted(hand.recorded, hand.luck)
        sums.add(rows, luck)
        found.append(rows)
    marks = [mark for each in hands for mark in each.marks]
    write(sums, found, gone=[each.key for each in before], marks=marks)


def counted(recorded: RecordedHand, shares: Shares | None) -> tuple[Facts, Shares | None]:
    """Return the facts of a hand, with its luck where it has any and that is known already."""
    found = facts(recorded)
    if shares is None or found.hand.luck == HandFact.Luck.NONE:
        return found, None
    return found._replace(hand=found.hand._replace(luck=HandFact.Luck.FOUND)), shares
