"""The rows of a league: people, seasons, nights, hands. Plain; the functions beside them write.

`recording` alone writes hands, revisions, documents and stale marks; `house_games` the games of a
league; `cashing`, `counts`, `closing`, `plans`, `paying`, `receipts` and `work` what their names
say; `nights` and `leagues` the rest. Chips are whole numbers; `chip_value` says what the smallest
one is worth in the currency's minor unit.
"""

from league.models.closing import Closing, Line, ReceiptLink
from league.models.counting import CashOut, Count
from league.models.games import HouseGame, HouseGameVersion, Odds
from league.models.hands import GameDocument, Hand, Revision, StaleMark
from league.models.limits import LONGEST_GAME_NAME, LONGEST_NAME, LONGEST_REASON, MOST_CHIPS
from league.models.nights import BuyIn, Night, Season, Seat
from league.models.paying import Payment, PaymentStep, Plan, PlannedPayment
from league.models.people import (
    League,
    Leftover,
    Membership,
    Player,
    Role,
    Settles,
    Uncounted,
    User,
)
from league.models.work import ClosingJob, Letter

__all__ = [
    "LONGEST_GAME_NAME",
    "LONGEST_NAME",
    "LONGEST_REASON",
    "MOST_CHIPS",
    "BuyIn",
    "CashOut",
    "Closing",
    "ClosingJob",
    "Count",
    "GameDocument",
    "Hand",
    "HouseGame",
    "HouseGameVersion",
    "League",
    "Leftover",
    "Letter",
    "Line",
    "Membership",
    "Night",
    "Odds",
    "Payment",
    "PaymentStep",
    "Plan",
    "PlannedPayment",
    "Player",
    "ReceiptLink",
    "Revision",
    "Role",
    "Season",
    "Seat",
    "Settles",
    "StaleMark",
    "Uncounted",
    "User",
]
