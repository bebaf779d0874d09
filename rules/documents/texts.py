"""The texts of a document that no rule reads: what it is called, who invented it, its sources."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.documents.toml_text import as_toml, parse
from rules.errors import GameError
from rules.game.grammar import PLACEHOLDER
from rules.game.shape import MOST_TEXT

# Keys of a document that no rule reads.
NEUTRAL = ("name", "by", "source", "aliases")


def with_texts(document: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """Return the document with changed texts where no rule reads them."""

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(item) for item in value]
        parts = PLACEHOLDER.split(value)  # texts, with the names of options between them
        joined = (f"{{{part}}}" if at % 2 else change(part) for at, part in enumerate(parts))
        return "".join(joined)[:MOST_TEXT]

    return {key: changed(value) if key in NEUTRAL else value for key, value in document.items()}


def toml_with_texts(text: str, document: dict[str, Any], change: Callable[[str], str]) -> str:
    """Return the TOML of a document that `with_texts` returned, from the TOML that it had before.

    It keeps comments and layout, unless `change` would change a rule.
    """
    written = change(text)
    try:
        same = parse(written) == document
    except GameError:
        same = False
    return written if same else as_toml(document)
