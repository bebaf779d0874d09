"""The systemd units, and the documented file of environment variables."""

import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.helpers.config.commands import ROOT, plain_commands

UNITS = sorted((ROOT / "docs" / "systemd").glob("*.service"))
HOME = "/opt/dealers-choice"


def read(unit: Path) -> dict[str, list[str]]:
    """Return the [Service] section's values by name. A name may occur several times."""
    values: dict[str, list[str]] = {}
    section = unit.read_text().split("[Service]\n")[1].split("\n[")[0]
    for line in section.splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            values.setdefault(name, []).append(value)
    return values


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_unit_starts_the_documented_process(unit: Path, tmp_path: Path) -> None:
    section = read(unit)
    commands = [*section.get("ExecStartPre", []), *section["ExecStart"]]
    programs = {shlex.split(started)[0].rsplit("/", 1)[1] for started in commands}
    assert programs <= {"python", "celery"}
    assert section["Restart"] == ["always"]
    assert section["WorkingDirectory"] == [HOME]
    page = [command for _, command in plain_commands()]
    for started in commands:
        start = started.removeprefix(f"{HOME}/.venv/bin/").split(" --")[0]
        assert any(line.startswith(start) for line in page) or "serve" in start
    if not shutil.which("systemd-analyze"):
        return
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace(f"{HOME}/.venv/bin/", "/bin/true "))
    verified = subprocess.run(
        ["systemd-analyze", "verify", copy], capture_output=True, text=True, check=False
    )
    assert unit.stem not in verified.stderr, verified.stderr


def test_documentation_installs_all_production_systemd_units() -> None:
    enabled = next(line for _, line in plain_commands() if line.startswith("systemctl enable"))
    production = {unit.stem for unit in UNITS} - {"dealers-choice"}
    assert set(shlex.split(enabled)[3:]) == production
    for name in production:
        file = ConfigParser(strict=False, interpolation=None)
        file.read(ROOT / "docs" / "systemd" / f"{name}.service")
        assert file["Service"]["EnvironmentFile"] == "/etc/dealers-choice.env"


def test_web_processes_share_a_metrics_folder_created_by_systemd() -> None:
    """Otherwise `/metrics` would show the counts of only one process."""
    section = read(ROOT / "docs" / "systemd" / "dealers-choice-web.service")
    assert "--processes 2" in section["ExecStart"][0]
    [folder] = section["RuntimeDirectory"]
    assert f"PROMETHEUS_MULTIPROC_DIR=/run/{folder}" in section["Environment"]


def test_documented_shell_line_exports_the_variables_file(tmp_path: Path) -> None:
    line = next(line for _, line in plain_commands() if line.startswith("set -a"))
    (tmp_path / "variables").write_text("SITE_URL=https://league.example.org\n")
    line_for_file = line.replace("/etc/dealers-choice.env", str(tmp_path / "variables"))
    done = subprocess.run(
        ["sh", "-c", f"{line_for_file}; env"], capture_output=True, text=True, check=True
    )
    assert "SITE_URL=https://league.example.org" in done.stdout.splitlines()
