"""In an empty database, the first migration creates all tables in one state."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, StateApps
from pytest_django.plugin import DjangoDbBlocker

FIRST = ("league", "0001_initial")
MODELS = [*apps.get_app_config("league").get_models(include_auto_created=True)]


def test_first_migration_creates_all_tables_in_one_state(
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
        first = loader.get_migration(*FIRST)
        made = _tables(loader.collect_sql([(first, False)]))
        assert len(built) < 2 * len(MODELS)
    assert len(made) > len(MODELS) / 2
    assert made <= {model._meta.db_table for model in MODELS}


def _tables(statements: list[str]) -> set[str]:
    return {each.split('"')[1] for each in statements if each.startswith("CREATE TABLE")}
