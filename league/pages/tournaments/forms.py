"""Forms for tournaments, their events and deals. Amounts are typed as money."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext, gettext_lazy

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
PRESETS = (
    (gettext_lazy("Fast"), 10),
    (gettext_lazy("Normal"), USUAL_MINUTES),
    (gettext_lazy("Slow"), 30),
)
LONGEST_LEVELS = 10_000
LONGEST_PARTS = 100
MOST_GAMES, LONGEST_GAMES = 20, 500  # limits for the list of rotating games
KNOCKED_OUT = (Act.ENTRY, Act.REBUY, Act.ADD_ON, Act.OUT)


class TournamentForm(forms.Form):
    """Form for a tournament. Amounts are typed as money and stored as league chips."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    name = forms.CharField(
        label=gettext_lazy("Name (optional)"), max_length=LONGEST_NAME, required=False
    )
    stack = Chips(label=gettext_lazy("Starting stack"), min_value=1, initial=USUAL_STACK)
    rebuy_stack = Chips(label=gettext_lazy("Rebuy stack"), min_value=0, required=False)
    add_on_stack = Chips(label=gettext_lazy("Add-on stack"), min_value=0, required=False)
    levels = forms.CharField(
        label=gettext_lazy("Levels"),
        max_length=LONGEST_LEVELS,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "One per line: 25/50 20 min, or 50/100 ante 10 15 min Omaha, or break 10 min."
        ),
    )
    games = forms.CharField(
        label=gettext_lazy("Games (one per level)"),
        max_length=LONGEST_GAMES,
        required=False,
        help_text=gettext_lazy(
            "For example Hold'em, Omaha, Stud. Leave blank for dealer's choice."
        ),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    late_until = Chips(
        label=gettext_lazy("Late entry and rebuys until level"),
        min_value=0,
        required=False,
        help_text=gettext_lazy("Includes the break after it. Leave blank for no limit."),
    )
    parts = forms.CharField(
        label=gettext_lazy("Payouts in percent"),
        max_length=LONGEST_PARTS,
        required=False,
        help_text=gettext_lazy("For example 50 30 20. Leave blank for the usual payouts."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    seats = WholeNumber(
        label=gettext_lazy("Seats per table"),
        min_value=2,
        max_value=MOST_SEATS_AT_A_TABLE,
        initial=9,
    )

    def __init__(self, night: Night, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.night = night
        self.wrong_rows: list[int] = []  # of the table of levels, from 0
        labels = {
            "entry": gettext_lazy("Entry (%(currency)s)"),
            "rebuy": gettext_lazy("Rebuy (%(currency)s)"),
            "add_on": gettext_lazy("Add-on (%(currency)s)"),
            "bounty": gettext_lazy("Bounty (%(currency)s)"),
            "round_to": gettext_lazy("Round prizes to (%(currency)s)"),
        }
        for name, label in labels.items():
            words = label % {"currency": night.currency}
            self.fields[name] = MoneyField(
                currency=night.currency, label=words, required=name == "entry"
            )
        self.fields["bounty"].help_text = gettext_lazy(
            "Added to the entry, and to a rebuy after a knockout."
        )
        self.fields["levels"].initial = levels_text(usual_levels(USUAL_STACK, USUAL_MINUTES))

    def clean_levels(self) -> list[Level]:
        text = self.cleaned_data["levels"]
        try:
            return read_levels(text)
        except RefusedError as refused:
            self.wrong_rows = [
                int(row) for each in refused.errors if (row := each["where"].partition("/")[2])
            ]
            texts = [
                self._level_error(text, each["where"], each["text"]) for each in refused.errors
            ]
            raise forms.ValidationError(texts) from None

    @staticmethod
    def _level_error(levels: str, where: str, text: str) -> str:
        """Return the error with the number of its level. Players count levels without breaks."""
        row = where.partition("/")[2]
        if not row or text.startswith("line "):
            return text
        lines = [tidy(line).lower() for line in levels.splitlines() if line.strip()]
        is_break = [line.startswith("break") for line in lines[: int(row) + 1]]
        number = is_break.count(False)
        place = gettext("Break after level %(n)s") if is_break[-1] else gettext("Level %(n)s")
        return f"{place % {'n': number}}: {text}"

    def clean_games(self) -> list[str]:
        named = [tidy(each) for each in self.cleaned_data["games"].split(",") if each.strip()]
        if len(named) > MOST_GAMES:
            words = gettext("Enter at most %(most)s games.") % {"most": MOST_GAMES}
            raise forms.ValidationError(words)
        return named

    def clean_parts(self) -> list[int]:
        words = str(self.cleaned_data["parts"]).replace("%", " ").replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise forms.ValidationError(gettext("Enter whole numbers such as 50 30 20."))
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        _to_chips(self, (*PRICES, "round_to"), self.night)
        return cleaned

    def details(self) -> Details:
        """Return the tournament details. The form must be valid."""
        cleaned = self.cleaned_data
        numbers = {name: cleaned[name] or 0 for name in (*PRICES, *STACKS, "late_until", "seats")}
        return Details(
            name=cleaned["name"],
            levels=in_turn(cleaned["levels"], cleaned["games"]),
            parts=cleaned["parts"],
            round_to=cleaned["round_to"] or 1,
            **numbers,
        )


def as_typed(tournament: Tournament) -> dict[str, Any]:
    """Return the initial form values for an existing tournament."""
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


def _to_chips(form: forms.Form, names: Iterable[str], night: Night) -> None:
    """Replace the amounts of these fields by league chips. Blank fields stay None."""
    for name in names:
        if (amount := form.cleaned_data.get(name)) is not None:
            try:
                form.cleaned_data[name] = chips_of(amount, night)
            except forms.ValidationError as wrong:
                form.add_error(name, wrong)


class EventForm(forms.Form):
    """A player's entry, rebuy, add-on or elimination, with the players who knocked them out."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[(act.value, act.value) for act in KNOCKED_OUT])
    no_player = forms.BooleanField(required=False)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_bounty = tournament.bounty > 0
        rows = Player.objects.filter(league=tournament.night.season.league_id)
        self.fields["player"] = forms.ModelChoiceField(rows)
        self.fields["knocked_out_by"] = forms.ModelMultipleChoiceField(rows, required=False)

    def new_event(self) -> NewEvent:
        """Return the event. The form must be valid."""
        cleaned = self.cleaned_data
        return NewEvent(
            kind=Act(cleaned["kind"]),
            player=cleaned["player"],
            knocked_out_by=list(cleaned["knocked_out_by"]),
        )

    def bounty_question(self) -> str:
        """Return the question who gets the bounty, or "". The form must be valid.

        The form must name the players or state that no player gets it, because people often forget.
        """
        cleaned = self.cleaned_data
        is_answered = bool(cleaned["knocked_out_by"]) != cleaned["no_player"]
        if is_answered or not self.has_bounty or cleaned["kind"] != Act.OUT:
            return ""
        text = gettext("Who gets %(name)s's bounty? Choose the players, or “Nobody”, not both.")
        return text % {"name": cleaned["player"]}


class DealForm(forms.Form):
    """Form for each remaining player's tournament chips and part of the remaining prizes.

    Payouts are typed as money and returned as league chips.
    """

    def __init__(self, state: TournamentState, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state, self.night = state, state.tournament.night
        for player in self.players:
            label = gettext("Chips of %(name)s") % {"name": player.name}
            self.fields[f"stack-{player.pk}"] = Chips(label=label, min_value=1, required=False)
            label = gettext("Payout of %(name)s") % {"name": player.name}
            self.fields[f"part-{player.pk}"] = MoneyField(
                currency=self.night.currency, label=label, required=False
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        _to_chips(self, [f"part-{player.pk}" for player in self.players], self.night)
        return cleaned

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
        """Return each player's counted chips."""
        return self._chips_of("stack")

    @property
    def wrong_sum(self) -> int:
        """The sum of the stacks if all are given and they differ from the chips in play, or 0."""
        stacks = self.stacks()
        counted = sum(stacks.values()) if len(stacks) == len(self.players) else 0
        return counted if counted != self.state.field.chips_in_play else 0

    def deal(self) -> Mapping[UUID, int]:
        """Return the agreed payouts, highest first. Equal payouts are sorted by chips."""
        parts, stacks = self._chips_of("part"), self.stacks()
        order = sorted(parts, key=lambda each: (-parts[each], -stacks.get(each, 0)))
        return {player: parts[player] for player in order}

    def _chips_of(self, what: str) -> dict[UUID, int]:
        amounts = {each.pk: self.cleaned_data.get(f"{what}-{each.pk}") for each in self.players}
        return {player: chips for player, chips in amounts.items() if chips is not None}
