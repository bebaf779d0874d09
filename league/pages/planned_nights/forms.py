"""Forms for planned nights: plan one night or a series, and answer an invitation."""

from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.common.text import by_name
from league.models import (
    LONGEST_NAME,
    LONGEST_PLACE,
    LONGEST_REASON,
    MOST_SEATS,
    MOST_WEEKS_APART,
    League,
    NightAnswer,
    PlannedNight,
)
from league.pages.parts.forms import PlayerChoice
from league.pages.parts.numbers import WholeNumber
from league.planned_nights.answers import MOST_GUESTS
from league.planned_nights.planning import Details
from league.planned_nights.series import Rhythm, start_time

PLAIN = {"autocomplete": "off"}
GUESTS = [(number, f"+{number}" if number else "0") for number in range(MOST_GUESTS + 1)]


class Day(forms.DateField):
    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"), **options)


class Clock(forms.TimeField):
    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.TimeInput({"type": "time"}, format="%H:%M"), **options)


class DetailsForm(forms.Form):
    """Form for the details of a planned night."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    name = forms.CharField(
        label=_("Night name (optional)"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(PLAIN),
    )
    place = forms.CharField(
        label=_("Place"),
        max_length=LONGEST_PLACE,
        required=False,
        help_text=_("Shown to league members only, not on the invite link."),
        widget=forms.TextInput(PLAIN),
    )
    seats = WholeNumber(
        label=_("Seats"),
        min_value=1,
        max_value=MOST_SEATS,
        required=False,
        help_text=_("Later answers go on the waiting list. Leave blank for no limit."),
    )
    note = forms.CharField(
        label=_("Note"), max_length=LONGEST_REASON, required=False, widget=forms.TextInput(PLAIN)
    )

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.league = league

    def details(self) -> Details:
        """Return the details. The form must be valid."""
        names = ("name", "place", "note", "seats")
        return Details(**{name: self.cleaned_data[name] for name in names})

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.league.time_zone)


class PlanNight(DetailsForm):
    day = Day(label=_("Day"))
    at = Clock(label=_("Time"), initial="20:00")
    field_order = ("key", "day", "at")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "day" in cleaned and "at" in cleaned:
            try:
                cleaned["starts_at"] = start_time(cleaned["day"], cleaned["at"], self.zone)
            except OverflowError:
                self.add_error("day", gettext("Choose a later date."))
        return cleaned


def as_typed(planned: PlannedNight) -> dict[str, object]:
    """Return the form values that would leave the night unchanged.

    The time has no seconds. It is ambiguous during the hour that repeats when clocks are set back.
    """
    there = planned.starts_at.astimezone(ZoneInfo(planned.league.time_zone))
    at = there.time().replace(second=0, microsecond=0)
    values = {name: getattr(planned, name) for name in ("name", "place", "seats", "note")}
    return {"day": there.date(), "at": at, **values}


class PlanSeries(DetailsForm):
    starts_on = Day(label=_("First night"), help_text=_("The series repeats on this weekday."))
    at = Clock(label=_("Time"), initial="20:00")
    every_weeks = forms.TypedChoiceField(
        label=_("How often"),
        coerce=int,
        choices=[
            (1, _("Every week")),
            (2, _("Every 2 weeks")),
            *((weeks, _("Every %(weeks)s weeks")) for weeks in range(3, MOST_WEEKS_APART + 1)),
        ],
    )
    ends_on = Day(label=_("Last night"), required=False, help_text=_("Leave blank to keep going."))
    field_order = ("key", "starts_on", "at", "every_weeks", "ends_on")

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(league, *args, **kwargs)
        choices: Any = self.fields["every_weeks"]
        choices.choices = [(weeks, text % {"weeks": weeks}) for weeks, text in choices.choices]

    def rhythm(self) -> Rhythm:
        """Return the dates of the series. The form must be valid."""
        names = ("starts_on", "at", "every_weeks", "ends_on")
        return Rhythm(**{name: self.cleaned_data[name] for name in names})


class AnswerForm(forms.Form):
    """Form for an answer. Fields that are not sent keep their stored values."""

    says = forms.ChoiceField(choices=NightAnswer.Says.choices)
    guests = forms.TypedChoiceField(
        label=_("Guests"), choices=GUESTS, coerce=int, empty_value=None, required=False
    )
    brings = forms.CharField(
        label=_("What you bring"),
        max_length=LONGEST_PLACE,
        required=False,
        widget=forms.TextInput({"placeholder": _("chips, cards, chairs"), **PLAIN}),
    )

    def brought(self) -> dict[str, Any]:
        """Return the guests and what they bring, or None for fields that were not sent.

        The form must be valid.
        """
        cleaned = self.cleaned_data
        return {
            "guests": cleaned["guests"],
            "brings": cleaned["brings"] if "brings" in self.data else None,
        }


class NamedAnswer(AnswerForm):
    """Form for an answer from a person without an account, identified by name."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "name", "autocapitalize": "words"}),
    )


class AnswerOfOther(AnswerForm):
    """Form in which a host enters an answer for another player or a new guest."""

    says = forms.ChoiceField(label=_("Answer"), choices=NightAnswer.Says.choices)

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = by_name(league.players.all())
        self.fields["player"] = PlayerChoice(players, label=_("Player"), required=False)
        self.fields["name"] = forms.CharField(
            label=_("Or a guest's name"),
            max_length=LONGEST_NAME,
            required=False,
            widget=forms.TextInput({"autocapitalize": "words", **PLAIN}),
        )
        self.fields["guests"].label, self.fields["brings"].label = _("Guests"), _("Brings")
        self.order_fields(["player", "name", "says"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        player, name = cleaned.get("player"), cleaned.get("name")
        if player and name:
            self.add_error("player", gettext("Choose a player or enter a guest's name, not both."))
        elif not (player or name or self.errors):
            self.add_error("player", gettext("Choose a player or enter a guest's name."))
        return cleaned
