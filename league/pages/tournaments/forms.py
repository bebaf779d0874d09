"""The forms of tournaments: what one costs and how it is played, what happened, a deal."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.common.errors import RefusedError
from league.common.money import money_of
from league.common.text import tidy
from league.models import LONGEST_NAME, Night, Player, Tournament
from league.pages.parts.numbers import Chips, MoneyField, WholeNumber, chips_of
from league.tournaments.clock import (
    Level,
    in_turn,
    levels_of_json,
    levels_text,
    read_levels,
    usual_levels,
)
from league.tournaments.events import NewEvent, TournamentState
from league.tournaments.field import Act
from league.tournaments.making import MOST_SEATS_AT_A_TABLE, PRICES, STACKS, Details

USUAL_STACK, USUAL_MINUTES = 5_000, 20
LONGEST_LEVELS = 10_000
LONGEST_PARTS = 100
MOST_GAMES, LONGEST_GAMES = 20, 500  # in turn
KNOCKED_OUT = (Act.ENTRY, Act.REBUY, Act.ADD_ON, Act.OUT)


class TournamentForm(forms.Form):
    """What is paid is typed as money, and is chips of the league."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    name = forms.CharField(
        label=_("A name, if it has one"), max_length=LONGEST_NAME, required=False
    )
    stack = Chips(label=_("Starting stack"), min_value=1, initial=USUAL_STACK)
    rebuy_stack = Chips(label=_("Chips of a rebuy"), min_value=0, required=False)
    add_on_stack = Chips(label=_("Chips of an add-on"), min_value=0, required=False)
    levels = forms.CharField(
        label=_("Levels, one a line"),
        max_length=LONGEST_LEVELS,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("Such as 25/50 20 min, 50/100 ante 10 15 min Omaha, or break 10 min."),
    )
    games = forms.CharField(
        label=_("Games in turn, a level each"),
        max_length=LONGEST_GAMES,
        required=False,
        help_text=_("Hold'em, Omaha, Stud. Empty: dealer's choice, but where a level names one."),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    late_until = Chips(
        label=_("Enter and rebuy until level"),
        min_value=0,
        required=False,
        help_text=_("And in the break after it. Empty: as long as it lasts."),
    )
    parts = forms.CharField(
        label=_("Percent of the pool by place"),
        max_length=LONGEST_PARTS,
        required=False,
        help_text=_("50 30 20. Empty: as is usual for so many players."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    seats = WholeNumber(
        label=_("Seats at a table"),
        min_value=2,
        max_value=MOST_SEATS_AT_A_TABLE,
        initial=9,
    )

    def __init__(self, night: Night, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.night = night
        labels = {
            "entry": _("Entry in %(currency)s"),
            "rebuy": _("Rebuy in %(currency)s"),
            "add_on": _("Add-on in %(currency)s"),
            "bounty": _("Bounty in %(currency)s"),
            "round_to": _("Prizes in whole %(currency)s of"),
        }
        for name, label in labels.items():
            words = label % {"currency": night.currency}
            self.fields[name] = MoneyField(
                currency=night.currency, label=words, required=name == "entry"
            )
        self.fields["levels"].initial = levels_text(usual_levels(USUAL_STACK, USUAL_MINUTES))

    def clean_levels(self) -> list[Level]:
        try:
            return read_levels(self.cleaned_data["levels"])
        except RefusedError as refused:
            raise forms.ValidationError([each["text"] for each in refused.errors]) from None

    def clean_games(self) -> list[str]:
        named = [tidy(each) for each in self.cleaned_data["games"].split(",") if each.strip()]
        if len(named) > MOST_GAMES:
            words = gettext("At most %(most)s games take turns.") % {"most": MOST_GAMES}
            raise forms.ValidationError(words)
        return named

    def clean_parts(self) -> list[int]:
        words = str(self.cleaned_data["parts"]).replace("%", " ").replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise forms.ValidationError(gettext("These are whole numbers, as 50 30 20."))
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        for name in (*PRICES, "round_to"):
            try:
                told[name] = chips_of(told.get(name) or Decimal(), self.night)
            except forms.ValidationError as wrong:
                self.add_error(name, wrong)
        return told

    def details(self) -> Details:
        """Return what a valid form says."""
        told = self.cleaned_data
        numbers = {name: told[name] or 0 for name in (*PRICES, *STACKS, "late_until", "seats")}
        return Details(
            name=told["name"],
            levels=in_turn(told["levels"], told["games"]),
            parts=told["parts"],
            round_to=told["round_to"] or 1,
            **numbers,
        )


def as_typed(tournament: Tournament) -> dict[str, Any]:
    """Return what a form shows of a tournament that is changed."""
    money = {
        name: money_of(chips, tournament.night)
        for name in (*PRICES, "round_to")
        if (chips := getattr(tournament, name)) > (name == "round_to")
    }
    plain = {name: getattr(tournament, name) or None for name in (*STACKS, "late_until", "seats")}
    return {
        "name": tournament.name,
        "levels": levels_text(levels_of_json(tournament.levels)),
        "parts": " ".join(map(str, tournament.parts)),
        **plain,
        **money,
    }


class HappenedForm(forms.Form):
    """One player entered, bought again or went out, by whom."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[(act.value, act.value) for act in KNOCKED_OUT])

    def __init__(self, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = Player.objects.filter(pk__in=[each.pk for each in players])
        self.fields["player"] = forms.ModelChoiceField(rows)
        self.fields["knocked_out_by"] = forms.ModelMultipleChoiceField(rows, required=False)

    def told(self) -> NewEvent:
        """Return what a valid form says."""
        said = self.cleaned_data
        return NewEvent(
            kind=Act(said["kind"]),
            player=said["player"],
            knocked_out_by=list(said["knocked_out_by"]),
        )


class DealForm(forms.Form):
    """The chips before each who is in, and what each would get of what is left."""

    def __init__(self, state: TournamentState, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = state
        for player in self.players:
            label = gettext("Chips of %(name)s") % {"name": player.name}
            self.fields[f"stack-{player.pk}"] = Chips(label=label, min_value=1, required=False)
            label = gettext("%(name)s gets") % {"name": player.name}
            self.fields[f"part-{player.pk}"] = Chips(label=label, min_value=0, required=False)

    @property
    def players(self) -> Sequence[Player]:
        return [self.state.players[each] for each in self.state.field.playing]

    @property
    def rows(self) -> list[tuple[Player, forms.BoundField, forms.BoundField]]:
        return [
            (player, self[f"stack-{player.pk}"], self[f"part-{player.pk}"])
            for player in self.players
        ]

    def stacks(self) -> dict[UUID, int]:
        """Return the chips that were counted."""
        return self._told("stack")

    def deal(self) -> Mapping[UUID, int]:
        """Return what each one gets, the first place first: who gets most, or has most chips."""
        parts, stacks = self._told("part"), self.stacks()
        order = sorted(parts, key=lambda each: (-parts[each], -stacks.get(each, 0)))
        return {player: parts[player] for player in order}

    def _told(self, what: str) -> dict[UUID, int]:
        found = {each.pk: self.cleaned_data.get(f"{what}-{each.pk}") for each in self.players}
        return {player: chips for player, chips in found.items() if chips is not None}
