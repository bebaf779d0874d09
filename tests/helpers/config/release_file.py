"""Keep what this version leaves to the next: `make release-file`, once for each release.

A league in which everything has happened, in a database of its own, as a backup.
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
