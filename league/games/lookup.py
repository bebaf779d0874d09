"""Which version of a game a record means, so that old hands replay when the game has changed.

A record names its game. What the name means is looked up when the hand is recorded: a game of the
league's own, else one of the catalog. From then on the hand keeps that document, through every
correction that names the same game.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any
from uuid import UUID

from league.games.documents import listed_hash
from league.games.house_games import document_called, documents_of
from league.models import ConflictingRecord, GameDocument, Hand, Night, Revision
from rules.documents import catalog

Record = dict[str, Any]


def playable(night: Night, record: Record, *, instead_of: Hand | None = None) -> Record:
    """Return the record as the rules settle it: with the document of a game of the league.

    A correction is settled under the document that the hand was dealt under.
    """
    slug = record.get("variant")
    if not isinstance(slug, str):
        return record
    kept = _kept(instead_of, slug) if instead_of else None
    return _meant(record, slug, kept or document_called(night.season.league_id, slug))


def playables(league_id: UUID) -> Callable[[Record], Record]:
    """Return what makes a new record one that the rules settle; a name is looked up once."""
    called = cache(partial(document_called, league_id))

    def play(record: Record) -> Record:
        slug = record.get("variant")
        return _meant(record, slug, called(slug)) if isinstance(slug, str) else record

    return play


def _meant(record: Record, slug: str, found: GameDocument | None) -> Record:
    if found is None or _is_listed(slug, found):
        return record
    return record | {"variant": found.document}


def house_games(night: Night, *, instead_of: Hand | None = None) -> dict[str, Record]:
    """Return the documents that names mean here besides the catalog's: the league's games.

    For a correction, the hand's own game as it was when the hand was dealt.
    """
    found = documents_of(night.season.league)
    slug = _last_slug(instead_of) if instead_of else ""
    kept = _kept(instead_of, slug) if instead_of and slug else None
    if kept is not None and not _is_listed(slug, kept):
        found[slug] = kept.document
    return found


def replayable(revision: Revision | ConflictingRecord) -> Record:
    """Return the telling's record such that the rules settle it as they did, for ever."""
    record: Record = revision.record
    if isinstance(record["variant"], str) and _is_listed(record["variant"], revision.document):
        return record
    return record | {"variant": revision.document.document}


def _last_slug(hand: Hand) -> str:
    variant = hand.revisions.get(current=True).record["variant"]
    return variant if isinstance(variant, str) else ""


def _kept(hand: Hand, slug: str) -> GameDocument | None:
    """Return what the hand was dealt under, if it was dealt under this name."""
    rows = Revision.objects.filter(hand=hand).select_related("document").order_by("-number")
    named = (each for each in rows if each.record.get("variant") == slug)
    return next((each.document for each in named), None)


def _is_listed(slug: str, document: GameDocument) -> bool:
    """Tell whether the rules know the document by this name; by name they are quickest."""
    return slug in catalog.slugs() and document.hash == listed_hash(slug)
