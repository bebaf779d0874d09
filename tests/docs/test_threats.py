"""docs/threats.md and its appendix: every threat has tests, and all listed tests exist."""

import ast
import re

import pytest

from tests.helpers.config.commands import ROOT

PAGE = (ROOT / "docs/threats.md").read_text(encoding="utf-8")
APPENDIX = (ROOT / "docs/threats-tests.md").read_text(encoding="utf-8")
THREATS = re.findall(r"^\| (\d+) \| (.+?) \|", PAGE, re.MULTILINE)
SECTIONS = re.findall(r"^## (\d+)\. (.+)\n\n((?:.+\n)+)", APPENDIX, re.MULTILINE)
TEST = re.compile(r"\* `(tests/[\w/]+\.py)::(test_\w+)`")
TESTS = sorted(set(TEST.findall(APPENDIX)))


def test_appendix_lists_the_same_threats_as_the_page() -> None:
    assert [(number, title) for number, title, _ in SECTIONS] == THREATS
    assert [int(number) for number, _ in THREATS] == list(range(1, len(THREATS) + 1))
    assert len(THREATS) > 15


@pytest.mark.parametrize(("number", "tests"), [(number, tests) for number, _, tests in SECTIONS])
def test_every_threat_is_tested(number: str, tests: str) -> None:
    assert all(TEST.fullmatch(line) for line in tests.splitlines()), number


def test_every_listed_test_exists() -> None:
    missing = []
    for file in sorted({file for file, _ in TESTS}):
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        missing += [(file, name) for at, name in TESTS if at == file and name not in functions]
    assert missing == []
