"""A new database is made in one step, and is the one that the first 25 migrations made."""

import gc
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.plugin import DjangoDbBlocker

from tests.config.test_serve import scratch_database
from tests.upgrade.schemas import ASKED, schema_of

LAST = {"ledger": "0002_postings_in_order", "league": "0025_logbook"}
SQUASHED = {app: f"0001_squashed_{last}" for app, last in LAST.items()}
KINDS = {"sqlite": {"table", "index", "trigger"}, "postgresql": {*ASKED}}


@pytest.fixture
def make_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> Iterator[Callable[[str], BaseDatabaseWrapper]]:
    """Make an empty database besides that of the tests, of the same kind."""
    with django_db_blocker.unblock(), ExitStack() as made:

        def make(alias: str) -> BaseDatabaseWrapper:
            url = made.enter_context(scratch_database(f"{alias}_{uuid.uuid4().hex}"))
            name = urlsplit(url).path.removeprefix("/") or tmp_path / f"{alias}.sqlite3"
            connections.databases[alias] = connection.settings_dict | {"NAME": name}
            made.callback(forget, alias)
            return connections[alias]

        yield make


def forget(alias: str) -> None:
    connections[alias].close()
    del connections[alias], connections.databases[alias]


@pytest.mark.slow
def test_a_new_database_is_the_one_that_all_migrations_make(
    make_database: Callable[[str], BaseDatabaseWrapper],
) -> None:
    old, new = make_database("old"), make_database("new")
    migrate_step_by_step(old)
    assert not recorded(old) & set(SQUASHED.items())
    for each in (old, new):
        call_command("migrate", database=each.alias, verbosity=0)
    assert recorded(old) == recorded(new) >= set(SQUASHED.items())
    assert schema_of(old) == schema_of(new)
    assert {kind for kind, *_ in schema_of(new)} == KINDS[new.vendor]


@pytest.mark.slow
def test_what_was_made_together_can_be_dropped_together(
    make_database: Callable[[str], BaseDatabaseWrapper],
) -> None:
    made = make_database("made")
    call_command("migrate", "league", database="made", verbosity=0)
    assert "league_night" in made.introspection.table_names()
    call_command("migrate", "league", "zero", database="made", verbosity=0)
    left = made.introspection.table_names()
    assert "ledger_book" in left
    assert not {table for table in left if table.startswith("league_")}


def test_the_models_of_both_ways_are_the_same() -> None:
    loader = MigrationLoader(None)
    old = MigrationLoader(None, replace_migrations=False).project_state([*LAST.items()])
    new = loader.project_state([*SQUASHED.items()])
    assert MigrationAutodetector(old, new).changes(loader.graph) == {}
    assert old.models.keys() == new.models.keys()


@pytest.mark.django_db
def test_an_empty_database_takes_one_step_for_each_app() -> None:
    MigrationRecorder(connection).migration_qs.all().delete()
    assert {app: steps_of(app)[0] for app in LAST} == SQUASHED
    assert not {app for app in LAST if LAST[app] in steps_of(app)}


@pytest.mark.django_db
def test_a_database_on_its_way_goes_on_step_by_step() -> None:
    reached(league="0009_webhooks", ledger="0001_initial")
    assert steps_of("league")[:2] == ["0010_four_colours", "0011_stats"]
    assert steps_of("ledger")[0] == "0002_postings_in_order"


@pytest.mark.django_db
def test_a_database_at_the_last_of_the_old_steps_is_known_as_made_in_one() -> None:
    reached(**LAST)
    later = steps_of("league")
    assert not set(later) & {SQUASHED["league"], LAST["league"]}
    MigrationExecutor(connection).migrate([], plan=[])
    assert recorded(connection) >= set(SQUASHED.items())
    assert steps_of("league") == later


def migrate_step_by_step(to: BaseDatabaseWrapper) -> None:
    """Migrate as it was done before there were squashed migrations."""
    executor = MigrationExecutor(to)
    executor.loader = MigrationLoader(to, replace_migrations=False)
    executor.loader.replacements = {}
    others = [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] not in LAST]
    # Thousands of classes of models are built: looking for those that are gone takes half as long.
    gc.disable()
    try:
        executor.migrate([*LAST.items(), *others])
    finally:
        gc.enable()


def reached(**last: str) -> None:
    """Leave of what is recorded only the old steps up to these; they are numbered."""
    rows = MigrationRecorder(connection).migration_qs
    for app, name in last.items():
        rows.filter(app=app, name__gt=name).delete()
        rows.filter(app=app, name=SQUASHED[app]).delete()


def recorded(where: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    return set(MigrationRecorder(where).applied_migrations())


def steps_of(app: str) -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration.name for migration, _ in plan if migration.app_label == app]
