"""Files and forms that phones store for offline use. See docs/decisions/0007-offline.md."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.access import Action, find_night
from league.deals.proposals import Dealt
from league.games.documents import document_of
from league.games.house_games import versions_of
from league.pages.games.finder import index_at, version
from league.pages.parts.forms import word_in_field
from league.pages.record import record_page
from league.pages.record.check import CheckResult
from league.pages.record.questions import NO_GAME
from league.pages.record.read_form import MOST_ROWS
from league.pages.record.runs import MOST_RUNS
from rules.documents import catalog, documents
from rules.presentation import form as presentation_form

# The forms of all games are rendered in advance. Each game has only a few different forms: its own,
# plus any forms that differ because of a modifier, an option or a result-only record. The template
# of the recording page renders each form once, with one placeholder player. Forms share almost all
# of their lines, so a form is stored as a list of line numbers.

NIGHT = UUID(int=0)
ROW, NAME = MOST_ROWS - 1, "~who~"
# Limits per game, which exclude games that take minutes to render. Forms beyond the limits require
# a connection.
MOST_PAIRS, MOST_CHOICES = 15, 24
AT_ONCE = 4  # games per batch; larger batches would make a request slow

Document = Mapping[str, Any]
House = Mapping[str, Document]
Versions = Mapping[str, str]  # document hashes of the house games, keyed by slug
FormVariant = tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]  # modifiers, options, depth
PLAIN: FormVariant = ((), (), "")
FORM, END = '<form id="record"', "</form>"


def batches(house: Versions) -> int:
    """Return how many batches it takes to send all of a league's forms."""
    return -(-len(_slugs(house)) // AT_ONCE)


def batch(house: Versions, place: int) -> dict[str, Any]:
    """Return a batch of forms. Each form is a list of indexes into `lines`.

    The key of a form lists its choices: `two-row`, `two-row,miami`, `|declare=high-low`,
    `||result`.
    """
    lines: dict[str, int] = {}
    games = {}
    for slug in _slugs(house)[place * AT_ONCE : (place + 1) * AT_ONCE]:
        drawn = _drawn(slug, house.get(slug, ""))
        games[slug] = {
            key: [lines.setdefault(line, len(lines)) for line in text.split("\n")]
            for key, text in drawn.items()
        }
    return {"lines": list(lines), "games": games}


def _slugs(house: Versions) -> list[str]:
    """Return all game slugs: "" for no game, house games, well-known games, then others.

    Phones fetch the forms in this order, so likely games come first.
    """
    first = [*sorted(house), *catalog.popular_slugs()]
    return ["", *dict.fromkeys([*first, *sorted(catalog.slugs())])]


@lru_cache(maxsize=500)
def _drawn(slug: str, version: str) -> dict[str, str]:
    """Return a game's forms, keyed by choices. `version` is a house game's document hash."""
    house = {slug: document_of(version)} if version else {}
    drawn = {}
    for modifiers, options, depth in _form_variants(slug, house):
        fields = {"variant": [slug], "modifiers": list(modifiers), "depth": [depth]}
        fields |= {f"options/{name}": [word_in_field(choice)] for name, choice in options}
        fields[f"players/{ROW}/name"] = [NAME]
        page = record_page.page(fields, {}, Dealt(), house, lists_games=False, runs=MOST_RUNS)
        steps = {f"{step}_at": reverse(step, args=[NIGHT]) for step in ("check", "redraw")}
        night = {"pk": NIGHT, "league": {"pk": NIGHT}}
        context = {"page": page, "checked": CheckResult(), "night": night, "words": {}}
        text = render_to_string("record/record.html", context | steps)
        key = "|".join((",".join(modifiers), ",".join(map("=".join, options)), depth)).rstrip("|")
        drawn[key] = FORM + text.partition(FORM)[2].partition(END)[0] + END
    return drawn


def _form_variants(slug: str, house: House) -> Iterator[FormVariant]:
    """Yield the choices for which the form differs from the game's own form."""
    yield PLAIN
    if not slug:
        return
    yield ((), (), "result")
    variant = house.get(slug, slug)
    fit = [
        name for name, misfit in presentation_form.modifiers_that_fit(variant).items() if not misfit
    ]
    own = _form_parts(variant, PLAIN)
    changing = [name for name in fit if _form_parts(variant, ((name,), (), "")) not in ({}, own)]
    pairs = islice(combinations(changing, 2), MOST_PAIRS)
    for modifiers in ((), *((name,) for name in fit), *pairs):
        modified = _form_parts(variant, (modifiers, (), ""))
        if modified and modified != own:
            yield (modifiers, (), "")
        try:
            options = presentation_form.form(variant, modifiers)["options"]
        except documents.GameError:
            continue
        choices = (
            (option["name"], choice["name"])
            for option in options
            for choice in option.get("choices", ())
        )
        for option in islice(choices, MOST_CHOICES):
            parts = _form_parts(variant, (modifiers, (option,), ""))
            if parts and parts not in (own, modified):
                yield (modifiers, (option,), "")


def _form_parts(variant: str | Document, form_variant: FormVariant) -> dict[str, Any]:
    """Return the parts of a form that are rendered, or {} if the choices do not fit the game."""
    try:
        form = presentation_form.form(variant, form_variant[0], dict(form_variant[1]))
    except documents.GameError:
        return {}
    return {part: form[part] for part in NO_GAME if part not in ("name", "by")}


STATIC = Path(__file__).parents[1] / "static" / "league"
FOLDERS = ("*.css", "*.svg", "fonts/*-latin.woff2", "js/**/*.js")
WORKER = STATIC / "worker" / "service-worker.js"
ICONS = {
    "icon.svg": ("any", "image/svg+xml", "any"),
    "icon-192.png": ("192x192", "image/png", "any"),
    "icon-512.png": ("512x512", "image/png", "any"),
    "icon-maskable-512.png": ("512x512", "image/png", "maskable"),
}
# The dark theme's background colour, and the colour of the felt.
GROUND, FELT = "#0c1210", "#0f3c2e"


@login_not_required
@require_safe
@cache_control(no_cache=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, which extends its scope to every page."""
    served = {
        "version": version(),
        "shell": shell(),
        "index": index_at(),
        "icon": static("league/icons/icon-192.png"),
        "offline": reverse("offline"),
        "renewal": reverse("renew-push"),
    }
    script = f"const SERVED = {json.dumps(served)};\n{WORKER.read_text()}"
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


def shell() -> list[str]:
    """Return the URLs of our own static files. Other files are cached when a page loads them."""
    ours = [path for pattern in FOLDERS for path in sorted(STATIC.glob(pattern))]
    names = [path.relative_to(STATIC.parent).as_posix() for path in ours]
    return [static(name) for name in names]


@login_not_required
@require_safe
@cache_control(no_cache=True)
def manifest(_request: HttpRequest) -> HttpResponse:
    content = {
        "id": "/",
        "name": _("Dealer's Choice"),
        "short_name": _("Dealer's Choice"),
        "description": _("Score your home poker night, whatever game you deal."),
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
    return JsonResponse(content, content_type="application/manifest+json")


@login_not_required
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page to show instead of a page that the phone has not stored."""
    return render(request, "offline/no_connection.html")


@require_safe
@cache_control(private=True, max_age=300)
def all_forms(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return the base URL and number of the night's form batches.

    Each version of the forms has its own URL.
    """
    house = versions_of(find_night(request.user, Action.RECORD_HANDS, night_id).league)
    first = reverse("some-forms", args=[night_id, _name_of(house), 0])
    return JsonResponse({"at": first.removesuffix("0"), "batches": batches(house)})


@require_safe
@cache_control(private=True, max_age=86_400)
def some_forms(request: HttpRequest, night_id: UUID, named: str, place: int) -> HttpResponse:
    """Return one batch of the night's forms. `named` is the version of the forms."""
    house = versions_of(find_night(request.user, Action.RECORD_HANDS, night_id).league)
    if named != _name_of(house) or place >= batches(house):
        raise Http404
    return JsonResponse(batch(house, place))


def _name_of(house: Versions) -> str:
    sources = json.dumps([version(), house], sort_keys=True)
    return hashlib.sha256(sources.encode()).hexdigest()[:16]


# URL parameters that grant access. Phones do not store pages with these parameters.
SECRETS = {"token", "key", "code"}


def add_user_header(
    respond: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that adds the user to each page's headers.

    The service worker uses the header to delete other users' pages.
    """

    def respond_with_whose(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response["Drawn-For"] = str(request.user.pk or "nobody")
            match = request.resolver_match
            if match and SECRETS & match.kwargs.keys():
                response["Not-Kept"] = "1"
        return response

    return respond_with_whose
