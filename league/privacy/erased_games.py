"""Replace a name in the games of a league: documents, texts, slugs and references to them.

Only texts that no rule reads are changed in a document, so hands settle as before. Words that
players of the game use (options, piles, slots) are rules and stay.
"""

from dataclasses import dataclass, field
from typing import Any

from django.db import models

from league.common.text import Words
from league.games.documents import keep_document, listed_hash
from league.games.house_games import free_slug
from league.integrity.sealed_audit import documents_of
from league.models import (
    LONGEST_GAME_NAME,
    BettingTally,
    CallTally,
    ChoiceTally,
    Deal,
    DealerTally,
    Favourite,
    GameDocument,
    HandFact,
    HouseGame,
    League,
    Odds,
    PlayerTally,
    Revision,
)
from league.stats.update.count import counting
from rules.documents import catalog
from rules.documents.documents import NEUTRAL, content_hash, toml_with_texts, with_texts

COUNTED: tuple[type[models.Model], ...] = (
    PlayerTally,
    BettingTally,
    CallTally,
    DealerTally,
    ChoiceTally,
    HandFact,
)
# JSON keys whose value is the slug or the name of a game.
NAMING_GAMES = ("game", "variant", "slug", "name")


@dataclass(frozen=True, slots=True)
class RenamedGames:
    """The rewritten documents, by the hash of the old content, and the new slugs and names."""

    documents: dict[str, GameDocument] = field(default_factory=dict)
    slugs: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def in_games(value: Any, games: RenamedGames, words: Words, under: str = "") -> Any:
    """Return JSON with the new slugs and names of games, and without names in their texts."""
    if isinstance(value, dict):
        return {key: in_games(item, games, words, key) for key, item in value.items()}
    if isinstance(value, list):
        return [in_games(item, games, words, under) for item in value]
    if not isinstance(value, str):
        return value
    if under in NEUTRAL and under != "name":
        return words(value)
    new = games.slugs.get(value) or games.names.get(value)
    return new if new and under in NAMING_GAMES else value


def rename_games(league: League, words: Words) -> RenamedGames:
    """Replace names in all games that the league wrote or dealt, and in rows that name a game.

    The caller replaces them in the records and answers of hands.
    """
    games = RenamedGames()
    _rename_documents(league, games, words)
    for game in HouseGame.objects.filter(league=league).order_by("pk"):
        _rename_house_game(game, league, games, words)
    for old, new in games.slugs.items():
        Deal.objects.filter(night__season__league=league, variant=old).update(variant=new)
        Favourite.objects.filter(league=league, game=old).update(game=new)
    if games.documents:
        _rename_counted(league, games)
    for row in Odds.objects.exclude(asker="").iterator(500):
        document = row.wanted["document"]
        mine = row.asker == str(league.pk) or content_hash(document) in games.documents
        if mine and with_texts(document, words) != document:
            row.delete()
    return games


def _rename_documents(league: League, games: RenamedGames, words: Words) -> None:
    rows = GameDocument.objects.filter(pk__in=documents_of(league), slug="").order_by("pk")
    named = [row for row in rows if with_texts(row.document, words) != row.document]
    if not named:
        return
    listed = {listed_hash(slug) for slug in catalog.slugs()}
    taken = set(HandFact.objects.values_list("game", flat=True).distinct())
    for row in named:
        if row.pk in listed:
            continue  # the words of the catalog name no person
        document = with_texts(row.document, words)
        if document["name"] != row.name:
            document["name"] = games.names.get(row.name) or _free_name(document["name"], taken)
        games.documents[row.pk] = new = keep_document(document)
        if new.name != row.name:
            games.names[row.name] = new.name
            taken.add(new.name)
        GameDocument.objects.filter(pk=row.pk).update(
            name=new.name, document=new.document, rewritten=new.pk
        )


def _free_name(name: str, taken: set[str]) -> str:
    """Return the name, numbered if it is taken: hands are counted by the name of their game."""
    numbered = (f"{name[: LONGEST_GAME_NAME - 5]} {number}" for number in range(2, len(taken) + 3))
    return next(free for free in (name, *numbered) if free not in taken)


def _rename_house_game(game: HouseGame, league: League, games: RenamedGames, words: Words) -> None:
    names = []
    for version in game.versions.select_related("document").order_by("number"):
        document = games.documents.get(version.document_id)
        names.append((document or version.document).name)
        if document or words(version.text) != version.text:
            version.document = document or version.document
            version.text = toml_with_texts(version.text, version.document.document, words)
            version.save(update_fields=["text", "document"])
    if names[0] in games.names.values():  # the slug was derived from it
        old, game.slug = game.slug, free_slug(league, names[0])
        games.slugs[old] = game.slug
    game.name = names[-1]
    game.save(update_fields=["name", "slug"])


def _rename_counted(league: League, games: RenamedGames) -> None:
    """Rename the game in the stats. Hands recorded with the document count under its name."""
    dealt = Revision.objects.filter(document__in=games.documents)
    seasons = set(dealt.values_list("hand__night__season", flat=True))
    with counting(league.pk):
        for model in COUNTED:
            rows = model._default_manager  # noqa: SLF001 (public)
            for old, new in games.slugs.items():
                rows.filter(night__season__league=league, game=old).update(game=new)
            for old, new in games.names.items():
                rows.filter(night__season__in=seasons, game=old).update(game=new)
