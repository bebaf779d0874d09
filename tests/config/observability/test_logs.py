"""Every log line contains its request's id, and no log line contains a secret."""

import io
import json
import logging
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils.log import log_response

from config.observability.logs import Json, Plain, redacted
from league.closing import receipts
from league.models import League, Role, Scope
from league.people.api_keys import make_link, make_token
from tests.helpers.api.clients import member, send
from tests.helpers.config import logging_views
from tests.helpers.config.commands import plain_commands
from tests.helpers.config.migrated import copy_migrated
from tests.helpers.fork_server import ROOT
from tests.helpers.league.leagues import a_league, a_user, holdem
from tests.helpers.league.nights import a_table, closed, dealt

PASSWORD = "correct-horse-battery"


class Log:
    """The root logger's output, in the format that processes use."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.written = io.StringIO()
        self.handler = logging.StreamHandler(self.written)
        self.handler.setFormatter(formatter)

    @property
    def text(self) -> str:
        return self.written.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(params=[Plain, Json])
def either(request: pytest.FixtureRequest) -> Iterator[Log]:
    yield from _listening(request.param())


@pytest.fixture
def log() -> Iterator[Log]:
    yield from _listening(Json())


def _listening(formatter: logging.Formatter) -> Iterator[Log]:
    log, root = Log(formatter), logging.getLogger()
    before = root.level
    root.addHandler(log.handler)
    root.setLevel(logging.INFO)
    yield log
    root.setLevel(before)
    root.removeHandler(log.handler)


def test_incoming_request_id_is_kept(client: Client, log: Log) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": "proxy-7f3a.1"})
    assert answer.headers["X-Request-ID"] == "proxy-7f3a.1"
    [line] = log.lines
    assert line["request"] == "proxy-7f3a.1"
    assert (line["route"], line["status"], line["method"]) == ("healthz", 200, "GET")


@pytest.mark.parametrize("request_id", ["", "two words", 'a","level":"CRITICAL', "x" * 65, "é"])
def test_invalid_request_id_is_replaced(client: Client, request_id: str) -> None:
    given = [client.get("/healthz", headers={"X-Request-ID": request_id}).headers["X-Request-ID"]]
    given.append(client.get("/healthz").headers["X-Request-ID"])
    assert request_id not in given
    assert len(set(given)) == 2


@pytest.mark.django_db
def test_all_log_lines_of_a_request_include_its_id(client: Client, log: Log) -> None:
    given = client.get("/no-such-page").headers["X-Request-ID"]
    assert len(log.lines) == 2
    assert {line["request"] for line in log.lines} == {given}


@pytest.mark.django_db
def test_hand_refused_by_the_database_logs_one_error(log: Log) -> None:
    """For example, when a disk is full, our line contains the reason.

    Django logged only the status.
    """
    night = a_table()
    host = member(night.league, Role.HOST)

    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("INSERT"):
            raise OperationalError("database or disk is full")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        body = {"id": str(uuid4()), "record": holdem()}
        assert send(host, f"/api/v1/nights/{night.pk}/hands", body).status_code == 503
    [line] = [line for line in log.lines if line["level"] != "INFO"]
    assert line["message"] == "The database refused: database or disk is full"
    assert line["level"] == "ERROR"


@pytest.mark.urls(logging_views.__name__)  # imported here, so that all workers register its tasks
@pytest.mark.django_db(transaction=True)
def test_request_id_is_passed_on_to_tasks_and_their_requests(
    running_worker: None, log: Log, client: Client
) -> None:
    """A starting worker replaces the log handlers, so it is started before the log is captured."""
    client.get("/send", headers={"X-Request-ID": "from-the-proxy"})
    deadline = time.monotonic() + 10
    while "echoed" not in log.text:
        assert time.monotonic() < deadline, log.text
        time.sleep(0.05)
    lines = {line["message"]: line["request"] for line in log.lines}
    assert {lines[message] for message in ("sending", "whispered", "echoed")} == {"from-the-proxy"}


@pytest.fixture
def league() -> League:
    return a_league()


@pytest.mark.urls(logging_views.__name__)
@pytest.mark.django_db
def test_no_secret_is_logged(either: Log, league: League) -> None:
    """Secrets are codes, keys, tokens and passwords in URLs, headers, forms and error messages."""
    host = a_user("somebody")
    client = Client(raise_request_exception=False)
    client.force_login(host)
    _, token = make_token(league, host, "a program", Scope.READ)
    _, key = make_link(league, "a sheet", by=host)
    night = a_table()
    dealt(night)
    closed(night)
    shared = receipts.share(night, by=host)
    session = client.cookies["sessionid"].value
    bearer = {"Authorization": f"Bearer {token}"}
    for path in (
        f"/join/{league.code}",
        f"/join/{league.code}x",
        f"/api/v1/join/{league.code}",
        f"/receipts/{shared}",
        f"/receipts/{shared}.csv",
        f"/receipts/{shared}/more",
        f"/replays/{shared}.png",
        f"/screens/{shared}",
        f"/screens/{shared}/pulse",
        f"/api/v1/receipts/{shared}",
        f"/api/v1/leagues/{league.pk}/feeds/hands?key={key}",
        f"/api/v1/leagues/{night.league.pk}/feeds/hands?limit=1&key={key}",
        f"/no-such-page?key={key}",
        f"/fail?key={key}&next=/receipts/{shared}",
    ):
        client.get(path, headers=bearer)
        Client(raise_request_exception=False).post(path, {"password": PASSWORD}, headers=bearer)
    client.post(reverse("sign-in"), {"username": "somebody", "password": PASSWORD})
    client.post("/fail", {"password": PASSWORD, "code": league.code}, headers=bearer)
    assert either.text.count("ValueError") >= 3
    for secret in (token, key, shared, session, PASSWORD, league.code):
        assert secret not in either.text


SECRET = "k7Qx-that-opens_4Zt"
NAMES = {"token", "key", "code"}


def secret_paths() -> Iterator[str]:
    """Yield each route's URL with a token, key or code in it."""

    def walk(patterns: list[Any], before: str) -> Iterator[str]:
        for pattern in patterns:
            route = before + str(pattern.pattern)
            if hasattr(pattern, "url_patterns"):
                yield from walk(pattern.url_patterns, route)
            elif set(pattern.pattern.converters) & NAMES:
                yield route

    for route in walk(get_resolver().url_patterns, "/"):
        parts = re.split("<(?:([a-z0-9_]+):)?([a-z_0-9]+)>", route)
        for at in range(0, len(parts) - 1, 3):
            kind, name = parts[at + 1], parts[at + 2]
            parts[at + 1] = ""
            value = {"uuid": str(uuid4()), "int": "1", "base36": "z"}.get(kind or "", "word")
            parts[at + 2] = SECRET if name in NAMES else value
        yield "".join(pattern or "" for pattern in parts)


@pytest.mark.django_db
def test_secret_in_a_url_is_never_logged_for_any_response(either: Log) -> None:
    """Django logs every rejected URL, which may contain a working secret."""
    paths = sorted(secret_paths())
    assert len(paths) >= 18
    factory = RequestFactory()
    codes = {400, 403, 404, 405, 429}
    for path in paths:
        strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
        answers = [
            strict.get(path, headers={"Host": "not a host"}),
            strict.post(path),
            strict.get(path),
            strict.get(f"{path}/more"),
            strict.get(path.replace("/", "//")[1:]),
            strict.generic("TRACE", path),
        ]
        codes -= {each.status_code for each in answers}
        for status in (400, 403, 404, 405, 429, 500):
            request, answer = factory.get(path), HttpResponse(status=status)
            log_response(f"{answer.reason_phrase}: %s", path, response=answer, request=request)
        logging.getLogger("a library").error("it failed", exc_info=ValueError(f"at {path}"))
    assert codes <= {429}  # a separate test covers the limit
    assert "/***" in either.text
    left = {line for line in either.text.splitlines() if SECRET in line}
    assert not left


def test_secrets_in_urls_are_redacted() -> None:
    message = "postgres://league:hunter2@db/league and redis://:hunter2@queue, GET /join/ABCDEF?x=1"
    shown = "postgres://league:***@db/league and redis://:***@queue, GET /join/***?x=1"
    assert redacted(message) == shown


@pytest.mark.slow
@pytest.mark.parametrize("processes", [pytest.param("1", marks=pytest.mark.scheduled), "2"])
def test_web_server_logs_json_without_urls(processes: str, tmp_path: Path) -> None:
    copy_migrated(tmp_path / "league.sqlite3")
    words = [sys.executable, "manage.py", "serve", "--only-web", "--port", "0"]
    with (
        (tmp_path / "said").open("w+") as log,
        started([*words, "--processes", processes], tmp_path, log, LOG_LEVEL="INFO") as process,
    ):
        assert process.stdout
        address = process.stdout.readline().split()[-1]
        request = Request(f"{address}/receipts/told-to-friends?key=of-a-link")  # noqa: S310
        with pytest.raises(HTTPError):
            urlopen(request, timeout=30)  # noqa: S310
        process.terminate()
        process.wait(timeout=30)
        log.seek(0)
        lines = [json.loads(line) for line in log]
    assert any(line.get("route") == "shared-receipt" for line in lines)
    assert not any("told-to-friends" in str(line) for line in lines)
    assert not any("of-a-link" in str(line) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["worker", pytest.param("beat", marks=pytest.mark.scheduled)])
def test_documented_celery_command_starts_and_logs_like_the_service(
    part: str, tmp_path: Path
) -> None:
    command = next(line for _, line in plain_commands() if f"celery -A config {part}" in line)
    beside = ["--schedule", str(tmp_path / "beat")] if part == "beat" else ["--pool", "solo"]
    words = [sys.executable, "-m", *shlex.split(command), "--loglevel", "info", *beside]
    with started(words, tmp_path) as process:
        assert process.stderr
        lines = [process.stderr.readline()]
        while not any(word in lines[-1] for word in ("ready.", "Starting...")):
            assert lines[-1], "it has ended"
            lines.append(process.stderr.readline())
        time.sleep(1)  # if a signal arrives during setup, the exit can be lost
        process.terminate()
        process.communicate(timeout=30)
    # The database was not migrated, so the worker can't store its heartbeat.
    known = ("celery", "league.jobs.last_runs")
    assert all(json.loads(line)["logger"].startswith(known) for line in lines)


def started(
    words: list[str], data: Path, log: int | IO[str] = subprocess.PIPE, **variables: str
) -> subprocess.Popen[str]:
    # If run as root, Celery warns before logging is set up.
    variables["PYTHONWARNINGS"] = "ignore"
    environment = {name: os.environ[name] for name in ("PATH", "REDIS_URL") if name in os.environ}
    return subprocess.Popen(
        words,
        cwd=ROOT,
        env=environment | {"DATA_DIR": str(data), "LOG_FORMAT": "json", **variables},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
