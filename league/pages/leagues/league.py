"""League pages: create a league, show its players and nights, and add players."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Q, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import (
    Action,
    Visitor,
    find_league,
    find_player,
    may_act_for,
    may_invite,
    player_of,
    rights,
)
from league.audit_log import Kind, log_action
from league.change_version import current_league_version
from league.closing.closing_hash import last_hash
from league.closing.payments import LIVE, unpaid
from league.common.errors import RefusedError
from league.common.money import in_money
from league.common.text import by_name, lookalike_key, tidy
from league.hands.objections import open_in
from league.models import Closing, League, Night, Objection, PlannedPayment
from league.nights.nights import UNPLAYED
from league.pages.nights.night import FEWEST_PLAYERS
from league.pages.parts.forms import AddPlayer, NewLeague, add_refusal, show_errors
from league.pages.parts.join_code import join_code
from league.pages.parts.visitor import signed_in
from league.pages.planned_nights.cards import card
from league.people.devices import free
from league.people.joining import waiting as waiting_phones
from league.people.leagues import add_player, latest_season, make_league
from league.planned_nights.planning import upcoming
from league.proofs.signing import league_mark, public_key
from league.proofs.verification import fingerprint

LATEST = 8  # nights shown without a tap
MOST_PLANNED = 6
MOST_OBJECTIONS = 6


@require_http_methods(["GET", "HEAD", "POST"])
def new_league(request: HttpRequest) -> HttpResponse:
    form = NewLeague(request.POST or None)
    if form.is_valid():
        names = ("name", "currency", "time_zone", "chip_value")
        options = {name: form.cleaned_data[name] for name in names}
        try:
            league = make_league(signed_in(request), **options)
        except RefusedError as refused:
            add_refusal(form, refused, chip_value="chip")
        else:
            return redirect("league", league.pk)
    return render(request, "leagues/new_league.html", {"form": form})


@require_safe
def league(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.VIEW, league_id)
    return _page(request, league, AddPlayer())


@require_POST
def player(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = AddPlayer(request.POST)
    if not form.is_valid():
        return _page(request, league, form)
    names, is_guest = form.cleaned_data["name"], form.cleaned_data["is_guest"]
    with transaction.atomic():  # if any name is invalid, no players are added
        keys: set[str] = set()
        added: list[str] = []
        for name in names:
            if (key := lookalike_key(tidy(name))) in keys:
                form.add_error("name", _("“%(name)s” is in the list twice.") % {"name": name})
                continue
            keys.add(key)
            try:
                added.append(str(add_player(league, name, is_guest=is_guest).pk))
            except RefusedError as refused:
                for error in refused.errors:
                    text = error["text"] if len(names) == 1 else f"“{name}”: {error['text']}"
                    form.add_error("name", text)
        if form.errors:
            transaction.set_rollback(True)
        else:
            by = signed_in(request)
            log_action(Kind.PLAYER_ADDED, by=by, league=league, players=added)
    if form.errors:
        return _page(request, league, form)
    text = ngettext("%(names)s added.", "%(names)s added.", len(names))
    messages.success(request, text % {"names": ", ".join(names)})
    # In a new league, the next step is at the top of the page.
    has_nights = Night.objects.filter(season__league=league).exists()
    place = "#players" if has_nights else ""
    return redirect(reverse("league", args=[league.pk]) + place)


@require_POST
def release(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Release a name from the phone that picked it."""
    player = find_player(request.user, Action.MANAGE, player_id)
    try:
        free(player, by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
    else:
        messages.success(
            request,
            _("The phone of %(name)s is disconnected. %(name)s can join again.") % {"name": player},
        )
    return redirect("phones", player.league_id)


def _page(request: HttpRequest, league: League, form: AddPlayer) -> HttpResponse:
    allowed = rights(request.user, league)
    rows = Night.objects.filter(season__league=league).select_related("closing_job")
    nights = list(
        rows.annotate(
            hand_count=Count("hands", filter=Q(hands__voided=False)), unplayed=UNPLAYED
        ).order_by("-started_at")
    )
    # open nights need a host, so they are never folded
    latest, earlier = nights[:LATEST], list[Night]()
    for night in nights[LATEST:]:
        (earlier if night.state == Night.State.CLOSED else latest).append(night)
    players = by_name(league.players.all())
    played = [night for night in nights if not night.unplayed]
    is_new = Action.KEEP_SCORE in allowed and not any(
        night.hand_count or night.state == Night.State.CLOSED for night in played
    )
    context = {
        "version": current_league_version(league),
        "league": league,
        "head": last_hash(league),
        "key": (key := public_key(league)),
        "fingerprint": fingerprint(key) if key else "",
        "mark": league_mark(league.pk),
        "players": players,
        "nights": nights,
        "latest": latest,
        "earlier": earlier,
        "steps": first_steps(league, len(players), played[-1] if played else None)
        if is_new
        else (),
        "running": [night for night in nights if night.is_live],
        **_planned(request.user, league),
        "owed": _owed(request.user, league),
        "season": latest_season(league),
        "form": form,
        "may_keep_score": Action.KEEP_SCORE in allowed,
        "may_manage": Action.MANAGE in allowed,
        "join": join_code(request, league),
        "nameless": may_invite(request.user, league) and not player_of(request.user, league),
        "join_requests": waiting_phones(league)
        if Action.MANAGE in allowed and league.approves
        else (),
        "objections": _objections(league, allowed),
    }
    return render(request, "leagues/league.html", context, status=400 if form.errors else 200)


@require_safe
def tonight(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Return the nights being played and the planned nights.

    If exactly one night is open, redirect to it.
    """
    league = find_league(request.user, Action.VIEW, league_id)
    nights = Night.objects.filter(season__league=league).select_related("closing_job")
    running = list(nights.filter(state=Night.State.OPEN, imported=False).order_by("-started_at"))
    if len(running) == 1:
        return redirect("night", running[0].pk)
    closed = nights.filter(state=Night.State.CLOSED).exclude(UNPLAYED)
    last = closed.order_by("-started_at").first()
    allowed = rights(request.user, league)
    keeps_score = Action.KEEP_SCORE in allowed
    context = {
        "version": current_league_version(league),
        "league": league,
        "running": running,
        "last": last,
        "steps": ()
        if running or last or not keeps_score
        else first_steps(league, league.players.count(), None),
        **_planned(request.user, league),
        "may_keep_score": keeps_score,
        "objections": _objections(league, allowed),
    }
    return render(request, "leagues/tonight.html", context)


@dataclass(frozen=True, slots=True)
class Step:
    """A step in a league's first evening. Only the next step has a link."""

    title: str
    done: bool
    url: str = ""


def first_steps(league: League, players: int, night: Night | None) -> list[Step]:
    """Return the steps up to a league's first hand. `night` is the league's first night."""
    enough, first_night = players >= FEWEST_PLAYERS, [night.pk] if night else []
    steps = [
        (_("Add players"), enough, f"{reverse('league', args=[league.pk])}#id_name"),
        (_("Start a night"), night is not None, reverse("new-night", args=[league.pk])),
        (_("Record the first hand"), False, night and reverse("record", args=first_night)),
    ]
    following = next(title for title, done, _url in steps if not done)
    return [
        Step(title, done, url or "" if title == following else "") for title, done, url in steps
    ]


def _planned(user: Visitor, league: League) -> dict[str, object]:
    """Return the planned nights, and whether the visitor may answer."""
    own = player_of(user, league)
    return {
        "planned": [card(each, own) for each in upcoming(league)[:MOST_PLANNED]],
        "may_answer": own is not None and may_act_for(user, own, league),
    }


def _objections(league: League, allowed: Collection[Action]) -> Iterable[Objection]:
    """Return the objections that wait for an answer. Only hosts answer them."""
    return open_in(league)[:MOST_OBJECTIONS] if Action.MANAGE in allowed else ()


class Owed(NamedTuple):
    """An unpaid payment. `worth` is what is still to be sent, or to be confirmed if `is_sent`."""

    planned: PlannedPayment
    worth: str
    is_sent: bool


def _owed(user: Visitor, league: League) -> list[Owed]:
    """Return the visitor's unpaid payments."""
    mine = Q(payer__user=user.pk) | Q(payee__user=user.pk)
    rows = list(unpaid().filter(mine, plan__season__league=league).order_by("plan__made_at", "pk"))
    prefetch_related_objects(
        rows, "payer__user", "payee__user", "plan__closing", "paid", "replacements"
    )
    owed = []
    for planned in rows:
        unsent = planned.open_chips(*LIVE)
        worth = in_money(unsent or planned.sent_chips, planned.plan)
        owed.append(Owed(planned, worth, not unsent))
    return owed


# The hash chain of a league's closings. A phone compares it with the hashes that it has seen
# before.


MOST = 500
LONGEST_NUMBER = 9  # digits


@require_safe
def seals(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Return at most `MOST` closing hashes, starting with closing number `since`."""
    league = find_league(request.user, Action.VIEW, league_id)
    text = request.GET.get("since", "")
    since = int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else 0
    rows = Closing.objects.filter(league=league)
    named = rows.order_by("sequence").values("sequence", "hash", "previous_hash")
    last = named.last() or {"sequence": 0}
    return JsonResponse(
        {"last": last["sequence"], "closings": list(named.filter(sequence__gte=since)[:MOST])}
    )
