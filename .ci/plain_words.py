"""Count words and names that make the text harder to read; fail above the budget.

    python .ci/plain_words.py [PATH ...]

Reads names, docstrings and comments of Python, comments of JavaScript, and Markdown. Some uses are
correct ("nobody wins" in poker, "who owes whom" for payments), hence the budget. If the number of
hits is above it, prints every hit as `file:line: text` and exits with 1. Messages for users
(templates and gettext), released changes, migrations and the catalog's documents are excluded.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

BUDGET = 40
LEFT_OUT = {".ci/plain_words.py", "CHANGELOG.md"}
FOLDERS_LEFT_OUT = {"catalog", "migrations", "node_modules"}
WORDS = re.compile(
    r"""\b(
    told | tells?\ (?:whether|how|who|which|what) | believed | meanwhile | straight\ away
    | whoever | whomever | whom | nobody | anybody | everybody | whose\ turn
    | anew | beside | once\ more | as\ ever | even\ so | so\ many | as\ it\ stands | the\ like
    | to\ be\ had | (?:is|are|that\ is)\ (?-i:none) | where\ there\ is\ none
    | (?:is|are)\ to\ be | of\ (?:which\ the | that\ kind | one's\ own)
    | mend(?:s|ed|ing)? | puts?\ right | sees?\ to | makes?\ sure\ of | go(?:es)?\ on | comes\ in
    | lets?\ in | taken?\ (?:away | back | along)
    | wants?\ (?:a|an|the|no|it|node|chromium|root)\b
    | stands?\ (?:in|for|there|here|still|under) | lies?\ (?:in|there|here|beside)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
NAMES = re.compile(
    r"""\b(?:def|class)\ _?(
    told | said | asked | found | kept | whole | wrong | standing | some | each | known | spoilt
    | astray | unfit | stuck | looks | moment | telling
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
TESTS = re.compile(r"def test_(?:what|who|whoever|nobody|of|everybody|whose|where|all_of|none)_")
SCRIPT_COMMENTS = re.compile(r"//.*|/\*.*")
CODE = re.compile(r"`[^`]*`")


def in_python(text: str) -> Iterator[int]:
    """Yield the numbers of lines with a hit: names, docstrings and comments."""
    lines = text.splitlines()
    yield from (at for at, line in enumerate(lines, 1) if NAMES.search(line) or TESTS.search(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and WORDS.search(token.string):
            yield token.start[0]
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if docstring := ast.get_docstring(node, clean=False):
            first = node.body[0].lineno
            yield from (
                at for at, line in enumerate(docstring.splitlines(), first) if WORDS.search(line)
            )


def in_script(text: str) -> Iterator[int]:
    """Yield the numbers of lines whose comment has a hit."""
    for at, line in enumerate(text.splitlines(), 1):
        if WORDS.search(" ".join(SCRIPT_COMMENTS.findall(line))):
            yield at


def in_page(text: str) -> Iterator[int]:
    """Yield the numbers of lines of Markdown with a hit outside of code."""
    for at, line in enumerate(text.splitlines(), 1):
        if WORDS.search(CODE.sub(" ", line)):
            yield at


READERS = {".py": in_python, ".js": in_script, ".md": in_page}


def files(paths: list[str]) -> Iterator[Path]:
    """Yield the tracked files below the paths, or all of them."""
    listed = subprocess.run(  # noqa: S603 (our own)
        ["git", "ls-files", "--", *paths],  # noqa: S607 (found in PATH)
        capture_output=True,
        text=True,
        check=True,
    )
    for path in map(Path, listed.stdout.splitlines()):
        is_left_out = str(path) in LEFT_OUT or FOLDERS_LEFT_OUT & set(path.parts)
        if path.suffix in READERS and not is_left_out and path.is_file():
            yield path


def main() -> int:
    """Print the number of hits, and all hits if they exceed the budget. Return the exit status."""
    hits = []
    for path in files(sys.argv[1:]):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        found_at = sorted(set(READERS[path.suffix](text)))
        hits += [f"{path}:{at}: {lines[at - 1].strip()}" for at in found_at]
    if len(hits) > BUDGET:
        sys.stdout.writelines(f"{hit}\n" for hit in hits)
    sys.stdout.write(f"{len(hits)} lines, at most {BUDGET} are allowed\n")
    return int(len(hits) > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
