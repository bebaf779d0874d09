"""The rows of a league: people, seasons, nights, hands, money. Functions beside them write.

Each noun of `league` writes its own rows: `recording` alone writes hands, revisions, documents and
stale marks, `closing` what ends a night, `people` leagues and who is in them. Chips are whole
numbers; `chip_value` says what the smallest one is worth in the currency's minor unit.
"""

from league.models.access_tokens import FeedLink, Scope, Token
from league.models.audit_log import LogbookEntry
from league.models.charges import Charge, ChargeShare
from league.models.closing import CashOut, Closing, Count, Line, ReceiptLink
from league.models.deals import Deal, DealtPlayer, ShownCards
from league.models.games import Favourite, HouseGame, HouseGameVersion, Odds
from league.models.hands import ConflictingRecord, GameDocument, Hand, HandLink, Revision, StaleMark
from league.models.jobs import ClosingJob, OutgoingMail
from league.models.journal import NO_LEAGUE, JournalEntry, JournalHead
from league.models.limits import (
    LONGEST_ADDRESS,
    LONGEST_CODE,
    LONGEST_GAME_NAME,
    LONGEST_NAME,
    LONGEST_ORIGIN,
    LONGEST_PLACE,
    LONGEST_REASON,
    MOST_CHIPS,
)
from league.models.nights import BuyIn, ChipRequest, Night, Scoring, ScreenLink, Season, Seat
from league.models.notices import (
    Notice,
    NoticeChoice,
    Push,
    PushKey,
    PushSubscription,
)
from league.models.payments import (
    WAYS_TO_BE_PAID,
    Payment,
    PaymentMethod,
    PaymentStep,
    Plan,
    PlannedPayment,
)
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
from league.models.planned_nights import (
    MOST_SEATS,
    MOST_WEEKS_APART,
    Answer,
    AnswerLink,
    NightSeries,
    PlannedNight,
)
from league.models.stats.charts import RenderedChart
from league.models.stats.facts import (
    HandFact,
    Luck,
    Result,
    StatsState,
)
from league.models.stats.tallies import (
    CallTally,
    DealerTally,
    DeclareTally,
    FlowTally,
    LuckTally,
    NightTally,
    PlayerTally,
    SeatTally,
)
from league.models.tournaments.events import TournamentEvent
from league.models.tournaments.tournament import Tournament, TournamentQuerySet
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
    "LONGEST_PLACE",
    "LONGEST_REASON",
    "MOST_CHIPS",
    "MOST_SEATS",
    "MOST_WEEKS_APART",
    "NO_LEAGUE",
    "WAYS_TO_BE_PAID",
    "Answer",
    "AnswerLink",
    "BuyIn",
    "CallTally",
    "CashOut",
    "Charge",
    "ChargeShare",
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
    "Favourite",
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
    "NightSeries",
    "NightTally",
    "Notice",
    "NoticeChoice",
    "Odds",
    "OutgoingMail",
    "PasswordLink",
    "Payment",
    "PaymentMethod",
    "PaymentStep",
    "Plan",
    "PlannedNight",
    "PlannedPayment",
    "Player",
    "PlayerTally",
    "Push",
    "PushKey",
    "PushSubscription",
    "ReceiptLink",
    "RenderedChart",
    "Result",
    "Revision",
    "Role",
    "Scope",
    "Scoring",
    "ScreenLink",
    "Season",
    "Seat",
    "SeatTally",
    "Settles",
    "ShownCards",
    "StaleMark",
    "StatsState",
    "Token",
    "Tournament",
    "TournamentEvent",
    "TournamentQuerySet",
    "Uncounted",
    "User",
    "Webhook",
]
