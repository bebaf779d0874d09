"""Whether what tournaments were charged follows from what happened there."""

from collections.abc import Iterator

from league.models import League, Tournament
from league.tournaments.reading import state_of
from ledger.checks import Finding


def other_results(league: League) -> Iterator[Finding]:
    """Yield the tournaments whose charge is not what entries, places and the deal come to."""
    ended = Tournament.objects.filter(
        night__season__league=league, charge__isnull=False, charge__posting__reversal=None
    )
    rows = ended.select_related("night__season__league", "charge__posting")
    for tournament in rows.prefetch_related("charge__shares").order_by("pk"):
        wanted = {
            each.player: (each.prize + each.bounties, each.paid, each.place)
            for each in state_of(tournament).results
        }
        charge = tournament.charge
        shares = charge.shares.all() if charge else ()
        if {each.player_id: (each.gets, each.owes, each.place) for each in shares} != wanted:
            text = f"{league}, {tournament.night}: a tournament is charged otherwise than it ended"
            yield Finding("tournament-differs", text, (str(tournament.pk),))
