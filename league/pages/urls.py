"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, path

from league.pages import evenings, games, hands, house, people, recording, tables

urlpatterns: list[URLPattern | URLResolver] = [
    path("", people.home, name="home"),
    path("sign-up", people.sign_up, name="sign-up"),
    path("sign-in", people.sign_in, name="sign-in"),
    path("sign-out", people.sign_out, name="sign-out"),
    path("leagues/new", tables.new_league, name="new-league"),
    path("leagues/<uuid:league_id>", tables.league, name="league"),
    path("leagues/<uuid:league_id>/players", tables.player, name="add-player"),
    path("leagues/<uuid:league_id>/nights/new", evenings.new_night, name="new-night"),
    path("nights/<uuid:night_id>", evenings.night, name="night"),
    path("nights/<uuid:night_id>/buy-ins", evenings.buy_in, name="buy-in"),
    path("nights/<uuid:night_id>/seats", evenings.seat, name="take-seat"),
    path("nights/<uuid:night_id>/record", recording.record, name="record"),
    path("nights/<uuid:night_id>/check", recording.check, name="check"),
    path("nights/<uuid:night_id>/redraw", recording.redraw, name="redraw"),
    path("hands/<uuid:hand_id>", hands.hand, name="hand"),
    path("hands/<uuid:hand_id>/record", recording.record_again, name="record-again"),
    path("hands/<uuid:hand_id>/check", recording.check_again, name="check-again"),
    path("hands/<uuid:hand_id>/redraw", recording.redraw_again, name="redraw-again"),
    path("hands/<uuid:hand_id>/void", hands.void, name="void"),
    path("leagues/<uuid:league_id>/games", house.games, name="house-games"),
    path("leagues/<uuid:league_id>/games/write", house.write, name="write-game"),
    path("leagues/<uuid:league_id>/games/try", house.attempt, name="try-game"),
    path("leagues/<uuid:league_id>/games/<slug:slug>", house.game, name="house-game"),
    path("leagues/<uuid:league_id>/games/<slug:slug>/odds", house.odds, name="house-game-odds"),
    path("leagues/<uuid:league_id>/games/<slug:slug>/write", house.rewrite, name="rewrite-game"),
    path("leagues/<uuid:league_id>/games/<slug:slug>/try", house.attempt, name="try-game-again"),
    path("leagues/<uuid:league_id>/games/<slug:slug>/retire", house.retire, name="retire-game"),
    path("leagues/<uuid:league_id>/games/<slug:slug>/delete", house.delete, name="delete-game"),
    path("games", games.games, name="games"),
    path("games/<slug:slug>", games.game, name="game"),
    path("games/<slug:slug>/odds", games.odds, name="game-odds"),
]
