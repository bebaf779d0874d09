"""The addresses of the pages."""

from allauth.account import views as account
from django.urls import URLPattern, URLResolver, path

from league.pages import imports as import_views
from league.pages import notices
from league.pages import offline as offline_views
from league.pages.account import overview, password, sign_in, urls
from league.pages.charges import views as charge_views
from league.pages.deals import choose, own_cards
from league.pages.deals import views as deal_views
from league.pages.games import catalog, finder, house_games
from league.pages.hands import hand, replay
from league.pages.leagues import (
    activity_log,
    api_keys,
    chat,
    devices,
    invitations,
    join,
    league,
    settings,
    webhooks,
)
from league.pages.nights import (
    chip_count,
    chip_requests,
    close,
    live_updates,
    night,
    receipt,
    screen,
)
from league.pages.payments import own_methods_page, views
from league.pages.planned_nights import by_link
from league.pages.planned_nights import views as plan_views
from league.pages.record import conflicts
from league.pages.record import views as record_views
from league.pages.seasons import profiles, recap, season, season_charts
from league.pages.tournaments import views as tournament_views

CHIP_REQUEST = "nights/<uuid:night_id>/requests/<uuid:request_id>"
TOURNAMENT = "nights/<uuid:night_id>/tournaments/<uuid:tournament_id>"
PLANNED = "planned-nights/<uuid:planned_night_id>"
KNOCKING = "leagues/<uuid:league_id>/join-requests/<uuid:request_id>"
CHANNEL = "leagues/<uuid:league_id>/chat/<uuid:channel_id>"
WEBHOOK = "leagues/<uuid:league_id>/webhooks/<uuid:webhook_id>"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", sign_in.home, name="home"),
    path("sign-up", sign_in.sign_up, name="sign-up"),
    path("sign-in", urls.form(account.login), name="sign-in"),
    path("looks", overview.looks, name="looks"),
    path("account", overview.account, name="account"),
    path("account/file", overview.own_file, name="own-file"),
    path("account/paid", own_methods_page.own_methods, name="payment-methods"),
    path("account/paid/<int:number>/up", own_methods_page.up, name="move-payment-method"),
    path("account/paid/<int:number>/remove", own_methods_page.remove, name="remove-payment-method"),
    path("account/notices", notices.notices, name="notices"),
    path("account/notices/phones", notices.add, name="add-push"),
    path("account/notices/phones/renewal", notices.renewal, name="renew-push"),
    path("account/notices/phones/<int:number>/end", notices.end, name="end-push"),
    path("sign-out", sign_in.sign_out, name="sign-out"),
    path("leagues/new", league.new_league, name="new-league"),
    path("leagues/<uuid:league_id>", league.league, name="league"),
    path("leagues/<uuid:league_id>/seals", league.seals, name="seals"),
    path("leagues/<uuid:league_id>/import", import_views.bring, name="import"),
    path(
        "leagues/<uuid:league_id>/imports/<uuid:job_id>",
        import_views.import_job,
        name="import-job",
    ),
    path("leagues/<uuid:league_id>/players", league.player, name="add-player"),
    path("leagues/<uuid:league_id>/nights/new", night.new_night, name="new-night"),
    path("leagues/<uuid:league_id>/planned-nights", plan_views.plan_night, name="plan-night"),
    path("leagues/<uuid:league_id>/series", plan_views.plan_series, name="plan-series"),
    path("series/<uuid:series_id>/end", plan_views.end_series, name="end-series"),
    path(PLANNED, plan_views.planned_night, name="planned-night"),
    path(f"{PLANNED}/answer", plan_views.answer, name="answer-night"),
    path(f"{PLANNED}/answers", plan_views.answer_of_other, name="answer-for-other"),
    path(f"{PLANNED}/change", plan_views.change, name="change-planned-night"),
    path(f"{PLANNED}/cancel", plan_views.cancel, name="cancel-night"),
    path(f"{PLANNED}/start", plan_views.start, name="start-planned-night"),
    path(f"{PLANNED}/links", plan_views.share, name="share-answers"),
    path(f"{PLANNED}/links/end", plan_views.unshare, name="unshare-answers"),
    path("answers/<str:token>", by_link.answers, name="answers"),
    path(
        "answers/<str:token>/<uuid:planned_night_id>",
        by_link.answer,
        name="answer-by-link",
    ),
    path("nights/<uuid:night_id>", night.night, name="night"),
    path("nights/<uuid:night_id>/buy-ins", night.buy_in, name="buy-in"),
    path("nights/<uuid:night_id>/counter/<uuid:done_id>/undo", chip_count.undo, name="undo"),
    path(f"{CHIP_REQUEST}/accept", chip_requests.yes, name="accept-chips"),
    path(f"{CHIP_REQUEST}/decline", chip_requests.no, name="decline-chips"),
    path(f"{CHIP_REQUEST}/withdraw", chip_requests.take_back, name="withdraw-chips"),
    path("nights/<uuid:night_id>/seats", night.seat, name="take-seat"),
    path("nights/<uuid:night_id>/guests", night.guest, name="seat-guest"),
    path("players/<uuid:player_id>/release", league.release, name="release"),
    path("nights/<uuid:night_id>/leave", chip_count.leave, name="leave"),
    path("nights/<uuid:night_id>/count", chip_count.count, name="count"),
    path("nights/<uuid:night_id>/count/check", chip_count.check_count, name="check-count"),
    path("nights/<uuid:night_id>/close", close.close, name="close"),
    path("nights/<uuid:night_id>/close/check", close.check_close, name="check-close"),
    path("nights/<uuid:night_id>/reopen", close.reopen, name="reopen"),
    path("nights/<uuid:night_id>/tournaments", tournament_views.tournaments, name="tournaments"),
    path("nights/<uuid:night_id>/tournaments/new", tournament_views.new, name="new-tournament"),
    path(TOURNAMENT, tournament_views.tournament, name="tournament"),
    path(f"{TOURNAMENT}/change", tournament_views.change, name="change-tournament"),
    path(f"{TOURNAMENT}/events", tournament_views.happens, name="tournament-event"),
    path(
        f"{TOURNAMENT}/events/<uuid:event_id>/undo",
        tournament_views.undo,
        name="undo-tournament-event",
    ),
    path(f"{TOURNAMENT}/clock", tournament_views.clock, name="tournament-clock"),
    path(f"{TOURNAMENT}/seats", tournament_views.seats, name="tournament-seats"),
    path(f"{TOURNAMENT}/end", tournament_views.end, name="end-tournament"),
    path(f"{TOURNAMENT}/go-on", tournament_views.go_on, name="reopen-tournament"),
    path(f"{TOURNAMENT}/call-off", tournament_views.call_off, name="call-off-tournament"),
    path("nights/<uuid:night_id>/charges", charge_views.charges, name="charges"),
    path("nights/<uuid:night_id>/charges/costs", charge_views.cost, name="add-cost"),
    path("nights/<uuid:night_id>/charges/prizes", charge_views.prize, name="pay-prize"),
    path("nights/<uuid:night_id>/charges/bets/<uuid:bet_id>", charge_views.bet, name="charge-bet"),
    path(
        "nights/<uuid:night_id>/charges/<uuid:charge_id>/undo",
        charge_views.undo,
        name="undo-charge",
    ),
    path("nights/<uuid:night_id>/payments", views.payments, name="payments"),
    path("planned/<int:planned_id>/promise", views.promise, name="promise"),
    path("planned/<int:planned_id>/receive", views.receive, name="receive"),
    path("payments/<uuid:payment_id>/confirm", views.confirm, name="confirm"),
    path("payments/<uuid:payment_id>/dispute", views.dispute, name="dispute"),
    path("payments/<uuid:payment_id>/take-back", views.take_back, name="take-back"),
    path("nights/<uuid:night_id>/recap.png", receipt.recap_picture, name="night-picture"),
    path("nights/<uuid:night_id>/receipt", receipt.own_receipt, name="receipt"),
    path("nights/<uuid:night_id>/receipt.csv", receipt.own_receipt_csv, name="receipt-csv"),
    path("nights/<uuid:night_id>/receipt.json", receipt.own_receipt_file, name="receipt-file"),
    path("nights/<uuid:night_id>/receipt/share", receipt.share_receipt, name="share-receipt"),
    path("nights/<uuid:night_id>/receipt/unshare", receipt.unshare_receipt, name="unshare-receipt"),
    path("receipts/<str:token>.csv", receipt.shared_receipt_csv, name="shared-receipt-csv"),
    path("receipts/<str:token>.json", receipt.shared_receipt_file, name="shared-receipt-file"),
    path("receipts/<str:token>", receipt.shared_receipt, name="shared-receipt"),
    path("nights/<uuid:night_id>/screen", screen.own_screen, name="screen"),
    path("nights/<uuid:night_id>/screen/share", screen.share, name="share-screen"),
    path("nights/<uuid:night_id>/screen/unshare", screen.unshare, name="unshare-screen"),
    path("screens/<str:token>", screen.shared, name="shared-screen"),
    path("screens/<str:token>/pulse", screen.pulse, name="screen-pulse"),
    path("seasons/<uuid:season_id>", season.season, name="season"),
    path("seasons/<uuid:season_id>/recap", recap.recap, name="recap"),
    path("seasons/<uuid:season_id>/recap.png", recap.picture, name="recap-picture"),
    path("seasons/<uuid:season_id>/file", season.send, name="season-file"),
    path("leagues/<uuid:league_id>/season-file", season.take, name="take-season"),
    path("leagues/<uuid:league_id>/stats", season.stats, name="stats"),
    path("leagues/<uuid:league_id>/stats/game", profiles.game, name="game-stats"),
    path("players/<uuid:player_id>", profiles.player, name="player"),
    path("leagues/<uuid:league_id>/charts/<str:digest>", season_charts.chart, name="chart"),
    path(
        "leagues/<uuid:league_id>/charts/<str:digest>/<slug:look>.svg",
        season_charts.picture,
        name="chart-picture",
    ),
    path("seasons/<uuid:season_id>/settle", views.settle, name="settle-season"),
    path("invitations/<str:token>", join.invited, name="invitation"),
    path("wait", join.wait, name="wait"),
    path("leagues/<uuid:league_id>/invitations", invitations.invite, name="invite"),
    path(
        "leagues/<uuid:league_id>/invitations/<uuid:invitation_id>/end",
        invitations.end_invitation,
        name="end-invitation",
    ),
    path(f"{KNOCKING}/accept", invitations.let_in, name="let-in"),
    path(f"{KNOCKING}/decline", invitations.turn_away, name="turn-away"),
    path("join", join.enter_code, name="join"),
    path("join/<str:code>", join.pick_name, name="pick-name"),
    path("leagues/<uuid:league_id>/chat", chat.overview, name="chat"),
    path(f"{CHANNEL}/test", chat.test, name="test-chat"),
    path(f"{CHANNEL}/end", chat.end, name="end-chat"),
    path(f"{CHANNEL}/posts/<uuid:post_id>", chat.send_again, name="send-chat-again"),
    path("leagues/<uuid:league_id>/webhooks", webhooks.overview, name="webhooks"),
    path(WEBHOOK, webhooks.detail, name="webhook"),
    path(f"{WEBHOOK}/rotate", webhooks.rotate, name="rotate-webhook"),
    path(f"{WEBHOOK}/deliveries/span", webhooks.redeliver_span, name="redeliver-span"),
    path(f"{WEBHOOK}/deliveries/<uuid:delivery_id>", webhooks.redeliver, name="redeliver"),
    path(f"{WEBHOOK}/<slug:action>", webhooks.act, name="act-on-webhook"),
    path("leagues/<uuid:league_id>/options", settings.options, name="options"),
    path("leagues/<uuid:league_id>/keys", api_keys.overview, name="keys"),
    path("leagues/<uuid:league_id>/keys/tokens", api_keys.make_token, name="make-token"),
    path(
        "leagues/<uuid:league_id>/keys/tokens/<uuid:token_id>/end",
        api_keys.end_token,
        name="end-token",
    ),
    path("leagues/<uuid:league_id>/keys/links", api_keys.make_link, name="make-link"),
    path(
        "leagues/<uuid:league_id>/keys/links/<uuid:link_id>/end", api_keys.end_link, name="end-link"
    ),
    path("nights/<uuid:night_id>/deal", choose.choose, name="deal"),
    path("nights/<uuid:night_id>/deal/next", deal_views.next_stage, name="next-stage"),
    path("nights/<uuid:night_id>/deal/drop", deal_views.drop_deal, name="drop-deal"),
    path("nights/<uuid:night_id>/deal/game", deal_views.change, name="change-deal"),
    path("nights/<uuid:night_id>/deal/declare", deal_views.lock_declaration, name="declare"),
    path("nights/<uuid:night_id>/deal/anew", deal_views.declare_again, name="declare-again"),
    path("nights/<uuid:night_id>/deal/state", deal_views.player_state, name="player-state"),
    path("nights/<uuid:night_id>/deal/cards", own_cards.own_cards, name="own-cards"),
    path("nights/<uuid:night_id>/record", record_views.record, name="record"),
    path(
        "nights/<uuid:night_id>/forms/<slug:named>/<int:place>",
        offline_views.some_forms,
        name="some-forms",
    ),
    path("nights/<uuid:night_id>/forms", offline_views.all_forms, name="forms"),
    path("service-worker.js", offline_views.service_worker, name="service-worker"),
    path("manifest.webmanifest", offline_views.manifest, name="manifest"),
    path("offline", offline_views.offline, name="offline"),
    path("nights/<uuid:night_id>/check", record_views.check, name="check"),
    path("nights/<uuid:night_id>/redraw", record_views.redraw, name="redraw"),
    path("nights/<uuid:night_id>/pulse", live_updates.pulse, name="pulse"),
    path("leagues/<uuid:league_id>/pulse", live_updates.of_league, name="league-pulse"),
    path("nights/<uuid:night_id>/table", live_updates.table, name="table"),
    path("leagues/<uuid:league_id>/phones", devices.phones, name="phones"),
    path("leagues/<uuid:league_id>/passwords", password.help_member, name="passwords"),
    path("leagues/<uuid:league_id>/logbook", activity_log.page, name="logbook"),
    path("leagues/<uuid:league_id>/code", devices.code, name="new-code"),
    path("phones/<int:device_id>/sign-out", devices.sign_out, name="sign-phone-out"),
    path("hands/<uuid:hand_id>/rivals", conflicts.compare, name="conflicts"),
    path("hands/<uuid:hand_id>/keep", conflicts.keep, name="keep-hand"),
    path("rivals/<uuid:conflict_id>/take", conflicts.take, name="take-conflicting-record"),
    path("rivals/<uuid:conflict_id>/apart", conflicts.apart, name="deal-apart"),
    path("hands/<uuid:hand_id>", hand.hand, name="hand"),
    path("hands/<uuid:hand_id>/record", record_views.record, name="record-again"),
    path("hands/<uuid:hand_id>/check", record_views.check, name="check-again"),
    path("hands/<uuid:hand_id>/redraw", record_views.redraw, name="redraw-again"),
    path("hands/<uuid:hand_id>/undo", hand.undo, name="undo-hand"),
    path("hands/<uuid:hand_id>/void", hand.void, name="void"),
    path("hands/<uuid:hand_id>/replay", replay.own_replay, name="replay"),
    path("hands/<uuid:hand_id>/replay/share", replay.share, name="share-replay"),
    path("hands/<uuid:hand_id>/replay/unshare", replay.unshare, name="unshare-replay"),
    path("replays/<str:token>.png", replay.shared_picture, name="shared-replay-picture"),
    path("replays/<str:token>", replay.shared_replay, name="shared-replay"),
    path("leagues/<uuid:league_id>/games", house_games.games, name="house-games"),
    path("leagues/<uuid:league_id>/games/write", house_games.write, name="write-game"),
    path("leagues/<uuid:league_id>/games/try", house_games.attempt, name="try-game"),
    path("leagues/<uuid:league_id>/games/<slug:slug>", house_games.game, name="house-game"),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>/odds", house_games.odds, name="house-game-odds"
    ),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>/write", house_games.rewrite, name="rewrite-game"
    ),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>/try", house_games.attempt, name="try-game-again"
    ),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>/retire", house_games.retire, name="retire-game"
    ),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>/delete", house_games.delete, name="delete-game"
    ),
    path("leagues/<uuid:league_id>/games/<slug:slug>/star", catalog.star, name="star-house-game"),
    path("games", catalog.games, name="games"),
    path("games/index.<slug:named>.json", finder.index, name="games-index"),
    path("games/<slug:slug>/star", catalog.star, name="star-game"),
    path("games/<slug:slug>", catalog.game, name="game"),
    path("games/<slug:slug>/odds", catalog.odds, name="game-odds"),
    *urls.urlpatterns,
]
