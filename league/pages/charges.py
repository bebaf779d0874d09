"""Forms and pages for a night's costs, side bets and fund."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, Visitor, find_night, find_night_to_charge, may, player_of
from league.charges import charging, requests, side_bets
from league.charges.charging import NewCharge, Share, by_parts
from league.closing import chip_requests
from league.common import money
from league.common.errors import IdReusedError, RefusedError
from league.common.text import by_name, name_order
from league.models import (
    LONGEST_REASON,
    Charge,
    ChargeShare,
    ChipRequest,
    Hand,
    Night,
    Player,
    Revision,
    Seat,
)
from league.nights.cash_box import box_chips
from league.nights.nights import hands
from league.pages.parts.forms import PlayerChoice, apply_form, show_errors
from league.pages.parts.numbers import NUMBER, Chips, MoneyField, WholeNumber, chips_of

MOST_PARTS = 20
KINDS = (
    (Charge.Kind.COST, gettext_lazy("Shared cost")),
    (Charge.Kind.TIP, gettext_lazy("Tip")),
)


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A player's row in a cost form, with the player's number of parts and payment."""

    player: Player
    parts: forms.BoundField
    paid: forms.BoundField

    @property
    def errors(self) -> Iterator[str]:
        for field in (self.parts, self.paid):
            yield from (str(error) for error in field.errors)


class CostForm(forms.Form):
    """Form for a cost that several players share: its title, amount, payer and parts."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    kind = forms.ChoiceField(label=gettext_lazy("Type"), choices=KINDS)
    title = forms.CharField(
        label=gettext_lazy("What for?"),
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
        # odd chips go to the first players in `people`, which are listed in a different order
        self.night, self.people, self.sat = night, list(people), sat
        amount = gettext_lazy("Amount in %(currency)s") % {"currency": night.currency}
        self.fields["amount"] = MoneyField(currency=night.currency, label=amount, required=False)
        self.fields["payer"] = PlayerChoice(
            by_name(night.league.players.all()),
            label=gettext_lazy("Paid by (for a tip: paid to)"),
            required=False,
        )
        for player in self.people:
            self.fields[f"parts-{player.pk}"] = WholeNumber(
                min_value=0,
                max_value=MOST_PARTS,
                required=False,
                initial=int(player.pk in sat),
                widget=forms.TextInput(
                    NUMBER | {"aria-label": gettext("Shares of %(name)s") % {"name": player.name}}
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
            for player in sorted(
                self.people, key=lambda who: (who.pk not in self.sat, name_order(who.name))
            )
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        parts = {who: cleaned.get(f"parts-{who.pk}") or 0 for who in self.people}
        if not any(parts.values()) and not self.errors:
            self.add_error(None, gettext("Choose at least one player to share the cost."))
        cleaned["paid"] = self._paid(cleaned)
        cleaned["parts"] = {who: part for who, part in parts.items() if part}
        return cleaned

    def new_charge(self) -> NewCharge:
        """Return the charge. The form must be valid."""
        cleaned = self.cleaned_data
        paid: dict[Player, int] = cleaned["paid"]
        owes = by_parts(sum(paid.values()), cleaned["parts"])
        shares = {who: Share(paid.get(who, 0), owes.get(who, 0)) for who in {**paid, **owes}}
        return NewCharge(kind=cleaned["kind"], title=cleaned["title"], shares=shares)

    def _paid(self, cleaned: dict[str, Any]) -> dict[Player, int]:
        """Return the chips paid by each player.

        Either one player paid everything, or several paid parts.
        """
        several = {who: cleaned.get(f"paid-{who.pk}") for who in self.people}
        if any(several.values()):
            paid = {
                who: self._chips(f"paid-{who.pk}", amount)
                for who, amount in several.items()
                if amount
            }
            together = sum((amount for amount in several.values() if amount), Decimal())
            if cleaned.get("amount") and cleaned["amount"] != together:
                text = gettext("The payments add up to %(sum)s. Change the amount or the payments.")
                self.add_error("amount", text % {"sum": together})
            return {who: chips for who, chips in paid.items() if chips}
        if not cleaned.get("amount"):
            if "amount" not in self.errors:
                self.add_error("amount", gettext("Enter an amount."))
            return {}
        if cleaned.get("payer") is None:
            if "payer" not in self.errors:
                self.add_error("payer", gettext("Choose who paid."))
            return {}
        return {cleaned["payer"]: self._chips("amount", cleaned["amount"])}

    def _chips(self, field: str, amount: Decimal) -> int:
        """Return the money in chips, or 0 with an error on `field` if it is not a whole number."""
        try:
            return chips_of(amount, self.night)
        except forms.ValidationError as wrong:
            self.add_error(field, wrong)
            return 0


class PrizeForm(forms.Form):
    """Form that pays a prize from the fund, such as for the season's high hand."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)

    def __init__(self, people: Iterable[Player], fund: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "prize_%s"  # the page has several forms
        self.fields["player"] = PlayerChoice(people, label=gettext_lazy("Paid to"))
        self.fields["chips"] = Chips(label=gettext_lazy("Chips"), min_value=1, initial=fund)
        self.fields["title"] = forms.CharField(
            label=gettext_lazy("What for?"),
            max_length=LONGEST_REASON,
            widget=forms.TextInput({"autocomplete": "off"}),
        )

    def new_charge(self, keeper: Player) -> NewCharge:
        """Return the charge. The form must be valid."""
        cleaned = self.cleaned_data
        return NewCharge(
            kind=Charge.Kind.PRIZE,
            title=cleaned["title"],
            shares={cleaned["player"]: Share(gets=cleaned["chips"])},
            fund=-cleaned["chips"],
            keeper=keeper,
        )


class StartingCashForm(forms.Form):
    """Form for cash that a player puts into the cash box, and gets back with the payments."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)

    def __init__(self, night: Night, people: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "cash_%s"  # the page has several forms
        self.night = night
        amount = gettext_lazy("Cash in %(currency)s") % {"currency": night.currency}
        self.fields["player"] = PlayerChoice(people, label=gettext_lazy("Brought by"))
        self.fields["amount"] = MoneyField(currency=night.currency, label=amount)

    def clean_amount(self) -> int:
        """Return the cash in chips."""
        return chips_of(self.cleaned_data["amount"], self.night)

    def new_charge(self) -> NewCharge:
        """Return the charge, without the cash box's share. The form must be valid."""
        share = Share(gets=self.cleaned_data["amount"])
        shares = {self.cleaned_data["player"]: share}
        return NewCharge(kind=Charge.Kind.STARTING_CASH, shares=shares)


@dataclass(frozen=True, slots=True)
class Charged:
    """A charge in the list, with the players' shares.

    `outdated` is true for a side bet that its hand no longer wins. `beaten_by` is the hand that
    beats a charged high hand.
    """

    charge: Charge
    shares: list[ChargeShare]
    worth: str
    undone: bool
    outdated: bool
    beaten_by: Hand | None
    may_undo: bool

    @property
    def gets(self) -> list[ChargeShare]:
        """The shares of the players who paid or won."""
        return [each for each in self.shares if each.gets]


@require_safe
def charges(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _page(request, find_night(request.user, Action.VIEW, night_id))


@require_POST
def cost(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night_to_charge(request.user, Action.KEEP_SCORE, night_id)
    form = CostForm(night, _people(night), _sat(night), request.POST)
    if form.is_valid() and _charged(request, night, form, form.new_charge):
        return redirect("charges", night.pk)
    return _page(request, night, cost_form=form)


@require_POST
def prize(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night_to_charge(request.user, Action.MANAGE, night_id)
    keeper = night.league.fund_keeper
    if keeper is None:
        raise Http404
    players = by_name(night.league.players.all())
    form = PrizeForm(players, charging.fund_of(night), request.POST)
    if form.is_valid() and _charged(request, night, form, lambda: form.new_charge(keeper)):
        return redirect("charges", night.pk)
    return _page(request, night, prize_form=form)


@require_POST
def starting_cash(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night_to_charge(request.user, Action.MANAGE, night_id)
    form = StartingCashForm(night, by_name(night.league.players.all()), request.POST)
    if form.is_valid() and _charged(request, night, form, form.new_charge):
        return redirect("charges", night.pk)
    return _page(request, night, cash_form=form)


@require_POST
def bet(request: HttpRequest, night_id: UUID, bet_id: UUID) -> HttpResponse:
    """Charge a side bet offered after a hand. A repeated request changes nothing."""
    night = find_night_to_charge(request.user, Action.RECORD_HANDS, night_id)
    waiting = side_bets.of_night(night, hands(night), side_bets.charges_of(night))
    side_bet = next((each for each in waiting if each.id == bet_id), None)
    if side_bet is None:
        messages.info(
            request, _("This bet was already charged, or is no longer due after a correction.")
        )
    else:
        try:
            requests.charge_bet(request.user, night, side_bet)
        except IdReusedError:
            messages.info(request, _("This bet was already charged with a different amount."))
        except RefusedError as refused:
            show_errors(request, refused)
        else:
            messages.success(
                request, _("%(bet)s This is settled with the night.") % {"bet": side_bet.text}
            )
    return redirect("night" if request.POST.get("stay") == "night" else "charges", night.pk)


@require_POST
def undo(request: HttpRequest, night_id: UUID, charge_id: UUID) -> HttpResponse:
    night = find_night_to_charge(request.user, Action.KEEP_SCORE, night_id)
    charges = Charge.objects.filter(night=night, pk=charge_id).select_related(
        "night__season__league__book", "posting"
    )
    if (done := charges.first()) is None:
        raise Http404
    try:
        requests.undo(request.user, done)
    except RefusedError as refused:
        show_errors(request, refused)
    else:
        what = {"what": done.title or done.get_kind_display()}
        messages.success(request, _("Charge undone: %(what)s") % what)
    return redirect("charges", night.pk)


def _charged(
    request: HttpRequest,
    night: Night,
    form: forms.Form,
    new_charge: Callable[[], charging.NewCharge],
) -> bool:
    key, visitor = form.cleaned_data["key"], request.user

    def charge() -> None:
        done = requests.charge_or_request(visitor, night, new_charge(), charge_id=key)
        if not isinstance(done, list):
            in_box = done.kind == Charge.Kind.STARTING_CASH
            text = (
                _("Starting cash added.") if in_box else _("Added. It is settled with the night.")
            )
            messages.success(request, text)
        elif any(each.state == ChipRequest.State.WAITING for each in done):
            names = ", ".join(each.charged.name for each in done)
            text = _("Waiting for %(names)s or a host to accept.") % {"names": names}
            messages.info(request, text)
        else:
            text = _("This charge was declined or undone. Nothing was charged.")
            messages.error(request, text, extra_tags="bad")

    return apply_form(form, charge)


def _page(
    request: HttpRequest,
    night: Night,
    *,
    cost_form: CostForm | None = None,
    prize_form: PrizeForm | None = None,
    cash_form: StartingCashForm | None = None,
) -> HttpResponse:
    league = night.league
    is_open = night.state == Night.State.OPEN
    manages = may(request.user, Action.MANAGE, league)
    may_charge = may(request.user, Action.KEEP_SCORE, league) and (is_open or manages)
    may_bet = may(request.user, Action.RECORD_HANDS, league) and (is_open or manages)
    dealt, done = list(hands(night)), side_bets.charges_of(night)
    fund = charging.fund_of(night)
    players = by_name(league.players.all())
    in_box = box_chips(league)
    shown_cost = cost_form
    if shown_cost is None:
        own = player_of(request.user, league)
        initial = {"payer": own.pk} if own else {}
        shown_cost = CostForm(night, _people(night), _sat(night), initial=initial)
    context = {
        "night": night,
        "league": league,
        "charged": Paginator(
            _listed(request.user, night, done, dealt, may_charge=may_charge), 10
        ).get_page(request.GET.get("page")),
        "waiting": chip_requests.waiting(night).filter(kind=ChipRequest.Kind.CHARGE),
        "bets": side_bets.of_night(night, dealt, done) if may_bet else [],
        "fund": fund,
        "fund_worth": money.in_money(fund, night),
        "in_box": in_box,
        "in_box_worth": money.in_money(in_box, night),
        "starting_cash": cash_form or StartingCashForm(night, players),
        "may_charge": may_charge,
        "may_manage": manages,
        "cost": shown_cost,
        "prize": prize_form or (PrizeForm(players, fund) if fund and league.fund_keeper else None),
    }
    failed = any(form is not None and form.errors for form in (cost_form, prize_form, cash_form))
    return render(request, "charges/charges.html", context, status=400 if failed else 200)


def _listed(
    visitor: Visitor,
    night: Night,
    charges: Sequence[Charge],
    dealt: Sequence[Revision],
    *,
    may_charge: bool,
) -> list[Charged]:
    """Return the charges, newest first."""
    not_won = side_bets.outdated_charges(night, charges, dealt)
    listed = []
    for charge in reversed(charges):
        charge.night = night  # avoids a query for each charge
        shares = [share for share in charge.shares.all() if not share.player.is_box]
        shares.sort(key=lambda share: (-share.net, name_order(share.player.name)))
        chips = max(sum(share.gets for share in shares), sum(share.owes for share in shares))
        undone = bool(vars(charge)["undone"])  # set by `charges_of`
        outdated = charge in not_won
        listed.append(
            Charged(
                charge=charge,
                shares=shares,
                worth=money.in_money(chips, night),
                undone=undone,
                outdated=outdated,
                beaten_by=None if undone or outdated else side_bets.beaten_by(charge, dealt),
                may_undo=not undone and may_charge and requests.may_undo(visitor, charge),
            )
        )
    return listed


def _people(night: Night) -> list[Player]:
    """Return all of the league's players in the order of odd chips: the night's players first."""
    sat = _sat(night)
    return sorted(night.league.players.all(), key=lambda who: (who.pk not in sat, who.name))


def _sat(night: Night) -> set[UUID]:
    return set(Seat.objects.filter(night=night).values_list("player", flat=True))
