"""The containers: what has to be there before what, and what each may do. No engine is needed."""

import http.server
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.environment import TABLE, WrongVariables, read
from tests.docs.commands import plain_commands

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("web", "worker", "beat", "migrate", "ready")
DOCKERFILE = (DOCKER / "Dockerfile").read_text(encoding="utf-8")


def waits_for(name: str) -> dict[str, str]:
    waited = SERVICES[name].get("depends_on", {})
    return {other: each["condition"] for other, each in waited.items()}


@pytest.mark.parametrize("name", OURS)
def test_our_processes_may_write_nowhere_and_gain_nothing(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "volumes" not in service
    assert "privileged" not in service


@pytest.mark.parametrize("name", ["web", "worker"])
def test_what_is_scaled_has_no_name_and_no_port_of_its_own(name: str) -> None:
    assert not {"ports", "container_name"} & SERVICES[name].keys()


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_nothing_starts_before_the_database_is_migrated(name: str) -> None:
    assert waits_for(name) == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }
    assert waits_for("migrate") == {"postgres": "service_healthy"}


def test_what_is_waited_for_is_there_and_can_be_healthy() -> None:
    for name in SERVICES:
        for other, condition in waits_for(name).items():
            assert other in SERVICES
            if condition == "service_healthy":
                assert "test" in SERVICES[other]["healthcheck"]


@pytest.mark.parametrize("name", ["proxy", "plain"])
def test_only_a_proxy_is_reached_from_outside_and_leads_to_every_web(name: str) -> None:
    assert SERVICES[name]["profiles"]
    configuration = (DOCKER / volume_of(name)).read_text(encoding="utf-8")
    assert "dynamic a web 8000" in configuration
    assert "respond /metrics 404" in configuration
    assert [each for each, told in SERVICES.items() if "ports" in told] == ["proxy", "plain"]


def test_behind_another_proxy_it_is_told_who_asks() -> None:
    """`league.callers` believes the last address, which would be that of the proxy before."""
    configuration = (DOCKER / "Caddyfile.plain").read_text(encoding="utf-8")
    assert "trusted_proxies" in configuration
    assert "header_up X-Forwarded-For {client_ip}" in configuration


def volume_of(name: str) -> str:
    file = next(each for each in SERVICES[name]["volumes"] if each.startswith("./"))
    return str(file.split(":")[0])


def test_volumes_that_are_used_are_declared() -> None:
    used = {
        each.split(":")[0]
        for service in SERVICES.values()
        for each in service.get("volumes", ())
        if not each.startswith(".")
    }
    assert used == set(COMPOSE["volumes"])


def test_no_secret_stands_in_what_is_committed() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"(PASSWORD|SECRET_KEY|TOKEN)\w*:", text)
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert {"/docker/service.env", "/docker/postgres.env"} <= set(ignored)


def example(name: str) -> dict[str, str]:
    lines = (DOCKER / name).read_text(encoding="utf-8").splitlines()
    rows = [line.partition("=") for line in lines if line and not line.startswith("#")]
    return {name: told for name, _, told in rows}


def test_the_example_of_variables_lacks_but_the_secret() -> None:
    given = example("example.env")
    assert given.keys() <= {each.name for each in TABLE}
    with pytest.raises(WrongVariables) as wrong:
        read(given)
    assert [error.split()[0] for error in wrong.value.errors] == ["SECRET_KEY"]
    assert read(given | {"SECRET_KEY": "only-for-tests-" * 4})["LOG_FORMAT"] == "json"
    assert "POSTGRES_PASSWORD" in example("example.postgres.env")


def test_the_image_runs_as_nobody_in_particular_and_says_how_it_is() -> None:
    last = DOCKERFILE.split("FROM ")[-1]
    assert re.search(r"^USER [1-9]\d+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "--require-hashes" in DOCKERFILE
    assert "--no-control-socket" in last


def test_what_the_image_is_built_from_leaves_secrets_and_tests_out() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {"docker/*", "tests/", "var/", ".git/", ".venv/"} <= set(ignored)
    assert [line for line in ignored if line.startswith("!")] == ["!docker/healthy.py"]


@pytest.mark.parametrize("name", OURS)
def test_each_process_is_one_that_the_page_or_the_service_has(name: str) -> None:
    command = SERVICES[name].get("command") or ["gunicorn"]
    assert command[0] in ("celery", "python3", "gunicorn")
    for word in command:
        if word.endswith(".py"):
            assert (ROOT / word.removeprefix("/service/")).exists()


def test_the_commands_of_the_page_name_what_is_there() -> None:
    """What an engine would do of them can't be tried here."""
    known = set(SERVICES) | {"up", "run", "build"}
    profiles = {each for service in SERVICES.values() for each in service.get("profiles", ())}
    told = [line for _, line in plain_commands() if line.startswith("docker compose")]
    assert len(told) == 2
    for line in told:
        words = iter(shlex.split(line)[2:])
        for word in words:
            match word:
                case "-f":
                    assert (ROOT / next(words)).exists()
                case "--profile":
                    assert next(words) in profiles
                case "--scale":
                    assert next(words).split("=")[0] in SERVICES
                case "--detach" | "--build" | "--rm" | "--wait":
                    pass
                case _:
                    assert word in known, line


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/well" else 503)
        self.end_headers()
        self.wfile.write(b"said")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with http.server.HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(("path", "code"), [("/well", 0), ("/ill", 1)])
def test_a_container_is_healthy_when_its_web_process_says_so(
    path: str, code: int, port: int, tmp_path: Path
) -> None:
    script = (DOCKER / "healthy.py").read_text(encoding="utf-8")
    own = tmp_path / "healthy.py"
    own.write_text(script.replace("PORT = 8000", f"PORT = {port}"))
    asked = subprocess.run([sys.executable, own, path], capture_output=True, check=False)
    assert (asked.returncode, asked.stdout) == (code, b"said\n")


def test_a_container_where_nothing_listens_is_not_healthy(port: int) -> None:
    script = DOCKER / "healthy.py"
    asked = subprocess.run([sys.executable, script, "/healthz", "127.0.0.9"], check=False)
    assert asked.returncode == 1
