"""`serve --prepare` does not change static files that were collected during an image build."""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.management.commands.serve import are_sealed
from config.web.static_files import HashedFiles, is_collected, store_source_hash

SOMEBODY = 10001

SCRIPTS = Path(__file__).parents[2] / "league" / "static" / "league" / "js"


@pytest.fixture
def static() -> Iterator[Path]:
    """Return a folder that all users can read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


def seen_by_somebody(static: Path) -> bool:
    """Check as an unprivileged user, as in the image, because root can write anywhere."""
    child = os.fork()
    if not child:
        if os.geteuid() == 0:
            os.setuid(SOMEBODY)
        os._exit(int(are_sealed(static)))
    return bool(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def collect(static: Path) -> None:
    static.chmod(0o755)
    (static / HashedFiles.manifest_name).write_text("{}")
    static.chmod(0o555)


def test_static_files_collected_into_the_image_are_not_changed(static: Path) -> None:
    collect(static)
    assert seen_by_somebody(static)


def test_static_files_in_a_writable_folder_are_collected_again(static: Path) -> None:
    collect(static)
    static.chmod(0o777)
    assert not seen_by_somebody(static)


def test_missing_static_files_are_collected_and_reported(static: Path) -> None:
    assert not seen_by_somebody(static)


def test_current_static_files_are_not_collected_again(tmp_path: Path) -> None:
    """Compressing all files would take seconds every time `make run` is used."""
    assert not is_collected(tmp_path)
    store_source_hash(tmp_path)
    assert is_collected(tmp_path)
    (tmp_path / "collected").write_text("of other files")
    assert not is_collected(tmp_path)


@pytest.mark.parametrize("script", sorted(SCRIPTS.rglob("*.js")), ids=lambda path: path.name)
def test_script_nests_no_template_literals(script: Path) -> None:
    """rjsmin removes the spaces of a nested one: a level "25/50 ante 5" became "25/50ante 5"."""
    assert re.findall(r"\$\{[^{}`]*`.*", script.read_text()) == []
