"""Nights: start one, see its stacks and hands, buy in, sit down."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import nights
from league.access import ALLOWED, Action, find_league, find_night, require
from league.models import League, Night, Player, Seat
from league.pages import money
from league.pages.deeds import deeds, speaks_for
from league.pages.forms import BuyInForm, GuestForm, NewNight, TakeSeat, add_refusal
from league.pages.nightly import lines, stacks
from league.pages.visitors import signed_in
from league.refusals import KeyReused, NightClosed, Refused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_night(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.RECORD, league_id)
    form = NewNight(list(league.players.order_by("name")), request.POST or None)
    night = _started(request, league, form) if form.is_valid() else None
    if night is None:
        return render(request, "night/new.html", {"league": league, "form": form})
    return redirect("night", night.pk)


@login_required
@require_safe
def night(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _page(request, find_night(request.user, Action.LOOK, night_id))


@login_required
@require_POST
def buy_in(request: HttpRequest, night_id: UUID) -> HttpResponse:
    found = find_night(request.user, Action.LOOK, night_id)
    form = BuyInForm(found, speaks_for(request.user, found, _seated(found)), request.POST)
    if form.is_valid() and _bought(request, found, form):
        said = {"name": form.cleaned_data["player"], "chips": form.cleaned_data["chips"]}
        messages.success(request, _("%(name)s buys in for %(chips)s.") % said)
        return redirect("night", found.pk)
    return _page(request, found, buy_in=form)


@login_required
@require_POST
def seat(request: HttpRequest, night_id: UUID) -> HttpResponse:
    found = find_night(request.user, Action.LOOK, night_id)
    form = TakeSeat(speaks_for(request.user, found, _standing(found)), request.POST)
    if form.is_valid() and _sat(found, form):
        messages.success(request, _("%(name)s sits down.") % {"name": form.cleaned_data["player"]})
        return redirect("night", found.pk)
    return _page(request, found, take_seat=form)


@login_required
@require_POST
def guest(request: HttpRequest, night_id: UUID) -> HttpResponse:
    found = find_night(request.user, Action.RECORD, night_id)
    form = GuestForm(request.POST)
    if form.is_valid() and _seated_guest(found, form):
        messages.success(request, _("%(name)s sits down.") % {"name": form.cleaned_data["name"]})
        return redirect("night", found.pk)
    return _page(request, found, guest=form)


def _page(
    request: HttpRequest,
    night: Night,
    *,
    buy_in: BuyInForm | None = None,
    take_seat: TakeSeat | None = None,
    guest: GuestForm | None = None,
) -> HttpResponse:
    league = night.league
    allowed = ALLOWED[require(request.user, Action.LOOK, league)]
    context = {
        "night": night,
        "league": league,
        "chip": money.shown(night.chip_value, league.currency),
        "stacks": stacks(night),
        "hands": lines(night),
        "carry": nights.carry(night),
        "may_record": Action.RECORD in allowed and night.state == Night.State.OPEN,
        "buy_in": buy_in or BuyInForm(night, _seated(night), initial={"key": uuid4()}),
        "take_seat": take_seat or TakeSeat(_standing(night)),
        "guest": guest or GuestForm(auto_id="guest_%s"),
        "deeds": deeds(request.user, night, keeps=Action.RECORD in allowed),
    }
    failed = any(form is not None and form.errors for form in (buy_in, take_seat, guest))
    return render(request, "night/night.html", context, status=400 if failed else 200)


def _started(request: HttpRequest, league: League, form: NewNight) -> Night | None:
    try:
        with transaction.atomic():
            return _start(request, league, form)
    except Refused as refused:
        add_refusal(form, refused, usual_buy_in="usual")
        return None


def _start(request: HttpRequest, league: League, form: NewNight) -> Night:
    told, sitting = form.cleaned_data, form.sitting()
    night = nights.open_night(
        league,
        name=told["name"],
        usual_buy_in=told["usual"],
        players=[player for player, _chips in sitting],
    )
    for player, chips in sitting:
        if chips:
            nights.buy_in(night, player, chips, buy_in_id=uuid4(), by=signed_in(request))
    return night


def _bought(request: HttpRequest, night: Night, form: BuyInForm) -> bool:
    told = form.cleaned_data
    try:
        nights.buy_in(
            night,
            told["player"],
            told["chips"],
            buy_in_id=told["key"],
            by=signed_in(request),
            banker=told["banker"],
        )
    except Refused as refused:
        add_refusal(form, refused)
    except KeyReused:
        form.add_error(None, _("This was sent before with other chips; what stood then stands."))
    except NightClosed:
        form.add_error(None, _("The night is closed."))
    return not form.errors


def _sat(night: Night, form: TakeSeat) -> bool:
    try:
        nights.seat(night, form.cleaned_data["player"])
    except Refused as refused:
        add_refusal(form, refused)
    except NightClosed:
        form.add_error(None, _("The night is closed."))
    return not form.errors


def _seated_guest(night: Night, form: GuestForm) -> bool:
    try:
        nights.seat_guest(night, form.cleaned_data["name"])
    except Refused as refused:
        add_refusal(form, refused)
    except NightClosed:
        form.add_error(None, _("The night is closed."))
    return not form.errors


def _seated(night: Night) -> list[Player]:
    rows = Seat.objects.filter(night=night).select_related("player").order_by("position")
    return [row.player for row in rows]


def _standing(night: Night) -> list[Player]:
    seated = Seat.objects.filter(night=night, left_at=None).values("player")
    return list(night.league.players.exclude(pk__in=seated).order_by("name"))
