"""Store the rules that a hand was dealt under, so that it can be replayed after a game changes."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from league.models import LONGEST_GAME_NAME, GameDocument
from ledger.sql import query_by_keys
from rules.documents import catalog, documents

_STORED = "SELECT hash FROM league_gamedocument WHERE hash IN %s"


def store_document(variant: str | dict[str, Any]) -> GameDocument:
    """Return the document of a record's variant. A new document is stored first."""
    [document] = store_documents([variant])
    return document


def store_documents(variants: Iterable[str | dict[str, Any]]) -> list[GameDocument]:
    """Return the documents of the variants. New documents are stored first."""
    of_slugs: dict[str, GameDocument] = {}  # one row for each slug
    rows = [
        (of_slugs.get(variant) or of_slugs.setdefault(variant, _unsaved(variant)))
        if isinstance(variant, str)
        else _unsaved(variant)
        for variant in variants
    ]
    by_hash = {row.hash: row for row in reversed(rows)}  # identical rows are stored once
    stored = {key for (key,) in query_by_keys(_STORED, list(by_hash))}
    if new := [row for key, row in by_hash.items() if key not in stored]:
        # A concurrent request may be storing the same document.
        GameDocument.objects.bulk_create(new, ignore_conflicts=True)
    return rows


def _unsaved(variant: str | dict[str, Any]) -> GameDocument:
    slug, document = (variant, _listed(variant)) if isinstance(variant, str) else ("", variant)
    name = _name(slug, document)
    slug = slug[:LONGEST_GAME_NAME]
    return GameDocument(hash=hash_of(variant), slug=slug, name=name, document=document)


def wrong_document(row: GameDocument) -> str:
    """Return the reason why a document's columns don't match its content, or "" if they match."""
    if documents.content_hash(row.document) != (row.rewritten or row.hash):
        return "its content does not match its hash"
    if row.name != _name(row.slug, row.document):
        return "its name differs from the name in its content"
    if row.slug in catalog.slugs() and row.name != _name(row.slug, _listed(row.slug)):
        return "its slug belongs to another game"
    return ""


def _name(slug: str, document: dict[str, Any]) -> str:
    return str(document.get("name", slug))[:LONGEST_GAME_NAME]


def hash_of(variant: str | dict[str, Any]) -> str:
    """Return the content hash of a record's variant, which is a catalog slug or a document."""
    return listed_hash(variant) if isinstance(variant, str) else documents.content_hash(variant)


@cache
def listed_hash(slug: str) -> str:
    """Return the content hash of a catalog game."""
    return documents.content_hash(_listed(slug))


@cache
def _listed(slug: str) -> dict[str, Any]:
    return dict(catalog.document(slug))


# Documents by hash. The document for a given hash never changes, so the cache needs no
# invalidation.
MOST_KNOWN = 512
_KNOWN: dict[str, dict[str, Any]] = {}


def documents_of(hashes: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the documents with these hashes, keyed by hash.

    One query loads all uncached documents.
    """
    wanted = set(hashes)
    by_hash = {key: _KNOWN[key] for key in wanted & _KNOWN.keys()}
    if missing := wanted - by_hash.keys():
        rows = GameDocument.objects.filter(pk__in=missing)
        by_hash |= dict(rows.values_list("pk", "document"))
        if len(_KNOWN) > MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.update(by_hash)
    return by_hash


def document_of(key: str) -> dict[str, Any]:
    return documents_of([key])[key]
