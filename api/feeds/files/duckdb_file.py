"""A league as a DuckDB file with a table per feed, several views, and column descriptions."""

from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from api.feeds.columns import Kind
from api.feeds.dictionary import FEEDS
from api.feeds.files import parquet
from api.feeds.row_feed import FeedQuery, walk
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


def is_there() -> bool:
    """Return whether the packages required for DuckDB files are installed."""
    return find_spec("duckdb") is not None and parquet.is_there()


def write(path: Path, league: League) -> dict[str, int]:
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
