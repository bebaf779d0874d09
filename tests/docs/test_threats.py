"""The page about threats: each row is held by tests that are there."""

import ast
import re

import pytest

from tests.helpers.config.commands import ROOT

PAGE = (ROOT / "docs/threats.md").read_text(encoding="utf-8")
ROWS = [row for row in re.findall(r"^\| (?!Who,|-).*\|$", PAGE, re.MULTILINE) if "---" not in row]
HELD = re.compile(r"`tests/[\w/]+\.py::test_\w+`")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2:40])
def test_every_row_names_a_test(row: str) -> None:
    held = row.rsplit(" | ", 1)[1].removesuffix(" |")
    assert all(HELD.fullmatch(each) for each in held.split(", ")), held


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_test_that_is_named_is_there(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_no_row_is_overlooked() -> None:
    """Whatever stands in a table is a row, a head or the line below one."""
    heads = [row for row in PAGE.splitlines() if row.startswith("| Who, and how |")]
    lines = [row for row in PAGE.splitlines() if row.startswith("|")]
    assert len(lines) == len(ROWS) + 2 * len(heads)


def test_the_page_has_rows() -> None:
    assert len(ROWS) > 15
    assert len(NAMED) > 25
