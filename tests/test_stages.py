"""What the stages of the tests leave out, they may leave out (Makefile)."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
ASKS_A_SERVER = re.compile(
    r"django_db|transactional_db|running_worker|an_installation|tests\.postgres"
)


def listed(name: str) -> list[Path]:
    """The places that a variable of the Makefile lists."""
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    found = re.search(rf"^{name} := (.*)$", makefile, re.MULTILINE)
    assert found
    return [ROOT / each for each in found[1].split()]


def test_what_is_run_without_servers_alone_asks_none() -> None:
    """Such a test says nothing on PostgreSQL and Redis that it has not said on SQLite."""
    for place in listed("SERVERLESS"):
        assert place.exists()
        files = place.rglob("*.py") if place.is_dir() else [place]
        for file in files:
            if file != Path(__file__):
                assert not ASKS_A_SERVER.search(file.read_text()), file


def test_what_is_the_same_on_both_is_there() -> None:
    """A file that was renamed would be run on both again, and nobody would hear of it."""
    assert all(each.exists() for each in listed("SAME_ON_BOTH"))
