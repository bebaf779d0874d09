"""Replaying the public PHH files gives the recorded payouts.

The test runs only if the files are next to the repository.
"""

import tomllib
from pathlib import Path

import pytest

from rules.formats.files import replay_files
from tests.helpers.rules.hands import public_files

FILES = public_files()
pytestmark = pytest.mark.skipif(not FILES, reason="no public hand histories beside the repository")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_public_hand_ends_with_its_finishing_stacks(path: Path) -> None:
    """Stacks must match exactly, and every action must be legal (public PHH dataset)."""
    (answer,) = replay_files([path], strict=True)
    assert answer["errors"] == []
    assert answer["findings"] == []
    response = tomllib.loads(path.read_text()).get("finishing_stacks")
    assert response is None or answer["finishing_stacks"] == response
    assert sum(answer["finishing_stacks"]) == sum(answer["starting_stacks"])
