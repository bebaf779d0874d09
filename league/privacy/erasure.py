"""Erase a person: the name is removed, and the chips stay. Delete a disposable league.

Only this module erases personal data. The ledger and the digests of postings identify people by
number, so they stay valid. Rows that contain names are sealed again, and the journal records the
erasure. The player gets a new name, even in hands and in the rules of games. The account is deleted
with its keys, phones, e-mails and sessions. Everything happens in one transaction, and a row
records the erasure.
"""

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import models, transaction
from django.db.models import Q

from league.change_version import bump_league, bump_nights
from league.common.errors import refuse
from league.common.text import Words, in_json, in_words
from league.games.documents import listed_hash, store_document
from league.games.house_games import free_slug
from league.integrity import sealed_audit
from league.integrity.row_owners import LINK, owned, path_to_league, rows_of
from league.integrity.sealed_audit import documents_of
from league.journal import entries
from league.models import (
    LONGEST_GAME_NAME,
    Announcement,
    BettingTally,
    CallTally,
    Charge,
    ChipRequest,
    ChoiceTally,
    Closing,
    ConflictingRecord,
    Deal,
    DealerTally,
    DeliveryTry,
    Device,
    Erasure,
    Event,
    Favourite,
    FeedLink,
    GameDocument,
    HandFact,
    HouseGame,
    HouseGameVersion,
    HouseRule,
    ImportJob,
    Invitation,
    JoinRequest,
    League,
    Membership,
    Night,
    NightAnswer,
    NightAnswerLink,
    NightSeries,
    Notice,
    Objection,
    ObjectionAnswer,
    Odds,
    OutgoingMail,
    PaymentStep,
    PlannedNight,
    Player,
    PlayerTally,
    RenderedChart,
    Revision,
    Token,
    Tournament,
    User,
    Webhook,
)
from league.people.devices import free
from league.people.leaving import last_host
from league.privacy.renaming import (
    lock_writers,
    names_in,
    records_with,
    rewrite_record,
    rewritten_answer,
)
from league.sign_in.sessions import end_all
from league.stats.count import counting
from ledger.models import Book
from rules.documents import catalog
from rules.documents.documents import NEUTRAL, content_hash, toml_with_texts, with_texts
from rules.formats import fitting

COUNTED: tuple[type[models.Model], ...] = (
    PlayerTally,
    BettingTally,
    CallTally,
    DealerTally,
    ChoiceTally,
    HandFact,
)
# JSON keys whose values are the slug or name of a game.
NAMING_GAMES = ("game", "game_name", "variant", "slug", "name")


@dataclass(frozen=True, slots=True)
class RenamedGames:
    """The rewritten documents by the hash of their old content, and the new slugs and names."""

    documents: dict[str, GameDocument] = field(default_factory=dict)
    slugs: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def in_games(value: Any, games: RenamedGames, words: Words, under: str = "") -> Any:
    """Return JSON with the games' new slugs and names, and with people's names replaced."""
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
    """Replace names in games that the league wrote or dealt, and in rows that name a game.

    The caller replaces the names in the records and answers of hands.
    """
    games = RenamedGames()
    _rename_documents(league, games, words)
    for game in HouseGame.objects.filter(league=league).order_by("pk"):
        _rename_house_game(game, league, games, words)
    for old, new in games.slugs.items():
        Deal.objects.filter(night__season__league=league, variant=old).update(variant=new)
        announced = Announcement.objects.filter(hand__night__season__league=league, variant=old)
        announced.update(variant=new)
        Favourite.objects.filter(league=league, game=old).update(game=new)
    if games.documents:
        # the statistics of the league's games, and of hands dealt from their old documents
        dealt = Revision.objects.filter(document__in=games.documents)
        seasons = set(dealt.values_list("hand__night__season", flat=True))
        with counting(league.pk):
            for model in COUNTED:
                rows = model._default_manager  # noqa: SLF001 (public)
                for old, new in games.slugs.items():
                    rows.filter(night__season__league=league, game=old).update(game=new)
                for old, new in games.names.items():
                    rows.filter(night__season__in=seasons, game=old).update(game=new)
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
            continue  # names of catalog games do not refer to people
        document = with_texts(row.document, words)
        if document["name"] != row.name:
            # statistics group hands by game name, so a name that is taken gets a number
            stem = document["name"][: LONGEST_GAME_NAME - 5]
            numbered = (f"{stem} {number}" for number in range(2, len(taken) + 3))
            free_names = (name for name in (document["name"], *numbered) if name not in taken)
            document["name"] = games.names.get(row.name) or next(free_names)
        games.documents[row.pk] = new = store_document(document)
        if new.name != row.name:
            games.names[row.name] = new.name
            taken.add(new.name)
        GameDocument.objects.filter(pk=row.pk).update(
            name=new.name, document=new.document, rewritten=new.pk
        )


def _rename_house_game(game: HouseGame, league: League, games: RenamedGames, words: Words) -> None:
    names = []
    for version in game.versions.select_related("document").order_by("number"):
        document = games.documents.get(version.document_id)
        names.append((document or version.document).name)
        if document or words(version.text) != version.text:
            version.document = document or version.document
            version.text = toml_with_texts(version.text, version.document.document, words)
            version.save(update_fields=["text", "document"])
    if names[0] in games.names.values():  # the slug is derived from the name in the first version
        old, game.slug = game.slug, free_slug(league, names[0])
        games.slugs[old] = game.slug
    game.name = names[-1]
    game.save(update_fields=["name", "slug"])


CALLED = "Gone"
# Columns with user-entered text, by table. Columns of sealed rows are listed in the triggers.
TYPED: tuple[tuple[type[models.Model], str, str], ...] = (
    (Charge, "title", "night__season__league"),
    (ChipRequest, "title", "night__season__league"),
    (Tournament, "name", "night__season__league"),
    (Closing, "reason", "league"),
    (PaymentStep, "note", "payment__planned__plan__season__league"),
    (Revision, "reason", "hand__night__season__league"),
    (Objection, "reason", "hand__night__season__league"),
    (ObjectionAnswer, "text", "objection__hand__night__season__league"),
    (HouseRule, "text", "league"),
    (Night, "name", "season__league"),
    *((PlannedNight, column, "league") for column in ("name", "place", "note")),
    *((NightSeries, column, "league") for column in ("name", "place", "note")),
    (NightAnswer, "name", "planned_night__league"),
    (NightAnswer, "brings", "planned_night__league"),
    (DeliveryTry, "said", "delivery__event__league"),
    (Webhook, "note", "league"),
    (FeedLink, "name", "league"),
    (Token, "name", "league"),
    (Invitation, "name", "league"),
    (Notice, "title", "league"),
    (Notice, "body", "league"),
)


@transaction.atomic
def erase_user(user: User, *, by: User | None) -> list[Player]:
    """Erase an account and every player that it has claimed.

    Raises RefusedError if the user is the last host of a league.
    """
    memberships = list(Membership.objects.filter(user=user).select_related("league"))
    refuse([error for member in memberships for error in last_host(member)])
    by = None if by == user else by
    players = list(Player.objects.filter(user=user).select_related("league__book"))
    if not players:
        erasure = Erasure.objects.create(player=None, made_by=by)
        entries.append(None, entries.Kind.ERASED, Erasure.objects.filter(pk=erasure.pk))
    leagues = {player.league_id: player.league for player in players}
    leagues |= {member.league_id: member.league for member in memberships}
    # Lock the leagues in a fixed order, because otherwise two erasures in the same leagues could
    # deadlock.
    for _, league in sorted(leagues.items()):
        nights = lock_writers(league)
        with sealed_audit.rewriting(league):
            for player in (row for row in players if row.league_id == league.pk):
                _erase(player, league, nights, by=by)
            if any(member.league_id == league.pk for member in memberships):
                _forget_words(league, {user.username: CALLED})
    proven = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    others = EmailAddress.objects.filter(verified=True).exclude(user=user)
    for address in {user.email, *proven} - {""}:
        # any user may have entered this address
        if not others.filter(email__iexact=address).exists():
            OutgoingMail.objects.filter(to__iexact=address).delete()
    end_all(user)
    for name in ("AccessAttempt", "AccessFailureLog", "AccessLog"):
        tried = apps.get_model("axes", name)._base_manager  # noqa: SLF001
        tried.filter(username=user.username).delete()
    user.delete()  # also deletes addresses, passkeys, codes, linked services and links
    return players


@transaction.atomic
def erase_player(player: Player, *, by: User | None) -> Player:
    """Erase a player. The account that claimed the name, if any, keeps its other data."""
    league = player.league
    nights = lock_writers(league)
    with sealed_audit.rewriting(league):
        _erase(player, league, nights, by=by)
    return player


def _erase(player: Player, league: League, nights: list[UUID], *, by: User | None) -> None:
    names = {player.name}
    for row in records_with(player):
        names.update(name for name, number in row.names.items() if number == str(player.pk))
    others = league.players.exclude(pk=player.pk).values_list("name", flat=True)
    names.update(set(player.former_names.values_list("name", flat=True)) - set(others))
    player.former_names.all().delete()
    free(player, by=by)
    for name in names:  # guests entered these answers using the answer link
        typed = NightAnswer.objects.filter(planned_night__league=league, player=None)
        typed.filter(name__iexact=name).delete()
    for rows in (NightAnswer, NightAnswerLink, Device, Invitation, JoinRequest):
        rows._default_manager.filter(player=player).delete()  # noqa: SLF001 (public)
    taken = {name.lower() for name in league.players.values_list("name", flat=True)}
    numbered = (f"{CALLED} {number}" for number in count(1))
    new = next(name for name in numbered if name.lower() not in taken)
    called = dict.fromkeys(names, new)
    words = _forget_words(league, called)
    for row in list(records_with(player)):
        in_hand = names_in(row, player, new)
        ids = fitting.ids(row.record)
        rewrite_record(row, in_hand, words)
        if any(name in ids for name in in_hand):
            remaining = ["" if name in in_hand else number for name, number in ids.items()]
            row.record["about"]["ids"] = remaining
        row.save(update_fields=["record", "answer", "names"])
    RenderedChart.objects.filter(league=league).delete()
    ImportJob.objects.filter(league=league).delete()  # the file's content includes player names
    Player.objects.filter(pk=player.pk).update(name=new, user=None)
    bump_nights(nights)
    bump_league(league.pk)
    Erasure.objects.create(player=player, made_by=by)
    player.name, player.user = new, None


def _rename_dealt(league: League, games: RenamedGames, words: Words) -> None:
    """Update the slug, document and answer in hands of renamed games."""
    for model, path in ((Revision, "hand__night__season"), (ConflictingRecord, "night__season")):
        rows = model._base_manager.filter(**{f"{path}__league": league})  # noqa: SLF001
        dealt = Q(document__in=games.documents) | Q(record__variant__in=list(games.slugs))
        row: Revision | ConflictingRecord
        for row in list(rows.filter(dealt).select_related("document")):  # type: ignore[assignment]
            variant = row.record["variant"]
            if isinstance(variant, dict):
                row.record["variant"] = games.documents[row.document_id].document
            else:
                row.record["variant"] = games.slugs.get(variant, variant)
            row.answer = rewritten_answer(row, {}, words)
            if "variant" in row.answer:
                row.answer["variant"] = row.record["variant"]
            row.save(update_fields=["record", "answer"])


def _forget_words(league: League, called: dict[str, str]) -> Words:
    """Replace the names in all text that people or the service wrote about the league.

    Returns the function that replaces the names.
    """
    words = in_words(called, league.players.values_list("name", flat=True))
    games = rename_games(league, words)
    _rename_dealt(league, games, words)
    for model, column, path in TYPED:
        rows = model._base_manager.filter(**{path: league}).exclude(**{column: ""})  # noqa: SLF001
        for number, text in rows.values_list("pk", column):
            if (replaced := words(text)) != text:
                model._base_manager.filter(pk=number).update(**{column: replaced})  # noqa: SLF001
    for event in Event.objects.filter(league=league).iterator(500):
        data = in_games(in_json(event.data, called, words), games, words)
        if data != event.data:
            Event.objects.filter(pk=event.pk).update(data=data)
    for tournament in Tournament.objects.filter(night__season__league=league):
        levels = [
            {**level, "game": words(games.slugs.get(level.get("game", ""), level.get("game", "")))}
            for level in tournament.levels
        ]
        if levels != tournament.levels:
            Tournament.objects.filter(pk=tournament.pk).update(levels=levels)
    # The URL of an active webhook is kept, because a different URL would not reach the receiver.
    for webhook in Webhook.objects.filter(league=league).exclude(retired_at=None):
        Webhook.objects.filter(pk=webhook.pk).update(url=words(webhook.url))
    people = Membership.objects.filter(league=league).values("user__email")
    for mail in OutgoingMail.objects.filter(to__in=people):
        mail.subject, mail.body = words(mail.subject), words(mail.body)
        mail.save(update_fields=["subject", "body"])
    _rename_answers(league, called, words, games)
    return words


def _rename_answers(
    league: League, called: dict[str, str], words: Words, games: RenamedGames
) -> None:
    """Replace the names in the API responses stored for the league's members."""
    records = apps.get_model("api", "IdempotencyRecord")._base_manager  # noqa: SLF001
    members = Membership.objects.filter(league=league).values("user")
    for answer in records.filter(user__in=members).exclude(body=""):
        body = json.loads(answer.body)
        if (renamed := in_games(in_json(body, called, words), games, words)) != body:
            records.filter(pk=answer.pk).update(body=json.dumps(renamed, ensure_ascii=False))


class NotDisposableError(Exception):
    """The league was not deleted, because its book is not disposable."""


@transaction.atomic
def delete_league(league: League) -> None:
    """Delete the league, its book and every row that belongs to them. Users are kept.

    Raises NotDisposableError. The triggers also reject the deletion of a league whose book is not
    disposable. Rows are deleted table by table, starting with the tables that are furthest from the
    league, because a trigger finds a row's book through the rows that it references. Foreign keys
    are checked when the transaction ends.
    """
    book = Book.objects.select_for_update().get(pk=league.book_id)
    if not book.disposable:
        raise NotDisposableError
    documents = documents_of(league)
    models = sorted(owned(), key=lambda model: path_to_league(model).count(LINK), reverse=True)
    for model in (each for each in models if each not in {League, Book}):
        rows_of(model, league.pk)._raw_delete("default")  # noqa: SLF001 (no rows to collect)
    Odds.objects.filter(asker=str(league.pk)).delete()
    League.objects.filter(pk=league.pk)._raw_delete("default")  # noqa: SLF001
    Book.objects.filter(pk=book.pk)._raw_delete("default")  # noqa: SLF001
    unused = GameDocument.objects.filter(pk__in=documents, slug="")
    for model in (Revision, ConflictingRecord, HouseGameVersion):
        unused = unused.exclude(pk__in=model._default_manager.values("document"))  # noqa: SLF001
    unused._raw_delete("default")  # noqa: SLF001
