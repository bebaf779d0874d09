"""Rename a player, also in the records of hands, and remove a player added by mistake.

Rows refer to players by number, but the record and the answer of a hand contain names.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet

from league.audit_log import Kind, log_action
from league.change_version import bump_league, bump_nights
from league.common import row_limits
from league.common.errors import problem, refuse
from league.common.locks import lock_league
from league.common.text import Words, in_json, tidy
from league.games.lookup import replayable
from league.hands.validation import answer_to, name_words, renamed_record
from league.integrity import sealed_audit
from league.journal.sealed_rows import CHIPS
from league.models import (
    ConflictingRecord,
    FormerName,
    League,
    Night,
    PlannedPayment,
    Player,
    RenderedChart,
    Revision,
    User,
    Webhook,
)
from league.people.leagues import wrong_new_name
from league.people.leaving import lock
from league.proofs.signing import keep_names
from rules.api import rename_players


def is_on_receipts(player: Player) -> bool:
    """Check whether a receipt contains the player's name."""
    return _nights_of(player).exclude(closings=None).exists()


def _nights_of(player: Player) -> QuerySet[Night]:
    """Return the nights in which the player had a seat, shared costs, or pays or gets money."""
    payments = PlannedPayment.objects.filter(Q(payer=player) | Q(payee=player))
    named = Q(seats__player=player) | Q(closings__lines__player=player)
    named |= Q(closings__plan__payments__in=payments)
    return Night.objects.filter(pk__in=Night.objects.filter(named).values("pk"))


@transaction.atomic
def rename_player(player: Player, name: str, *, by: User | None) -> Player:
    """Give the player a different name, also in recorded hands.

    Phones may still send hands with the old name, and receipts show it, so each night stores it.
    Raises RefusedError if the name is invalid or taken.
    """
    league = player.league
    open_nights = lock_writers(league)
    refuse(wrong_new_name(league, name, player=player))
    player.name, new = Player.objects.get(pk=player.pk).name, tidy(name)
    if new == player.name:
        return player
    player.former_names.filter(name=new).delete()
    known = player.former_names.values("name").distinct()
    refuse(row_limits.FORMER_NAMES.exceeded(known, where="name"))
    nights = _nights_of(player)
    with sealed_audit.renaming(league):
        signed = keep_names(player, nights)
        FormerName.objects.bulk_create(
            (
                FormerName(
                    night=night, player=player, name=player.name, on_receipt=night.pk in signed
                )
                for night in nights
            ),
            # another player may have had the name in a night in which this player has no seat
            ignore_conflicts=True,
        )
        words = name_words(league, {player.name: new})
        for row in list(records_with(player)):
            if new not in row.names:  # an imported record may call another player by this name
                rewrite_record(row, names_in(row, player, new), words)
                row.save(update_fields=["record", "answer", "names"])
        Player.objects.filter(pk=player.pk).update(name=new)
    RenderedChart.objects.filter(league=league).delete()
    bump_nights(open_nights)
    bump_league(league.pk)
    former = player.former_names.filter(name=player.name).values_list("pk", flat=True).last()
    log_action(Kind.PLAYER_RENAMED, by=by, league=league, player=str(player.pk), former=former)
    player.name = new
    return player


def lock_writers(league: League) -> list[UUID]:
    """Lock everything that the league's writers lock: nights first, the journal last.

    Return the ids of the open nights.
    """
    nights = Night.objects.filter(season__league=league).order_by("pk")
    locked = list(nights.select_for_update(no_key=True, of=("self",)))
    lock_league(league.pk)
    list(Webhook.objects.select_for_update(no_key=True).filter(league=league).order_by("pk"))
    return [night.pk for night in locked if night.state == Night.State.OPEN]


@transaction.atomic
def remove_player(player: Player, *, by: User | None) -> None:
    """Delete a player who has never been at a night. Raises RefusedError for others."""
    league = player.league
    lock(league)
    try:
        player.delete()
    except ProtectedError:
        text = f"{player} is part of a night or of the settings and can't be removed"
        refuse([problem("player", "has-played", text)])
    bump_league(league.pk)
    log_action(Kind.PLAYER_REMOVED, by=by, league=league)


def records_with(player: Player) -> Iterator[Revision | ConflictingRecord]:
    """Yield every record in which the player appears, under any name."""
    nights = Night.objects.filter(seats__player=player)
    for model, night in ((Revision, "hand__night__in"), (ConflictingRecord, "night__in")):
        rows = model._base_manager.filter(**{night: nights}).select_related("document")  # noqa: SLF001
        for row in rows.iterator(500):
            if str(player.pk) in row.names.values():
                yield row


def names_in(row: Revision | ConflictingRecord, player: Player, new: str) -> dict[str, str]:
    """Return the new name for each name that the player has in the record."""
    return {name: new for name, number in row.names.items() if number == str(player.pk)}


def rewrite_record(
    row: Revision | ConflictingRecord, new_names: Mapping[str, str], words: Words
) -> None:
    """Replace names in the record, the answer and `names`. `words` replaces them in comments."""
    row.record = renamed_record(row.record, new_names, words)
    row.answer = rewritten_answer(row, new_names, words)
    row.names = {new_names.get(name, name): number for name, number in row.names.items()}


def rewritten_answer(
    row: Revision | ConflictingRecord, new_names: Mapping[str, str], words: Words
) -> dict[str, Any]:
    """Return the answer with the new names.

    The hand is settled again if the rules still give the same chips.
    """
    old: dict[str, Any] = in_json(rename_players(row.answer, new_names), {}, words)
    fresh = answer_to(replayable(row))
    if any(fresh.get(key) != old[key] for key in CHIPS):
        return old
    recomputed = old.keys() & fresh.keys() - {"variant", "findings"}
    return {key: fresh[key] if key in recomputed else each for key, each in old.items()}
