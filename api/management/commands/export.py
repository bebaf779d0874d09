"""`manage.py export --duckdb league.duckdb`: export a league as a DuckDB file for SQL queries."""

from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from uuid import UUID

from django.core.management.base import CommandError

from api.feeds import parquet
from api.feeds.columns import Kind
from api.feeds.dictionary import FEEDS
from api.feeds.row_feed import FeedQuery, walk
from league.management.base_command import ServiceCommand
from league.models import League

MISSING = (
    "This requires duckdb and pyarrow: python -m pip install -r "
    "requirements/data.txt, or install the wheel with the extra [data]."
)


class View(NamedTuple):
    name: str
    about: str
    query: str


VIEWS = (
    View(
        "net_by_night",
        "Each player's net by night, and the running total of the season.",
        "SELECT season_name, night_number, date, player_name, net, total FROM nights"
        " WHERE played AND NOT reopened ORDER BY started_at, player_name",
    ),
    View(
        "games_by_dealer",
        "How often each dealer chose each game, and the chips in its pots.",
        "SELECT dealer_name, game, count(*) AS hands, sum(pot)::BIGINT AS pots FROM hands"
        " WHERE NOT voided GROUP BY ALL ORDER BY ALL",
    ),
    View(
        "games_by_player",
        "Each player's net at each game, over all seasons.",
        "SELECT player_name, game, sum(hands)::BIGINT AS hands, sum(net)::BIGINT AS net"
        " FROM player_games GROUP BY ALL ORDER BY ALL",
    ),
    View(
        "balances",
        "The balance of each account in the ledger. All balances add up to zero.",
        "SELECT account, any_value(name) AS name, sum(chips)::BIGINT AS chips FROM ("
        "SELECT debit AS account, debit_name AS name, -chips AS chips FROM transfers"
        " UNION ALL SELECT credit, credit_name, chips FROM transfers)"
        " GROUP BY account ORDER BY account",
    ),
)


class Command(ServiceCommand):
    help = "Write a league to a DuckDB file with a table for each feed, views and comments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--duckdb", type=Path, required=True, metavar="FILE")
        parser.add_argument("--league", type=UUID, help="the id of the league; needed if several")

    def handle(self, **options: Any) -> None:
        if find_spec("duckdb") is None or not parquet.is_there():
            raise CommandError(MISSING)
        path: Path = options["duckdb"]
        if path.exists():
            raise CommandError(f"{path} already exists.", returncode=2)
        wanted: UUID | None = options["league"]
        leagues = League.objects.order_by("name", "pk")
        candidates = list((leagues.filter(pk=wanted) if wanted else leagues)[:2])
        if len(candidates) != 1:
            names = ", ".join(f"{each.pk} ({each.name})" for each in leagues[:20])
            which = f"Choose a league with --league: {names or 'there are none'}"
            text = f"There is no league {wanted}." if wanted else which
            raise CommandError(text, returncode=2)
        [league] = candidates
        part = path.with_name(f"{path.name}.part")
        part.touch()  # raises OSError for a bad path, where DuckDB would raise its own error
        part.unlink()
        try:
            rows = _write(part, league)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)
        counts = ", ".join(f"{number:,} {name}" for name, number in rows.items())
        self.stdout.write(f"{league.name}: {counts}.")


def _write(path: Path, league: League) -> dict[str, int]:
    """Write a new file. Return the number of rows in each table.

    The tables are read one after another, so later tables may contain newer data.
    """
    import duckdb  # noqa: PLC0415 (optional dependency)

    with duckdb.connect(str(path)) as connection, TemporaryDirectory() as folder:
        rows = {}
        for feed in FEEDS:
            file = Path(folder) / f"{feed.name}.parquet"
            query = FeedQuery(league=league, values={}, columns=feed.columns)
            with file.open("wb") as opened:
                parquet.write(opened, feed, feed.columns, walk(feed, query, 0))
            table = feed.name.replace("-", "_")
            columns = ", ".join(
                f"CAST({each.name} AS UUID) AS {each.name}" if each.kind is Kind.ID else each.name
                for each in feed.columns
            )
            source = f"read_parquet({_quoted(str(file))})"
            connection.execute(f"CREATE TABLE {table} AS SELECT {columns} FROM {source}")  # noqa: S608 (ours)
            connection.execute(f"COMMENT ON TABLE {table} IS {_quoted(feed.summary)}")
            for column in feed.columns:
                comment = f"COMMENT ON COLUMN {table}.{column.name} IS {_quoted(column.meaning)}"
                connection.execute(comment)
            rows[table] = parquet.rows_of(file)
            file.unlink()
        for view in VIEWS:
            connection.execute(f"CREATE VIEW {view.name} AS {view.query}")
            connection.execute(f"COMMENT ON VIEW {view.name} IS {_quoted(view.about)}")
    return rows


def _quoted(text: str) -> str:
    """Return the text as an SQL literal. Comments and file names can't be query parameters."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
