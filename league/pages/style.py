"""The style page: every page component in every state.

The page exists in development only.
"""

from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.models import League
from league.pages.parts.answer_view import faces
from league.pages.parts.look import Place, Places
from league.people.leagues import COLOURS

HAND = "As Kh Qd Jc Ts".split()
NAMES = "Ann Bob Cat Dan Eve Finn Gus Hugo Ines Joël".split()
PLACES = Places(
    League(name="The Thursday Table"),
    [(UUID(int=1), "Cousins"), (UUID(int=2), "Łódź on Sundays")],
    [
        Place("tonight", "Tonight", "club", "#tonight", live=True),
        Place("games", "Games", "dices", "#games"),
        Place("season", "Season", "trophy", "#season"),
        Place("money", "Money", "wallet", "#money", count=3),
        Place("league", "League", "users", "#league"),
    ],
    "season",
)
PAYMENT_STATES = (("unpaid", ""), ("sent", "warn"), ("received", "live"), ("not received", "bad"))


class Sample(forms.Form):
    """Fields in every state."""

    text = forms.CharField(label="Text", help_text="Help for the field.")
    missing = forms.CharField(label="Missing text")
    choice = forms.ChoiceField(label="Choice", choices=[("one", "One"), ("two", "Two")])
    check = forms.BooleanField(label="Checkbox", required=False)
    off = forms.CharField(label="Disabled", required=False, disabled=True)
    note = forms.CharField(label="Long text", required=False, widget=forms.Textarea)


@login_not_required
@require_safe
def style(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    won = {"name": "Łukasz", "chips": 120, "played": {"name": "a straight", "cards": faces(HAND)}}
    low = {"way": "low", "winners": []}
    main_pot = {
        "title": "Main pot",
        "amount": 120,
        "names": ["Łukasz", "Cat"],
        "shares": [{"way": "high", "winners": [won]}, low],
    }
    side_pot = {
        "title": "Side pot",
        "amount": 40,
        "names": ["Cat", "Dan"],
        "shares": [{"way": "high", "winners": [{"name": "Cat", "chips": 40}]}],
    }
    context = {
        "form": Sample({"text": "Typed", "choice": "two", "check": "on"}),
        "cards": faces(HAND),
        "lit": faces(HAND, lit=HAND[:2]),
        "players": list(zip(map(UUID, map("{:032}".format, range(COLOURS))), NAMES, strict=True)),
        "surfaces": ("panel", "panel flat", "felt"),
        "payment_states": PAYMENT_STATES,
        "style_places": PLACES,
        "verdict": {
            "headline": "Łukasz wins 120, Cat wins 40",
            "findings": ["Dan put in 10 fewer than the others."],
            "pots": [main_pot, side_pot],
            "story": ["Łukasz wins the main pot (120) with a straight, ace high."],
        },
    }
    return render(request, "style.html", context)
