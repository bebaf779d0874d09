"""`manage.py export --duckdb` writes a league to a file whose totals match the API's."""

from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.core.management import CommandError, call_command

from api.feeds.dictionary import FEEDS
from league.closing.standings import standings
from league.models import League
from league.stats.count import count_marked
from ledger.balances import balances
from tests.helpers.api.feeds import reads
from tests.helpers.league.leagues import a_night
from tests.helpers.league.seasons import a_season

pytestmark = pytest.mark.django_db


def exported(league: League, path: Path) -> Any:
    count_marked(league.pk)
    output = StringIO()
    call_command("export", duckdb=path, league=str(league.pk), stdout=output)
    assert output.getvalue().startswith(f"{league.name}: ")
    return duckdb.connect(str(path), read_only=True)


def test_duckdb_file_contains_only_one_league_and_comments_its_columns(tmp_path: Path) -> None:
    a_season(a_night())  # a second league, which must not be in the file
    league = a_season(a_night())
    with exported(league, tmp_path / "league.duckdb") as file:
        for feed in FEEDS:
            table = feed.name.replace("-", "_")
            results = reads(league, feed.name).json()["results"]
            sums = {item.name: 0 for item in feed.columns if item.unit == "chips"}
            sums = {name: sum(row[name] or 0 for row in results) for name in sums}
            whole = ", ".join(f"sum({name})::BIGINT" for name in sums)
            assert file.table(table).aggregate(f"count(*), {whole}").fetchall() == [
                (len(results), *sums.values())
            ]
            comments = file.execute(
                "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = ?", [table]
            )
            assert dict(comments.fetchall()) == {item.name: item.meaning for item in feed.columns}
        views = file.execute("SELECT view_name FROM duckdb_views() WHERE comment <> ''").fetchall()
        assert {name for (name,) in views} == {
            "net_by_night",
            "games_by_dealer",
            "games_by_player",
            "balances",
        }
        in_book = dict(file.execute("SELECT account, chips FROM balances").fetchall())
        assert {key: n for key, n in in_book.items() if n} == balances(league.book, nonzero=True)
        [season] = league.seasons.all()
        nets = file.execute("SELECT player_name, sum(net)::INT FROM net_by_night GROUP BY ALL")
        assert dict(nets.fetchall()) == {
            item.name: item.net for item in standings(season) if item.nights
        }
        assert file.execute("SELECT sum(hands) FROM games_by_dealer").fetchone() == (3,)
        results = reads(league, "player-games").json()["results"]
        assert file.execute("SELECT sum(net) FROM games_by_player").fetchone() == (
            sum(row["net"] for row in results),
        )


def test_duckdb_export_reports_missing_requirements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "league.duckdb"
    with pytest.raises(CommandError, match="there are none"):
        call_command("export", duckdb=path)
    a_night(), a_night()
    with pytest.raises(CommandError, match="Choose a league"):
        call_command("export", duckdb=path)
    assert not list(tmp_path.iterdir())
    path.touch()
    with pytest.raises(CommandError, match="already exists"):
        call_command("export", duckdb=path)
    monkeypatch.setattr("api.management.commands.export.find_spec", lambda name: None)
    with pytest.raises(CommandError, match="duckdb and pyarrow"):
        call_command("export", duckdb=tmp_path / "other.duckdb")
