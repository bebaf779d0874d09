"""The rows of a league: people, seasons, nights, hands, money. Functions beside them write.

Each noun of `league` writes its own rows: `recording` alone writes hands, revisions, documents and
stale marks, `closing` what ends a night, `people` leagues and who is in them. Chips are whole
numbers; `chip_value` says what the smallest one is worth in the currency's minor unit.
"""

from league.models.access_tokens import FeedLink, Scope, Token
from league.models.audit_log import LogbookEntry
from league.models.charts import RenderedChart
from league.models.closing import CashOut, Closing, Count, Line, ReceiptLink
from league.models.deals import Deal, DealtPlayer, ShownCards
from league.models.games import HouseGame, HouseGameVersion, Odds
from league.models.hands import ConflictingRecord, GameDocument, Hand, HandLink, Revision, StaleMark
from league.models.jobs import ClosingJob, OutgoingMail
from league.models.journal import NO_LEAGUE, JournalEntry, JournalHead
from league.models.limits import (
    LONGEST_ADDRESS,
    LONGEST_CODE,
    LONGEST_GAME_NAME,
    LONGEST_NAME,
    LONGEST_ORIGIN,
    LONGEST_REASON,
    MOST_CHIPS,
)
from league.models.nights import BuyIn, ChipRequest, Night, Scoring, Season, Seat
from league.models.payments import Payment, PaymentStep, Plan, PlannedPayment
from league.models.people import (
    Corrections,
    Device,
    Erasure,
    Invitation,
    Inviters,
    Joined,
    JoinRequest,
    League,
    Leftover,
    Membership,
    PasswordLink,
    Player,
    Role,
    Settles,
    Uncounted,
    User,
)
from league.models.stats import (
    HandFact,
    Luck,
    Result,
    StatsState,
)
from league.models.tallies import (
    CallTally,
    DealerTally,
    DeclareTally,
    FlowTally,
    LuckTally,
    NightTally,
    PlayerTally,
    SeatTally,
)
from league.models.webhooks import (
    CHOSEN,
    Delivery,
    DeliveryTry,
    Event,
    EventKind,
    Webhook,
)

__all__ = [
    "CHOSEN",
    "LONGEST_ADDRESS",
    "LONGEST_CODE",
    "LONGEST_GAME_NAME",
    "LONGEST_NAME",
    "LONGEST_ORIGIN",
    "LONGEST_REASON",
    "MOST_CHIPS",
    "NO_LEAGUE",
    "BuyIn",
    "CallTally",
    "CashOut",
    "ChipRequest",
    "Closing",
    "ClosingJob",
    "ConflictingRecord",
    "Corrections",
    "Count",
    "Deal",
    "DealerTally",
    "DealtPlayer",
    "DeclareTally",
    "Delivery",
    "DeliveryTry",
    "Device",
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
    "Invitation",
    "Inviters",
    "JoinRequest",
    "Joined",
    "JournalEntry",
    "JournalHead",
    "League",
    "Leftover",
    "Line",
    "LogbookEntry",
    "Luck",
    "LuckTally",
    "Membership",
    "Night",
    "NightTally",
    "Odds",
    "OutgoingMail",
    "PasswordLink",
    "Payment",
    "PaymentStep",
    "Plan",
    "PlannedPayment",
    "Player",
    "PlayerTally",
    "ReceiptLink",
    "RenderedChart",
    "Result",
    "Revision",
    "Role",
    "Scope",
    "Scoring",
    "Season",
    "Seat",
    "SeatTally",
    "Settles",
    "ShownCards",
    "StaleMark",
    "StatsState",
    "Token",
    "Uncounted",
    "User",
    "Webhook",
]
