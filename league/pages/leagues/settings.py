"""The settings of a league."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.choices import flatten_choices
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.common.money import money_of
from league.common.text import by_name
from league.models import (
    Corrections,
    Inviters,
    JoinedAccess,
    League,
    LeftoverPolicy,
    LimitPolicy,
    Player,
    SettlementPeriod,
    UncountedPolicy,
)
from league.options import (
    CHIPS_OR_NONE,
    MOST,
    MOST_BETWEEN_BOMB_POTS,
    MOST_LEAVE_NOTICE,
    MOST_REBUYS,
    USUAL_CHIPS,
    Options,
    change,
    options_of,
)
from league.pages.parts.currencies import currencies, zones
from league.pages.parts.forms import PlayerChoice, Terms, apply_form
from league.pages.parts.numbers import Chips, WholeNumber
from league.pages.parts.visitor import signed_in

SETTLES = (
    (SettlementPeriod.NIGHT, gettext_lazy("Every night")),
    (SettlementPeriod.SEASON, gettext_lazy("At the end of the season")),
)
UNCOUNTED = (
    (UncountedPolicy.WAIT, gettext_lazy("Stay open for the host")),
    (UncountedPolicy.HANDS, gettext_lazy("Close with the expected stacks")),
)
LEFTOVER = (
    (LeftoverPolicy.BACK, gettext_lazy("Return to the eligible players")),
    (LeftoverPolicy.STAYS, gettext_lazy("Carry over to the next night")),
)
JOINED = (
    (JoinedAccess.RECORD, gettext_lazy("Record hands and enter their own chips")),
    (JoinedAccess.LOOK, gettext_lazy("Enter only their own chips")),
)
CORRECTIONS = (
    (Corrections.HOSTS, gettext_lazy("Hosts")),
    (Corrections.RECORDERS, gettext_lazy("Everyone who can record hands")),
)
INVITERS = (
    (Inviters.HOSTS, gettext_lazy("Hosts")),
    (Inviters.SCOREKEEPERS, gettext_lazy("Hosts and scorekeepers")),
    (Inviters.PLAYERS, gettext_lazy("All players")),
)
LIMITS = (
    (LimitPolicy.WARN, gettext_lazy("Everyone can confirm, after a warning")),
    (LimitPolicy.REFUSE, gettext_lazy("Only hosts can confirm")),
)
# Each group of settings: anchor, icon, title and fields.
GROUPS = (
    (
        *("money", "wallet", gettext_lazy("Money")),
        ("currency", "chip", "settles", "banker", "waits_below", "charge_limit"),
    ),
    (
        *("limits", "layers", gettext_lazy("Buy-in and leaving limits")),
        (
            *("least_buy_in", "most_buy_in", "match_biggest_stack", "most_rebuys"),
            *("leave_notice", "limits"),
        ),
    ),
    (
        *("phones", "smartphone", gettext_lazy("Phones and rights")),
        ("joined", "inviters", "approves", "corrections"),
    ),
    (
        *("bets", "coins", gettext_lazy("Side bets and fund")),
        ("seven_deuce", "high_hand", "season_high_hand", "bad_beat", "fund_each", "fund_keeper"),
    ),
    (
        *("games", "repeat", gettext_lazy("Side games")),
        ("stand_up", "bomb_pot_every", "bomb_pot_ante"),
    ),
    (
        *("nights", "calendar", gettext_lazy("Nights")),
        ("denominations", "closing_hour", "time_zone", "uncounted", "leftover"),
    ),
)


class Group(NamedTuple):
    """A group of settings on the page.

    `summary` lists the values that are in use, such as "Smallest stack: 40 · Rebuys: 2".
    """

    anchor: str
    icon: str
    title: Promise
    fields: Sequence[forms.BoundField]
    summary: str


def _value_in_use(field: forms.BoundField) -> str:
    """Return the field's label with its value, or "" if the field is empty or off."""
    value = field.value()
    if value in (None, "", "0", 0, False):
        return ""
    if isinstance(field.field, forms.BooleanField):
        return str(field.label)
    if hasattr(field.field, "choices"):
        choices: list[tuple[Any, Any]] = list(flatten_choices(field.field.choices))
        chosen = str(getattr(value, "pk", value))
        value = next((label for key, label in choices if str(key) == chosen), "")
    return f"{field.label}: {value}"


def _chips(label: Promise, help_text: Promise | str = "") -> Chips:
    return Chips(label=label, help_text=help_text, min_value=0, required=False, initial=0)


class BankerChoice(PlayerChoice):
    """A field for choosing the player who makes and receives all payments."""

    def label_from_instance(self, obj: Player) -> str:
        return _("Through %(name)s") % {"name": obj.name}


class OptionsForm(Terms):
    settles = forms.ChoiceField(
        label=gettext_lazy("Settle up"),
        choices=SETTLES,
        help_text=gettext_lazy("When payments are planned."),
    )
    waits_below = _chips(
        gettext_lazy("Minimum payment"),
        gettext_lazy("In chips. Smaller debts carry over to the next night. 0 = none."),
    )
    charge_limit = _chips(
        gettext_lazy("Daily charge limit"),
        gettext_lazy(
            "In chips. If scorekeepers charge a player more, the player or a host must approve."
        ),
    )

    least_buy_in = _chips(
        gettext_lazy("Smallest stack"),
        gettext_lazy("In chips, after a buy-in. Leave blank for no limit."),
    )
    most_buy_in = _chips(
        gettext_lazy("Largest stack"),
        gettext_lazy(
            "In chips, after a buy-in. Stacks can grow beyond it. Leave blank for no limit."
        ),
    )
    match_biggest_stack = forms.BooleanField(
        required=False,
        label=gettext_lazy("Match the biggest stack"),
        help_text=gettext_lazy("A buy-in can raise a stack to the biggest one at the table."),
    )
    most_rebuys = WholeNumber(
        label=gettext_lazy("Rebuys"),
        help_text=gettext_lazy("Per player and night. Leave blank for no limit."),
        min_value=0,
        max_value=MOST_REBUYS,
        required=False,
    )
    leave_notice = WholeNumber(
        label=gettext_lazy("Notice before leaving"),
        help_text=gettext_lazy(
            "How many minutes before leaving players must say so. 0 = no notice."
        ),
        min_value=0,
        max_value=MOST_LEAVE_NOTICE,
        required=False,
        initial=0,
    )
    limits = forms.ChoiceField(
        label=gettext_lazy("Beyond the limits"),
        choices=LIMITS,
        help_text=gettext_lazy(
            "Who can approve buy-ins and cash-outs beyond the limits. The activity log lists them."
        ),
    )

    joined = forms.ChoiceField(
        label=gettext_lazy("Player access"),
        choices=JOINED,
        help_text=gettext_lazy(
            "For phones that joined with the league code. Own chips are buy-ins, counts and "
            "cash-outs. Everyone can view the league."
        ),
    )
    inviters = forms.ChoiceField(
        label=gettext_lazy("Invitations"),
        choices=INVITERS,
        help_text=gettext_lazy("Who sees the league code and can invite players."),
    )
    approves = forms.BooleanField(
        required=False,
        label=gettext_lazy("Approve new phones"),
        help_text=gettext_lazy("A host approves each phone before it joins."),
    )
    corrections = forms.ChoiceField(
        label=gettext_lazy("Corrections of closed nights"),
        choices=CORRECTIONS,
        help_text=gettext_lazy("On open nights, everyone who can record hands can correct them."),
    )

    seven_deuce = _chips(
        gettext_lazy("7-2 bonus"),
        gettext_lazy("Chips from each player for a win with 7-2. 0 = off."),
    )
    high_hand = _chips(
        gettext_lazy("High hand of the night"), gettext_lazy("Chips from each player. 0 = off.")
    )
    season_high_hand = _chips(
        gettext_lazy("High hand of the season"), gettext_lazy("Chips from the fund. 0 = off.")
    )
    bad_beat = _chips(
        gettext_lazy("Bad beat"),
        gettext_lazy("Chips from the fund for losing with four of a kind or better. 0 = off."),
    )
    fund_each = _chips(
        gettext_lazy("Season fund"), gettext_lazy("Chips from each player per night. 0 = no fund.")
    )

    stand_up = _chips(
        gettext_lazy("Stand-up game"),
        gettext_lazy(
            "Players stand until they win a pot, as in the squid game. Chips that the last "
            "player standing pays each other player. 0 = off."
        ),
    )
    bomb_pot_every = WholeNumber(
        label=gettext_lazy("Bomb pot every"),
        help_text=gettext_lazy("Number of hands. The night and the TV screen remind you. 0 = off."),
        min_value=0,
        max_value=MOST_BETWEEN_BOMB_POTS,
        required=False,
        initial=0,
    )
    bomb_pot_ante = _chips(
        gettext_lazy("Bomb pot ante"),
        gettext_lazy("Chips that everyone antes. 0 = the table decides."),
    )

    denominations = forms.CharField(
        label=gettext_lazy("Chip values"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("In chips of the lowest value, such as 1 5 10 25 100."),
        widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
    )
    closing_hour = forms.TypedChoiceField(
        label=gettext_lazy("Automatic close"),
        coerce=int,
        choices=[(hour, f"{hour}:00") for hour in range(24)],
        help_text=gettext_lazy("Nights that are still open close at this time."),
    )
    uncounted = forms.ChoiceField(
        label=gettext_lazy("Without a chip count"),
        choices=UNCOUNTED,
        help_text=gettext_lazy("What happens to these nights at the automatic close."),
    )
    leftover = forms.ChoiceField(
        label=gettext_lazy("Unclaimed pots"),
        choices=LEFTOVER,
        help_text=gettext_lazy("Pots still carried over when a night closes."),
    )

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.league = league
        players = by_name(league.players.all())
        self.fields["fund_keeper"] = PlayerChoice(
            players,
            label=gettext_lazy("Fund keeper"),
            help_text=gettext_lazy("The player who keeps the money of the fund."),
            required=False,
            empty_label=gettext_lazy("No fund"),
        )
        self.fields["banker"] = BankerChoice(
            players,
            label=gettext_lazy("Payments"),
            help_text=gettext_lazy("Between the players, or all through one of them."),
            required=False,
            empty_label=gettext_lazy("Directly, fewest payments"),
        )
        # Use the league's time zone, not the time zone of the visitor's phone.
        self.fields["time_zone"].widget.attrs.pop("data-zone-of-phone", None)
        self.fields["time_zone"].choices = zones(league.time_zone)  # type: ignore[attr-defined]
        self.fields["time_zone"].help_text = gettext_lazy(
            "All times in this league are in this zone."
        )
        self.fields["currency"].help_text = gettext_lazy(
            "All amounts in this league are in this currency."
        )
        if league.chip_set:
            self.fields["denominations"].help_text = gettext_lazy(
                "The keypad uses the chip set instead."
            )
        self.fields["currency"].choices = currencies(league.currency)  # type: ignore[attr-defined]
        self.fields["chip"].help_text = gettext_lazy(
            "Applies to new nights. To change this or the currency, close all nights and settle "
            "all debts first."
        )
        self.order_fields([name for *_group, names in GROUPS for name in names])

    @property
    def groups(self) -> list[Group]:
        """The groups of settings with their fields."""
        groups = []
        for anchor, icon, title, names in GROUPS:
            bound = [self[name] for name in names]
            in_use = [text for field in bound if (text := _value_in_use(field))]
            summary = " · ".join(in_use) or _("Nothing turned on")
            groups.append(Group(anchor, icon, title, bound, summary))
        return groups

    def changes(self) -> dict[str, Any]:
        """Return the options in the form. The form must be valid."""
        names = {each.name for each in fields(Options)}
        numbers = (*CHIPS_OR_NONE, *MOST)
        cleaned = self.cleaned_data | {name: self.cleaned_data[name] or 0 for name in numbers}
        return {name: value for name, value in cleaned.items() if name in names}

    def clean_denominations(self) -> tuple[int, ...]:
        """Return the chip values, or the default chip values if the field is empty."""
        words = self.cleaned_data["denominations"].replace(",", " ").split()
        if not all(word.isdecimal() for word in words):
            raise forms.ValidationError(
                _("Enter whole numbers separated by spaces, such as 1 5 10.")
            )
        return tuple(sorted(int(word) for word in words)) or USUAL_CHIPS


@require_http_methods(["GET", "HEAD", "POST"])
def options(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    current = options_of(league)
    initial = {each.name: getattr(current, each.name) for each in fields(Options)}
    for name in ("least_buy_in", "most_buy_in"):
        initial[name] = initial[name] or None
    initial["denominations"] = " ".join(str(chips) for chips in current.denominations)
    initial["chip"] = money_of(1, league)
    form = OptionsForm(league, request.POST or None, initial=initial)

    def save() -> None:
        change(league, form.changes(), by=signed_in(request))

    if form.is_bound and form.is_valid() and apply_form(form, save, chip_value="chip"):
        messages.success(request, _("Settings saved."))
        return redirect("league", league.pk)
    context = {"league": league, "form": form}
    return render(request, "leagues/settings.html", context, status=400 if form.errors else 200)
