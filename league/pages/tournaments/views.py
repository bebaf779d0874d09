"""Tournaments of a night: make one, run it from a phone, end it."""

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_night, find_tournament, may
from league.common.errors import RefusedError
from league.common.money import in_money
from league.models import Night, Player, Seat, Tournament
from league.pages.parts.forms import add_refusal, carry_out
from league.pages.parts.visitor import signed_in
from league.pages.tournaments.forms import DealForm, HappenedForm, TournamentForm, as_typed
from league.pages.tournaments.view import happened, view
from league.tournaments import events, finishing, making
from league.tournaments.events import (
    NewEvent,
    TournamentState,
    running_tournament,
    state_of,
    tournaments_of,
)
from league.tournaments.field import Act

GET_OR_POST = ["GET", "HEAD", "POST"]


@login_required
@require_safe
def tournaments(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """The one that goes on, else all of the night."""
    night = find_night(request.user, Action.LOOK, night_id)
    if running := running_tournament(night):
        return redirect("tournament", night.pk, running.pk)
    context = {
        "night": night,
        "league": night.league,
        "views": [view(state_of(each)) for each in tournaments_of(night)],
        "may_make": _may_run(request, night) and night.state == Night.State.OPEN,
    }
    return render(request, "tournaments/tournaments.html", context)


@login_required
@require_http_methods(GET_OR_POST)
def new(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    form = TournamentForm(night, _sent(request))
    if form.is_bound and form.is_valid():
        key, by = form.cleaned_data["key"], signed_in(request)
        if carry_out(form, lambda: making.make(night, key, form.details(), by=by)):
            return redirect("tournament", night.pk, key)
    return _form_page(request, night, form, None)


@login_required
@require_http_methods(GET_OR_POST)
def change(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    form = TournamentForm(found.night, _sent(request), initial=as_typed(found))
    if form.is_bound and form.is_valid() and _changed(found, form):
        return _back(found)
    return _form_page(request, found.night, form, found)


@login_required
@require_safe
def tournament(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.LOOK, night_id, tournament_id)
    state = state_of(found)
    night = found.night
    runs = _may_run(request, night) and not state.is_over and found.called_off_at is None
    context = {
        "night": night,
        "league": night.league,
        "tournament": found,
        "view": view(state),
        "happened": happened(state),
        "others": _others(night, state) if runs else [],
        "may_run": runs,
        "may_go_on": _may_run(request, night) and state.is_over,
    }
    return render(request, "tournaments/tournament.html", context)


@login_required
@require_POST
def happens(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    form = HappenedForm(found.night.league.players.all(), request.POST)
    if not form.is_valid():
        raise Http404
    key, by = form.cleaned_data["key"], signed_in(request)
    return _done(request, found, lambda: events.record_event(found, key, form.told(), by=by))


@login_required
@require_POST
def undo(request: HttpRequest, night_id: UUID, tournament_id: UUID, event_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    if not found.events.filter(pk=event_id).exists():
        raise Http404
    told, by = NewEvent(kind=Act.UNDO, undoes=event_id), signed_in(request)
    return _done(request, found, lambda: events.record_event(found, _key(request), told, by=by))


@login_required
@require_POST
def clock(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    """Let it run or rest, or go a level on or back."""
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    number = state_of(found).clock.number
    acts: dict[str, Callable[[], object]] = {
        "start": lambda: events.start_clock(found),
        "pause": lambda: events.pause_clock(found),
        "on": lambda: events.go_to_level(found, number + 1),
        "back": lambda: events.go_to_level(found, max(0, number - 1)),
    }
    act = acts.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    return _done(request, found, act)


@login_required
@require_POST
def seats(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    ways = {"draw": events.draw_seats, "balance": events.balance_tables}
    way = ways.get(request.POST.get("how", ""))
    if way is None:
        raise Http404
    return _done(request, found, lambda: way(found, _key(request), by=signed_in(request)))


@login_required
@require_http_methods(GET_OR_POST)
def end(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    """End it where one is left; else ask what those who remain agree upon."""
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    state, by = state_of(found), signed_in(request)
    form = DealForm(state, _sent(request))
    if form.is_bound and form.is_valid():
        several = len(state.field.playing) > 1
        if "propose" in request.POST:
            return _end_page(request, found, state, _proposed(form, state))
        deal = form.deal() if several else None
        if carry_out(form, lambda: finishing.finish(found, deal=deal, by=by)):
            messages.success(request, _("The tournament is over."))
            return _back(found)
    return _end_page(request, found, state, form)


@login_required
@require_POST
def go_on(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    return _done(request, found, lambda: finishing.go_on(found, by=signed_in(request)))


@login_required
@require_POST
def call_off(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    found = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    return _done(request, found, lambda: making.call_off(found))


def _sent(request: HttpRequest) -> QueryDict | None:
    """Return what was sent, and be it nothing; None of a page that is looked at."""
    return request.POST if request.method == "POST" else None


def _changed(found: Tournament, form: TournamentForm) -> bool:
    return carry_out(form, lambda: making.change(found, form.details()))


def _done(request: HttpRequest, found: Tournament, act: Callable[[], object]) -> HttpResponse:
    """Do it, say why not, and go back to the tournament."""
    form = forms.Form({})
    if not carry_out(form, act):
        for text in form.non_field_errors():
            messages.error(request, str(text), extra_tags="bad")
    return _back(found)


def _back(found: Tournament) -> HttpResponse:
    return redirect("tournament", found.night_id, found.pk)


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        raise Http404 from None


def _may_run(request: HttpRequest, night: Night) -> bool:
    """Tell whether the visitor may run tournaments; at a closed night hosts alone take back."""
    is_open = night.state == Night.State.OPEN
    return may(request.user, Action.KEEP_SCORE if is_open else Action.MANAGE, night.league)


def _others(night: Night, state: TournamentState) -> list[Player]:
    """Return who could still enter, those who sit at the night first."""
    sat = set(Seat.objects.filter(night=night, left_at=None).values_list("player", flat=True))
    others = night.league.players.exclude(pk__in=state.field.players)
    return sorted(others, key=lambda who: (who.pk not in sat, who.name))


def _proposed(form: DealForm, state: TournamentState) -> DealForm:
    """Return the form with what the model gives each, or with what is wrong."""
    try:
        ways = finishing.deals(state, form.stacks())
    except RefusedError as refused:
        add_refusal(form, refused)
        return form
    by = "icm" if form.data["propose"] == "icm" else "chips"
    told = form.data.dict() if hasattr(form.data, "dict") else dict(form.data)
    parts = {f"part-{player}": str(chips) for player, chips in ways[by].items()}
    return DealForm(state, {**told, **parts})


def _form_page(
    request: HttpRequest, night: Night, form: TournamentForm, found: Tournament | None
) -> HttpResponse:
    context = {"night": night, "league": night.league, "form": form, "tournament": found}
    status = 400 if form.errors else 200
    return render(request, "tournaments/form.html", context, status=status)


def _end_page(
    request: HttpRequest, found: Tournament, state: TournamentState, form: DealForm
) -> HttpResponse:
    left = finishing.prizes_left(state)
    context = {
        "night": found.night,
        "league": found.night.league,
        "tournament": found,
        "view": view(state),
        "form": form,
        "left": [(chips, in_money(chips, found.night)) for chips in left if chips],
        "left_sum": sum(left),
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournaments/end.html", context, status=status)
