"""JSON lines with hands from all games, and the command line that settles them."""

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from rules import settle
from rules.__main__ import main as command
from rules.documents import catalog
from tests.helpers.laws.records import combinations
from tests.helpers.laws.records import record as random_record

VECTORS = Path(__file__).resolve().parents[1] / "tests" / "vectors"
MODIFIED = 0.1  # the share of random hands with modifiers, which most tables do not use


def mixed_lines(count: int, chance: Random) -> list[bytes]:
    """Return the hands from the test vectors, and random hands from all games."""
    lines = [line for line in _vectors() if '"errors"' not in line]
    slugs = catalog.slugs()
    while len(lines) < count:
        slug = chance.choice(slugs)
        modifiers = chance.choice(combinations(slug)) if chance.random() < MODIFIED else ()
        lines.append(json.dumps(random_record(chance, slug, modifiers)))
    lines = lines[:count]
    chance.shuffle(lines)
    return [line.encode() for line in lines]


def _vectors() -> list[str]:
    report = [
        json.loads(line)
        for path in sorted(VECTORS.rglob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return [
        json.dumps(each["record"]) for each in report if "record" in each and "code" not in each
    ]


def settled_lines(sent: bytes) -> bytes:
    """Return the output of `python -m rules settle --brief`, run in this process."""
    stdin, stdout = sys.stdin, sys.stdout
    printed = io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(sent))
    sys.stdout = io.TextIOWrapper(printed, "utf-8")
    try:
        command(["settle", "--brief"])
        sys.stdout.flush()
        return printed.getvalue()
    finally:
        sys.stdin, sys.stdout = stdin, stdout


def differing(lines: Sequence[bytes], printed: bytes) -> int:
    """Return the number of lines whose answers differ from `settle`."""
    answers = printed.splitlines()
    if len(answers) != len(lines):
        return len(lines)
    alone = [json.dumps(settle(json.loads(line), brief=True)).encode() for line in lines]
    return sum(one != other for one, other in zip(alone, answers, strict=True))
