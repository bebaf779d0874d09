"""The process that upgrades a backup from an older version (see `reading`).

python -m config.data.backups.upgrade_process OLD NEW
"""

import gzip
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path


def migrate_to(named: Iterable[tuple[str, str]]) -> None:
    """Migrate an empty database to these migrations.

    Django applies a squashed migration in place of the migrations that it replaces. If only some of
    these are named, the first one is applied here. Then Django continues with the next ones.
    """
    from django.db import connection  # noqa: PLC0415 (the settings come first)
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415
    from django.db.migrations.loader import MigrationLoader  # noqa: PLC0415

    executor, wanted, begun = MigrationExecutor(connection), set(named), []
    for key, squashed in executor.loader.replacements.items():
        if wanted.issuperset(squashed.replaces):
            wanted.add(key)
        else:
            begun += [first for first in squashed.replaces[:1] if first in wanted]
    if begun:
        executor.loader = MigrationLoader(connection, replace_migrations=False)
        executor.migrate(begun)
        executor = MigrationExecutor(connection)
    # in the order of their dependencies, which may differ from the order of their numbers
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    keys = [(migration.app_label, migration.name) for migration, _ in plan]
    executor.migrate([key for key in keys if key in wanted])


def main(old: Path, new: Path) -> None:
    import django  # noqa: PLC0415 (only where this is run)

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415 (the settings come first)
    from django.db import transaction  # noqa: PLC0415

    from config.data.backups.file_format import applied_schema  # noqa: PLC0415
    from config.data.backups.reading import as_model, insert, read  # noqa: PLC0415
    from config.data.backups.writing import back_up  # noqa: PLC0415

    with gzip.open(old, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
    migrate_to((app, name) for app, _, name in (key.partition(".") for key in head["migrations"]))
    with transaction.atomic():
        for _, model, fields, rows in read(old, applied_schema()):
            insert(model, fields, [as_model(model, fields, row) for row in rows])
    call_command("migrate", interactive=False, verbosity=0, no_backup=True)
    back_up(new, lambda _done, _whole: None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
