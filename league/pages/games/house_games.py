"""A league's own games: list, create, change and retire them."""

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_house_game, find_league, may, rights
from league.common.errors import IdReusedError, RefusedError
from league.common.text import by_name
from league.deals.proposals import Dealt
from league.games import house_games, titles
from league.games.house_games import read
from league.games.rules_process import BusyError
from league.hands.random_deals import sample_deals
from league.models import HouseGame, HouseGameVersion, League
from league.nights.nights import newest_open
from league.pages.games.catalog import listed
from league.pages.games.finder import known_kinds, nearest_first, search
from league.pages.games.game_page import Chart, Rules, chart, fitting, rules_of
from league.pages.parts.answer_view import ZONES, VerdictView, view
from league.pages.parts.visitor import signed_in, table_name
from league.people.favourites import favourites
from league.stats.figures.games import hands_by_game
from rules.errors import GameError, Problem, bad_game

# The result of checking an unfinished game: either all its errors, or how it would be played.


MOST_NAMES = 4
HIGHEST_SEED = 10**6


@dataclass(frozen=True, slots=True)
class FormFields:
    """The fields of the recording form: player cards, board rows, declarations and options."""

    zones: list[tuple[str, range, range]]
    board: list[range]
    declarations: list[str]
    options: list[tuple[str, list[str]]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A game that is being written. Empty input is not checked."""

    text: str
    seed: int = 1
    faults: list[Problem] = field(default_factory=list)
    rules: Rules | None = None
    fields: FormFields | None = None
    deals: list[VerdictView] = field(default_factory=list)

    @property
    def next_seed(self) -> int:
        return self.seed % HIGHEST_SEED + 1


def drafted(league: League, text: str, seed: str = "") -> Draft:
    """Return the errors in the source text or, if it is valid, how the game is played."""
    number = int(seed) if seed.isdecimal() and len(seed) < 7 else 1
    if not text.strip():
        return Draft(text)
    try:
        reading = read(text)
    except BusyError as busy:
        return Draft(text, number, [bad_game("", str(busy))])
    if reading.faults:
        return Draft(text, number, sorted(reading.faults, key=lambda fault: fault.line or 0))
    form, options = reading.form, []
    for option in form["options"]:
        name, choices = option["name"], option.get("choices", ())
        words = [titles.choice(name, choice["name"]) for choice in choices]
        options.append((titles.option(name), words or [f"{option['least']} to {option['most']}"]))
    zones = [
        (
            str(ZONES[zone]),
            range(form[zone]["least"]),
            range(form[zone]["least"], form[zone]["most"]),
        )
        for zone in ("down", "up")
        if form[zone]["most"]
    ]
    names = list(league.players.order_by("name").values_list("name", flat=True)[:MOST_NAMES])
    deals = sample_deals(reading.document, names=names, seed=number)
    return Draft(
        text=reading.text,
        seed=number,
        rules=rules_of(reading.document),
        fields=FormFields(
            zones=zones,
            board=[range(len(row["slots"])) for row in form["board"]],
            declarations=list(form["declarations"]),
            options=options,
        ),
        deals=[view(record, answer, lambda: reading.document) for record, answer in deals],
    )


MOST_MODIFIERS = 8


@require_safe
def games(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.VIEW, league_id)
    own = by_name(league.house_games.order_by("slug"))
    starred = favourites(signed_in(request), league.pk).own
    hands = hands_by_game(league.pk)
    groups = listed(starred, hands)
    rows = [row for _title, games in groups for row in games]
    finder = search(request.GET, rows, known_kinds(Dealt(hands=hands, starred=starred)))
    context = {
        "league": league,
        "playing": [game for game in own if game.retired_at is None],
        "retired": [game for game in own if game.retired_at is not None],
        "groups": nearest_first(finder.text, groups, finder.shown),
        "finder": finder,
        "starred": starred,
        "has_top": bool(starred or hands),
        "may_write": _may_write(request, league),
    }
    return render(request, "games/house_games.html", context)


@require_safe
def game(request: HttpRequest, league_id: UUID, slug: str) -> HttpResponse:
    """Show a house game in its current version, or in the requested version."""
    house_game = find_house_game(request.user, Action.VIEW, league_id, slug)
    version = _version(request, house_game)
    rules = _rules(request, version)
    may_record = may(request.user, Action.RECORD_HANDS, house_game.league)
    written_by = table_name(house_game.league_id, "written_by")
    context = {
        "league": house_game.league,
        "game": house_game,
        "version": version,
        "versions": house_game.versions.annotate(by=written_by).order_by("-number"),
        "rules": rules,
        "modifiers": fitting(version.document.document, rules.chosen),
        "chart": _chart(request, version, rules),
        "may_write": _may_write(request, house_game.league),
        "night": newest_open(house_game.league)
        if may_record and not house_game.retired_at
        else None,
        "used": house_games.is_used(house_game),
        "starred": favourites(signed_in(request), league_id).own,
    }
    return render(request, "games/house_game.html", context)


@require_safe
def odds(request: HttpRequest, league_id: UUID, slug: str) -> HttpResponse:
    """Show only the chart, for a page that is waiting for the odds."""
    house_game = find_house_game(request.user, Action.VIEW, league_id, slug)
    version = _version(request, house_game)
    found_chart = _chart(request, version, _rules(request, version))
    return render(request, "games/odds_chart.html", {"chart": found_chart})


@require_http_methods(["GET", "HEAD", "POST"])
def write(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Create a game from scratch or from the game in the parameter `copy`."""
    league = find_league(request.user, Action.KEEP_SCORE, league_id)
    if request.method != "POST":
        slug = request.GET.get("copy", "")
        try:
            draft = drafted(league, house_games.text_of(league, slug)) if slug else Draft("")
        except RefusedError as refused:
            raise Http404 from refused
        return _desk(request, league, draft)
    try:
        game_id = UUID(request.POST.get("key", ""))
    except ValueError:
        game_id = uuid4()
    try:
        made = house_games.write(league, _text(request), by=signed_in(request), game_id=game_id)
    except (RefusedError, IdReusedError) as error:
        return _bounce(request, league, error)
    messages.success(request, _("%(game)s saved. It is ready to play.") % {"game": made})
    return redirect("house-game", league.pk, made.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def rewrite(request: HttpRequest, league_id: UUID, slug: str) -> HttpResponse:
    """Change a game. Hands that were already dealt keep their version of the game."""
    house_game = find_house_game(request.user, Action.KEEP_SCORE, league_id, slug)
    if request.method != "POST":
        draft = drafted(house_game.league, house_games.current(house_game).text)
        return _desk(request, house_game.league, draft, house_game)
    try:
        version = house_games.revise(house_game, _text(request), by=signed_in(request))
    except RefusedError as error:
        return _bounce(request, house_game.league, error, house_game)
    values = {"game": version.game, "number": version.number}
    messages.success(request, _("%(game)s saved. Version %(number)s is used from now on.") % values)
    return redirect("house-game", house_game.league_id, house_game.slug)


@require_POST
def attempt(request: HttpRequest, league_id: UUID, slug: str = "") -> HttpResponse:
    """Check the submitted text. Scripts get only the result instead of the page."""
    league = find_league(request.user, Action.KEEP_SCORE, league_id)
    own = find_house_game(request.user, Action.KEEP_SCORE, league_id, slug) if slug else None
    draft = drafted(league, _text(request), request.POST.get("seed", ""))
    if request.headers.get("HX-Request"):
        context = {"draft": draft, "try_at": request.path}
        return render(request, "games/draft_check.html", context)
    return _desk(request, league, draft, own)


@require_POST
def retire(request: HttpRequest, league_id: UUID, slug: str) -> HttpResponse:
    house_game = find_house_game(request.user, Action.KEEP_SCORE, league_id, slug)
    house_games.retire(house_game)
    messages.success(request, _("%(game)s is retired.") % {"game": house_game})
    return redirect("house-games", house_game.league_id)


@require_POST
def delete(request: HttpRequest, league_id: UUID, slug: str) -> HttpResponse:
    house_game = find_house_game(request.user, Action.KEEP_SCORE, league_id, slug)
    try:
        house_games.delete(house_game)
    except house_games.GameInUseError:
        messages.error(request, _("This game has recorded hands. Retire it instead."))
        return redirect("house-game", house_game.league_id, house_game.slug)
    messages.success(request, _("%(game)s is deleted.") % {"game": house_game})
    return redirect("house-games", house_game.league_id)


def _desk(
    request: HttpRequest,
    league: League,
    draft: Draft,
    own: HouseGame | None = None,
    *,
    key: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page on which a game is written."""
    at = [league.pk, own.slug] if own else [league.pk]
    context = {
        "league": league,
        "game": own,
        "draft": draft,
        "key": key or request.POST.get("key") or uuid4(),
        "save_at": reverse("rewrite-game" if own else "write-game", args=at),
        "try_at": reverse("try-game-again" if own else "try-game", args=at),
        "kept": request.method == "POST",
        "groups": listed() if not draft.text else (),
    }
    return render(request, "games/game_editor.html", context, status=status)


def _bounce(
    request: HttpRequest,
    league: League,
    error: RefusedError | IdReusedError,
    own: HouseGame | None = None,
) -> HttpResponse:
    """Render the page again with the submitted text and its errors."""
    draft = drafted(league, _text(request), request.POST.get("seed", ""))
    if draft.faults:
        return _desk(request, league, draft, own, status=400)
    if isinstance(error, IdReusedError):
        text = _(
            "This game is already saved with another text. Save again to add it as a new game."
        )
        refused = Draft(draft.text, draft.seed, [bad_game("", text)])
        return _desk(request, league, refused, own, key=str(uuid4()), status=409)
    faults = [bad_game("", each["text"]) for each in error.errors]
    return _desk(request, league, Draft(draft.text, draft.seed, faults), own, status=400)


def _text(request: HttpRequest) -> str:
    return request.POST.get("text", "").replace("\r\n", "\n")


def _may_write(request: HttpRequest, league: League) -> bool:
    return Action.KEEP_SCORE in rights(request.user, league)


def _version(request: HttpRequest, game: HouseGame) -> HouseGameVersion:
    number = request.GET.get("version", "")
    if not number:
        return house_games.current(game)
    versions = game.versions.select_related("document")
    known = number.isdecimal() and len(number) < 7
    version = versions.filter(number=int(number)).first() if known else None
    if version is None:
        raise Http404
    return version


def _rules(request: HttpRequest, version: HouseGameVersion) -> Rules:
    chosen = [name for name in request.GET.getlist("with") if name]
    if len(chosen) > MOST_MODIFIERS:
        raise Http404
    try:
        return rules_of(version.document.document, chosen)
    except GameError as refused:
        raise Http404 from refused


def _chart(request: HttpRequest, version: HouseGameVersion, rules: Rules) -> Chart | None:
    game = version.game
    at = reverse("house-game-odds", args=[game.league_id, game.slug])
    parameters = {"version": request.GET["version"]} if "version" in request.GET else {}
    document, league = version.document.document, game.league_id
    return chart(request, at, document, rules.chosen, parameters, league=league)
