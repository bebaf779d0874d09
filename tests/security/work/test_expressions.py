"""Every regular expression of the code takes linear time.

Python's expressions backtrack: two parts that may share a text in many ways try them all, and a
line of 60 kB stops the process for minutes. Each expression is checked statically (no endless part
in another, none next to another that matches the same) and run on texts made to be hard for it.
"""

import re

import pytest

from tests.helpers.security.patterns import ambiguous, loose, patterns, pumps, searched
from tests.helpers.stages import sample
from tests.readers.growth import GROWS, growth, pumped

FOUND = patterns()
LONG = 32_000
# Built from known names without repetitions.
BUILT = {"league.common.text"}


def _searching(where: str) -> bool:
    return where.rpartition(".")[2].partition("/")[0] in searched()


def test_every_expression_is_in_a_table() -> None:
    assert {each.partition(":")[0] for each in loose()} == BUILT
    assert len(FOUND) > 30


@pytest.mark.parametrize("where", FOUND)
def test_no_text_is_ambiguous_for_the_parts_of_an_expression(where: str) -> None:
    assert ambiguous(FOUND[where], searching=_searching(where)) == []


@pytest.mark.parametrize("where", sample(FOUND, 50))
def test_expression_takes_linear_time(where: str) -> None:
    pattern = FOUND[where]
    ways = [pattern.match, pattern.fullmatch]
    ways += [lambda text: pattern.sub("", text)] if _searching(where) else []
    for head, part, tail in sorted(pumps(pattern)):
        for way in ways:
            assert growth(way, pumped(head, part, tail), long=LONG) < GROWS, (head, part, tail)


@pytest.mark.parametrize(
    ("bad", "searching"),
    [
        (r'\s*\[?\s*\{\s*"ohh"\s*:', False),
        (r"(?P<game>[A-Z][^()]*?)\)? +\(", False),
        (r'[ \t]*(?:"[^"]*"[ \t]*(,?)[ \t]*)?\Z', False),
        (r"(\d+) down", True),
        (r'#\d+ "[^|]+? @', True),
        (r'"(?:\\.|[^"\\\n])*"', True),
        (r"(a+)+b", False),
        (r"(?:a|a)*\w+b", False),
    ],
)
def test_bad_expression_is_found_by_both_checks(bad: str, searching: bool) -> None:
    """Expressions of earlier versions, and those of textbooks."""
    assert ambiguous(re.compile(bad), searching=searching)
