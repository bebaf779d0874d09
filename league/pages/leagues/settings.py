"""The settings of a league and its activity log."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.access import Action, find_league
from league.audit_log import MOST, LoggedAction, logged_actions
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
        # The zone is the league's, not that of whichever phone looks.
        self.fields["time_zone"].widget.attrs.pop("data-zone-of-phone")
        self.fields["chip"].help_text = gettext_lazy(
            "For nights that begin afterwards. This and the currency can change while no night is "
            "open and nobody owes anything."
        )
        self.order_fields(ORDER)

    def options(self) -> Options:
        """Return what was chosen, of a valid form."""
        names = {each.name for each in fields(Options)}
        cleaned = self.cleaned_data | {name: self.cleaned_data[name] or 0 for name in CHIPS_OR_NONE}
        return Options(**{name: value for name, value in cleaned.items() if name in names})

    def clean_denominations(self) -> tuple[int, ...]:
        """Return the chips; none typed are the usual ones."""
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


WORDS: dict[str, Promise] = {
    "signed-in": gettext_lazy("signed in"),
    "wrong-password": gettext_lazy("somebody tried a wrong password"),
    "locked-out": gettext_lazy("too many wrong passwords: locked out for a while"),
    "password-changed": gettext_lazy("changed the password"),
    "password-reset": gettext_lazy("set a new password by a letter"),
    "password-link-made": gettext_lazy("made a link by which %(of)s sets a new password"),
    "password-link-used": gettext_lazy("set a new password by a link"),
    "username-changed": gettext_lazy("changed the name to sign in by"),
    "email-changed": gettext_lazy("changed the e-mail address"),
    "second-factor-added": gettext_lazy("asks for a code when signing in"),
    "second-factor-removed": gettext_lazy("asks for no code any more when signing in"),
    "recovery-codes-made": gettext_lazy("made new recovery codes"),
    "passkey-added": gettext_lazy("added a passkey"),
    "passkey-removed": gettext_lazy("took a passkey away"),
    "push-added": gettext_lazy("lets a phone take notices"),
    "push-ended": gettext_lazy("lets a phone take no notices any more"),
    "sessions-ended": gettext_lazy("signed out elsewhere"),
    "sign-in-linked": gettext_lazy("linked a way to sign in"),
    "sign-in-unlinked": gettext_lazy("unlinked a way to sign in"),
    "payment-method-added": gettext_lazy("added a way to be paid"),
    "payment-method-removed": gettext_lazy("took a way to be paid away"),
    "token-made": gettext_lazy("made a token that may %(scope)s"),
    "token-ended": gettext_lazy("ended a token of %(of)s"),
    "link-made": gettext_lazy("made a feed link"),
    "link-ended": gettext_lazy("ended a feed link"),
    "role-changed": gettext_lazy("made %(of)s %(role)s"),
    "member-removed": gettext_lazy("took %(of)s out of the league"),
    "code-renewed": gettext_lazy("issued a new code"),
    "invited": gettext_lazy("made an invitation"),
    "invitation-ended": gettext_lazy("ended an invitation"),
    "joined": gettext_lazy("joined"),
    "join-asked": gettext_lazy("a phone asked to join"),
    "join-refused": gettext_lazy("turned away a phone that asked to join"),
    "name-released": gettext_lazy("freed the name of %(of)s"),
    "phone-signed-out": gettext_lazy("signed a phone of %(of)s out"),
    "receipt-shared": gettext_lazy("made a link to the receipt of night %(night)s"),
    "receipt-unshared": gettext_lazy("ended the links to the receipt of night %(night)s"),
    "hand-shared": gettext_lazy("made a link to hand %(hand)s of night %(night)s"),
    "hand-unshared": gettext_lazy("ended the links to hand %(hand)s of night %(night)s"),
    "screen-shared": gettext_lazy("made a link to the table screen of night %(night)s"),
    "screen-unshared": gettext_lazy("ended the links to the table screen of night %(night)s"),
    "answers-shared": gettext_lazy("made a link to answer by"),
    "answers-unshared": gettext_lazy("ended the link to answer by"),
    "chat-added": gettext_lazy("has a chat told of the nights: %(service)s"),
    "chat-ended": gettext_lazy("has a chat told no more: %(service)s"),
    "webhook-made": gettext_lazy("made a webhook"),
    "webhook-changed": gettext_lazy("changed of a webhook: %(changed)s"),
    "webhook-renewed": gettext_lazy("made the secret of a webhook anew"),
    "webhook-stopped": gettext_lazy("a webhook that took nothing any more was switched off"),
    "webhook-started": gettext_lazy("switched a webhook on again"),
    "webhook-retired": gettext_lazy("put a webhook out of use"),
    "webhook-resent": gettext_lazy(
        "had a webhook told again of %(since)s to %(until)s: %(deliveries)s"
    ),
    "options-changed": gettext_lazy("changed the choices: %(changed)s"),
    "imported": gettext_lazy("imported hands: %(recorded)s new, %(refused)s refused"),
    "season-imported": gettext_lazy("brought a season from a file"),
    "erased": gettext_lazy("erased a name"),
    "audit-failed": gettext_lazy("the audit found %(findings)s things that do not hold"),
    "hand-revised": gettext_lazy("corrected hand %(hand)s of %(night)s"),
    "hand-voided": gettext_lazy("took hand %(hand)s of %(night)s back"),
    "night-closed": gettext_lazy("closed %(night)s"),
    "night-reopened": gettext_lazy("opened %(night)s again"),
    "payment-promised": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: sent"),
    "payment-confirmed": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: confirmed"),
    "payment-disputed": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: disputed"),
    "payment-withdrawn": gettext_lazy("%(payer)s to %(payee)s, %(chips)s chips: undone"),
}
# What a league chooses, as it is called in its own page.
CHOICES: dict[str, Promise] = {
    "currency": gettext_lazy("the currency"),
    "time_zone": gettext_lazy("the time zone"),
    "chip_value": gettext_lazy("the smallest chip"),
    "closing_hour": gettext_lazy("the closing hour"),
    "settles": gettext_lazy("when payments are planned"),
    "uncounted": gettext_lazy("nights that nobody counted"),
    "leftover": gettext_lazy("pots that nobody won"),
    "banker": gettext_lazy("whom payments go through"),
    "joined": gettext_lazy("what phones may that joined"),
    "corrections": gettext_lazy("who corrects closed nights"),
    "inviters": gettext_lazy("who is shown the code"),
    "approves": gettext_lazy("whether a host says yes to phones"),
    "denominations": gettext_lazy("the chips on the table"),
    "charge_limit": gettext_lazy("which charges wait for a yes"),
    "waits_below": gettext_lazy("which payments wait"),
    "seven_deuce": gettext_lazy("the bounty of 7-2"),
    "high_hand": gettext_lazy("the high hand of the night"),
    "season_high_hand": gettext_lazy("the high hand of the season"),
    "bad_beat": gettext_lazy("what a bad beat brings"),
    "fund_each": gettext_lazy("what goes into the fund"),
    "fund_keeper": gettext_lazy("who keeps the fund"),
}


@login_required
@require_safe
def activity_log(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    done = logged_actions(league, before=_before(request))
    context = {
        "league": league,
        "lines": list(_lines(done)),
        "more": done[-1].at.isoformat() if len(done) == MOST else "",
    }
    return render(request, "leagues/activity_log.html", context)


def _before(request: HttpRequest) -> datetime | None:
    text = request.GET.get("before", "")
    try:
        before = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise Http404 from None
    if before and before.tzinfo is None:
        raise Http404
    return before


def _lines(done: list[LoggedAction]) -> Iterator[dict[str, object]]:
    for action in done:
        values = action.about | {"of": _called(action.of)}
        if action.kind == "options-changed":
            names = str(values["changed"]).split(", ")
            values["changed"] = ", ".join(str(CHOICES.get(name, name)) for name in names)
        yield {
            "at": action.at,
            "by": _called(action.by) if action.by else "",
            "said": str(WORDS[action.kind]) % values,
            "reason": action.about.get("reason", ""),
        }


def _called(user: object) -> str:
    """Return the name of a phone's player, else the name by which somebody signs in."""
    return str(getattr(user, "first_name", "") or user or gettext_lazy("somebody who is gone"))
