"""Players' declarations, which are stored encrypted and revealed together.

A declaration is locked when it is made. Until all remaining players have declared, only the player
can see it, and no user can change it. Then `Deal.revealed_at` is set. The exception is a
declaration that another user entered: the player may replace it. If another account takes over the
player's name, it can neither see nor replace earlier declarations.

`revealed_declarations` does not decrypt declarations before that. The database and backups contain
only encrypted text. If the players have declared whether they stay in, those who are out are folded
instead, and the declarations are deleted.

If players declare in turn, all users see each declaration as soon as it is made. The last player
who raised declares first. The service has no record of the raises, so any player may be first. The
others follow in seat order.
"""

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.db import transaction

from league.common.errors import RefusedError, problem
from league.deals.open_deal import (
    find_deal,
    keep_undeclared_folded,
    opened,
    reveal_if_all_have,
    sealed,
)
from league.deals.table import HOLDING, Game, game_of
from league.models import Deal, DealtPlayer, Night, Player, User


@transaction.atomic
def declare(night: Night, deal_id: UUID, player: Player, word: str, *, by: User) -> Deal:
    """Store and lock the player's declaration.

    The player's own declaration replaces one that another user entered. Raises RefusedError if the
    player can't declare now or has already declared, or if the word is unknown.
    """
    deal = find_deal(night, deal_id)
    game = game_of(deal)
    stage = game.stage(deal.stage)
    row = deal.players.filter(player=player).first()
    if row is None or row.state not in HOLDING:
        raise _refused("not-in", f"{player} is not in this hand.")
    if stage["kind"] != "declare" or deal.revealed_at:
        raise _refused("not-now", "You can't declare now.")
    seats = list(deal.players.select_related("player"))
    replaces = may_replace(row, by.pk, seats, in_turn=is_in_turn(deal, game))
    if row.declaration and not replaces:
        raise _refused("locked", f"{player} has already declared.")
    if word not in game.declarations(deal.stage):
        raise _refused("unknown-declaration", "Choose what to declare.")
    if is_in_turn(deal, game):
        turn = next_to_declare(seats)
        if turn not in (None, row) and not replaces:
            raise _refused("not-your-turn", f"{turn.player} declares next.")
    row.declaration, row.declared_by = sealed(row, word), by
    row.save(update_fields=["declaration", "declared_by"])
    if is_in_turn(deal, game):
        keep_undeclared_folded(deal)
    reveal_if_all_have(deal, stage)
    return deal


@transaction.atomic
def restart_declarations(night: Night, deal_id: UUID) -> Deal:
    """Delete all unrevealed declarations, which requires all players to declare again."""
    deal = find_deal(night, deal_id)
    if deal.revealed_at is None:
        deal.players.update(declaration="", declared_by=None)
    return deal


def is_in_turn(deal: Deal, game: Game) -> bool:
    """Return whether players are declaring in turn at this stage."""
    return game.stage(deal.stage).get("order") == "in turn"


def next_to_declare(rows: Iterable[DealtPlayer]) -> DealtPlayer | None:
    """Return the player who has to declare next, or None before the first declaration."""
    turns = _turns(rows)
    return next((after for row, after in turns if row.declaration and not after.declaration), None)


def _turns(rows: Iterable[DealtPlayer]) -> Iterator[tuple[DealtPlayer, DealtPlayer]]:
    """Yield each player who holds cards with the player who declares next."""
    holding = sorted((row for row in rows if row.state in HOLDING), key=lambda row: row.position)
    return zip(holding, holding[1:] + holding[:1], strict=True)


def may_replace(
    row: DealtPlayer, user: int | None, rows: Iterable[DealtPlayer], *, in_turn: bool
) -> bool:
    """Return whether the user may replace a declaration that another user entered for them.

    In turn, it can't be replaced once the next of the deal's `rows` has declared.
    """
    own = user is not None and row.player.user_id == user
    if not own or not row.declaration or row.declared_by_id in (None, user):
        return False
    return not in_turn or not any(one == row and after.declaration for one, after in _turns(rows))


def revealed_declarations(deal: Deal, *, in_turn: bool = False) -> dict[UUID, str]:
    """Return each player's declaration, or {} before the declarations are revealed.

    Declarations made in turn are never hidden.
    """
    if deal.revealed_at is None and not in_turn:
        return {}
    words = {row.player_id: opened(row) for row in deal.players.exclude(declaration="")}
    return {player: word for player, word in words.items() if word}


def _refused(code: str, text: str) -> RefusedError:
    return RefusedError([problem("declared", code, text)])
