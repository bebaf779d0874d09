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
from tests.helpers.laws.runs import with_runs
from tests.helpers.rules.slow.documents import random_document
from tests.helpers.rules.slow.reading import UnsupportedWordError
from tests.helpers.rules.slow.settling import settled


def hands_of(games: Iterable[str], chance: Random, runs: float = 0) -> Iterator[Record]:
    """Yield random hands, taking the games in turn. `runs` is the part run several times."""
    for slug in games:
        hand = record(chance, slug)
        yield with_runs(chance, hand) if chance.random() < runs else hand


def difference(record: Record) -> str | None:
    """Return both results of a hand if they differ. Raises UnsupportedWordError."""
    expected = settled(document_of(record), record)
    by_run = expected.pop("by run", None)
    moved = {key: expected.pop(key) for key in ("legs", "lives") if key in expected}
    answer = settle(record)
    if expected.pop("again", False) != any("dealer" in one for one in answer.get("reasons", ())):
        expected["again"] = "differs"
    runs = [(run["won"], run["carry"]) for run in answer.get("runs", ())] or None
    if runs == by_run and all(answer.get(key) == value for key, value in expected.items()):
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
    parser.add_argument("--runs", type=float, default=0.3, help="the part run several times")
    options = parser.parse_args()
    chance = Random(options.seed)
    counts: Counter[str] = Counter()
    games = random_games(chance, declares=options.declares)
    for text, _ in zip(games, range(options.documents), strict=False):
        counts["documents"] += 1
        counts["refused"] += text is None
        _tell(counts, hands_of([text] * options.each if text else [], chance, options.runs))
    slugs = catalog.slugs()
    for turn in count():
        if counts["of the catalog"] >= options.hands or turn > options.hands:
            break
        _tell(counts, hands_of(slugs, chance, options.runs), "of the catalog")
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
        counts["with runs"] += "runs" in hand
        if wrong:
            counts["differ"] += 1
            sys.stdout.write(wrong[:2000] + "\n")


if __name__ == "__main__":
    main()
