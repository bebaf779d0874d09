"""The commands in the documentation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (?P<command>\S.*)$", re.MULTILINE)
# The command line for each management command that needs a database.
NOBODY = "00000000-0000-0000-0000-000000000000"
TYPED = {
    "audit": ["audit"],
    "stats": ["stats", "rebuild"],
    "backup": ["backup", "league.backup"],
    "restore": ["restore", "league.backup"],
    "export_person": ["export_person", "ann"],
    "erase": ["erase", "ann", "--yes"],
    "password_link": ["password_link", "ann"],
    "demo": ["demo"],
    "import": ["import", "--league", NOBODY, "hands.jsonl"],
    "season": ["season", "export", NOBODY, "season.jsonl"],
    "mcp": ["mcp", "--league", NOBODY],
    "export": ["export", "--league", NOBODY, "--duckdb", "league.duckdb"],
}


@dataclass(frozen=True)
class Example:
    """A command in a console block and its output."""

    page: str
    command: str
    output: str


def examples() -> Iterator[Example]:
    """Return every command in the console blocks with its output."""
    for page in PAGES:
        for block in FENCE.finditer(page.read_text(encoding="utf-8")):
            if block["kind"] == "console":
                for example in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
                    command, _, output = example.partition("\n")
                    yield Example(page.name, command, output)


def plain_commands() -> Iterator[tuple[str, str]]:
    """Return every indented command and every line of an sh block, with its page."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            if block["kind"] in {"sh", "shell", "bash"}:
                yield page.name, block["text"].strip()
        for line in INDENTED.finditer(FENCE.sub("", text)):
            yield page.name, line["command"].split("  #")[0].strip()
