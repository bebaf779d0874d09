"""Times many phones polling one table of the embedded service while hands are recorded.

python bench/polling.py [--phones 20] [--seconds 20]

Starts the embedded service (SQLite, one process, eight threads) on a new database. Prints the
response time of phones that poll every two seconds while a hand is recorded every five seconds.
Then prints the responses per second when the same phones poll without pauses, how many of them were
304, and the floor: the same number of clients of `/health`, which runs one query without
authentication. The load comes from this process, on the same machine.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

NAMES = ("ann", "bob", "cat", "dan")
EVERY = 2.0  # seconds, same as in js/common/live-updates.js
HAND_EVERY = 5.0  # seconds between hands, shorter than at a real table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/polling.py", description="Polling, timed")
    parser.add_argument("--phones", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up_django(folder)
        night, cookies = table(options.phones)
        with service() as port:
            _run(port, night, cookies, options.seconds)


def _run(port: int, night: str, cookies: list[str], seconds: float) -> None:
    pulse = f"/nights/{night}/pulse"
    with recording(port, night, cookies[0]) as hands:
        paced = _ask(port, pulse, cookies, seconds, pause=EVERY)
        _print(f"{len(cookies)} phones, every {EVERY:.0f} s, {hands()} hands meanwhile", paced)
        flat = _ask(port, pulse, cookies, seconds / 2)
        _print(f"{len(cookies)} phones, without a pause, hands meanwhile", flat)
    floor = _ask(port, "/health", cookies, seconds / 2)
    _print(f"{len(cookies)} ask /health", floor)
    print(f"{_rate(flat) / _rate(floor):.0%} of the floor; {EVERY * _rate(flat):.0f} phones' worth")


@contextmanager
def service() -> Iterator[int]:
    """Run the service as `make run` does, on a free port."""
    with start_service() as (port, _process):
        yield port


@contextmanager
def start_service() -> Iterator[tuple[int, psutil.Process]]:
    """Run the service inside the block. Yields its port and process."""
    command = [sys.executable, "manage.py", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101
        line_ready = next(line for line in process.stdout if "Ready on" in line)
        yield int(line_ready.strip().rpartition(":")[2]), psutil.Process(process.pid)
        process.terminate()


@contextmanager
def recording(port: int, night: str, cookie: str) -> Iterator[Callable[[], int]]:
    """Record hands inside the block. Yields a function that returns how many were recorded."""
    ended, made = threading.Event(), count()
    done: list[int] = []

    def record() -> None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        token = "t" * 32
        headers = {
            "Cookie": f"{cookie}; csrftoken={token}",
            "X-CSRFToken": token,
            "Content-Type": "application/json",
        }
        while not ended.wait(HAND_EVERY):
            body = json.dumps({"id": str(uuid4()), "record": _hand(next(made))})
            client.request("POST", f"/api/v1/nights/{night}/hands", body, headers)
            answer = client.getresponse()
            report = answer.read()
            if answer.status != 201:
                raise RuntimeError(report)
            done.append(1)

    thread = threading.Thread(target=record)
    thread.start()
    yield lambda: len(done)
    ended.set()
    thread.join()


Answers = tuple[list[float], Counter[int], float]


def _ask(port: int, path: str, cookies: list[str], seconds: float, pause: float = 0) -> Answers:
    """Poll with all phones for `seconds`. Return the response times and statuses."""
    took: list[float] = []
    statuses: Counter[int] = Counter()
    ends = time.perf_counter() + seconds

    def ask(place: int, cookie: str) -> None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        tag = ""
        time.sleep(pause * place / len(cookies))
        while (started := time.perf_counter()) < ends:
            client.request("GET", path, headers={"Cookie": cookie, "If-None-Match": tag})
            answer = client.getresponse()
            answer.read()
            tag = answer.headers.get("ETag", tag)
            took.append(time.perf_counter() - started)
            statuses[answer.status] += 1
            time.sleep(max(0.0, pause - (time.perf_counter() - started)) if pause else 0)

    phones = [threading.Thread(target=ask, args=each) for each in enumerate(cookies)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    return took, statuses, seconds


def _rate(answers: Answers) -> float:
    took, _, seconds = answers
    return len(took) / seconds


def _print(title: str, answers: Answers) -> None:
    took, statuses, _ = answers
    cuts = statistics.quantiles(took, n=100)
    report = ", ".join(f"{number} x {status}" for status, number in sorted(statuses.items()))
    print(
        f"{title}: {_rate(answers):,.0f} answers a second ({report});"
        f" median {cuts[49] * 1000:.1f} ms, p95 {cuts[94] * 1000:.1f} ms"
    )


def set_up_django(folder: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": folder,
        "LOG_LEVEL": "ERROR",
    }
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    import django  # noqa: PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", interactive=False, verbosity=0)


def table(phones: int) -> tuple[str, list[str]]:
    """Create a night, and a session for each phone in the night."""
    from django.test import Client  # noqa: PLC0415

    from league.models import Role, User  # noqa: PLC0415
    from league.nights.buy_ins import buy_in  # noqa: PLC0415
    from league.nights.opening import open_night  # noqa: PLC0415
    from league.people.leagues import add_member, add_player, make_league  # noqa: PLC0415

    host = User.objects.create_user("host")
    league = make_league(host, "Polling")
    night = open_night(league, players=[add_player(league, name) for name in NAMES])
    for seat in night.seats.select_related("player"):
        buy_in(night, seat.player, 100_000, buy_in_id=uuid4(), by=None)
    cookies = []
    for number in range(phones):
        user = host if number == 0 else User.objects.create_user(f"phone-{number}")
        add_member(league, user, Role.HOST if number == 0 else Role.PLAYER)
        client = Client()
        client.force_login(user)
        cookies.append(f"sessionid={client.cookies['sessionid'].value}")
    return str(night.pk), cookies


def _hand(number: int) -> dict[str, Any]:
    players = [{"name": name, "paid": 10} for name in NAMES]
    winner = NAMES[number % len(NAMES)]
    report = {"variant": "nightmare", "button": number % len(NAMES), "depth": "result"}
    return report | {"players": players, "took": {winner: 40}}


if __name__ == "__main__":
    main()
