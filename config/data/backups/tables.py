"""Which tables a backup has, and in which order; of the database as it is, or as it was made."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from league import VERSION
from league.management.database_version import RELEASE, recorded_version

# Tables that migrations recreate, or that are useless on another installation.
LEFT_OUT = {"contenttypes", "auth", "sessions", "axes", "usersessions", RELEASE}
# Links to set a password. They expire within the hour and give access to an account.
NOT_KEPT = {"league_passwordlink"}
# The last runs of jobs, which apply only to this installation.
NOT_KEPT |= {"league_lastrun"}
# Tables of allauth that are not used here.
NOT_KEPT |= {"account_emailconfirmation", "socialaccount_socialapp", "socialaccount_socialtoken"}
# The order matters: a reversal is checked against the transfer that it reverses.
FIRST = ("ledger_book", "ledger_account", "ledger_posting", "ledger_transfer")

Model = type[models.Model]


@dataclass(frozen=True)
class Schema:
    """The models to read a database with, and their version."""

    registry: Any  # Apps, or the state of the applied migrations
    version: str


TODAY = Schema(apps, VERSION)


def applied_schema() -> Schema:
    """Return the models of the applied migrations, which may differ from this version's."""
    executor = MigrationExecutor(connection)
    applied = [
        key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes
    ]
    state = executor.loader.project_state(applied)
    return Schema(state.apps, recorded_version(connection))


def tables(schema: Schema = TODAY) -> list[Model]:
    """Return the models whose rows are kept, in the order in which they are."""
    found = [
        model
        for model in schema.registry.get_models(include_auto_created=True)
        if model._meta.managed and not _left_out(model)  # noqa: SLF001 (public)
    ]
    return sorted(found, key=lambda model: (table_name(model) not in FIRST, _place(model)))


def _left_out(model: Model) -> bool:
    meta = model._meta  # noqa: SLF001 (public)
    named = {each.related_model for each in meta.concrete_fields if each.related_model}
    labels = {meta.app_label, *(each._meta.app_label for each in named)}  # noqa: SLF001
    return bool(labels & LEFT_OUT) or table_name(model) in NOT_KEPT


def table_name(model: Model) -> str:
    return model._meta.db_table  # noqa: SLF001 (public)


def _place(model: Model) -> tuple[int, str]:
    name = table_name(model)
    return (FIRST.index(name) if name in FIRST else 0, name)


def columns_of(model: Model) -> list[str]:
    return [each.attname for each in model._meta.concrete_fields]  # noqa: SLF001 (public)


def migrations() -> list[str]:
    rows = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in rows if app not in LEFT_OUT)
