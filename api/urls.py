from django.urls import URLPattern, URLResolver, path

from api import games, views

app_name = "api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("nights", views.Nights.as_view(), name="nights"),
    path("nights/<uuid:night_id>", views.NightDetail.as_view(), name="night"),
    path("nights/<uuid:night_id>/hands", views.NightHands.as_view(), name="night-hands"),
    path("hands/<uuid:hand_id>", views.HandDetail.as_view(), name="hand"),
    path("leagues/<uuid:league_id>/games", games.HouseGames.as_view(), name="house-games"),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>",
        games.HouseGameDetail.as_view(),
        name="house-game",
    ),
    path(
        "leagues/<uuid:league_id>/games/<slug:slug>/retire",
        games.HouseGameRetire.as_view(),
        name="retire-game",
    ),
    path("games/check", games.GameCheck.as_view(), name="check-game"),
    path("games/schema", games.GameSchema.as_view(), name="game-schema"),
    path("games", views.Games.as_view(), name="games"),
    path("games/<slug:slug>", views.GameDetail.as_view(), name="game"),
    path("settle", views.Settle.as_view(), name="settle"),
    path("<path:rest>", views.NoSuchAddress.as_view(), name="nothing"),
]
