"""The games of the catalog, and what the rules of each are."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.pages.games.game_rules import Rules, fitting, rules_of
from league.pages.games.odds_chart import Chart, chart
from rules.documents import catalog, documents

MOST_MODIFIERS = 8


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "games/games.html", {"groups": listed()})


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules, with the modifiers that `with` names."""
    rules = _rules(request, slug)
    context = {
        "slug": slug,
        "rules": rules,
        "modifiers": fitting(slug, rules.chosen),
        "chart": _chart(request, slug, rules),
    }
    return render(request, "games/game.html", context)


@require_safe
def odds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the chart alone, for a page that waits for it."""
    rules = _rules(request, slug)
    return render(request, "games/odds_chart.html", {"chart": _chart(request, slug, rules)})


def listed() -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the games of the catalog by where they come from, each with its slug."""
    grouped = groupby(catalog.slugs(), catalog.group)
    return [(group.replace("-", " ").title(), _by_name(slugs)) for group, slugs in grouped]


def _by_name(slugs: Iterable[str]) -> list[dict[str, Any]]:
    found = [catalog.document(slug) | {"slug": slug} for slug in slugs]
    return sorted(found, key=lambda document: str(document["name"]).lower())


def _rules(request: HttpRequest, slug: str) -> Rules:
    chosen = [name for name in request.GET.getlist("with") if name]
    if slug not in catalog.slugs() or len(chosen) > MOST_MODIFIERS:
        raise Http404
    try:
        return rules_of(slug, chosen)
    except documents.BadGame as refused:
        raise Http404 from refused


def _chart(request: HttpRequest, slug: str, rules: Rules) -> Chart | None:
    at = reverse("game-odds", args=[slug])
    return chart(request, at, catalog.document(slug), rules.chosen)
