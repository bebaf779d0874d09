"""What a phone keeps so that the table goes on without a signal: docs/decisions/0007-offline.md."""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.access import Action, find_night
from league.games.house_games import versions_of
from league.pages.games.finder import index_at
from league.pages.offline import form_shapes

# What the pages are drawn from: when any of it changes, phones fetch everything anew.
SOURCES = ("league/pages", "league/static", "rules", "templates")
STATIC = Path(__file__).parents[2] / "static" / "league"
FOLDERS = ("*.css", "*.svg", "js/**/*.js")
WORKER = STATIC / "worker" / "service-worker.js"
ICONS = {
    "icon.svg": ("any", "image/svg+xml", "any"),
    "icon-192.png": ("192x192", "image/png", "any"),
    "icon-512.png": ("512x512", "image/png", "any"),
    "icon-maskable-512.png": ("512x512", "image/png", "maskable"),
}
# The night room at closing time: the ground of the sheet in the dark.
GROUND, FELT = "#0b1210", "#0f3c2e"


@cache
def version() -> str:
    """Return a name for what this process serves; another after every change."""
    told = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                told.update(path.relative_to(settings.BASE_DIR).as_posix().encode())
                told.update(path.read_bytes())
    return told.hexdigest()[:16]


@require_safe
@cache_control(no_cache=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Serve the worker from the root, so that it may answer for every page."""
    told = {
        "version": version(),
        "shell": shell(),
        "index": index_at(),
        "icon": static("league/icons/icon-192.png"),
        "offline": reverse("offline"),
        "renewal": reverse("renew-push"),
    }
    script = f"const SERVED = {json.dumps(told)};\n{WORKER.read_text()}"
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


def shell() -> list[str]:
    """Return the addresses of our own files; whatever else a page loads is kept as it is seen."""
    ours = [path for pattern in FOLDERS for path in sorted(STATIC.glob(pattern))]
    names = [path.relative_to(STATIC.parent).as_posix() for path in ours]
    return [static(name) for name in names]


@require_safe
@cache_control(no_cache=True)
def manifest(_request: HttpRequest) -> HttpResponse:
    told = {
        "id": "/",
        "name": _("Dealer's Choice"),
        "short_name": _("Dealer's Choice"),
        "description": _("The home poker league that knows every game you deal."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": FELT,
        "icons": [
            {
                "src": static(f"league/icons/{name}"),
                "sizes": sizes,
                "type": kind,
                "purpose": purpose,
            }
            for name, (sizes, kind, purpose) in ICONS.items()
        ],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Stand in for a page that the phone has not kept."""
    return render(request, "offline/no_connection.html")


@login_required
@require_safe
@cache_control(private=True, max_age=300)
def all_forms(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Say where the forms of the night's games are; every version has a place of its own."""
    house = versions_of(find_night(request.user, Action.RECORD_HANDS, night_id).league)
    first = reverse("some-forms", args=[night_id, _name_of(house), 0])
    return JsonResponse({"at": first.removesuffix("0"), "batches": form_shapes.batches(house)})


@login_required
@require_safe
@cache_control(private=True, max_age=86_400)
def some_forms(request: HttpRequest, night_id: UUID, named: str, place: int) -> HttpResponse:
    """Give the forms of some of the night's games; `named` is their version."""
    house = versions_of(find_night(request.user, Action.RECORD_HANDS, night_id).league)
    if named != _name_of(house) or place >= form_shapes.batches(house):
        raise Http404
    return JsonResponse(form_shapes.batch(house, place))


def _name_of(house: form_shapes.Versions) -> str:
    told = json.dumps([version(), house], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


# Parameters of addresses that open something for whoever has them: no phone keeps such a page.
SECRETS = {"token", "key", "code"}


def whose_page(
    respond: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: tell the worker for whom a page was drawn, so that it forgets other people's."""

    def respond_with_whose(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response["Drawn-For"] = str(request.user.pk or "nobody")
            match = request.resolver_match
            if match and SECRETS & match.kwargs.keys():
                response["Not-Kept"] = "1"
        return response

    return respond_with_whose
