"""A page for each kind of refusal, at the very address that its `type` is, and a page of all."""

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from api.problems.kinds import KINDS


@require_safe
def problem_list(request: HttpRequest) -> HttpResponse:
    """Show all kinds, by their status."""
    kinds = sorted(KINDS.values(), key=lambda kind: (kind.status, kind.slug))
    return render(request, "api/problems.html", {"kinds": kinds})


@require_safe
def problem_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a kind means, what to do, and an example."""
    kind = KINDS.get(slug)
    if kind is None:
        raise Http404
    told = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": kind.detail}
    example = json.dumps(told, indent=1)
    # Every second part of what backticks divide is code.
    words = {"meaning": kind.meaning.split("`"), "remedy": kind.remedy.split("`")}
    return render(request, "api/problem.html", {"kind": kind, "example": example, **words})


urlpatterns: list[URLPattern] = [
    path("problems", problem_list, name="problems"),
    path("problems/<slug:slug>", problem_page, name="problem"),
]
