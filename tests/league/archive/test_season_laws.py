"""After any sequence of events, a season's file restores the same data."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.archive.closings import FOLLOWS
from league.archive.export_season import export_season
from league.archive.import_season import import_season
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import Closing, ClosingLine, League, Night, PlannedPayment, Season
from league.people.leagues import latest_season, make_league
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import a_league, a_user
from tests.helpers.league.night_acts import Act, a_table, acts, changes, options, play
from tests.helpers.security.season import a_whole_league
from tests.helpers.security.seasons import a_full_season, a_running_tab

pytestmark = pytest.mark.django_db


def copied(season: Season) -> None:
    """Import the season's file, and check that everything derived from it is the same."""
    lines = list(export_season(season))
    copy = make_league(a_user(), "Copy")
    read = import_season(copy, lines)
    assert unsigned(export_season(read)) == unsigned(lines)
    assert worked_out(read) == worked_out(season)
    assert audit(copy) == []


def unsigned(lines: Iterable[str]) -> list[str]:
    """Return the file without its header and signatures, which each import creates again."""
    return [each for each in lines if '"row": "Proof"' not in each][1:]


def handed_to_another(season: Season) -> bool:
    """Return whether a pot from a night that was closed again opened a different season's night."""
    nights = Night.objects.filter(season__league=season.league).exclude(season=season)
    pots = [pot for pots in nights.values_list("opening_pots", flat=True) for pot in pots]
    again = Closing.objects.filter(night__season=season, number__gt=1)
    return again.filter(night__in=[pot["from"] for pot in pots]).exists()


def worked_out(season: Season) -> list[Any]:
    lines = ClosingLine.objects.filter(closing__night__season=season).order_by(
        "closing__sequence", "pk"
    )
    planned = PlannedPayment.objects.filter(plan__season=season)
    stakes = planned.values_list("lost", "won", "chips", "payer__name", "payee__name")
    return [list(lines.values_list("player__name", *FOLLOWS)), sorted(stakes)]


def test_season_without_hands_can_be_imported() -> None:
    copied(latest_season(a_league()))


@settings(max_examples=examples(30))
@given(st.lists(acts | acts | changes, max_size=30), options)
def test_any_season_survives_export_and_import(sequence: list[Act], chosen: dict[str, Any]) -> None:
    table = a_table(**chosen)
    play(table, sequence)
    for season in table.league.seasons.order_by("pk"):
        if not handed_to_another(season):
            copied(season)


@settings(max_examples=examples(30))
@given(st.lists(acts | acts | changes, min_size=10, max_size=40), options, st.data())
def test_season_file_with_altered_chips_in_a_closing_or_plan_is_refused(
    sequence: list[Act], chosen: dict[str, Any], data: st.DataObject
) -> None:
    """One amount is changed, or the payer and payee of one payment are swapped."""
    table = a_table(**chosen)
    play(table, sequence)
    season = latest_season(table.league)
    rows = [json.loads(line) for line in export_season(season)]
    ways = [changed_row for row in rows for changed_row in spoils(row)]
    if not ways or handed_to_another(season):
        return
    row, said = data.draw(st.sampled_from(ways))
    row |= said
    with pytest.raises(RefusedError):
        import_season(make_league(a_user(), "Empty"), [json.dumps(line) for line in rows])


def spoils(row: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each part of a row that can be changed, with its changed values."""
    pots = row.get("kept") or [pot for pot in row.get("opening_pots", []) if pot["from"]]
    if row.get("row") == "PlannedPayment":
        yield row, {"payer": row["payee"], "payee": row["payer"]}
    for chips in (-1, 1, 10**12):
        for each in pots[:1]:
            yield each, {"amount": each["amount"] + chips}
        if row.get("row") == "PlannedPayment":
            yield row, {"chips": row["chips"] + chips}
        if row.get("row") == "Line":
            yield row, {"back": row["back"] + chips}
            yield row, {"bears": row["bears"] + chips}


@pytest.mark.parametrize("make", [a_whole_league, a_full_season, a_running_tab])
def test_season_with_everything_survives_export_and_import(
    make: Callable[[], League],
) -> None:
    copied(make().seasons.order_by("pk")[0])
