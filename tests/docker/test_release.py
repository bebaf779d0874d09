"""The release workflow for a tag: its steps exist and refer to existing files.

The wheel's requirements are compared with the lock files.
"""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
RELEASE: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yaml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()

# A lock file lists some packages twice, for two Python versions.
LOCKED = re.compile(r"^(?P<name>[\w.-]+)(?:\[[\w,-]+\])?==(?P<version>[^ ]+)", re.MULTILINE)
IMPORTED = re.compile(r"^\s*(?:from|import) +(?P<package>\w+)(?P<rest>\S*)", re.MULTILINE)


def steps(job: str) -> str:
    return "\n".join(str(step) for step in RELEASE["jobs"][job]["steps"])


def test_wheel_and_image_are_listed_and_signed() -> None:
    assert "make wheel" in steps("wheel")
    assert "make sbom" in steps("wheel")
    assert "sigstore sign dist/*.whl dist/*.cdx.json" in steps("wheel")
    assert "cyclonedx-json" in steps("image")
    assert "cosign sign" in steps("image")
    assert "cosign attest --yes --type cyclonedx" in steps("image")
    assert all(f"\n{target}:" in MAKEFILE for target in ("wheel", "sbom"))


def test_one_image_supports_both_processor_architectures() -> None:
    build = next(step for step in RELEASE["jobs"]["image"]["steps"] if step.get("id") == "build")
    assert build["with"]["platforms"] == "linux/amd64,linux/arm64"
    assert (ROOT / build["with"]["file"]).exists()


def test_workflow_permissions_are_minimal() -> None:
    assert RELEASE["permissions"] == {"contents": "read"}
    for job in RELEASE["jobs"].values():
        assert job["permissions"]["id-token"] == "write"


def test_make_reports_that_the_debian_package_for_venv_is_missing(tmp_path: Path) -> None:
    """Debian ships `ensurepip` in a separate package."""
    words = ["make", "--silent", "--file", str(ROOT / "Makefile"), "PYTHON=", ".venv/bin/python"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stderr


def required(name: str) -> list[Requirement]:
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    texts = [line.partition("#")[0].strip() for line in lines]
    return [Requirement(text) for text in texts if text and not text.startswith("-")]


@pytest.mark.parametrize("name", ["base", "data", "mcp"])
def test_requirements_allow_the_locked_version_but_no_later_minor_version(name: str) -> None:
    """A wheel installed next year gets only patch releases of the tested versions."""
    lock = (ROOT / "requirements" / f"{name}.txt").read_text()
    locked: dict[str, list[Version]] = {}
    for match in LOCKED.finditer(lock):
        locked.setdefault(canonicalize_name(match["name"]), []).append(Version(match["version"]))
    for requirement in required(name):
        versions = locked[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in versions), requirement
        newest = max(versions)
        later = Version(f"{newest.major}.{newest.minor + 1}")
        calendar = requirement.name == "tzdata"  # data only: later releases are allowed
        assert calendar or later not in requirement.specifier, requirement
        assert Version(f"{newest.major + 1}.0") not in requirement.specifier, requirement


def test_packages_imported_from_internal_modules_are_pinned_exactly() -> None:
    """allauth 65.22 moved modules under `internal`, which broke all pages."""
    exact = {
        requirement.name
        for name in ("base", "data", "mcp")
        for requirement in required(name)
        if str(requirement.specifier).startswith("==") and "*" not in str(requirement.specifier)
    }
    used = {
        match["package"]
        for folder in ("api", "config", "league", "ledger", "rules")
        for file in (ROOT / folder).rglob("*.py")
        for match in IMPORTED.finditer(file.read_text())
        if ".internal" in match["rest"] or "._" in match["rest"]
    }
    assert used == {"allauth"}
    assert exact == {"django-allauth"}
