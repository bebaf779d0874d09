"""Rename a player, also in the records of hands, and remove a player added by mistake.

Rows refer to players by number, but the record and the answer of a hand contain names.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, Q

from league.audit_log import Kind, log_action
from league.change_version import bump_league, bump_nights
from league.common import row_limits
from league.common.errors import problem, refuse
from league.common.text import Words, in_json, tidy
from league.games.lookup import replayable
from league.hands.validation import answer_to, name_words, renamed_record
from league.integrity import triggers
from league.journal.sealed_rows import CHIPS
from league.models import (
    Closing,
    ConflictingRecord,
    FormerName,
    Night,
    Player,
    RenderedChart,
    Revision,
    User,
)
from league.people.leagues import wrong_new_name
from league.people.leaving import lock
from rules.api import rename_players


def is_on_receipts(player: Player) -> bool:
    """Check whether a night of the player was closed. Its receipts contain the player's name.

    A player without a seat, such as the keeper of the fund, has a line if costs were shared.
    """
    at_night = Q(night__seats__player=player) | Q(lines__player=player)
    return Closing.objects.filter(at_night).exists()


@transaction.atomic
def rename_player(player: Player, name: str, *, by: User | None) -> Player:
    """Give the player a different name, also in the hands of open nights.

    Phones may still send hands with the old name, so each open night stores it. Raises RefusedError
    if the name is invalid or taken, or if receipts contain the old name.
    """
    lock(player.league)
    refuse(wrong_new_name(player.league, name, player=player))
    if is_on_receipts(player):
        text = "a closed night's receipt has this name, so it can't change"
        refuse([problem("name", "name-on-receipts", text)])
    old, new = Player.objects.get(pk=player.pk).name, tidy(name)
    if new == old:
        return player
    nights = list(Night.objects.filter(seats__player=player, state=Night.State.OPEN))
    player.former_names.filter(name=new).delete()
    known = player.former_names.values("name").distinct()
    refuse(row_limits.FORMER_NAMES.exceeded(known, where="name"))
    FormerName.objects.bulk_create(
        FormerName(night=night, player=player, name=old) for night in nights
    )
    words = name_words(player.league, {old: new})
    with triggers.renaming():
        for row in list(records_with(player)):
            if new not in row.names:  # an imported record may call another player by this name
                rewrite_record(row, {old: new}, words)
                row.save(update_fields=["record", "answer", "names"])
    RenderedChart.objects.filter(league=player.league).delete()
    Player.objects.filter(pk=player.pk).update(name=new)
    bump_nights([night.pk for night in nights])
    bump_league(player.league_id)
    log_action(Kind.PLAYER_RENAMED, by=by, league=player.league)
    player.name = new
    return player


@transaction.atomic
def remove_player(player: Player) -> None:
    """Delete a player who has never been at a night. Raises RefusedError for others."""
    lock(player.league)
    try:
        player.delete()
    except ProtectedError:
        text = f"{player} is part of a night or of the settings and can't be removed"
        refuse([problem("player", "has-played", text)])
    bump_league(player.league_id)


def records_with(player: Player) -> Iterator[Revision | ConflictingRecord]:
    """Yield every record in which the player appears, under any name."""
    nights = Night.objects.filter(seats__player=player)
    for model, night in ((Revision, "hand__night__in"), (ConflictingRecord, "night__in")):
        rows = model._base_manager.filter(**{night: nights}).select_related("document")  # noqa: SLF001
        for row in rows.iterator(500):
            if str(player.pk) in row.names.values():
                yield row


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
