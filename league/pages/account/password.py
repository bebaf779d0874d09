"""The password of an account: change it, set a first one, set a new one by a letter or a link."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from allauth.account import views
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.audit_log import Kind, log_action
from league.common.errors import RefusedError
from league.models import Membership, User
from league.pages.account.forms import FirstPassword, LinkedPassword
from league.pages.account.fresh_sign_in import fresh_sign_in_required, fresh_to_change
from league.pages.parts.paging import page_of
from league.pages.parts.visitor import signed_in
from league.sending import mail
from league.sign_in import password_links, sessions
from league.sign_in.methods import has_a_way_in
from league.sign_in.reauthentication import note_sign_in

FORM = method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")


@FORM
class ChangePassword(views.PasswordChangeView):
    """By the one until now; every other session ends with it."""

    template_name = "account/password_change.html"

    def form_valid(self, form: Any) -> HttpResponse:
        old = self.request.session.session_key
        answer: HttpResponse = super().form_valid(form)
        sessions.moved(old, self.request.session.session_key)
        note_sign_in(self.request, form.user, "password")
        log_action(Kind.PASSWORD_CHANGED, by=form.user)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        wrong = "oldpassword" in form.errors
        if wrong and not getattr(self.request, "axes_locked_out", False):
            log_action(Kind.WRONG_PASSWORD, by=signed_in(self.request))
        answer: HttpResponse = super().form_invalid(form)
        return answer


change_password = ChangePassword.as_view()


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def set_password(request: HttpRequest) -> HttpResponse:
    """Give a name and a password to whoever has none: a phone becomes an account."""
    user = User.objects.get(pk=signed_in(request).pk)
    if user.has_usable_password():
        return redirect("account_change_password")
    return _fresh_first_password(request) if has_a_way_in(user) else _first_password(request)


def _first_password(request: HttpRequest) -> HttpResponse:
    form = FirstPassword(User.objects.get(pk=signed_in(request).pk), request.POST or None)
    if not form.is_valid():
        status = 400 if form.errors else 200
        return render(request, "account/password_set.html", {"form": form}, status=status)
    user, old = form.save(), request.session.session_key
    update_session_auth_hash(request, user)
    sessions.moved(old, request.session.session_key)
    note_sign_in(request, user, "password")
    log_action(Kind.PASSWORD_CHANGED, by=user)
    messages.success(request, _("You can now sign in with this username and password."))
    return redirect(_next(request) or "account")


_fresh_first_password = fresh_sign_in_required(_first_password)


def _next(request: HttpRequest) -> str:
    at = request.POST.get("next") or request.GET.get("next") or ""
    return at if url_has_allowed_host_and_scheme(at, {request.get_host()}) else ""


@FORM
class ResetPassword(views.PasswordResetView):
    """Ask for a letter. What is answered is the same, whether anybody has that address."""

    template_name = "account/password_reset.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "sends_mail": mail.are_sent()}


reset_password = ResetPassword.as_view()
reset_sent = views.PasswordResetDoneView.as_view(template_name="account/password_reset_sent.html")


@FORM
@method_decorator(never_cache, name="dispatch")
class NewPassword(views.PasswordResetFromKeyView):
    """Where the letter leads to."""

    template_name = "account/password_reset_from_key.html"

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        log_action(Kind.PASSWORD_RESET, by=self.reset_user)
        return answer


new_password = NewPassword.as_view()


def new_password_set(request: HttpRequest) -> HttpResponse:
    return redirect("sign-in")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Where a host's or the operator's link leads to."""
    user = password_links.user_of(token)
    if user is None:
        return render(request, "account/password_link_ended.html", status=404)
    form = LinkedPassword(user, request.POST or None)
    if form.is_valid() and password_links.use(token, form.cleaned_data["new_password1"]):
        messages.success(request, _("The new password is set: sign in with it."))
        return redirect("sign-in")
    context = {"form": form, "name": user.username}
    status = 400 if form.errors else 200
    return render(request, "account/password_link.html", context, status=status)


@fresh_to_change
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def help_member(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Make a link for a member who has forgotten the password; see who may be helped so."""
    league, host = find_league(request.user, Action.MANAGE, league_id), signed_in(request)
    others = password_links.others(league, host)
    page = page_of(request, others, name="page", size=50)
    context: dict[str, Any] = {"league": league, "page": page}
    context["members"] = password_links.helped(page, league, host)
    if request.method == "POST":
        user = _member(others, request.POST.get("user", ""))
        try:
            token = password_links.make_for_member(league, user, by=host)
        except RefusedError:
            raise Http404 from None
        context |= {"made": link_at(request, token), "of": user}
    return render(request, "account/forgotten_passwords.html", context)


def link_at(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("password-link", args=[token]))


def _member(members: Iterable[Membership], number: str) -> User:
    found = [each.user for each in members if str(each.user_id) == number]
    if not found:
        raise Http404
    return found[0]
