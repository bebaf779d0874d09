"""Take a person out of everything that is kept: the name goes, the chips stay. The one writer.

The books, the seals of closed nights and the digests of postings know people by number alone, so
they hold as before. A player is called something else from then on, in hands too; the account goes,
with its keys, phones, letters and sessions. Done in one transaction, and a row says that it was.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction

from league import seals
from league.devices import free
from league.members import last_host
from league.models import (
    Closing,
    DeliveryTry,
    Device,
    Drawing,
    Erasure,
    Event,
    FeedLink,
    League,
    Letter,
    Membership,
    Night,
    PaymentStep,
    Player,
    Revision,
    Rival,
    Token,
    User,
    Webhook,
)
from league.pulse import move_all_on
from league.refusals import refuse
from league.renaming import Words, in_json, in_words
from league.replaying import CHIPS
from league.verdicts import answer_to
from league.versions import replayable
from ledger import guards
from rules.formats import fitting

CALLED = "Gone"
# Texts that people typed, by table; those of sealed rows are kept by guards.
TYPED: tuple[tuple[type[models.Model], str, str], ...] = (
    (Closing, "reason", "league"),
    (PaymentStep, "note", "payment__planned__plan__season__league"),
    (Revision, "reason", "hand__night__season__league"),
    (Night, "name", "season__league"),
    (DeliveryTry, "said", "delivery__event__league"),
    (Webhook, "note", "league"),
    (FeedLink, "name", "league"),
    (Token, "name", "league"),
)


@transaction.atomic
def erase_user(user: User, *, by: User | None) -> list[Player]:
    """Erase an account and every player that it stands behind. Raises Refused for a last host."""
    memberships = list(Membership.objects.filter(user=user).select_related("league"))
    refuse([each for member in memberships for each in last_host(member)])
    by = None if by == user else by
    players = list(Player.objects.filter(user=user).select_related("league__book"))
    if not players:
        Erasure.objects.create(player=None, made_by=by)
    for player in players:
        _erase(player, by=by)
    for member in memberships:
        _forget_words(member.league, {user.username: CALLED})
    _forget_account(user)
    return players


@transaction.atomic
def erase_player(player: Player, *, by: User | None) -> Player:
    """Erase a name at one table; the account behind it, if any, keeps what is not of it."""
    return _erase(player, by=by)


def _erase(player: Player, *, by: User | None) -> Player:
    league = League.objects.select_for_update(no_key=True).get(pk=player.league_id)
    list(Night.objects.filter(season__league=league).select_for_update(no_key=True))
    names = {player.name, *_names_in_hands(player)}
    free(player, by=by)
    Device.objects.filter(player=player).delete()
    new = _new_name(league)
    called = dict.fromkeys(names, new)
    words = _forget_words(league, called)
    _rename_hands(player, new, words)
    Drawing.objects.filter(league=league).delete()
    Player.objects.filter(pk=player.pk).update(name=new, user=None)
    move_all_on(league)
    Erasure.objects.create(player=player, made_by=by)
    player.name, player.user = new, None
    return player


def _new_name(league: League) -> str:
    taken = {name.lower() for name in league.players.values_list("name", flat=True)}
    number = 1
    while f"{CALLED} {number}".lower() in taken:
        number += 1
    return f"{CALLED} {number}"


# --- hands --------------------------------------------------------------------------------------


def _told_of(player: Player) -> Iterator[Revision | Rival]:
    """Yield whatever was told of hands of the player, under any name."""
    nights = Night.objects.filter(seats__player=player)
    for model, night in ((Revision, "hand__night__in"), (Rival, "night__in")):
        rows = model._base_manager.filter(**{night: nights}).select_related("document")  # noqa: SLF001
        for row in rows.iterator(500):
            if str(player.pk) in row.names.values():
                yield row


def _names_in_hands(player: Player) -> set[str]:
    return {
        name
        for row in _told_of(player)
        for name, number in row.names.items()
        if number == str(player.pk)
    }


def _rename_hands(player: Player, new: str, words: Words) -> None:
    for row in list(_told_of(player)):
        called = {name: new for name, number in row.names.items() if number == str(player.pk)}
        ids = fitting.ids(row.record)
        record = fitting.renamed(row.record, called)
        row.record = in_json(record, {}, words) | {"variant": record["variant"]}
        if any(name in ids for name in called):
            kept = ["" if name in called else number for name, number in ids.items()]
            row.record["about"]["ids"] = kept
        row.answer = _answer(row, called, words)
        row.names = {called.get(name, name): number for name, number in row.names.items()}
        row.save(update_fields=["record", "answer", "names"])


def _answer(row: Revision | Rival, called: dict[str, str], words: Words) -> dict[str, Any]:
    """Return the answer with the new name: told anew where the rules still say the same."""
    old: dict[str, Any] = in_json(row.answer, called, words)
    fresh = answer_to(replayable(row))
    if any(fresh.get(key) != old[key] for key in CHIPS):
        return old
    anew = old.keys() & fresh.keys() - {"variant", "findings"}
    return {key: fresh[key] if key in anew else each for key, each in old.items()}


# --- words --------------------------------------------------------------------------------------


def _forget_words(league: League, called: dict[str, str]) -> Words:
    """Rename in whatever people or the service wrote about the league; returns how."""
    words = in_words(called, league.players.values_list("name", flat=True))
    _rename_typed(league, words)
    for event in Event.objects.filter(league=league).iterator(500):
        data = in_json(event.data, called, words)
        if data != event.data:
            Event.objects.filter(pk=event.pk).update(data=data)
    _rename_letters(league, words)
    _rename_answers(league, called, words)
    return words


def _rename_typed(league: League, words: Words) -> None:
    changed = []
    for model, field, path in TYPED:
        rows = model._base_manager.filter(**{path: league}).exclude(**{field: ""})  # noqa: SLF001
        for number, text in rows.values_list("pk", field):
            if (said := words(text)) != text:
                changed.append((model, number, field, said))
    if not changed:
        return
    with _unguarded():
        for model, number, column, text in changed:
            model._base_manager.filter(pk=number).update(**{column: text})  # noqa: SLF001


@contextmanager
def _unguarded() -> Iterator[None]:
    """Lift the guards of closed evenings: inside an erasure's transaction, and for it only."""
    connection.check_constraints()
    guards.remove(connection, seals.league())
    yield
    connection.check_constraints()
    guards.install(connection, seals.league())


def _rename_letters(league: League, words: Words) -> None:
    """Rename in letters to those of the league."""
    people = Membership.objects.filter(league=league).values("user__email")
    for letter in Letter.objects.filter(to__in=people):
        letter.subject, letter.body = words(letter.subject), words(letter.body)
        letter.save(update_fields=["subject", "body"])


def _rename_answers(league: League, called: dict[str, str], words: Words) -> None:
    """Rename in the answers that the API keeps for those of the league."""
    kept = apps.get_model("api", "KeptAnswer")._base_manager  # noqa: SLF001
    members = Membership.objects.filter(league=league).values("user")
    for answer in kept.filter(user__in=members).exclude(body=""):
        body = json.loads(answer.body)
        if (said := in_json(body, called, words)) != body:
            kept.filter(pk=answer.pk).update(body=json.dumps(said, ensure_ascii=False))


# --- the account --------------------------------------------------------------------------------


def _forget_account(user: User) -> None:
    if user.email:
        Letter.objects.filter(to__iexact=user.email).delete()
    engine = import_module(settings.SESSION_ENGINE).SessionStore
    for session in engine.get_model_class().objects.iterator(500):
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
    for name in ("AccessAttempt", "AccessFailureLog", "AccessLog"):
        tried = apps.get_model("axes", name)._base_manager  # noqa: SLF001
        tried.filter(username=user.username).delete()
    user.delete()
