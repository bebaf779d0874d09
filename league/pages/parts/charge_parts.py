"""The parts of a player's result in a closing that come from charges, by kind."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Charge

Kind = Charge.Kind
_NAMES = {
    Kind.STARTING_CASH: gettext_lazy("starting cash"),
    Kind.CASH_COUNT: gettext_lazy("cash box difference"),
    Kind.COST: gettext_lazy("costs"),
    Kind.TIP: gettext_lazy("costs"),
}


def charge_parts(charges: Iterable[Charge]) -> dict[UUID, list[tuple[int, str]]]:
    """Return each player's chips and their names. `charges` are those that were not undone.

    Tournaments are part of the net, so only the fund's share of their charges is included.
    """
    parts: dict[UUID, Counter[str]] = defaultdict(Counter)
    for charge in charges:
        name = str(_NAMES.get(Kind(charge.kind)) or _("side bets"))
        if charge.fund:
            name = _("season fund")
        if charge.kind != Kind.TOURNAMENT:
            for share in charge.shares.all():
                parts[share.player_id][name] += share.net
        if charge.keeper_id:
            parts[charge.keeper_id][name] += charge.fund
    return {
        player: [(chips, name) for name, chips in names.items() if chips]
        for player, names in parts.items()
    }
