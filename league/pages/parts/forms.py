"""Forms that several pages share. `league` validates the values and supplies the messages."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import BaseUserCreationForm
from django.forms.models import ModelChoiceIterator
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.common.money import minor_units
from league.common.text import by_name
from league.models import LONGEST_NAME, League, Night, Player, User
from league.nights.cash_box import cash_box, chips_in, promised, promised_text
from league.nights.nights import stacks
from league.pages.parts.currencies import USUAL_CHIP, CurrencyField, ZoneSelect, usual_chip, zones
from league.pages.parts.numbers import Chips, MoneyField
from league.pages.parts.tags import sentence
from league.sign_in.authentication import free_username

LONGEST_NUMBER = 100  # maximum number of characters
NIGHT_CLOSED = _("The night is closed. A host can reopen it.")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", re.ASCII)


def number(text: str) -> int | float | str:
    """Return the text as a number if it is one, or else unchanged."""
    text = text.strip()
    match = _NUMBER.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    if match is None:
        return text
    if not match[2] and not match[3]:
        return int(text)
    return float(text) if math.isfinite(float(text)) else text


def word_in_field(word: str) -> str:
    """Return the field text that `option_in` converts back to `word`."""
    is_plain = number(word) == word and not word.startswith('"')
    return word if is_plain or not word else json.dumps(word, ensure_ascii=False)


def option_in(text: str) -> int | float | str:
    """Return the word or number that the field text contains."""
    if text.startswith('"'):
        try:
            word = json.loads(text)
        except ValueError:
            return text.strip()
        return word if isinstance(word, str) else text.strip()
    return number(text)


class SignUp(BaseUserCreationForm):  # type: ignore[type-arg] # not generic at runtime
    class Meta:
        model = User
        fields = ("username",)
        help_texts: ClassVar[dict[str, str]] = {"username": ""}

    def __init__(self, *args: Any, sends_mail: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sends_mail:
            self.fields["email"] = forms.EmailField(
                label=_("E-mail (optional)"),
                required=False,
                help_text=_("Lets you reset a forgotten password."),
                widget=forms.EmailInput({"autocomplete": "email"}),
            )
        # The errors explain an invalid name or password, so the help text can be short.
        self.fields["password1"].help_text = _("At least 8 characters, not all digits.")
        self.fields["password2"].label = _("Repeat password")
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        return free_username(str(self.cleaned_data["username"]))


MORE_THAN_ZERO = _("Enter more than 0.")


class Terms(forms.Form):
    """A league's currency, time zone and chip value."""

    currency = CurrencyField(label=_("Currency"))
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zones,
        initial="UTC",
        widget=ZoneSelect({"data-zone-of-phone": True}),
    )
    chip = MoneyField(
        label=_("Value of one chip"),
        initial=usual_chip,
        help_text=_("In your currency. All amounts are counted in this chip."),
        error_messages={"min_value": MORE_THAN_ZERO},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["currency"].widget.attrs["data-chip"] = self.fields["chip"].prepare_value(
            USUAL_CHIP
        )
        if self.is_bound:  # the visitor has already selected a time zone
            self.fields["time_zone"].widget.attrs.pop("data-zone-of-phone")

    def clean_currency(self) -> str:
        """Return the currency, and set it on the field for the chip value."""
        currency = str(self.cleaned_data["currency"])
        self.fields["chip"].currency = currency  # type: ignore[attr-defined]
        return currency

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "chip" in cleaned and "currency" in cleaned:
            cleaned["chip_value"] = minor_units(cleaned["chip"], cleaned["currency"])
            if not cleaned["chip"]:
                self.add_error("chip", MORE_THAN_ZERO)
            elif not cleaned["chip_value"]:
                self.add_error("chip", _("Enter an amount that this currency's coins can pay."))
        return cleaned


MOST_NAMES = 50  # maximum number of players that can be added at once


class NewLeague(Terms):
    name = forms.CharField(label=_("League name"), max_length=LONGEST_NAME)
    field_order = ("name",)


class AddPlayer(forms.Form):
    """Form that adds players. Names are separated by commas or line breaks."""

    name = forms.CharField(
        label=_("Names, one per line"),
        max_length=MOST_NAMES * (LONGEST_NAME + 2),
        widget=forms.Textarea({"autocomplete": "off", "autocapitalize": "words", "rows": 1}),
    )
    is_guest = forms.BooleanField(label=_("Guest"), required=False)

    def clean_name(self) -> list[str]:
        typed = str(self.cleaned_data["name"]).replace(",", "\n").splitlines()
        names = [name.strip() for name in typed if name.strip()]
        if len(names) > MOST_NAMES:
            text = gettext("You entered %(many)s names. Add at most %(most)s at once.")
            raise forms.ValidationError(text % {"many": len(names), "most": MOST_NAMES})
        if not names:
            raise forms.ValidationError(gettext("Enter a name."))
        return names


class _Players(ModelChoiceIterator):  # type: ignore[type-arg] # likewise
    """The choices of a field that was given its players. Django's own would fetch them again."""

    field: "PlayerChoice | CashTo"

    def __iter__(self) -> Iterator[tuple[Any, str]]:
        if self.field.empty_label is not None:
            yield "", str(self.field.empty_label)
        yield from map(self.choice, self.field.players)


class PlayerChoice(forms.ModelChoiceField):  # type: ignore[type-arg] # likewise
    """A choice of one player, in the given order.

    A single player is preselected, unless an empty label is given.
    """

    iterator = _Players

    def __init__(self, players: Iterable[Player], **options: Any) -> None:
        self.players = list(players)
        rows = Player.objects.filter(pk__in=[player.pk for player in self.players])
        usual = {"empty_label": None if len(self.players) == 1 else _("Choose a player")}
        super().__init__(rows, **usual | options)


class StackSelect(forms.Select):
    """A select whose options contain the players' chips. A script fills in the amount."""

    chips: Mapping[UUID, int]

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **options)
        if player := str(value):
            option["attrs"]["data-chips"] = str(self.chips[UUID(player)])
        return option


class LeavingPlayerChoice(PlayerChoice):
    """A choice of one player, showing the players' current stacks."""

    widget = StackSelect

    def __init__(self, night: Night, players: Iterable[Player], **options: Any) -> None:
        here = list(players)
        super().__init__(here, **options)
        self.chips = stacks(night, [player.pk for player in here])
        self.widget.chips = self.chips

    def label_from_instance(self, obj: Player) -> str:
        values = {"name": obj.name, "chips": f"{self.chips[obj.pk]:,}"}
        return gettext("%(name)s · expected %(chips)s") % values


BOX = "cash-box"


class _BoxFirst(_Players):
    """The choices: the cash box comes before the players, even if its row doesn't exist yet."""

    field: "CashTo"

    def __iter__(self) -> Iterator[tuple[Any, str]]:
        on_credit, *players = super().__iter__()
        yield from (on_credit, (BOX, self.field.box_label()), *players)


class CashTo(forms.ModelChoiceField):  # type: ignore[type-arg] # likewise
    """A choice between the player's tab, the cash box and a player who handles the cash."""

    iterator = _BoxFirst

    def __init__(self, league: League, players: Iterable[Player], **options: Any) -> None:
        self.league, self.players = league, players
        defaults: dict[str, Any] = {"label": _("Paid"), "required": False}
        defaults["empty_label"] = _("On credit")
        super().__init__(league.players.all(), **defaults | options)

    def to_python(self, value: Any) -> Player | None:
        return cash_box(self.league) if value == BOX else super().to_python(value)

    def box_label(self) -> str:
        return gettext("In cash, to the cash box")

    def label_from_instance(self, obj: Player) -> str:
        return gettext("In cash, to %(name)s") % {"name": obj.name}


class CashFrom(CashTo):
    def box_label(self) -> str:
        box = cash_box(self.league)
        held, others = chips_in(box), promised(box)
        chips = max(held - others.total(), 0)
        if not chips and (part := promised_text(held, others, self.league)):
            return gettext("In cash, from the cash box (%(part)s)") % {"part": part}
        return gettext("In cash, from the cash box (%(chips)s chips)") % {"chips": f"{chips:,}"}

    def label_from_instance(self, obj: Player) -> str:
        return gettext("In cash, from %(name)s") % {"name": obj.name}


class ExchangeForm(forms.Form):
    """A player's buy-in or cash-out, in cash with the box or with another player."""

    def add_banker(self, field: CashTo) -> None:
        """Add the field, without the player if the form is for only one."""
        players = self.fields["player"].players  # type: ignore[attr-defined] # a `PlayerChoice`
        field.players = [each for each in field.players if players != [each]]
        self.fields["banker"] = field

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("banker") and cleaned["banker"] == cleaned.get("player"):
            text = gettext("Choose someone else for the cash, or “On credit”.")
            self.add_error("banker", text)
        return cleaned


class BuyInForm(ExchangeForm):
    """Form for a buy-in. `bankers` are the players who can take the cash."""

    def __init__(
        self,
        night: Night,
        players: Iterable[Player],
        bankers: Iterable[Player],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"] = PlayerChoice(players, label=_("Player"))
        self.fields["chips"] = Chips(label=_("Chips"), min_value=1, initial=night.usual_buy_in)
        self.add_banker(CashTo(night.league, bankers))
        self.fields["key"] = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))

    def let_confirm(self) -> None:
        """Allow a buy-in beyond the league's limits."""
        self.fields["beyond_limits"] = forms.BooleanField(
            label=_("Buy in beyond the limits"), required=False
        )


class CashOutForm(ExchangeForm):
    """Form for a cash-out. The seat of a player who leaves becomes free.

    If hands are recorded and chips are missing, the user has to confirm the number.
    """

    def __init__(self, night: Night, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.night = night
        leaving = LeavingPlayerChoice(night, players, label=_("Player"))
        if len(leaving.chips) == 1:
            self.initial.setdefault("chips", *leaving.chips.values())
        self.fields["player"] = leaving
        self.fields["chips"] = Chips(label=_("Chips counted"), min_value=0)
        bankers = by_name(night.league.players.all())
        self.add_banker(CashFrom(night.league, bankers, label=_("Paid out")))
        self.fields["fewer"] = forms.BooleanField(
            label=_("Cash out fewer chips than expected"),
            required=False,
            widget=forms.HiddenInput,
        )
        self.fields["key"] = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        player, chips = cleaned.get("player"), cleaned.get("chips")
        if player is None or chips is None or cleaned.get("fewer"):
            return cleaned
        expected = stacks(self.night, [player.pk])[player.pk]
        if chips < expected and self.night.hands.filter(voided=False).exists():
            self.fields["fewer"].widget = forms.CheckboxInput()
            text = gettext("%(n)s fewer than the expected %(expected)s. Count again, or confirm.")
            words = {"n": f"{expected - chips:,}", "expected": f"{expected:,}"}
            self.add_error("chips", text % words)
        return cleaned

    def open_keypad(self) -> None:
        """Mark the field for the keypad that counts chips by colour."""
        attributes = {"data-chips": True, "data-label": self.fields["chips"].label}
        self.fields["chips"].widget.attrs |= attributes

    def let_confirm(self) -> None:
        """Allow the player to leave before the notice is over."""
        self.fields["beyond_limits"] = forms.BooleanField(
            label=_("Cash out before the notice is over"), required=False
        )

    def let_host_say(self) -> None:
        """Allow a host to cash out more chips than the recorded stack."""
        self.fields["beyond_stack"] = forms.BooleanField(
            label=_("Allow more chips than expected"), required=False
        )


class SeatForm(forms.Form):
    def __init__(self, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"] = PlayerChoice(players, label=_("Player"))


class GuestForm(forms.Form):
    """A guest's name. `known` is the league's player with this name who has no seat, if any."""

    known: Player | None = None
    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    name = forms.CharField(
        label=_("Guest name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "words"}),
    )


def apply_form(form: forms.Form, act: Callable[[], object], **renamed: str) -> bool:
    """Call `act` for a valid form. If the action is refused, add the errors and return False."""
    try:
        act()
    except RefusedError as refused:
        add_refusal(form, refused, **renamed)
    except IdReusedError:
        form.add_error(
            None, gettext("This was already saved with other values. Reload the page to see them.")
        )
    except NightClosedError:
        form.add_error(None, NIGHT_CLOSED)
    return not form.errors


def show_errors(request: HttpRequest, error: RefusedError | NightClosedError) -> None:
    """Add a message for each problem."""
    for text in error_texts(error):
        messages.error(request, sentence(text), extra_tags="bad")


def error_texts(error: RefusedError | NightClosedError) -> list[str]:
    if isinstance(error, NightClosedError):
        return [str(NIGHT_CLOSED)]
    return [problem["text"] for problem in error.errors]


def add_refusal(form: forms.Form, refused: RefusedError, **renamed: str) -> None:
    """Add the errors to the fields that they name. `renamed` maps error paths to field names."""
    for error in refused.errors:
        field = renamed.get(error["where"], error["where"])
        form.add_error(field if field in form.fields else None, error["text"])
