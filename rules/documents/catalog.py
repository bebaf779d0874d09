"""The games that come with the engine: one TOML document a file, a folder a source."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "catalog"


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    """Each game's file by its slug, in the order of the folders and then of the names."""
    return {path.stem: path for path in sorted(FOLDER.glob("*/*.toml"))}


def slugs() -> tuple[str, ...]:
    return tuple(_files())


def source_text(slug: str) -> str:
    """The document as it is written. Raises KeyError for a game that is not there."""
    return _files()[slug].read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _loaded(slug: str) -> dict[str, Any]:
    return tomllib.loads(source_text(slug))


def document(slug: str) -> dict[str, Any]:
    """The JSON form of a game's document. Raises KeyError for a game that is not there."""
    return dict(_loaded(slug))


def group(slug: str) -> str:
    """The folder that a game stands in, which is its source."""
    return _files()[slug].parent.name
