"""The compose files: start order and privileges. The tests need no container engine."""

import http.server
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
import yaml

from config.environment.reading import WrongVariablesError, read
from config.environment.variables import TABLE
from tests.helpers.config.commands import plain_commands

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("web", "streams", "worker", "beat", "migrate", "ready")
DOCKERFILE = (DOCKER / "Dockerfile").read_text(encoding="utf-8")


def waits_for(name: str) -> dict[str, str]:
    waited = SERVICES[name].get("depends_on", {})
    return {other: each["condition"] for other, each in waited.items()}


@pytest.mark.parametrize("name", OURS)
def test_our_containers_are_read_only_and_gain_no_privileges(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "privileged" not in service


def test_only_the_backup_service_has_a_volume() -> None:
    volumes_of = {name: SERVICES[name].get("volumes", []) for name in (*OURS, "desk")}
    assert {name for name, volumes in volumes_of.items() if volumes} == {
        "worker",
        "migrate",
        "desk",
    }
    assert all(volumes_of[name] == ["backups:/data"] for name in ("worker", "migrate", "desk"))


@pytest.mark.parametrize("name", ["web", "streams", "worker"])
def test_service_that_can_be_scaled_has_no_fixed_name_or_port(name: str) -> None:
    assert not {"ports", "container_name"} & SERVICES[name].keys()


@pytest.mark.parametrize("name", ["web", "streams", "worker", "beat"])
def test_services_start_only_after_the_migrations(name: str) -> None:
    assert waits_for(name) == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }
    assert waits_for("migrate") == {"postgres": "service_healthy"}


def test_every_dependency_exists_and_has_a_health_check() -> None:
    for name in SERVICES:
        for other, condition in waits_for(name).items():
            assert other in SERVICES
            if condition == "service_healthy":
                assert "test" in SERVICES[other]["healthcheck"]


@pytest.mark.parametrize("name", ["proxy", "plain"])
def test_only_proxies_publish_ports_and_they_reach_all_web_processes(name: str) -> None:
    assert SERVICES[name]["profiles"]
    configuration = (DOCKER / volume_of(name)).read_text(encoding="utf-8")
    assert "dynamic a web 8000" in configuration
    assert "dynamic a streams 8000" in configuration
    assert "respond /metrics 404" in configuration
    assert [each for each, told in SERVICES.items() if "ports" in told] == ["proxy", "plain"]


def test_client_address_is_forwarded_behind_a_second_proxy() -> None:
    """The service trusts the last address (`league.common.client_ip`), set by the outer proxy."""
    configuration = (DOCKER / "Caddyfile.plain").read_text(encoding="utf-8")
    assert "trusted_proxies" in configuration
    assert "header_up X-Forwarded-For {client_ip}" in configuration


def volume_of(name: str) -> str:
    file = next(each for each in SERVICES[name]["volumes"] if each.startswith("./"))
    return str(file.split(":")[0])


def test_used_volumes_are_declared() -> None:
    used = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", ())
        if not volume.startswith(".")
    }
    assert used == set(COMPOSE["volumes"])


def test_committed_env_files_contain_no_secrets() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"(PASSWORD|SECRET_KEY|TOKEN)\w*:", text)
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    secret = {f"/docker/{name}.env" for name in ("service", "postgres", "owner", "redis")}
    assert secret <= set(ignored)
    assert not [each for each in DOCKER.glob("*.env") if not each.name.startswith("example.")]


def example(name: str) -> dict[str, str]:
    lines = (DOCKER / name).read_text(encoding="utf-8").splitlines()
    rows = [line.partition("=") for line in lines if line and not line.startswith("#")]
    return {name: value for name, _, value in rows}


def test_only_the_secret_key_is_missing_from_the_example_env_file() -> None:
    given = example("example.env")
    assert given.keys() <= {each.name for each in TABLE}
    with pytest.raises(WrongVariablesError) as wrong:
        read(given)
    assert [error.split()[0] for error in wrong.value.errors] == ["SECRET_KEY"]
    assert read(given | {"SECRET_KEY": "only-for-tests-" * 4})["LOG_FORMAT"] == "json"
    assert "POSTGRES_PASSWORD" in example("example.postgres.env")


def test_only_the_migrate_and_desk_services_connect_as_the_database_owner() -> None:
    """Compose reads a service's env files in order, and the last value counts."""
    files_of = {name: env_files(name) for name in SERVICES}
    assert {name for name, files in files_of.items() if "owner.env" in files} == {"migrate", "desk"}
    assert all(files_of[name] == ["service.env", "owner.env"] for name in ("migrate", "desk"))
    assert [name for name, files in files_of.items() if "postgres.env" in files] == ["postgres"]
    assert [name for name, files in files_of.items() if "redis.env" in files] == ["redis"]


def test_service_does_not_connect_as_the_database_owner() -> None:
    roles = (DOCKER / "postgres-roles.sql").read_text(encoding="utf-8")
    service = urlsplit(example("example.env")["DATABASE_URL"])
    owner = urlsplit(example("example.owner.env")["DATABASE_URL"])
    assert (service.username, owner.username) == ("league_service", "league_owner")
    assert (service.hostname, service.path) == (owner.hostname, owner.path)
    for role in (service.username, owner.username):
        assert f"ALTER ROLE {role}\n    LOGIN NOSUPERUSER" in roles
    wanted = set(re.findall(r"\\getenv \w+ (\w+)", roles))
    assert wanted <= example("example.postgres.env").keys()
    assert (
        "./postgres-roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro"
        in (SERVICES["postgres"]["volumes"])
    )


def env_files(name: str) -> list[str]:
    response = SERVICES[name].get("env_file", [])
    return [response] if isinstance(response, str) else list(response)


def test_desk_service_starts_only_on_request() -> None:
    desk = SERVICES["desk"]
    assert desk["profiles"] == ["desk"]
    assert desk["volumes"] == ["backups:/data"]
    assert desk["read_only"] is True
    assert "install --directory --owner service /data " in DOCKERFILE


def test_docker_and_podman_support_the_tmpfs_options() -> None:
    """podman rejects `uid=` and takes the mode from the image."""
    assert "install --directory --mode 1777 /measures" in DOCKERFILE
    for service in SERVICES.values():
        for each in service.get("tmpfs", ()):
            options = each.partition(":")[2]
            assert {one.partition("=")[0] for one in options.split(",") if one} <= {"size", "mode"}


@pytest.mark.skipif(not shutil.which("redis-server"), reason="there is no Redis on this machine")
def test_redis_requires_its_password_and_is_healthy_with_it(tmp_path: Path) -> None:
    """Runs the file's command and health check, except for the port and entrypoint."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (
        SERVICES["redis"]["command"][2].replace("$$", "$").replace("docker-entrypoint.sh ", "")
    )
    check = SERVICES["redis"]["healthcheck"]["test"][1].replace("$$", "$")
    environment = os.environ | {"REDIS_PASSWORD": "only-for-tests"}
    words = ["sh", "-c", f"{command} --bind 127.0.0.1 --port {port}"]
    with subprocess.Popen(
        words, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL
    ) as server:
        try:
            healthy = check.replace(" ping", f" -p {port} ping")
            for _ in range(100):
                if (
                    subprocess.run(["sh", "-c", healthy], env=environment, check=False).returncode
                    == 0
                ):
                    break
                time.sleep(0.05)
            wrong = environment | {"REDIS_PASSWORD": "another"}
            assert (
                subprocess.run(["sh", "-c", healthy], env=environment, check=False).returncode == 0
            )
            assert subprocess.run(["sh", "-c", healthy], env=wrong, check=False).returncode != 0
            with redis.Redis(port=port) as stranger, pytest.raises(redis.AuthenticationError):
                stranger.ping()
            address = example("example.env")["REDIS_URL"].replace(
                "@redis:6379", f"@127.0.0.1:{port}"
            )
            known = address.replace("the-REDIS_PASSWORD-of-redis.env", "only-for-tests")
            with redis.from_url(known) as ours:
                assert ours.ping()
        finally:
            server.terminate()


def test_image_runs_unprivileged_and_has_a_health_check() -> None:
    last = DOCKERFILE.split("FROM ")[-1]
    assert re.search(r"^USER [1-9]\d+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "--require-hashes" in DOCKERFILE


def test_image_is_complete_and_installs_nothing_on_start() -> None:
    """docker/try-stack checks the contents of a built image."""
    last = DOCKERFILE.split("FROM ")[-1]
    assert 'CMD ["python3", "manage.py", "serve", "--prepare", "--host", "0.0.0.0"]' in last
    assert "docker/slim.py /venv/lib" in DOCKERFILE
    assert "pip install" not in last


def test_build_context_excludes_secrets_and_tests() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {"docker/*", "tests/", "var/", ".git/", ".venv/"} <= set(ignored)
    assert [line for line in ignored if line.startswith("!")] == [
        "!docker/healthy.py",
        "!docker/slim.py",
    ]


@pytest.mark.parametrize("name", OURS)
def test_service_commands_refer_to_existing_files(name: str) -> None:
    command = SERVICES[name]["command"]
    assert command[0] in ("celery", "python3")
    for word in command:
        if word.endswith(".py"):
            assert (ROOT / word.removeprefix("/service/")).exists()


def test_documented_commands_use_existing_services() -> None:
    """Running the commands needs a container engine."""
    allowed = set(SERVICES) | {"build", "up", "run", "audit", "backup", "restore"}
    profiles = {each for service in SERVICES.values() for each in service.get("profiles", ())}
    commands = [line for _, line in plain_commands() if line.startswith("docker compose")]
    assert len(commands) == 6
    for line in commands:
        words = iter(shlex.split(line)[2:])
        for word in words:
            match word:
                case "-f":
                    assert (ROOT / next(words)).exists()
                case "--profile":
                    assert next(words) in profiles
                case "--scale":
                    assert next(words).split("=")[0] in SERVICES
                case ">" | "<" | "league.backup" | "-":
                    pass
                case "--detach" | "--build" | "--rm" | "--replace" | "-T":
                    pass
                case _:
                    assert word in allowed, line


class HealthServer(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/well" else 503)
        self.end_headers()
        self.wfile.write(b"said")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with http.server.HTTPServer(("127.0.0.1", 0), HealthServer) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(("path", "code"), [("/well", 0), ("/ill", 1)])
def test_container_is_healthy_if_its_web_process_is(
    path: str, code: int, port: int, tmp_path: Path
) -> None:
    script = (DOCKER / "healthy.py").read_text(encoding="utf-8")
    own = tmp_path / "healthy.py"
    own.write_text(script.replace("PORT = 8000", f"PORT = {port}"))
    asked = subprocess.run([sys.executable, own, path], capture_output=True, check=False)
    assert (asked.returncode, asked.stdout) == (code, b"said\n")


def test_container_without_a_listening_process_is_unhealthy(port: int) -> None:
    script = DOCKER / "healthy.py"
    asked = subprocess.run([sys.executable, script, "/healthz", "127.0.0.9"], check=False)
    assert asked.returncode == 1


EARLY = re.compile(r"\|\s*(?:\\\n\s*)?(grep\s+(?:-\w*q|-m|--quiet|--max-count)|head\b|sed\s+\S*q)")


@pytest.mark.parametrize("script", ["docker/try-stack", ".ci/run"])
def test_scripts_do_not_pipe_into_programs_that_stop_reading_early(script: str) -> None:
    """Under `pipefail`, a writer's SIGPIPE becomes the exit code of the pipe.

    The exit code is 128 + 13 = 141.
    """
    text = (ROOT / script).read_text()
    assert "set -euo pipefail" in text
    assert EARLY.findall(text) == []
