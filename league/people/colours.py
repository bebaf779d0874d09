"""Player colours. A player's id determines the colour, so pages do not have to look it up."""

from collections import Counter
from uuid import UUID, uuid4

from league.models import League

COLOURS = 10  # --player-0 to --player-9 in tokens.css


def colour_of(player: UUID) -> int:
    """Return the number of the player's colour."""
    return player.int % COLOURS


def new_player_id(league: League) -> UUID:
    """Return a random id with one of the colours that the fewest players in the league have."""
    used = Counter(map(colour_of, league.players.values_list("pk", flat=True)))
    fewest = min(used[colour] for colour in range(COLOURS))
    return next(made for made in iter(uuid4, None) if used[colour_of(made)] == fewest)
