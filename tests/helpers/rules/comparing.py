"""Compares answers with expected ones, using the rules in docs/record.md.

In objects, only the expected keys are compared. Errors and findings must have exactly the expected
codes and places.
"""

from collections.abc import Iterator
from typing import Any

Json = Any


def differences(expect: Json, answer: Json, where: str = "") -> list[str]:
    """Return where an answer differs from the expected one."""
    if where == "" and "errors" in answer and "errors" not in expect:
        return [f"not settled: {answer['errors']}"]
    return list(_differences(expect, answer, where))


def _differences(expect: Json, answer: Json, where: str) -> Iterator[str]:
    if where in {"/errors", "/findings"}:
        yield from _codes(expect, answer, where)
    elif isinstance(expect, dict) and isinstance(answer, dict):
        for key, value in expect.items():
            if key in answer:
                yield from _differences(value, answer[key], f"{where}/{key}")
            else:
                yield f"{where}/{key} is missing"
    elif isinstance(expect, list) and isinstance(answer, list) and len(expect) == len(answer):
        for index, (one, other) in enumerate(zip(expect, answer, strict=True)):
            yield from _differences(one, other, f"{where}/{index}")
    elif expect != answer or type(expect) is not type(answer):
        yield f"{where} is {answer!r}, not {expect!r}"


def _codes(expect: list[Json], answer: list[Json], where: str) -> Iterator[str]:
    """Yield missing or surplus errors and findings. Duplicates count."""
    left = list(answer)
    for problem in expect:
        match = next((each for each in left if problem.items() <= each.items()), None)
        if match is None:
            yield f"{where} lacks {problem}, has {answer}"
        else:
            left.remove(match)
    if left:
        yield f"{where} has {left} too many"


def check(expect: Json, answer: Json) -> None:
    """Fail with a list of all differences."""
    texts = differences(expect, answer)
    assert not texts, "\n".join(texts)
