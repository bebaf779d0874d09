"""Searches for the most expensive 2 kB document. None takes long or uses much memory.

`WORST_SECONDS=600 python -m pytest -s tests/security/work/test_worst_document.py` searches longer
and prints the result.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings, target
from hypothesis import strategies as st

from rules.documents.modifiers import NAMES
from tests.helpers.laws.examples import examples
from tests.helpers.security.bombs import TOO_MUCH, WRONG
from tests.helpers.security.documents import Document, documents
from tests.helpers.security.measured import ROOT, Cost, Measured

SECONDS = float(os.environ.get("WORST_SECONDS", "0"))
RULES = Path(os.environ.get("WORST_ROOT", ROOT))  # measures the rules in this folder
MOST_ROUNDS = 6
MOST_SECONDS = 0.5  # seconds of processor time
MOST_GROWTH = 50 << 20
EXAMPLES = examples(200)
SEED = int(os.environ.get("WORST_SEED", "1"))


class _Worst:
    """The most expensive document found so far."""

    def __init__(self) -> None:
        self.seconds: tuple[float, Any] = (0.0, None)
        self.growth: tuple[int, Any] = (0, None)
        self.broke: list[Any] = []
        self.tried = self.good = 0

    def see(self, cost: Cost, asked: Any) -> None:
        self.tried += 1
        self.good += cost.good
        self.broke += [(cost.broke, asked)] if cost.broke else []
        self.seconds = max(self.seconds, (cost.seconds, asked), key=lambda each: each[0])
        self.growth = max(self.growth, (cost.growth, asked), key=lambda each: each[0])

    def __str__(self) -> str:
        return (
            f"{self.tried} documents, {self.good} good\n{self.seconds[0]:.3f} s: "
            f"{json.dumps(self.seconds[1])}\n"
            f"{self.growth[0] / 2**20:.1f} MB: {json.dumps(self.growth[1])}\n"
            f"{len(self.broke)} broke: {self.broke[-1:]}"
        )


@pytest.mark.slow
def test_two_kilobyte_documents_never_take_long_or_much_memory() -> None:
    worst, ends = _Worst(), time.monotonic() + SECONDS
    rounds = 0
    with Measured(RULES) as measured:
        # The search is guided by measured times, so on a busy machine a round may find no valid
        # document.
        while not rounds or time.monotonic() < ends or (not worst.good and rounds < MOST_ROUNDS):
            _look(measured, worst, seed=SEED + rounds)
            rounds += 1
            if SECONDS:
                print(worst, flush=True)  # noqa: T201
    assert worst.seconds[0] <= MOST_SECONDS, worst
    assert worst.growth[0] <= MOST_GROWTH, worst
    assert not worst.broke, worst.broke[0]
    assert worst.good


@pytest.fixture(scope="module")
def measured() -> Iterator[Measured]:
    with Measured(RULES) as measured:
        yield measured


@pytest.mark.parametrize("name", [*TOO_MUCH, *WRONG])
def test_known_expensive_documents_never_take_long_or_much_memory(
    name: str, measured: Measured
) -> None:
    document = (TOO_MUCH | WRONG)[name]
    measured.cost({"document": {"name": "x"}, "modifiers": [], "seed": 0})
    cost = measured.cost({"document": document, "modifiers": [], "seed": 0})
    assert not cost.good
    assert not cost.broke
    assert cost.seconds <= MOST_SECONDS
    assert cost.growth <= MOST_GROWTH


def _look(measured: Measured, worst: _Worst, *, seed: int) -> None:
    modifiers = st.lists(st.sampled_from(NAMES), max_size=4, unique=True)

    @settings(
        max_examples=1_000 if SECONDS else EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(documents(), modifiers, st.integers(0, 3))
    def look(document: Document, chain: list[str], number: int) -> None:
        arguments = {"document": document, "modifiers": chain, "seed": number}
        cost = measured.cost(arguments)
        worst.see(cost, arguments)
        target(cost.seconds, label="seconds")
        target(cost.growth / 2**20, label="MB")

    hypothesis.seed(seed)(look)()
