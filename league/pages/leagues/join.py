"""Join a league on a phone with its code: type the code, pick a name, go to the table."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.access import Action, may, player_of
from league.common.client_ip import address_of
from league.common.errors import RefusedError
from league.models import JoinRequest, League, Player, User
from league.nights.nights import newest_open
from league.pages.parts.forms import PlayerChoice, add_refusal
from league.pages.parts.qr_code import PROOF
from league.pages.parts.visitor import kind_of
from league.people.devices import remember
from league.people.joining import (
    TooManyGuessesError,
    ask,
    come_in,
    enter,
    find_by_code,
    free_names,
    invitation_of,
    join,
    request_of,
    use,
    waiting,
)
from league.people.leagues import CODE_LENGTH
from league.sending import mail

CODE_FIELD = {"autocapitalize": "characters", "autocomplete": "off", "spellcheck": "false"}


WAITS = "waits"  # session key of a phone that waits for a host's approval
WRONG = gettext_lazy("No league has this code.")
TOO_MANY = gettext_lazy(
    "Too many wrong codes: try again later, or scan the code on a phone that is in."
)


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("The code of the league"),
        max_length=CODE_LENGTH + 6,
        help_text=gettext_lazy("Its letters; whoever hosts can read them out."),
        widget=forms.TextInput(CODE_FIELD),
    )


class PickName(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail, for results and reminders"),
        required=False,
        help_text=gettext_lazy("May stay empty."),
        widget=forms.TextInput({"inputmode": "email", "autocomplete": "email"}),
    )

    def __init__(self, league: League, *args: Any, only: Player | None = None) -> None:
        """Offer the unused names, or only the name that an invitation is for."""
        super().__init__(*args)
        if not mail.are_sent():
            del self.fields["email"]
        free = free_names(league)
        self.names = free.filter(pk=only.pk) if only else free
        self.fields["player"] = PlayerChoice(self.names)


@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    form = CodeForm(request.POST or None)
    if form.is_bound and form.is_valid():
        try:
            league = find_by_code(form.cleaned_data["code"], address=address_of(request))
        except TooManyGuessesError:
            form.add_error("code", TOO_MANY)
        else:
            if league:
                return redirect("pick-name", league.code)
            form.add_error("code", WRONG)
    return render(
        request, "leagues/join_by_code.html", {"form": form}, status=400 if form.errors else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
def pick_name(request: HttpRequest, code: str) -> HttpResponse:
    proof, wrong = request.GET.get(PROOF, ""), WRONG
    try:
        league = find_by_code(code, address=address_of(request), proof=proof)
    except TooManyGuessesError:
        league, wrong = None, TOO_MANY
    if league is None:
        form = CodeForm({"code": code})
        form.add_error("code", wrong)
        return render(request, "leagues/join_by_code.html", {"form": form}, status=404)
    if player_of(request.user, league):
        return _at_the_table(league)
    picked = PickName(league, request.POST or None)
    hosts = may(request.user, Action.MANAGE, league)
    waits = league.approves and not hosts
    if picked.is_bound and picked.is_valid():
        come = _as_host if hosts else _by_code
        came = _asked(request, league, picked) if waits else _joined(request, picked, come)
        if came:
            return came
    return _names(request, league, picked, waits=waits)


@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Join by an invitation: pick a name, or tap the one that it is for."""
    found = invitation_of(token)
    if found is None:
        return render(request, "leagues/join_invitation_ended.html", status=404)
    league = found.league
    if player_of(request.user, league):
        return _at_the_table(league)
    picked = PickName(league, request.POST or None, only=found.player)
    if picked.is_bound and picked.is_valid():

        def come(player: Player, user: User | None, email: str) -> User:
            return use(found, player, user=user, email=email)

        if came := _joined(request, picked, come):
            return came
    return _names(request, league, picked)


@require_safe
def wait(request: HttpRequest) -> HttpResponse:
    """Show the waiting page, which polls and continues when a host accepts."""
    asked = request_of(request.session.get(WAITS, ""))
    if asked is None:
        return redirect("join")
    if asked.state == JoinRequest.State.ACCEPTED:
        return _entered(request, asked)
    waits = asked in waiting(asked.league)
    return render(request, "leagues/join_waiting.html", {"asked": asked, "waits": waits})


def _names(
    request: HttpRequest, league: League, picked: PickName, *, waits: bool = False
) -> HttpResponse:
    context = {"league": league, "form": picked, "names": picked.names, "waits": waits}
    return render(
        request, "leagues/join_by_name.html", context, status=400 if picked.errors else 200
    )


def _asked(request: HttpRequest, league: League, form: PickName) -> HttpResponse | None:
    told, user = form.cleaned_data, _known(request)
    kind = kind_of(request)
    try:
        _request, token = ask(
            league, told["player"], user=user, email=told.get("email", ""), kind=kind
        )
    except RefusedError as refused:
        add_refusal(form, refused)
        return None
    request.session[WAITS] = token
    return redirect("wait")


def _entered(request: HttpRequest, asked: JoinRequest) -> HttpResponse:
    """Sign in as the accepted player. It works once, so that the session can't be reused."""
    user = enter(asked)
    request.session.pop(WAITS, None)
    if user is not None:
        _remembered(request, user, asked.player)
    return _at_the_table(asked.league)


Come = Callable[[Player, User | None, str], User]


def _by_code(player: Player, user: User | None, email: str) -> User:
    return join(player.league, player, user=user, email=email)


def _as_host(player: Player, user: User | None, email: str) -> User:
    """Join a host, who needs no approval."""
    return come_in(player.league, player, user=user, email=email)


def _joined(request: HttpRequest, form: PickName, come: Come = _by_code) -> HttpResponse | None:
    told = form.cleaned_data
    player: Player = told["player"]
    try:
        joined = come(player, _known(request), told.get("email", ""))
    except RefusedError as refused:
        add_refusal(form, refused)
        return None
    _remembered(request, joined, player)
    return _at_the_table(player.league)


def _known(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _remembered(request: HttpRequest, user: User, player: Player) -> None:
    """Sign the phone in as this user, and add it to the league's devices.

    Another user may have signed in on it while it waited.
    """
    if _known(request) != user:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        request.session.save()
    key = request.session.session_key or ""
    remember(player.league, user, player, session_key=key, kind=kind_of(request))


def _at_the_table(league: League) -> HttpResponse:
    """Redirect to the open night, or to the league if there is none."""
    night = newest_open(league)
    return redirect("night", night.pk) if night else redirect("league", league.pk)
