"""Every regular expression in the code takes linear time.

Python's regular expressions backtrack: if two parts can match the same text in many ways, all of
them are tried, and a line of 60 kB can block the process for minutes. Each expression is checked
statically (no unbounded part inside another, or next to one that matches the same text) and is run
on strings that are chosen to be hard for it.
"""

import re

import pytest

from tests.helpers.security.patterns import ambiguous, loose, patterns, pumps, searched
from tests.helpers.stages import sample
from tests.readers.growth import GROWS, growth, pumped

FOUND = patterns()
LONG = 32_000
# Modules that build expressions from known names, without using repetitions.
BUILT = {"league.common.text", "league.imports.names"}


def _searching(where: str) -> bool:
    return where.rpartition(".")[2].partition("/")[0] in searched()


def test_every_regular_expression_built_at_run_time_is_listed() -> None:
    assert {each.partition(":")[0] for each in loose()} == BUILT
    assert len(FOUND) > 30


@pytest.mark.parametrize("where", FOUND)
def test_no_regular_expression_is_ambiguous(where: str) -> None:
    assert ambiguous(FOUND[where], searching=_searching(where)) == []


@pytest.mark.parametrize("where", sample(FOUND, 25))
def test_regular_expression_takes_linear_time(where: str) -> None:
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
def test_both_checks_find_bad_regular_expressions(bad: str, searching: bool) -> None:
    """The expressions come from earlier versions and from textbooks."""
    assert ambiguous(re.compile(bad), searching=searching)
