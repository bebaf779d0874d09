"""Records a hand with the form and as JSON, and prints the project files it passes through.

Run it as `python -m tests.helpers.league.traced_hand`, in a separate process. Tracing hangs in a
process in which a request has exceeded its deadline (`config/web/deadline.py`).
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import django

ROOT = f"{Path(__file__).parents[3]}/"
PACKAGES = ("api/", "league/", "ledger/", "rules/")
# Not part of a hand's path through the code: sign-in and permissions, the database driver,
# listeners for new hands, and model properties.
SKIPPED = (
    "api/http/authentication.py",
    "api/http/throttles.py",
    "config/",
    "league/access/",
    "league/change_version.py",
    "league/models/",
    "league/notices/",
    "league/webhooks/",
)
VIEWS = {("league/pages/record/views.py", "record"), ("api/hands/views.py", "post")}
WRITER = ("league/recording/record.py", "record_hand")


class Trace:
    """The files entered by calls from the view, and by calls from `record_hand` below it.

    `carriers` are the classes of arguments that contained the record.
    """

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.view: dict[str, None] = {}
        self.writer: dict[str, None] = {}
        self.carriers: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or not _file(frame).startswith(PACKAGES):
            return
        caller: FrameType | None = frame
        callers: list[tuple[str, str]] = []
        while caller and (called := (_file(caller), caller.f_code.co_name)) not in VIEWS:
            callers.append(called)
            caller = caller.f_back
        inside_rules = [name for name, _function in callers if name.startswith("rules/")]
        if (
            caller is None  # before or after the call of the view
            or any(name.startswith(SKIPPED) for name, _function in callers)
            or len(inside_rules) > 1  # the call comes from inside the engine, not from the service
        ):
            return
        is_written = WRITER in callers
        if self.writer and not is_written:
            return  # the hand has been recorded; this call builds the response
        (self.writer if is_written else self.view)[_file(frame)] = None
        for value in frame.f_locals.values():
            if type(value).__module__.startswith(("league.", "ledger.", "api.")):
                held = [getattr(value, name, None) for name in ("record", "answer")]
                if self.record in held:
                    self.carriers.add(type(value).__name__)


def _file(frame: FrameType) -> str:
    path = frame.f_code.co_filename
    return path.removeprefix(ROOT) if path.startswith(ROOT) else ""


def traced(record: dict[str, Any], send: Callable[[], int]) -> dict[str, list[str]]:
    trace = Trace(record)
    sys.settrace(trace)
    try:
        status = send()
    finally:
        sys.settrace(None)
    if status not in (201, 302):
        raise ValueError(status)
    parts = {"view": trace.view, "writer": trace.writer, "carriers": sorted(trace.carriers)}
    return {name: list(part) for name, part in parts.items()}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.db import connection  # noqa: PLC0415 (needs the settings)
    from django.test import Client  # noqa: PLC0415
    from django.test.utils import setup_test_environment  # noqa: PLC0415

    from league.models import Role  # noqa: PLC0415
    from league.pages.record.fill_form import spell  # noqa: PLC0415
    from league.people.leagues import add_member  # noqa: PLC0415
    from tests.helpers.league.leagues import a_night, a_user, holdem  # noqa: PLC0415

    setup_test_environment()
    name = connection.creation.create_test_db(verbosity=0)
    user, night = a_user(), a_night()
    add_member(night.league, user, Role.SCOREKEEPER)
    client, fields = Client(), spell(holdem())
    client.force_login(user)

    def form() -> int:
        body = {"key": [str(uuid4())], "seen": ["9"], **fields}
        return client.post(f"/nights/{night.pk}/record", body).status_code

    def as_json() -> int:
        body = {"id": str(uuid4()), "record": holdem(), "seen": 9}
        address = f"/api/v1/nights/{night.pk}/hands"
        return client.post(address, body, content_type="application/json").status_code

    # The second hand, recorded with warm caches.
    ways = {"form": form, "json": as_json}
    for send in ways.values():
        send()
    traces = {source: traced(holdem(), send) for source, send in ways.items()}
    sys.stdout.write(json.dumps(traces))
    connection.creation.destroy_test_db(name, verbosity=0)


if __name__ == "__main__":
    main()
