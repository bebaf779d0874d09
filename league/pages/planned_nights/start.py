"""Start a planned night: whoever said yes sits, in the drawn order or by name."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from league.access import Action, find_planned_night
from league.models import PlannedNight, Player
from league.nights.nights import MANY_NAMES
from league.pages.nights.new_night_form import NewNight
from league.pages.parts.forms import carry_out
from league.pages.parts.visitor import signed_in
from league.planned_nights import planning
from league.planned_nights.attendance import Attendance, attendance
from league.planned_nights.planning import drawn_order

DRAWN = "drawn"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    found = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    planned = planning.with_answers(PlannedNight.objects.all()).get(pk=found.pk)
    if planned.state != PlannedNight.State.PLANNED:
        return redirect("planned-night", planned.pk)
    drawn = request.GET.get("seats") == DRAWN
    who = attendance(planned.seats, planned.answers.all())
    coming = _coming(planned, who, drawn=drawn)
    form = _form(planned, coming, request.POST or None)
    if form.is_valid():
        told, by = form.cleaned_data, signed_in(request)
        if carry_out(
            form,
            lambda: planning.start(
                planned,
                told["key"],
                form.sitting(),
                by=by,
                name=told["name"],
                usual_buy_in=told["usual"],
            ),
            usual_buy_in="usual",
        ):
            return redirect("night", told["key"])
    context = {
        "league": planned.league,
        "planned": planned,
        "form": form,
        "drawn": drawn,
        "guests": [each.answer for each in who.seated if each.guest == 1],
    }
    return render(request, "planned_nights/start.html", context)


def _coming(planned: PlannedNight, who: Attendance, *, drawn: bool) -> list[Player]:
    """Return those with a seat, as players, in the order in which they are to sit."""
    answers = [each.answer for each in who.seated if not each.guest]
    seated = planning.as_players(planned, answers)
    if not drawn:
        return sorted(seated, key=lambda player: player.name.lower())
    players = {each.pk: each for each in seated}
    return [players[key] for key in drawn_order(planned.seed, players)]


def _form(planned: PlannedNight, coming: list[Player], sent: Any) -> NewNight:
    """Return the form with those ticked who come, and below them everybody else."""
    ids = {player.pk for player in coming}
    answered = planning.as_players(planned, planned.answers.all())
    known = {each.pk: each for each in planned.league.players.order_by("name")}
    others = known | {each.pk: each for each in answered}
    people = [*coming, *(each for each in others.values() if each.pk not in ids)]
    ticked = {f"sits-{each.pk}": each.pk in ids for each in people}
    # The plan's own id: two phones that start it start one night, and calendars keep the event.
    initial = {"key": planned.pk, "name": planned.name, **ticked}
    return NewNight(people, sent, initial=initial, first=max(MANY_NAMES, len(coming)))
