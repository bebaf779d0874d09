"""Old nights from ledger files: their end times, their payments, and who pays differences."""

from datetime import UTC, date, datetime

import pytest

from league.closing.payments import unpaid
from league.imports.contents import EVERYONE, ImportOptions, Source, wrong_options
from league.imports.execution import Report, record_plan
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import ClosingLine, League, Night, Payment, SettlementPeriod
from tests.helpers.league.leagues import a_league

pytestmark = pytest.mark.django_db

# from clt005/poker-ledger, with the names changed; played and paid in 2023
LEDGER = """\
player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net
Ann,aaaaaaaaaa,2023-06-03T18:00:00Z,2023-06-03T23:00:00Z,100,150,0,50
Bob,bbbbbbbbbb,2023-06-03T18:00:00Z,2023-06-03T22:00:00Z,100,{left},0,{net}
"""
EVEN = LEDGER.format(left=50, net=-50)
OFF = LEDGER.format(left=40, net=-60)  # ten chips are missing


def imported(league: League, text: str = EVEN, **chosen: object) -> Report:
    options = ImportOptions(amounts="units", add_players=True, close=True, **chosen)  # type: ignore[arg-type]
    assert not list(wrong_options(league, options))
    report = Report()
    planned = plan(league, [Source("ledger.csv", "", text)], options)
    for _ in record_plan(league, planned, report, options=options, by=None):
        pass
    return report


def test_imported_night_ends_with_its_last_ledger_line() -> None:
    league = a_league()
    imported(league)
    night = Night.objects.get()
    assert night.started_at == datetime(2023, 6, 3, 18, tzinfo=UTC)
    assert night.ended_at == datetime(2023, 6, 3, 23, tzinfo=UTC)
    assert night.closings.get().made_at.year > 2023
    assert audit(league) == []


@pytest.mark.parametrize(
    "ended_at", [datetime(2023, 6, 3, 17, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)]
)
def test_audit_reports_an_end_time_outside_the_night(ended_at: datetime) -> None:
    league = a_league()
    imported(league)
    Night.objects.update(ended_at=ended_at)
    assert "state-differs" in {finding.code for finding in audit(league)}


def test_first_season_starts_with_its_first_night() -> None:
    league = a_league()
    imported(league)
    assert league.seasons.get().starts_on == date(2023, 6, 3)


def test_payments_for_nights_imported_as_settled_are_paid() -> None:
    league = a_league()
    imported(league, settled=True)
    assert [payment.state for payment in Payment.objects.all()] == [Payment.State.CONFIRMED]
    assert not unpaid().exists()
    assert audit(league) == []


def test_payments_stay_open_by_default() -> None:
    imported(a_league())
    assert unpaid().count() == 1


@pytest.mark.parametrize(
    ("bears", "nets"),
    [(EVERYONE, {"Ann": 55, "Bob": -55}), ("bob", {"Ann": 50, "Bob": -50})],
)
def test_chosen_players_bear_the_difference(bears: str, nets: dict[str, int]) -> None:
    league = a_league()
    if bears != EVERYONE:
        imported(league, LEDGER.replace("2023", "2022").format(left=50, net=-50))
    report = imported(league, OFF, bears=bears, settled=True)
    assert report.refused == []
    lines = ClosingLine.objects.filter(closing__night__started_at__year=2023)
    assert {line.player.name: line.net for line in lines} == nets
    assert audit(league) == []


def test_night_with_a_difference_stays_open_if_no_player_bears_it() -> None:
    report = imported(a_league(), OFF, settled=True)
    assert Night.objects.get().state == Night.State.OPEN
    assert "kept-open" in {each.code for each in report.refused}


@pytest.mark.parametrize(
    ("chosen", "where"),
    [
        ({"settled": True}, "close"),
        ({"bears": EVERYONE}, "close"),
        ({"bears": "nobody", "close": True}, "bears"),
    ],
)
def test_meaningless_options_are_refused(chosen: dict[str, object], where: str) -> None:
    wrong = list(wrong_options(a_league(), ImportOptions(**chosen)))  # type: ignore[arg-type]
    assert [each["where"] for each in wrong] == [where]


def test_settled_option_is_refused_if_the_league_settles_by_season() -> None:
    league = a_league()
    league.settles = SettlementPeriod.SEASON
    wrong = list(wrong_options(league, ImportOptions(close=True, settled=True)))
    assert [each["where"] for each in wrong] == ["settled"]
