from django.urls import include, path

from config.observability.monitoring import alive, metrics, ready

handler500 = "config.web.error_responses.server_error"
urlpatterns = [
    path("healthz", alive, name="healthz"),
    path("health", alive, name="health"),
    path("readyz", ready, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("api/v1/", include("api.urls")),
    path("api/", include("api.http.problems")),
    path("", include("league.pages.urls")),
]
