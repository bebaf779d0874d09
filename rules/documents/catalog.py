"""The games that come with the engine: one TOML document a file, a folder a family."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from rules.game.nearest import nearest

FOLDER = Path(__file__).parents[1] / "catalog"
MOST_LETTERS = 64
MOST_NEAR = 3  # games that are named to somebody who asked for none of them


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    """Each game's file by its slug, in the order of the folders and then of the names."""
    return {path.stem: path for path in sorted(FOLDER.glob("*/*.toml"))}


def slugs() -> tuple[str, ...]:
    return tuple(_files())


@lru_cache(maxsize=1)
def well_known() -> tuple[str, ...]:
    """The games to show first to a table that has dealt none: one slug a line of a file."""
    return tuple((FOLDER / "well-known.txt").read_text(encoding="utf-8").split())


def source_text(slug: str) -> str:
    """The document as it is written. Raises KeyError for a game that is not there."""
    return _files()[slug].read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _loaded(slug: str) -> dict[str, Any]:
    return tomllib.loads(source_text(slug))


def document(slug: str) -> dict[str, Any]:
    """The JSON form of a game's document. Raises KeyError for a game that is not there."""
    return dict(_loaded(slug))


def near(said: str) -> tuple[str, ...]:
    """The games that somebody may mean: those that are called so, those that it is a word of, the
    shortest first, and those that are spelled alike."""
    return _near(said[:MOST_LETTERS])  # so much is remembered of what a stranger got wrong


def called(said: str) -> tuple[str, ...]:
    """The games that are called so: by the slug, by the name or by another name that it has."""
    plain = _plain(said[:MOST_LETTERS])
    return tuple(slug for slug in slugs() if plain in _names()[slug])


@lru_cache(maxsize=256)
def _near(said: str) -> tuple[str, ...]:
    plain = _plain(said)
    words = sorted((slug for slug in slugs() if plain in slug.split("-")), key=len)
    alike = nearest(said.lower(), slugs(), among=len(slugs()))
    return tuple(dict.fromkeys([*called(said), *words, *alike]))[:MOST_NEAR]


@lru_cache(maxsize=1)
def _names() -> dict[str, set[str]]:
    """What each game is called, all documents read: for somebody who asked for none of them."""
    documents = {slug: _loaded(slug) for slug in slugs()}
    return {
        slug: {_plain(name) for name in (slug, found["name"], *found.get("aliases", ()))}
        for slug, found in documents.items()
    }


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def family(slug: str) -> str:
    """The folder that a game stands in, which is its family."""
    return _files()[slug].parent.name
