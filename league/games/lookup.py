"""Find the right version of a record's game, so old hands can be replayed after changes.

A record names its game. The name is looked up when the hand is recorded, first in the league and
then in the catalog. Corrections that name the same game keep the hand's document.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any
from uuid import UUID

from league.common.text import unstorable
from league.games.documents import listed_hash
from league.games.house_games import documents_of
from league.models import ConflictingRecord, GameDocument, Hand, HouseGameVersion, Night, Revision
from ledger.sql import query_by_keys
from rules.documents import catalog

Record = dict[str, Any]
_HOUSE_GAME = "SELECT id FROM league_housegame WHERE league_id = %s AND slug = %s"


def playable(night: Night, record: Record, *, instead_of: Hand | None = None) -> Record:
    """Return the record for the rules, with a house game's document instead of its name.

    If `instead_of` is given, the record is a correction of that hand and is settled by the document
    that the hand was dealt under.
    """
    slug = record.get("variant")
    if not isinstance(slug, str):
        return record
    document = _recorded_document(instead_of, slug) if instead_of else None
    return _with_document(record, slug, document or _house_document(night.season.league_id, slug))


def playables(league_id: UUID) -> Callable[[Record], Record]:
    """Return a function that prepares new records for the rules.

    The function looks up each game name once.
    """
    called = cache(partial(_house_document, league_id))

    def play(record: Record) -> Record:
        slug = record.get("variant")
        return _with_document(record, slug, called(slug)) if isinstance(slug, str) else record

    return play


def _house_document(league_id: UUID, slug: str) -> GameDocument | None:
    """Return the document of the league's game with this slug, or None. Includes retired games."""
    if any(unstorable(slug)) or not query_by_keys(_HOUSE_GAME, league_id, slug):
        return None  # usually the game is in the catalog
    versions = HouseGameVersion.objects.filter(game__league=league_id, game__slug=slug)
    latest: HouseGameVersion = versions.select_related("document").latest("number")
    return latest.document


def _with_document(record: Record, slug: str, game_document: GameDocument | None) -> Record:
    if game_document is None or is_listed(slug, game_document):
        return record
    return record | {"variant": game_document.document}


def house_games(night: Night, *, instead_of: Hand | None = None) -> dict[str, Record]:
    """Return the documents of the league's games, keyed by slug.

    If the record corrects the hand `instead_of`, the game of that hand keeps the document that the
    hand was dealt under.
    """
    games = documents_of(night.season.league)
    if instead_of is None:
        return games
    slug = instead_of.revisions.get(current=True).record["variant"]
    recorded = _recorded_document(instead_of, slug) if slug and isinstance(slug, str) else None
    if recorded is not None and not is_listed(slug, recorded):
        games[slug] = recorded.document
    return games


def replayable(revision: Revision | ConflictingRecord) -> Record:
    """Return the revision's record with its stored document, which keeps the result stable."""
    record: Record = revision.record
    if isinstance(record["variant"], str) and is_listed(record["variant"], revision.document):
        return record
    return record | {"variant": revision.document.document}


def _recorded_document(hand: Hand, slug: str) -> GameDocument | None:
    """Return the document that the hand was dealt under if its game has this slug, or None."""
    rows = Revision.objects.filter(hand=hand).select_related("document").order_by("-number")
    named = (each for each in rows if each.record.get("variant") == slug)
    return next((each.document for each in named), None)


def is_listed(slug: str, document: GameDocument) -> bool:
    """Check whether the catalog contains this document under this slug.

    Catalog games are faster to settle.
    """
    return slug in catalog.slugs() and document.hash == listed_hash(slug)
