"""What is kept of whoever is signed in: the page that says so, and all of it as a file."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from league.pages.visitors import signed_in
from league.personal import as_json, of_user

FILE = "dealers-choice.json"


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    return render(request, "account/account.html")


@login_required
@require_POST  # by a form alone, so that no page elsewhere makes a phone fetch and keep it
def own_file(request: HttpRequest) -> HttpResponse:
    headers = {
        "Content-Disposition": f'attachment; filename="{FILE}"',
        "Cache-Control": "no-store",
    }
    told = as_json(of_user(signed_in(request)))
    return HttpResponse(f"{told}\n", content_type="application/json", headers=headers)
