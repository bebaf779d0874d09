"""Runs commands as an operator would: `python -m tests.faults.operator`.

Each input line is a command as a JSON list. Each output line contains the command's output and
error. `furnish NIGHTS PAST` creates leagues and prints them. `listen PORT NIGHT...` registers a
phone for each player at these nights, with a push service at that port. `chat PORT NIGHT` adds a
chat at that port to the league. All other commands are the same as in manage.py.
"""

import io
import json
import os
import sys
import traceback

import django

from tests.faults.world import chat, furnish, listen

FURNISH, LISTEN, CHAT = "furnish", "listen", "chat"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.faults.settings")
    django.setup()
    for line in sys.stdin:
        print(json.dumps(_done(*json.loads(line))), flush=True)  # noqa: T201


def _done(command: str, *words: str) -> dict[str, str]:
    from django.core.management import call_command  # noqa: PLC0415 (after the setup)
    from django.db import connections  # noqa: PLC0415

    output, failed = io.StringIO(), ""
    connections.close_all()  # the server may have been restarted
    try:
        if command == FURNISH:
            output.write(json.dumps(furnish(*map(int, words))))
        elif command == LISTEN:
            listen(int(words[0]), words[1:])
        elif command == CHAT:
            chat(int(words[0]), words[1])
        else:
            call_command(command, *words, stdout=output, skip_checks=False)
    except Exception:  # noqa: BLE001 (reported to the test)
        failed = traceback.format_exc()
    finally:
        connections.close_all()  # prevents a delay after a restart
    return {"said": output.getvalue(), "failed": failed}


if __name__ == "__main__":
    main()
