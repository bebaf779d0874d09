"""The page on which hosts choose how a season is scored."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import Action, find_season
from league.common.errors import RefusedError
from league.models import Scoring, Season
from league.pages.parts.forms import add_refusal, apply_form
from league.pages.parts.numbers import WholeNumber
from league.pages.parts.visitor import signed_in
from league.scoring.points_document import (
    LONGEST_DOCUMENT,
    USUAL,
    catalog,
    document_of,
    read_document,
)
from league.scoring.season_table import (
    MOST_DROPPED,
    MOST_PLACES,
    MOST_POINTS,
    Option,
    choose,
    option_of,
)

OWN = "own"  # the option for a document written by the host
SHOWN_PLAYERS = 8
# The titles of the catalog, each with its name on pages and its formula in words.
TITLES: dict[str, tuple[Promise, Promise]] = {
    "Dr. Neau": (
        gettext_lazy("Dr. Neau formula"),
        gettext_lazy(
            "More points for a good place, a large field and a high buy-in. Rebuys cost points."
        ),
    ),
    "Places and knockouts": (
        gettext_lazy("Places and knockouts"),
        gettext_lazy("10 points for last place, and 10 more for each player you beat."),
    ),
    "Leader board": (
        gettext_lazy("PokerStars leaderboard"),
        gettext_lazy("More points for a good place, a large field and a high buy-in."),
    ),
    "Players outlasted": (
        gettext_lazy("Players outlasted"),
        gettext_lazy("1 point for last place, and 1 more for each player you beat."),
    ),
    "Square root of the field": (
        gettext_lazy("PokerStars leaderboard without buy-in"),
        gettext_lazy("More points for a good place and a large field. The buy-in doesn't matter."),
    ),
}
TEMPLATE = """title = "Ours"
formula = "10 * sqrt(players / place)"
attendance = 1
knockout = 2

[[examples]]
players = 9
place = 1
points = 30
"""


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A points document with an example: its points for some places of a small field."""

    title: str
    words: str
    formula: str
    source: str
    attendance: int
    knockout: int
    example: str


SCORINGS = [
    (Scoring.NET.value, gettext_lazy("Chips won")),
    (Scoring.PLACES.value, gettext_lazy("Points for places")),
    (Scoring.DOCUMENT.value, gettext_lazy("Formula")),
]


class ScoringForm(forms.Form):
    scoring = forms.ChoiceField(label=gettext_lazy("Scoring"))
    points = forms.CharField(
        required=False,
        max_length=MOST_PLACES * 5,
        label=gettext_lazy("Points for places"),
        help_text=gettext_lazy("For 1st place, 2nd place and so on. Example: 10 7 5 3 2 1."),
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    document = forms.CharField(
        required=False,
        max_length=LONGEST_DOCUMENT,
        label=gettext_lazy("Own formula"),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "class": "code"}),
    )
    best_nights = WholeNumber(
        required=False,
        min_value=1,
        max_value=1000,
        label=gettext_lazy("Best nights that count"),
        help_text=gettext_lazy("Number of nights. Leave blank to count all nights."),
    )
    drop_worst = WholeNumber(
        required=False,
        min_value=0,
        max_value=MOST_DROPPED,
        label=gettext_lazy("Worst nights dropped"),
        help_text=gettext_lazy(
            "Number of nights. Leave blank for none. A missed night counts as 0."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scoring"].choices = [  # type: ignore[attr-defined]
            *SCORINGS[:2],
            *((slug, TITLES[document["title"]][0]) for slug, document in catalog().items()),
            (OWN, _("Own formula")),
        ]

    def clean_points(self) -> tuple[int, ...]:
        words = self.cleaned_data["points"].replace(",", " ").split()
        if not all(word.isdecimal() and len(word) <= len(str(MOST_POINTS)) for word in words):
            text = _("Enter whole numbers separated by spaces, such as 10 7 5.")
            raise forms.ValidationError(text)
        return tuple(map(int, words))

    def option(self) -> Option:
        """Return the chosen scoring. The form must be valid. Raises RefusedError."""
        cleaned, document = self.cleaned_data, None
        scoring = cleaned["scoring"]
        if scoring == OWN:
            document, problems = read_document(cleaned["document"])
            if problems:
                raise RefusedError(problems)
        elif scoring not in Scoring.values:
            document = catalog()[scoring]
        return Option(
            scoring=Scoring.DOCUMENT if document is not None else scoring,
            points=cleaned["points"],
            best_nights=cleaned["best_nights"],
            document=document,
            drop_worst=cleaned["drop_worst"] or 0,
        )


@require_http_methods(["GET", "HEAD", "POST"])
def scoring(request: HttpRequest, season_id: UUID) -> HttpResponse:
    season = find_season(request.user, Action.MANAGE, season_id)
    current = option_of(season)
    initial = {
        "scoring": _choice(current),
        "points": " ".join(map(str, current.points)) or "10 7 5 3 2 1",
        "document": TEMPLATE,
        "best_nights": current.best_nights,
        "drop_worst": current.drop_worst or None,
    }
    if current.document and initial["scoring"] == OWN:
        initial["document"] = toml_of(current.document)
    form = ScoringForm(request.POST or None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            option = form.option()
        except RefusedError as refused:
            add_refusal(form, refused, **{error["where"]: "document" for error in refused.errors})
        else:
            if apply_form(form, lambda: choose(season, option, by=signed_in(request))):
                messages.success(request, _("Scoring saved."))
                return redirect("season", season.pk)
    context = {
        "season": season,
        "league": season.league,
        "form": form,
        "players": SHOWN_PLAYERS,
        "buy_in": USUAL["buy_in"],
        "documents": {slug: shown(document) for slug, document in catalog().items()},
    }
    return render(request, "seasons/scoring.html", context, status=400 if form.errors else 200)


def _choice(option: Option) -> str:
    if option.scoring != Scoring.DOCUMENT:
        return option.scoring
    return next((slug for slug, raw in catalog().items() if raw == option.document), OWN)


def toml_of(document: Mapping[str, Any]) -> str:
    lines = []
    for key, value in document.items():
        if key != "examples":
            text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
            lines.append(f"{key} = {text}")
    for example in document.get("examples", []):  # contain only numbers
        lines += ["", "[[examples]]", *(f"{key} = {value}" for key, value in example.items())]
    return "\n".join([*lines, ""])


def shown(raw: Mapping[str, Any]) -> ShownDocument:
    """Return the document with its points for some places among `SHOWN_PLAYERS` players."""
    document = document_of(raw)
    field = USUAL | {"players": Decimal(SHOWN_PLAYERS)}
    first, second, third, last = (
        f"{document.place_points(field | {'place': Decimal(place)}) / 100:g}"
        for place in (1, 2, 3, SHOWN_PLAYERS)
    )
    example = _("1st %(first)s · 2nd %(second)s · 3rd %(third)s · last %(last)s points")
    title, words = TITLES[document.title]
    return ShownDocument(
        str(title),
        str(words),
        document.formula.text,
        document.source,
        document.attendance,
        document.knockout,
        example % {"first": first, "second": second, "third": third, "last": last},
    )


def scoring_title(season: Season) -> str:
    """Return the name of the season's scoring, or the title that the host gave to it."""
    option = option_of(season)
    if option.document:
        title = str(option.document["title"])
        return str(TITLES[title][0]) if _choice(option) != OWN else title
    return str(dict(SCORINGS)[option.scoring])
