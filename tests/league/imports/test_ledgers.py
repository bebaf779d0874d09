"""Ledgers whose rows leave open who played, or which differ from a closed night."""

from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.imports.contents import ImportOptions, Source
from league.imports.execution import Report, record_plan
from league.imports.planning import plan
from league.integrity.audit import audit
from league.models import BuyIn, ClosingLine, League, Night, Role
from league.nights.nights import stacks
from league.nights.opening import open_night
from league.people.leagues import add_player
from rules.api import rename_players
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league, holdem
from tests.helpers.league.nights import dealt
from tests.helpers.league.pages import html
from tests.helpers.rules.poker_now import LOG

pytestmark = pytest.mark.django_db

HEAD = "player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net\n"


def ledger(*rows: tuple[str, str, int, int]) -> str:
    """Return a ledger of names, ids, buy-ins and final stacks."""
    times = "2023-06-03T18:00:00Z,2023-06-03T23:00:00Z"
    return HEAD + "".join(
        f"{name},{id_},{times},{bought},{left},0,{left - bought}\n"
        for name, id_, bought, left in rows
    )


def imported(league: League, text: str, **options: object) -> Report:
    usual: dict[str, object] = {"amounts": "units", "add_players": True, "close": True}
    chosen = ImportOptions(**usual | options)  # type: ignore[arg-type]
    report = Report()
    planned = plan(league, [Source("ledger.csv", "", text)], chosen)
    for _ in record_plan(league, planned, report, options=chosen, by=None):
        pass
    assert audit(league) == []
    return report


def nets() -> dict[str, int]:
    return {line.player.name: line.net for line in ClosingLine.objects.select_related("player")}


@pytest.mark.parametrize("other", ["Ann", "ANN", " Ann ", "\u0410nn"])
def test_ledger_whose_ids_share_a_name_is_refused(other: str) -> None:
    """Two players called Ann were one player, whose results of 50 and -50 cancelled out."""
    league = a_league()
    text = ledger(("Ann", "a", 100, 150), (other, "b", 100, 50))
    report = imported(league, text)
    assert "name-twice" in {refused.code for refused in report.refused}
    assert "Ann has the ids a and b" in report.refused[0].text
    assert not Night.objects.exists()
    other_league = a_league()
    report = imported(other_league, text, called={"b": "Ann B"})
    assert (report.refused, nets()) == ([], {"Ann": 50, "Ann B": -50})


def test_ids_that_the_host_matches_with_one_player_are_one_player() -> None:
    """A player who changes the device during a night gets a second id."""
    text = ledger(("Ann", "a", 100, 150), ("Ann", "b", 100, 60), ("Bob", "c", 100, 90))
    assert imported(a_league(), text, called={"a": "Ann", "b": "Ann"}).refused == []
    assert nets() == {"Ann": 10, "Bob": -10}


def test_players_without_ids_are_distinguished_by_name() -> None:
    """They were one player with the first name, whose results cancelled out."""
    assert imported(a_league(), ledger(("Ann", "", 100, 150), ("Bob", "", 100, 50))).refused == []
    assert nets() == {"Ann": 50, "Bob": -50}


def test_ledger_that_differs_from_its_closed_night_is_refused() -> None:
    league = a_league()
    imported(league, ledger(("Ann", "a", 100, 150), ("Bob", "b", 100, 50)))
    assert imported(league, ledger(("Ann", "a", 100, 150), ("Bob", "b", 100, 50))).refused == []
    report = imported(league, ledger(("Ann", "a", 100, 160), ("Bob", "b", 100, 40)))
    assert [refused.code for refused in report.refused] == ["night-closed"]
    assert nets() == {"Ann": 50, "Bob": -50}


@pytest.mark.parametrize(("players", "warned"), [(("Ann", "Bob"), True), (("Ann", "Cat"), False)])
def test_preview_warns_of_a_night_recorded_here_on_the_date(
    players: tuple[str, ...], warned: bool
) -> None:
    """A night recorded here and imported from PokerNow counted twice without a word."""
    league = a_league()
    started_at = datetime(2023, 6, 3, 19, tzinfo=UTC)
    seated = [add_player(league, name) for name in players]
    night = open_night(league, players=seated, started_at=started_at)
    dealt(night, rename_players(holdem(), dict(zip(("ann", "bob"), players, strict=True))))
    sent = {"file": SimpleUploadedFile("a.csv", ledger(*TWO).encode()), "add_players": "on"}
    page = html(member(league, Role.HOST).post(f"/leagues/{league.pk}/import", sent))
    assert ("This league has a night on 2023-06-03 with 2 of these players" in page) == warned
    assert ("has a night on" in page) == warned


TWO = (("Ann", "a", 100, 150), ("Bob", "b", 100, 50))


def bought(league: League) -> list[int]:
    rows = BuyIn.objects.filter(night__season__league=league, posting__reversal=None)
    return list(rows.order_by("chips").values_list("chips", flat=True))


@pytest.mark.parametrize("close", [True, False])
def test_ledger_imported_with_another_chip_value_is_refused(close: bool) -> None:
    """A second import sold 300 more chips to each player of an open night."""
    league = a_league()
    assert imported(league, ledger(*TWO), close=close).refused == []
    report = imported(league, ledger(*TWO), close=close, places=2, units=25)
    assert [(refused.code, refused.text) for refused in report.refused] == [
        (
            "other-chips",
            "this ledger was imported with 1 for a chip, not 0.25: use the same",
        )
    ]
    assert bought(league) == [100, 100]


def test_ledger_of_a_night_with_hands_has_the_chip_value_of_the_hands() -> None:
    league = a_league()
    imported(league, LOG.replace(",t,", ",2023-06-03T20:00:00Z,"), close=False)
    [night] = Night.objects.all()
    before = stacks(night)
    rows = [(str(player), "", 1, 1) for player in night.league.players.all()]
    report = imported(league, ledger(*rows), close=False, places=1, units=5)
    assert {refused.code for refused in report.refused} == {"other-chips"}
    assert stacks(night) == before


def test_ledger_that_continues_an_open_night_is_imported() -> None:
    """All players bought in again, so all purchases doubled, but not the final stacks."""
    league = a_league()
    imported(league, ledger(*TWO), close=False)
    report = imported(league, ledger(("Ann", "a", 200, 320), ("Bob", "b", 200, 80)), close=False)
    assert (report.refused, bought(league)) == ([], [100, 100, 100, 100])
    [(night, _hands)] = report.nights
    assert night.is_new
