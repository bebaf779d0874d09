"""Values from the ledger, for comparison with the pages."""

from uuid import UUID

from league.models import Night, Player
from league.nights.nights import stacks


def chips() -> dict[str, int]:
    names: dict[UUID, str] = dict(Player.objects.values_list("pk", "name"))
    return {names[player]: held for player, held in stacks(Night.objects.get()).items()}
