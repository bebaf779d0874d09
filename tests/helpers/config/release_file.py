"""Store a backup of this version for later versions: `make release-file`, once per release.

The backup contains a league with every kind of event, created in a new database.
"""

import os
import sys
import tempfile
from pathlib import Path

RELEASES = Path(__file__).parents[2] / "config" / "data" / "releases"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATABASE_URL": f"sqlite:///{folder}/league.sqlite3", "DATA_DIR": folder}
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django  # noqa: PLC0415 (the environment comes first)

        django.setup()
        from django.core.management import call_command  # noqa: PLC0415

        from league import VERSION  # noqa: PLC0415
        from tests.helpers.config.played_league import a_played_league  # noqa: PLC0415

        call_command("migrate", verbosity=0)
        a_played_league()
        RELEASES.mkdir(exist_ok=True)
        file = RELEASES / f"{VERSION}.backup"
        call_command("backup", str(file), stdout=sys.stderr)
        file.chmod(0o644)


if __name__ == "__main__":
    main()
