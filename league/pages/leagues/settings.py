"""The settings of a league."""

from dataclasses import fields
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.closing.settings import CHIPS_OR_NONE, USUAL_CHIPS, Options, choose, options_of
from league.common.money import money_of
from league.models import (
    Corrections,
    Inviters,
    JoinedAccess,
    League,
    LeftoverPolicy,
    SettlementPeriod,
    UncountedPolicy,
)
from league.pages.parts.forms import Terms, carry_out
from league.pages.parts.numbers import Chips
from league.pages.parts.visitor import signed_in

SETTLES = (
    (SettlementPeriod.NIGHT, gettext_lazy("Every night")),
    (SettlementPeriod.SEASON, gettext_lazy("When the season ends")),
)
UNCOUNTED = (
    (UncountedPolicy.WAIT, gettext_lazy("Waits for the host")),
    (UncountedPolicy.HANDS, gettext_lazy("Closes as the hands say")),
)
LEFTOVER = (
    (LeftoverPolicy.BACK, gettext_lazy("Goes back to those it is for")),
    (LeftoverPolicy.STAYS, gettext_lazy("Stays for the next night")),
)
JOINED = (
    (JoinedAccess.RECORD, gettext_lazy("Look, and record hands")),
    (JoinedAccess.LOOK, gettext_lazy("Only look")),
)
CORRECTIONS = (
    (Corrections.HOSTS, gettext_lazy("Hosts alone")),
    (Corrections.RECORDERS, gettext_lazy("Whoever records hands")),
)
INVITERS = (
    (Inviters.HOSTS, gettext_lazy("Hosts alone")),
    (Inviters.SCOREKEEPERS, gettext_lazy("Hosts and scorekeepers")),
    (Inviters.PLAYERS, gettext_lazy("Whoever plays")),
)
ORDER = (
    "joined",
    "inviters",
    "approves",
    "corrections",
    "closing_hour",
    "time_zone",
    "settles",
    "banker",
    "uncounted",
    "leftover",
    "waits_below",
    "charge_limit",
    "currency",
    "chip",
    "seven_deuce",
    "high_hand",
    "season_high_hand",
    "bad_beat",
    "fund_each",
    "fund_keeper",
)


def _chips(label: Promise, help_text: Promise | str = "") -> Chips:
    return Chips(label=label, help_text=help_text, min_value=0, required=False, initial=0)


class OptionsForm(Terms):
    closing_hour = forms.TypedChoiceField(
        label=gettext_lazy("Nights close by themselves at"),
        coerce=int,
        choices=[(hour, f"{hour}:00") for hour in range(24)],
    )
    settles = forms.ChoiceField(label=gettext_lazy("Payments are planned"), choices=SETTLES)
    uncounted = forms.ChoiceField(
        label=gettext_lazy("A night whose chips nobody counted"), choices=UNCOUNTED
    )
    leftover = forms.ChoiceField(
        label=gettext_lazy("A pot that nobody won in the end"), choices=LEFTOVER
    )

    joined = forms.ChoiceField(
        label=gettext_lazy("Devices that joined by the code may"), choices=JOINED
    )
    inviters = forms.ChoiceField(
        label=gettext_lazy("The code to join by is shown to"), choices=INVITERS
    )
    approves = forms.BooleanField(
        required=False, label=gettext_lazy("A host says yes to each phone that joins by the code")
    )
    corrections = forms.ChoiceField(
        label=gettext_lazy("Hands of closed nights are corrected by"), choices=CORRECTIONS
    )
    denominations = forms.CharField(
        label=gettext_lazy("Chips on the table"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("What each kind is worth in the smallest one: 1 5 10 25 100"),
        widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
    )

    waits_below = _chips(
        gettext_lazy("Payments of fewer chips wait for the next night"),
        gettext_lazy("0: none of them waits."),
    )
    charge_limit = _chips(
        gettext_lazy("Scorekeepers charge other players at most"),
        gettext_lazy("In chips a day. A higher charge waits for the player or a host."),
    )
    seven_deuce = _chips(
        gettext_lazy("Side bet: who wins with 7-2 gets from each"),
        gettext_lazy("In chips; 0 where it is not played, here and below."),
    )
    high_hand = _chips(gettext_lazy("Side bet: the high hand of the night gets from each"))
    season_high_hand = _chips(
        gettext_lazy("Side bet: the fund pays the high hand of the season when it ends")
    )
    bad_beat = _chips(
        gettext_lazy("Side bet: the fund pays who loses with four of a kind or better")
    )
    fund_each = _chips(gettext_lazy("Each night, everybody puts into the fund of the season"))

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fund_keeper"] = forms.ModelChoiceField(
            league.players.order_by("name"),
            label=gettext_lazy("Who keeps the money of the fund"),
            required=False,
            empty_label=gettext_lazy("there is no fund"),
        )
        self.fields["banker"] = forms.ModelChoiceField(
            league.players.order_by("name"),
            label=gettext_lazy("All payments go through"),
            required=False,
            empty_label=gettext_lazy("nobody: as few as can be"),
        )
        # The zone is the league's zone, not that of the visitor's phone.
        self.fields["time_zone"].widget.attrs.pop("data-zone-of-phone")
        self.fields["chip"].help_text = gettext_lazy(
            "For nights that begin afterwards. This and the currency can change while no night is "
            "open and nobody owes anything."
        )
        self.order_fields(ORDER)

    def options(self) -> Options:
        """Return the chosen options. The form must be valid."""
        names = {each.name for each in fields(Options)}
        cleaned = self.cleaned_data | {name: self.cleaned_data[name] or 0 for name in CHIPS_OR_NONE}
        return Options(**{name: value for name, value in cleaned.items() if name in names})

    def clean_denominations(self) -> tuple[int, ...]:
        """Return the chip values, or the usual ones if the field is empty."""
        words = self.cleaned_data["denominations"].replace(",", " ").split()
        if not all(word.isdecimal() for word in words):
            raise forms.ValidationError(_("These are whole numbers with spaces between: 1 5 10."))
        return tuple(sorted(int(word) for word in words)) or USUAL_CHIPS


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def options(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = OptionsForm(league, request.POST or None, initial=_as_chosen(league))
    if form.is_bound and form.is_valid() and _chosen(request, league, form):
        messages.success(request, _("The choices are kept."))
        return redirect("league", league.pk)
    context = {"league": league, "form": form}
    return render(request, "leagues/settings.html", context, status=400 if form.errors else 200)


def _as_chosen(league: League) -> dict[str, Any]:
    chosen = options_of(league)
    initial = {each.name: getattr(chosen, each.name) for each in fields(Options)}
    initial["denominations"] = " ".join(str(chips) for chips in chosen.denominations)
    return initial | {"chip": money_of(1, league)}


def _chosen(request: HttpRequest, league: League, form: OptionsForm) -> bool:
    by = signed_in(request)
    return carry_out(form, lambda: choose(league, form.options(), by=by), chip_value="chip")
