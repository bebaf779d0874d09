"""Payment pages: the visitor's view of payment plans, promises, confirmations and disputes."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import (
    Action,
    find_league,
    find_night,
    find_payment,
    find_planned,
    find_season,
    may,
    require_to_pay_for,
)
from league.change_version import current_league_version
from league.closing import payments as closing_payments
from league.closing.notifications import load_earlier
from league.closing.payment_plans import (
    is_settled_with_season,
    settle_season,
    unplanned,
    waiting,
)
from league.closing.payments import LIVE, unpaid
from league.common.errors import IdReusedError, RefusedError
from league.common.money import in_money, shown
from league.common.text import by_name
from league.models import (
    Closing,
    Night,
    Payment,
    PaymentPlan,
    PaymentStep,
    PlannedPayment,
    Player,
    Season,
)
from league.nights.nights import UNPLAYED
from league.pages.parts.forms import show_errors
from league.pages.parts.numbers import MoneyField, chips_of
from league.pages.parts.planned_payments import (
    ROWS,
    Due,
    Replaced,
    ShownPlan,
    methods_by_payment,
    page_of_plans,
    replaced_of,
    rows_of,
    shown_due,
    worth_of,
)
from league.pages.parts.visitor import signed_in

# The service worker does not cache pages with this header, so phones do not store payment handles.
NOT_KEPT = "Not-Kept"


def forbid_storing(answer: HttpResponse, *, shows: bool) -> HttpResponse:
    """If the response shows ways to pay, mark it so that phones do not store it."""
    if shows:
        answer[NOT_KEPT] = "1"
    return answer


@require_safe
def payments(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    plans, dues = page_of_plans(request, rows_of(Q(plan__closing__night=night)))
    unpaid_of_season = unpaid(states=LIVE).filter(plan__season=night.season_id).order_by()
    context = {
        "night": night,
        "league": night.league,
        "plans": plans,
        "dues": dues,
        "waiting": [(who, in_money(chips, night)) for who, chips in waiting(night)],
        "may_manage": may(request.user, Action.MANAGE, night.league),
        "closed": night.state == Night.State.CLOSED,
        "with_season": is_settled_with_season(night),
        # With the payments of one plan, settling up would change nothing.
        "may_settle": unpaid_of_season.values("plan").distinct().count() > 1,
        "replaced": replaced_of(PlannedPayment.objects.filter(plan__closing__night=night)),
    }
    answer = render(request, "payments/payments.html", context)
    return forbid_storing(answer, shows=any(plan.shows_ways for plan in plans))


MOST_RECENT = 20  # an import may record hundreds of payments
NIGHTS = 20  # number of closed nights on a league's payments page


@require_safe
def money(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Show all of a league's unpaid and just paid payments, the visitor's own first."""
    league = find_league(request.user, Action.VIEW, league_id)
    open_rows = unpaid().filter(plan__season__league=league).values("pk")
    # Payments stay on the page so that they can be undone.
    steps = PaymentStep.objects.filter(made_at__gt=timezone.now() - closing_payments.UNDO_FOR)
    steps = steps.filter(payment__planned__plan__season__league=league).order_by("-made_at")
    recent = steps.values("payment__planned")[:MOST_RECENT]
    rows = rows_of(Q(pk__in=open_rows) | Q(pk__in=recent))
    page = Paginator(rows, ROWS).get_page(request.GET.get("dues"))
    hosts, ways = may(request.user, Action.MANAGE, league), methods_by_payment(request.user, page)
    load_earlier(planned.plan for planned in page)
    dues = [shown_due(request.user, planned, ways, hosts=hosts) for planned in page]
    closed = Night.objects.filter(Exists(Closing.objects.filter(night=OuterRef("pk"))))
    context = {
        "league": league,
        "version": current_league_version(league),
        "plan": _shown([due for due in dues if due.open_chips]),
        "received": _shown([due for due in dues if not due.open_chips]),
        "dues": page,
        "nights": closed.filter(season__league=league)
        .exclude(UNPLAYED)
        .order_by("-started_at")[:NIGHTS],
        # With the payments of one plan, settling up would change nothing.
        "may_settle": hosts and len({due.planned.plan_id for due in dues if due.unsaid}) > 1,
        "owes": _total(each.planned for each in dues if each.own == "pays"),
        "owed": _total(each.planned for each in dues if each.own == "gets"),
    }
    answer = render(request, "payments/money.html", context)
    return forbid_storing(answer, shows=any(due.ways for due in dues))


def _shown(dues: list[Due]) -> ShownPlan:
    return ShownPlan(title="", reason="", dues=dues)


def _total(rows: Iterable[PlannedPayment]) -> tuple[str, str]:
    """Return the values of the chips that are not confirmed and of those of them that were sent.

    A value has one amount for each currency, and is "" if it is zero.
    """
    owed, sent = Counter[str](), Counter[str]()
    for planned in rows:
        plan = planned.plan
        owed[plan.currency] += planned.open_chips() * plan.chip_value
        sent[plan.currency] += planned.sent_chips * plan.chip_value
    return _in_currencies(owed), _in_currencies(sent)


def _in_currencies(minor: Counter[str]) -> str:
    return ", ".join(f"{shown(amount, coin)} {coin}" for coin, amount in minor.items() if amount)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPayments:
    """The payments of a season that was settled.

    They add up to what the standings show, unless `elsewhere` is true or more than `ROWS` payments
    of nights are unpaid.

    `plans` settle the season itself, and `page` is their page. `of_nights` contains the unpaid
    payments of nights, which these plans don't replace if they were sent, or if the night was
    closed later. `waiting` are the players' results that no plan contains. `elsewhere` is whether
    other seasons have unpaid payments.
    """

    plans: list[ShownPlan]
    page: Page[Any]
    replaced: list[Replaced]
    of_nights: ShownPlan
    waiting: list[tuple[Player, str]]
    elsewhere: bool


def of_season(request: HttpRequest, season: Season) -> SeasonPayments:
    of_plans, league = {"plan__season": season, "plan__closing": None}, season.league
    unpaid_rows = unpaid().filter(plan__season__league=league).order_by()
    of_nights = unpaid_rows.filter(plan__season=season, plan__closing__isnull=False).values("pk")
    rows = rows_of(Q(pk__in=of_nights))[:ROWS]
    hosts, ways = may(request.user, Action.MANAGE, league), methods_by_payment(request.user, rows)
    load_earlier(planned.plan for planned in rows)
    left = unplanned(season, league)
    plans, page = page_of_plans(request, rows_of(Q(**of_plans)))
    return SeasonPayments(
        plans=plans,
        page=page,
        replaced=replaced_of(PlannedPayment.objects.filter(**of_plans)),
        of_nights=_shown([shown_due(request.user, each, ways, hosts=hosts) for each in rows]),
        waiting=[
            (player, in_money(left[player.pk], league))
            for player in by_name(Player.with_box.filter(pk__in=list(left)))
        ],
        elsewhere=unpaid_rows.exclude(plan__season=season).exists(),
    )


@require_POST
def settle(request: HttpRequest, season_id: UUID) -> HttpResponse:
    season = find_season(request.user, Action.MANAGE, season_id)
    key = _key(request)
    end = "end" in request.POST
    _try(request, lambda: settle_season(season, key, by=signed_in(request), end=end))
    season.refresh_from_db(fields=["ends_on"])
    if end and season.ends_on:
        messages.success(request, _("%(season)s has ended.") % {"season": season})
    return redirect("season", season.pk)


def _planned_text(plan: PaymentPlan) -> str:
    """Return what the plan contains and what it replaces."""
    number = plan.payments.count()
    if not number and not plan.replacements.exists():
        return _("Nothing to plan. Everything unpaid is already in the fewest payments.")
    text = ngettext("%(number)s payment planned.", "%(number)s payments planned.", number)
    if plan.replacements.exists():
        more = _("The earlier payments that were not sent are replaced.")
        text = f"{text} {more}"
    return text % {"number": number}


@require_POST
def promise(request: HttpRequest, planned_id: int) -> HttpResponse:
    planned = find_planned(request.user, planned_id)
    require_to_pay_for(request.user, planned.payer, planned.plan.season.league)
    return _pay(request, planned, closing_payments.promise)


@require_POST
def receive(request: HttpRequest, planned_id: int) -> HttpResponse:
    planned = find_planned(request.user, planned_id)
    require_to_pay_for(request.user, planned.payee, planned.plan.season.league)
    return _pay(request, planned, closing_payments.receive)


def _pay(request: HttpRequest, due: PlannedPayment, pay: Callable[..., Payment]) -> HttpResponse:
    key, by, amount = _key(request), signed_in(request), request.POST.get("amount", "")
    _try(request, lambda: pay(due, key, _chips_paid(amount, due.plan), by=by))
    return _back(request, due)


def _chips_paid(amount: str, plan: PaymentPlan) -> int:
    """Return the typed money as chips. Raises ValidationError unless it is more than zero."""
    too_little = _("Enter more than 0.")
    field = MoneyField(currency=plan.currency, error_messages={"min_value": too_little})
    chips = chips_of(field.clean(amount), plan)
    if not chips:
        raise ValidationError(too_little)
    return chips


@require_POST
def confirm(request: HttpRequest, payment_id: UUID) -> HttpResponse:
    return _answer(request, payment_id, closing_payments.confirm)


@require_POST
def dispute(request: HttpRequest, payment_id: UUID) -> HttpResponse:
    return _answer(request, payment_id, closing_payments.dispute)


@require_POST
def withdraw(request: HttpRequest, payment_id: UUID) -> HttpResponse:
    payment = find_payment(request.user, payment_id)
    if not closing_payments.may_withdraw_payment(request.user, payment):
        raise PermissionDenied
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
        if isinstance(done, PaymentPlan):
            messages.success(request, _planned_text(done))
        if isinstance(done, Payment):
            planned = done.planned
            messages.success(
                request,
                RECORDED[done.state]
                % {
                    "payer": planned.payer,
                    "payee": planned.payee,
                    "worth": worth_of(planned, done.chips),
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
