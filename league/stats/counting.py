"""Count hands whose stats are out of date: one transaction, the same work for every hand.

The mark is only a word that a hand has changed. Whoever counts looks at the hand as it is then,
takes away what its stored facts had added and adds what is told now; so a word that comes twice,
late or in another order changes nothing, and one that is lost is found by the next sweep.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.db.models import F

from league.models import HandFact, StaleMark, StatsState
from league.stats.facts import Facts, Told, facts
from league.stats.rows import (
    delete_facts,
    places,
    plain,
    query,
    read_facts,
    write_facts,
    write_sums,
)
from league.stats.tallies import Shares, Tallies
from league.stats.telling import told_hands

MOST_MARKS = 200


def leagues_behind() -> list[UUID]:
    """Return the leagues in which hands wait to be counted."""
    return list(StaleMark.objects.order_by("league").values_list("league", flat=True).distinct())


def count_marked(league_id: UUID, *, most: int = MOST_MARKS) -> int:
    """Count the hands that are marked, oldest first; return how many marks were taken off."""
    with counting(league_id):
        marks = list(
            StaleMark.objects.filter(league=league_id)
            .order_by("pk")
            .values_list("pk", "hand")[:most]
        )
        count(list(dict.fromkeys(plain(hand) for _, hand in marks)))
        StaleMark.objects.filter(pk__in=[mark for mark, _ in marks]).delete()
    return len(marks)


@contextmanager
def counting(league_id: UUID) -> Iterator[None]:
    """Hold what is counted of a league, until all of it stands; others wait."""
    with transaction.atomic():
        StatsState.objects.bulk_create([StatsState(league_id=league_id)], ignore_conflicts=True)
        StatsState.objects.select_for_update().get(pk=league_id)
        yield
        StatsState.objects.filter(pk=league_id).update(version=F("version") + 1)


def count(hands: Sequence[str]) -> None:
    """Bring the stats of these hands to what is told of them now; the caller holds the league."""
    if not hands:
        return
    sums = Tallies()
    before = read_facts(f"f.hand_id IN {places(hands)}", hands)
    luck = known_luck([each.hand.revision for each in before.values() if _lucky(each)])
    for each in before.values():
        sums.add(each, luck.get(each.hand.revision), sign=-1)
    after = [counted(told, shares) for told, shares in told_hands(hands)]
    for each, shares in after:
        sums.add(each, shares)
    delete_facts(list(before))
    write_facts([each for each, _ in after])
    write_sums(sums)


def counted(told: Told, shares: Shares | None) -> tuple[Facts, Shares | None]:
    """Return the facts of a hand, with its luck where it has any and that is known already."""
    found = facts(told)
    if shares is None or found.hand.luck == HandFact.Luck.NONE:
        return found, None
    return found._replace(hand=found.hand._replace(luck=HandFact.Luck.FOUND)), shares


def known_luck(revisions: Sequence[str]) -> dict[str, Shares]:
    """Return the luck of these revisions, by revision."""
    if not revisions:
        return {}
    sql = f"SELECT revision_id, shares FROM league_luck WHERE revision_id IN {places(revisions)}"
    return {str(revision): json.loads(shares) for revision, shares in query(sql, revisions)}


def _lucky(found: Facts) -> bool:
    return found.hand.luck == HandFact.Luck.FOUND
