"""Connection options for each kind of database."""

from typing import Any

# WAL allows pages to be read while a hand is written. FULL protects against power failures.
# Recursive triggers make INSERT OR REPLACE fire the delete triggers that guard the ledger.
PRAGMAS = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA recursive_triggers = ON;
"""
BUSY_SECONDS = 20
KEEP_SECONDS = 60
# If a replica is unavailable, queries go to the primary database, so the timeout is short.
CONNECT_SECONDS = 2

# IMMEDIATE takes the write lock at the start, so that concurrent writers queue instead of failing.
SQLITE = {"transaction_mode": "IMMEDIATE", "timeout": BUSY_SECONDS, "init_command": PRAGMAS}


def configured(database: dict[str, Any]) -> dict[str, Any]:
    """Return a database parsed from its URL, with the options for its kind."""
    is_sqlite = database["ENGINE"].endswith("sqlite3")
    options = (SQLITE if is_sqlite else {}) | database.get("OPTIONS", {})
    return database | {
        "ENGINE": "config.data.sqlite3" if is_sqlite else "config.data.postgresql",
        "OPTIONS": options,
        "CONN_MAX_AGE": KEEP_SECONDS,
        "CONN_HEALTH_CHECKS": True,
    }


def replica(database: dict[str, Any]) -> dict[str, Any]:
    """Return a replica parsed from its URL. Tests use the default database instead."""
    options = {"connect_timeout": CONNECT_SECONDS, **database.get("OPTIONS", {})}
    return configured(database | {"OPTIONS": options}) | {"TEST": {"MIRROR": "default"}}
