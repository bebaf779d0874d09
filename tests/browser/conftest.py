"""A phone in the hand: the browser that the tests of the pages drive."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Without these flags chromium asks for hosts of its maker at every start.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "locale": "en-US",
    "reduced_motion": "reduce",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that `make test` leaves it to `make test-browser`."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": QUIET}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | PHONE


@pytest.fixture
def picture(page: Any, tmp_path: Path) -> Callable[[str], Path]:
    """Take a picture of the page: for the documentation under `make pictures`, else to look at."""
    folder = Path(os.environ.get("PICTURES", tmp_path))

    def taken(name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        return path

    return taken
