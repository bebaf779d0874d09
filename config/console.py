"""The command line: `python manage.py` in a checkout, `dealers-choice` if installed."""

import gc
import os
import secrets
import sys

from league import VERSION


def main() -> None:
    """Run the given command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    match sys.argv[1:]:
        case ["--version" | "version"]:
            sys.stdout.write(f"dealers-choice {VERSION}\n")
        case ["secret_key"]:
            # Handled before the settings are read, because the settings require a key.
            sys.stdout.write(f"{secrets.token_urlsafe(50)}\n")
        case words:
            run(words)


def run(words: list[str]) -> None:
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (takes a while)

    if words[:1] == ["serve"]:
        # Loaded modules stay in memory, and scanning them would take a third of the start-up time.
        # `config.server.preload` enables the garbage collector again.
        gc.disable()
    execute_from_command_line(sys.argv)
