"""Create, copy, change, retire and delete a league's house games.

A change creates a new version and keeps the old versions. A game that has recorded hands can't be
deleted, only retired. A retired game is no longer offered, but its hands can still be replayed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.text import slugify

from league.common import row_limits
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.common.locks import lock_league
from league.common.text import shown, too_deep, unstorable, wrong_text
from league.games import rules_process
from league.games.documents import store_document
from league.journal import entries
from league.journal.sealed_rows import SealedRow
from league.models import (
    LONGEST_GAME_NAME,
    HouseGame,
    HouseGameVersion,
    League,
    Revision,
    User,
)
from rules.documents import catalog, documents
from rules.errors import Problem as DocumentProblem
from rules.errors import bad_game

NAMELESS = "game"
# Words that URLs use in place of a game's slug.
RESERVED = frozenset({"write", "try", "check"})

Document = dict[str, Any]


VERSIONS = str(HouseGameVersion._meta.db_table)  # noqa: SLF001 (public)


class GameInUseError(Exception):
    """The game has recorded hands, so it can be retired but not deleted."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A submitted game as text and document, with all its errors.

    If there are no errors, the recording form and rules are included.
    """

    text: str
    document: Document
    faults: list[DocumentProblem]
    form: Document = field(default_factory=dict)
    rules: Document = field(default_factory=dict)


def read(written: object) -> GameText:
    """Read a game from TOML text or a JSON document. Raises BusyError."""
    if isinstance(written, str):
        text = written.replace("\r\n", "\n")
        wrong = [fault["text"] for fault in wrong_text("", text, longest=documents.MOST_BYTES)]
        if wrong:
            return GameText(text, {}, [bad_game("", fault) for fault in wrong])
        return _read_apart(text, text=text)
    if not isinstance(written, dict) or too_deep(written):
        reason = "a game is TOML text or the same as a JSON object"
        return GameText("", {}, [bad_game("", reason)])
    return _read_apart("", document=written)


def write(
    league: League,
    written: object,
    *,
    by: User | None,
    game_id: UUID | None = None,
    is_copy: bool = False,
) -> HouseGame:
    """Add a game to the league from TOML text or a document, once for each id.

    Only a copy may have the name of a catalog game.
    Raises RefusedError, or IdReusedError if the id belongs to a different game.
    """
    # Read the game before the transaction, so that no lock is held in the meantime.
    return _write(league, read(written), by=by, game_id=game_id, is_copy=is_copy)


@transaction.atomic
def _write(
    league: League,
    reading: GameText,
    *,
    by: User | None,
    game_id: UUID | None,
    is_copy: bool,
) -> HouseGame:
    lock_league(league.pk)
    if existing := HouseGame.objects.filter(pk=game_id).first() if game_id else None:
        first = existing.versions.get(number=1)
        if existing.league_id != league.pk or first.text != reading.text:
            raise IdReusedError
        return existing
    known = HouseGame.objects.filter(league=league)
    limit = row_limits.HOUSE_GAMES.exceeded(known)
    refuse([*_refusals(reading), *_name_in_use(league, reading, is_copy=is_copy), *limit])
    name = reading.document["name"]
    game = HouseGame.objects.create(
        id=game_id or uuid4(), league=league, name=name, slug=free_slug(league, name)
    )
    _add_version(game, reading, number=1, by=by)
    return game


def revise(game: HouseGame, written: object, *, by: User | None) -> HouseGameVersion:
    """Store the submitted text as the game's next version. Unchanged text does not add a version.

    A retired game is offered again. Raises RefusedError.
    """
    return _revise(game, read(written), by=by)


@transaction.atomic
def _revise(game: HouseGame, reading: GameText, *, by: User | None) -> HouseGameVersion:
    lock_league(game.league_id)
    game = HouseGame.objects.select_for_update(no_key=True).get(pk=game.pk)
    last = current(game)
    limit = row_limits.HOUSE_GAME_VERSIONS.exceeded(last.number)
    refuse([*_refusals(reading), *_name_in_use(game.league, reading, game), *limit])
    game.name, game.retired_at = reading.document["name"], None
    game.save(update_fields=["name", "retired_at"])
    if last.text == reading.text:
        return last
    return _add_version(game, reading, number=last.number + 1, by=by)


@transaction.atomic
def copy(league: League, slug: str, *, by: User | None) -> HouseGame:
    """Add a copy of a catalog game or of one of the league's house games. Raises RefusedError."""
    return write(league, text_of(league, slug), by=by, is_copy=True)


@transaction.atomic
def retire(game: HouseGame) -> None:
    """Stop offering the game. Retiring it twice changes nothing."""
    HouseGame.objects.filter(pk=game.pk, retired_at=None).update(retired_at=timezone.now())


@transaction.atomic
def delete(game: HouseGame) -> None:
    """Delete a game that has no recorded hands. Raises GameInUseError."""
    HouseGame.objects.select_for_update().get(pk=game.pk)
    if is_used(game):
        raise GameInUseError
    versions = [*game.versions.values_list("pk", flat=True)]
    HouseGame.objects.filter(pk=game.pk).delete()
    gone = (SealedRow(VERSIONS, str(key), fixed="") for key in versions)
    entries.add(entries.lock_head(game.league_id), entries.Kind.DELETED, gone)


def games(league: League) -> QuerySet[HouseGame]:
    """Return the games that the league offers, sorted by name."""
    return HouseGame.objects.filter(league=league, retired_at=None).order_by("name", "slug")


def current(game: HouseGame) -> HouseGameVersion:
    """Return the game's latest version, with its document."""
    return game.versions.select_related("document").latest("number")


def documents_of(league: League) -> dict[str, Document]:
    """Return the documents of the games that the league offers, keyed by slug, in one query."""
    latest = HouseGameVersion.objects.filter(game=OuterRef("pk")).order_by("-number")
    rows = games(league).annotate(latest=Subquery(latest.values("document__document")[:1]))
    return dict(rows.values_list("slug", "latest"))


def versions_of(league: League) -> dict[str, str]:
    """Return the hash of each offered game's current document, keyed by slug."""
    latest = HouseGameVersion.objects.filter(game=OuterRef("pk")).order_by("-number")
    rows = games(league).annotate(latest=Subquery(latest.values("document")[:1]))
    return dict(rows.values_list("slug", "latest"))


def text_of(league: League, slug: str) -> str:
    """Return the TOML source of a house game or a catalog game. Raises RefusedError."""
    known = HouseGame.objects.filter(league=league, slug=slug)
    own = None if any(unstorable(slug)) else known.first()
    if own:
        return current(own).text
    if slug not in catalog.slugs():
        raise RefusedError([problem("copy", "unknown-game", f"no game is called {shown(slug)}")])
    return catalog.source_text(slug)


def is_used(game: HouseGame) -> bool:
    """Check whether any hand of the game was recorded in the league."""
    dealt = Revision.objects.filter(hand__night__season__league=game.league_id)
    return dealt.filter(record__variant=game.slug).exists()


# Reading


def _read_apart(typed: str, **written: Any) -> GameText:
    """Read the game in a separate process, because reading may take too much work."""
    try:
        read = rules_process.read_game(**written)
    except rules_process.TooMuchWorkError as error:
        return GameText(typed, {}, [bad_game("", str(error))])
    faults = [
        DocumentProblem(**each | {"could_be": tuple(each["could_be"])}) for each in read["problems"]
    ]
    return GameText(
        read["text"], read["document"], faults, read.get("form", {}), read.get("rules", {})
    )


def fault_of(flaw: DocumentProblem) -> dict[str, Any]:
    """Return an error in a document in the format that pages and the API use."""
    fault: dict[str, Any] = {"where": flaw.where, "code": flaw.code, "text": flaw.text}
    fault |= {"line": flaw.line, "word": flaw.word, "could_be": list(flaw.could_be)}
    return {key: shown(value) if isinstance(value, str) else value for key, value in fault.items()}


def _refusals(reading: GameText) -> Iterator[Problem]:
    return (fault_of(each) for each in reading.faults)


def _name_in_use(
    league: League,
    reading: GameText,
    changed: HouseGame | None = None,
    *,
    is_copy: bool = False,
) -> Iterator[Problem]:
    """Yield an error if the league offers another game with the same name in any case.

    The catalog's games count, except for a copy. A game that already had its name keeps it.
    """
    name = str(reading.document.get("name", ""))
    if changed and changed.retired_at is None and changed.name == name:
        return
    others = games(league).exclude(pk=changed.pk) if changed else games(league)
    if any(each.casefold() == name.casefold() for each in others.values_list("name", flat=True)):
        text = f"your league already has a game named {shown(name)}; choose another name"
        yield fault_of(bad_game("name", text, name))
    elif not is_copy and catalog.is_named(name):
        text = f"{shown(name)} is the name of a built-in game; choose another name"
        yield fault_of(bad_game("name", text, name))


# Writing


def _add_version(
    game: HouseGame, reading: GameText, *, number: int, by: User | None
) -> HouseGameVersion:
    version = HouseGameVersion.objects.create(
        game=game,
        number=number,
        document=store_document(reading.document),
        text=reading.text,
        written_by=by,
    )
    written = HouseGameVersion.objects.filter(pk=version.pk)
    entries.append(game.league_id, entries.Kind.WRITTEN, written)
    return version


def free_slug(league: League, name: str) -> str:
    """Return a slug for the name that neither the catalog nor the league uses yet."""
    taken = {*catalog.slugs(), *RESERVED}
    taken |= set(HouseGame.objects.filter(league=league).values_list("slug", flat=True))
    slug = slugify(name)[: LONGEST_GAME_NAME - 8] or NAMELESS
    tries = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (slug, *tries) if each not in taken)
