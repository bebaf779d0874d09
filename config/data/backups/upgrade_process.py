"""The process that upgrades a backup from an older version (see `upgrading`).

python -m config.data.backups.upgrade_process OLD NEW
"""

import gzip
import json
import os
import sys
from pathlib import Path


def main(old: Path, new: Path) -> None:
    import django  # noqa: PLC0415 (only where this is run)

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415 (the settings come first)
    from django.db import connection, transaction  # noqa: PLC0415
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415

    from config.data.backups.file_format import applied_schema  # noqa: PLC0415
    from config.data.backups.reading import as_model, insert, read  # noqa: PLC0415
    from config.data.backups.writing import back_up  # noqa: PLC0415

    with gzip.open(old, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
    wanted = [
        (app, name)
        for app, _, name in (migration.partition(".") for migration in head["migrations"])
    ]
    executor = MigrationExecutor(connection)
    executor.migrate(
        [migration for migration in wanted if migration in executor.loader.graph.nodes]
    )
    with transaction.atomic():
        for _, model, fields, rows in read(old, applied_schema()):
            insert(model, fields, [as_model(model, fields, row) for row in rows])
    call_command("migrate", interactive=False, verbosity=0, no_backup=True)
    back_up(new, lambda _done, _whole: None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
