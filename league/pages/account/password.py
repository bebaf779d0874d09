"""An account's password: change it, set the first one, or set a new one by link."""

from typing import Any
from uuid import UUID

from allauth.account import views
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.common.errors import RefusedError
from league.pages.account.forms import LinkedPassword
from league.pages.account.fresh_sign_in import fresh_to_change
from league.pages.parts.visitor import signed_in
from league.sign_in import password_links, sessions
from league.sign_in.authentication import can_sign_in_again, record_sign_in


class _KeepDeviceMixin:
    """Mixin that moves devices and push subscriptions to the new session key.

    A new password changes the session key.
    """

    request: HttpRequest

    def form_valid(self, form: Any) -> HttpResponse:
        old = self.request.session.session_key
        answer: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        sessions.update_session_key(old, self.request.session.session_key)
        record_sign_in(self.request, form.user, "password")
        return answer


class ChangePassword(_KeepDeviceMixin, views.PasswordChangeView):
    """Changes the password and requires the old password. All other sessions end."""


@method_decorator(sensitive_post_parameters(), name="dispatch")
class SetPassword(_KeepDeviceMixin, views.PasswordSetView):
    """Sets a username and password for a user who has neither, such as a phone that joined."""

    def get_form_kwargs(self) -> dict[str, Any]:
        kwargs: dict[str, Any] = super().get_form_kwargs()
        if can_sign_in_again(signed_in(self.request)):
            raise_if_reauthentication_required(self.request, app="allauth.account")
        return kwargs

    def form_invalid(self, form: Any) -> HttpResponse:
        context = self.get_context_data(form=form)
        answer: HttpResponse = self.render_to_response(context, status=400)
        return answer


change_password, set_password = ChangePassword.as_view(), SetPassword.as_view()


@login_not_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Set a new password through a link from a host or the operator."""
    user = password_links.user_of(token)
    if user is None:
        return render(request, "account/password_link_ended.html", status=404)
    form = LinkedPassword(user, request.POST or None)
    if form.is_valid() and password_links.use(token, form.cleaned_data["new_password1"]):
        messages.success(request, _("Password set. Sign in with it now."))
        return redirect("sign-in")
    context = {"form": form, "name": user.username}
    status = 400 if form.errors else 200
    return render(request, "account/password_link.html", context, status=status)


@fresh_to_change
@require_http_methods(["GET", "HEAD", "POST"])
def help_member(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Create a link for a member who has forgotten the password, if `password_links` allows it."""
    league, host = find_league(request.user, Action.MANAGE, league_id), signed_in(request)
    others = password_links.others(league, host)
    page = Paginator(others, 50).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"league": league, "page": page}
    context["members"] = password_links.eligible(page, host)
    if request.method == "POST":
        number = request.POST.get("user", "")
        user = next((each.user for each in others if str(each.user_id) == number), None)
        if user is None:
            raise Http404
        try:
            token = password_links.make_for_member(league, user, by=host)
        except RefusedError:
            raise Http404 from None
        link = request.build_absolute_uri(reverse("password-link", args=[token]))
        context |= {"made": link, "of": user}
    return render(request, "account/forgotten_passwords.html", context)
