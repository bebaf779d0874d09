"""No league holds more rows of a kind than its bound, whichever door they come through.

The numbers are those of docs/threats.md.
"""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.archive.import_season import import_season
from league.common import bounds
from league.common.errors import Refused
from league.models import League, Night, Player, Role
from league.people.leagues import add_player
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, plan
from tests.helpers.api.clients import member, send
from tests.helpers.league.hand_files import hand, on
from tests.helpers.league.leagues import a_league, a_night
from tests.helpers.league.pages import html
from tests.helpers.security.seasons import a_full_season, file_of, lines_of

pytestmark = pytest.mark.django_db

FULL = "a league has at most 500 players"


def fill_players(league: League, *, free: int = 0) -> None:
    """Add names until the league has room for `free` more."""
    missing = bounds.PLAYERS.most - league.players.count() - free
    Player.objects.bulk_create(
        Player(league=league, name=f"Player {number}") for number in range(missing)
    )


# Doors of a new name: each takes a host's browser and a night, and returns what is answered.
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
def test_full_league_refuses_a_name_at_every_door(door: Door) -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    fill_players(night.league)
    assert FULL in door(host, night)
    assert night.league.players.count() == 500


def test_full_league_refuses_a_name_of_an_imported_file(tmp_path: Path) -> None:
    league = a_night().league
    fill_players(league)
    (tmp_path / "may.phh").write_text(hand("zoe", at=on(1)), encoding="utf-8")
    said = StringIO()
    arguments = ["import", str(tmp_path), "--league", str(league.pk), "--add-players"]
    with pytest.raises(SystemExit):
        call_command(*arguments, stdout=StringIO(), stderr=said)
    assert FULL in said.getvalue()
    assert league.players.count() == 500


def test_season_file_with_too_many_names_is_refused() -> None:
    rows = file_of(a_full_season())
    [player, *_] = [row for row in rows if row.get("row") == "Player"]
    extra = [
        player | {"id": 1000 + number, "name": f"Player {number}"}
        for number in range(bounds.PLAYERS.most)
    ]
    league = a_league()
    with pytest.raises(Refused) as refused:
        import_season(league, lines_of([*rows, *extra]))
    assert [(each["code"], each["text"].rpartition(": ")[2]) for each in refused.value.errors] == [
        ("too-many", FULL)
    ]
    assert not league.players.exists()


@pytest.mark.django_db(transaction=True)
def test_two_names_at_once_do_not_share_the_last_place() -> None:
    league = a_league()
    fill_players(league, free=1)

    def add(number: int) -> bool:
        try:
            add_player(league, f"Late {number}")
        except Refused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(add, range(4))) == 1
    assert league.players.count() == 500


def test_threats_list_every_bound_with_its_number() -> None:
    """A bound that is changed or added is written in docs/threats.md."""
    page = Path(settings.BASE_DIR, "docs/threats.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\* `([A-Z_]+)`: ([\d,]+) ", page, re.MULTILINE))
    assert listed == {
        name: f"{bound.most:,}"
        for name, bound in vars(bounds).items()
        if isinstance(bound, bounds.Bound)
    }
