"""A host imports years of nights from a spreadsheet."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile

from league.chat.services import add_channel
from league.closing.notifications import remind_payers
from league.common import row_limits
from league.imports import jobs
from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, preview, record_plan
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import (
    ChatPost,
    ClosingLine,
    ImportJob,
    League,
    LeftoverPolicy,
    LogbookEntry,
    Night,
    Notice,
    OutgoingMail,
    PlannedPayment,
    Player,
    Role,
    User,
)
from league.nights.opening import open_night
from league.people.leagues import add_player
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league, a_night, a_user, qualifiers
from tests.helpers.league.nights import again, chosen, closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = """\
Date,Player,Buy-in,Cash-out
2022-01-14,Ann,20,35
2022-01-14,Bob,20,5
2023-06-03,Ann,40,20
2023-06-03,Cat,20,40
"""


def imported(league: League, text: str = TABLE, **chosen: object) -> Report:
    usual: dict[str, object] = {"add_players": True, "close": True}
    options, report = ImportOptions(**usual | chosen), Report()  # type: ignore[arg-type]
    planned = plan(league, [Source("nights.csv", "", text)], options)
    for _ in record_plan(league, planned, report, options=options, by=None):
        pass
    assert audit(league) == []
    return report


def refusals(league: League, text: str, **chosen: object) -> list[tuple[int, str]]:
    """Preview and record a table, which must be refused alike. Return the lines and codes."""
    usual: dict[str, object] = {"add_players": True, "close": True}
    options, previewed = ImportOptions(**usual | chosen), Report()  # type: ignore[arg-type]
    for _ in preview(league, plan(league, [Source("nights.csv", "", text)], options), previewed):
        pass
    recorded = imported(league, text, **chosen)
    refused = [each for each in recorded.refused if each.code != "kept-open"]
    assert previewed.refused == refused
    assert [night.name for night, _ in previewed.nights] == [
        *Night.objects.filter(imported=True, name__contains="-")
        .order_by("started_at")
        .values_list("name", flat=True)
    ]
    return [(each.line, each.code) for each in refused]


def closed_nights() -> Iterator[tuple[str, dict[str, int]]]:
    for night in Night.objects.filter(state=Night.State.CLOSED).order_by("started_at"):
        lines = ClosingLine.objects.filter(closing__night=night).select_related("player")
        yield night.name, {line.player.name: line.net for line in lines}


def test_each_date_of_a_table_becomes_a_closed_night() -> None:
    league = a_league()
    assert not imported(league).refused
    assert list(closed_nights()) == [
        ("2022-01-14", {"Ann": 15, "Bob": -15}),
        ("2023-06-03", {"Ann": -20, "Cat": 20}),
    ]
    assert league.seasons.get().starts_on == date(2022, 1, 14)


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles", "UTC"])
def test_night_has_the_date_of_its_row_in_every_time_zone(zone: str) -> None:
    league = a_league()
    League.objects.update(time_zone=zone)
    league.refresh_from_db()
    imported(league)
    assert sorted(Night.objects.values_list("name", flat=True)) == ["2022-01-14", "2023-06-03"]


@pytest.mark.parametrize("closing_hour", [6, 23])
def test_table_imported_again_changes_nothing(closing_hour: int) -> None:
    league = a_league()
    League.objects.update(closing_hour=closing_hour)
    league.refresh_from_db()
    imported(league)
    report = imported(league)
    assert not report.refused
    assert not any(night.is_new for night, _ in report.nights)
    assert Night.objects.count() == 2


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("2022-01-14,Cat,20,30", "does-not-add-up"),
        ("2022-01-14,Cat,20,?", "ledger-unread"),
        ("2022-01-14,Cat,0.5,0.5", "too-fine"),
    ],
)
def test_doubtful_night_stays_open_and_the_others_are_closed(row: str, code: str) -> None:
    report = imported(a_league(), f"{TABLE}{row}\n", places=0)
    assert code in {refused.code for refused in report.refused}
    assert [name for name, _ in closed_nights()] == ["2023-06-03"]


def test_totals_are_no_players() -> None:
    """Spreadsheets end with a row of totals, and some have one for each date."""
    report = imported(a_league(), f"{TABLE}2022-01-14,Total,40,40\nTotal,,100,100\n")
    assert not report.refused
    assert not Player.objects.filter(name="Total").exists()
    assert len(list(closed_nights())) == 2


def test_date_of_a_night_that_was_recorded_here_is_refused() -> None:
    """A league that continued its spreadsheet would otherwise count its nights twice."""
    league = a_league()
    started_at = datetime(2023, 6, 3, 19, tzinfo=UTC)
    players = [add_player(league, name) for name in ("ann", "bob")]
    dealt(open_night(league, players=players, started_at=started_at))
    report = imported(league)
    assert [refused.code for refused in report.refused] == ["night-twice"]
    assert [name for name, _ in closed_nights()] == ["2022-01-14"]


def test_second_ledger_of_a_night_is_refused_and_keeps_the_night_open() -> None:
    """The sums of the first ledger were overwritten by the second, and the night was closed."""
    league = a_league()
    other = "Date,Player,Buy-in,Cash-out\n2022-01-14,Ann,20,10\n2022-01-14,Zed,20,30\n"
    options, report = ImportOptions(add_players=True, close=True), Report()
    sources = [Source("old.csv", "", TABLE), Source("older.csv", "", other)]
    for _ in record_plan(league, plan(league, sources, options), report, options=options, by=None):
        pass
    second = next(each for each in report.refused if each.code == "ledger-twice")
    assert second.text == (
        "older.csv (2022-01-14) isn't imported: the night 2022-01-14 already has a ledger"
    )
    reasons = [night.open_reasons() for night, _ in report.nights]
    assert reasons == [["rows not imported: 1"], []]
    assert report.new_players == ["Ann", "Bob", "Cat"]
    assert [name for name, _ in closed_nights()] == ["2023-06-03"]


def test_report_lists_no_new_players_of_refused_nights() -> None:
    """The preview and the result listed Yan and Zed, who were not added."""
    future = "2199-01-01,Yan,20,30\n2199-01-01,Zed,20,10\n"
    report = imported(a_league(), TABLE + future)
    assert {each.code for each in report.refused} == {"bad-option"}
    assert report.new_players == ["Ann", "Bob", "Cat"]
    assert {*Player.objects.values_list("name", flat=True)} == {*report.new_players}


def test_past_night_does_not_get_the_pots_of_later_nights() -> None:
    """The league keeps unclaimed pots for the next night (decision 0005)."""
    night = chosen(a_night(), leftover=LeftoverPolicy.STAYS)
    dealt(night, qualifiers())
    closed(again(night))
    imported(night.league)
    assert not any(each.opening_pots for each in Night.objects.filter(imported=True))
    following = open_night(night.league, players=night.league.players.all())
    assert [pot["amount"] for pot in following.opening_pots] == [20]
    assert audit() == []


def test_nights_of_past_years_are_not_announced() -> None:
    league = a_league()
    add_channel(league, uuid4(), "https://ntfy.example.org/thursdays", by=a_user("host"))
    imported(league)
    assert not ChatPost.objects.exclude(closing=None).exists()
    assert not Notice.objects.exists()


def test_payments_of_past_years_are_not_reminded_of() -> None:
    """A payer would have got four reminders for each night that was imported unpaid."""
    league = a_league()
    bob, user = add_player(league, "Bob"), a_user("bob")
    User.objects.filter(pk=user.pk).update(email="bob@example.org")
    Player.objects.filter(pk=bob.pk).update(user=user)
    imported(league)
    assert PlannedPayment.objects.filter(payer__name="Bob").exists()
    with time_machine.travel(datetime.now(UTC) + timedelta(days=8)):
        remind_payers()
        assert not OutgoingMail.objects.exists()
        Night.objects.update(imported=False)
        remind_payers()
        assert OutgoingMail.objects.exists()


def test_row_without_a_date_keeps_all_nights_open() -> None:
    """The row can belong to any of the nights."""
    report = imported(a_league(), f"{TABLE}Friday,Cat,20,30\n")
    assert "“Friday” is not a date like 2024-03-13" in {refused.text for refused in report.refused}
    assert not list(closed_nights())


def test_table_with_more_nights_than_a_season_can_have_is_refused() -> None:
    first = date(2000, 1, 1).toordinal()
    days = (date.fromordinal(first + day) for day in range(row_limits.NIGHTS.most + 1))
    table = "date,player,net\n" + "".join(f"{day},Ann,0\n" for day in days)
    report = imported(a_league(), table)
    assert [refused.code for refused in report.refused] == ["too-many"]
    assert not Night.objects.exists()


def test_host_imports_paid_nights_of_money_on_the_page() -> None:
    """A chip is a quarter here, and the spreadsheet counts dollars."""
    league = a_league()
    League.objects.update(chip_value=25)
    client = member(league, Role.HOST)
    at = f"/leagues/{league.pk}/import"
    file = SimpleUploadedFile("nights.csv", TABLE.encode())
    page = client.post(at, {"file": file}, follow=True).redirect_chain[-1][0]
    assert jobs.run_next(league.pk)
    assert "Value of one chip in the file" in html(client.get(page))
    chosen = {"chip": "0.25", "add_players": "on", "close": "on", "settled": "on"}
    client.post(page, chosen)
    assert jobs.run_next(league.pk)
    shown = html(client.get(page))
    assert "Fri 14 Jan 2022" in shown
    client.post(page, chosen | {"seen": "0.25", "record": ""})
    assert jobs.run_next(league.pk)
    assert dict(closed_nights())["2022-01-14"] == {"Ann": 60, "Bob": -60}
    assert ImportJob.objects.get().content == b""
    assert audit(league) == []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"called": "nonsense"}, "“nonsense” is not a match. Write: name in file = player."),
        ({"bears": "Zed"}, "The league has no player Zed."),
        ({"bears": "Zed", "add_players": ""}, "The league has no player Zed."),
    ],
)
def test_wrong_option_keeps_the_preview(wrong: dict[str, str], message: str) -> None:
    """The page said that the import had stopped and that its hands were kept."""
    league = a_league()
    client = member(league, Role.HOST)
    sent = {"file": SimpleUploadedFile("nights.csv", TABLE.encode()), "add_players": "on"}
    page = client.post(f"/leagues/{league.pk}/import", sent, follow=True).redirect_chain[-1][0]
    assert jobs.run_next(league.pk)
    chosen = {"add_players": "on", "close": "on", "seen": "0.01", "record": ""}
    answer = client.post(page, chosen | wrong)
    shown = html(answer)
    assert answer.status_code == 400
    assert shown.count(message) == 1
    assert "Fri 14 Jan 2022" in shown
    assert ("nonsense</textarea>" in shown) == ("called" in wrong)
    assert ('value="Zed"' in shown) == ("bears" in wrong)
    assert "stopped" not in shown
    assert not jobs.run_next(league.pk)
    client.post(page, chosen | {"bears": "ann"})  # the file adds Ann
    assert jobs.run_next(league.pk)
    assert len(list(closed_nights())) == 2


def test_names_that_look_alike_in_a_night_are_refused() -> None:
    """The results of two people would count for one player."""
    look_alike = "2023-06-03,Аnn,20,40\n2023-06-03,Cat,20,0\n"
    report = imported(a_league(), f"{TABLE}{look_alike}")
    assert "name-twice" in {refused.code for refused in report.refused}
    assert [name for name, _ in closed_nights()] == ["2022-01-14"]


def test_preview_refuses_the_rows_that_recording_refuses() -> None:
    """The preview showed nights and amounts that were then refused one by one."""
    table = f"""{TABLE}1969-12-31,Ann,20,35
1969-12-31,Bob,20,5
2199-01-01,Ann,20,20
2023-07-01,Ann,9000000000000,9000000000000
2023-07-01,Cat,-5,0
2023-07-01,Bob,0,9999999999999
"""
    league = a_league()
    assert sorted(refusals(league, table)) == [
        (0, "night-left-out"),
        (6, "bad-option"),
        (8, "bad-option"),
        *[(9, "bad-chips"), (9, "bad-chips")],
        *[(10, "ledger-negative"), (11, "bad-chips")],
    ]
    assert len(list(closed_nights())) == 2


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "2023-06-03,Eve,-50,20\n2023-06-03,Eve,50.10,20\n",
            [
                (6, "a buy-in can't be negative: “2023-06-03,Eve,-50,20”"),
                (7, "Eve: 50.10 is not a whole number of chips, which are 0.5 each in the file"),
            ],
        ),
        ("2023-06-03,Eve,x,20\n", [(6, "the buy-in “x” is not an amount: “2023-06-03,Eve,x,20”")]),
    ],
)
def test_date_with_a_refused_row_is_left_out(rows: str, expected: list[tuple[int, str]]) -> None:
    """The other rows were imported, and sums included the refused row."""
    league = a_league()
    report = imported(league, f"{TABLE}{rows}", places=1, units=5)
    reason = "2023-06-03 isn't imported until its rows are correct"
    assert [(each.line, each.text) for each in report.refused] == [*expected, (0, reason)]
    assert [name for name, _ in closed_nights()] == ["2022-01-14"]
    assert report.new_players == ["Ann", "Bob"]
    assert Player.objects.count() == 2
    entry = LogbookEntry.objects.get(kind="imported")
    assert entry.about["refused"] == len(report.refused)


UNEVEN = """\
Date,Player,Buy-in,Cash-out
2023-09-18,Hal,50,60
2023-09-18,Bob,50,35
"""


@pytest.mark.parametrize(
    ("bears", "nets", "difference"),
    [
        ("all", {"Hal": 25, "Bob": -25}, "Ledger difference of 5.00 USD: Bob +2.50, Hal +2.50"),
        ("bob", {"Hal": 20, "Bob": -20}, "Ledger difference of 5.00 USD: Bob +5.00"),
    ],
)
def test_preview_and_result_show_the_booked_difference(
    bears: str, nets: dict[str, int], difference: str
) -> None:
    """Both showed the nets in the file, without a word of the difference."""
    league = a_league()
    League.objects.update(chip_value=50)
    client = member(league, Role.HOST)
    sent = {"file": SimpleUploadedFile("nights.csv", UNEVEN.encode()), "add_players": "on"}
    page = client.post(f"/leagues/{league.pk}/import", sent, follow=True).redirect_chain[-1][0]
    assert jobs.run_next(league.pk)
    shown = html(client.get(page))
    sums = "The nets of 2023-09-18 add up to \u22125.00 USD instead of 0".lower()
    assert f"stays open: {sums}" in shown.lower()
    assert "Not imported" not in shown
    assert "Import nights" in shown
    chosen = {"add_players": "on", "close": "on", "bears": bears, "seen": "0.5"}
    for record in ({}, {"record": ""}):
        client.post(page, chosen | record)
        assert jobs.run_next(league.pk)
        shown = html(client.get(page))
        assert difference in shown
        assert "add up to" not in shown
        for name, chips in nets.items():
            money = f"{chips / 2:.2f} USD".replace("-", "\u2212")
            assert f"({money})" in shown, name
    assert dict(closed_nights()) == {"2023-09-18": nets}
    again = imported(league, UNEVEN, places=1, units=5)
    assert again.refused == []
    assert dict(again.nights[0][0].nets()) == nets


def test_open_night_shows_why_its_difference_is_not_booked() -> None:
    league = a_league()
    report = imported(league, f"{UNEVEN}Friday,Hal,1,1\n", bears="all")
    [(night, _hands)] = report.nights
    assert night.open_reasons() == [
        "rows not imported: 1",
        "the nets of 2023-09-18 add up to \u22125 (\u22120.05 USD) instead of 0",
    ]
    assert dict(night.nets()) == {"Hal": 10, "Bob": -15}


def test_preview_refuses_nights_beyond_the_limit_of_open_nights() -> None:
    league = a_league()
    first = open_night(league)
    others = range(2, row_limits.OPEN_NIGHTS.most)
    Night.objects.bulk_create(
        Night(season=first.season, number=number, chip_value=1, currency="EUR", usual_buy_in=1)
        for number in others
    )
    assert refusals(league, TABLE, close=False) == [(4, "too-many")]


def test_preview_refuses_a_player_with_the_name_of_the_cash_box() -> None:
    league = a_league()
    box = Player.with_box.create(league=league, name="Ann", is_box=True)
    assert box not in league.players.all()
    assert {code for _, code in refusals(league, TABLE)} == {"unknown-player"}


def test_preview_refuses_a_difference_for_a_player_who_did_not_play() -> None:
    league = a_league()
    add_player(league, "Dan")
    wrong = refusals(league, f"{TABLE}2023-06-03,Ann,1,0\n", bears="Dan")
    assert wrong == [(0, "does-not-add-up")]
    assert [name for name, _ in closed_nights()] == ["2022-01-14"]


@pytest.mark.parametrize("hour", [0, 9, 12, 23])
@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles"])
def test_night_of_today_is_imported_at_any_hour(zone: str, hour: int) -> None:
    """A night started at noon, which was in the future until then."""
    league = a_league()
    League.objects.update(time_zone=zone)
    league.refresh_from_db()
    now = datetime(2031, 5, 3, hour, 5, tzinfo=ZoneInfo(zone))
    with time_machine.travel(now):
        table = "date,player,net\n2031-05-03,Ann,5\n2031-05-03,Bob,-5\n2031-05-04,Ann,0\n"
        assert refusals(league, table) == [(4, "bad-option")]
        assert [name for name, _ in closed_nights()] == ["2031-05-03"]
        assert not any(night.is_new for night, _ in imported(league, table).nights)
