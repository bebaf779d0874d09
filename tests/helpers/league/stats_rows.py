"""A league's stats rows for comparison, without ids."""

from typing import Any

from league.models import Hand, League, Night, StaleMark
from league.stats.count import count_marked
from league.stats.facts import read_facts
from league.stats.night_sums import read_sums
from ledger.sql import query, uuid_text


def rows(league: League) -> dict[str, Any]:
    """Return all of the league's facts and totals as one comparable value."""
    nights = Night.objects.filter(season__league=league).order_by("pk")
    hands = Hand.objects.filter(night__in=nights)
    found: dict[str, Any] = read_sums([uuid_text(pk) for pk in nights.values_list("pk", flat=True)])
    return found | {
        "facts": read_facts([uuid_text(pk) for pk in hands.values_list("pk", flat=True)])
    }


def count_all(league: League) -> None:
    while StaleMark.objects.filter(league=league).exists():
        count_marked(league.pk)


def sum_of(table: str, column: str) -> int:
    return int(query(f"SELECT coalesce(sum({column}), 0) FROM {table}")[0][0])  # noqa: S608
