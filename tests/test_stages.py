"""What the stages of the tests leave out, they may leave out (Makefile)."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
ASKS_A_SERVER = re.compile(
    r"django_db|transactional_db|running_worker|an_installation|tests\.postgres"
)


def test_what_is_run_without_servers_alone_asks_none() -> None:
    """Such a test says nothing on PostgreSQL and Redis that it has not said on SQLite."""
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    named = re.search(r"^SERVERLESS := (.*)$", makefile, re.MULTILINE)
    assert named
    for place in (ROOT / each for each in named[1].split()):
        assert place.exists()
        files = place.rglob("*.py") if place.is_dir() else [place]
        for file in files:
            if file != Path(__file__):
                assert not ASKS_A_SERVER.search(file.read_text()), file


def test_what_is_the_same_on_both_is_there() -> None:
    """A file that was renamed would be run on both again, and nobody would hear of it."""
    makefile = (ROOT / "Makefile").read_text()
    named = re.search(r"^SAME_ON_BOTH := (.*)$", makefile, re.MULTILINE)
    assert named
    assert all((ROOT / each).is_file() for each in named[1].split())
