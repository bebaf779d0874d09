"""`manage.py serve` as a process, as it runs at home."""

import contextlib
import json
import signal
import threading
import time
import urllib.request
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

import psutil
import pytest

from tests.helpers.config.installations import Variables, an_installation
from tests.helpers.config.management import run_command, sqlite_in
from tests.helpers.config.service_process import Service, served
from tests.helpers.fork_server import ROOT

# The goal is 5 s on an idle machine. This limit only detects a process that waits forever.
STARTS_WITHIN = ENDS_WITHIN = 20.0
# The header that a proxy adds if it terminates HTTPS.
ENCRYPTED = {"X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Variables]:
    data = tmp_path_factory.mktemp("data")
    with an_installation(data, is_new=True, STATIC_ROOT=str(data / "static")) as variables:
        yield variables


@pytest.fixture(scope="module")
def service(installation: Variables) -> Iterator[Service]:
    """A service that listens on all interfaces, for tests that don't change its state."""
    with served(installation, "--host", "0.0.0.0") as running:  # noqa: S104
        yield running


def test_started_service_responds_to_a_health_check(service: Service) -> None:
    assert service.get("/health") == "ok"


def test_worker_and_scheduler_report_that_they_are_running(service: Service) -> None:
    """The worker reports when it starts, and the scheduler reports a moment later."""
    deadline = time.monotonic() + 10
    while not (report := readiness(service))["ready"]:
        assert time.monotonic() < deadline, report
        time.sleep(0.1)
    assert report["processes"] == "ok"


def readiness(service: Service) -> dict[str, object]:
    """Return the readiness report with all details, which local clients may see."""
    local = Service(service.process, f"http://127.0.0.1:{urlsplit(service.url).port}")
    try:
        return dict(json.loads(local.get("/readyz")))
    except HTTPError as error:
        return dict(json.loads(error.read()))


def test_first_start_uses_no_more_memory_than_later_ones(service: Service) -> None:
    """The first start, which migrates, used to take 430 MB. A later one takes 170 MB."""
    assert psutil.Process(service.process.pid).memory_info().rss < 250 * 1024**2


def test_concurrent_requests_for_the_schema_succeed(service: Service) -> None:
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(service.get, ["/api/v1/schema"] * 6))
    assert {answer.partition(",")[0] for answer in answers} == {'{"openapi":"3.1.0"'}


def test_service_prints_its_url_as_a_qr_code_and_accepts_sign_ups_there(service: Service) -> None:
    """Uses plain HTTP at the printed URL, with the Origin header that a browser sends."""
    assert service.process.stdout
    statuses = []
    while not statuses or "same network" not in statuses[-1]:
        statuses.append(service.process.stdout.readline())
    assert sum("\u2588" in line for line in statuses) > 10
    token = "t" * 32
    fields = {"csrfmiddlewaretoken": token, "username": "", "password1": "", "password2": ""}
    request = urllib.request.Request(  # noqa: S310
        f"{service.url}/sign-up",
        urlencode(fields).encode(),
        {"Origin": service.url, "Cookie": f"csrftoken={token}"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
        assert answer.status == 200


def test_task_sent_by_a_request_runs(service: Service) -> None:
    assert service.get("/expire") == "sent"
    deadline = time.monotonic() + 10
    while service.get("/count") != "0":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_static_files_are_collected_into_the_configured_folder(
    service: Service, installation: Variables
) -> None:
    assert (Path(installation["STATIC_ROOT"]) / "staticfiles.json").exists()


def test_headers_from_an_unconfigured_proxy_are_not_trusted(service: Service) -> None:
    assert service.get("/scheme", **ENCRYPTED) == "http"


def test_port_in_use_is_reported(service: Service, installation: Variables) -> None:
    port = service.url.rsplit(":", 1)[1]
    database = installation["DATABASE_URL"] or sqlite_in(Path(installation["DATA_DIR"]))
    words = ("serve", "--host", "0.0.0.0", "--port", port)  # noqa: S104
    other = run_command(*words, database_url=database)
    assert other.returncode == 1
    assert f"Cannot serve on 0.0.0.0:{port}" in other.stderr.decode()
    assert "Traceback" not in other.stderr.decode()


def test_service_stops_in_time_and_keeps_its_data_on_restart(tmp_path: Path) -> None:
    """A slow request is aborted without a server error, and the data is kept."""
    beside = set(ROOT.iterdir())
    named = {"ALLOWED_HOSTS": "league.example.org,127.0.0.1", "SECRET_KEY": uuid.uuid4().hex * 2}
    with an_installation(tmp_path, BEHIND_HTTPS="on", **named) as installation:
        with served(installation) as first:
            assert first.get("/keep", **ENCRYPTED) == "kept"
            errors: list[int] = []
            asking = threading.Thread(target=lingers, args=[first, errors])
            asking.start()
            time.sleep(0.3)
            ends_in_peace(first, signal.SIGTERM)
            asking.join()
            assert not errors
        began = time.monotonic()
        with served(installation, "--only-web") as second:
            assert time.monotonic() - began < STARTS_WITHIN
            assert second.get("/count", **ENCRYPTED) == "1"
            assert second.get("/scheme", **ENCRYPTED) == "https"
            ends_in_peace(second, signal.SIGINT)
    assert not {path for path in set(ROOT.iterdir()) - beside if "beat" in path.name}


def lingers(service: Service, errors: list[int]) -> None:
    with contextlib.suppress(OSError):
        try:
            service.get("/linger", **ENCRYPTED)
        except HTTPError as error:
            errors.append(error.code)


@pytest.mark.parametrize("processes", ["1", pytest.param("2", marks=pytest.mark.scheduled)])
def test_running_request_completes_before_shutdown(processes: str, installation: Variables) -> None:
    with (
        served(installation, "--only-web", "--processes", processes) as service,
        ThreadPoolExecutor(1) as phone,
    ):
        answer = phone.submit(service.get, "/finish")
        time.sleep(0.5)
        ends_in_peace(service, signal.SIGTERM)
        assert answer.result() == "finished"


def test_web_processes_end_when_their_parent_does(installation: Variables) -> None:
    with served(installation, "--only-web", "--processes", "2") as service:
        processes = psutil.Process(service.process.pid).children()
        assert len(processes) == 2
        service.process.kill()
        assert not psutil.wait_procs(processes, timeout=ENDS_WITHIN)[1]


def ends_in_peace(service: Service, by: signal.Signals) -> None:
    assert service.end(by) < ENDS_WITHIN
    assert service.process.returncode == 0
