"""Views that plan nights and series, store answers from accounts or links, and start nights."""

from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import quote, unquote
from uuid import UUID, uuid5

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import (
    Action,
    find_league,
    find_planned_night,
    find_series,
    may,
    may_act_for,
    player_of,
)
from league.common.client_ip import address_of
from league.common.errors import RefusedError
from league.common.text import by_name, tidy
from league.models import (
    LONGEST_NAME,
    League,
    Night,
    NightAnswer,
    NightAnswerLink,
    PlannedNight,
    Player,
)
from league.nights.nights import MANY_NAMES
from league.pages.nights.night import NewNight
from league.pages.nights.receipt import private
from league.pages.parts.forms import apply_form, show_errors
from league.pages.parts.visitor import signed_in
from league.pages.planned_nights.cards import Card, card, named
from league.pages.planned_nights.forms import (
    AnswerForm,
    AnswerOfOther,
    NamedAnswer,
    PlanNight,
    PlanSeries,
    as_typed,
)
from league.planned_nights import planning, series
from league.planned_nights.answer_links import (
    league_token,
    link_of,
    player_tokens,
    share_answers,
    unshare_answers,
)
from league.planned_nights.answers import answer_as_guest, answer_for
from league.planned_nights.planning import change_planned, drawn_order, seed_hash, upcoming
from league.planned_nights.waiting_list import Attendance, attendance
from league.sign_in.rate_limits import ANSWERS_HERE, count, is_spent


@require_http_methods(["GET", "HEAD", "POST"])
def plan_night(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.KEEP_SCORE, league_id)
    form, by = PlanNight(league, request.POST or None), signed_in(request)
    if form.is_valid():
        cleaned = form.cleaned_data
        if apply_form(
            form,
            lambda: planning.plan(
                league, cleaned["key"], cleaned["starts_at"], form.details(), by=by
            ),
            starts_at="day",
        ):
            return redirect("planned-night", cleaned["key"])
    context = {"league": league, "form": form, "planned": _already_planned(request, league)}
    return render(request, "planned_nights/plan_night.html", context)


def _already_planned(request: HttpRequest, league: League) -> list[Card]:
    own = player_of(request.user, league)
    return [card(planned, own) for planned in upcoming(league)[:MOST_SHOWN]]


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    planned = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    sent = request.POST if request.method == "POST" else None
    form, by = PlanNight(planned.league, sent, initial=as_typed(planned)), signed_in(request)
    if form.is_valid():
        typed = {"day", "at"} & set(form.changed_data)
        starts_at = form.cleaned_data["starts_at"] if typed else planned.starts_at
        if apply_form(
            form,
            lambda: change_planned(planned, starts_at, form.details(), by=by),
            starts_at="day",
        ):
            return redirect("planned-night", planned.pk)
    context = {"league": planned.league, "planned": planned, "form": form}
    status = 400 if form.errors else 200
    return render(request, "planned_nights/change_night.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def plan_series(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.KEEP_SCORE, league_id)
    form, by = PlanSeries(league, request.POST or None), signed_in(request)
    if form.is_valid():
        cleaned = form.cleaned_data
        if apply_form(
            form,
            lambda: series.make_series(
                league, cleaned["key"], form.rhythm(), form.details(), by=by
            ),
        ):
            return redirect(f"{reverse('league', args=[league.pk])}#next-nights")
    context = {
        "league": league,
        "form": form,
        "series": series.live_series(league),
        "planned": _already_planned(request, league),
    }
    return render(request, "planned_nights/plan_series.html", context)


@require_POST
def end_series(request: HttpRequest, series_id: UUID) -> HttpResponse:
    night_series = find_series(request.user, Action.KEEP_SCORE, series_id)
    series.end_series(night_series)
    messages.success(request, _("Series ended. Nights with answers stay planned."))
    return redirect("plan-series", night_series.league_id)


@require_safe
def planned_night(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    return _page(request, find_planned_night(request.user, Action.VIEW, planned_night_id))


@require_POST
def answer(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    """Store the visitor's own answer."""
    planned = find_planned_night(request.user, Action.VIEW, planned_night_id)
    own = player_of(request.user, planned.league)
    if own is None or not may_act_for(request.user, own, planned.league):
        raise PermissionDenied
    form = AnswerForm(request.POST)
    if form.is_valid() and _answered(planned, own, form):
        if request.POST.get("stay") == "league":
            return redirect(f"{reverse('league', args=[planned.league_id])}#next-nights")
        return redirect("planned-night", planned.pk)
    return _page(request, planned, own_form=form)


@require_POST
def answer_of_other(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    """Store another player's answer as a host or scorekeeper."""
    planned = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    form = AnswerOfOther(planned.league, request.POST, auto_id="other_%s")
    if form.is_valid():
        who = form.cleaned_data["player"] or form.cleaned_data["name"]
        if _answered(planned, who, form):
            return redirect("planned-night", planned.pk)
    return _page(request, planned, other_form=form)


@require_POST
def cancel(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    planned = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    try:
        planning.cancel(planned)
    except RefusedError as refused:
        show_errors(request, refused)
    else:
        messages.success(request, _("Night cancelled."))
    return redirect("planned-night", planned.pk)


@require_POST
def share(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    """Create the answer links that don't exist yet."""
    planned = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    share_answers(planned.league, by=signed_in(request))
    return redirect(f"{reverse('planned-night', args=[planned.pk])}#answer-links")


@require_POST
def unshare(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    planned = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    unshare_answers(planned.league, by=signed_in(request))
    return redirect("planned-night", planned.pk)


def _answered(planned: PlannedNight, who: Player | str, form: AnswerForm) -> bool:
    says, brought = form.cleaned_data["says"], form.brought()
    return apply_form(form, lambda: answer_for(planned, who, says, **brought))


def _page(
    request: HttpRequest,
    planned: PlannedNight,
    *,
    own_form: AnswerForm | None = None,
    other_form: AnswerOfOther | None = None,
) -> HttpResponse:
    planned = planning.with_answers(PlannedNight.objects.select_related("night")).get(pk=planned.pk)
    league, own = planned.league, player_of(request.user, planned.league)
    keeps = may(request.user, Action.KEEP_SCORE, league)
    shown = card(planned, own)
    mine = shown.mine
    initial = {"guests": mine.guests, "brings": mine.brings} if mine else {}
    is_planned = planned.state == PlannedNight.State.PLANNED
    context = {
        "league": league,
        "planned": planned,
        "card": shown,
        "may_keep_score": keeps,
        "may_answer": is_planned and own is not None and may_act_for(request.user, own, league),
        "is_planned": is_planned,
        "is_ahead": planned.starts_at - timezone.now() > timedelta(hours=12),
        "own_form": own_form or AnswerForm(initial=initial),
        "other_form": other_form or AnswerOfOther(league, auto_id="other_%s"),
        "seed_hash": seed_hash(planned.seed),
        "draw": _seated_players(planned, shown.who, drawn=True)
        if not is_planned and planned.night
        else [],
        "links": _links(request, planned) if keeps and is_planned else {},
    }
    failed = any(form is not None and form.errors for form in (own_form, other_form))
    status = 400 if failed else 200
    return render(request, "planned_nights/planned_night.html", context, status=status)


def _links(request: HttpRequest, planned: PlannedNight) -> dict[str, Any]:
    """Return the shared answer link and the players' own links."""

    def at(token: str) -> str:
        return request.build_absolute_uri(reverse("answers", args=[token]))

    token = league_token(planned.league)
    if not token:
        return {}
    tokens = player_tokens(planned.league)
    players = by_name(planned.league.players.all())
    own = [(each, at(tokens[each.pk])) for each in players if each.pk in tokens]
    return {"everybody": at(token), "players": own}


DRAWN = "drawn"


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, planned_night_id: UUID) -> HttpResponse:
    planned_night = find_planned_night(request.user, Action.KEEP_SCORE, planned_night_id)
    planned = planning.with_answers(PlannedNight.objects.all()).get(pk=planned_night.pk)
    if planned.state != PlannedNight.State.PLANNED:
        return redirect("planned-night", planned.pk)
    drawn = request.GET.get("seats") == DRAWN
    who = attendance(planned.seats, planned.answers.all())
    coming = _seated_players(planned, who, drawn=drawn)
    # Players who are coming are ticked and listed first.
    ids = {player.pk for player in coming}
    answered = planning.as_players(planned, planned.answers.all())
    known = {person.pk: person for person in by_name(planned.league.players.all())}
    others = known | {person.pk: person for person in answered}
    people = [*coming, *(person for person in others.values() if person.pk not in ids)]
    ticked = {f"sits-{person.pk}": person.pk in ids for person in people}
    # The night reuses the planned night's id, so that two phones start the same night and calendars
    # keep the event. The id is taken if the night was started before and cancelled.
    is_taken = Night.objects.filter(pk=planned.pk).exists()
    key = uuid5(planned.pk, str(planned.sequence)) if is_taken else planned.pk
    initial = {"key": key, "name": planned.name, **ticked}
    first = max(MANY_NAMES, len(coming))
    form = NewNight(people, request.POST or None, initial=initial, first=first)
    if form.is_valid():
        cleaned, by = form.cleaned_data, signed_in(request)
        if apply_form(
            form,
            lambda: planning.start(
                planned,
                cleaned["key"],
                form.sitting(),
                by=by,
                name=cleaned["name"],
                usual_buy_in=cleaned["usual"],
            ),
            usual_buy_in="usual",
        ):
            return redirect("night", cleaned["key"])
    context = {
        "league": planned.league,
        "planned": planned,
        "form": form,
        "drawn": drawn,
        "guests": _guests(who),
    }
    return render(request, "planned_nights/start.html", context)


def _guests(who: Attendance) -> list[tuple[NightAnswer, int, int]]:
    """Return the answers with guests, and how many of the guests have seats and wait for one."""
    seated = Counter(each.answer.pk for each in who.seated if each.guest)
    waiting = Counter(each.answer.pk for each in who.waiting if each.guest)
    answers = {each.answer.pk: each.answer for each in who.seated if each.guest}
    return [(answer, seated[key], waiting[key]) for key, answer in answers.items()]


def _seated_players(planned: PlannedNight, who: Attendance, *, drawn: bool) -> list[Player]:
    """Return the players who have a seat, in seating order: drawn by the night's seed, or by name.

    Guests of players are left out.
    """
    answers = [place.answer for place in who.seated if not place.guest]
    seated = planning.as_players(planned, answers)
    if not drawn:
        return by_name(seated)
    players = {place.pk: place for place in seated}
    return [players[key] for key in drawn_order(planned.seed, players)]


MOST_SHOWN = 8
ANSWERED: dict[str, Promise] = {
    "yes": gettext_lazy("%(name)s answered yes."),
    "maybe": gettext_lazy("%(name)s answered maybe."),
    "no": gettext_lazy("%(name)s answered no."),
}
EARLIER: dict[str, Promise] = {
    "yes": gettext_lazy("The earlier answer was yes."),
    "maybe": gettext_lazy("The earlier answer was maybe."),
    "no": gettext_lazy("The earlier answer was no."),
}
NAME = "answers-as"
NAME_KEPT = timedelta(days=180)


@login_not_required
@require_safe
def answers_by_link(request: HttpRequest, token: str) -> HttpResponse:
    return _link_page(request, _link(token), token)


@login_not_required
@require_POST
def answer_by_link(request: HttpRequest, token: str, planned_night_id: UUID) -> HttpResponse:
    link = _link(token)
    planned = get_object_or_404(upcoming(link.league), pk=planned_night_id)
    own = _own(request, link)
    # The limit is per player, so strangers at the same address can't use it up.
    who = f"player {own.pk}" if own else address_of(request)
    if is_spent(ANSWERS_HERE, who):
        return private(render(request, "429.html", status=429))
    count(ANSWERS_HERE, who)
    form = AnswerForm(request.POST) if own else NamedAnswer(request.POST)
    if form.is_valid():
        says, brought = form.cleaned_data["says"], form.brought()
        name = form.cleaned_data.get("name", "")
        mine = card(planned, own or named(link.league, name), tidy(name)).mine
        before = mine.says if mine else ""
        keep = partial(answer_for, planned, own) if own else partial(answer_as_guest, planned, name)
        if apply_form(form, partial(keep, says, **brought)):
            text = str(ANSWERED[says]) % {"name": own or tidy(name)}
            if before and before != says:  # anyone who has the link may have tapped a wrong answer
                text = f"{text} {EARLIER[before]}"
            messages.success(request, text)
            response = redirect("answers", token)
            if own is None:
                # A cookie for this link. The service itself does not store the name.
                response.set_cookie(
                    NAME,
                    quote(tidy(name)),
                    max_age=NAME_KEPT,
                    path=response["Location"],
                    secure=request.is_secure(),
                    httponly=True,
                    samesite="Lax",
                )
            return response
    return _link_page(request, link, token, failed=form, of=planned_night_id)


def _link_page(
    request: HttpRequest,
    link: NightAnswerLink,
    token: str,
    *,
    failed: AnswerForm | None = None,
    of: UUID | None = None,
) -> HttpResponse:
    own = _own(request, link)
    # the name that the phone used for an earlier answer, if any
    name = tidy(unquote(request.COOKIES.get(NAME, "")))[:LONGEST_NAME]
    player, shown = own or named(link.league, name), []
    for planned in upcoming(link.league)[:MOST_SHOWN]:
        made = card(planned, player, name)
        form = failed if planned.pk == of else None
        if form is None:
            mine, ids = made.mine, f"{planned.pk}_%s"
            initial = {"guests": mine.guests, "brings": mine.brings} if mine else {}
            form = (
                AnswerForm(initial=initial, auto_id=ids)
                if own
                else NamedAnswer(initial={"name": name, **initial}, auto_id=ids)
            )
        shown.append((made, form))
    started = PlannedNight.objects.filter(league=link.league, night__state=Night.State.OPEN)
    context = {
        "league": link.league,
        "token": token,
        "own": own,
        "shown": shown,
        "has_started": not shown and started.exists(),
    }
    page = render(request, "planned_nights/answers.html", context, status=400 if failed else 200)
    return private(page)


def _link(token: str) -> NightAnswerLink:
    if (link := link_of(token)) is None:
        raise Http404
    return link


def _own(request: HttpRequest, link: NightAnswerLink) -> Player | None:
    """Return the link's player, or else the signed-in player."""
    if link.player is not None:
        return link.player
    own = player_of(request.user, link.league)
    return own if own and may_act_for(request.user, own, link.league) else None
