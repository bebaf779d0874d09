"""The URLs of the API."""

from django.urls import URLPattern, URLResolver, path, re_path

from api import seasons
from api.feeds import urls as feeds
from api.feeds.dictionary import Feeds
from api.games import catalog, house_games, odds
from api.hands import conflicts, imports, objections, sentences, views, what_if
from api.http import resource
from api.leagues import house_rules, leagues, ledger, members, players, webhooks
from api.mcp.views import Assistant
from api.nights import (
    charges,
    chip_exchange,
    chip_requests,
    closing,
    nights,
    payments,
    planned_nights,
    receipts,
    tournaments,
)
from api.openapi import reference
from api.streams.league_stream import LeagueStream

app_name = "api"
WEBHOOK = "leagues/<uuid:league_id>/webhooks/<uuid:webhook_id>"
JOIN_REQUEST = "leagues/<uuid:league_id>/join-requests/<uuid:request_id>"
CHIP_REQUEST = "nights/<uuid:night_id>/chip-requests/<uuid:request_id>"
urlpatterns: list[URLPattern | URLResolver] = [
    # URLs are matched in this order, so the most frequently requested ones come first.
    path("nights/<uuid:night_id>/hands", views.NightHands.as_view(), name="night-hands"),
    path("nights/<uuid:night_id>/hands/batch", views.NightBatch.as_view(), name="night-batch"),
    path("hands", views.Hands.as_view(), name="hands"),
    *feeds.urlpatterns,
    path("leagues/<uuid:league_id>/stream", LeagueStream.as_view(), name="league-stream"),
    path("leagues", leagues.Leagues.as_view(), name="leagues"),
    path("leagues/<uuid:league_id>", leagues.LeagueDetail.as_view(), name="league"),
    path("leagues/<uuid:league_id>/members", members.Members.as_view(), name="members"),
    path(
        "leagues/<uuid:league_id>/members/<int:member_id>",
        members.MemberDetail.as_view(),
        name="member",
    ),
    path("leagues/<uuid:league_id>/devices", members.Devices.as_view(), name="devices"),
    path(
        "leagues/<uuid:league_id>/devices/<int:device_id>/sign-out",
        members.DeviceSignOut.as_view(),
        name="sign-out-device",
    ),
    path("leagues/<uuid:league_id>/activity", leagues.ActivityLog.as_view(), name="activity"),
    path(
        "leagues/<uuid:league_id>/house-rules",
        house_rules.HouseRules.as_view(),
        name="house-rules",
    ),
    path("leagues/<uuid:league_id>/join-code", members.LeagueCode.as_view(), name="new-code"),
    path(
        "leagues/<uuid:league_id>/invitations",
        members.Invitations.as_view(),
        name="invitations",
    ),
    path(
        "leagues/<uuid:league_id>/invitations/<uuid:invitation_id>",
        members.InvitationDetail.as_view(),
        name="end-invitation",
    ),
    path("invitations/<str:token>", members.Invited.as_view(), name="invited"),
    path(
        "leagues/<uuid:league_id>/join-requests",
        members.JoinRequests.as_view(),
        name="join-requests",
    ),
    path(f"{JOIN_REQUEST}/accept", members.JoinRequestAccept.as_view(), name="let-in"),
    path(f"{JOIN_REQUEST}/decline", members.JoinRequestDecline.as_view(), name="turn-away"),
    path("join/<str:code>", members.Join.as_view(), name="join"),
    path("leagues/<uuid:league_id>/players", players.Players.as_view(), name="players"),
    path("leagues/<uuid:league_id>/seasons", seasons.Seasons.as_view(), name="seasons"),
    path("leagues/<uuid:league_id>/nights", nights.LeagueNights.as_view(), name="league-nights"),
    path("leagues/<uuid:league_id>/accounts", ledger.Accounts.as_view(), name="accounts"),
    path(
        "leagues/<uuid:league_id>/accounts/<str:key>",
        ledger.AccountDetail.as_view(),
        name="account",
    ),
    path("leagues/<uuid:league_id>/transfers", ledger.Transfers.as_view(), name="transfers"),
    path("leagues/<uuid:league_id>/imports", imports.Imports.as_view(), name="imports"),
    path(
        "leagues/<uuid:league_id>/season-file",
        seasons.LeagueSeasonFile.as_view(),
        name="read-season",
    ),
    path(
        "leagues/<uuid:league_id>/house-games", house_games.HouseGames.as_view(), name="house-games"
    ),
    path(
        "leagues/<uuid:league_id>/house-games/<slug:slug>",
        house_games.HouseGameDetail.as_view(),
        name="house-game",
    ),
    path(
        "leagues/<uuid:league_id>/house-games/<slug:slug>/odds",
        odds.HouseGameOdds.as_view(),
        name="house-game-odds",
    ),
    path(
        "leagues/<uuid:league_id>/house-games/<slug:slug>/retire",
        house_games.HouseGameRetire.as_view(),
        name="retire-game",
    ),
    path("players/<uuid:player_id>", players.PlayerDetail.as_view(), name="player"),
    path("players/<uuid:player_id>/release", players.PlayerRelease.as_view(), name="release"),
    path("seasons/<uuid:season_id>", seasons.SeasonDetail.as_view(), name="season"),
    path("seasons/<uuid:season_id>/standings", seasons.Standings.as_view(), name="standings"),
    path(
        "seasons/<uuid:season_id>/achievements",
        seasons.Achievements.as_view(),
        name="achievements",
    ),
    path("seasons/<uuid:season_id>/table", seasons.FinalTable.as_view(), name="final-table"),
    path(
        "seasons/<uuid:season_id>/payment-plans", seasons.SeasonPlans.as_view(), name="season-plans"
    ),
    path("seasons/<uuid:season_id>/file", seasons.SeasonFile.as_view(), name="season-file"),
    path("nights", nights.Nights.as_view(), name="nights"),
    path("nights/<uuid:night_id>", nights.NightDetail.as_view(), name="night"),
    path("nights/<uuid:night_id>/seats", nights.NightSeats.as_view(), name="night-seats"),
    path("nights/<uuid:night_id>/leave-notice", nights.LeaveNotice.as_view(), name="leave-notice"),
    path(
        "nights/<uuid:night_id>/buy-ins", chip_exchange.NightBuyIns.as_view(), name="night-buy-ins"
    ),
    path(
        "nights/<uuid:night_id>/cash-outs",
        chip_exchange.NightCashOuts.as_view(),
        name="night-cash-outs",
    ),
    path(
        "nights/<uuid:night_id>/buy-ins/<uuid:buy_in_id>/void",
        chip_exchange.BuyInVoid.as_view(),
        name="void-buy-in",
    ),
    path(
        "nights/<uuid:night_id>/cash-outs/<uuid:cash_out_id>/void",
        chip_exchange.CashOutVoid.as_view(),
        name="void-cash-out",
    ),
    path("nights/<uuid:night_id>/charges", charges.NightCharges.as_view(), name="night-charges"),
    path(
        "nights/<uuid:night_id>/charges/<uuid:charge_id>/void",
        charges.ChargeVoid.as_view(),
        name="void-charge",
    ),
    path("nights/<uuid:night_id>/side-bets", charges.SideBets.as_view(), name="side-bets"),
    path(
        "nights/<uuid:night_id>/tournaments",
        tournaments.NightTournaments.as_view(),
        name="night-tournaments",
    ),
    *(
        path(f"nights/<uuid:night_id>/tournaments/<uuid:tournament_id>{below}", view, name=name)
        for below, view, name in (
            ("", tournaments.TournamentDetail.as_view(), "tournament"),
            ("/events", tournaments.TournamentEvents.as_view(), "tournament-events"),
            ("/seats", tournaments.TournamentSeats.as_view(), "tournament-seats"),
            ("/clock", tournaments.TournamentClock.as_view(), "tournament-clock"),
            ("/end", tournaments.TournamentEnd.as_view(), "tournament-end"),
            ("/deals", tournaments.TournamentDeals.as_view(), "tournament-deals"),
        )
    ),
    path(
        "leagues/<uuid:league_id>/planned-nights",
        planned_nights.PlannedNights.as_view(),
        name="planned-nights",
    ),
    path(
        "leagues/<uuid:league_id>/night-series",
        planned_nights.LeagueNightSeries.as_view(),
        name="night-series",
    ),
    path(
        "night-series/<uuid:series_id>",
        planned_nights.NightSeriesDetail.as_view(),
        name="one-series",
    ),
    path(
        "planned-nights/<uuid:planned_night_id>",
        planned_nights.PlannedNightDetail.as_view(),
        name="planned-night",
    ),
    path(
        "planned-nights/<uuid:planned_night_id>/answers",
        planned_nights.PlannedNightAnswers.as_view(),
        name="night-answers",
    ),
    path(
        "nights/<uuid:night_id>/chip-requests",
        chip_requests.NightChipRequests.as_view(),
        name="chip-requests",
    ),
    path(CHIP_REQUEST, chip_requests.ChipRequestDetail.as_view(), name="chip-request"),
    path(f"{CHIP_REQUEST}/accept", chip_requests.ChipRequestAccept.as_view(), name="accept-chips"),
    path(
        f"{CHIP_REQUEST}/decline", chip_requests.ChipRequestDecline.as_view(), name="decline-chips"
    ),
    path(
        f"{CHIP_REQUEST}/withdraw",
        chip_requests.ChipRequestWithdraw.as_view(),
        name="withdraw-chips",
    ),
    path("nights/<uuid:night_id>/chip-counts", closing.NightCounts.as_view(), name="night-counts"),
    path("nights/<uuid:night_id>/check", views.NightHandCheck.as_view(), name="night-check"),
    path(
        "nights/<uuid:night_id>/sentence", sentences.NightSentence.as_view(), name="night-sentence"
    ),
    path("nights/<uuid:night_id>/closing", closing.NightClosing.as_view(), name="night-closing"),
    path(
        "nights/<uuid:night_id>/closing/check", closing.ClosingCheck.as_view(), name="check-closing"
    ),
    path("nights/<uuid:night_id>/reopen", closing.NightReopen.as_view(), name="night-reopen"),
    path("nights/<uuid:night_id>/payment-plans", payments.NightPlans.as_view(), name="night-plans"),
    path("nights/<uuid:night_id>/receipt", receipts.NightReceipt.as_view(), name="night-receipt"),
    path(
        "nights/<uuid:night_id>/receipt/links",
        receipts.NightReceiptLinks.as_view(),
        name="night-receipt-links",
    ),
    path(
        "nights/<uuid:night_id>/receipt.csv",
        receipts.NightReceiptSheet.as_view(),
        name="night-receipt-csv",
    ),
    path("receipts/<str:token>.csv", receipts.SharedReceiptSheet.as_view(), name="receipt-csv"),
    path("receipts/<str:token>", receipts.SharedReceipt.as_view(), name="receipt"),
    path("hands/<uuid:hand_id>", views.HandDetail.as_view(), name="hand"),
    path("hands/<uuid:hand_id>/revisions", views.HandRevisions.as_view(), name="hand-revisions"),
    path("hands/<uuid:hand_id>/check", views.HandCheck.as_view(), name="hand-check"),
    path("hands/<uuid:hand_id>/void", views.HandVoid.as_view(), name="hand-void"),
    path("hands/<uuid:hand_id>/undo", views.HandUndo.as_view(), name="undo-hand"),
    path("hands/<uuid:hand_id>/replay", views.HandReplay.as_view(), name="hand-replay"),
    path("hands/<uuid:hand_id>/replay/links", views.HandLinks.as_view(), name="hand-links"),
    path("hands/<uuid:hand_id>/conflicts", conflicts.HandConflicts.as_view(), name="conflicts"),
    path("hands/<uuid:hand_id>/what-if", what_if.HandWhatIf.as_view(), name="what-if"),
    path("hands/<uuid:hand_id>/objections", objections.HandObjections.as_view(), name="objections"),
    path(
        "objections/<uuid:objection_id>/answer",
        objections.ObjectionAnswerDetail.as_view(),
        name="answer-objection",
    ),
    path("hands/<uuid:hand_id>/keep", conflicts.HandKeep.as_view(), name="keep-hand"),
    path(
        "conflicts/<uuid:conflict_id>/accept",
        conflicts.ConflictAccept.as_view(),
        name="accept-conflict",
    ),
    path(
        "conflicts/<uuid:conflict_id>/separate",
        conflicts.ConflictSeparate.as_view(),
        name="separate-conflict",
    ),
    path("payment-plans/<uuid:plan_id>", payments.PlanDetail.as_view(), name="plan"),
    path(
        "payment-plans/<uuid:plan_id>/payments",
        payments.PlanPayments.as_view(),
        name="plan-payments",
    ),
    path("payments/<uuid:payment_id>", payments.PaymentDetail.as_view(), name="payment"),
    path("payments/<uuid:payment_id>/confirm", payments.PaymentConfirm.as_view(), name="confirm"),
    path("payments/<uuid:payment_id>/dispute", payments.PaymentDispute.as_view(), name="dispute"),
    path(
        "payments/<uuid:payment_id>/withdraw",
        payments.PaymentWithdraw.as_view(),
        name="withdraw-payment",
    ),
    path("leagues/<uuid:league_id>/webhooks", webhooks.Webhooks.as_view(), name="webhooks"),
    path(WEBHOOK, webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{WEBHOOK}/rotate", webhooks.WebhookRotate.as_view(), name="rotate-webhook"),
    path(f"{WEBHOOK}/enable", webhooks.WebhookEnable.as_view(), name="enable-webhook"),
    path(f"{WEBHOOK}/retire", webhooks.WebhookRetire.as_view(), name="retire-webhook"),
    path(f"{WEBHOOK}/ping", webhooks.WebhookPing.as_view(), name="ping-webhook"),
    path(f"{WEBHOOK}/deliveries", webhooks.WebhookDeliveries.as_view(), name="deliveries"),
    path(
        f"{WEBHOOK}/deliveries/resend",
        webhooks.WebhookResendPeriod.as_view(),
        name="resend-deliveries",
    ),
    path(
        f"{WEBHOOK}/deliveries/<uuid:delivery_id>/resend",
        webhooks.WebhookResend.as_view(),
        name="resend-delivery",
    ),
    path("feeds", Feeds.as_view(), name="feeds"),
    path("games/check", catalog.GameCheck.as_view(), name="check-game"),
    path("games/schema", catalog.GameSchema.as_view(), name="game-schema"),
    path("games", catalog.Games.as_view(), name="games"),
    path("games/<slug:slug>/odds", odds.GameOdds.as_view(), name="game-odds"),
    path("games/<slug:slug>", catalog.GameDetail.as_view(), name="game"),
    path("settle", views.Settle.as_view(), name="settle"),
    path("mcp", Assistant.as_view(), name="mcp"),
    path("schema", reference.Schema.as_view(), name="schema"),
    path("reference", reference.Reference.as_view(), name="reference"),
    # Unlike <path:...>, this also matches newlines.
    re_path(r"^[\s\S]+$", resource.NoSuchAddress.as_view(), name="nothing"),
]
