"""The style page: every component of the pages in every state. It exists in development only."""

from uuid import UUID

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.pages.parts.answer_view import faces
from league.pages.parts.look import COLOURS

HAND = "As Kh Qd Jc Ts".split()
NAMES = "Ann Bob Cat Dan Eve Finn Gus Hugo Ines Joel".split()


class Sample(forms.Form):
    """Fields in every state."""

    text = forms.CharField(label="Text", help_text="Help for the field.")
    missing = forms.CharField(label="Missing text")
    choice = forms.ChoiceField(label="Choice", choices=[("one", "One"), ("two", "Two")])
    check = forms.BooleanField(label="Checkbox", required=False)


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    context = {
        "form": Sample({"text": "Typed", "choice": "two", "check": "on"}),
        "cards": faces(HAND),
        "lit": faces(HAND, lit=HAND[:2]),
        "players": list(zip(map(UUID, map("{:032}".format, range(COLOURS))), NAMES, strict=True)),
        "surfaces": ("panel", "panel flat", "felt"),
    }
    return render(request, "style.html", context)
