"""Times an open deal: eight phones and a screen poll the embedded service every second.

    python bench/dealing.py [--phones 9] [--seconds 30]

Starts the embedded service (SQLite, one process, eight threads) on a new database. Every few
seconds, a phone reports something about the deal. Each phone then fetches its page, as the page's
script does. Prints the service's processor time as a share of one core, next to the floor: the same
phones polling a night without a deal every two seconds.
"""

import argparse
import http.client
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import psutil

# allows running the benchmark as a file or as a module, from any folder
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.polling import set_up_django, start_service, table

EVERY, DEALING = 2.0, 1.0  # same values as in js/common/live-updates.js
SAID_EVERY = 5.0  # seconds between updates (a stage, a fold, a declaration or shown cards)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/dealing.py", description="A deal, timed")
    parser.add_argument("--phones", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up_django(folder)
        night, cookies = table(options.phones)
        with start_service() as (port, process):
            seconds = options.seconds
            _shares(port, process, night, cookies, 5, EVERY)  # warm up the service
            floor = _shares(port, process, night, cookies, seconds, EVERY)
            _name_game(port, night, cookies[0])
            with _saying(port, night, cookies[0]):
                dealing = _shares(port, process, night, cookies, seconds, DEALING)
    print(f"{options.phones} phones, no deal: {floor:.1%} of a core")
    print(f"{options.phones} phones, an open deal: {dealing:.1%} of a core")
    print(f"{dealing / floor:.1f} times a night at rest")


def _shares(
    port: int, process: psutil.Process, night: str, cookies: list[str], seconds: float, pause: float
) -> float:
    """Make all phones follow the night for `seconds`. Return the service's share of a core."""
    ends = time.perf_counter() + seconds
    phones = [
        threading.Thread(target=_follow, args=(port, night, cookie, ends, pause, place))
        for place, cookie in enumerate(cookies)
    ]
    before, started = _spent(process), time.perf_counter()
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    return (_spent(process) - before) / (time.perf_counter() - started)


def _follow(port: int, night: str, cookie: str, ends: float, pause: float, place: int) -> None:
    """Poll like a page: fetch the night's version, and the page if it has changed."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    tag, page = "", f"/nights/{night}"
    time.sleep(pause * (place % 9) / 9)
    while time.perf_counter() < ends:
        client.request("GET", f"{page}/pulse", headers={"Cookie": cookie, "If-None-Match": tag})
        answer = client.getresponse()
        answer.read()
        tag = answer.headers.get("ETag", tag)
        if answer.status == 200:
            client.request("GET", page, headers={"Cookie": cookie})
            client.getresponse().read()
        time.sleep(pause)


def _spent(process: psutil.Process) -> float:
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def _name_game(port: int, night: str, cookie: str) -> None:
    _post(port, cookie, f"/nights/{night}/deal", {"key": str(uuid4()), "variant": "middlemost"})


@contextmanager
def _saying(port: int, night: str, cookie: str) -> Iterator[None]:
    """Repeatedly report which player is all in, which changes the deal."""
    from league.models import Deal  # noqa: PLC0415

    deal = Deal.objects.get(night=night)
    player = str(deal.players.order_by("position").values_list("player", flat=True)[0])
    ended = threading.Event()

    def say() -> None:
        for number in count():
            if ended.wait(SAID_EVERY):
                return
            report = {"deal": str(deal.pk), "player": player, "state": ("all-in", "in")[number % 2]}
            _post(port, cookie, f"/nights/{night}/deal/state", report)

    thread = threading.Thread(target=say)
    thread.start()
    yield
    ended.set()
    thread.join()


def _post(port: int, cookie: str, path: str, report: dict[str, str]) -> None:
    token = "t" * 32
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {
        "Cookie": f"{cookie}; csrftoken={token}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    body = urlencode(report | {"csrfmiddlewaretoken": token})
    client.request("POST", path, body, headers)
    answer = client.getresponse()
    answer.read()
    if answer.status != 302:
        raise RuntimeError(f"{path}: {answer.status}")


if __name__ == "__main__":
    main()
