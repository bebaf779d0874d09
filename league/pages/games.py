"""The games, and what the rules of each are."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules import catalog, documents, forms, pages


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    listed = [catalog.document(slug) | {"slug": slug} for slug in catalog.slugs()]
    listed.sort(key=lambda document: str(document["name"]).lower())
    return render(request, "games/games.html", {"games": listed})


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules, with the modifiers that `with` names."""
    if slug not in catalog.slugs():
        raise Http404
    chosen = [name for name in request.GET.getlist("with") if name]
    try:
        page, fits = pages.rules_page(slug, chosen), forms.modifiers_that_fit(slug)
    except documents.BadGame as refused:
        raise Http404 from refused
    modifiers = [(name, name in chosen) for name, reason in fits.items() if not reason]
    return render(request, "games/game.html", {"slug": slug, "page": page, "modifiers": modifiers})
