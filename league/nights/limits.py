"""The league's limits on buy-ins. A buy-in may break them only with an explicit confirmation.

As in table stakes, the limits apply to the player's stack after the buy-in, not to the chips
bought. So a small top-up of a large stack is fine. Imports and the demo record past buy-ins, so
the limits don't apply to them.
"""

from collections.abc import Iterator

from league.common.errors import Problem, problem
from league.models import BuyIn, League, Night, Player, Seat
from league.nights.nights import stacks

CODE = "beyond-limits"


def has_limits(league: League) -> bool:
    """Return whether the league limits buy-ins."""
    return bool(league.least_buy_in or league.most_buy_in) or league.most_rebuys is not None


def broken_limits(night: Night, player: Player, chips: int) -> Iterator[Problem]:
    """Yield the league's limits that this buy-in would break. The caller has locked the night."""
    league = night.league
    if league.most_rebuys is not None:
        rows = BuyIn.objects.filter(night=night, player=player, posting__reversal=None)
        if rows.count() > league.most_rebuys:
            rebuys = "1 rebuy" if league.most_rebuys == 1 else f"{league.most_rebuys} rebuys"
            yield problem("chips", CODE, f"the league allows {rebuys} a night")
    if not (league.least_buy_in or league.most_buy_in):
        return
    seated = Seat.objects.filter(night=night, left_at=None).values_list("player", flat=True)
    held = stacks(night, {*seated, player.pk})
    after, most = max(held.pop(player.pk), 0) + chips, league.most_buy_in
    if after < league.least_buy_in:
        text = f"the stack would be {after:,} chips, and the minimum is {league.least_buy_in:,}"
        yield problem("chips", CODE, text)
    if most and league.match_biggest_stack:
        most = max([most, *held.values()])
    if most and after > most:
        text = f"the stack would be {after:,} chips, and the maximum is {most:,}"
        yield problem("chips", CODE, text)
