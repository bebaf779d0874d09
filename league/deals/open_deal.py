"""A night's open deal: name the game, advance, set players' states, and cancel.

A night has at most one open deal. When the game and its options were announced, and whether they
changed during the deal, is stored with the recorded hand. The database and backups contain the
words that players declare only encrypted.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.utils import timezone

from league.common.crypto import cipher
from league.common.errors import RefusedError, problem, refuse
from league.deals.table import HOLDING, OUT, STAYING, NamedGame, Table, game_of, read_game
from league.matches import MatchStatus
from league.models import Announcement, CashOut, Deal, DealtPlayer, Hand, Night, Player, User
from league.nights.nights import lock_and_bump_open, seat
from league.notices.messages import notify_declarers

State = DealtPlayer.State
GONE = "gone"
ANOTHER = "another-deal"


def open_deal(night: Night) -> Deal | None:
    return Table(night).open_deal


def is_playable(deal: Deal) -> bool:
    """Check whether the deal's game is still valid.

    A league may have changed or deleted its own game.
    """
    try:
        game_of(deal)
    except RefusedError:
        return False
    return True


@transaction.atomic
def name_game(
    night: Night,
    deal_id: UUID,
    named: NamedGame,
    *,
    dealer: Player | None = None,
    by: User | None,
) -> Deal:
    """Open a deal of the named game, once for each id. The next dealer deals.

    All seated players are dealt in. If the deal continues the running match, players without a life
    are folded, and players who were left out of the previous deal are not dealt in. If it repeats
    the game that left a pot, only the players who may win that pot are dealt in.

    Raises NightClosedError, or RefusedError if the game is unknown, no player is seated, or another
    deal is open.
    """
    lock_and_bump_open(night)
    current = open_deal(night)
    if current and current.pk == deal_id:
        return current
    if current and not is_playable(current):
        current.delete()
        current = None
    table = Table(night)
    refuse(_wrong_start(current, deal_id, len(table.taken)))
    read_game(night, named)
    match = table.match
    goes_on = match if match and match.variant == named.variant else None
    next_seat = table.dealer if goes_on else table.dealer_in_turn
    may_win = set() if goes_on else table.dealt_again_to(named.variant)
    deal = Deal.objects.create(
        id=deal_id,
        night=night,
        dealer=dealer or (next_seat.player if next_seat else None),
        variant=named.variant,
        modifiers=list(named.modifiers),
        options=dict(named.options),
        made_by=by,
    )
    DealtPlayer.objects.bulk_create(
        DealtPlayer(
            deal=deal,
            player=seat.player,
            position=place,
            state=_state(seat.player, table, goes_on, may_win),
        )
        for place, seat in enumerate(table.taken)
    )
    return deal


def _wrong_start(current: Deal | None, deal_id: UUID, seated: int) -> list[Any]:
    if current:
        text = "Another game is already named. Cancel that deal first."
        return [problem("variant", ANOTHER, text)]
    if Deal.objects.filter(pk=deal_id).exists():
        return [problem("variant", ANOTHER, "This deal was named at another night.")]
    if Hand.objects.filter(pk=deal_id).exists():
        return [problem("variant", GONE, "This deal was played: its hand is saved.")]
    if not seated:
        return [problem("players", "no-players", "No players tonight yet. Add players first.")]
    return []


def _state(player: Player, table: Table, match: MatchStatus | None, may_win: set[str]) -> str:
    if match is None:
        return State.IN if player.name in may_win or not may_win else State.AWAY
    if player.name in table.sitting_out:
        return DealtPlayer.State.AWAY
    return DealtPlayer.State.FOLDED if player.name in match.out else DealtPlayer.State.IN


@transaction.atomic
def move_on(night: Night, deal_id: UUID, stage: int) -> Deal:
    """Advance from `stage` to the next one. A second tap at the same stage changes nothing.

    Players may declare at the table instead of on phones. Advancing past unrevealed declarations
    deletes them, and players who left stay folded. Raises RefusedError or NightClosedError.
    """
    deal = find_deal(night, deal_id)
    game = game_of(deal)
    if deal.stage != stage or stage + 1 >= len(game.stages):
        return deal
    if game.stage(stage)["kind"] == "declare" and deal.revealed_at is None:
        deal.players.update(declaration="", declared_by=None, cash_out=None)
    deal.stage += 1
    deal.save(update_fields=["stage"])
    if game.stage(deal.stage)["kind"] == "declare":
        notify_declarers(deal)
    return deal


@transaction.atomic
def change_game(
    night: Night, deal_id: UUID, modifiers: Sequence[str], options: Mapping[str, Any]
) -> Deal:
    """Change the variations and options of the named game.

    Raises RefusedError or NightClosedError.
    """
    deal = find_deal(night, deal_id)
    game = read_game(night, NamedGame(deal.variant, modifiers, options))
    note_change(deal, modifiers, options)
    deal.modifiers, deal.options = list(modifiers), dict(options)
    deal.stage = min(deal.stage, len(game.stages) - 1)
    deal.save(update_fields=["modifiers", "options", "announced_at", "changes", "stage"])
    return deal


@transaction.atomic
def drop(night: Night, deal_id: UUID) -> None:
    """Delete the deal and everything entered for it. Raises NightClosedError."""
    lock_and_bump_open(night)
    Deal.objects.filter(night=night, pk=deal_id).delete()


@transaction.atomic
def replace_game(
    night: Night, instead_of: UUID, deal_id: UUID, named: NamedGame, *, by: User
) -> Deal:
    """Cancel the open deal and name another game for the same dealer, once for each id.

    Raises the same errors as `name_game`.
    """
    lock_and_bump_open(night)
    current = open_deal(night)
    dealer = current.dealer if current else None
    if current and current.pk == instead_of:
        drop(night, instead_of)
    return name_game(night, deal_id, named, dealer=dealer, by=by)


def drop_any(night: Night) -> None:
    """Delete the night's open deal because the night ends. The caller has locked the night."""
    Deal.objects.filter(night=night).delete()


def close_deal(hand: Hand) -> None:
    """Store what a recorded hand's deal announced, and delete the deal.

    The caller has locked the night in a transaction.
    """
    if deal := Deal.objects.filter(night=hand.night_id, pk=hand.pk).first():
        keep_announcement(deal, hand)
        deal.delete()


def find_deal(night: Night, deal_id: UUID) -> Deal:
    """Lock the night and return its open deal. Raises RefusedError if the deal is over."""
    lock_and_bump_open(night)
    deal = open_deal(night)
    if deal is None or deal.pk != deal_id:
        raise RefusedError([problem("deal", GONE, "This deal is over.")])
    return deal


def reveal_if_all_have(deal: Deal, stage: Mapping[str, str]) -> None:
    """Reveal the declarations of this stage once all remaining players have declared.

    If they declared whether they stay in, fold the others. A later stage may have declarations too.
    """
    if stage["kind"] != "declare" or deal.revealed_at:
        return
    holding = [row for row in deal.players.all() if row.state in ("in", "all-in")]
    if not holding or not all(row.declaration for row in holding):
        return
    deal.stage += 1
    keep_undeclared_folded(deal)
    if STAYING in stage:
        rows = list(deal.players.exclude(declaration=""))
        for row in rows:
            if opened(row) == OUT:
                row.state = State.FOLDED if row.state in HOLDING else row.state
                row.cash_out = None
            row.declaration, row.declared_by = "", None
        deal.players.bulk_update(rows, ["state", "cash_out", "declaration", "declared_by"])
    else:
        deal.revealed_at = timezone.now()
    deal.save(update_fields=["revealed_at", "stage"])


def keep_undeclared_folded(deal: Deal) -> None:
    """Keep players who left without declaring folded, even if their cash-outs are undone.

    They would know what others declared.
    """
    deal.players.filter(declaration="").update(cash_out=None)


# Declared words.

PURPOSE = "declarations"
LENGTH = 300  # length of the encrypted text; padding hides the length of the declared word


def sealed(row: DealtPlayer, word: str) -> str:
    """Return the declared word, encrypted with the service's key and bound to this row."""
    return (
        cipher(PURPOSE).encrypt(f"{_encryption_context(row)}{word}".ljust(LENGTH).encode()).decode()
    )


def opened(row: DealtPlayer) -> str:
    """Return the declared word, or "" if it was sealed with another key or for another row."""
    try:
        text = cipher(PURPOSE).decrypt(row.declaration.encode()).decode().rstrip()
    except InvalidToken:
        return ""
    context = _encryption_context(row)
    return text.removeprefix(context) if text.startswith(context) else ""


def _encryption_context(row: DealtPlayer) -> str:
    return f"{row.deal_id} {row.player_id} "


# Player states.


@transaction.atomic
def set_state(
    night: Night,
    deal_id: UUID,
    player: Player,
    state: str,
    *,
    by: User | None,
    cash_out: CashOut | None = None,
) -> Deal:
    """Set the player's state to in, folded, mucked, all-in or away.

    In games where the last player must show, a fold after the last card is stored as a late fold.
    A player who is out has no cards. Those of a player who cashed out are kept until the deal ends.
    Raises RefusedError or NightClosedError.
    """
    deal = find_deal(night, deal_id)
    row = deal.players.filter(player=player).first()
    if row is None or state not in State.values:
        raise RefusedError([problem("state", "not-in", f"{player} is not in this hand.")])
    if row.state not in HOLDING and state in HOLDING:
        if deal.revealed_at and not row.declaration:
            text = "Other players have already declared."
            raise RefusedError([problem("state", "not-now", text)])
        if night.seats.filter(player=player, left_at__isnull=False).exists():
            raise RefusedError([problem("state", "not-in", f"{player} has left the night.")])
    game = game_of(deal)
    is_late = game.form["late_folds"] and deal.stage >= game.last_dealt
    row.state = State.LATE if state == State.FOLDED and is_late else state
    row.state_by, row.cash_out = by, cash_out
    row.save(update_fields=["state", "state_by", "cash_out"])
    if row.state not in HOLDING and cash_out is None:
        deal.shown.filter(player=player).delete()
    reveal_if_all_have(deal, game.stage(deal.stage))
    return deal


def rows_in_deal(night: Night) -> list[DealtPlayer]:
    """Return the players who are still in the night's open deal, or [] without a valid deal."""
    deal = open_deal(night) if night.state == Night.State.OPEN else None
    if deal is None or not is_playable(deal):
        return []
    return list(deal.players.filter(state__in=HOLDING).select_related("player"))


def fold_leaving(
    night: Night, player: Player, cash_out: CashOut | None, *, by: User | None
) -> None:
    """Fold the hand of a player who leaves during a deal.

    A player who is all in may still win, so this hand stays in. The caller has locked the night.
    """
    for row in rows_in_deal(night):
        if row.player == player and row.state == State.IN:
            set_state(night, row.deal_id, player, State.FOLDED, by=by, cash_out=cash_out)


def undo_leaving(cash_out: CashOut, *, by: User | None) -> None:
    """Give back the seat that this cash-out freed, and the hand that it folded in the open deal.

    The hand stays folded if the player has left again, or had not declared before others'
    declarations became known. The caller has locked the night.
    """
    night, player = cash_out.night, cash_out.player
    seats = night.seats.filter(player=player)
    if seats.filter(left_at=cash_out.made_at).exists():
        seat(night, player)
    for row in DealtPlayer.objects.filter(cash_out=cash_out).select_related("deal"):
        if is_playable(row.deal) and seats.filter(left_at=None).exists():
            set_state(night, row.deal_id, player, State.IN, by=by)


MOST_CHANGES = 50  # later changes of a deal replace the last one that is kept


def note_change(deal: Deal, modifiers: Sequence[str], options: Mapping[str, Any]) -> None:
    """Note that the options are about to change. The caller saves the deal.

    Until the deal advances past the stage of the first cards, a change is part of the announcement.
    """
    if (deal.modifiers, deal.options) == (list(modifiers), dict(options)):
        return
    now = timezone.now()
    if deal.stage <= game_of(deal).first_dealt:
        deal.announced_at = now
        return
    change = {
        "at": now.isoformat(),
        "step": deal.stage + 1,
        "modifiers": deal.modifiers,
        "options": deal.options,
    }
    deal.changes = [*deal.changes[: MOST_CHANGES - 1], change]


def keep_announcement(deal: Deal, hand: Hand) -> None:
    """Store the deal's announcement with its recorded hand."""
    Announcement.objects.create(
        hand=hand,
        variant=deal.variant,
        modifiers=deal.modifiers,
        options=deal.options,
        changes=deal.changes,
        announced_at=deal.announced_at or deal.made_at,
    )


def announcement_of(hand: Hand) -> Announcement | None:
    """Return the hand's announcement, or None if it was recorded without a live deal."""
    return Announcement.objects.filter(hand=hand).first()
