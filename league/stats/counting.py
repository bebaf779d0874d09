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

from league.models import HandFact, StaleMark
from league.stats.facts import Facts, Told, facts
from league.stats.rows import (
    native,
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
    """Count the hands that are marked, oldest first; return how many marks were taken off.

    None are while the league is being rebuilt: they are counted after that.
    """
    with counting(league_id) as free:
        hands = _unmark(league_id, most) if free else []
        count(list(dict.fromkeys(hands)))
    return len(hands)


def _unmark(league_id: UUID, most: int) -> list[str]:
    """Take the oldest marks off; return their hands, oldest first."""
    rows = query(
        "DELETE FROM league_stalemark WHERE id IN (SELECT id FROM league_stalemark"
        " WHERE league_id = %s ORDER BY id LIMIT %s) RETURNING id, CAST(hand_id AS text)",
        [plain(league_id), most],
    )
    return [hand for _, hand in sorted(rows)]


@contextmanager
def counting(league_id: UUID) -> Iterator[bool]:
    """Hold what is counted of a league, until all of it stands; others wait.

    Yields whether anything may be changed: nothing may while the league is being rebuilt.
    PostgreSQL need not wait for its disk: after a crash the marks are there as the sums were.
    """
    at_leisure = ", set_config('synchronous_commit', 'off', true)" if native() else ""
    with transaction.atomic():
        [(rebuilder, *_)] = query(
            "INSERT INTO league_statsstate (league_id, version, differences) VALUES (%s, 1, 0)"
            " ON CONFLICT (league_id) DO UPDATE SET version = league_statsstate.version + 1"
            f" RETURNING rebuilder{at_leisure}",
            [plain(league_id)],
        )
        yield rebuilder is None


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
    write_sums(sums, gone=list(before))
    write_facts([each for each, _ in after])


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
    sql = (
        "SELECT CAST(revision_id AS text), shares FROM league_luck"
        f" WHERE revision_id IN {places(revisions)}"
    )
    return {revision: json.loads(shares) for revision, shares in query(sql, revisions)}


def _lucky(found: Facts) -> bool:
    return found.hand.luck == HandFact.Luck.FOUND
