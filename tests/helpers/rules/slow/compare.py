"""Compares the engine with the slow implementation.

python -m tests.helpers.rules.slow.compare [--documents 20000] [--hands 100000] [--seed 1]
    [--declares] [--each 3]
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from random import Random
from typing import Any

from rules.api import settle
from rules.documents import catalog, documents
from tests.helpers.laws.records import Record, document_of, record
from tests.helpers.rules.slow.documents import random_document
from tests.helpers.rules.slow.reading import UnsupportedWordError
from tests.helpers.rules.slow.settling import settled


def hands_of(games: Iterable[str], chance: Random) -> Iterator[Record]:
    """Yield random hands, taking the games in turn."""
    for slug in games:
        yield record(chance, slug)


def difference(record: Record) -> str | None:
    """Return both results of a hand if they differ. Raises UnsupportedWordError."""
    expected = settled(document_of(record), record)
    moved = {key: expected.pop(key) for key in ("legs", "lives") if key in expected}
    answer = settle(record)
    if expected.pop("again", False) != any("dealer" in one for one in answer.get("reasons", ())):
        expected["again"] = "differs"
    if all(answer.get(key) == value for key, value in expected.items()):
        response = answer.get("match", {})
        if all(response.get(key, value) == value for key, value in moved.items()):
            return None
    return json.dumps({"record": record, "slow": expected, "answer": answer}, ensure_ascii=False)


def random_games(chance: Random, *, declares: bool = False) -> Iterator[str | None]:
    """Return random documents as text, with None for each one that is refused."""
    while True:
        document = random_document(chance, declares=declares)
        yield None if documents.check(document) else json.dumps(document)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.helpers.rules.slow.compare")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--declares", action="store_true", help="only games with declarations")
    parser.add_argument("--each", type=int, default=3, help="hands of one document")
    options = parser.parse_args()
    chance = Random(options.seed)
    counts: Counter[str] = Counter()
    games = random_games(chance, declares=options.declares)
    for text, _ in zip(games, range(options.documents), strict=False):
        counts["documents"] += 1
        counts["refused"] += text is None
        _tell(counts, hands_of([text] * options.each if text else [], chance))
    slugs = catalog.slugs()
    for turn in count():
        if counts["of the catalog"] >= options.hands or turn > options.hands:
            break
        _tell(counts, hands_of(slugs, chance), "of the catalog")
    sys.stdout.write(f"{dict(counts)}\n")
    sys.exit(1 if counts["differ"] else 0)


def _tell(counts: Counter[str], hands: Iterable[Any], where: str = "of documents") -> None:
    for hand in hands:
        try:
            wrong = difference(hand)
        except UnsupportedWordError:
            counts["not read"] += 1
            continue
        counts[where] += 1
        if wrong:
            counts["differ"] += 1
            sys.stdout.write(wrong[:2000] + "\n")


if __name__ == "__main__":
    main()
