"""The visitor's account: overview, data export, username, sessions and appearance."""

from collections.abc import Callable
from functools import partial
from typing import Any

from allauth.core.internal import ratelimit
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.audit_log import Kind, log_action
from league.models import User
from league.pages.account.forms import ChangeUsername
from league.pages.account.fresh_sign_in import fresh_to_change
from league.pages.account.oidc import oidc_name
from league.pages.account.passkeys import passkeys_work
from league.pages.parts.answer_view import faces
from league.pages.parts.join_code import base_address
from league.pages.parts.visitor import kind_named, signed_in
from league.privacy.data_export import as_json, of_user
from league.sending import mail
from league.sign_in import sessions as user_sessions
from league.sign_in.authentication import can_sign_in_again

FILE = "dealers-choice.json"
COOKIE = "suits"
THEME_COOKIE = "theme"
THEMES = ("light", "dark")
YEAR = 365 * 24 * 60 * 60
SAMPLE = "As Kh Qd Jc Ts".split()


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    context = {"phone": not can_sign_in_again(signed_in(request))}
    return render(request, "account/overview.html", context)


@require_POST  # prevents other sites from making a phone download and store the file
def own_file(request: HttpRequest) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"'}
    text = as_json(of_user(signed_in(request)))
    return HttpResponse(f"{text}\n", content_type="application/json", headers=headers)


@fresh_to_change
@require_http_methods(["GET", "HEAD", "POST"])
def change_username(request: HttpRequest) -> HttpResponse:
    """Change the username. Players keep their names in the leagues."""
    user = User.objects.get(pk=signed_in(request).pk)
    if not can_sign_in_again(user):
        return redirect("account_set_password")
    form = ChangeUsername(user, request.POST or None)
    if form.is_valid():
        before, user.username = user.username, form.cleaned_data["username"]
        try:
            if user.username != before:
                with transaction.atomic():
                    user.save(update_fields=["username"])
                    log_action(Kind.USERNAME_CHANGED, by=user)
        except IntegrityError:  # another user has taken the name since the form was validated
            form.add_error("username", _("That username is taken."))
        else:
            messages.success(request, _("Username changed. Use it the next time you sign in."))
            return redirect("account")
    status = 400 if form.errors else 200
    return render(request, "account/username_change.html", {"form": form}, status=status)


# Sessions


def seen(respond: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that stores when a user last opened a page, ignoring background requests."""

    def respond_and_see(request: HttpRequest) -> HttpResponse:
        answer = respond(request)
        page = answer.get("Content-Type", "").startswith("text/html")
        if page and request.user.is_authenticated:
            user_sessions.saw(request)
        return answer

    return respond_and_see


@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    mine = request.session.session_key
    rows = [
        {"id": session.pk, "kind": kind_named(session.user_agent), "seen_at": session.last_seen_at,
         "since": session.created_at, "mine": session.session_key == mine}
        for session in user_sessions.of_user(signed_in(request))
    ]  # fmt: skip
    return render(request, "account/sessions.html", {"sessions": rows})


@require_POST
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    if not user_sessions.end(signed_in(request), number):
        raise Http404
    messages.success(request, _("Device signed out."))
    return redirect("sessions")


@require_POST
@ratelimit.decorator(app="allauth.account", action="end_sessions")  # type: ignore[untyped-decorator]
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    user_sessions.end_others(signed_in(request), request.session)
    messages.success(request, _("You are signed out on all other devices."))
    return redirect("sessions")


# Appearance. The suit colours are stored in the account or, without an account, on the phone. The
# theme is stored on the phone, because it depends on the screen and the room.


class AppearanceForm(forms.Form):
    """Form for the theme and the suit colours: two, as on printed cards, or one per suit."""

    theme = forms.ChoiceField(
        label=gettext_lazy("Theme"),
        choices=[
            ("system", gettext_lazy("Device setting")),
            ("light", gettext_lazy("Light")),
            ("dark", gettext_lazy("Dark")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )

    suits = forms.ChoiceField(
        label=gettext_lazy("Suits"),
        choices=[
            ("two", gettext_lazy("Two colours")),
            ("four", gettext_lazy("Four colours: blue diamonds, green clubs")),
        ],
        widget=forms.RadioSelect,
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_appearance(request: HttpRequest) -> HttpResponse:
    initial = {"theme": theme(request) or "system", "suits": suits(request)}
    form = AppearanceForm(request.POST or None, initial=initial)
    if not form.is_valid():
        context = {"form": form, "cards": faces(SAMPLE)}
        return render(request, "account/display.html", context, status=400 if form.errors else 200)
    chosen = form.cleaned_data["suits"]
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(four_colours=chosen == "four")
    answer = redirect("looks")
    theme_chosen = form.cleaned_data["theme"] or theme(request) or "system"
    for cookie, value in ((COOKIE, chosen), (THEME_COOKIE, theme_chosen)):
        answer.set_cookie(
            cookie,
            value,
            max_age=YEAR,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    messages.success(request, _("Saved."))
    return answer


def suits(request: HttpRequest) -> str:
    """Return how many suit colours the visitor chose, "two" or "four"."""
    user = request.user
    if isinstance(user, User):
        return "four" if user.four_colours else "two"
    return "four" if request.COOKIES.get(COOKIE) == "four" else "two"


def theme(request: HttpRequest) -> str:
    """Return the chosen theme, "light" or "dark", or "" for the device's setting."""
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


def context(request: HttpRequest) -> dict[str, Any]:
    """Return the context for every page: the appearance and the ways to sign in. See TEMPLATES."""
    if not hasattr(request, "user"):
        return {}
    return {
        "site": partial(base_address, request),
        "suits": suits(request),
        "theme": theme(request),
        "oidc": oidc_name(),
        "passkeys_work": partial(passkeys_work, request),
        "sends_mail": mail.are_sent(),
    }
