"""Payment pages: the visitor's view of payment plans, promises, confirmations and disputes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Page
from django.db.models import OuterRef, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.access import (
    Action,
    Visitor,
    find_league,
    find_night,
    find_payment,
    find_planned,
    find_season,
    may,
    may_pay_for,
    require_to_pay_for,
)
from league.change_version import current_league_version
from league.closing import payments as closing_payments
from league.closing.notifications import short_reason
from league.closing.payment_plans import settle_season, waiting
from league.closing.payments import LIVE, unpaid
from league.common.errors import IdReusedError, RefusedError
from league.common.money import in_money
from league.common.text import tidy
from league.models import Night, Payment, PaymentStep, PlannedPayment, Season
from league.pages.parts.error_messages import show_errors
from league.pages.parts.numbers import Chips
from league.pages.parts.paging import page_of
from league.pages.parts.qr_code import drawn
from league.pages.parts.visitor import signed_in, table_name
from league.payment_methods.kinds import PaymentDetails
from league.payment_methods.methods import (
    PaymentOption,
    may_see_methods,
    methods_of_payees,
    payment_options,
)

# The payment methods shown next to each planned payment.


# The service worker does not cache pages with this header, so phones do not store payment handles.
NOT_KEPT = "Not-Kept"


@dataclass(frozen=True, slots=True)
class ShownMethod:
    """A way to pay, with its QR code as a picture."""

    way: PaymentOption
    picture: SafeString | None = field(repr=False)


def unpromised_chips(planned: PlannedPayment) -> int:
    """Return the planned chips that are neither paid nor promised."""
    chips = (each.chips for each in planned.paid.all() if each.state in LIVE)
    return planned.chips - sum(chips)


def methods_by_payment(
    visitor: Visitor, rows: Iterable[PlannedPayment]
) -> dict[int, list[ShownMethod]]:
    """Return the ways to pay the open payments, keyed by planned payment. Runs one query.

    Payments are omitted if the visitor may not see how to pay them.
    """
    unpaid = [planned for planned in rows if unpromised_chips(planned)]
    methods = methods_of_payees(visitor, unpaid)
    return {
        planned.pk: [
            ShownMethod(way, drawn(way.code) if way.code else None)
            for way in payment_options(methods[planned.payee.user_id], payment_details(planned))
        ]
        for planned in unpaid
        if planned.payee.user_id in methods and may_see_methods(visitor, planned)
    }


def payment_details(planned: PlannedPayment) -> PaymentDetails:
    """Return the remaining amount and the payee, with the night or season as the note."""
    plan = planned.plan
    return PaymentDetails(
        minor=unpromised_chips(planned) * plan.chip_value,
        currency=plan.currency,
        payee=planned.payee.name,
        note=note_of(planned),
    )


def note_of(planned: PlannedPayment) -> str:
    """Return the night's name, or the season's name if the plan settles a whole season."""
    plan = planned.plan
    return tidy(str(plan.closing.night if plan.closing else plan.season))


def forbid_storing(answer: HttpResponse, *, shows: bool) -> HttpResponse:
    """If the response shows ways to pay, mark it so that phones do not store it."""
    if shows:
        answer[NOT_KEPT] = "1"
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A payment towards a planned payment, with the actions that the visitor may take."""

    payment: Payment
    worth: str
    steps: list[PaymentStep]
    may_confirm: bool
    may_dispute: bool
    may_take_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A planned payment. `unsaid` is the number of chips that are neither paid nor promised.

    `own` is "pays" or "gets" for the visitor's own payments, and "" for other payments.
    """

    planned: PlannedPayment
    why: str
    worth: str
    open_chips: int
    open_worth: str
    unsaid: int
    unsaid_worth: str
    own: str
    parts: list[Part]
    ways: list[ShownMethod]
    note: str
    may_promise: bool
    may_receive: bool
    key: UUID

    @property
    def receives(self) -> bool:
        """Whether the main action is to confirm the money, rather than to report that it was sent.

        A host who records the payment of two other players usually saw the money change hands.
        """
        return self.may_receive and self.own != "pays"

    @property
    def is_one_part(self) -> bool:
        """Whether one payment covers the whole amount, so that the amount need not be repeated."""
        live = [part.payment for part in self.parts if part.payment.state != "withdrawn"]
        return len(live) == 1 and live[0].chips == self.planned.chips

    @property
    def has_codes(self) -> bool:
        return any(each.picture for each in self.ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """A payment plan. `reason` explains why the plan was made, unless it is the first plan."""

    title: str
    reason: str
    dues: list[Due]

    @property
    def own(self) -> list[Due]:
        """The visitor's own payments, starting with open ones."""
        return sorted(
            (each for each in self.dues if each.own), key=lambda each: not each.open_chips
        )

    @property
    def others(self) -> list[Due]:
        return [each for each in self.dues if not each.own]

    @property
    def shows_ways(self) -> bool:
        return any(each.ways for each in self.dues)


ROWS = 300  # payments per page; enough unless a night was closed many times


@login_required
@require_safe
def payments(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.LOOK, night_id)
    plans, dues = _page(request, _rows().filter(plan__closing__night=night))
    context = {
        "night": night,
        "league": night.league,
        "plans": plans,
        "dues": dues,
        "waiting": [(who, in_money(chips, night)) for who, chips in waiting(night)],
        "may_manage": may(request.user, Action.MANAGE, night.league),
        "closed": night.state == Night.State.CLOSED,
    }
    answer = render(request, "payments/payments.html", context)
    return forbid_storing(answer, shows=any(plan.shows_ways for plan in plans))


NIGHTS = 20  # number of closed nights on a league's payments page


@login_required
@require_safe
def money(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Show all of a league's unpaid payments, the visitor's own first, and its closed nights."""
    league = find_league(request.user, Action.LOOK, league_id)
    open_rows = unpaid().filter(plan__season__league=league).values("pk")
    page = page_of(request, _rows().filter(pk__in=open_rows), name="dues", size=ROWS)
    hosts, ways = may(request.user, Action.MANAGE, league), methods_by_payment(request.user, page)
    dues = [_due(request.user, planned, ways, hosts=hosts) for planned in page]
    closed = Night.objects.filter(season__league=league, state=Night.State.CLOSED)
    context = {
        "league": league,
        "version": current_league_version(league),
        "plan": ShownPlan(title="", reason="", dues=dues),
        "dues": page,
        "nights": closed.select_related("season").order_by("-started_at")[:NIGHTS],
    }
    answer = render(request, "payments/money.html", context)
    return forbid_storing(answer, shows=any(due.ways for due in dues))


def of_season(request: HttpRequest, season: Season) -> tuple[list[ShownPlan], Page[Any]]:
    """Return the plans that settle the season itself, and the page with their payments."""
    return _page(request, _rows().filter(plan__season=season, plan__closing=None))


@login_required
@require_POST
def settle(request: HttpRequest, season_id: UUID) -> HttpResponse:
    season = find_season(request.user, Action.MANAGE, season_id)
    key = _key(request)
    end = "end" in request.POST
    _try(request, lambda: settle_season(season, key, by=signed_in(request), end=end))
    return redirect("season", season.pk)


@login_required
@require_POST
def promise(request: HttpRequest, planned_id: int) -> HttpResponse:
    planned = find_planned(request.user, planned_id)
    require_to_pay_for(request.user, planned.payer, planned.plan.season.league)
    return _pay(request, planned, closing_payments.promise)


@login_required
@require_POST
def receive(request: HttpRequest, planned_id: int) -> HttpResponse:
    planned = find_planned(request.user, planned_id)
    require_to_pay_for(request.user, planned.payee, planned.plan.season.league)
    return _pay(request, planned, closing_payments.receive)


def _pay(request: HttpRequest, due: PlannedPayment, pay: Callable[..., Payment]) -> HttpResponse:
    key, read, by = _key(request), Chips(min_value=1).clean, signed_in(request)
    _try(request, lambda: pay(due, key, read(request.POST.get("chips", "")), by=by))
    return _back(request, due)


@login_required
@require_POST
def confirm(request: HttpRequest, payment_id: UUID) -> HttpResponse:
    return _answer(request, payment_id, closing_payments.confirm)


@login_required
@require_POST
def dispute(request: HttpRequest, payment_id: UUID) -> HttpResponse:
    return _answer(request, payment_id, closing_payments.dispute)


@login_required
@require_POST
def withdraw(request: HttpRequest, payment_id: UUID) -> HttpResponse:
    """Undo a payment. Payers may undo their own promises, and hosts may undo any payment."""
    payment = find_payment(request.user, payment_id)
    league = payment.planned.plan.season.league
    if payment.state != Payment.State.PROMISED or not may_pay_for(
        request.user, payment.planned.payer, league
    ):
        find_season(request.user, Action.MANAGE, payment.planned.plan.season_id)
    _try(request, lambda: closing_payments.withdraw(payment, by=signed_in(request)))
    return _back(request, payment.planned)


def _answer(request: HttpRequest, payment_id: UUID, answer: Callable[..., Payment]) -> HttpResponse:
    payment = find_payment(request.user, payment_id)
    league = payment.planned.plan.season.league
    require_to_pay_for(request.user, payment.planned.payee, league)
    _try(request, lambda: answer(payment, by=signed_in(request)))
    return _back(request, payment.planned)


RECORDED: dict[str, Promise] = {
    Payment.State.PROMISED: gettext_lazy("%(payer)s to %(payee)s, %(worth)s: sent."),
    Payment.State.CONFIRMED: gettext_lazy("%(payer)s to %(payee)s, %(worth)s: received."),
    Payment.State.DISPUTED: gettext_lazy("%(payer)s to %(payee)s, %(worth)s: not received."),
    Payment.State.WITHDRAWN: gettext_lazy("%(payer)s to %(payee)s, %(worth)s: undone."),
}


def _try(request: HttpRequest, act: Callable[[], object]) -> None:
    """Call `act`. The next page shows what was recorded, or why the action was refused."""
    try:
        done = act()
    except RefusedError as refused:
        show_errors(request, refused)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages), extra_tags="bad")
    except IdReusedError:
        messages.error(
            request,
            _("This payment was already saved with another amount. Check it below."),
            extra_tags="bad",
        )
    else:
        if isinstance(done, Payment):
            planned = done.planned
            messages.success(
                request,
                RECORDED[done.state]
                % {
                    "payer": planned.payer,
                    "payee": planned.payee,
                    "worth": _worth(planned, done.chips),
                },
            )


def _back(request: HttpRequest, planned: PlannedPayment) -> HttpResponse:
    """Redirect to the page in the form's `next` field, or to the night's payments."""
    back = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    ):
        return redirect(back)
    if planned.plan.closing:
        return redirect("payments", planned.plan.closing.night_id)
    return redirect("season", planned.plan.season_id)


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


def _rows() -> Any:
    rows = PlannedPayment.objects.select_related(
        "payer__user", "payee__user", "plan__closing__night", "plan__season__league"
    )
    league = OuterRef("payment__planned__plan__season__league")
    steps = PaymentStep.objects.visible().annotate(made_by_name=table_name(league, "made_by"))
    steps = steps.order_by("number")
    payments = rows.prefetch_related("paid", "plan__closing__lines", Prefetch("paid__steps", steps))
    return payments.order_by("-plan__made_at", "-plan", "position")


def _page(request: HttpRequest, rows: Any) -> tuple[list[ShownPlan], Page[Any]]:
    """Return the plans, oldest first, and the current page.

    The first page has the newest payments.
    """
    page = page_of(request, rows, name="dues", size=ROWS)
    shown = sorted(page, key=lambda each: (each.plan.made_at, each.plan_id.int, each.position))
    plans: dict[UUID, ShownPlan] = {}
    hosts: dict[UUID, bool] = {}
    ways = methods_by_payment(request.user, shown)
    for planned in shown:
        plan, closing = planned.plan, planned.plan.closing
        if plan.pk not in plans:
            hosts[plan.pk] = may(request.user, Action.MANAGE, plan.season.league)
            is_first = not page.has_next() and not plans
            title = _("Who pays whom") if is_first else _("Changes since then")
            reason = closing.reason if closing else ""
            plans[plan.pk] = ShownPlan(title=title, reason=reason, dues=[])
        plans[plan.pk].dues.append(_due(request.user, planned, ways, hosts=hosts[plan.pk]))
    return list(plans.values()), page


def _due(
    user: Visitor, planned: PlannedPayment, ways: dict[int, list[ShownMethod]], *, hosts: bool
) -> Due:
    payments = sorted(planned.paid.all(), key=lambda payment: payment.made_at)
    states = Payment.State
    got = sum(payment.chips for payment in payments if payment.state == states.CONFIRMED)
    unsaid = unpromised_chips(planned)
    is_payer, is_payee = _is(user, planned.payer.user_id), _is(user, planned.payee.user_id)
    pays, gets = hosts or is_payer, hosts or is_payee
    parts = []
    for payment in payments:
        is_promised = payment.state == states.PROMISED
        parts.append(
            Part(
                payment=payment,
                worth=_worth(planned, payment.chips),
                steps=list(payment.steps.all()),
                may_confirm=gets and (is_promised or payment.state == states.DISPUTED),
                may_dispute=gets and is_promised,
                may_take_back=(pays and is_promised)
                or (hosts and payment.state in {states.CONFIRMED, states.DISPUTED}),
            )
        )
    return Due(
        planned=planned,
        why=short_reason(planned),
        worth=_worth(planned, planned.chips),
        open_chips=planned.chips - got,
        open_worth=_worth(planned, planned.chips - got),
        unsaid=unsaid,
        unsaid_worth=_worth(planned, unsaid),
        own="pays" if is_payer else "gets" if is_payee else "",
        parts=parts,
        ways=ways.get(planned.pk, []),
        note=note_of(planned),
        may_promise=pays and unsaid > 0,
        may_receive=gets and unsaid > 0,
        key=uuid4(),
    )


def _worth(planned: PlannedPayment, chips: int) -> str:
    return in_money(chips, planned.plan)


def _is(user: Visitor, user_id: int | None) -> bool:
    return user_id is not None and user_id == user.pk
