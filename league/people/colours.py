"""Player colours. A player's id determines the colour, so pages do not have to look it up."""

from collections import Counter
from uuid import UUID, uuid4

from league.models import League

COLOURS = 10  # --player-0 to --player-9 in tokens.css


def colour_of(player: UUID) -> int:
    """Return the number of the player's colour."""
    return player.int % COLOURS


def new_player_id(league: League, key: UUID | None = None) -> UUID:
    """Return an id with one of the colours that the fewest players in the league have.

    It is random, or one of the `COLOURS` ids that belong to the key. If one of these is a player's
    id, it is returned again.
    """
    made = key or uuid4()
    first = made.int - colour_of(made)
    ids = [UUID(int=first + colour) for colour in range(COLOURS)]
    players = set(league.players.values_list("pk", flat=True))
    used = Counter(map(colour_of, players))
    known = [each for each in ids if each in players]
    return known[0] if known else min(ids, key=lambda each: used[colour_of(each)])
