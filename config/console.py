"""What is typed: `python manage.py` in a checkout, `dealers-choice` where it is installed."""

import gc
import os
import secrets
import sys

from league import VERSION


def main() -> None:
    """Do what the words of the command line say."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    match sys.argv[1:]:
        case ["--version" | "version"]:
            sys.stdout.write(f"dealers-choice {VERSION}\n")
        case ["secret_key"]:
            # Before any variable is read: whoever has none yet could not start a command.
            sys.stdout.write(f"{secrets.token_urlsafe(50)}\n")
        case words:
            run(words)


def run(words: list[str]) -> None:
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (takes a while)

    if words[:1] == ["serve"]:
        # What is loaded stays: to look through it over and over took a third of the start.
        # `config.server.preload` turns the collector on.
        gc.disable()
    execute_from_command_line(sys.argv)
