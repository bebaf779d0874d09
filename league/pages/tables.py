"""Leagues: make one, see who plays and when, bring people in."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, Visitor, find_league, find_player, rights
from league.devices import free
from league.leagues import add_player, latest_season, make_league
from league.models import League, Night, Payment, PlannedPayment, User
from league.money import in_money, worth
from league.pages.codes import join_code
from league.pages.forms import AddPlayer, NewLeague, add_refusal
from league.pages.visitors import signed_in
from league.paying import unpaid
from league.pulse import league_version
from league.refusals import Refused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_league(request: HttpRequest) -> HttpResponse:
    form = NewLeague(request.POST or None)
    league = _made(signed_in(request), form) if form.is_valid() else None
    if league is None:
        return render(request, "league/new.html", {"form": form})
    return redirect("league", league.pk)


@login_required
@require_safe
def league(request: HttpRequest, league_id: UUID) -> HttpResponse:
    found = find_league(request.user, Action.LOOK, league_id)
    return _page(request, found, AddPlayer())


@login_required
@require_POST
def player(request: HttpRequest, league_id: UUID) -> HttpResponse:
    found = find_league(request.user, Action.MANAGE, league_id)
    form = AddPlayer(request.POST)
    if form.is_valid() and _added(found, form):
        messages.success(request, _("%(name)s is in.") % {"name": form.cleaned_data["name"]})
        return redirect("league", found.pk)
    return _page(request, found, form)


@login_required
@require_POST
def release(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Take a name back from the phone that has picked it."""
    player = find_player(request.user, Action.MANAGE, player_id)
    free(player, by=signed_in(request))
    messages.success(request, _("%(name)s can be picked again.") % {"name": player})
    return redirect("league", player.league_id)


def _page(request: HttpRequest, league: League, form: AddPlayer) -> HttpResponse:
    allowed = rights(request.user, league)
    nights = Night.objects.filter(season__league=league).select_related("closing_job")
    context = {
        "version": league_version(league),
        "league": league,
        "chip": worth(1, league),
        "players": league.players.order_by("name"),
        "nights": nights.annotate(hand_count=Count("hands")).order_by("-started_at"),
        "owed": _owed(request.user, league),
        "season": latest_season(league),
        "form": form,
        "may_record": Action.RECORD in allowed,
        "may_manage": Action.MANAGE in allowed,
        "join": join_code(request, league),
    }
    return render(request, "league/league.html", context, status=400 if form.errors else 200)


def _owed(user: Visitor, league: League) -> list[tuple[PlannedPayment, str]]:
    """Return what the visitor has still to pay or to get, with how much of it in money."""
    mine = Q(payer__user=user.pk) | Q(payee__user=user.pk)
    rows = list(unpaid().filter(mine, plan__season__league=league).order_by("plan__made_at", "pk"))
    prefetch_related_objects(rows, "payer__user", "payee__user", "plan__closing", "paid")
    return [(each, in_money(_left(each), each.plan)) for each in rows]


def _left(planned: PlannedPayment) -> int:
    confirmed = Payment.State.CONFIRMED
    return planned.chips - sum(each.chips for each in planned.paid.all() if each.state == confirmed)


def _made(user: User, form: NewLeague) -> League | None:
    told = form.cleaned_data
    names = ("name", "currency", "time_zone", "chip_value")
    try:
        return make_league(user, **{name: told[name] for name in names})
    except Refused as refused:
        add_refusal(form, refused, chip_value="chip")
        return None


def _added(league: League, form: AddPlayer) -> bool:
    try:
        add_player(league, form.cleaned_data["name"], is_guest=form.cleaned_data["is_guest"])
    except Refused as refused:
        add_refusal(form, refused)
        return False
    return True
