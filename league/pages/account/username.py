"""The name that one signs in by: for whoever mistyped it, or is called otherwise now."""

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.audit_log import Kind, log_action
from league.models import User
from league.pages.account.forms import ChangeUsername
from league.pages.account.fresh_sign_in import fresh_to_change
from league.pages.parts.visitor import signed_in
from league.sign_in.methods import has_a_way_in


@fresh_to_change
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_username(request: HttpRequest) -> HttpResponse:
    """Change it; players keep the names that their leagues know them by."""
    user = User.objects.get(pk=signed_in(request).pk)
    if not has_a_way_in(user):
        return redirect("account_set_password")
    form = ChangeUsername(user, request.POST or None)
    if form.is_valid() and _changed(user, form):
        messages.success(request, _("From now on you sign in by this name."))
        return redirect("account")
    status = 400 if form.errors else 200
    return render(request, "account/username_change.html", {"form": form}, status=status)


def _changed(user: User, form: ChangeUsername) -> bool:
    """Tell whether the name is the user's now; another may have taken it in this very moment."""
    before, user.username = user.username, form.cleaned_data["username"]
    if user.username == before:
        return True
    try:
        with transaction.atomic():
            user.save(update_fields=["username"])
            log_action(Kind.USERNAME_CHANGED, by=user)
    except IntegrityError:
        form.add_error("username", _("That username is taken."))
        return False
    return True
