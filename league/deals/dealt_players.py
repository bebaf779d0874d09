"""Who is in a deal: fold, muck, go all in, or not dealt in after all."""

from uuid import UUID

from django.db import transaction

from league.common.errors import Refused, problem
from league.deals.open_deal import find_deal, reveal_if_all_have
from league.deals.rules_card import HOLDING, Game, game_of
from league.models import Deal, DealtPlayer, Night, Player, User

State = DealtPlayer.State


@transaction.atomic
def set_state(night: Night, deal_id: UUID, player: Player, state: str, *, by: User) -> Deal:
    """Say that the player is in, has folded, mucked or is all in; the others need not wait then.

    Who folds a game that the last player must show for, after the last card, has folded late.
    Raises Refused, NightClosed.
    """
    deal = find_deal(night, deal_id)
    row = deal.players.filter(player=player).first()
    if row is None or state not in State.values:
        raise Refused([problem("state", "not-in", f"{player} is not in this hand.")])
    if deal.revealed_at and row.state not in HOLDING and state in HOLDING and not row.declaration:
        raise Refused([problem("state", "not-now", "The others have declared already.")])
    game = game_of(deal)
    row.state, row.state_by = _meant(state, deal, game), by
    row.save(update_fields=["state", "state_by"])
    if row.state not in HOLDING:
        deal.shown.filter(player=player).delete()
    reveal_if_all_have(deal, game.stage(deal.stage)["kind"])
    return deal


def _meant(state: str, deal: Deal, game: Game) -> str:
    is_late = game.form["late_folds"] and deal.stage >= game.last_dealt
    return State.LATE if state == State.FOLDED and is_late else state
