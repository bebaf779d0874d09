"""What a tag makes: the steps are there, and name what is there. A host of releases runs them."""

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
RELEASE: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yaml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()


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


def test_one_image_is_for_both_kinds_of_processors() -> None:
    build = next(step for step in RELEASE["jobs"]["image"]["steps"] if step.get("id") == "build")
    assert build["with"]["platforms"] == "linux/amd64,linux/arm64"
    assert (ROOT / build["with"]["file"]).exists()


def test_nothing_may_do_more_than_it_has_to() -> None:
    assert RELEASE["permissions"] == {"contents": "read"}
    for job in RELEASE["jobs"].values():
        assert job["permissions"]["id-token"] == "write"
