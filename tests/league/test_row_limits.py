"""No league exceeds the maximum number of rows of any kind, by any route.

The limits are listed in docs/threats.md.
"""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from league.archive.import_season import import_season
from league.charges.charging import NewCharge, Share, charge
from league.closing.cash_outs import cash_out
from league.closing.chip_count import count
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.payments import promise
from league.common import row_limits
from league.common.errors import RefusedError
from league.models import League, Night, Player, Role
from league.nights.buy_ins import buy_in
from league.nights.nights import seat
from league.nights.opening import open_night
from league.people.joining import claim_player
from league.people.leagues import add_player, add_season, make_league
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, plan
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import member, reported_errors, send
from tests.helpers.api.sample_league import World, a_world
from tests.helpers.league.hand_files import hand, on
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.pages import html
from tests.helpers.security.seasons import a_full_season, file_of, lines_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return a_world()


FULL = "a league has at most 500 players"  # on pages, it starts with a capital letter


def fill_players(league: League, *, free: int = 0) -> None:
    """Add names until the league has room for `free` more."""
    missing = row_limits.PLAYERS.most - league.players.count() - free
    Player.objects.bulk_create(
        Player(league=league, name=f"Player {number}") for number in range(missing)
    )


# Ways to add a name: each takes a host's browser and a night, and returns the response.
Door = Callable[[Client, Night], str]


def page_of_the_league(host: Client, night: Night) -> str:
    return html(host.post(f"/leagues/{night.league.pk}/players", {"name": "Zoe\nYan"}))


def guest_at_the_night(host: Client, night: Night) -> str:
    return html(host.post(f"/nights/{night.pk}/guests", {"name": "Zoe", "key": str(uuid4())}))


def api(host: Client, night: Night) -> str:
    answer = send(host, f"/api/v1/leagues/{night.league.pk}/players", {"name": "Zoe"})
    assert answer.status_code == 400
    [error] = answer.json()["errors"]
    assert error["code"] == "too-many"
    return str(error["text"])


def planned_night(host: Client, night: Night) -> str:
    """A guest who answered becomes a player when the night starts."""
    planned = plan(night.league, uuid4(), timezone.now() + timedelta(days=3), Details(), by=None)
    answer_for(planned, "Zoe", "yes")
    at = f"/planned-nights/{planned.pk}/start"
    rows = host.get(at).context["form"].rows
    [zoe] = [row.player.pk for row in rows if row.player.name == "Zoe"]
    other = next(row.player.pk for row in rows if row.player.pk != zoe)
    form = {"key": str(planned.pk), "usual": "100", f"sits-{zoe}": "on", f"seat-{zoe}": "1"}
    form |= {f"sits-{other}": "on", f"seat-{other}": "2"}
    return html(host.post(at, form))


def import_by_page(host: Client, night: Night) -> str:
    at = f"/leagues/{night.league.pk}/import"
    sent = {"text": hand("zoe", at=on(1)), "name": "may.phh", "add_players": "on", "record": "1"}
    return html(host.post(at, sent))


def import_by_api(host: Client, night: Night) -> str:
    at = f"/api/v1/leagues/{night.league.pk}/imports"
    text = hand("zoe", at=on(1))
    answer = send(host, at, {"files": [{"name": "may.phh", "text": text}], "add_players": True})
    return json.dumps(answer.json()["refused"])


DOORS = [
    page_of_the_league,
    guest_at_the_night,
    api,
    planned_night,
    import_by_page,
    import_by_api,
]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_full_league_refuses_names_on_every_route(door: Door) -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    fill_players(night.league)
    assert FULL in door(host, night).replace("A league", "a league")
    assert night.league.players.count() == 500


def test_full_league_refuses_names_from_an_imported_file(tmp_path: Path) -> None:
    league = a_night().league
    fill_players(league)
    (tmp_path / "may.phh").write_text(hand("zoe", at=on(1)), encoding="utf-8")
    output = StringIO()
    arguments = ["import", str(tmp_path), "--league", str(league.pk), "--add-players"]
    with pytest.raises(SystemExit):
        call_command(*arguments, stdout=StringIO(), stderr=output)
    assert FULL in output.getvalue()
    assert league.players.count() == 500


def test_season_file_with_too_many_names_is_refused() -> None:
    rows = file_of(a_full_season())
    [player, *_] = [row for row in rows if row.get("row") == "Player"]
    extra = [
        player | {"id": 1000 + number, "name": f"Player {number}"}
        for number in range(row_limits.PLAYERS.most)
    ]
    league = a_league()
    with pytest.raises(RefusedError) as refused:
        import_season(league, lines_of([*rows, *extra]))
    assert [(each["code"], each["text"].rpartition(": ")[2]) for each in refused.value.errors] == [
        ("too-many", FULL)
    ]
    assert not league.players.exists()


@pytest.mark.django_db(transaction=True)
def test_concurrently_added_names_cannot_exceed_the_limit() -> None:
    league = a_league()
    fill_players(league, free=1)

    def add(number: int) -> bool:
        try:
            add_player(league, f"Late {number}")
        except RefusedError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(add, range(4))) == 1
    assert league.players.count() == 500


def test_threats_page_lists_every_limit_with_its_number() -> None:
    """A new or changed limit must be documented in docs/threats.md."""
    page = Path(settings.BASE_DIR, "docs/threats.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\* `([A-Z_]+)`: ([\d,]+) ", page, re.MULTILINE))
    assert listed == {
        name: f"{bound.most:,}"
        for name, bound in vars(row_limits).items()
        if isinstance(bound, row_limits.RowLimit)
    }


# All other limits: how to add one more row in a league that has one of everything.
Adder = Callable[[World], object]


def a_hand(world: World) -> object:
    return record_hand(world.night, uuid4(), holdem(), by=None)


def a_charge(world: World) -> object:
    shares = {world.ann: Share(owes=3), player(world.night, "bob"): Share(gets=3)}
    wanted = NewCharge(kind="cost", title="Pizza", shares=shares)
    return charge(world.night, wanted, charge_id=uuid4(), by=None)


def a_closing(world: World) -> object:
    reopen_night(world.closed, by=None)
    return close_night(world.closed, uuid4(), by=None, decisions=Decisions(by_hands=True))


def a_newcomer(world: World) -> object:
    return claim_player(world.league, add_player(world.league, f"New {uuid4().hex[:6]}"))


def a_count(world: World) -> object:
    return count(world.night, world.ann, 5, count_id=uuid4(), by=None)


def a_purchase(world: World) -> object:
    return buy_in(world.night, world.ann, 5, buy_in_id=uuid4(), by=None)


def a_payment(world: World) -> object:
    return promise(world.plan.payments.get(), uuid4(), 1, by=None)


ADDERS: dict[str, Adder] = {
    "LEAGUES": lambda world: make_league(world.league.created_by, "Another"),
    "MEMBERS": a_newcomer,
    "SEASONS": lambda world: add_season(world.league),
    "NIGHTS": lambda world: open_night(world.league),
    "OPEN_NIGHTS": lambda world: open_night(world.league),
    "SEATS": lambda world: seat(world.night, player(world.night, "dan")),
    "BUY_INS": a_purchase,
    "CASH_OUTS": lambda world: cash_out(world.night, world.ann, 1, cash_out_id=uuid4(), by=None),
    "COUNTS": a_count,
    "HANDS": a_hand,
    "REVISIONS": lambda world: void_hand(world.hand, by=None),
    "CHARGES": a_charge,
    "CLOSINGS": a_closing,
    "PAYMENTS": a_payment,
}


@pytest.mark.parametrize("name", ADDERS)
def test_row_beyond_a_limit_is_refused_and_nothing_is_stored(
    name: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is set to the current number of rows. The message contains the limit."""
    bound = replace(getattr(row_limits, name), most=0)
    monkeypatch.setattr(row_limits, name, bound)
    with pytest.raises(RefusedError) as refused, transaction.atomic():
        ADDERS[name](world)
    assert [(each["code"], each["text"]) for each in refused.value.errors] == [
        ("too-many", str(bound))
    ]
    monkeypatch.undo()
    ADDERS[name](world)


@pytest.mark.parametrize(
    ("name", "sent", "at"),
    [
        ("SEASONS", {}, "leagues/{league}/seasons"),
        ("OPEN_NIGHTS", {}, "leagues/{league}/nights"),
        ("BUY_INS", {"id": "{id}", "player": "{ann}", "chips": 5}, "nights/{night}/buy-ins"),
        ("HANDS", {"id": "{id}", "record": holdem()}, "nights/{night}/hands"),
        ("LEAGUES", {"name": "Another"}, "leagues"),
    ],
)
def test_api_returns_a_problem_for_a_full_list(
    name: str,
    sent: dict[str, Any],
    at: str,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(row_limits, name, replace(getattr(row_limits, name), most=0))
    ids = {"league": world.league.pk, "night": world.night.pk, "ann": world.ann.pk, "id": uuid4()}
    body = {
        key: value.format(**ids) if isinstance(value, str) and "{" in value else value
        for key, value in sent.items()
    }
    answer = send(member(world.league, Role.HOST), f"/api/v1/{at.format(**ids)}", body)
    assert "too-many" in [code for _, code in reported_errors(answer)]


@pytest.mark.django_db(transaction=True)
def test_concurrently_recorded_hands_cannot_exceed_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    night = a_night()
    monkeypatch.setattr(row_limits, "HANDS", replace(row_limits.HANDS, most=1))

    def record(_: int) -> bool:
        try:
            record_hand(night, uuid4(), holdem(), by=None)
        except RefusedError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(record, range(4))) == 1
    assert night.hands.count() == 1
