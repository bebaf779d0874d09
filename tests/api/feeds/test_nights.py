"""One row per player and night: the night's result and the season's running total.

The feed uses the ledger's cursor. The ledger's postings become visible in the order of their ids.
"""

from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from pyarrow import parquet

from league.closing.close import Decisions, close_night, reopen_night
from league.closing.standings import standings
from league.models import League, Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from tests.helpers.api.feeds import reads
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.seasons import a_season

pytestmark = pytest.mark.django_db
ADDED = ("chips", "cashed", "adjustment", "difference_share", "prizes")


def rows(league: League, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reads(league, "nights", query).json()["results"]
    return found


def test_nights_feed_adds_up_to_the_standings() -> None:
    """The season has two nights, cash, a carried pot, a short count and a corrected hand."""
    league = a_season(a_night())
    night_rows = rows(league)
    assert {row["night_number"] for row in night_rows} == {1, 2}
    for row in night_rows:
        added = sum(row[name] for name in ADDED)
        assert row["net"] == added - row["bought"] - row["entered"]
        assert row["amount"] == row["net"] * row["chip_value"]
    [season] = league.seasons.all()
    ranked = {standing.name: standing for standing in standings(season)}
    for name, standing in ranked.items():
        own = [row for row in night_rows if row["player_name"] == name]
        assert sum(row["net"] for row in own) == standing.net
        assert sum(row["played"] for row in own) == standing.nights
        assert sum(row["amount"] for row in own) == sum(standing.won.values())
        last = max(own, key=lambda row: row["started_at"])
        assert last["total"] == standing.net
    assert {name for name, standing in ranked.items() if standing.net} == {"ann", "cat"}


def test_amount_beyond_64_bits_is_null_in_every_format() -> None:
    """A Parquet or DuckDB column holds 64 bits. An amount of 10^12 yen chips needs more."""
    table = a_night()
    League.objects.filter(pk=table.league.pk).update(chip_value=10**12)
    ann, bob = (player(table, name) for name in ("ann", "bob"))
    night = open_night(League.objects.get(pk=table.league.pk), players=[ann, bob])
    for each in (ann, bob):
        buy_in(night, each, 10**12, buy_in_id=uuid4(), by=None)
    people = [{"name": name, "paid": 10**11} for name in ("ann", "bob")]
    result = {"variant": "nightmare", "depth": "result", "button": 0, "took": {"ann": 2 * 10**11}}
    dealt(night, {**result, "players": people})
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    league = night.league
    assert {(row["net"], row["amount"]) for row in rows(league)} == {
        (10**11, None),
        (-(10**11), None),
    }
    assert reads(league, "nights.csv").getvalue().count(b"000000000000000000000") == 0
    file = parquet.read_table(BytesIO(reads(league, "nights.parquet").getvalue()))
    assert file.column("amount").null_count == file.num_rows == 2


def test_night_that_is_closed_again_reappears_in_the_feed() -> None:
    """The hand that `a_season` corrects last belongs to the first night."""
    league = a_season(a_night())
    in_order = [row["night_number"] for row in rows(league)]
    assert in_order == sorted(in_order, reverse=True)
    first, *_ = reads(league, "nights", "&page_size=1").json()["results"]
    later = rows(league, f"&cursor={first['cursor']}")
    assert {row["night_number"] for row in later} == {1}
    assert rows(league, f"&cursor={later[-1]['cursor']}") == []


def test_reopened_night_is_not_counted() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    before = rows(night.league)
    assert {row["player_name"]: row["total"] for row in before if row["net"]} == {
        "ann": 10,
        "bob": -10,
    }
    reopen_night(Night.objects.get(pk=night.pk), by=None)
    [*after] = rows(night.league, f"&cursor={before[-1]['cursor']}")
    assert {row["night"] for row in after} == {str(night.pk)}
    assert all(row["reopened"] for row in after)
    assert {(row["net"], row["bought"], row["total"], row["counted"]) for row in after} == {
        (0, 0, 0, None)
    }


def test_night_date_is_local_to_the_league() -> None:
    with time_machine.travel("2026-07-03T23:30:00Z"):
        night = a_night()
    League.objects.filter(pk=night.league.pk).update(time_zone="Europe/Berlin")
    dealt(night)
    closed(night)
    assert {row["date"] for row in rows(night.league)} == {"2026-07-04"}
    assert rows(night.league, "&before=2026-07-03T00:00:00Z") == []
    ann = next(row["player"] for row in rows(night.league) if row["player_name"] == "ann")
    assert [row["net"] for row in rows(night.league, f"&player={ann}")] == [10]
