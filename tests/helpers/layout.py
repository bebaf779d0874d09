"""Limits on the code layout.

`python -m tests.helpers.layout` prints the figures, and a test checks them.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "config", "league", "ledger", "rules")
MOST_MODULES = 16  # maximum number of modules per folder
MOST_SAME_NAMES = 2  # maximum number of files with the same name per package
MOST_LINES = 500
MOST_FUNCTION_LINES = 50
# Names required by Django, which may occur once per folder.
SHARED_NAMES = {"__init__", "apps", "forms", "models", "serializers", "tasks", "urls", "views"}
LONG_BY_NATURE = {Path("config/settings.py")}


@dataclass(frozen=True, slots=True)
class Function:
    """A function with its line count, including the signature and the docstring."""

    path: Path
    name: str
    lines: int


def modules(package: str) -> list[Path]:
    """Return the modules of a package, except migrations, which Django generates."""
    paths = (path.relative_to(ROOT) for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in paths if "migrations" not in path.parts]


def crowded() -> Iterator[tuple[Path, int]]:
    """Yield every folder with its number of modules."""
    for package in PACKAGES:
        count = Counter(path.parent for path in modules(package) if path.name != "__init__.py")
        yield from sorted(count.items())


def repeated_names() -> Iterator[tuple[str, str, list[Path]]]:
    """Yield each name that is shared by several modules in a package."""
    for package in PACKAGES:
        by_name = defaultdict(list)
        for path in modules(package):
            if path.stem not in SHARED_NAMES:
                by_name[path.stem].append(path)
        yield from ((package, name, paths) for name, paths in by_name.items() if len(paths) > 1)


def functions() -> Iterator[Function]:
    """Yield every function and method."""
    for package in PACKAGES:
        for path in modules(package):
            for node in ast.walk(_parsed(path)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines = (node.end_lineno or node.lineno) - node.lineno + 1
                    yield Function(path, node.name, lines)


def long_modules() -> Iterator[tuple[Path, int]]:
    """Yield modules that are too long."""
    for package in PACKAGES:
        for path in modules(package):
            lines = len((ROOT / path).read_text("utf-8").splitlines())
            if lines > MOST_LINES and path not in LONG_BY_NATURE:
                yield path, lines


def circles() -> list[list[str]]:
    """Return the import cycles among our modules. Imports inside functions count."""
    arrows = {_dotted(path): set(_imports(path)) for name in PACKAGES for path in modules(name)}
    return _strongly_connected({name: found & arrows.keys() for name, found in arrows.items()})


def _parsed(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"))


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path) -> Iterator[str]:
    """Yield what a module imports: modules, or names in modules."""
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                within = f"{node.module}.{alias.name}"
                yield within if _is_module(within) else node.module


def _is_module(dotted: str) -> bool:
    path = ROOT / dotted.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def _strongly_connected(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups in which every module reaches every other one (iterative Tarjan)."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups = []
    for start, first in arrows.items():
        todo = [(start, iter(sorted(first)))] if start not in index else []
        while todo:
            name, rest = todo[-1]
            if name not in index:
                index[name] = lowest[name] = len(index)
                stack.append(name)
            for other in rest:
                if other not in index:
                    todo.append((other, iter(sorted(arrows[other]))))
                    break
                if other in stack:
                    lowest[name] = min(lowest[name], lowest[other])
            else:
                todo.pop()
                if todo:
                    lowest[todo[-1][0]] = min(lowest[todo[-1][0]], lowest[name])
                if lowest[name] == index[name]:
                    group = stack[stack.index(name) :]
                    del stack[stack.index(name) :]
                    if len(group) > 1:
                        groups.append(sorted(group))
    return groups


def report() -> Iterator[str]:
    """Yield every checked figure, largest first."""
    longest = sorted(functions(), key=lambda item: -item.lines)
    yield f"{len(longest)} functions, {median(item.lines for item in longest)} lines in the median"
    yield from (f"  {item.lines:3} {item.path} {item.name}" for item in longest[:5])
    yield f"folders with the most modules (at most {MOST_MODULES})"
    folders = sorted(crowded(), key=lambda item: -item[1])
    yield from (f"  {count:3} {folder}" for folder, count in folders[:12])
    yield f"names of several modules of a package (at most {MOST_SAME_NAMES})"
    for package, name, paths in repeated_names():
        if len(paths) > MOST_SAME_NAMES:
            yield f"  {package}: {name}: {', '.join(map(str, paths))}"
    yield f"modules of more than {MOST_LINES} lines"
    yield from (f"  {lines:3} {path}" for path, lines in long_modules())
    yield "circles"
    yield from (f"  {' '.join(group)}" for group in circles())


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())
