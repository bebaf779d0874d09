"""The rows of a league: people, seasons, nights, hands. Plain; the functions beside them write.

`recording` alone writes hands, revisions, documents and stale marks; `house_games` the games of a
league; `rivals`, `devices`, `cashing`, `counts`, `closing`, `plans`, `paying`, `receipts`, `keys`,
`stats`, `drawing`, `webhooks`, `logbook` and `work` what their names say; `nights` and `leagues`
the rest.
Chips are whole numbers; `chip_value` says what the smallest one is worth in the currency's minor
unit.
"""

from league.models.closing import Closing, Line, ReceiptLink
from league.models.counting import CashOut, Count
from league.models.devices import Device
from league.models.drawings import Drawing
from league.models.erasing import Erasure
from league.models.games import HouseGame, HouseGameVersion, Odds
from league.models.hands import GameDocument, Hand, HandLink, Revision, StaleMark
from league.models.keys import FeedLink, Scope, Token
from league.models.limits import (
    LONGEST_ADDRESS,
    LONGEST_GAME_NAME,
    LONGEST_NAME,
    LONGEST_ORIGIN,
    LONGEST_REASON,
    MOST_CHIPS,
)
from league.models.logbook import LogbookEntry
from league.models.nights import BuyIn, Night, Scoring, Season, Seat
from league.models.paying import Payment, PaymentStep, Plan, PlannedPayment
from league.models.people import (
    Joined,
    League,
    Leftover,
    Membership,
    Player,
    Role,
    Settles,
    Uncounted,
    User,
)
from league.models.rivals import Rival
from league.models.stats import (
    CallTally,
    DealerTally,
    DeclareTally,
    FlowTally,
    HandFact,
    Luck,
    LuckTally,
    NightTally,
    PlayerTally,
    Result,
    SeatTally,
    StatsState,
)
from league.models.webhooks import (
    CHOSEN,
    Delivery,
    DeliveryTry,
    Event,
    EventKind,
    Webhook,
)
from league.models.work import ClosingJob, Letter

__all__ = [
    "CHOSEN",
    "LONGEST_ADDRESS",
    "LONGEST_GAME_NAME",
    "LONGEST_NAME",
    "LONGEST_ORIGIN",
    "LONGEST_REASON",
    "MOST_CHIPS",
    "BuyIn",
    "CallTally",
    "CashOut",
    "Closing",
    "ClosingJob",
    "Count",
    "DealerTally",
    "DeclareTally",
    "Delivery",
    "DeliveryTry",
    "Device",
    "Drawing",
    "Erasure",
    "Event",
    "EventKind",
    "FeedLink",
    "FlowTally",
    "GameDocument",
    "Hand",
    "HandFact",
    "HandLink",
    "HouseGame",
    "HouseGameVersion",
    "Joined",
    "League",
    "Leftover",
    "Letter",
    "Line",
    "LogbookEntry",
    "Luck",
    "LuckTally",
    "Membership",
    "Night",
    "NightTally",
    "Odds",
    "Payment",
    "PaymentStep",
    "Plan",
    "PlannedPayment",
    "Player",
    "PlayerTally",
    "ReceiptLink",
    "Result",
    "Revision",
    "Rival",
    "Role",
    "Scope",
    "Scoring",
    "Season",
    "Seat",
    "SeatTally",
    "Settles",
    "StaleMark",
    "StatsState",
    "Token",
    "Uncounted",
    "User",
    "Webhook",
]
