"""Create, run and end a night's tournaments."""

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_night, find_tournament, may
from league.common.errors import RefusedError
from league.common.money import in_money, money_of
from league.common.text import name_order
from league.models import Night, Player, Seat, Tournament
from league.pages.parts.chip_pieces import Pieces, pieces_to_hand_out
from league.pages.parts.forms import add_refusal, apply_form
from league.pages.parts.visitor import signed_in
from league.pages.tournaments.forms import (
    PRESETS,
    USUAL_STACK,
    DealForm,
    EventForm,
    TournamentForm,
    as_typed,
)
from league.pages.tournaments.view import happened, view
from league.tournaments import events, finishing, making
from league.tournaments.clock import (
    levels_text,
    usual_levels,
)
from league.tournaments.events import (
    NewEvent,
    TournamentState,
    running_tournament,
    state_of,
    tournaments_of,
)
from league.tournaments.field import Act

GET_OR_POST = ["GET", "HEAD", "POST"]


@require_safe
def tournaments(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Redirect to the running tournament, or list all of the night's tournaments."""
    night = find_night(request.user, Action.VIEW, night_id)
    if running := running_tournament(night):
        return redirect("tournament", night.pk, running.pk)
    context = {
        "night": night,
        "league": night.league,
        "views": [view(state_of(each)) for each in tournaments_of(night)],
        "may_make": _may_run(request, night) and night.state == Night.State.OPEN,
    }
    return render(request, "tournaments/tournaments.html", context)


@require_http_methods(GET_OR_POST)
def new(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    form = TournamentForm(night, _sent(request))
    if form.is_bound and form.is_valid():
        key, by = form.cleaned_data["key"], signed_in(request)
        if apply_form(form, lambda: making.make(night, key, form.details(), by=by)):
            return redirect("tournament", night.pk, key)
    return _form_page(request, night, form, None)


@require_http_methods(GET_OR_POST)
def change(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    form = TournamentForm(tournament.night, _sent(request), initial=as_typed(tournament))

    def save() -> None:
        making.change(tournament, form.details(), by=signed_in(request))

    if form.is_bound and form.is_valid() and apply_form(form, save):
        return _back(tournament)
    return _form_page(request, tournament.night, form, tournament)


@require_safe
def tournament(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.VIEW, night_id, tournament_id)
    state = state_of(tournament)
    night, entrants = tournament.night, state.field.players
    runs = _may_run(request, night) and not state.is_over and tournament.called_off_at is None
    others: list[Player] = []
    seated = _seated_without_entry(state) if runs else []
    if runs:  # the players who can still enter, those seated in the night first
        rows = night.league.players.exclude(pk__in=entrants)
        others = sorted(rows, key=lambda player: (player not in seated, name_order(player.name)))
    pieces: list[Pieces] = []
    if not state.is_over:  # of a starting stack, if the chip set is enough for all entrants
        pieces = pieces_to_hand_out(night.league, tournament.stack, len(entrants) or 1)
    lines = happened(state)
    undo = runs and bool(lines) and lines[0].is_new(signed_in(request))
    context = {
        "night": night,
        "league": night.league,
        "tournament": tournament,
        "view": view(state),
        "happened": lines,
        "undo": lines[0] if undo else None,
        "pieces": pieces,
        "others": others,
        "seated": len(seated),
        "may_run": runs,
        "may_go_on": _may_run(request, night) and state.is_over,
    }
    return render(request, "tournaments/tournament.html", context)


@require_POST
def happens(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    if "everyone" in request.POST:
        players, by = _seated_without_entry(state_of(tournament)), signed_in(request)
        key = _key(request)
        return _done(
            request, tournament, lambda: events.enter_players(tournament, key, players, by=by)
        )
    form = EventForm(tournament, request.POST)
    if not form.is_valid():
        raise Http404
    if question := form.bounty_question():
        messages.error(request, question, extra_tags="bad")
        return _back(tournament)
    key, by = form.cleaned_data["key"], signed_in(request)
    return _done(
        request, tournament, lambda: events.record_event(tournament, key, form.new_event(), by=by)
    )


@require_POST
def undo(request: HttpRequest, night_id: UUID, tournament_id: UUID, event_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    if not tournament.events.filter(pk=event_id).exists():
        raise Http404
    event, by = NewEvent(kind=Act.UNDO, undoes=event_id), signed_in(request)
    return _done(
        request, tournament, lambda: events.record_event(tournament, _key(request), event, by=by)
    )


@require_POST
def clock(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    """Start or pause the clock, or move it forward or back by one level."""
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    number = state_of(tournament).clock.number
    acts: dict[str, Callable[[], object]] = {
        "start": lambda: events.start_clock(tournament, by=signed_in(request)),
        "pause": lambda: events.pause_clock(tournament),
        "on": lambda: events.go_to_level(tournament, number + 1),
        "back": lambda: events.go_to_level(tournament, max(0, number - 1)),
    }
    act = acts.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    return _done(request, tournament, act)


@require_POST
def seats(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    ways = {"draw": events.draw_seats, "balance": events.balance_tables}
    way = ways.get(request.POST.get("how", ""))
    if way is None:
        raise Http404
    return _done(request, tournament, lambda: way(tournament, _key(request), by=signed_in(request)))


@require_http_methods(GET_OR_POST)
def end(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    """End the tournament if one player is left. Otherwise ask for the remaining players' deal."""
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    state, by = state_of(tournament), signed_in(request)
    form = DealForm(state, _sent(request))
    if form.is_bound and form.is_valid():
        if "propose" in request.POST:  # fill in the chosen model's payouts
            try:
                ways = finishing.deals(state, form.stacks())
            except RefusedError as refused:
                add_refusal(form, refused)
            else:
                model = "icm" if form.data["propose"] == "icm" else "chips"
                parts = {
                    f"part-{player}": money_of(chips, tournament.night)
                    for player, chips in ways[model].items()
                }
                form = DealForm(state, {**request.POST.dict(), **parts})
            return _end_page(request, tournament, state, form)
        deal = form.deal() if len(state.field.playing) > 1 else None
        if apply_form(form, lambda: finishing.finish(tournament, deal=deal, by=by)):
            messages.success(request, _("The tournament is over."))
            return _back(tournament)
    return _end_page(request, tournament, state, form)


@require_POST
def resume(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    return _done(request, tournament, lambda: finishing.resume(tournament, by=signed_in(request)))


@require_POST
def call_off(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    return _done(request, tournament, lambda: making.call_off(tournament, by=signed_in(request)))


def _seated_without_entry(state: TournamentState) -> list[Player]:
    """Return the players seated in the night who have not entered the tournament."""
    rows = Seat.objects.filter(night=state.tournament.night, left_at=None)
    seats = rows.exclude(player__in=state.field.players).select_related("player")
    return [seat.player for seat in seats.order_by("position")]


def _sent(request: HttpRequest) -> QueryDict | None:
    """Return the submitted data, which may be empty, or None if nothing was submitted."""
    return request.POST if request.method == "POST" else None


def _done(request: HttpRequest, tournament: Tournament, act: Callable[[], object]) -> HttpResponse:
    """Call `act`, show the reason if it is refused, and redirect to the tournament."""
    form = forms.Form({})
    if not apply_form(form, act):
        for text in form.non_field_errors():
            messages.error(request, str(text), extra_tags="bad")
    return _back(tournament)


def _back(tournament: Tournament) -> HttpResponse:
    return redirect("tournament", tournament.night_id, tournament.pk)


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        raise Http404 from None


def _may_run(request: HttpRequest, night: Night) -> bool:
    """Return whether the visitor may run tournaments.

    Only hosts may run a closed night's tournaments.
    """
    is_open = night.state == Night.State.OPEN
    return may(request.user, Action.KEEP_SCORE if is_open else Action.MANAGE, night.league)


def _form_page(
    request: HttpRequest, night: Night, form: TournamentForm, tournament: Tournament | None
) -> HttpResponse:
    context = {
        "night": night,
        "league": night.league,
        "form": form,
        "tournament": tournament,
        "presets": [
            (title, minutes, levels_text(usual_levels(USUAL_STACK, minutes)))
            for title, minutes in PRESETS
        ],
    }
    status = 400 if form.errors else 200
    return render(request, "tournaments/form.html", context, status=status)


def _end_page(
    request: HttpRequest, tournament: Tournament, state: TournamentState, form: DealForm
) -> HttpResponse:
    left = finishing.prizes_left(state)
    context = {
        "night": tournament.night,
        "league": tournament.night.league,
        "tournament": tournament,
        "view": view(state),
        "form": form,
        "left": [(chips, in_money(chips, tournament.night)) for chips in left if chips],
        "left_sum": in_money(sum(left), tournament.night),
        "counted": form.wrong_sum if form.is_bound and form.is_valid() else 0,
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournaments/end.html", context, status=status)
