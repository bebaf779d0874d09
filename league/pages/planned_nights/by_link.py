"""Answer by a link, without an account: the dates, who comes, and one's own answer."""

from datetime import timedelta
from functools import partial
from urllib.parse import quote, unquote
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from league.access import may_act_for, player_of
from league.common.client_ip import address_of
from league.common.text import tidy
from league.models import LONGEST_NAME, NightAnswerLink, Player
from league.pages.nights.receipt import private
from league.pages.parts.forms import carry_out
from league.pages.planned_nights.forms import AnswerForm, NamedAnswer
from league.pages.planned_nights.views import Card, card, named
from league.planned_nights.answers import answer_as_guest, answer_for, link_of
from league.planned_nights.planning import upcoming
from league.sign_in.authentication import ANSWERS_HERE, count, is_spent

MOST_SHOWN = 8
NAME = "answers-as"
NAME_KEPT = timedelta(days=180)


@require_safe
def answers(request: HttpRequest, token: str) -> HttpResponse:
    return _page(request, _link(token), token)


@require_POST
def answer(request: HttpRequest, token: str, planned_night_id: UUID) -> HttpResponse:
    link = _link(token)
    planned = get_object_or_404(upcoming(link.league), pk=planned_night_id)
    own = _own(request, link)
    # Strangers at an address do not use up the answers of the league's people there.
    who = f"player {own.pk}" if own else address_of(request)
    if is_spent(ANSWERS_HERE, who):
        return private(render(request, "429.html", status=429))
    count(ANSWERS_HERE, who)
    form = AnswerForm(request.POST) if own else NamedAnswer(request.POST)
    if form.is_valid():
        says, brought = form.cleaned_data["says"], form.brought()
        name = form.cleaned_data.get("name", "")
        keep = partial(answer_for, planned, own) if own else partial(answer_as_guest, planned, name)
        if carry_out(form, partial(keep, says, **brought)):
            kept = redirect("answers", token)
            if own is None:
                _keep_name(request, kept, name)
            return kept
    return _page(request, link, token, failed=form, of=planned_night_id)


def _page(
    request: HttpRequest,
    link: NightAnswerLink,
    token: str,
    *,
    failed: AnswerForm | None = None,
    of: UUID | None = None,
) -> HttpResponse:
    own, name = _own(request, link), _kept_name(request)
    player, shown = own or named(link.league, name), []
    for planned in upcoming(link.league)[:MOST_SHOWN]:
        made = card(planned, player, name)
        shown.append((made, failed if failed and planned.pk == of else _form(made, own, name)))
    context = {
        "league": link.league,
        "token": token,
        "own": own,
        "shown": shown,
    }
    page = render(request, "planned_nights/answers.html", context, status=400 if failed else 200)
    return private(page)


def _form(made: Card, own: Player | None, name: str) -> AnswerForm:
    told = {"guests": made.mine.guests, "brings": made.mine.brings} if made.mine else {}
    ids = f"{made.planned.pk}_%s"
    if own is not None:
        return AnswerForm(initial=told, auto_id=ids)
    return NamedAnswer(initial={"name": name, **told}, auto_id=ids)


def _link(token: str) -> NightAnswerLink:
    if (link := link_of(token)) is None:
        raise Http404
    return link


def _own(request: HttpRequest, link: NightAnswerLink) -> Player | None:
    """Return for whom the link speaks, or who opens it signed in."""
    if link.player is not None:
        return link.player
    own = player_of(request.user, link.league)
    return own if own and may_act_for(request.user, own, link.league) else None


def _kept_name(request: HttpRequest) -> str:
    """Return the name that the phone answers under, if it has answered before."""
    return tidy(unquote(request.COOKIES.get(NAME, "")))[:LONGEST_NAME]


def _keep_name(request: HttpRequest, kept: HttpResponse, name: str) -> None:
    """Leave the name with the phone, for this link alone: the service keeps no name for it."""
    kept.set_cookie(
        NAME,
        quote(tidy(name)),
        max_age=NAME_KEPT,
        path=kept["Location"],
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
