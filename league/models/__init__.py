"""The rows of a league: people, seasons, nights, hands. Plain; the functions beside them write.

`recording` alone writes hands, revisions, documents and stale marks; `house_games` the games of a
league; `nights` and `leagues` the rest. Chips are whole numbers; `chip_value` says what the
smallest one is worth in the currency's minor unit.
"""

from league.models.games import HouseGame, HouseGameVersion, Odds
from league.models.hands import GameDocument, Hand, Revision, StaleMark
from league.models.limits import LONGEST_GAME_NAME, LONGEST_NAME, LONGEST_REASON, MOST_CHIPS
from league.models.nights import BuyIn, Night, Season, Seat
from league.models.people import League, Membership, Player, Role, User

__all__ = [
    "LONGEST_GAME_NAME",
    "LONGEST_NAME",
    "LONGEST_REASON",
    "MOST_CHIPS",
    "BuyIn",
    "GameDocument",
    "Hand",
    "HouseGame",
    "HouseGameVersion",
    "League",
    "Membership",
    "Night",
    "Odds",
    "Player",
    "Revision",
    "Role",
    "Season",
    "Seat",
    "StaleMark",
    "User",
]
