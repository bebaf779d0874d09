"""The forms of costs and of the fund: money is typed, chips are charged."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.charges.charging import NewCharge, Share, by_parts
from league.models import LONGEST_REASON, Charge, Night, Player
from league.pages.parts.forms import PlayerChoice
from league.pages.parts.numbers import NUMBER, Chips, MoneyField, WholeNumber, chips_of

MOST_PARTS = 20
KINDS = ((Charge.Kind.COST, _("A cost that somebody paid")), (Charge.Kind.TIP, _("A tip")))


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One player's line of a cost: how many parts, and what of it was paid."""

    player: Player
    parts: forms.BoundField
    paid: forms.BoundField

    @property
    def errors(self) -> Iterator[str]:
        for field in (self.parts, self.paid):
            yield from (str(error) for error in field.errors)


class CostForm(forms.Form):
    """Something that was paid for several: what, how much, by whom, and who shares it."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    kind = forms.ChoiceField(label=_("What is it?"), choices=KINDS)
    title = forms.CharField(
        label=_("What for"),
        max_length=LONGEST_REASON,
        widget=forms.TextInput({"autocomplete": "off", "list": "usual-costs"}),
    )

    def __init__(
        self,
        night: Night,
        people: Iterable[Player],
        sat: Collection[UUID],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.night, self.people = night, list(people)
        amount = _("Amount in %(currency)s") % {"currency": night.currency}
        self.fields["amount"] = MoneyField(currency=night.currency, label=amount, required=False)
        self.fields["payer"] = PlayerChoice(self.people, label=_("Paid by, or for"), required=False)
        for player in self.people:
            self.fields[f"parts-{player.pk}"] = WholeNumber(
                min_value=0,
                max_value=MOST_PARTS,
                required=False,
                initial=int(player.pk in sat),
                widget=forms.TextInput(
                    NUMBER | {"aria-label": gettext("Parts of %(name)s") % {"name": player.name}}
                ),
            )
            self.fields[f"paid-{player.pk}"] = MoneyField(currency=night.currency, required=False)
            self.fields[f"paid-{player.pk}"].widget.attrs["aria-label"] = gettext(
                "Paid by %(name)s"
            ) % {"name": player.name}

    @property
    def rows(self) -> list[PersonRow]:
        return [
            PersonRow(player, self[f"parts-{player.pk}"], self[f"paid-{player.pk}"])
            for player in self.people
        ]

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        parts = {who: told.get(f"parts-{who.pk}") or 0 for who in self.people}
        if not any(parts.values()) and not self.errors:
            self.add_error(None, gettext("Somebody has to share it: give them a part."))
        told["paid"] = self._paid(told)
        told["parts"] = {who: part for who, part in parts.items() if part}
        return told

    def wanted(self) -> NewCharge:
        """Return what is to be charged, of a valid form."""
        told = self.cleaned_data
        paid: dict[Player, int] = told["paid"]
        owes = by_parts(sum(paid.values()), told["parts"])
        shares = {who: Share(paid.get(who, 0), owes.get(who, 0)) for who in {**paid, **owes}}
        return NewCharge(kind=told["kind"], title=told["title"], shares=shares)

    def _paid(self, told: dict[str, Any]) -> dict[Player, int]:
        """Return the chips that each has paid: one all of it, or several their parts."""
        several = {who: told.get(f"paid-{who.pk}") for who in self.people}
        if any(several.values()):
            paid = {
                who: self._chips(f"paid-{who.pk}", each) for who, each in several.items() if each
            }
            together = sum((each for each in several.values() if each), Decimal())
            if told.get("amount") and told["amount"] != together:
                text = gettext("Together they paid %(sum)s: this is something else.")
                self.add_error("amount", text % {"sum": together})
            return {who: chips for who, chips in paid.items() if chips}
        if not told.get("amount"):
            if "amount" not in self.errors:
                self.add_error("amount", gettext("How much was it?"))
            return {}
        if told.get("payer") is None:
            if "payer" not in self.errors:
                self.add_error("payer", gettext("Who paid it?"))
            return {}
        return {told["payer"]: self._chips("amount", told["amount"])}

    def _chips(self, field: str, amount: Decimal) -> int:
        """Return the money as chips; it has to be whole ones."""
        try:
            return chips_of(amount, self.night)
        except forms.ValidationError as wrong:
            self.add_error(field, wrong)
            return 0


class PrizeForm(forms.Form):
    """Chips of the fund for a player: a high hand of the season, the end of it."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)

    def __init__(self, people: Iterable[Player], fund: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"] = PlayerChoice(people, label=_("Who gets it"))
        self.fields["chips"] = Chips(label=_("Chips"), min_value=1, initial=fund)
        self.fields["title"] = forms.CharField(
            label=_("What for"),
            max_length=LONGEST_REASON,
            widget=forms.TextInput({"autocomplete": "off"}),
        )

    def wanted(self, keeper: Player) -> NewCharge:
        """Return what is to be charged, of a valid form."""
        told = self.cleaned_data
        return NewCharge(
            kind=Charge.Kind.PRIZE,
            title=told["title"],
            shares={told["player"]: Share(gets=told["chips"])},
            fund=-told["chips"],
            keeper=keeper,
        )
