"""What is kept of whoever is signed in: the page that says so, and all of it as a file."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from league.pages.account.oidc import oidc_name
from league.pages.parts.visitor import signed_in
from league.privacy.data_export import as_json, of_user
from league.sign_in.methods import has_a_way_in

FILE = "dealers-choice.json"


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    context = {"phone": not has_a_way_in(signed_in(request)), "oidc": oidc_name()}
    return render(request, "account/overview.html", context)


@login_required
@require_POST  # by a form alone, so that no page elsewhere makes a phone fetch and keep it
def own_file(request: HttpRequest) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"'}
    told = as_json(of_user(signed_in(request)))
    return HttpResponse(f"{told}\n", content_type="application/json", headers=headers)
