"""DuckDB, pandas, polars and pyarrow read the same rows of each feed over HTTP with a feed key.

A real server runs on loopback, because readers request lengths and ranges of files.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from django.test import Client
from fsspec.implementations.http import HTTPFileSystem
from pyarrow import parquet

from api.feeds.dictionary import FEEDS
from api.feeds.parquet import GROUP
from api.feeds.row_feed import Feed
from league.models import League
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.feeds import reads
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.histories import history
from tests.helpers.league.leagues import a_night
from tests.helpers.league.seasons import a_season

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SUMS = {feed.name: [c.name for c in feed.columns if c.unit in {"chips", "hands"}] for feed in FEEDS}


@pytest.fixture
def league() -> League:
    night = a_night()
    record_hand(night, uuid4(), history(), by=None)
    made = a_season(night)
    count_marked(made.pk)
    return made


class Http(HTTPFileSystem):  # type: ignore[misc]  # has no types
    """DuckDB 2 requests a modification time, which the file system of fsspec does not provide."""

    def modified(self, path: str) -> datetime:
        return datetime(2026, 3, 5, tzinfo=UTC)


@pytest.fixture
def duck() -> Iterator[Any]:
    """DuckDB reads HTTP through an extension that it downloads, or through fsspec as here."""
    with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as connection:
        connection.register_filesystem(Http())
        yield connection


def test_every_reader_computes_the_same_totals_as_the_api(
    live_server: Any, league: League, duck: Any
) -> None:
    key = link_to(league)
    for feed in FEEDS:
        at = f"{live_server.url}/api/v1/leagues/{league.pk}/feeds/{feed.name}.parquet?key={key}"
        results = Client().get(at.replace(".parquet", "")).json()["results"]
        sums = {name: sum(row[name] or 0 for row in results) for name in SUMS[feed.name]}
        assert len(results) > 2, feed.name
        whole = ", ".join(f"sum({name})::BIGINT AS {name}" for name in sums)
        [row] = duck.read_parquet(at).aggregate(f"count(*), {whole}").fetchall()
        assert row == (len(results), *sums.values()), feed.name
        frame = pd.read_parquet(at)
        assert {name: int(frame[name].sum()) for name in sums} == sums
        lazy = pl.scan_parquet(at).select(pl.len(), *sums).collect()
        assert lazy.height == len(results)
        assert {name: lazy[name].sum() for name in sums} == sums
        _told_alike(feed, pl.read_parquet(at).to_dicts(), results)
        sheet = pl.read_csv(at.replace(".parquet", ".csv"))
        assert {name: sheet[name].sum() for name in sums} == sums
        assert pl.scan_csv(at.replace(".parquet", ".csv")).collect().equals(sheet)


def _told_alike(feed: Feed, read: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Check that every cell equals the JSON value, in a native type such as a timestamp."""
    for row, expected_row in zip(read, expected, strict=True):
        for column in feed.columns:
            cell = row[column.name]
            if column.kind.name in {"TIME", "DATE"} and cell is not None:
                cell = cell.isoformat().replace("+00:00", "Z")
            assert cell == expected_row[column.name], column.name
            assert type(cell) is type(expected_row[column.name]), column.name


def test_parquet_file_describes_its_columns(league: League, tmp_path: Path) -> None:
    file = tmp_path / "nights.parquet"
    file.write_bytes(reads(league, "nights.parquet", "&fields=net,player_name").getvalue())
    schema = parquet.read_schema(file)
    assert schema.names == ["player_name", "net"]
    assert schema.field("net").metadata[b"unit"] == b"chips"
    assert b"prizes - bought" in schema.field("net").metadata[b"meaning"]
    with duckdb.connect() as connection:
        kept = connection.execute("SELECT key, value FROM parquet_kv_metadata(?)", [str(file)])
        assert (b"feed", b"nights") in kept.fetchall()


def test_range_request_returns_the_requested_bytes(league: League) -> None:
    """RFC 9110, 14: `bytes=-8` is the last eight bytes.

    A request with an old ETag in If-Range gets the whole file.
    """
    at = f"/api/v1/leagues/{league.pk}/feeds/%s?key={link_to(league)}"
    for name in ("results.parquet", "results.csv"):
        response = Client().get(at % name)
        text = response.getvalue()
        assert response["Accept-Ranges"] == "bytes"
        assert int(response["Content-Length"]) == len(text)
        assert int(Client().head(at % name)["Content-Length"]) == len(text)
        for byte_range, part in (
            ("bytes=-8", text[-8:]),
            ("bytes=4-9", text[4:10]),
            (f"bytes={len(text) - 3}-", text[-3:]),
            ("bytes=0-999999999", text),
        ):
            headers = {"Range": byte_range, "Accept-Encoding": "gzip"}
            answer = Client().get(at % name, headers=headers)
            assert (answer.status_code, answer.getvalue()) == (206, part)
            assert answer["Content-Range"].endswith(f"/{len(text)}")
            assert answer["ETag"] == response["ETag"]
        for nothing in (f"bytes={len(text)}-", "bytes=5-2", "bytes=-0"):
            beyond = Client().get(at % name, headers={"Range": nothing})
            assert (beyond.status_code, beyond["Content-Range"]) == (416, f"bytes */{len(text)}")
        old = Client().get(at % name, headers={"Range": "bytes=0-1", "If-Range": '"old"'})
        assert (old.status_code, old.getvalue()) == (200, text)
        for ignored in ("bytes=0-1,3-4", "lines=1-2", "bytes=-"):
            answer = Client().get(at % name, headers={"Range": ignored})
            assert (answer.status_code, answer.getvalue()) == (200, text), ignored


def test_parquet_file_is_written_in_row_groups(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GROUP > 1_000
    monkeypatch.setattr("api.feeds.parquet.GROUP", 2)
    monkeypatch.setattr("api.feeds.row_feed.AT_ONCE", 1)
    body = reads(league, "results.parquet", "&verified=true").getvalue()
    file = parquet.ParquetFile(pa.BufferReader(body))
    rows = reads(league, "results", "&verified=true").json()["results"]
    assert file.metadata.num_row_groups >= 2
    assert file.read().column("net").to_pylist() == [row["net"] for row in rows]


def test_missing_pyarrow_is_reported(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.feeds.parquet.find_spec", lambda name: None)
    response = reads(league, "results.parquet")
    assert response.status_code == 501
    assert "pyarrow" in response.json()["detail"]
    assert reads(league, "results.csv").status_code == 200
