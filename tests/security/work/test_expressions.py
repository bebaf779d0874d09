"""Every regular expression of the house is done with a text after one look at each character.

Python's expressions go back and try again: two parts that may share a text in many ways try them
all, and a line of 60 kB stops the process for minutes. Each expression is looked at as it stands
(no endless part in another, none beside another that eats the same) and tried on texts made to be
hard on it.
"""

import re

import pytest

from tests.helpers.security.patterns import ambiguous, loose, patterns, pumps, searched
from tests.readers.growth import GROWS, growth, pumped

FOUND = patterns()
SEARCHED = searched()
LONG = 32_000
# Made of names that were looked up, letter for letter: nothing in it is repeated.
BUILT = {"league.common.replace_names"}


def _searching(where: str) -> bool:
    return where.rpartition(".")[2].partition("/")[0] in SEARCHED


def test_every_expression_stands_in_a_table_where_it_is_found() -> None:
    assert {each.partition(":")[0] for each in loose()} == BUILT
    assert len(FOUND) > 30


@pytest.mark.parametrize("where", FOUND)
def test_no_text_can_be_shared_among_the_parts_of_an_expression_in_many_ways(where: str) -> None:
    assert ambiguous(FOUND[where], searching=_searching(where)) == []


@pytest.mark.parametrize("where", FOUND)
def test_an_expression_takes_as_long_as_its_text(where: str) -> None:
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
def test_a_bad_expression_is_found_both_ways(bad: str, searching: bool) -> None:
    """Those that this house once had, and the ones of the textbooks."""
    assert ambiguous(re.compile(bad), searching=searching)
