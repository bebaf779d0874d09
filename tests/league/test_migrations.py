"""The squashed migration creates the same database as the migrations that it replaces."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, StateApps
from pytest_django.plugin import DjangoDbBlocker

from tests.helpers.config.installations import an_installation

MODELS = [*apps.get_app_config("league").get_models(include_auto_created=True)]
SQUASHED = ("league", "0001_squashed_0033_season_documents")

NEW = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""
# Each step loads the migrations again, as an installation does that stopped at the last one.
OLD = f"""
import django; django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from config.data.backups.upgrade_process import migrate_to
first, *later = MigrationExecutor(connection).loader.replacements[{SQUASHED}].replaces
migrate_to([first])
for name in later:
    MigrationExecutor(connection).migrate([name])
call_command("migrate", verbosity=0)
"""

# On SQLite, changing a column moves it to the end of its table, so two tables differ in that order.
SQLITE_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
POSTGRESQL_SCHEMA = """
    SELECT concat_ws(' ', table_name,
        row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position), column_name,
        udt_name, is_nullable, character_maximum_length, column_default, identity_generation)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
"""
POSTGRESQL_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


def test_squashed_migration_creates_all_tables_in_one_state(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With separate states, all related models would be rendered again: 1,900 classes in total."""
    built: list[str] = []
    render = ModelState.render

    def counted(state: ModelState, registry: StateApps) -> object:
        built.append(state.name)
        return render(state, registry)

    monkeypatch.setattr(ModelState, "render", counted)
    with django_db_blocker.unblock():  # SQLite's schema editor does not work in a transaction
        loader = MigrationLoader(connection)
        made = _tables(loader.collect_sql([(loader.get_migration(*SQUASHED), False)]))
        assert len(built) < 2 * len(MODELS)
    assert len(made) > len(MODELS) / 2
    assert made <= {model._meta.db_table for model in MODELS}


def _tables(statements: list[str]) -> set[str]:
    return {each.split('"')[1] for each in statements if each.startswith("CREATE TABLE")}


def test_squashed_migration_defines_the_models_of_the_last_replaced_one() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    last = loader.replacements[SQUASHED].replaces[-1]
    assert loader.project_state([SQUASHED]) == loader.project_state([last])


@pytest.mark.slow
@pytest.mark.scheduled
def test_squashed_and_replaced_migrations_create_the_same_schema_and_rows(tmp_path: Path) -> None:
    """The replaced migrations run one by one, so each of their states can be migrated."""
    new, old = _created(tmp_path / "new", NEW), _created(tmp_path / "old", OLD)
    assert len(new.schema) > len(MODELS)
    assert ("django_migrations", *SQUASHED) in new.rows
    assert new.schema == old.schema
    assert new.rows == old.rows


class Created(NamedTuple):
    schema: list[Any]
    rows: list[Any]


def _created(folder: Path, program: str) -> Created:
    """Run the program on an empty database. Return what it created."""
    folder.mkdir()
    with an_installation(folder, is_new=True) as variables:
        subprocess.run([sys.executable, "-c", program], env=variables, check=True)
        if url := variables["DATABASE_URL"]:
            with psycopg.connect(url) as database:
                schema = sorted(database.execute(POSTGRESQL_SCHEMA).fetchall())
                return Created(schema, _rows(database, POSTGRESQL_TABLES))
        with closing(sqlite3.connect(folder / "league.sqlite3")) as database:
            schema = [
                (*names, sorted(sql.split(", ")) if names[0] == "table" else sql)
                for *names, sql in database.execute(SQLITE_SCHEMA).fetchall()
            ]
            return Created(sorted(schema), _rows(database, SQLITE_TABLES))


def _rows(database: Any, tables: str) -> list[Any]:
    """Return all rows. Of applied migrations, return only the names."""
    rows = []
    for (table,) in database.execute(tables).fetchall():
        columns = "app, name" if table == "django_migrations" else "*"
        found = database.execute(f'SELECT {columns} FROM "{table}"').fetchall()  # noqa: S608
        rows += [(table, *row) for row in found]
    return sorted(rows)
