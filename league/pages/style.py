"""The style page: every page component in every state.

The page exists in development only.
"""

from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.models import Hand, League, Night, Season
from league.pages.parts.answer_view import faces, view
from league.pages.parts.look import Place, Places
from league.pages.parts.match_view import MatchCount
from league.people.leagues import COLOURS
from league.scoring.season_table import Placing
from rules.api import settle
from rules.presentation.form import document_of

HAND = "As Kh Qd Jc Ts".split()
NAMES = "Ann Bob Cat Dan Eve Finn Gus Hugo Ines Łukasz".split()
PLAYERS = [UUID(int=number) for number in range(COLOURS)]
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

BOARD = "2h 7d 9s Jd Qc".split()
ACES = {"name": "Łukasz", "paid": 60, "down": "As Ad".split()}
KINGS = {"name": "Cat", "paid": 60, "down": "Kc Kd".split()}
HOLDEM = {"variant": "texas-holdem", "button": 0, "players": [ACES, KINGS], "board": [BOARD]}
# Hands in every state of a verdict.
RECORDS: dict[str, dict[str, Any]] = {
    "Won alone": HOLDEM,
    "Split": {
        "variant": "omaha-8",
        "button": 0,
        "players": [
            ACES | {"down": "As Ad Kh Ks".split()},
            KINGS | {"down": "4c 5c Qh 9h".split()},
            KINGS | {"name": "Dan", "down": "4d 5d Js Ts".split()},
        ],
        "board": ["2h 7d 8s Jd Qc".split()],
    },
    "Side pots, and a player who put in too little": HOLDEM
    | {
        "players": [
            ACES | {"paid": 40, "all_in": True},
            KINGS,
            {"name": "Dan", "paid": 50, "down": ["Ah", "Th"]},
        ]
    },
    "Carried pot": {
        "variant": "qualifiers",
        "button": 0,
        "players": [
            ACES | {"down": "Kc Kd Ts 9h 8h".split()},
            KINGS | {"down": "Qc Qd Js 9c 8c".split()},
        ],
        "board": [["2h", "3s"]],
    },
    "Everyone else folded": HOLDEM
    | {
        "players": [{"name": "Łukasz", "paid": 60}, {"name": "Cat", "paid": 20, "folded": True}],
        "board": [],
    },
    "Paid to the wrong player": HOLDEM | {"took": {"Cat": 120}},
}
COUNTS = [
    MatchCount("Ann", "legs", 2, 3),
    MatchCount("Bartholomew-Maximilian", "legs", 0, 3),
    MatchCount("Cat", "lives", 8, 8),
    MatchCount("Dan", "lives", 0, 3),
    MatchCount("Eve", "lives", 12),
]
ENDED = {
    "podium": [
        (Placing(1, "Łukasz", 1250, PLAYERS[9]), "1,250.00 USD"),
        (Placing(2, "Cat", 80, PLAYERS[2]), "80.00 USD"),
        (Placing(3, "Dan", -230, PLAYERS[3]), "-230.00 USD"),
    ],
    "own": (Placing(4, "Ann", -1100, PLAYERS[0]), "-1,100.00 USD"),
    "players": 4,
    "best": {
        "player": PLAYERS[9],
        "name": "Łukasz",
        "chips": 640,
        "hand": PLAYERS[0],
        "number": 12,
        "game": "Texas Hold'em",
        "made": "a straight, ace high",
    },
    "cards": faces(HAND),
    "swing": {"player": PLAYERS[2], "name": "Cat", "before": -600, "after": 80, "chips": 680},
}


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
    hand = Hand(pk=PLAYERS[0], number=12)
    verdicts = [
        (title, view(record, settle(record), partial(document_of, record["variant"])))
        for title, record in RECORDS.items()
    ]
    context = {
        "form": Sample({"text": "Typed", "choice": "two", "check": "on"}),
        "cards": faces(HAND),
        "lit": faces(HAND, lit=HAND[:2]),
        "players": list(zip(PLAYERS, NAMES, strict=True)),
        "surfaces": ("panel", "panel flat", "felt"),
        "payment_states": PAYMENT_STATES,
        "style_places": PLACES,
        "player_ids": dict(zip(NAMES, PLAYERS, strict=True)),
        "verdicts": verdicts,
        "latest": {
            "hand": hand,
            "line": {"game": "Omaha Hi-Lo", "revision": {"pk": 1}},
            "verdict": verdicts[1][1],
            "own": -60,
        },
        "counts": COUNTS,
        "night": Night(pk=PLAYERS[0], name="Night 12"),
        "league": PLACES.league,
        "ended": ENDED,
        "unpaid": 2,
        "page": {"choice": {"season": Season(pk=PLAYERS[0])}},
    }
    return render(request, "style.html", context)
