"""Keep the rules that a hand was dealt under, so that it replays when the game has changed."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from league.models import LONGEST_GAME_NAME, GameDocument
from ledger.rows import select
from rules import catalog, documents


def keep_document(variant: str | dict[str, Any]) -> GameDocument:
    """Return the stored document of a record's variant, stored first if it is new."""
    slug, document = (variant, _listed(variant)) if isinstance(variant, str) else ("", variant)
    row = GameDocument(
        hash=hash_of(variant),
        slug=slug[:LONGEST_GAME_NAME],
        name=str(document.get("name", slug))[:LONGEST_GAME_NAME],
        document=document,
    )
    if not select("SELECT hash FROM league_gamedocument WHERE hash = %s", row.hash):
        # Another hand may keep it at this very moment.
        GameDocument.objects.bulk_create([row], ignore_conflicts=True)
    return row


def hash_of(variant: str | dict[str, Any]) -> str:
    """Return the content hash of a record's variant, a slug of the catalog or a document."""
    return listed_hash(variant) if isinstance(variant, str) else documents.content_hash(variant)


@cache
def listed_hash(slug: str) -> str:
    """Return the content hash of a game of the catalog."""
    return documents.content_hash(_listed(slug))


@cache
def _listed(slug: str) -> dict[str, Any]:
    return dict(catalog.document(slug))


# What a hash stands for never changes.
MOST_KNOWN = 512
_KNOWN: dict[str, dict[str, Any]] = {}


def documents_of(hashes: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the documents with these hashes, by hash; one query reads those not known yet."""
    wanted = set(hashes)
    found = {key: _KNOWN[key] for key in wanted & _KNOWN.keys()}
    if missing := wanted - found.keys():
        rows = GameDocument.objects.filter(pk__in=missing)
        found |= dict(rows.values_list("pk", "document"))
        if len(_KNOWN) > MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.update(found)
    return found


def document_of(key: str) -> dict[str, Any]:
    """Return the document with this hash."""
    return documents_of([key])[key]
