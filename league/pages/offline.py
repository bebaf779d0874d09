"""What a phone keeps so that the table goes on without a signal: docs/decisions/0007-offline.md."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
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
from league.pages.games.finder import index_at
from league.pages.parts.forms import word_in_field
from league.pages.record import record_page
from league.pages.record.check import Judgement
from league.pages.record.field_names import MOST_ROWS
from league.pages.record.questions import NO_GAME
from rules.documents import catalog, documents
from rules.presentation import form as presentation_form

# The forms that games may ask for, drawn ahead of time for a phone without a signal.
#
# Games ask for few shapes of form: a game's own, and those of a modifier, an option or the result
# alone where they differ. Each is drawn once by the template of the recording page, with one player
# who stands for all, and given as numbers of lines, since forms share nearly all of their lines.


# What a phone puts its own night and players in place of.
NIGHT = UUID(int=0)
ROW, NAME = MOST_ROWS - 1, "~who~"
# Of a game; what is beyond waits for the signal, so that no game is drawn for minutes.
MOST_PAIRS, MOST_CHOICES = 15, 24
AT_ONCE = 4  # games in a batch, so that drawing them keeps nobody waiting

Document = Mapping[str, Any]
House = Mapping[str, Document]
Versions = Mapping[str, str]  # of a league's games: the hash of each document, by slug
Wanted = tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]  # modifiers, options, depth
PLAIN: Wanted = ((), (), "")
FORM, END = '<form id="record"', "</form>"


def batches(house: Versions) -> int:
    """Return how many batches hold the forms of all games of a league."""
    return -(-len(_slugs(house)) // AT_ONCE)


def batch(house: Versions, place: int) -> dict[str, Any]:
    """Return the forms of some games: `lines`, and each game's forms as numbers of lines.

    A form's key says when it is asked for: `two-row`, `two-row,miami`, `|declare=high-low`,
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
    """Return no game, the league's own games, the well-known ones, and then all others.

    A phone fetches the forms in this order, so that the likely games come first.
    """
    first = [*sorted(house), *catalog.well_known()]
    return ["", *dict.fromkeys([*first, *sorted(catalog.slugs())])]


@lru_cache(maxsize=500)
def _drawn(slug: str, version: str) -> dict[str, str]:
    """Return the game's forms by their keys; the document of a league's game has the hash."""
    house = {slug: document_of(version)} if version else {}
    return {_key(wanted): _draw(slug, wanted, house) for wanted in _shapes(slug, house)}


def _key(wanted: Wanted) -> str:
    modifiers, options, depth = wanted
    parts = (",".join(modifiers), ",".join("=".join(each) for each in options), depth)
    return "|".join(parts).rstrip("|")


def _shapes(slug: str, house: House) -> Iterator[Wanted]:
    """Yield what makes a form differ from the game's own."""
    yield PLAIN
    if not slug:
        return
    yield ((), (), "result")
    variant = house.get(slug, slug)
    fit = [
        name for name, misfit in presentation_form.modifiers_that_fit(variant).items() if not misfit
    ]
    own = _asked(variant, PLAIN)
    changing = [name for name in fit if _asked(variant, ((name,), (), "")) not in ({}, own)]
    pairs = islice(combinations(changing, 2), MOST_PAIRS)
    for modifiers in ((), *((name,) for name in fit), *pairs):
        modified = _asked(variant, (modifiers, (), ""))
        if modified and modified != own:
            yield (modifiers, (), "")
        for option in islice(_choices(variant, modifiers), MOST_CHOICES):
            asked = _asked(variant, (modifiers, (option,), ""))
            if asked and asked not in (own, modified):
                yield (modifiers, (option,), "")


def _asked(variant: str | Document, wanted: Wanted) -> dict[str, Any]:
    """Return what of a form is drawn; nothing for what does not fit."""
    try:
        form = presentation_form.form(variant, wanted[0], dict(wanted[1]))
    except documents.GameError:
        return {}
    return {part: form[part] for part in NO_GAME if part not in ("name", "by")}


def _choices(variant: str | Document, modifiers: Sequence[str]) -> list[tuple[str, str]]:
    try:
        options = presentation_form.form(variant, modifiers)["options"]
    except documents.GameError:
        return []
    return [
        (option["name"], choice["name"])
        for option in options
        for choice in option.get("choices", ())
    ]


def _draw(slug: str, wanted: Wanted, house: House) -> str:
    modifiers, options, depth = wanted
    fields = {"variant": [slug], "modifiers": list(modifiers), "depth": [depth]}
    fields |= {f"options/{name}": [word_in_field(choice)] for name, choice in options}
    fields[f"players/{ROW}/name"] = [NAME]
    page = record_page.page(fields, {}, Dealt(), house, lists_games=False)
    steps = {f"{step}_at": reverse(step, args=[NIGHT]) for step in ("check", "redraw")}
    context = {"page": page, "judgement": Judgement(), "night": {"pk": NIGHT}, "words": {}}
    text = render_to_string("record/record.html", context | steps)
    return FORM + text.partition(FORM)[2].partition(END)[0] + END


# What the pages are drawn from: when any of it changes, phones fetch everything anew.
SOURCES = ("league/pages", "league/static", "rules", "templates")
STATIC = Path(__file__).parents[1] / "static" / "league"
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
    return JsonResponse({"at": first.removesuffix("0"), "batches": batches(house)})


@login_required
@require_safe
@cache_control(private=True, max_age=86_400)
def some_forms(request: HttpRequest, night_id: UUID, named: str, place: int) -> HttpResponse:
    """Give the forms of some of the night's games; `named` is their version."""
    house = versions_of(find_night(request.user, Action.RECORD_HANDS, night_id).league)
    if named != _name_of(house) or place >= batches(house):
        raise Http404
    return JsonResponse(batch(house, place))


def _name_of(house: Versions) -> str:
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
