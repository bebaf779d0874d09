"""Keep the rules that a hand was dealt under, so that it replays when the game has changed."""

from functools import cache
from typing import Any

from league.models import LONGEST_GAME_NAME, GameDocument
from rules import catalog, documents


def keep_document(variant: str | dict[str, Any]) -> GameDocument:
    """Return the stored document of a record's variant, stored first if it is new."""
    slug, document = (variant, _listed(variant)) if isinstance(variant, str) else ("", variant)
    row, _ = GameDocument.objects.get_or_create(
        hash=listed_hash(slug) if slug else documents.content_hash(document),
        defaults={
            "slug": slug[:LONGEST_GAME_NAME],
            "name": str(document.get("name", slug))[:LONGEST_GAME_NAME],
            "document": document,
        },
    )
    return row


@cache
def listed_hash(slug: str) -> str:
    """Return the content hash of a game of the catalog."""
    return documents.content_hash(_listed(slug))


@cache
def _listed(slug: str) -> dict[str, Any]:
    return dict(catalog.document(slug))
