"""Which tables a backup has, and in which order; of the database as it is, or as it was made."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from league.common.version import VERSION
from league.management.database_version import RELEASE, recorded_version

# What migrations make anew, and what is of no use elsewhere.
LEFT_OUT = {"contenttypes", "auth", "sessions", "axes", "usersessions", RELEASE}
# Links that set a password: they end within the hour, and open an account to whoever made them.
NOT_KEPT = {"league_passwordlink"}
# What ran here last: elsewhere nothing has.
NOT_KEPT |= {"league_lastrun"}
# What allauth would write and here never does: what providers give, and providers in the database.
NOT_KEPT |= {"account_emailconfirmation", "socialaccount_socialapp", "socialaccount_socialtoken"}
# A reversal is checked against what it reverses, so these stand in this order.
FIRST = ("ledger_book", "ledger_account", "ledger_posting", "ledger_transfer")

Model = type[models.Model]


@dataclass(frozen=True)
class Schema:
    """The models that a database is read by, and the version that they are of."""

    registry: Any  # Apps, or what migrations make of them
    version: str


TODAY = Schema(apps, VERSION)


def applied_schema() -> Schema:
    """Return the models as the migrations that were applied have them, whatever this version's."""
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
