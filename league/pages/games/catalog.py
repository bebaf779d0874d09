"""The games of the catalog and their rules."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required, login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_POST, require_safe

from league.access import Action, find_league
from league.common.text import name_order
from league.games import titles
from league.models import League, User
from league.pages.games.finder import (
    filter_traits_of,
    nearest_first,
    row_text,
    search,
    traits,
)
from league.pages.games.game_page import Chart, Rules, chart, fitting, rules_of
from league.pages.parts.visitor import signed_in
from league.people.favourites import own_favourites, set_favourite
from rules.documents import catalog, documents
from rules.documents.catalog import similarity

# A button adds or removes a star. A phone that was offline sends the change later.


@login_not_required
@require_POST
def star(request: HttpRequest, slug: str, league_id: UUID | None = None) -> HttpResponse:
    """Set or remove a star, depending on `starred`.

    Scripts get the new state instead of a redirect.
    """
    if request.headers.get("Accept", "") == "application/json":
        if not request.user.is_authenticated:
            return JsonResponse({"why": "signed-out"}, status=401)
        if request.headers.get("Star-Of", "") != str(request.user.pk):
            return JsonResponse({"why": "other-user"}, status=403)
        try:
            starred = _starred(request, slug, league_id)
        except Http404:
            return JsonResponse({"why": "gone"}, status=404)
        return JsonResponse({"game": slug, "starred": starred})
    return _by_button(request, slug, league_id)


@login_required
def _by_button(request: HttpRequest, slug: str, league_id: UUID | None) -> HttpResponse:
    _starred(request, slug, league_id)
    if league_id is None:
        return redirect("games")
    return redirect("house-games", league_id)


def _starred(request: HttpRequest, slug: str, league_id: UUID | None) -> bool:
    starred = request.POST.get("starred") == "1"
    league: League | None = None
    if league_id:
        league = find_league(request.user, Action.VIEW, league_id)
    if not set_favourite(signed_in(request), slug, starred=starred, league=league):
        raise Http404
    return starred


MOST_MODIFIERS = 8
MOST_ALIKE = 3
FAMILY = 4  # weight of the family relative to other traits
NO_HANDS: Mapping[str, int] = {}

Row = dict[str, Any]


@login_not_required
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """List the games, favourites first. Without scripts, the URL contains the filters.

    Visitors without an account get a page that browsers store and revalidate by its ETag.
    """
    return _games(request) if request.user.is_authenticated else _stored_games(request)


def _games(request: HttpRequest) -> HttpResponse:
    user = request.user
    starred = own_favourites(user) if isinstance(user, User) else set()
    groups = listed(starred)
    rows = [row for _title, games in groups for row in games]
    finder = search(request.GET, rows, ["favourite"] if starred else [])
    has_star, language = user.is_authenticated, get_language()
    shelves = []
    for title, games in nearest_first(finder.text, groups, finder.shown):
        shown = [game["slug"] in finder.shown for game in games]
        html = [
            _html(game["slug"], game["starred"], is_shown, has_star, language)
            for game, is_shown in zip(games, shown, strict=True)
        ]
        shelves.append((title, sum(shown), html))
    context = {"shelves": shelves, "finder": finder, "starred": starred}
    return render(request, "games/games.html", context)


_stored_games = conditional_page(cache_control(private=True, no_cache=True)(_games))


@lru_cache(maxsize=8192)  # a few variants of each game, in each language
def _html(slug: str, starred: bool, shown: bool, has_star: bool, language: str) -> str:
    """Return a row of the list. Rows are cached, because rendering all of them takes 0.2 s."""
    row = _row(slug, starred, 0, language)
    context = {"game": row, "shown": shown, "has_star": has_star, "starred": [slug] * starred}
    return render_to_string("games/game_row.html", context)


@login_not_required
@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules, with the modifiers in the parameter `with`.

    The parameter `league` adds the navigation of the visitor's league.
    """
    rules, league = _rules(request, slug), _own_league(request)
    context = {
        "slug": slug,
        "rules": rules,
        "league": league,
        "modifiers": fitting(slug, rules.chosen),
        "chart": _chart(request, slug, rules, league),
        "alike": similar_games(slug),
        "starred": own_favourites(request.user) if isinstance(request.user, User) else (),
    }
    return render(request, "games/game.html", context)


@login_not_required
@require_safe
def odds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show only the chart, for a page that is waiting for the odds."""
    rules, league = _rules(request, slug), _own_league(request)
    return render(request, "games/odds_chart.html", {"chart": _chart(request, slug, rules, league)})


def _own_league(request: HttpRequest) -> League | None:
    """Return the league in the URL, or None if the visitor is not a member."""
    try:
        return find_league(request.user, Action.VIEW, UUID(request.GET.get("league", "")))
    except (ValueError, Http404):
        return None


def listed(
    starred: Collection[str] = (), hands: Mapping[str, int] = NO_HANDS
) -> list[tuple[str, list[Row]]]:
    """Return the catalog games, each once, by group: favourites, dealt games, then families."""
    language = get_language()
    rows = {
        slug: _row(slug, slug in starred, hands.get(slug, 0), language) for slug in catalog.slugs()
    }
    dealt = [slug for slug in hands if slug in rows and slug not in starred]
    rest = [slug for slug in rows if slug not in starred and slug not in hands]
    grouped = groupby(sorted(rest, key=_place), catalog.family)
    shelves = [
        (_("Favourites"), _by_name(row for slug, row in rows.items() if slug in starred)),
        (_("Played here"), [rows[slug] for slug in dealt]),
        *((titles.family(name), _by_name(rows[slug] for slug in slugs)) for name, slugs in grouped),
    ]
    return [shelf for shelf in shelves if shelf[1]]


def _place(slug: str) -> tuple[int, str]:
    """Return the sort key for a game's family. Families without a title come last."""
    return titles.family_place(catalog.family(slug))


def _by_name(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: name_order(str(row["name"])))


@lru_cache(maxsize=4096)
def _row(slug: str, starred: bool, dealt: int, _language: str) -> Row:
    """Return a game's list entry: its document, its traits, and the text to filter it by."""
    document, words = catalog.document(slug), titles.traits(traits(slug))
    known = {"favourite": starred, "dealt": bool(dealt)}
    found_by = filter_traits_of(slug, also=(kind for kind, is_so in known.items() if is_so))
    names = (document["name"], slug, *document.get("aliases", ()), *words, document.get("by", ""))
    return document | {
        "slug": slug,
        "starred": starred,
        "traits": words,
        "filter_traits": found_by,
        "is": row_text(found_by, catalog.family(slug)),
        "words": titles.normalized(" ".join(str(name) for name in names)),
        "dealt": dealt,
    }


def similar_games(slug: str) -> list[Row]:
    """Return the games most similar to this one, with games of the same family first."""
    own, family = traits(slug), catalog.family(slug)
    alike = {
        other: similarity(own, traits(other)) + (FAMILY if catalog.family(other) == family else 0)
        for other in catalog.slugs()
        if other != slug
    }
    nearest = sorted(alike, key=lambda other: (-alike[other], other))
    return [_row(other, False, 0, get_language()) for other in nearest[:MOST_ALIKE]]


def _rules(request: HttpRequest, slug: str) -> Rules:
    chosen = [name for name in request.GET.getlist("with") if name]
    if slug not in catalog.slugs() or len(chosen) > MOST_MODIFIERS:
        raise Http404
    try:
        return rules_of(slug, chosen)
    except documents.GameError as refused:
        raise Http404 from refused


def _chart(request: HttpRequest, slug: str, rules: Rules, league: League | None) -> Chart | None:
    at = reverse("game-odds", args=[slug])
    also = {"league": str(league.pk)} if league else None
    return chart(request, at, catalog.document(slug), rules.chosen, also)
