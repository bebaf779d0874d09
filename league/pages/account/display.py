"""How cards look to somebody: kept with the account, and on the phone where there is none."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import User
from league.pages.parts.answer_view import faces

COOKIE = "suits"
YEAR = 365 * 24 * 60 * 60
SAMPLE = "As Kh Qd Jc Ts".split()


class Looks(forms.Form):
    """Two colours as on the table, or one for each suit."""

    suits = forms.ChoiceField(
        label=gettext_lazy("Suits"),
        choices=[
            ("two", gettext_lazy("Two colours, as printed")),
            ("four", gettext_lazy("Four colours: diamonds blue, clubs green")),
        ],
        widget=forms.RadioSelect,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def looks(request: HttpRequest) -> HttpResponse:
    form = Looks(request.POST or None, initial={"suits": suits(request)})
    if not form.is_valid():
        context = {"form": form, "cards": faces(SAMPLE)}
        return render(request, "account/display.html", context, status=400 if form.errors else 200)
    answer = redirect("looks")
    _keep(request, answer, form.cleaned_data["suits"])
    messages.success(request, _("Kept."))
    return answer


def suits(request: HttpRequest) -> str:
    """Return which suits this visitor wants to see."""
    user = request.user
    if isinstance(user, User):
        return "four" if user.four_colours else "two"
    return "four" if request.COOKIES.get(COOKIE) == "four" else "two"


def context(request: HttpRequest) -> dict[str, str]:
    """Tell every page how cards look; a settings name, see TEMPLATES."""
    return {"suits": suits(request)} if hasattr(request, "user") else {}


def _keep(request: HttpRequest, answer: HttpResponse, chosen: str) -> None:
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(four_colours=chosen == "four")
    answer.set_cookie(
        COOKIE, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
    )
