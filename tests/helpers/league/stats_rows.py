"""What tests hold counted stats against: every row of a league, without its number."""

from typing import Any

from league.models import League, StaleMark
from league.stats.store.fact_rows import read_facts
from league.stats.store.sum_rows import read_sums
from league.stats.sums import SUMS
from league.stats.update.count import count_marked
from ledger.sql import plain, query


def rows(league: League) -> dict[str, Any]:
    """Everything that is counted of the league, as one value that can be compared."""
    seasons = [plain(pk) for pk in league.seasons.values_list("pk", flat=True)]
    found: dict[str, Any] = {each.table: read_sums(each, seasons) for each in SUMS}
    stored = read_facts("f.league_id = %s", [plain(league.pk)]).values()
    found["facts"] = {each.hand.hand: each for each in stored}
    return found


def count_all(league: League) -> None:
    while StaleMark.objects.filter(league=league).exists():
        count_marked(league.pk)


def sum_of(table: str, column: str) -> int:
    return int(query(f"SELECT coalesce(sum({column}), 0) FROM {table}")[0][0])  # noqa: S608
